//! A game and who may be named as its player: by a manifest, by the game, or by the text of a searcher.

use std::path::Path;
use std::sync::Arc;

use super::arguments::GameArguments;
use super::failure::Failure;
use super::player::{NamedPlayer, player};
use crate::experiment::Manifest;
use crate::game::NoGraph;
use crate::players::{AnyGame, Explored, NoExploration, Registry};
use crate::report::with_thousands;

/// A game with the players that have names there.
pub(super) struct Field {
    pub(super) game: Arc<dyn AnyGame>,
    /// The players of the manifest, if there is one, in its order.
    pub(super) named: Vec<NamedPlayer>,
}

impl Field {
    /// The game that is named, or that of a manifest, whose players have names then.
    pub(super) fn new(registry: &Registry, arguments: &GameArguments) -> Result<Self, Failure> {
        let path = Path::new(&arguments.game);
        if path.extension().is_none_or(|extension| extension != "toml") {
            return Ok(Self { game: registry.game(&arguments.game, &arguments.options)?, named: Vec::new() });
        }
        if !arguments.options.is_empty() {
            return Err(Failure::Usage(
                "the options of the game stand in the manifest; leave --option out".into(),
            ));
        }
        let manifest = Manifest::read(path, registry)?;
        let game = Arc::clone(&manifest.experiments[0].game);
        let mut named: Vec<NamedPlayer> = Vec::new();
        for experiment in manifest.experiments.iter().filter(|other| other.game.spec() == game.spec()) {
            for player in &experiment.players {
                if named.iter().all(|known| known.name != player.name) {
                    named.push(NamedPlayer { name: player.name.clone(), searcher: player.searcher.clone() });
                }
            }
        }
        Ok(Self { game, named })
    }

    /// The player that a text names, as [`player`] reads it.
    pub(super) fn player(&self, text: &str) -> Result<NamedPlayer, Failure> {
        player(&*self.game, &self.named, text)
    }

    /// The players that texts name.
    pub(super) fn players(&self, texts: &[String]) -> Result<Vec<NamedPlayer>, Failure> {
        texts.iter().map(|text| self.player(text)).collect()
    }

    /// The lists of rules of the game, as players.
    pub(super) fn ladder(&self) -> Result<Vec<NamedPlayer>, Failure> {
        self.game.rule_lists().iter().map(|list| self.player(list.name)).collect()
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
