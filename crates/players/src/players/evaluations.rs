//! Evaluations that every game has: weighted sums of features, n-tuples, networks, sums of evaluations.

use std::sync::Arc;

use super::catalogue::{Catalogue, place_or_first};
use super::choices::{InputChoice, PlainEvaluation, SumTerm, UNIT};
use super::network_file::{NetworkForm, read_learned, seen_word};
use super::recipe::FitError;
use super::weights_file::{Header, WeightsError, read_header, read_row, read_weights};
use crate::game::options::{FileValue, NameOr, Numbers};
use crate::game::tuples::{
    Board, MOST_STAGES, Seen, TupleTable, Tuples, read_league, tables_of_shapes, tuple_names,
};
use crate::game::{
    Bags, Evaluation, Linear, NamedFeatures, NamedGame, RangeError, Term, WeightedEvaluations,
};
use crate::learn::{DeepSetsEvaluation, Input, LookAhead, NetworkEvaluation, read_deep_sets};
use crate::words::{counted, is_or_are, text_of};

/// Where the weights of an evaluation come from: the texts are those of a file, and of the result of an optimisation or a
/// training.
enum Source<'s> {
    Written(&'s Numbers),
    File(&'s FileValue, &'s str),
    Evolved(&'s FileValue, &'s str),
}

fn source<'s>(
    weights: &'s Numbers,
    file: Option<&'s FileValue>,
    evolved: Option<&'s FileValue>,
) -> Result<Source<'s>, FitError> {
    match (weights.is_empty(), file, evolved) {
        (_, None, None) => Ok(Source::Written(weights)),
        (true, Some(file), None) => {
            let unread = || format!("the file {:?} is not read yet", file.path());
            Ok(Source::File(file, text_in(file, "file", unread)?))
        }
        (true, None, Some(evolved)) => {
            let waits = || format!("this player waits for the optimisation `{}`", evolved.name());
            Ok(Source::Evolved(evolved, text_in(evolved, "evolved", waits)?))
        }
        _ => Err(FitError::option("weights", "write one of `weights`, `file` and `evolved`")),
    }
}

fn text_in<'s>(
    file: &'s FileValue,
    option: &'static str,
    lacks: impl FnOnce() -> String,
) -> Result<&'s str, FitError> {
    let content = file.content().ok_or_else(|| FitError::option(option, lacks()))?;
    text_of(content).map_err(|error| FitError::option(option, format!("{}: {error}", file.path())))
}

/// The weights that an optimisation found: a number in each line, whole if all are.
fn found_weights(text: &str) -> Numbers {
    let whole: Result<Vec<i64>, _> = text.lines().map(str::parse).collect();
    let real = || text.lines().map(|line| line.parse().expect("a result has numbers")).collect();
    whole.map_or_else(|_| Numbers::Real(real()), Numbers::Whole)
}

/// Weights with their unit; `None` for whole weights that are not rounded.
type Weights = (Numbers, Option<f64>);

impl<G: NamedGame> Catalogue<'_, G> {
    /// An evaluation that is no sum.
    pub(super) fn plain(
        &self,
        option: &'static str,
        part: &PlainEvaluation,
    ) -> Result<Arc<dyn Evaluation<G>>, FitError> {
        let out_of_range = |error: RangeError| FitError::option("weights", error.to_string());
        match part {
            PlainEvaluation::Linear { features, weights, unit, file, evolved } => {
                let found = self.features(option, features)?;
                let names = found.features.names(self.game());
                let given = source(weights, file.as_ref(), evolved.as_ref())?;
                let (weights, unit) = weights_from(G::NAME, &given, *unit, found.name, &names)?;
                let linear = match (weights, unit) {
                    (Numbers::Whole(weights), None) => Linear::new(self.game(), found.features, weights),
                    (weights, unit) => {
                        let unit = unit.unwrap_or(UNIT);
                        Linear::of_reals(self.game(), found.features, &weights.reals(), unit)
                            .map_err(out_of_range)?
                    }
                };
                Ok(Arc::new(linear))
            }
            PlainEvaluation::Tuples { shapes, seen, stages, weights, unit, file, evolved } => {
                let board = self.board(option)?;
                let given = source(weights, file.as_ref(), evolved.as_ref())?;
                if let Source::File(file, text) = given
                    && read_header(text).is_none()
                {
                    let (tables, weights) = self.league(&*board, file, text, shapes)?;
                    let unit = unit.unwrap_or(UNIT);
                    let seen = seen.unwrap_or(Seen::Negation);
                    let tuples = Tuples::new(self.game(), board, &tables, &weights, seen, unit);
                    return Ok(Arc::new(tuples.map_err(out_of_range)?));
                }
                let of_weights = match given {
                    Source::File(_, text) | Source::Evolved(_, text) => form_in(text),
                    Source::Written(_) => None,
                };
                let of_weights = of_weights.unwrap_or(("", Seen::Negation, 1));
                let seen = seen.unwrap_or(of_weights.1);
                let (shapes, stages) =
                    if shapes.is_empty() { (of_weights.0, of_weights.2) } else { (&**shapes, *stages) };
                let tables = self.tables(&*board, shapes)?;
                let (names, of) = (staged_names(&tables, stages), form_of(shapes, seen, stages));
                let (weights, unit) = weights_from(G::NAME, &given, *unit, &of, &names)?;
                let (weights, unit) = (weights.reals(), unit.unwrap_or(UNIT));
                let tuples = Tuples::new(self.game(), board, &tables, &weights, seen, unit);
                Ok(Arc::new(tuples.map_err(out_of_range)?))
            }
            PlainEvaluation::Bags { file, evolved, ahead, width, margin, unit } => {
                let ahead = LookAhead { turns: *ahead, width: *width, margin: *margin };
                self.of_bags(option, |bags| {
                    let read = |bytes: &[u8]| read_deep_sets(bytes, G::NAME, bags.kinds).map(Arc::new);
                    let network = read_learned(file.as_ref(), evolved.as_ref(), read)?;
                    let evaluation =
                        DeepSetsEvaluation::new(self.game(), network, bags, unit.unwrap_or(UNIT));
                    Ok(Arc::new(evaluation.with_look_ahead(ahead)) as Arc<dyn Evaluation<G>>)
                })
            }
            PlainEvaluation::Network { file, evolved, activation, input, features, seen, unit } => {
                let (input, form) = self.input(option, *input, features, *seen)?;
                let read = |bytes: &[u8]| form.read(bytes, *activation);
                let network = read_learned(file.as_ref(), evolved.as_ref(), read)?;
                let evaluation =
                    NetworkEvaluation::new(self.game(), network, input, *seen, unit.unwrap_or(UNIT));
                Ok(Arc::new(evaluation.map_err(|error| FitError::option("file", error.to_string()))?))
            }
        }
    }

    pub(super) fn sum(
        &self,
        option: &'static str,
        terms: &[SumTerm],
    ) -> Result<Arc<dyn Evaluation<G>>, FitError> {
        if terms.is_empty() {
            let reason = "a sum needs a part; write sum = [{ times = 1, evaluation = … }]";
            return Err(FitError::option(option, reason));
        }
        let sum = WeightedEvaluations::new(self.game(), self.terms(terms)?, UNIT);
        Ok(Arc::new(sum.map_err(|error| FitError::option("times", error.to_string()))?))
    }

    pub(super) fn terms(&self, terms: &[SumTerm]) -> Result<Vec<Term<G>>, FitError> {
        let term = |SumTerm { times, evaluation }: &SumTerm| {
            let evaluation = match evaluation {
                NameOr::Part(part) => self.plain("evaluation", part)?,
                NameOr::Name(name) => {
                    let reason = "this game has no evaluation of its own; write one with parts";
                    let found = self.named_evaluation("evaluation", name)?;
                    found.ok_or_else(|| FitError::option("evaluation", reason))?
                }
            };
            Ok(Term { times: *times, evaluation })
        };
        terms.iter().map(term).collect()
    }

    /// The inputs of a network, and what its file states of them.
    pub(super) fn input(
        &self,
        option: &'static str,
        choice: InputChoice,
        features: &str,
        seen: Seen,
    ) -> Result<(Input<G>, NetworkForm), FitError> {
        let (input, name) = match choice {
            InputChoice::Squares(squares) => {
                (Input::squares(self.game(), self.board(option)?, squares), squares.name())
            }
            InputChoice::Features => {
                let found = self.features(option, features)?;
                (Input::features(self.game(), found.features), found.name)
            }
        };
        let (game, inputs) = (G::NAME.into(), input.width());
        Ok((input, NetworkForm { game, input: name.into(), seen: seen_word(seen), inputs }))
    }

    pub(super) fn features(&self, option: &'static str, chosen: &str) -> Result<NamedFeatures<G>, FitError> {
        let mut all = self.game().entries().features;
        if all.is_empty() {
            let reason = "this evaluation is a sum of features, and this game has none";
            return Err(FitError::option(option, reason));
        }
        let names: Vec<_> = all.iter().map(|features| features.name).collect();
        Ok(all.swap_remove(place_or_first(chosen, &names, "features", "features")?))
    }

    /// Makes something of the bags of the game, which must be a solitaire. `make` is compiled for games with bags only.
    pub(super) fn of_bags<T, E: From<FitError>>(
        &self,
        option: &'static str,
        make: impl FnOnce(Bags<G>) -> Result<T, E>,
    ) -> Result<T, E> {
        if const { G::BAGS.is_some() }
            && let Some(bags) = G::BAGS.filter(|_| self.game().facts().players == 1)
        {
            return make(bags);
        }
        let reason = "this network looks at bags of things, and this game declares none";
        Err(FitError::option(option, reason).into())
    }

    pub(super) fn board(&self, option: &'static str) -> Result<Arc<dyn Board<G>>, FitError> {
        let reason = "this evaluation looks at squares, and this game declares no board";
        self.game().entries().board.ok_or_else(|| FitError::option(option, reason))
    }

    pub(super) fn tables(&self, board: &dyn Board<G>, shapes: &str) -> Result<Vec<TupleTable>, FitError> {
        if shapes.is_empty() {
            let reason = "these weights need shapes; write for example shapes = \"all-2\"";
            return Err(FitError::option("shapes", reason));
        }
        let tables = tables_of_shapes(self.game(), board, shapes);
        tables.map_err(|error| FitError::option("shapes", error.to_string()))
    }

    fn league(
        &self,
        board: &dyn Board<G>,
        file: &FileValue,
        text: &str,
        shapes: &str,
    ) -> Result<(Vec<TupleTable>, Vec<f64>), FitError> {
        let refused = |reason: String| FitError::option("file", format!("{}:{reason}", file.path()));
        if !shapes.is_empty() {
            return Err(refused(" a player of the League has shapes of its own; omit `shapes`".into()));
        }
        let (rows, columns) = board.size(self.game());
        if (rows, columns) != (8, 8) {
            let reason =
                format!(" a player of the League is for a board of 8×8, and this one is {rows}×{columns}");
            return Err(refused(reason));
        }
        read_league(text, rows * columns).map_err(|error| refused(error.to_string()))
    }
}

/// The weights of a source, as many as there are names.
fn weights_from(
    game: &str,
    given: &Source<'_>,
    unit: Option<f64>,
    of: &str,
    names: &[String],
) -> Result<Weights, FitError> {
    match given {
        Source::Written(weights) if weights.len() == names.len() => Ok(((*weights).clone(), unit)),
        Source::Written(weights) => {
            let shown = if names.len() > 16 {
                format!("{}, {}, … {}", names[0], names[1], names[names.len() - 1])
            } else {
                names.join(", ")
            };
            let (needed, given) = (names.len() as u64, weights.len() as u64);
            let what = if of.contains('/') { "weight" } else { "feature" };
            let reason = format!(
                "`{of}` has {} ({shown}), but {} {} given; write one weight per {}",
                counted(needed, what),
                counted(given, "weight"),
                is_or_are(given),
                if what == "weight" { "name" } else { "feature" }
            );
            Err(FitError::option("weights", reason))
        }
        Source::Evolved(evolved, text) => {
            if let Some(header) = read_header(text) {
                return headed(game, ("evolved", evolved, text), header, unit, of, names);
            }
            let (found, needed) = (found_weights(text), names.len());
            if found.len() == needed {
                return Ok((found, unit));
            }
            let (name, given) = (evolved.name(), found.len());
            let reason = format!(
                "`{of}` has {needed} weights, but the optimisation `{name}` finds {given}; write `count = {needed}` in \
                 its gene"
            );
            Err(FitError::option("evolved", reason))
        }
        Source::File(file, text) => {
            let refused = |reason: String| FitError::option("file", format!("{}:{reason}", file.path()));
            match (file.row(), read_header(text)) {
                (None, Some(header)) => headed(game, ("file", file, text), header, unit, of, names),
                (row, _) => {
                    let weights = read_row(text, row.unwrap_or_default(), names);
                    let weights = weights.map_err(|error| refused(error.to_string()))?;
                    Ok((Numbers::Real(weights), Some(unit.unwrap_or(UNIT))))
                }
            }
        }
    }
}

/// The weights of a text with a header, which an option names.
fn headed(
    game: &str,
    (option, file, text): (&'static str, &FileValue, &str),
    header: Result<Header<'_>, WeightsError>,
    unit: Option<f64>,
    of: &str,
    names: &[String],
) -> Result<Weights, FitError> {
    let refused = |reason: String| FitError::option(option, format!("{}:{reason}", file.path()));
    let header = header.map_err(|error| refused(error.to_string()))?;
    if header.of != of {
        return Err(refused(format!("1: these are weights of `{}`, not of `{of}`", header.of)));
    }
    let weights = read_weights(text, &header, game, names);
    let weights = weights.map_err(|error| refused(error.to_string()))?;
    Ok((Numbers::Real(weights), Some(unit.unwrap_or(header.unit))))
}

/// The shapes, how squares are seen, and the stages that the header of a file states; see [`form_of`].
fn form_in(text: &str) -> Option<(&str, Seen, usize)> {
    let mut words = read_header(text)?.ok()?.of.split('/');
    let shapes = words.next()?;
    let seen = words.next().filter(|word| *word == seen_word(Seen::Inversion));
    let seen = seen.map_or(Seen::Negation, |_| Seen::Inversion);
    let stages = words.next().and_then(|stages| stages.parse().ok());
    Some((shapes, seen, stages.filter(|stages| (1..=MOST_STAGES).contains(stages)).unwrap_or(1)))
}

/// The names of the weights; with several stages, each with the number of its stage before it.
pub(super) fn staged_names(tables: &[TupleTable], stages: usize) -> Vec<String> {
    let names = tuple_names(tables);
    if stages == 1 {
        return names;
    }
    (1..=stages).flat_map(|stage| names.iter().map(move |name| format!("{stage}/{name}"))).collect()
}

/// The purpose of the weights of tuples.
pub(super) fn form_of(shapes: &str, seen: Seen, stages: usize) -> String {
    let seen = seen_word(seen);
    // The header of a file has spaces between its fields.
    let shapes: String = shapes.split_whitespace().collect();
    if stages == 1 { format!("{shapes}/{seen}") } else { format!("{shapes}/{seen}/{stages}") }
}
