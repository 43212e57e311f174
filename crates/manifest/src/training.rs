//! A training: which weights does an evaluation learn from games?

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use super::{Judge, PlayerSpec, id_of, reduce};
use crate::game::options::{OptionDecl, OptionValue, Options, Wording};
use crate::players::{AnyGame, Form, LearnError, Learnable, SearcherSpec, Source, source_of};
use crate::search::Limits;
use crate::words::text_of;

/// `[[training]]`.
#[derive(Clone, Debug)]
pub struct Training {
    /// The name, unique in the manifest; the name of its folder.
    pub name: String,
    /// The name in the manifest, and the key and value of each axis of a sweep.
    pub swept: (String, Vec<(String, String)>),
    /// The game with its options.
    pub game: Arc<dyn AnyGame>,
    /// The options `evaluation` and `method`.
    pub settings: Options,
    /// The settings between which a race decides, two or more, because the manifest leaves some out; the first are `settings`. None if there is no race.
    pub candidates: Vec<Options>,
    /// By the source of its games: the opponents of the learner in turn, the player in its place, or those whose
    /// games give samples. Without any, the learner plays itself.
    pub players: Vec<PlayerSpec>,
    /// How many games are learned, or played for samples; for a policy gradient how many deals.
    pub games: u64,
    /// The random plies at the beginning of a game that is played for samples.
    pub random_plies: u32,
    /// Files of games for samples.
    pub recorded: Vec<Recorded>,
    /// The opponents that the training does not meet, if there are any.
    pub judge: Option<Judge>,
    /// The chance of a random move of the learner before the judge.
    pub judged_random: f64,
    /// The seed of all its randomness.
    pub seed: u64,
    /// The resources of each search of an opponent.
    pub limits: Limits,
}

/// A file of recorded games.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The name in the manifest.
    pub name: String,
    /// The content.
    pub content: Arc<[u8]>,
}

impl Recorded {
    /// The games as transcripts: of a format of records by the extension, else of a text with a game in each line.
    ///
    /// # Errors
    /// If the content has not the format of its name.
    pub fn games(&self, game: &dyn AnyGame) -> Result<Vec<String>, String> {
        let extension = Path::new(&self.name).extension().and_then(|extension| extension.to_str());
        let is_of = |of: &str| extension.is_some_and(|extension| extension.eq_ignore_ascii_case(of));
        if let Some(format) = game.lists().record_formats.iter().find(|format| is_of(format.extension)) {
            let games = (format.read)(&self.content)?;
            return Ok(games.into_iter().map(|moves| moves.join(" ")).collect());
        }
        let text = text_of(&self.content).map_err(|error| error.to_string())?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(lines.map(Into::into).collect())
    }

    /// The first games, as text.
    fn first_games(&self, game: &dyn AnyGame) -> Self {
        let games = self.games(game).unwrap_or_default();
        let text = games[..games.len().min(SMOKE_GAMES)].join("\n");
        Self { name: format!("{}.txt", self.name), content: text.into_bytes().into() }
    }
}

impl Training {
    /// The source of the games that are learned.
    pub fn source(&self) -> Source {
        source_of(&self.settings)
    }

    /// The length: the games that are learned, or the epochs.
    pub fn length(&self) -> u64 {
        if let Source::Samples { epochs, .. } = self.source() { epochs } else { self.games }
    }

    /// The given players.
    pub fn searchers(&self) -> Vec<SearcherSpec> {
        self.players.iter().map(|player| player.searcher.clone()).collect()
    }

    /// The learner, with these players.
    ///
    /// # Errors
    /// If the evaluation, the method or a player does not fit the game.
    pub fn learnable(&self, players: &[SearcherSpec]) -> Result<Learnable, LearnError> {
        self.game.learning().learnable(&self.settings, players)
    }

    /// The form of the weights.
    ///
    /// # Errors
    /// If the evaluation or the method does not fit the game.
    pub fn form(&self) -> Result<Form, LearnError> {
        self.learnable(&[]).map(|learnable| learnable.form)
    }

    /// The training by one of its candidates.
    ///
    /// # Panics
    /// If it has fewer.
    #[must_use]
    pub fn by(&self, candidate: usize) -> Self {
        Self { settings: self.candidates[candidate].clone(), ..self.clone() }
    }

    /// The games that each candidate of a race learns: a fifth of those of the training, 1000 to 10 000 if there are as many.
    pub fn race_games(&self) -> u64 {
        (self.games / 5).clamp(1000, 10_000).min(self.games)
    }

    /// A number for what determines its weights, by which its checkpoint names it: all but its name and its judge.
    pub fn id(&self) -> u32 {
        let players = self.players.iter().map(PlayerSpec::content).collect::<Vec<_>>().join("\n");
        let settings = |settings: &Options| settings.changed_as(Wording::Identity);
        let raced: Vec<String> = self.candidates.iter().map(settings).collect();
        let settings = if raced.is_empty() { settings(&self.settings) } else { raced.join("\n") };
        let game = self.game.spec();
        let Self { games, seed, limits, .. } = self;
        let mut content = format!(
            "shikou training 1\n{game}\n{settings}\n{players}\n{games}\n{seed}\n{}",
            limits.memory_bytes
        );
        if let Source::Samples { .. } = self.source() {
            let files = self.recorded.iter().map(|file| u64::from(crc32fast::hash(&file.content)));
            for number in std::iter::once(u64::from(self.random_plies)).chain(files) {
                write!(content, "\n{number:08x}").expect("a string takes every text");
            }
        }
        id_of(&content)
    }

    /// A number for what determines its judgements and when they are made, by which its checkpoint names its judge. `None`
    /// without one.
    pub fn judge_id(&self) -> Option<u32> {
        let judge = self.judge.as_ref()?;
        let ids = (0..judge.against.len()).map(|opponent| format!("{:08x}\n", judge.id(opponent)));
        Some(id_of(&format!("{}{:?} {:?}", ids.collect::<String>(), judge.every, self.judged_random)))
    }

    /// A small version for a quick test: two batches of at most 4 games, or two epochs of the samples of 8 games, and two
    /// units of the judge.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let mut training = self.clone();
        let has_evaluation = !self.game.lists().evaluations.is_empty();
        let of_samples = matches!(self.source(), Source::Samples { .. });
        let smaller = |decl: &OptionDecl, value: &OptionValue| match (decl.name, value) {
            ("batch", OptionValue::Integer(batch)) if !of_samples => (*batch).min(4).into(),
            ("epochs", OptionValue::Integer(epochs)) => (*epochs).min(2).into(),
            // A quarter of 8 games is not empty.
            ("validate" | "test", OptionValue::Real(share)) if *share > 0.0 => 0.25.into(),
            _ => value.clone(),
        };
        for settings in std::iter::once(&mut training.settings).chain(&mut training.candidates) {
            *settings = settings.map(&smaller).expect("smaller settings are in range too");
        }
        training.games = self.games.min(SMOKE_GAMES as u64);
        reduce(&mut training.players, has_evaluation);
        for file in &mut training.recorded {
            *file = file.first_games(&*self.game);
        }
        training.judge.iter_mut().for_each(|judge| judge.reduce(has_evaluation));
        training
    }
}

/// The games of a quick test.
const SMOKE_GAMES: usize = 8;
