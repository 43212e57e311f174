//! The conformance kit: the laws of a game as code, for any game in one call.
//!
//! [`check`] plays random games and holds their positions against each law; the [`Report`] names the laws, the
//! number of cases, and the first violation with the moves that lead to it. [`assert_conforms`] is the one line
//! in a test. The key decision: a law is checked against the *rule* wherever there is one (a random move must
//! be the very move that one draw picks, a batch of playouts the very tally of the plain loop), since one case
//! that differs is proof. χ² is left for what has no such rule: how a policy spreads its choices. Rejected:
//! proptest strategies over move lists, which cannot be run from the command line on a user's game.
//!
//! A panic inside the game counts as a violation of the law that was being checked.
//!
//! | file | holds |
//! |---|---|
//! | `effort` | how much is examined |
//! | `subject` | the game under examination: random games, and the positions kept of them |
//! | `turn_laws`, `state_laws`, `end_laws` | moves and chance; positions as values; payoffs and facts |
//! | `choice_laws`, `policy_laws`, `evaluation_laws` | random moves and playouts; policies; evaluations |
//! | `rule_laws` | what rules can count, and lists of rules |
//! | `search_laws` | keys, lines of two plies, order hints, bounds on payoffs, exact ends |
//! | `text_laws` | notation, transcripts, drawings |
//! | `report` | what was found |

mod choice_laws;
mod effort;
mod end_laws;
mod evaluation_laws;
mod policy_laws;
mod report;
mod rule_laws;
mod search_laws;
mod state_laws;
mod subject;
mod text_laws;
mod turn_laws;

pub use effort::Effort;
pub use report::{Law, Report};

use self::subject::{Subject, Verdict, catch};
use super::Game;

/// Holds a game against every law, with the default [`Effort`].
///
/// # Cost
/// Some ten thousand plies of play and some ten thousand playouts: 20 ms for tic-tac-toe or Connect Four, in an
/// optimised build.
/// Where the game itself panics, the panic's message also goes to standard error, as panics do.
///
/// # Example: a game of one's own
/// ```
/// use shikou::game::conformance::check;
/// use shikou::game::{Facts, Game, Player, Turn};
///
/// /// Ten matches; each player takes one or two; who takes the last one wins.
/// #[derive(Clone)]
/// struct Matches;
///
/// impl Game for Matches {
///     type Position = (u8, Player);
///     type Move = u8;
///     fn facts(&self) -> Facts {
///         Facts::two_player().with_max_plies(6) // wrong: it can take ten
///     }
///     fn start(&self) -> (u8, Player) {
///         (10, Player::FIRST)
///     }
///     fn turn(&self, &(left, player): &(u8, Player)) -> Turn {
///         if left == 0 { Turn::Over } else { Turn::Player(player) }
///     }
///     fn moves(&self, &(left, _): &(u8, Player)) -> impl Iterator<Item = u8> {
///         1..=left.min(2)
///     }
///     fn apply(&self, position: &mut (u8, Player), taken: u8) {
///         *position = (position.0 - taken, position.1.other());
///     }
///     fn payoff(&self, &(_, loser): &(u8, Player), player: Player) -> i32 {
///         if player == loser { -1 } else { 1 }
///     }
///     fn notation(&self, _: &(u8, Player), taken: u8) -> String {
///         taken.to_string()
///     }
///     fn drawing(&self, (left, player): &(u8, Player)) -> String {
///         format!("{left} left, {player} to move")
///     }
/// }
///
/// let report = check(&Matches);
/// let broken: Vec<_> = report.violations().map(|law| law.name).collect();
/// assert_eq!(broken, ["length"]);
/// ```
pub fn check<G: Game>(game: &G) -> Report {
    check_with(game, Effort::default())
}

/// Holds a game against every law with a stated effort.
///
/// Equal games and efforts give equal reports.
pub fn check_with<G: Game>(game: &G, effort: Effort) -> Report {
    let subject = catch(|| game.facts()).map(|facts| Subject::gather(game, facts, effort));
    let laws = laws::<G>().into_iter().map(|law| {
        let mut cases = 0;
        let result = match &subject {
            Ok(subject) => catch(|| (law.check)(subject, &mut cases)).and_then(|verdict| verdict),
            Err(panic) => Err(format!("`facts` {panic}")),
        };
        Law { name: law.name, about: law.about, cases, result }
    });
    Report::new(laws.collect())
}

/// Panics with the whole report if the game breaks a law: the one line of a test.
///
/// # Panics
/// Where the game breaks a law.
///
/// # Example
/// ```
/// use shikou::game::conformance::assert_conforms;
/// assert_conforms(&shikou::games::tic_tac_toe::TicTacToe);
/// ```
#[track_caller]
pub fn assert_conforms<G: Game>(game: &G) {
    let report = check(game);
    let broken = report.violations().count();
    let of = report.laws().len();
    assert!(broken == 0, "{} breaks {broken} of {of} laws of games\n{report}", std::any::type_name::<G>());
}

/// A law as it is declared: its name, what it asks, and the check, which counts the cases it examines.
struct Decl<G: Game> {
    name: &'static str,
    about: &'static str,
    check: fn(&Subject<'_, G>, &mut u64) -> Verdict,
}

/// Every law, in the order of the report.
fn laws<G: Game>() -> Vec<Decl<G>> {
    let mut laws = Vec::new();
    laws.extend(end_laws::facts());
    laws.extend(turn_laws::laws());
    laws.extend(state_laws::laws());
    laws.extend(end_laws::laws());
    laws.extend(choice_laws::laws());
    laws.extend(policy_laws::laws());
    laws.extend(rule_laws::laws());
    laws.extend(evaluation_laws::laws());
    laws.extend(search_laws::laws());
    laws.extend(text_laws::laws());
    laws
}
