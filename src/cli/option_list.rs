//! The options of a game, a searcher or a part, as they are listed.

use serde::Serialize;

use crate::game::options::{OptionDecl, OptionError, OptionKind};
use crate::players::Named;
use crate::report::{Block, Document, Table};

#[derive(Serialize)]
pub(super) struct OptionView {
    pub(super) name: &'static str,
    pub(super) default: String,
    pub(super) takes: String,
    about: &'static str,
    /// The possible values, if they are words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<Named>,
    /// The values that take options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartView>,
}

#[derive(Serialize)]
pub(super) struct PartView {
    name: &'static str,
    options: Vec<OptionView>,
}

/// An option as it is listed, with its parts and their options.
pub(super) fn option_view(decl: &OptionDecl) -> OptionView {
    let words = match &decl.kind {
        OptionKind::Choice(words) => words.iter().map(|&(name, about)| Named { name, about }).collect(),
        OptionKind::Part { parts, .. } => {
            parts.iter().map(|part| Named { name: part.name, about: part.about }).collect()
        }
        _ => Vec::new(),
    };
    let parts = match &decl.kind {
        OptionKind::Part { parts, .. } => parts
            .iter()
            .filter(|part| !part.options.is_empty())
            .map(|part| PartView { name: part.name, options: part.options.iter().map(option_view).collect() })
            .collect(),
        _ => Vec::new(),
    };
    OptionView {
        name: decl.name,
        default: decl.default.to_string(),
        takes: decl.kind.to_string(),
        about: decl.about,
        words,
        parts,
    }
}

/// The options as a table, what the words of each choice mean, and the parts that have options of their own. `place` is the
/// path of the part that the options belong to; empty for the whole.
pub(super) fn option_blocks(options: &[OptionView], place: &str, command: &str) -> Vec<Block> {
    if options.is_empty() {
        return vec!["No options.".into()];
    }
    let mut table = Table::new(&["<option", "<default", "<what it does", "<takes"]);
    let mut meanings = Table::new(&["<value", "<what it means"]);
    let mut parts = Table::new(&["<part", "<its options"]);
    for option in options {
        table.row([option.name, &option.default, option.about, &option.takes]);
        // An option of the default part is as likely to be wanted as one of the searcher itself.
        for part in option.parts.iter().filter(|part| option.default == format!("{:?}", part.name)) {
            for inner in &part.options {
                let name = under("", &[option.name, part.name, inner.name]);
                table.row([&name, &inner.default, inner.about, &inner.takes]);
            }
        }
        for word in &option.words {
            meanings.row([format!("{} = {:?}", option.name, word.name), word.about.into()]);
        }
        for part in &option.parts {
            let names: Vec<&str> = part.options.iter().map(|option| option.name).collect();
            parts.row([under(place, &[option.name, part.name]), names.join(", ")]);
        }
    }
    let has_parts = !parts.is_empty();
    let tables = [table, meanings, parts].into_iter().filter(|table| !table.is_empty());
    let mut blocks: Vec<Block> = tables.map(Block::Table).collect();
    blocks.extend(has_parts.then(|| format!("`shikou {command} PART` shows the options of a part.").into()));
    blocks
}

fn under(place: &str, names: &[&str]) -> String {
    let place = (!place.is_empty()).then_some(place);
    place.into_iter().chain(names.iter().copied()).collect::<Vec<_>>().join(".")
}

/// The options of the part at a path such as `policy.softmax`, or the one option at a path such as `policy`, with the path of
/// the part that they belong to.
fn part_at<'o>(options: &'o [OptionView], path: &str) -> Result<(String, &'o [OptionView]), OptionError> {
    let (mut place, mut options) = (String::new(), options);
    let mut names = path.split('.');
    while let Some(name) = names.next() {
        let Some(option) = options.iter().find(|option| option.name == name) else {
            return Err(OptionError::unknown("option", name, options.iter().map(|option| option.name)));
        };
        let Some(name) = names.next() else { return Ok((place, std::slice::from_ref(option))) };
        let Some(part) = option.parts.iter().find(|part| part.name == name) else {
            return Err(OptionError::unknown("part", name, option.parts.iter().map(|part| part.name)));
        };
        place = under(&place, &[option.name, part.name]);
        options = &part.options;
    }
    Ok((place, options))
}

/// The options of one part of a game or a searcher; `command` lists what `name` names.
pub(super) fn part_document(
    name: &str,
    options: &[OptionView],
    path: &str,
    command: &str,
) -> Result<Document, OptionError> {
    let (place, options) = part_at(options, path)?;
    let mut blocks = vec![format!("{name}: {path}").into()];
    blocks.extend(option_blocks(options, &place, &format!("{command} {name}")));
    Ok(Document(blocks))
}
