//! A game as those who learn from it see it, with its type erased, and the games of known types behind it.

use std::sync::Arc;

use super::{LearnError, Play, played};
use crate::game::tuples::{Seen, TupleTable};
use crate::game::{Facts, Game, GameExt, NamedGame, Player, SearchHints, Turn, erased};
use crate::learn::{
    DeepSets, DeepSetsActor, DeepSetsEvaluation, DeepSetsLearner, Environment, GameEnvironment, Input,
    Squares, Target,
};
use crate::players::catalogue::{Additions, Catalogue};
use crate::players::choices::{InputChoice, UNIT};
use crate::players::machine::Machine;
use crate::players::network_file::NetworkForm;
use crate::players::{FitError, PlayError, Recipe, SearcherSpec, longest};
use crate::rng::Stream;
use crate::search::{BestMoves, Limits, Meter, MoveStream, SolveSettings, solve};

/// A game with what is seen of it, and what is known of that; the error says why it has no such thing.
pub(super) type Seeing<T> = Result<(Box<dyn Learning>, T), FitError>;

/// Takes what is shown of a position: its environment, its ply, from 1, who moved there, and the payoff of the game for a player.
pub(super) type Found<'f> = dyn FnMut(&dyn Environment<PlayError>, u32, Player, &dyn Fn(Player) -> i32) + 'f;

#[derive(Clone)]
pub(crate) struct Known<G: Game> {
    game: G,
    additions: Arc<Additions<G>>,
    input: Option<Input<G>>,
    players: Arc<[Recipe<G>]>,
}

const NO_PLIES_LEFT: &str = "the game does not know how many plies are left";

/// The bytes of the table that solves a sample.
const SOLVER_BYTES: u64 = 8 << 20;

impl<G: NamedGame> Known<G> {
    pub(crate) fn new(game: G, additions: Arc<Additions<G>>) -> Self {
        Self { game, additions, input: None, players: Arc::new([]) }
    }

    fn catalogue(&self) -> Catalogue<'_, G> {
        Catalogue::new(&self.game, &self.additions)
    }

    fn seen(&self, input: Input<G>) -> Box<dyn Learning> {
        Box::new(Self { input: Some(input), ..self.clone() })
    }

    fn solved(
        &self,
        transcript: &str,
        [most, detour]: [u32; 2],
        luck: Stream,
        found: &mut Found<'_>,
    ) -> Result<(), String> {
        if let Some(reason) = self.lacks_solver() {
            return Err(reason.into());
        }
        let game = &self.game;
        let mut rng = luck.rng();
        let mut draw = |least: u32, most: u32| least + rng.below(u64::from(most - least) + 1) as u32;
        let (goal, detour) = (draw(most - most / 3, most), draw(0, detour));
        let (mut environment, mut text) =
            (GameEnvironment::new(game, self.input.as_ref()), transcript.trim());
        let mut mover = None;
        for ply in 0.. {
            let now = game.hints().plies_left(game, &environment.position).ok_or(NO_PLIES_LEFT)?;
            let Turn::Player(player) = environment.turn() else { break };
            if let (true, Some(mover)) = (now <= goal, mover) {
                let settings = SolveSettings { best: BestMoves::One, ..SolveSettings::new(SOLVER_BYTES) };
                let solved =
                    solve(game, &environment.position, &settings, &mut Meter::new(Limits::default()));
                let value = solved.map_err(|error| error.to_string())?.value as i32;
                found(&environment, ply, mover, &|of| if of == player { value } else { -value });
                return Ok(());
            }
            if now > goal + detour {
                let (mv, rest) = game.read_move(&environment.position, text).ok_or("a move is not legal")?;
                text = rest;
                game.apply(&mut environment.position, mv);
            } else {
                environment.make(draw(0, environment.count_moves() - 1) as usize);
            }
            mover = Some(player);
        }
        Err("the game ends before".into())
    }
}

erased! {
    /// A game, with players and with what is seen of its positions. Learners and samplers ask nothing else of it.
    pub trait Learning: [Send + Sync] for Known<G>, G: NamedGame;

    /// The name of the game, and its facts.
    fn game(&self) -> (&'static str, Facts) { (G::NAME, self.game.facts()) }

    /// The game with these players.
    ///
    /// # Errors
    /// If one does not fit.
    fn with_players(&self, players: &[SearcherSpec]) -> Result<Box<dyn Learning>, FitError> {
        let catalogue = self.catalogue();
        let players = players.iter().map(|spec| catalogue.build(spec)).collect::<Result<_, _>>()?;
        Ok(Box::new(Self { players, ..self.clone() }))
    }

    /// The game by the squares of its board: the rows and columns, and the tables of some shapes.
    ///
    /// # Errors
    /// If it has no board, or the shapes do not fit.
    fn board(&self, shapes: &str) -> Seeing<([usize; 2], Vec<TupleTable>)> {
        let catalogue = self.catalogue();
        let board = catalogue.board("evaluation")?;
        let (tables, size) = (catalogue.tables(&*board, shapes)?, board.size(&self.game).into());
        // Learners of n-tuples see the owners of the squares, and no inputs.
        Ok((self.seen(Input::squares(&self.game, board, Squares::Bits)), (size, tables)))
    }

    /// The game by the inputs of a network, which an option chooses.
    ///
    /// # Errors
    /// If it has no such inputs.
    fn inputs(
        &self,
        option: &'static str,
        choice: InputChoice,
        features: &str,
        seen: Seen,
    ) -> Seeing<NetworkForm> {
        let (input, form) = self.catalogue().input(option, choice, features, seen)?;
        Ok((self.seen(input), form))
    }

    /// The game by features: their name, and the names of their numbers.
    ///
    /// # Errors
    /// If it has no such features.
    fn features(&self, chosen: &str) -> Seeing<(&'static str, Vec<String>)> {
        let found = self.catalogue().features("evaluation", chosen)?;
        let names = found.features.names(&self.game);
        Ok((self.seen(Input::features(&self.game, found.features)), (found.name, names)))
    }

    /// The kinds of things in the bags of the game, and how a network of bags plays it, with random moves: itself, or a player
    /// in its place whose default evaluation it is.
    ///
    /// # Errors
    /// If it has no bags, or the player does not fit.
    fn bags(
        &self,
        random: (f64, Target),
        player: Option<&SearcherSpec>,
    ) -> Result<(usize, Box<Play<DeepSetsLearner>>), LearnError> {
        self.catalogue().of_bags("evaluation", |bags| {
            let (Self { game, additions, .. }, player) = (self.clone(), player.cloned());
            let (kinds, values) = (bags.kinds, bags.clone());
            let built = move |game: &G, player: &SearcherSpec, network: DeepSets| {
                let evaluation = DeepSetsEvaluation::new(game, Arc::new(network), values.clone(), UNIT);
                Catalogue::new(game, &additions).with_default_evaluation(Arc::new(evaluation)).build(player)
            };
            if let Some(player) = &player {
                built(&game, player, DeepSets::random(kinds, Stream::new(0)))
                    .map_err(LearnError::Player)?;
            }
            let play = move |student: &DeepSetsLearner, _, luck, limits| {
                let actor = DeepSetsActor::new(&game, &bags, student.network(), random, longest(&game.facts()));
                let Some(player) = &player else { return actor.play(luck).map_err(played) };
                // A copy: searchers share their evaluation, and the student goes on learning.
                let player = built(&game, player, student.network().clone()).expect("its fit was checked");
                let mut moves = moves_of(&game, &player, luck / "player", limits);
                actor.watch(&mut *moves, luck).map_err(played)
            };
            Ok((kinds, Box::new(play) as Box<Play<DeepSetsLearner>>))
        })
    }

    /// A new environment of the game, in which a player, by its number, may move in place of the learner.
    fn environment(&self, player: Option<(usize, Stream, Limits)>) -> Box<dyn Environment<PlayError> + '_> {
        let environment = GameEnvironment::new(&self.game, self.input.as_ref());
        Box::new(match player {
            None => environment,
            Some((player, luck, limits)) => {
                environment.with_other(moves_of(&self.game, &self.players[player], luck, limits))
            }
        })
    }

    /// Shows positions of a finished game: that after each written move, without passes and forced moves that the game's
    /// transcripts omit. Or, if plies are given, one with two thirds of the first number of plies to all of them left, and its value
    /// by [`solve`]; at most the second number of plies before it are random.
    ///
    /// # Errors
    /// If a move is not legal or the game is not over, or it [lacks a solver](Self::lacks_solver) or ends before these plies.
    fn samples(
        &self,
        transcript: &str,
        solved: Option<([u32; 2], Stream)>,
        found: &mut Found<'_>,
    ) -> Result<(), String> {
        if let Some((plies, luck)) = solved {
            return self.solved(transcript, plies, luck, found);
        }
        let game = &self.game;
        let mut end = game.start();
        game.follow_from(&mut end, transcript, &mut |_| ()).map_err(|error| error.to_string())?;
        if game.turn(&end) != Turn::Over {
            return Err("the game is not over, so that it has no outcome".into());
        }
        let (mut environment, mut text) = (GameEnvironment::new(game, self.input.as_ref()), transcript.trim());
        for ply in 1.. {
            let Some((mv, rest)) = game.read_move(&environment.position, text) else { break };
            let mover = game.turn(&environment.position);
            let is_written = rest.len() < text.len();
            if !is_written && mover == Turn::Over {
                break;
            }
            let is_shown = is_written && !game.is_pass(&environment.position, mv);
            game.apply(&mut environment.position, mv);
            text = rest;
            if let Turn::Player(mover) = mover
                && is_shown
            {
                found(&environment, ply, mover, &|player| game.payoff(&end, player));
            }
        }
        Ok(())
    }

    /// The reason why no positions of this game are solved, if there is one.
    fn lacks_solver(&self) -> Option<&'static str> {
        let facts = self.game.facts();
        if facts.players > 1 && !facts.zero_sum {
            return Some("only games whose payoffs add up to 0 can be solved for two");
        }
        let left = self.game.hints().plies_left(&self.game, &self.game.start());
        left.is_none().then_some(NO_PLIES_LEFT)
    }
}

/// The moves of a player at the positions of a game.
type Moves<'g, G> = dyn FnMut(&<G as Game>::Position) -> Result<<G as Game>::Move, PlayError> + 'g;

fn moves_of<'g, G: Game>(game: &'g G, player: &Recipe<G>, luck: Stream, limits: Limits) -> Box<Moves<'g, G>> {
    let (mut machine, key, mut moves) = (Machine::from(player), luck.playout_key(), 0);
    Box::new(move |position| {
        let stream = MoveStream::new(key.child(moves));
        moves += 1;
        Ok(machine.choose(game, position, stream, limits)?.0.chosen)
    })
}
