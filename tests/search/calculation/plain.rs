//! A simple implementation of Calculation, the reference for every variant of the game.

use rand::seq::SliceRandom;
use shikou::game::{Game, GameExt, Outcome, Player, Turn};
use shikou::games::calculation::{Calculation, FoundationRule, Layout};
use shikou::rng::Stream;

use super::{merges, names, sequences, variants};

/// A game with a shuffled stock, piles of letters, and the rules in words.
struct Plain {
    piles: Vec<Vec<char>>,
    heights: Vec<usize>,
    sequences: Vec<&'static str>,
    /// The next card is the last.
    stock: Vec<char>,
    hand: Option<char>,
    rule: FoundationRule,
    merge: bool,
}

impl Plain {
    fn new(game: &Calculation, merge: bool, seed: u64) -> Self {
        let dealt = game.layout() == Layout::Dealt;
        let mut stock = Vec::new();
        let sequences = sequences(game);
        let suits = sequences.len();
        for (index, letter) in sequences[0].chars().enumerate() {
            stock.extend(vec![letter; if dealt && index < suits { suits - 1 } else { suits }]);
        }
        stock.shuffle(&mut (Stream::new(seed) / "stock").rng());
        Self {
            piles: vec![Vec::new(); game.piles().into()],
            heights: vec![usize::from(dealt); suits],
            sequences,
            stock,
            hand: None,
            rule: game.foundation_rule(),
            merge,
        }
    }

    fn wants(&self, foundation: usize, card: char) -> bool {
        self.sequences[foundation].chars().nth(self.heights[foundation]) == Some(card)
    }

    fn waste_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for (p, pile) in self.piles.iter().enumerate() {
            for f in 0..self.heights.len() {
                if pile.last().is_some_and(|&top| self.wants(f, top)) {
                    moves.push(format!("p{}f{}", p + 1, f + 1));
                }
            }
        }
        moves
    }

    fn hand_moves(&self) -> Vec<String> {
        let Some(card) = self.hand else { return Vec::new() };
        (0..self.heights.len()).filter(|&f| self.wants(f, card)).map(|f| format!("f{}", f + 1)).collect()
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.hand.is_none() && !self.stock.is_empty() {
            return moves;
        }
        if self.hand.is_some() {
            moves.extend(self.hand_moves());
            let mut empty_seen = false;
            for (p, pile) in self.piles.iter().enumerate() {
                if pile.is_empty() && self.merge && empty_seen {
                    continue;
                }
                empty_seen |= pile.is_empty();
                moves.push(format!("p{}", p + 1));
            }
            if self.is_due() {
                moves.retain(|mv| !mv.starts_with('p'));
            }
        }
        moves.extend(self.waste_moves());
        moves
    }

    /// Whether a card that can go up may not be held back.
    fn is_due(&self) -> bool {
        let hand = self.hand.filter(|_| !self.hand_moves().is_empty());
        let tops = self.piles.iter().filter_map(|pile| pile.last().copied());
        let wanted = |&card: &char| (0..self.heights.len()).any(|f| self.wants(f, card));
        hand.into_iter().chain(tops.filter(wanted)).any(|card| {
            let buried = |pile: &Vec<char>| pile.split_last().is_some_and(|(_, below)| below.contains(&card));
            let takes =
                |(sequence, height): (&&str, &usize)| sequence.chars().skip(*height).any(|c| c == card);
            match self.rule {
                FoundationRule::Optional | FoundationRule::Automatic => false,
                FoundationRule::First => true,
                FoundationRule::Buried => !self.piles.iter().any(buried),
                FoundationRule::Outstanding => {
                    self.sequences.iter().zip(&self.heights).filter(|&pair| takes(pair)).count() == 1
                }
            }
        })
    }

    fn turn_card(&mut self) -> char {
        let card = self.stock.pop().unwrap();
        self.hand = Some(card);
        self.settle();
        card
    }

    fn make(&mut self, mv: &str) {
        self.make_one(mv);
        self.settle();
    }

    fn make_one(&mut self, mv: &str) {
        let number = |at: usize| mv[at..=at].parse::<usize>().unwrap() - 1;
        match (&mv[..1], mv.len()) {
            ("f", _) => {
                self.hand = None;
                self.heights[number(1)] += 1;
            }
            (_, 2) => self.piles[number(1)].push(self.hand.take().unwrap()),
            _ => {
                self.piles[number(1)].pop();
                self.heights[number(3)] += 1;
            }
        }
    }

    fn settle(&mut self) {
        while self.rule == FoundationRule::Automatic {
            let mut first = self.waste_moves();
            first.extend(self.hand_moves());
            let Some(mv) = first.first().cloned() else { return };
            self.make_one(&mv);
        }
    }

    fn text(&self) -> String {
        let or_nothing = |cards: String| if cards.is_empty() { "-".to_string() } else { cards };
        let heights: Vec<String> = self.heights.iter().map(ToString::to_string).collect();
        let piles: Vec<String> = self.piles.iter().map(|pile| or_nothing(pile.iter().collect())).collect();
        let mut stock = self.stock.clone();
        stock.sort_by_key(|&card| "A23456789TJQK".find(card));
        format!(
            "up {} | piles {} | stock {} | hand {}",
            heights.join(" "),
            piles.join(" / "),
            or_nothing(stock.iter().collect()),
            or_nothing(self.hand.into_iter().collect()),
        )
    }
}

#[test]
fn every_game_goes_as_the_plain_rules_say() {
    for game in variants() {
        for seed in 0..12 {
            let mut plain = Plain::new(&game, merges(&game), seed);
            let mut position = game.start();
            let mut rng = (Stream::new(seed) / "moves").rng();
            // Random games rarely finish a foundation, so half of them put up every card that can go up.
            let eager = seed % 2 == 0;
            let mut plies = 0;
            loop {
                assert_eq!(game.position_text(&position), plain.text());
                let moves = plain.moves();
                assert_eq!(names(&game, &position), moves);
                let mv = match game.turn(&position) {
                    Turn::Over => break assert!(plain.stock.is_empty() && moves.is_empty()),
                    Turn::Chance => {
                        assert!(plain.hand.is_none() && !plain.stock.is_empty());
                        plain.turn_card().to_string()
                    }
                    Turn::Player(player) => {
                        assert_eq!(player, Player::FIRST);
                        let up: Vec<&String> = moves.iter().filter(|mv| mv.contains('f')).collect();
                        let mv = if eager && !up.is_empty() {
                            up[rng.below(up.len() as u64) as usize].clone()
                        } else {
                            moves[rng.below(moves.len() as u64) as usize].clone()
                        };
                        plain.make(&mv);
                        mv
                    }
                };
                let mv = game.parse_move(&position, &mv.to_lowercase()).unwrap();
                game.play(&mut position, mv).unwrap();
                plies += 1;
            }
            let up: usize = plain.heights.iter().sum();
            assert_eq!(game.score(&position, Player::FIRST), up as i32);
            let expected = if up == usize::from(game.deck().cards()) { Outcome::Win } else { Outcome::Loss };
            assert_eq!(game.outcome(&position, Player::FIRST), expected);
            assert!(plies <= game.facts().max_plies.unwrap());
        }
    }
}
