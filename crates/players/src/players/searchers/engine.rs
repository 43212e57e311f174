//! Another program as a player: `engine`.
//!
//! The key decision: it is a searcher like any other, so that manifests, sweeps, matches and reports know it already. It has a
//! process for each game, and sees the moves of the game, because a position is not enough for GTP. Rejected: a player of
//! its own kind beside searchers, which every command would have to tell apart.

use std::path::{PathBuf, is_separator};
use std::time::Duration;

use crate::engine::{Engine, EngineSettings, Failure, GameClock, GameSoFar, Protocol, Verdict};
use crate::game::options::{Settings, Wording, command, integer_or, option_name, read_time, settings, text};
use crate::game::{Facts, Game, GameExt, NamedGame, Player, Turn};
use crate::players::catalogue::Catalogue;
use crate::players::decl::Claims;
use crate::players::named_searcher::NamedSearcher;
use crate::players::recipe::{FitError, Fitted, Recipe};
use crate::players::spec::{ENGINE, SearcherSpec};
use crate::search::{Decided, Decision, Meter, MoveStream, SearchError, Searcher, Stop};

const UNLIMITED: &str = "unlimited";

settings! {
    #[derive(Clone)]
    pub(crate) struct EngineSearcher {
        /// the command of a program that speaks GTP
        gtp: Vec<String> = command(),
        /// the command of a program that speaks NBoard
        nboard: Vec<String> = command(),
        /// the level that NBoard tells it
        level: Option<u32> = integer_or(0..=1000, "unset", None).capped(1),
        /// the most time for a move, such as "1s"; GTP tells it in whole seconds
        time: String = text("a time", UNLIMITED),
        /// the time for a game and what a move adds to it, in whole seconds, such as "60s+1s"
        clock: String = text("a clock", UNLIMITED),
        /// how much later than its time an answer may come
        margin: String = text("a time", "100ms"),
        /// how long it may take to answer what takes no thought
        patience: String = text("a time", "10s"),
        /// files that it reads, whose hashes the log keeps
        data: Vec<String> = command(),
        /// a name that tells it from others with the same options
        name: String = text("a name", ""),
    }
}

impl EngineSearcher {
    /// The settings for a game of these facts, with its name and the size of its board.
    fn settings_for(
        &self,
        facts: &Facts,
        (name, size): (&str, Option<(usize, usize)>),
    ) -> Result<EngineSettings, FitError> {
        if facts.players != 2 || facts.chance {
            return Err(FitError::searcher("the protocols are for two players without chance"));
        }
        let settings = self.settings()?;
        if settings.speech == Protocol::NBoard && (name, size) != ("othello", Some((8, 8))) {
            let reason = "NBoard is a protocol of Othello on 8×8; take one that speaks GTP";
            return Err(FitError::searcher(reason));
        }
        let size = size.filter(|(rows, columns)| rows == columns).map(|(rows, _)| rows);
        Ok(EngineSettings { size, ..settings })
    }

    fn settings(&self) -> Result<EngineSettings, FitError> {
        let (speech, command) = match (&self.gtp[..], &self.nboard[..]) {
            ([_, ..], []) => (Protocol::Gtp, &self.gtp),
            ([], [_, ..]) => (Protocol::NBoard, &self.nboard),
            _ => {
                let advice = "it needs one command, such as gtp=\"my-engine --gtp\"";
                return Err(FitError::option(option_name!(EngineSearcher, gtp), advice));
            }
        };
        let time = |option: &'static str, text: &str| {
            let reason = format!("{option} is a time such as 50ms, not `{text}`");
            read_time(text).ok_or_else(|| FitError::option(option, reason))
        };
        let [of_time, of_clock] = [option_name!(EngineSearcher, time), option_name!(EngineSearcher, clock)];
        let limit = (self.time != UNLIMITED).then(|| time(of_time, &self.time)).transpose()?;
        let clock = (self.clock != UNLIMITED).then(|| clock(of_clock, &self.clock)).transpose()?;
        if speech == Protocol::Gtp && self.level.is_some() {
            let reason = "GTP has no command for a level; write it into the command";
            return Err(FitError::option(option_name!(EngineSearcher, level), reason));
        }
        if speech == Protocol::Gtp && limit.is_some_and(|limit| limit.subsec_nanos() > 0) {
            return Err(FitError::option(of_time, "GTP tells whole seconds; write for example time=1s"));
        }
        if limit.is_some() && clock.is_some() {
            return Err(FitError::option(of_clock, "it has a time for each move, or a clock, and not both"));
        }
        Ok(EngineSettings {
            speech,
            command: command.clone(),
            level: self.level,
            time: limit,
            clock,
            margin: time(option_name!(EngineSearcher, margin), &self.margin)?,
            patience: time(option_name!(EngineSearcher, patience), &self.patience)?,
            size: None,
        })
    }
}

/// Reads a clock such as `60s+1s`.
fn clock(option: &'static str, text: &str) -> Result<GameClock, FitError> {
    let (main, increment) = text.split_once('+').unwrap_or((text, ""));
    let whole = |text: &str| read_time(text).filter(|time| time.subsec_nanos() == 0);
    let increment = if increment.is_empty() { Some(Duration::ZERO) } else { whole(increment) };
    let clock = whole(main).zip(increment).map(|(main, increment)| GameClock { main, increment });
    clock.ok_or_else(|| {
        FitError::option(option, format!("a clock is whole seconds such as 60s or 60s+1s, not `{text}`"))
    })
}

/// The program that a player is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name: the option, or by default the player's text without folders.
    pub name: String,
    /// How it is started.
    pub settings: EngineSettings,
    /// The files that it reads, as far as they are named.
    pub data: Vec<String>,
}

impl Program {
    /// The program of a player; `None` if it is a searcher of this crate, or its options do not go together.
    ///
    /// # Example
    /// ```
    /// use shikou::players::Program;
    /// let edax = shikou::registry().read_searcher("engine(nboard=\"edax -nboard\",level=4)").unwrap();
    /// assert_eq!(Program::of(&edax).unwrap().settings.command, ["edax", "-nboard"]);
    /// assert!(!edax.is_repeatable());
    /// ```
    pub fn of(spec: &SearcherSpec) -> Option<Self> {
        if !spec.is_engine() {
            return None;
        }
        let options = EngineSearcher::read(&spec.options);
        let settings = options.settings().ok()?;
        let name = if options.name.is_empty() { spec.text(Wording::Name) } else { options.name };
        Some(Self { name, settings, data: options.data })
    }

    /// The file: a path, or a name in one of the folders of `PATH`. `None` if there is none.
    pub fn path(&self) -> Option<PathBuf> {
        let program = &self.settings.command[0];
        if program.contains(is_separator) {
            return Some(PathBuf::from(program)).filter(|path| path.is_file());
        }
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
    }
}

impl NamedSearcher for EngineSearcher {
    const NAME: &'static str = ENGINE;
    const ABOUT: &'static str = "another program, which speaks GTP or NBoard";
    const SEARCHES: bool = false;
    const FITS: &'static str = "games for two without chance; NBoard only Othello on 8×8";
    const CASES: &'static [&'static str] = &["gtp=engine"];

    fn claims(&self) -> Claims {
        Claims { repeats: false, ..Claims::default() }
    }

    fn recipe<G: NamedGame>(self, catalogue: &Catalogue<'_, G>) -> Fitted<G> {
        let game = catalogue.game();
        let size = game.entries().board.map(|board| board.size(game));
        let settings = self.settings_for(&game.facts(), (G::NAME, size))?;
        only_if!(G, Some(2), Some(false));
        Ok(Recipe::following(move || {
            Box::new(EnginePlayer { settings: settings.clone(), engine: None, so_far: GameSoFar::default() })
        }))
    }
}

struct EnginePlayer {
    settings: EngineSettings,
    engine: Option<Result<Engine, Failure>>,
    so_far: GameSoFar,
}

impl<G: Game> Searcher<G> for EnginePlayer {
    fn follow(&mut self, game: &G, start: &G::Position, moves: &[G::Move]) {
        self.engine.get_or_insert_with(|| Engine::start(&self.settings));
        self.so_far = so_far(game, start, moves);
    }

    fn choose(&mut self, game: &G, at: &G::Position, _stream: MoveStream, _meter: &mut Meter) -> Decided<G> {
        let mut moves = game.legal(at);
        if let (Some(only), None) = (moves.next(), moves.next())
            && game.is_pass(at, only)
        {
            // A forced pass is made for it.
            return Ok(Decision::unsearched(only, Stop::Forced));
        }
        let engine = self.engine.as_mut().expect("it was told of the game");
        let engine = engine.as_mut().map_err(|failure| lost(failure))?;
        let answer = engine.ask(&self.so_far).map_err(|failure| lost(&failure))?;
        let mv = game.parse_move(at, &answer.mv);
        match mv.filter(|mv| game.legal(at).any(|legal| legal == *mv)) {
            Some(mv) => Ok(Decision::unsearched(mv, Stop::Complete)),
            None => Err(lost(&engine.illegal(&answer.mv))),
        }
    }
}

/// A game so far, as an engine is told it.
fn so_far<G: Game>(game: &G, start: &G::Position, moves: &[G::Move]) -> GameSoFar {
    let is_first = |position: &G::Position| game.turn(position) == Turn::Player(Player::FIRST);
    let mut position = *start;
    let told = moves.iter().map(|&mv| {
        let told = (is_first(&position), game.notation(&position, mv));
        game.apply(&mut position, mv);
        told
    });
    let moves = told.collect();
    let board = game.position_text(start).unwrap_or_default().replace('X', "*");
    GameSoFar { board, moves, first_to_move: is_first(&position) }
}

/// The loss of a game by a failure, with the last words of the engine; unless the failure is none of the engine.
fn lost(failure: &Failure) -> SearchError {
    match failure.verdict {
        Verdict::Interrupted => return SearchError::Stopped,
        Verdict::System => return SearchError::System(failure.reason.clone()),
        _ => {}
    }
    let mut text = failure.to_string();
    for line in &failure.last_words {
        text += "; it said: ";
        text += line;
    }
    SearchError::Forfeit(text)
}
