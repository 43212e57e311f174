//! The conformance kit: the laws of a game as code, for any game in one call.
//!
//! [`check`] plays random games and checks each law at their positions; the [`Report`] names the laws, the number of
//! cases, and the first violation with the moves that lead to it. [`assert_conforms`] is the one line in a test. The key
//! decision: a law compares the game with a reference whenever there is one (a random move with the move that one draw
//! picks, a batch of playouts with the tally of the plain loop), because one different case is proof. Only the
//! distribution of a policy's choices needs a χ² test. Rejected: proptest strategies over move lists, which cannot be
//! run from the command line on a user's game.
//!
//! A panic inside the game is a violation of the law under test.

mod choice_laws;
mod effort;
mod end_laws;
mod evaluation_laws;
mod policy_laws;
mod report;
mod search_laws;
mod state_laws;
mod subject;
mod text_laws;
mod turn_laws;

pub use effort::Effort;
pub use report::{Law, Report};

use self::subject::{Case, Subject, Verdict, catch, examine};
use super::{Entries, Game, GameObject, NamedGame, object};

/// Checks a game against every law, with the default [`Effort`].
///
/// # Cost
/// About ten thousand plies and ten thousand playouts: 20 ms for tic-tac-toe or Connect Four in an optimised build. If
/// the game panics, the message also goes to standard error, as with any panic.
///
/// # Example: a game of your own
/// ```
/// use shikou::game::conformance::check_rules;
/// use shikou::game::{Facts, Game, Player, Turn};
///
/// /// Ten matches. Each player takes one or two. The player who takes the last match wins.
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
/// let report = check_rules(&Matches);
/// let broken: Vec<_> = report.violations().map(|law| law.name).collect();
/// assert_eq!(broken, ["length"]);
/// ```
pub fn check<G: NamedGame>(game: &G) -> Report {
    check_with(game, Effort::default())
}

/// Checks a game against every law with a stated effort.
///
/// Equal games and efforts give equal reports.
pub fn check_with<G: NamedGame>(game: &G, effort: Effort) -> Report {
    check_object(&*object(game, G::entries, None), true, effort)
}

/// Checks a game that has no name and no catalogue, such as one that a search derives from another game.
pub fn check_rules<G: Game>(game: &G) -> Report {
    check_object(&*object(game, |_| Entries::default(), None), false, Effort::default())
}

/// Checks the laws of rules, and those of a catalogue if there is one.
#[doc(hidden)]
pub fn check_object(game: &dyn GameObject, with_catalogue: bool, effort: Effort) -> Report {
    let subject = catch(|| game.facts()).map(|facts| Subject::gather(game, facts, effort));
    let laws = all_laws(with_catalogue).map(|law| {
        let mut cases = 0;
        let result = match &subject {
            Ok(subject) => examine(|| (law.check)(subject, &mut cases)),
            Err(panic) => Err(format!("`facts` {panic}")),
        };
        Law { name: law.name, about: law.about, cases, result }
    });
    Report { laws: laws.collect(), payoffs: subject.as_ref().ok().and_then(payoffs) }
}

/// The smallest and the largest payoff at the ends of the games. None if a payoff panics, which breaks a law.
fn payoffs(subject: &Subject<'_>) -> Option<[i32; 2]> {
    let of = |case: &Case| {
        let payoffs = subject.players().map(|player| subject.game.payoff(&case.position, player));
        payoffs.collect::<Vec<_>>()
    };
    let all = catch(|| subject.finished().flat_map(of).collect::<Vec<_>>()).ok()?;
    Some([*all.iter().min()?, *all.iter().max()?])
}

/// Panics with the report if the game breaks a law: the one line of a test.
///
/// # Panics
/// If the game breaks a law.
///
/// # Example
/// ```
/// use shikou::game::conformance::assert_conforms;
/// assert_conforms(&shikou::games::tic_tac_toe::TicTacToe);
/// ```
#[track_caller]
pub fn assert_conforms<G: NamedGame>(game: &G) {
    let report = check(game);
    let broken = report.violations().count();
    let of = report.laws.len();
    assert!(broken == 0, "{} breaks {broken} of {of} laws of games\n{report}", std::any::type_name::<G>());
}

/// The declaration of a law: its name, its description, and the check, which counts the cases it examines.
struct Decl {
    name: &'static str,
    about: &'static str,
    check: fn(&Subject<'_>, &mut u64) -> Verdict,
}

/// Declares laws, each by its description, its name and its check. A check with a kind of cases examines each of these alone.
macro_rules! laws {
    ($list:ident; $(#[doc = $about:literal] $name:literal, $check:expr $(, $cases:ident)?;)*) => {
        pub(super) const $list: &[$crate::game::conformance::Decl] = &[$($crate::game::conformance::Decl {
            name: $name,
            about: $about.trim_ascii_start(),
            check: $crate::game::conformance::laws!(@check $check $(, $cases)?),
        }),*];
    };
    (@check $check:expr, $cases:ident) => {
        |subject, count| subject.each(subject.$cases(), count, |case| $check(subject, case))
    };
    (@check $check:expr) => { $check };
}

use laws;

/// Every law, in the order of the report.
fn all_laws(with_catalogue: bool) -> impl Iterator<Item = &'static Decl> {
    let rules = [end_laws::FACTS, turn_laws::LAWS, state_laws::LAWS, end_laws::LAWS, choice_laws::LAWS];
    let catalogue = [policy_laws::LAWS, evaluation_laws::LAWS];
    let catalogue = catalogue.into_iter().filter(move |_| with_catalogue);
    rules.into_iter().chain(catalogue).chain([search_laws::LAWS, text_laws::LAWS]).flatten()
}
