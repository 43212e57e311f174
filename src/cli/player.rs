//! A player as it is typed on the command line: the one place where that becomes a searcher that fits the game.

use super::failure::Failure;
use crate::game::options::{Invalid, nearest};
use crate::players::{AnyGame, Blame, Misfit, SearcherKind, SearcherSpec};

/// A player and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedPlayer {
    pub(super) name: String,
    pub(super) searcher: SearcherSpec,
}

/// The player that a text names, if it fits the game: one of those that have names here, one of the game's lists of rules
/// or policies, else a searcher such as `flat(playouts=20)` or `uct@playouts=1000`, which is called as it is written in
/// full.
pub(super) fn player(game: &dyn AnyGame, named: &[NamedPlayer], text: &str) -> Result<NamedPlayer, Failure> {
    if let Some(known) = named.iter().find(|known| known.name == text) {
        return Ok(known.clone());
    }
    for (known, kind, option) in
        [(game.rule_lists(), SearcherKind::Rules, "list"), (game.policies(), SearcherKind::Policy, "policy")]
    {
        if known.iter().any(|known| known.name == text) {
            let searcher = SearcherSpec::new(kind, [(option, text.into())])?;
            return Ok(NamedPlayer { name: text.into(), searcher });
        }
    }
    let searcher: SearcherSpec = text.parse().map_err(|invalid| unknown(game, named, text, &invalid))?;
    game.fits(&searcher).map_err(|reason| misfit(game, &searcher, &reason))?;
    Ok(NamedPlayer { name: searcher.to_string(), searcher })
}

/// Why a searcher cannot play a game, in words.
fn misfit(game: &dyn AnyGame, searcher: &SearcherSpec, reason: &Misfit) -> Failure {
    let advice = match reason.blame {
        Blame::NoBudget(limit) => {
            format!("; write for example {}@{}=1000", searcher.kind.name(), limit.name())
        }
        _ => String::new(),
    };
    Failure::Usage(format!("`{searcher}` does not fit {}: {reason}{advice}", game.spec()))
}

/// What is said of a text that names nobody.
fn unknown(game: &dyn AnyGame, named: &[NamedPlayer], text: &str, invalid: &Invalid) -> Failure {
    if !text.chars().all(|letter| letter.is_alphanumeric() || letter == '-' || letter == ' ') {
        return Failure::Usage(invalid.to_string());
    }
    let of_game = [game.rule_lists(), game.policies()].into_iter().flatten().map(|known| known.name);
    let named = named.iter().map(|known| known.name.as_str());
    let names: Vec<&str> = named.chain(of_game).chain(SearcherKind::ALL.map(SearcherKind::name)).collect();
    let hint = match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", names.join(", ")),
    };
    Failure::Usage(format!("no player is called `{text}`; {hint}"))
}
