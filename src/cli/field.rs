//! A game and the players that have names in it: from a manifest, from the game, or as searchers; and the shared parts of the
//! commands that enumerate a small game: `exact`, `prove` and `diverge`.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::error::{CommandError, Result, usage};
use super::groups::{GameArguments, PositionArguments, USUAL_SEARCHER, no_option};
use super::output::tell;
use crate::exact::Known;
use crate::experiment::{Manifest, PlayerSpec};
use crate::game::options::OptionError;
use crate::game::{GraphError, PositionError};
use crate::players::{AnyGame, ExploreError, Explored, NamedPlayer, Registry};
use crate::report::{counted, with_thousands};
use crate::words::shell_word;

pub(super) struct Field {
    pub(super) game: Arc<dyn AnyGame>,
    /// The players of the manifest, if there is one, in its order.
    named: Vec<NamedPlayer>,
    /// The players of its experiments with other games, and these games.
    elsewhere: Vec<(String, String)>,
}

impl Field {
    /// A game by its name, or the first game of a manifest with its players.
    pub(super) fn new(registry: &Registry, arguments: &GameArguments) -> Result<Self> {
        let path = Path::new(&arguments.game);
        if path.extension().is_none_or(|extension| extension != "toml") {
            let game = registry.game(&arguments.game, &arguments.options)?;
            return Ok(Self { game, named: Vec::new(), elsewhere: Vec::new() });
        }
        if !arguments.options.is_empty() {
            return Err(usage!("the manifest has the options of the game; omit --option"));
        }
        let manifest = Manifest::read(path, registry)?;
        let game = Arc::clone(&manifest.experiments()[0].game);
        let (mut named, mut elsewhere) = (Vec::new(), Vec::new());
        for experiment in manifest.experiments() {
            for PlayerSpec { name, searcher, .. } in &experiment.players {
                if experiment.game.spec() != game.spec() {
                    elsewhere.push((name.clone(), experiment.game.spec().to_string()));
                    continue;
                }
                let player = NamedPlayer { name: name.clone(), searcher: searcher.clone(), advice: None };
                if !named.contains(&player) {
                    named.push(player);
                }
            }
        }
        Ok(Self { game, named, elsewhere })
    }

    /// The player of a text; see [`NamedPlayer::read`].
    pub(super) fn player(&self, text: &str) -> Result<NamedPlayer> {
        let of_this_name = self.named.iter().filter(|known| known.name == text);
        let searchers: Vec<String> = of_this_name.map(|known| format!("`{}`", known.searcher)).collect();
        if searchers.len() > 1 {
            return Err(usage!(
                "experiments of the manifest name different players `{text}`: {}; write one of these searchers instead",
                searchers.join(", ")
            ));
        }
        // A searcher that does not fit is not the name of a player of another game.
        let is_searcher = self.game.read_searcher(text).is_ok();
        let read = NamedPlayer::read(&*self.game, &self.named, text);
        read.inspect(tell_advice).map_err(|error| {
            match self.elsewhere.iter().find(|(name, _)| name == text && !is_searcher) {
                Some((_, game)) => usage!(
                    "`{text}` plays {game} in the manifest, but the command uses {}, the game of the first experiment; give \
                     {game} instead of the manifest, and the player as a searcher",
                    self.game.spec()
                ),
                None => error.into(),
            }
        })
    }

    /// The name in a word that is written as a player: what stands before its options and its budget.
    pub(super) fn name_of(word: &str) -> &str {
        word.split(['(', '@']).next().unwrap_or(word)
    }

    /// Whether a word is a player, even one that does not fit. A position may have brackets or an `@` too, so the name decides.
    pub(super) fn is_player(&self, word: &str) -> bool {
        let name = Self::name_of(word);
        let is_one = |text: &str| NamedPlayer::read(&*self.game, &self.named, text).is_ok();
        self.game.searcher(name).is_ok() || is_one(name) || is_one(word)
    }

    /// The error of a text that is no position, because a player stands in it, or a word that is nearly one.
    fn no_position(&self, text: &str, error: &PositionError) -> CommandError {
        let words: Vec<&str> = text.split(' ').collect();
        if let Some(player) = words.iter().find(|word| self.is_player(word)) {
            let others: Vec<&str> = words.iter().filter(|word| *word != player).copied().collect();
            return usage!(
                "`{player}` is not a position; the player comes before the position: {} {}",
                shell_word(player),
                shell_word(&others.join(" "))
            );
        }
        let name = Self::name_of(words[0]);
        match (self.game.searcher(name), NamedPlayer::read(&*self.game, &self.named, words[0])) {
            (Err(OptionError::Unknown { suggestion: Some(_), .. } | OptionError::Other(_)), Err(advice)) => {
                advice.into()
            }
            (_, Err(advice)) if name != words[0] => usage!("no position: {error}; and no player: {advice}"),
            _ => usage!("no position: {error}"),
        }
    }

    pub(super) fn players(&self, texts: &[String]) -> Result<Vec<NamedPlayer>> {
        texts.iter().map(|text| self.player(text)).collect()
    }

    /// The players of the manifest; without one, the rule lists of the game as players.
    pub(super) fn ladder(&self) -> Result<Vec<NamedPlayer>> {
        if self.named.is_empty() {
            return self.game.lists().rule_lists.iter().map(|list| self.player(list.name)).collect();
        }
        self.named.iter().map(|known| self.player(&known.name)).collect()
    }

    /// Whether [`Field::ladder`] is not empty.
    pub(super) fn has_ladder(&self) -> bool {
        !(self.named.is_empty() && self.game.lists().rule_lists.is_empty())
    }
}

/// A player and after it a position. Either may be left out: the word after the game is a player if it can be one.
#[derive(Args)]
pub(super) struct SeatedArguments {
    #[arg(allow_hyphen_values = true, value_parser = no_option, help = format!(
        "The player: a searcher with its options in brackets and its budget after an @, or the name of a rule list or a \
         policy of the game [default: {USUAL_SEARCHER}]"
    ))]
    player: Option<String>,
    #[command(flatten)]
    position: PositionArguments,
}

impl SeatedArguments {
    /// The player and the position, which is empty for the start. `player` is one that an option names.
    ///
    /// # Errors
    /// If the player does not fit, or the text is no position.
    pub(super) fn read(&self, field: &Field, player: Option<&str>) -> Result<(NamedPlayer, String)> {
        let first = self.player.as_deref().unwrap_or_default();
        let (player, begin) = match player {
            None if field.is_player(first) => (first, ""),
            player => (player.unwrap_or(USUAL_SEARCHER), first),
        };
        let position = [begin, &self.position.text()].join(" ").trim().to_owned();
        if !position.is_empty() {
            let mut table = field.game.table(&vec![None; field.game.facts().players.into()])?;
            table.begin_at(&position).map_err(|error| field.no_position(&position, &error))?;
        }
        Ok((field.player(player)?, position))
    }
}

pub(super) const PLAYERS: &str = "\
A player is a searcher with its options in brackets; the name of a rule list or a policy of the
game (`shikou games NAME` lists them); or, if a manifest is given instead of the game, the name of
one of its players. Exact answers need players that state the probability of each move: rules,
policies, random, minimax, expectimax and greedy players.";

/// A game that is small enough to be enumerated.
#[derive(Args)]
pub(super) struct SmallGameArguments {
    #[command(flatten)]
    pub(super) game: GameArguments,
    /// The largest number of positions to hold in memory
    #[arg(long, value_name = "POSITIONS", default_value_t = 5_000_000)]
    most: u32,
}

impl SmallGameArguments {
    pub(super) fn field(&self, registry: &Registry) -> Result<Field> {
        Field::new(registry, &self.game)
    }

    pub(super) fn explore<'f>(&self, field: &'f Field) -> Result<Explored<'f>> {
        let most = self.most as usize;
        field.game.explore("", most).map_err(|error| {
            let reason = match error {
                ExploreError::Graph(GraphError::TooLarge { most }) => format!(
                    "the game has more than {} positions, too many to enumerate; raise --most, make the game smaller with \
                     --option, or play games with `shikou match`",
                    with_thousands(most as u64)
                ),
                other => other.to_string(),
            };
            usage!("{}: {reason}", field.game.spec())
        })
    }
}

/// A player with its move probabilities in every position.
pub(super) fn known<'g>(all: &'g Explored<'_>, player: &NamedPlayer) -> Result<Known<'g>> {
    Ok(Known::new(all, &player.name, &player.searcher)?)
}

pub(super) fn headline(field: &Field, all: &Explored<'_>) -> String {
    format!("{}: all {}", field.game.spec(), counted(all.graph().len() as u64, "position"))
}

/// The written moves of a sequence of edges from a position.
pub(super) fn written(all: &Explored<'_>, from: u32, line: &[usize]) -> Vec<String> {
    let mut at = from;
    let write = |&edge: &usize| {
        let text = all.moves(at).swap_remove(edge);
        at = all.graph().edges(at)[edge].to;
        text
    };
    line.iter().map(write).collect()
}

pub(super) fn tell_advice(player: &NamedPlayer) {
    if let Some(advice) = &player.advice {
        tell(advice);
    }
}
