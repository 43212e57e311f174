//! Players of a manifest, with values in place of their genes.

use std::sync::Arc;

use crate::game::options::{OptionDecl, OptionError, OptionKind, OptionValue, Options, Wording};
use crate::players::SearcherSpec;

/// A player in an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// The name, unique in the experiment.
    pub name: String,
    /// Which searcher with which options.
    pub searcher: SearcherSpec,
    /// A name for a random stream of its own, so that a player can meet itself.
    pub stream: Option<String>,
    /// The values that a sweep chose for it: the option and its value as text. Not part of its content.
    pub swept: Vec<(String, String)>,
}

impl PlayerSpec {
    /// The content of the player without its name: its part in a trial's identity.
    pub fn content(&self) -> String {
        match &self.stream {
            None => self.searcher.text(Wording::Identity),
            Some(stream) => format!("{} stream={stream:?}", self.searcher.text(Wording::Identity)),
        }
    }
}

pub(super) fn reduce(players: &mut [PlayerSpec], has_evaluation: bool) {
    for player in players {
        player.searcher = player.searcher.reduced(has_evaluation);
    }
}

/// A player with values in place of its genes; a gene without a value stays.
///
/// # Errors
/// If an option does not take a value.
pub fn filled(
    player: &SearcherSpec,
    value_of: impl Fn(&str) -> Option<OptionValue>,
) -> Result<SearcherSpec, OptionError> {
    let fill = |_: &OptionDecl, value: &OptionValue| match value {
        OptionValue::Gene(name) => value_of(name).unwrap_or_else(|| value.clone()),
        value => value.clone(),
    };
    player.map(&fill)
}

/// The name of a gene of another optimisation, in a player that is its result.
pub fn gene_of(run: &str, gene: &str) -> String {
    format!("{run}:{gene}")
}

/// The name of the optimisation or the training whose result the player needs, if that is not known yet.
pub fn waits_for(player: &SearcherSpec) -> Option<String> {
    let waits = |(decl, value): (&OptionDecl, &OptionValue)| match value {
        OptionValue::Gene(name) => Some(name.rsplit_once(':').map_or(name.as_str(), |(run, _)| run).into()),
        OptionValue::File(file)
            if decl.kind == OptionKind::Evolved && file.content().is_none() && !file.name().is_empty() =>
        {
            Some(file.name().to_owned())
        }
        _ => None,
    };
    find_in(player, &waits)
}

pub(crate) fn has_genes(player: &SearcherSpec) -> bool {
    let gene = |(_, value): (&OptionDecl, &OptionValue)| matches!(value, OptionValue::Gene(_)).then_some(());
    find_in(player, &gene).is_some()
}

/// The first that `find` finds among the options and the open limits of a player.
fn find_in<T>(player: &SearcherSpec, find: &impl Fn((&OptionDecl, &OptionValue)) -> Option<T>) -> Option<T> {
    let open = || player.open_budget.as_ref().and_then(|limits| find_below(limits, find));
    find_below(&player.options, find).or_else(open)
}

/// The first that `find` finds among options, also in their parts and tables.
fn find_below<T>(options: &Options, find: &impl Fn((&OptionDecl, &OptionValue)) -> Option<T>) -> Option<T> {
    options.iter().find_map(|(decl, value)| match value {
        OptionValue::Part(part) => find_below(&part.options, find),
        OptionValue::Tables(tables) => tables.iter().find_map(|table| find_below(table, find)),
        _ => find((decl, value)),
    })
}

/// Fills in the evaluations whose weights are the result of an optimisation or a training; one without a content stays.
///
/// # Errors
/// The first error of `content_of`.
pub fn fill_evaluations<E>(
    player: &mut SearcherSpec,
    content_of: &mut impl FnMut(&str) -> Result<Option<Arc<[u8]>>, E>,
) -> Result<(), E> {
    player.options.change_files(&mut |decl, file| {
        if decl.kind == OptionKind::Evolved
            && let Some(content) = content_of(file.name())?
        {
            *file = file.clone().with_content(content);
        }
        Ok(())
    })
}

/// A vector as the content of a file: a number in each line.
pub fn vector_content(vector: &OptionValue) -> Arc<[u8]> {
    let lines: Vec<String> = match vector {
        OptionValue::Integers(numbers) => numbers.iter().map(ToString::to_string).collect(),
        OptionValue::Reals(numbers) => numbers.iter().map(|number| format!("{number:?}")).collect(),
        other => unreachable!("{other} is no vector"),
    };
    lines.join("\n").into_bytes().into()
}
