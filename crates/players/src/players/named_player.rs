//! A player as it is typed on a command line, and the searcher that it names.

use std::path::Path;

use super::any_game::AnyGame;
use super::decl::SearcherDecl;
use super::recipe::{FitError, SpecPart};
use super::spec::SearcherSpec;
use super::typed_searcher::{PlacedSearcher, Renamed, TypedSearcher};
use crate::game::options::{OptionError, nearest};

/// A player with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPlayer {
    /// The name.
    pub name: String,
    /// The searcher.
    pub searcher: SearcherSpec,
    /// Advice on its text, if an option has an older name.
    pub advice: Option<String>,
}

/// The reason why a text does not name a player of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlayerError(String);

impl NamedPlayer {
    /// Finds the player that a text names, and checks that it fits the game. The text is a known name, one of the
    /// game's lists of rules or policies, or a searcher such as `flat(playouts-per-move=20)` or `uct@playouts=1000`, which keeps
    /// this text as its name.
    ///
    /// # Errors
    /// If the text names no player, or a searcher that does not fit the game.
    ///
    /// # Example
    /// ```
    /// use shikou::players::NamedPlayer;
    /// let registry = shikou::registry();
    /// let game = registry.game("tic-tac-toe", &[]).unwrap();
    /// let player = NamedPlayer::read(&*game, &[], "ai12s").unwrap();
    /// assert_eq!(player.searcher, registry.read_searcher(r#"rules(list="ai12s")"#).unwrap());
    /// let unknown = NamedPlayer::read(&*game, &[], "ai12z").unwrap_err();
    /// assert_eq!(unknown.to_string(), "no player is called `ai12z`; did you mean `ai12s`?");
    /// ```
    pub fn read(game: &dyn AnyGame, named: &[Self], text: &str) -> Result<Self, PlayerError> {
        if let Some(known) = named.iter().find(|known| known.name == text) {
            return Ok(known.clone());
        }
        let typed = TypedSearcher::named(game, text).map_err(|misread| vec![misread]);
        let read = typed.and_then(|typed| typed.read(game.searchers()));
        let (searcher, renamed) = match read {
            // A command's files are relative to the current folder.
            Ok(PlacedSearcher { spec, places }) => {
                (spec.with_files(Path::new("")).map_err(PlayerError)?, places.renamed)
            }
            Err(mut mistakes) => return Err(unknown(game, named, text, &mistakes.swap_remove(0).error)),
        };
        game.fits(&searcher).map_err(|reason| misfit(game, &searcher, &reason))?;
        let Some(Renamed { at, name, advice }) = renamed else {
            return Ok(Self { name: text.into(), searcher, advice: None });
        };
        // The name shows what the option is called.
        Ok(Self { name: [&text[..at.start], name, &text[at.end..]].concat(), searcher, advice: Some(advice) })
    }
}

fn misfit(game: &dyn AnyGame, searcher: &SearcherSpec, reason: &FitError) -> PlayerError {
    PlayerError(if let SpecPart::NoBudget(limit) = reason.part {
        format!("{reason}; write for example {}@{}=1000", searcher.searcher.name, limit.name())
    } else {
        let reason = on_a_command_line(&reason.reason, searcher.searcher);
        format!("`{searcher}` does not fit {}: {reason}", game.spec())
    })
}

/// A reason whose advice is written as in a manifest, `write depth = "full"`, with the advice as on a command line.
fn on_a_command_line(reason: &str, searcher: &SearcherDecl) -> String {
    let advised = reason
        .split_once("; write ")
        .and_then(|(why, advice)| Some((why, advice, advice.split_once(" = ")?)));
    let Some((why, advice, (option, value))) = advised else { return reason.into() };
    let short = advice.replace(" = ", "=").replace('"', "");
    // An option of a part, such as of an evaluation, stands within that part.
    let is_own = searcher.options().iter().any(|decl| decl.name == option);
    match (value.contains(' '), is_own) {
        (true, _) => format!("{why}; write {short}"),
        (false, true) => format!("{why}; write {}({short})", searcher.name),
        (false, false) => reason.into(),
    }
}

fn unknown(game: &dyn AnyGame, named: &[NamedPlayer], text: &str, invalid: &OptionError) -> PlayerError {
    if !text.chars().all(|letter| letter.is_alphanumeric() || letter == '-' || letter == ' ') {
        return PlayerError(match text.split_once(['=', '(']) {
            Some((option, _)) if game.spec().options.iter().any(|(decl, _)| decl.name == option) => {
                let name = game.spec().name;
                format!("`{text}` is an option of the game; write \"{name}({text})\" in place of {name}")
            }
            _ => invalid.to_string(),
        });
    }
    // A word of another program has advice of its own.
    if let OptionError::Other(_) = invalid {
        return PlayerError(invalid.to_string());
    }
    let lists = game.lists();
    let of_game = lists.rule_lists.iter().chain(&lists.policies).map(|known| known.name);
    let named = named.iter().map(|known| known.name.as_str());
    let names: Vec<&str> =
        named.chain(of_game).chain(game.searchers().iter().map(|known| known.name)).collect();
    let hint = match nearest(text, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", names.join(", ")),
    };
    PlayerError(format!("no player is called `{text}`; {hint}"))
}
