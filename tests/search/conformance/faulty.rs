//! Tic-tac-toe with one fault, for the conformance kit to find.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use shikou::game::options::{OptionError, Options};
use shikou::game::tuples::{Board, SquareChange, TupleTable};
use shikou::game::{
    Batch, Batches, Entries, Evaluation, EvaluationBuffer, EvaluationFacts, EvaluationRequest, Facts,
    Features, Game, GameExt, NamedEvaluation, NamedFeatures, NamedGame, NamedPattern, NamedPolicy,
    NamedRules, Outcome, Path, Picture, Player, PlayoutRequest, Policy, PositionError, SearchHints, Solved,
    Tone, Turn, Uniform, WeightedSum, Window, made_sum, plain_best_estimate, run_playouts,
};
use shikou::games::tic_tac_toe::{self, TicTacToe};
use shikou::rng::{PlayoutRng, Rng};

/// The fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing: this one conforms.
    None,
    /// A move is listed twice.
    DuplicateMove,
    /// A random position is won.
    FinishedRandomPosition,
    /// Late in the game an illegal move is listed, and making it panics.
    IllegalMove,
    /// The order of the moves depends on the number of calls.
    OrderByCounter,
    /// `move_count` is one too many in the endgame.
    WrongMoveCount,
    /// A won game lists the free squares.
    MovesAfterTheEnd,
    /// A position may have a player's turn and no move.
    NoMoves,
    /// The second player is called the third.
    WrongPlayer,
    /// A won game pays both players.
    WrongSign,
    /// A win pays 2.
    PayoffOutOfRange,
    /// Payoffs depend on the number of calls.
    UnstablePayoff,
    /// Both players win a won game, though the payoffs are right.
    BothWin,
    /// `random_move` prefers the first move.
    BiasedRandomMove,
    /// `random_move` takes two draws.
    TwoDraws,
    /// `random_move` takes a draw of its own if there are many moves, otherwise a digit of a shared word.
    SharedAtTimes,
    /// The batch of playouts leaves its last one out.
    ShortPlayouts,
    /// Two neighbouring requests get each other's tally.
    SwappedTallies,
    /// A batch of playouts numbers its playouts from 0, whatever its first number.
    PlayoutsFromZero,
    /// A pattern counts its calls.
    CountingPattern,
    /// A list of rules names a pattern that the game does not have.
    UnknownPattern,
    /// The position carries a number from a counter in the game.
    CounterInPosition,
    /// As before, but equality and everything else ignore the number.
    HiddenCounterInPosition,
    /// The game counts its moves, and its rules change after some of them.
    CounterInGame,
    /// The board of a position is stored in the game, so a position and its copy share it.
    SharedBoard,
    /// Positions with the same number of marks compare equal.
    LooseEquality,
    /// Two squares have the same notation.
    NotationClash,
    /// A move has an empty notation.
    EmptyNotation,
    /// `parse_move` does not know the centre.
    Unparsable,
    /// `parse_move` reads lower case only.
    LowerCaseOnly,
    /// The transcript omits the first move.
    ShortTranscript,
    /// Nothing is drawn.
    NoDrawing,
    /// A disc is outside the field of the picture.
    PictureOutside,
    /// Only the start has a picture.
    PictureAtTheStart,
    /// The facts bound the game by 8 plies.
    MaxPliesTooSmall,
    /// The game never ends, and no bound is stated.
    Endless,
    /// The facts say that chance has turns.
    ChanceClaimed,
    /// The facts say zero-sum for one player.
    ZeroSumSolitaire,
    /// The facts panic.
    PanickingFacts,
    /// The policy prefers some moves, and states otherwise.
    LyingPolicy,
    /// The policy states an illegal move.
    IllegalPolicy,
    /// The policy states no weight for a move that it chooses.
    UnstatedMove,
    /// The policy chooses by a counter, not by its draws.
    CountingPolicy,
    /// The policy's batches of playouts are one playout short.
    ShortPolicyPlayouts,
    /// A path of playouts numbers its playouts from 0, whatever the first number.
    PathFromZero,
    /// `uniform` is not among the policies.
    NoUniformPolicy,
    /// The evaluation favours both sides.
    SlantedEvaluation,
    /// The evaluation outweighs a sure win.
    LoudEvaluation,
    /// The evaluation answers the last request of a batch twice.
    RepeatedAnswer,
    /// The evaluation swaps the values of two neighbours in a batch.
    SwappedValues,
    /// The prior omits the last move.
    ShortPrior,
    /// The evaluation's name has capitals.
    EvaluationName,
    /// The features are the same for both players.
    SlantedFeatures,
    /// The features are weighed without the last of them.
    ForgottenWeight,
    /// The features show no difference between moves.
    ForgottenDifference,
    /// The owners of the squares are the same for both players.
    SlantedBoard,
    /// A symmetry of the board has a square twice.
    BentSymmetry,
    /// Moves are said to change no square.
    UnchangedSquares,
    /// The sum of tables, prepared, is of the other player.
    TurnedTables,
    /// Two squares have the same number.
    NumberClash,
    /// The centre has no number.
    MissingNumber,
    /// The key depends on the number of marks, not on their places.
    LooseKey,
    /// The order hint changes each time.
    CountingHint,
    /// The estimate of a position changes each time.
    CountingPromise,
    /// The estimates of the best replies are too high.
    HighPromise,
    /// Of the children the last is not shown.
    MissingChild,
    /// The bounds claim that neither player can lose.
    WrongBounds,
    /// The last square is never said to win.
    WrongTail,
    /// The text of a position omits a mark.
    ForgetfulText,
}

/// Tic-tac-toe with a fault.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    fault: Fault,
    counter: Arc<AtomicU64>,
    boards: Arc<Mutex<Vec<tic_tac_toe::Position>>>,
}

/// A position with room for faults.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    board: tic_tac_toe::Position,
    plies: u8,
    number: u64,
    loose: bool,
}

impl PartialEq for Spot {
    fn eq(&self, other: &Self) -> bool {
        if self.loose {
            self.plies == other.plies
        } else {
            self.board == other.board && self.plies == other.plies
        }
    }
}

impl Eq for Spot {}

impl std::fmt::Debug for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}", self.board, self.number)
    }
}

impl Faulty {
    pub(crate) fn new(fault: Fault) -> Self {
        Self { fault, counter: Arc::default(), boards: Arc::default() }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    fn tick(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    fn board(&self, spot: &Spot) -> tic_tac_toe::Position {
        if self.has(Fault::SharedBoard) {
            self.boards.lock().unwrap()[spot.number as usize]
        } else {
            spot.board
        }
    }
}

impl Game for Faulty {
    type Position = Spot;
    type Move = u8;
    const ALWAYS: Option<Facts> = TicTacToe::ALWAYS;

    fn facts(&self) -> Facts {
        let facts = TicTacToe.facts();
        match self.fault {
            Fault::MaxPliesTooSmall => facts.with_max_plies(8),
            Fault::Endless => Facts { max_plies: None, ..facts },
            Fault::ChanceClaimed => facts.with_chance(),
            Fault::ZeroSumSolitaire => Facts { players: 1, ..facts },
            Fault::PanickingFacts => panic!("no facts"),
            _ => facts,
        }
    }

    fn random_position(&self, _rng: &mut Rng) -> Option<Spot> {
        let board = TicTacToe.follow("a1 a2 b1 b2 c1").unwrap();
        self.has(Fault::FinishedRandomPosition).then(|| Spot { board, plies: 5, ..self.start() })
    }

    fn start(&self) -> Spot {
        let board = TicTacToe.start();
        let mut number = 0;
        if self.has(Fault::SharedBoard) {
            let mut boards = self.boards.lock().unwrap();
            number = boards.len() as u64;
            boards.push(board);
        }
        Spot { board, plies: 0, number, loose: self.has(Fault::LooseEquality) }
    }

    fn turn(&self, spot: &Spot) -> Turn {
        match TicTacToe.turn(&self.board(spot)) {
            Turn::Player(Player::SECOND) if self.has(Fault::WrongPlayer) => Turn::Player(Player::new(2)),
            Turn::Over if self.has(Fault::Endless) => Turn::Player(Player::FIRST),
            turn => turn,
        }
    }

    fn moves(&self, spot: &Spot) -> impl Iterator<Item = u8> {
        let board = self.board(spot);
        let mut moves: Vec<u8> = TicTacToe.moves(&board).collect();
        let over = TicTacToe.turn(&board) == Turn::Over;
        match self.fault {
            Fault::DuplicateMove if spot.plies == 5 => moves.extend(moves.first().copied()),
            Fault::IllegalMove if spot.plies == 6 && !over => moves.push(99),
            Fault::OrderByCounter if moves.len() > 1 => moves.rotate_left(self.tick() as usize % 2),
            Fault::MovesAfterTheEnd if over => {
                let taken = board.marks(Player::FIRST) | board.marks(Player::SECOND);
                moves.extend((0..9).filter(|square| taken >> square & 1 == 0));
            }
            Fault::NoMoves if spot.plies == 7 => moves.clear(),
            Fault::Endless if over => moves.push(100),
            // Counted in `apply`.
            Fault::CounterInGame if self.counter.load(Ordering::Relaxed) % 100 > 90 => moves.reverse(),
            _ => {}
        }
        moves.into_iter()
    }

    fn apply(&self, spot: &mut Spot, square: u8) {
        assert!(square != 99, "there is no such square");
        spot.plies += u8::from(square < 9);
        if square < 9 {
            let mut board = self.board(spot);
            TicTacToe.apply(&mut board, square);
            spot.board = board;
            if self.has(Fault::SharedBoard) {
                self.boards.lock().unwrap()[spot.number as usize] = board;
            }
        }
        let tick = self.tick();
        if matches!(self.fault, Fault::CounterInPosition | Fault::HiddenCounterInPosition) {
            spot.number = tick;
        }
        if self.has(Fault::CounterInPosition) && tick % 10 == 9 {
            spot.plies ^= 64;
        }
    }

    fn payoff(&self, spot: &Spot, player: Player) -> i32 {
        let payoff = TicTacToe.payoff(&self.board(spot), player);
        match self.fault {
            Fault::WrongSign => payoff.abs(),
            Fault::PayoffOutOfRange => 2 * payoff,
            Fault::UnstablePayoff if self.tick().is_multiple_of(16) => 0,
            _ => payoff,
        }
    }

    fn outcome(&self, spot: &Spot, player: Player) -> Outcome {
        match TicTacToe.outcome(&self.board(spot), player) {
            Outcome::Loss if self.has(Fault::BothWin) => Outcome::Win,
            outcome => outcome,
        }
    }

    fn notation(&self, spot: &Spot, square: u8) -> String {
        match self.fault {
            Fault::NotationClash if square == 7 => "a1".into(),
            Fault::EmptyNotation if square == 7 => " ".into(),
            _ => TicTacToe.notation(&self.board(spot), square),
        }
    }

    fn parse_move(&self, spot: &Spot, text: &str) -> Option<u8> {
        let mv = self.moves(spot).find(|&mv| self.notation(spot, mv).eq_ignore_ascii_case(text))?;
        match self.fault {
            Fault::Unparsable if mv == 4 => None,
            Fault::LowerCaseOnly if self.notation(spot, mv) != text => None,
            _ => Some(mv),
        }
    }

    fn transcript(&self, moves: &[u8]) -> String {
        let skipped = usize::from(self.has(Fault::ShortTranscript)).min(moves.len());
        let words = moves[skipped..].iter().map(|&mv| self.notation(&self.start(), mv));
        words.collect::<Vec<_>>().join(" ")
    }

    fn drawing(&self, spot: &Spot) -> String {
        if self.has(Fault::NoDrawing) { String::new() } else { TicTacToe.drawing(&self.board(spot)) }
    }

    fn picture(&self, spot: &Spot) -> Option<Picture> {
        if self.has(Fault::PictureAtTheStart) && spot.plies > 0 {
            return None;
        }
        let picture = TicTacToe.picture(&self.board(spot))?;
        Some(if self.has(Fault::PictureOutside) { picture.disc(Tone::Line, [3, 3], 4) } else { picture })
    }

    fn move_count(&self, spot: &Spot) -> u32 {
        let count = self.moves(spot).count() as u32;
        if self.has(Fault::WrongMoveCount) && (1..3).contains(&count) { count + 1 } else { count }
    }

    fn random_move(&self, spot: &Spot, draws: &mut PlayoutRng) -> u8 {
        let count = self.moves(spot).count() as u32;
        let shares = self.has(Fault::SharedAtTimes) && count < 5;
        let mut pick = if shares { draws.digit(count) } else { draws.below(count) };
        if self.has(Fault::BiasedRandomMove) && draws.clone().below(16) == 0 {
            pick = 0;
        }
        if self.has(Fault::TwoDraws) {
            let _ = draws.next_u32();
        }
        self.moves(spot).nth(pick as usize).unwrap()
    }

    fn play_uniform_batches(&self, path: Path, batches: Batches<'_, Spot>) -> Path {
        let Batches { requests, tallies } = batches;
        for (PlayoutRequest { from, player, batch }, tally) in requests.iter().zip(&mut *tallies) {
            let batch = match self.fault {
                Fault::ShortPlayouts => Batch { count: batch.count.saturating_sub(1), ..*batch },
                Fault::PlayoutsFromZero => Batch { first: 0, ..*batch },
                Fault::PathFromZero if path != Path::best() => Batch { first: 0, ..*batch },
                _ => *batch,
            };
            *tally = run_playouts(self, &Uniform, from, *player, batch);
        }
        if self.has(Fault::SwappedTallies) && tallies.len() > 6 {
            tallies.swap(5, 6);
        }
        // On any processor.
        path
    }

    fn hints(&self) -> impl SearchHints<Self> {
        Hints
    }

    fn move_number(&self, square: u8) -> Option<u16> {
        match self.fault {
            Fault::NumberClash => Some(u16::from(square) / 2),
            Fault::MissingNumber if square == 4 => None,
            _ => TicTacToe.move_number(square),
        }
    }

    fn key(&self, spot: &Spot) -> Option<u128> {
        let loose = self.has(Fault::LooseKey);
        if loose { Some(spot.plies.into()) } else { TicTacToe.key(&self.board(spot)) }
    }

    fn position_text(&self, spot: &Spot) -> Option<String> {
        let text = TicTacToe.position_text(&self.board(spot))?;
        Some(if self.has(Fault::ForgetfulText) { text.replacen('o', "-", 1) } else { text })
    }

    fn parse_position(&self, text: &str) -> Result<Spot, PositionError> {
        let board = TicTacToe.parse_position(text)?;
        let marks = board.marks(Player::FIRST) | board.marks(Player::SECOND);
        Ok(Spot { board, plies: marks.count_ones() as u8, ..self.start() })
    }
}

impl NamedGame for Faulty {
    const NAME: &'static str = "faulty";
    const ABOUT: &'static str = "tic-tac-toe with one fault";

    fn with_options(_options: &Options) -> Result<Self, OptionError> {
        Ok(Self::new(Fault::None))
    }

    fn entries(&self) -> Entries<Self> {
        let mut policies = vec![NamedPolicy::uniform(), NamedPolicy::new("weighted", "by weights", Weighted)];
        if self.has(Fault::NoUniformPolicy) {
            policies.remove(0);
        }
        let name = if self.has(Fault::EvaluationName) { "Centre" } else { "centre" };
        let has_board = matches!(
            self.fault,
            Fault::SlantedBoard | Fault::BentSymmetry | Fault::UnchangedSquares | Fault::TurnedTables
        );
        let count = |game: &Self, _: &Spot, square: u8, _: &Spot| {
            if game.has(Fault::CountingPattern) { game.tick() as i32 } else { i32::from(square == 4) }
        };
        let text = if self.has(Fault::UnknownPattern) { "corner: 1" } else { "centre: 1" };
        Entries {
            policies,
            evaluations: vec![NamedEvaluation::new(name, "the owner of the centre", Centre)],
            features: vec![NamedFeatures::new("pair", "the owners of two squares", Pair(self.fault))],
            board: has_board.then(|| Arc::new(Squares(self.fault)) as Arc<dyn Board<Self>>),
            patterns: vec![NamedPattern::new("centre", "the square taken is the centre", count)],
            rule_lists: vec![NamedRules { name: "centre", about: "the centre first", text }],
            ..Entries::default()
        }
    }
}

/// Hints by the squares.
struct Hints;

impl SearchHints<Faulty> for Hints {
    fn order(&self, game: &Faulty, _: &Spot, mv: u8, _: &Spot) -> i32 {
        if game.has(Fault::CountingHint) { game.tick() as i32 } else { mv.into() }
    }

    fn each_child(&self, game: &Faulty, spot: &Spot, found: &mut impl FnMut(u8, Spot, i32)) {
        let missing = usize::from(game.has(Fault::MissingChild));
        for mv in game.moves(spot).take(game.moves(spot).count() - missing) {
            let child = game.after(spot, mv);
            let hint = self.order(game, spot, mv, &child);
            found(mv, child, hint);
        }
    }

    fn estimate(&self, game: &Faulty, _: &Spot) -> Option<i32> {
        if game.has(Fault::HighPromise) {
            return Some(0);
        }
        game.has(Fault::CountingPromise).then(|| game.tick() as i32)
    }

    fn best_estimates(&self, game: &Faulty, spots: impl Iterator<Item = Spot>, found: &mut impl FnMut(i32)) {
        let more = i32::from(game.has(Fault::HighPromise));
        spots.for_each(|spot| found(plain_best_estimate(game, &spot).unwrap_or(0) + more));
    }

    fn payoff_bounds(&self, game: &Faulty, _: &Spot, _: Window) -> Option<(i32, i32)> {
        Some((if game.has(Fault::WrongBounds) { 0 } else { -1 }, 1))
    }

    fn solve_tail(&self, game: &Faulty, spot: &Spot, _: Window, _: bool) -> Option<Solved> {
        let mut squares = game.moves(spot);
        let (last, None) = (squares.next()?, squares.next()) else { return None };
        let Turn::Player(player) = game.turn(spot) else { return None };
        let payoff =
            if game.has(Fault::WrongTail) { 0 } else { game.payoff(&game.after(spot, last), player) };
        Some(Solved { payoff, nodes: 1 })
    }
}

/// A policy that prefers some columns.
struct Weighted;

impl Policy<Faulty> for Weighted {
    fn choose(&self, game: &Faulty, spot: &Spot, draws: &mut PlayoutRng) -> u8 {
        let weights: Vec<(u8, u32)> = game.moves(spot).map(|mv| (mv, weight(mv))).collect();
        let sum = weights.iter().map(|&(_, weight)| weight).sum();
        let mut pick =
            if game.has(Fault::CountingPolicy) { game.tick() as u32 % sum } else { draws.below(sum) };
        for (mv, weight) in weights {
            if pick < weight {
                return mv;
            }
            pick -= weight;
        }
        unreachable!("a pick below the sum of the weights")
    }

    fn distribution(&self, game: &Faulty, spot: &Spot) -> Vec<(u8, u32)> {
        let mut stated: Vec<(u8, u32)> = game.moves(spot).map(|mv| (mv, weight(mv))).collect();
        match game.fault {
            Fault::LyingPolicy => stated.iter_mut().for_each(|(_, weight)| *weight = 1),
            Fault::IllegalPolicy => stated.push((77, 0)),
            Fault::UnstatedMove if stated.len() > 1 => stated.truncate(stated.len() - 1),
            _ => {}
        }
        stated
    }

    fn play_batches(&self, _: Path, game: &Faulty, batches: Batches<'_, Spot>) -> Path {
        for (PlayoutRequest { from, player, batch }, tally) in batches.requests.iter().zip(batches.tallies) {
            let short = u64::from(game.has(Fault::ShortPolicyPlayouts)).min(batch.count);
            *tally = run_playouts(game, self, from, *player, Batch { count: batch.count - short, ..*batch });
        }
        Path::Portable
    }
}

fn weight(square: u8) -> u32 {
    2 + u32::from(square % 3)
}

/// The owners of the first two squares.
struct Pair(Fault);

impl Features<Faulty> for Pair {
    fn names(&self, _game: &Faulty) -> Vec<String> {
        vec!["a1".into(), "b1".into()]
    }

    fn values(&self, game: &Faulty, spot: &Spot, player: Player, values: &mut [i32]) {
        for (square, value) in values.iter_mut().enumerate() {
            let has = |player: Player| i32::from(game.board(spot).marks(player) >> square & 1);
            let theirs = if self.0 == Fault::SlantedFeatures { 0 } else { has(player.other()) };
            *value = has(player) - theirs;
        }
    }

    fn prepared(&self, game: &Faulty, weights: &[i64]) -> Option<Arc<dyn WeightedSum<Faulty>>> {
        let (game, weight) = (game.clone(), weights[0]);
        let sum = made_sum(move |spot: &Spot, player| {
            let mut values = [0; 2];
            Pair(Fault::None).values(&game, spot, player, &mut values);
            weight * i64::from(values[0])
        });
        (self.0 == Fault::ForgottenWeight).then(|| Arc::new(sum) as _)
    }

    fn after_moves(
        &self,
        game: &Faulty,
        spot: &Spot,
        player: Player,
        show: &mut dyn FnMut(usize, usize, i32),
    ) {
        if self.0 == Fault::ForgottenDifference {
            return;
        }
        for (number, (_, child)) in game.children(spot).enumerate() {
            let mut values = [0; 2];
            self.values(game, &child, player, &mut values);
            for (index, value) in values.into_iter().enumerate() {
                show(number, index, value);
            }
        }
    }
}

/// The nine squares.
struct Squares(Fault);

impl Board<Faulty> for Squares {
    fn size(&self, _game: &Faulty) -> (usize, usize) {
        (3, 3)
    }

    fn owners(&self, game: &Faulty, spot: &Spot, player: Player, owners: &mut [u8]) {
        let player = if self.0 == Fault::SlantedBoard { Player::FIRST } else { player };
        for (square, owner) in owners.iter_mut().enumerate() {
            let has = |player: Player| (game.board(spot).marks(player) >> square & 1) as u8;
            *owner = 1 + has(player) - has(player.other());
        }
    }

    fn each_change(
        &self,
        game: &Faulty,
        position: &Spot,
        player: Player,
        found: &mut dyn FnMut(&[SquareChange]),
    ) {
        let square = |mv: u8| SquareChange {
            square: mv,
            by: if TicTacToe.turn(&game.board(position)) == Turn::Player(player) { 1 } else { -1 },
        };
        let count = usize::from(self.0 != Fault::UnchangedSquares);
        game.moves(position).for_each(|mv| found(&[square(mv)][..count]));
    }

    fn symmetries(&self, _game: &Faulty) -> Vec<Vec<usize>> {
        let last = usize::from(self.0 == Fault::BentSymmetry);
        vec![(0..9).collect(), (1..9).rev().chain([last]).collect()]
    }

    fn prepared(
        &self,
        game: &Faulty,
        tables: &[TupleTable],
        weights: &[i64],
    ) -> Option<Arc<dyn WeightedSum<Faulty>>> {
        let _ = game;
        let (tables, weights) = (tables.to_vec(), weights.to_vec());
        let sum = made_sum(move |spot: &Spot, player: Player| {
            let has = |player: Player, square: usize| (spot.board.marks(player) >> square & 1) as i64;
            let owner = |square| (1 + has(player.other(), square) - has(player, square)) as usize;
            let of_table = |(number, table): (usize, &TupleTable)| -> i64 {
                table.places.iter().map(|place| weights[3 * number + owner(place[0])]).sum()
            };
            tables.iter().enumerate().map(of_table).sum()
        });
        (self.0 == Fault::TurnedTables).then(|| Arc::new(sum) as _)
    }
}

/// An evaluation by the owner of the centre.
struct Centre;

impl Evaluation<Faulty> for Centre {
    fn evaluate(&self, game: &Faulty, spot: &Spot, player: Player) -> i64 {
        let has = |player: Player| i64::from(game.board(spot).marks(player) >> 4 & 1);
        match game.fault {
            Fault::SlantedEvaluation => has(player),
            Fault::LoudEvaluation => (has(player) - has(player.other())) << 20,
            _ => has(player) - has(player.other()),
        }
    }

    fn evaluate_many(
        &self,
        game: &Faulty,
        requests: &[EvaluationRequest<Spot>],
        answers: &mut EvaluationBuffer,
    ) {
        let mut values: Vec<i64> =
            requests.iter().map(|request| self.evaluate(game, &request.position, request.player)).collect();
        match game.fault {
            Fault::RepeatedAnswer => values.extend(values.last().copied()),
            Fault::SwappedValues if values.len() > 1 => values.swap(0, 1),
            _ => {}
        }
        for (index, value) in values.into_iter().enumerate() {
            let prior = requests.get(index).filter(|request| request.prior);
            let moves = prior.map_or(0, |request| game.moves(&request.position).count());
            let stated = moves.saturating_sub(usize::from(game.fault == Fault::ShortPrior));
            answers.push_with_prior(value, (0..stated).map(|_| 1.0 / moves as f32));
        }
    }

    fn facts(&self) -> EvaluationFacts {
        EvaluationFacts { has_prior: true, ..EvaluationFacts::default() }
    }
}
