//! A player as it is typed on the command line: the one place where that becomes a searcher that fits the game.

use super::failure::Failure;
use crate::game::options::{Invalid, nearest};
use crate::players::{AnyGame, Misfit, SearcherKind, SearcherSpec};

/// The searcher that a text names, if it fits the game: one of the game's lists of rules or policies by its name, else a
/// searcher such as `flat(playouts=20)` or `uct@playouts=1000`.
pub(super) fn player(game: &dyn AnyGame, text: &str) -> Result<SearcherSpec, Failure> {
    for (known, kind, option) in
        [(game.rule_lists(), SearcherKind::Rules, "list"), (game.policies(), SearcherKind::Policy, "policy")]
    {
        if known.iter().any(|known| known.name == text) {
            return Ok(SearcherSpec::new(kind, [(option, text.into())])?);
        }
    }
    let searcher: SearcherSpec = text.parse().map_err(|invalid| unknown(game, [], text, &invalid))?;
    game.fits(&searcher).map_err(|reason| misfit(game, &searcher, &reason))?;
    Ok(searcher)
}

/// Why a searcher cannot play a game, in words.
pub(super) fn misfit(game: &dyn AnyGame, searcher: &SearcherSpec, reason: &Misfit) -> Failure {
    Failure::Usage(format!("`{searcher}` does not fit {}: {reason}", game.spec()))
}

/// What is said of a text that names nobody, where the game has these players besides.
pub(super) fn unknown<'n>(
    game: &'n dyn AnyGame,
    others: impl IntoIterator<Item = &'n str>,
    text: &str,
    invalid: &Invalid,
) -> Failure {
    if !text.chars().all(|letter| letter.is_alphanumeric() || letter == '-' || letter == ' ') {
        return Failure::Usage(invalid.to_string());
    }
    let of_game = [game.rule_lists(), game.policies()].into_iter().flatten().map(|known| known.name);
    let names: Vec<&str> =
        others.into_iter().chain(of_game).chain(SearcherKind::ALL.map(SearcherKind::name)).collect();
    let hint = match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", names.join(", ")),
    };
    Failure::Usage(format!("no player is called `{text}`; {hint}"))
}
