//! The clairvoyant bound against brute force, and the deals that it looks at.

use shikou::experiment::{Manifest, Plan, Watch, play_watched};
use shikou::game::{Game, Outcome, Player, Turn};
use shikou::games::calculation::{
    Calculation, Clairvoyant, FoundationRule, Move, MoveKind, Position, Rank, Verdict,
};
use shikou::players::{Registry, Table};
use shikou::rng::{PlayoutKey, Rng, Stream};
use shikou::search::ThreadClock;

/// Every line of play, one after the other.
fn can_be_won(game: &Calculation, position: &Position, order: &[Rank]) -> bool {
    let try_move = |mv, order: &[Rank]| {
        let mut child = *position;
        game.apply(&mut child, mv);
        can_be_won(game, &child, order)
    };
    match game.turn(position) {
        Turn::Over => game.outcome(position, Player::FIRST) == Outcome::Win,
        Turn::Chance => try_move(Move::new(MoveKind::Turned(order[0])), &order[1..]),
        Turn::Player(_) => game.moves(position).any(|mv| try_move(mv, order)),
    }
}

/// A position with so many cards left in the stock, reached by a rule of thumb, and those cards in order.
fn late_position(game: &Calculation, left: u32, rng: &mut Rng) -> (Position, Vec<Rank>) {
    let policies = game.policies();
    let policy = &policies.iter().find(|policy| policy.name == "waste-first").unwrap().policy;
    let mut draws = PlayoutKey::new(rng.next_u64()).playout(0);
    let mut order = game.deal(rng);
    order.reverse();
    let mut position = game.start();
    while position.stock_len() > left || position.hand().is_some() {
        let mv = match game.turn(&position) {
            Turn::Chance => Move::new(MoveKind::Turned(order.pop().unwrap())),
            _ => policy.choose(game, &position, &mut draws),
        };
        game.apply(&mut position, mv);
    }
    order.reverse();
    (position, order)
}

#[test]
fn the_clairvoyant_agrees_with_brute_force_on_the_last_cards() {
    let mut rng = (Stream::new(1) / "late positions").rng();
    let mut verdicts = [0; 2];
    for piles in [2, 3] {
        for rule in [FoundationRule::Optional, FoundationRule::Automatic] {
            let game = Calculation::default().with_piles(piles).with_foundation_rule(rule);
            for case in 0..150 {
                let left = if case % 2 == 0 { 3 } else { 5 };
                let (position, order) = late_position(&game, left, &mut rng);
                let solution = Clairvoyant::new(&game, 100_000).solve(&position, &order);
                let expected = can_be_won(&game, &position, &order);
                verdicts[usize::from(expected)] += 1;
                match solution.verdict {
                    Verdict::Won(line) => {
                        assert!(expected);
                        let mut end = position;
                        for mv in line {
                            assert!(match mv.kind() {
                                MoveKind::Turned(rank) => end.stock(rank) > 0 && end.hand().is_none(),
                                _ => game.moves(&end).any(|legal| legal == mv),
                            });
                            game.apply(&mut end, mv);
                        }
                        assert_eq!(end.cards_up(), 52);
                    }
                    Verdict::Lost => assert!(!expected, "{}", game.position_text(&position)),
                    Verdict::Undecided => panic!("a hundred thousand positions are enough"),
                }
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 50), "{verdicts:?}");
}

/// The transcript of the last position.
struct LastTranscript(String);

impl Watch for LastTranscript {
    fn position(&mut self, table: &dyn Table, _seating: &[usize]) {
        self.0 = table.transcript();
    }

    fn moved(&mut self, _player: usize, _ns: u64) {}
}

/// The deals are those of an experiment with the same seed.
#[test]
fn deals_are_those_of_experiments() {
    let text = r#"
        schema = 1
        seed = 7
        [[experiment]]
        game.calculation = { piles = 3 }
        trials = 3
        player = [{ search = "random" }]
    "#;
    let manifest = Manifest::parse("deals".as_ref(), text, &Registry::standard()).unwrap();
    let plan = Plan::new(&manifest);
    let game = Calculation::default().with_piles(3);
    for (instance, trial) in (0_u64..).zip(plan.canonical()) {
        let mut last = LastTranscript(String::new());
        play_watched(&plan, trial, &mut ThreadClock::start(), &mut last);
        let turned = last.0.split(' ').filter_map(|word| {
            let mut letters = word.chars();
            letters.next().filter(|_| letters.as_str().is_empty()).and_then(Rank::from_char)
        });
        let stream = Stream::new(7) / "deal" / "calculation(piles=3)" / instance;
        assert_eq!(turned.collect::<Vec<_>>(), game.deal(&mut stream.rng()));
    }
}
