//! A player as it is typed: the one place where that becomes a searcher that fits the game.

use super::{AnyGame, Blame, Misfit, SearcherKind, SearcherSpec};
use crate::game::options::{Invalid, nearest};

/// A player and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPlayer {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub searcher: SearcherSpec,
}

/// Why a text names no player of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoPlayer(String);

impl NamedPlayer {
    /// The player that a text names, if it fits the game: one of those that have names already, one of the game's lists of
    /// rules or policies, else a searcher such as `flat(playouts=20)` or `uct@playouts=1000`, which is called as it was
    /// typed.
    ///
    /// # Errors
    /// Where it names nobody, or a searcher that does not fit the game.
    ///
    /// # Example
    /// ```
    /// use shikou::players::{NamedPlayer, Registry};
    /// let registry = Registry::standard();
    /// let game = registry.game("tic-tac-toe", &[]).unwrap();
    /// let player = NamedPlayer::read(&*game, &[], "ai12s").unwrap();
    /// assert_eq!(player.searcher, r#"rules(list="ai12s")"#.parse().unwrap());
    /// let nobody = NamedPlayer::read(&*game, &[], "ai12z").unwrap_err();
    /// assert_eq!(nobody.to_string(), "no player is called `ai12z`; did you mean `ai12s`?");
    /// ```
    pub fn read(game: &dyn AnyGame, named: &[Self], text: &str) -> Result<Self, NoPlayer> {
        if let Some(known) = named.iter().find(|known| known.name == text) {
            return Ok(known.clone());
        }
        for (known, kind, option) in [
            (game.rule_lists(), SearcherKind::Rules, "list"),
            (game.policies(), SearcherKind::Policy, "policy"),
        ] {
            if known.iter().any(|known| known.name == text) {
                let searcher = SearcherSpec::new(kind, [(option, text.into())]);
                let searcher = searcher.map_err(|invalid| NoPlayer(invalid.to_string()))?;
                return Ok(Self { name: text.into(), searcher });
            }
        }
        let searcher: SearcherSpec = text.parse().map_err(|invalid| unknown(game, named, text, &invalid))?;
        game.fits(&searcher).map_err(|reason| misfit(game, &searcher, &reason))?;
        Ok(Self { name: text.into(), searcher })
    }
}

/// Why a searcher cannot play a game, in words.
fn misfit(game: &dyn AnyGame, searcher: &SearcherSpec, reason: &Misfit) -> NoPlayer {
    let advice = match reason.blame {
        Blame::NoBudget(limit) => {
            format!("; write for example {}@{}=1000", searcher.kind.name(), limit.name())
        }
        _ => String::new(),
    };
    NoPlayer(format!("`{searcher}` does not fit {}: {reason}{advice}", game.spec()))
}

/// What is said of a text that names nobody.
fn unknown(game: &dyn AnyGame, named: &[NamedPlayer], text: &str, invalid: &Invalid) -> NoPlayer {
    if !text.chars().all(|letter| letter.is_alphanumeric() || letter == '-' || letter == ' ') {
        return NoPlayer(invalid.to_string());
    }
    let of_game = [game.rule_lists(), game.policies()].into_iter().flatten().map(|known| known.name);
    let named = named.iter().map(|known| known.name.as_str());
    let names: Vec<&str> = named.chain(of_game).chain(SearcherKind::ALL.map(SearcherKind::name)).collect();
    let hint = match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", names.join(", ")),
    };
    NoPlayer(format!("no player is called `{text}`; {hint}"))
}
