//! A game and who may be named as its player: by a manifest, by the game, or by the text of a searcher.

use std::path::Path;
use std::sync::Arc;

use super::arguments::GameArguments;
use super::failure::Failure;
use crate::experiment::{Manifest, PlayerSpec};
use crate::game::NoGraph;
use crate::players::{AnyGame, Explored, NamedPlayer, NoExploration, Registry, SearcherSpec};
use crate::report::with_thousands;

/// A game with the players that have names there.
pub(super) struct Field {
    pub(super) game: Arc<dyn AnyGame>,
    /// The players of the manifest, if there is one, in its order.
    named: Vec<NamedPlayer>,
    /// The players of its experiments with other games, and these games.
    elsewhere: Vec<(String, String)>,
}

impl Field {
    /// The game that is named, or that of a manifest, whose players have names then.
    pub(super) fn new(registry: &Registry, arguments: &GameArguments) -> Result<Self, Failure> {
        let path = Path::new(&arguments.game);
        if path.extension().is_none_or(|extension| extension != "toml") {
            let game = registry.game(&arguments.game, &arguments.options)?;
            return Ok(Self { game, named: Vec::new(), elsewhere: Vec::new() });
        }
        if !arguments.options.is_empty() {
            return Err(Failure::Usage(
                "the options of the game stand in the manifest; leave --option out".into(),
            ));
        }
        let manifest = Manifest::read(path, registry)?;
        let game = Arc::clone(&manifest.experiments[0].game);
        let (mut named, mut elsewhere) = (Vec::new(), Vec::new());
        for experiment in &manifest.experiments {
            for PlayerSpec { name, searcher, .. } in &experiment.players {
                if experiment.game.spec() != game.spec() {
                    elsewhere.push((name.clone(), experiment.game.spec().to_string()));
                    continue;
                }
                let player = NamedPlayer { name: name.clone(), searcher: searcher.clone() };
                if !named.contains(&player) {
                    named.push(player);
                }
            }
        }
        Ok(Self { game, named, elsewhere })
    }

    /// The player that a text names, as [`NamedPlayer::read`] has it.
    pub(super) fn player(&self, text: &str) -> Result<NamedPlayer, Failure> {
        let of_this_name = self.named.iter().filter(|known| known.name == text);
        let searchers: Vec<String> = of_this_name.map(|known| format!("`{}`", known.searcher)).collect();
        if searchers.len() > 1 {
            return Err(Failure::Usage(format!(
                "experiments of the manifest mean different players by `{text}`: {}; write the one that you mean",
                searchers.join(", ")
            )));
        }
        // What names a searcher and does not fit is no name of another game's player.
        let is_searcher = text.parse::<SearcherSpec>().is_ok();
        NamedPlayer::read(&*self.game, &self.named, text).map_err(|error| {
            match self.elsewhere.iter().find(|(name, _)| name == text && !is_searcher) {
                Some((_, game)) => Failure::Usage(format!(
                    "`{text}` plays {game} in the manifest, and this is about {}, the game of its first experiment; name \
                     {game} instead of the manifest, and the player as a searcher",
                    self.game.spec()
                )),
                None => error.into(),
            }
        })
    }

    /// The players that texts name.
    pub(super) fn players(&self, texts: &[String]) -> Result<Vec<NamedPlayer>, Failure> {
        texts.iter().map(|text| self.player(text)).collect()
    }

    /// The players of the manifest; without one the lists of rules of the game, as players.
    pub(super) fn ladder(&self) -> Result<Vec<NamedPlayer>, Failure> {
        if self.named.is_empty() {
            return self.game.rule_lists().iter().map(|list| self.player(list.name)).collect();
        }
        self.named.iter().map(|known| self.player(&known.name)).collect()
    }

    /// Whether [`Field::ladder`] has anybody.
    pub(super) fn has_ladder(&self) -> bool {
        !(self.named.is_empty() && self.game.rule_lists().is_empty())
    }

    /// All positions of the game.
    pub(super) fn explore(&self, position: &str, most: usize) -> Result<Box<dyn Explored + '_>, Failure> {
        self.game.explore(position, most).map_err(|error| {
            let reason = match error {
                NoExploration::Graph(NoGraph::TooLarge { most }) => format!(
                    "the game has more than {} positions: too large to be enumerated; raise --most, make it smaller by \
                     --option, or play games of it with `shikou match`",
                    with_thousands(most as u64)
                ),
                other => other.to_string(),
            };
            Failure::Usage(format!("{}: {reason}", self.game.spec()))
        })
    }
}
