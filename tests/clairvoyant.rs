//! The clairvoyant bound, compared with brute force, and its deals.

use shikou::experiment::{Plan, Watch, play_watched};
use shikou::game::{Game, Outcome, Player, Turn};
use shikou::games::calculation::{
    Calculation, Clairvoyant, FoundationRule, Move, MoveKind, Position, Rank, Verdict,
};
use shikou::players::Table;
use shikou::rng::Stream;
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

/// The position of a won line with a given number of cards left in the stock.
fn late_position(game: &Calculation, line: &[Move], left: u32) -> Position {
    let mut position = game.start();
    for &mv in line {
        if position.stock_len() == left && position.hand().is_none() {
            break;
        }
        game.apply(&mut position, mv);
    }
    position
}

/// Whether the position can be won, after checking that both methods agree, and the line of the solver.
fn agrees(game: &Calculation, position: &Position, order: &[Rank]) -> bool {
    let expected = can_be_won(game, position, order);
    match Clairvoyant::new(game, 1_000_000).solve(position, order).verdict {
        Verdict::Won(line) => {
            let mut end = *position;
            for mv in line {
                assert!(match mv.kind() {
                    MoveKind::Turned(rank) => end.stock(rank) > 0 && end.hand().is_none(),
                    _ => game.moves(&end).any(|legal| legal == mv),
                });
                game.apply(&mut end, mv);
            }
            assert!(expected && end.cards_up() == 52);
        }
        Verdict::Lost => assert!(!expected, "{}", game.position_text(position)),
        Verdict::Undecided => panic!("a million positions are enough"),
    }
    expected
}

#[test]
fn the_clairvoyant_agrees_with_brute_force_on_the_last_cards() {
    let mut rng = (Stream::new(1) / "late positions").rng();
    let mut verdicts = [0; 2];
    for rule in [FoundationRule::Optional, FoundationRule::Automatic] {
        let game = Calculation::default().with_foundation_rule(rule);
        for _ in 0..4 {
            let deal = game.deal(&mut rng);
            let Verdict::Won(line) = Clairvoyant::new(&game, 30_000).solve(&game.start(), &deal).verdict
            else {
                continue;
            };
            // The same position with its last cards in other orders may be lost.
            let position = late_position(&game, &line, 5);
            let mut order = deal[deal.len() - 5..].to_vec();
            for _ in 0..20 {
                verdicts[usize::from(agrees(&game, &position, &order))] += 1;
                // Fisher and Yates, from the end: these orders are known to be quick.
                for last in (1..order.len()).rev() {
                    order.swap(last, rng.below(last as u64 + 1) as usize);
                }
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count >= 5), "{verdicts:?}");
}

/// The transcript of the last position.
struct LastTranscript(String);

impl Watch for LastTranscript {
    fn position(&mut self, table: &dyn Table, _seating: &[usize]) {
        self.0 = table.transcript();
    }
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
    let plan = Plan::new(&crate::support::manifest(text)).unwrap();
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
