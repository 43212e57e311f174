//! Options read: what was typed, checked against the declarations.
//!
//! Besides an option's own name three short forms are accepted: a [synonym](super::meant), a path to an option of a part
//! (`selection.ucb1.exploration`, or `selection.exploration` for the default part), and the name of such an option alone
//! (`exploration`), if only one of the chosen parts has it. The options that are read do not show how they were typed, so
//! neither does the identity of a trial.

use super::part::Part;
use super::refusal::{of_another_scale, of_another_searcher};
use super::typed::{named_with_options, pieces};
use super::{
    Misread, OptionDecl, OptionError, OptionKind, OptionValue, Options, PartDecl, Place, Typed, TypedItem,
    TypedValue, meant, nearest,
};

/// Options with their places.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedOptions {
    /// The options.
    pub options: Options,
    /// The places of the values that were typed, those of options in parts after the others.
    pub places: Vec<(String, Place)>,
}

impl Options {
    /// The declared options with the values that were typed, and defaults for the rest. `whole` is the place of all of them.
    ///
    /// # Errors
    /// All mistakes: names that are not declared, values out of range, options that are missing or given twice.
    pub fn read(
        declared: &[OptionDecl],
        typed: Vec<Typed>,
        whole: &Place,
    ) -> Result<PlacedOptions, Vec<Misread>> {
        let slots = declared.iter().map(|_| None).collect();
        let mut reader = Reader { declared, slots, mistakes: Vec::new() };
        let (known, unplaced): (Vec<_>, Vec<_>) =
            typed.into_iter().partition(|typed| position(declared, &typed.name).is_some());
        for typed in known {
            let kept = reader.put(typed);
            reader.note(kept);
        }
        for typed in unplaced {
            let kept = reader.put_in_part(typed);
            reader.note(kept);
        }
        reader.finish(whole)
    }
}

/// The index of the option that a name means.
pub fn position(declared: &[OptionDecl], name: &str) -> Option<usize> {
    let name = meant(name, declared.iter().flat_map(OptionDecl::names))?;
    declared.iter().position(|decl| decl.names().any(|known| known == name))
}

/// An option's value as typed, with its place.
struct Slot {
    value: Given,
    at: Place,
}

enum Given {
    Value(OptionValue),
    /// A part by its name, with the options that were typed.
    Part(&'static str, Vec<Typed>),
    Tables(Vec<(Vec<Typed>, Place)>),
    Texts(Vec<(String, Place)>),
}

struct Reader<'d> {
    declared: &'d [OptionDecl],
    slots: Vec<Option<Slot>>,
    mistakes: Vec<Misread>,
}

impl Reader<'_> {
    fn note(&mut self, kept: Result<(), Misread>) {
        self.mistakes.extend(kept.err());
    }

    /// Keeps an option that is declared.
    fn put(&mut self, typed: Typed) -> Result<(), Misread> {
        let index = position(self.declared, &typed.name).expect("it is declared");
        let decl = &self.declared[index];
        if let Some(error) = of_another_scale(decl, &typed).or_else(|| of_another_searcher(decl, &typed)) {
            return Err(Misread::other(typed.at, error));
        }
        if self.slots[index].is_some() {
            return Err(Misread::other(typed.at, format!("option `{}` is given twice", decl.name)));
        }
        let at = typed.value_at.clone();
        // An option that cannot be read is given all the same.
        self.slots[index] = Some(Slot { value: Given::Value(decl.default.clone()), at: at.clone() });
        self.slots[index] = Some(Slot { value: given(decl, typed)?, at });
        Ok(())
    }

    /// Keeps an option of a part that was typed without the part.
    fn put_in_part(&mut self, typed: Typed) -> Result<(), Misread> {
        let has = |part: &PartDecl| position(&part.options, &typed.name).is_some();
        let owners: Vec<usize> =
            (0..self.declared.len()).filter(|&at| self.chosen(at).is_some_and(has)).collect();
        if let [index] = owners[..] {
            let part = self.chosen(index).expect("it has the option").name;
            let at = typed.value_at.clone();
            let slot = self.slots[index].get_or_insert(Slot { value: Given::Part(part, Vec::new()), at });
            match &mut slot.value {
                Given::Part(_, options) => options.push(typed),
                _ => slot.value = Given::Part(part, vec![typed]),
            }
            return Ok(());
        }
        let unknown = in_parts(self.declared, &typed.name, &typed.name).unwrap_or_else(|| {
            OptionError::unknown("option", &typed.name, self.declared.iter().map(|decl| decl.name))
        });
        Err(Misread::new(typed.at, unknown))
    }

    /// The part that an option is, if it is one with options.
    fn chosen(&self, index: usize) -> Option<&PartDecl> {
        let decl = &self.declared[index];
        let name = match &self.slots[index] {
            Some(Slot { value: Given::Part(name, _), .. }) => name,
            Some(Slot { value: Given::Value(OptionValue::Part(part)), .. }) => part.name.as_str(),
            Some(_) => return None,
            None => default_part(decl)?.name,
        };
        parts_of(decl).iter().find(|part| part.name == name)
    }

    fn finish(self, whole: &Place) -> Result<PlacedOptions, Vec<Misread>> {
        let (mut values, mut mistakes) = (Vec::new(), self.mistakes);
        let (mut places, mut inner) = (Vec::new(), Vec::new());
        for (decl, slot) in self.declared.iter().zip(self.slots) {
            let Some(Slot { value, at }) = slot else {
                if let OptionValue::Needed(example) = &decl.default
                    && !mistakes.iter().any(|misread| misread.error.suggests(decl.name))
                {
                    let example = format!("{} = {example}", decl.name);
                    let missing = OptionError::Missing { name: decl.name, example };
                    mistakes.push(Misread::new(whole.clone(), missing));
                }
                values.push((decl.clone(), decl.default.clone()));
                continue;
            };
            places.push((decl.name.to_owned(), at.clone()));
            let value = match value {
                Given::Value(value) => Ok(value),
                Given::Part(name, typed) => {
                    let part = decl.part_decl(name).expect("it is one of the parts");
                    let read = Options::read(&part.options, typed, &at).map(|read| {
                        inner.extend(read.places);
                        OptionValue::Part(Part { name: name.into(), options: read.options })
                    });
                    read.map_err(|found| {
                        found.into_iter().map(|misread| in_part(decl, part, misread)).collect()
                    })
                }
                Given::Tables(tables) => read_tables(decl, tables, &mut inner),
                Given::Texts(texts) => {
                    let (texts, at): (Vec<String>, Vec<Place>) = texts.into_iter().unzip();
                    let named = |(index, at)| (format!("{}[{index}]", decl.name), at);
                    inner.extend(at.into_iter().enumerate().map(named));
                    Ok(texts.into())
                }
            };
            let accept =
                |value| decl.accept(value).map_err(|invalid| vec![Misread::new(at.clone(), invalid)]);
            match value.and_then(accept) {
                Ok(value) => values.push((decl.clone(), value)),
                Err(found) => mistakes.extend(found),
            }
        }
        places.extend(inner);
        if mistakes.is_empty() {
            return Ok(PlacedOptions { options: Options(values), places });
        }
        mistakes.sort_by_key(|misread| misread.at.start);
        Err(mistakes)
    }
}

/// The tables of a list, checked. Appends their places.
fn read_tables(
    decl: &OptionDecl,
    tables: Vec<(Vec<Typed>, Place)>,
    places: &mut Vec<(String, Place)>,
) -> Result<OptionValue, Vec<Misread>> {
    let OptionKind::Tables(options) = &decl.kind else { unreachable!("it takes tables") };
    let (mut read, mut mistakes) = (Vec::new(), Vec::new());
    for (typed, at) in tables {
        match Options::read(options, typed, &at) {
            Ok(table) => {
                places.extend(table.places);
                places.push((decl.name.into(), at));
                read.push(table.options);
            }
            Err(found) => mistakes.extend(found),
        }
    }
    if mistakes.is_empty() { Ok(OptionValue::Tables(read)) } else { Err(mistakes) }
}

/// A mistake in the options of a part, with the part that has an option which this part has not, or with the whole path.
fn in_part(decl: &OptionDecl, part: &PartDecl, misread: Misread) -> Misread {
    let error = match misread.error {
        OptionError::Missing { name, .. } => OptionError::Missing {
            name,
            example: format!("{}.{} = {}", decl.name, part.name, part.example()),
        },
        OptionError::Unknown { ref name, suggestion: None, .. } => {
            let has = |other: &&PartDecl| position(&other.options, name).is_some();
            let Some(other) = parts_of(decl).iter().find(has) else { return misread };
            OptionError::Other(format!("`{}` has no option `{name}`; `{}` has it", part.name, other.name))
        }
        error => error,
    };
    Misread { error, ..misread }
}

/// The error for an option that only parts have, with its paths; `shown` is what was typed.
fn in_parts(declared: &[OptionDecl], name: &str, shown: &str) -> Option<OptionError> {
    let parts = declared.iter().flat_map(|decl| parts_of(decl).iter().map(move |part| (decl.name, part)));
    let paths = parts.filter_map(|(whole, part)| {
        let option = &part.options[position(&part.options, name)?];
        Some(format!("`{whole}.{}.{}`", part.name, option.name))
    });
    let paths: Vec<String> = paths.collect();
    let unknown =
        || OptionError::Other(format!("unknown option `{shown}`; did you mean {}?", paths.join(" or ")));
    (!paths.is_empty()).then(unknown)
}

/// Whether a key is a likely guess where a name is a key itself, as in `{ name = "othello", size = 6 }`.
pub fn is_name_key(key: &str) -> bool {
    matches!(key, "name" | "kind" | "type")
}

/// The advice to write a name as a key, for a table with other keys too.
pub fn name_as_value<'k>(key: &str, name: &str, keys: impl IntoIterator<Item = &'k str>) -> String {
    let others = keys.into_iter().filter(|key| !is_name_key(key)).map(|key| format!("{key} = …"));
    let others: Vec<String> = others.collect();
    let options = if others.is_empty() { "{}".into() } else { format!("{{ {} }}", others.join(", ")) };
    format!("the name must be a key, not the value of one; write `{key}.{name} = {options}`")
}

fn parts_of(decl: &OptionDecl) -> &[PartDecl] {
    if let OptionKind::Part { parts, .. } = &decl.kind { parts } else { &[] }
}

fn default_part(decl: &OptionDecl) -> Option<&PartDecl> {
    let OptionValue::Part(default) = &decl.default else { return None };
    parts_of(decl).iter().find(|part| part.name == default.name)
}

fn given(decl: &OptionDecl, typed: Typed) -> Result<Given, Misread> {
    let Typed { name, value, value_at: at, .. } = typed;
    match (&decl.kind, value) {
        (OptionKind::Part { .. }, TypedValue::Text(text)) => part_of_text(decl, &text, &at, |place| place),
        (OptionKind::Part { .. }, TypedValue::Value(OptionValue::Word(text))) => {
            // A document may write some letters in another way, so no place inside the text is known.
            part_of_text(decl, &text, &(0..0), |_| at.clone())
        }
        (OptionKind::Part { .. }, TypedValue::Table(table)) => part_of_table(decl, table, at),
        (OptionKind::Tables(_), TypedValue::Text(text)) => tables_of_text(decl, &text, &at),
        (OptionKind::Tables(_), TypedValue::Table(table))
            if let Some(value) = decl.kind.named_value()
                && !table.iter().any(|typed| misspelt_axis(typed).is_some()) =>
        {
            Ok(Given::Tables(table.into_iter().map(|entry| named_entry(entry, value.name)).collect()))
        }
        (OptionKind::Tables(_), TypedValue::List(items)) => {
            let table = |item: TypedItem| match item.value {
                TypedValue::Table(table) => Ok((table, item.at)),
                _ => Err(no_table(decl, item.at)),
            };
            items.into_iter().map(table).collect::<Result<_, _>>().map(Given::Tables)
        }
        (_, TypedValue::Text(text)) => Ok(Given::Value(decl.plain(&text))),
        (_, TypedValue::Value(value)) => Ok(Given::Value(value)),
        (OptionKind::Numbers { whole, .. }, TypedValue::List(items)) => {
            let integer =
                |value: &_| if let OptionValue::Integer(number) = value { Some(*number) } else { None };
            let real = |value: &_| match value {
                OptionValue::Real(number) => Some(*number),
                value => integer(value).map(|number| number as f64),
            };
            let numbers = match each(&name, "a whole number", &items, integer) {
                Err(_) if !whole => each(&name, "a number", &items, real)?.into(),
                numbers => numbers?.into(),
            };
            Ok(Given::Value(numbers))
        }
        (OptionKind::Command | OptionKind::Texts { .. }, TypedValue::List(items)) => {
            let word =
                |value: &_| if let OptionValue::Word(word) = value { Some(word.clone()) } else { None };
            let words = each(&name, "a list of texts", &items, word)?;
            if decl.kind == OptionKind::Command {
                return Ok(Given::Value(words.into()));
            }
            Ok(Given::Texts(words.into_iter().zip(items.into_iter().map(|item| item.at)).collect()))
        }
        (_, TypedValue::List(_)) => Err(not_single(&name, "a list", at)),
        (_, TypedValue::Table(table)) => {
            let axis = table.iter().find_map(misspelt_axis);
            Err(axis.unwrap_or_else(|| not_single(&name, "a table", at)))
        }
    }
}

/// The values of a list, each of them what is said.
fn each<T>(
    name: &str,
    what: &str,
    items: &[TypedItem],
    read: impl Fn(&OptionValue) -> Option<T>,
) -> Result<Vec<T>, Misread> {
    let item = |item: &TypedItem| {
        let found = match &item.value {
            TypedValue::Value(value) if let Some(read) = read(value) => return Ok(read),
            TypedValue::Text(_) | TypedValue::Value(OptionValue::Word(_)) => "a text",
            TypedValue::Value(value) => value.kind(),
            TypedValue::List(_) => "a list",
            TypedValue::Table(_) => "a table",
        };
        Err(Misread::other(item.at.clone(), format!("`{name}` must be {what}, not {found}")))
    };
    items.iter().map(item).collect()
}

fn no_table(decl: &OptionDecl, at: Place) -> Misread {
    Misread::other(at, format!("`{}` takes {}", decl.name, decl.kind))
}

/// A table of a name and the value that it has.
fn named_entry(entry: Typed, value: &str) -> (Vec<Typed>, Place) {
    let at = entry.at.start..entry.value_at.end;
    let name = TypedValue::Value(entry.name.as_str().into());
    let name = Typed { name: "name".into(), at: entry.at.clone(), value: name, value_at: entry.at.clone() };
    (vec![name, Typed { name: value.into(), ..entry }], at)
}

/// Tables as `[(option=value,…),…]`, or values of names as `(name=value,…)`.
fn tables_of_text(decl: &OptionDecl, text: &str, at: &Place) -> Result<Given, Misread> {
    let entries = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    if let Some((entries, value)) = entries.zip(decl.kind.named_value()) {
        let entries = Typed::read_list(entries, at.start + 1, false)?;
        return Ok(Given::Tables(entries.into_iter().map(|entry| named_entry(entry, value.name)).collect()));
    }
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let inner = inner.ok_or_else(|| no_table(decl, at.clone()))?;
    let table = |(begin, piece): (usize, &str)| {
        let begin = at.start + 1 + begin;
        let place = begin..begin + piece.len();
        let options = piece.strip_prefix('(').and_then(|piece| piece.strip_suffix(')'));
        let options = options.ok_or_else(|| no_table(decl, place.clone()))?;
        Ok((Typed::read_list(options, begin + 1, false)?, place))
    };
    pieces(inner).into_iter().map(table).collect::<Result<_, _>>().map(Given::Tables)
}

/// The error for a key that is nearly that of a sweep, or is that where none may be.
fn misspelt_axis(typed: &Typed) -> Option<Misread> {
    if typed.name == "each" {
        return Some(Misread::other(typed.at.clone(), "no sweep is over this key; write one value"));
    }
    nearest(&typed.name, ["each"])?;
    Some(Misread::new(typed.at.clone(), OptionError::unknown("key", &typed.name, ["each"])))
}

fn not_single(name: &str, what: &str, at: Place) -> Misread {
    let message = format!(
        "`{name}` must be a single value, not {what}; several are written `{name} = {{ each = [1, 2] }}`"
    );
    Misread::other(at, message)
}

/// A part as `name` or `name(option=value,…)`; `place` moves the places of the text.
fn part_of_text(
    decl: &OptionDecl,
    text: &str,
    at: &Place,
    place: impl Fn(Place) -> Place,
) -> Result<Given, Misread> {
    let named = named_with_options(text).map_err(|invalid| Misread::new(place(at.clone()), invalid))?;
    let (name, Some((begin, options))) = named else {
        let name = text.trim_matches('"');
        let part = parts_of(decl).iter().find(|part| part.name == name);
        return Ok(part.map_or_else(|| Given::Value(name.into()), |part| Given::Part(part.name, Vec::new())));
    };
    if takes_as_name(decl, name) && options.trim().is_empty() {
        return Ok(Given::Value(name.into()));
    }
    let name_at = at.start..at.start + name.len();
    let part = decl.part_decl(name).map_err(|invalid| Misread::new(place(name_at), invalid))?;
    let options = Typed::read_list(options, at.start + begin, false);
    let options = options.map_err(|misread| Misread { at: place(misread.at), ..misread })?;
    Ok(Given::Part(part.name, options.into_iter().map(|typed| typed.moved(&place)).collect()))
}

/// Whether an option takes a name that is no part of it, and is not nearly one.
fn takes_as_name(decl: &OptionDecl, name: &str) -> bool {
    matches!(decl.kind, OptionKind::Part { names: Some(_), .. })
        && nearest(name, parts_of(decl).iter().map(|part| part.name)).is_none()
}

/// A part as a table: its name with a table of options, or options of the default part. A name that takes no options may have an
/// empty table.
fn part_of_table(decl: &OptionDecl, table: Vec<Typed>, at: Place) -> Result<Given, Misread> {
    let find = |name: &str| parts_of(decl).iter().find(|part| part.name == name);
    let key = decl.name;
    if let [only] = &table[..]
        && let Some(part) = find(&only.name)
    {
        if let (TypedValue::List(_), [inner]) = (&only.value, &part.options[..])
            && let OptionKind::Tables(_) = inner.kind
        {
            return Ok(Given::Part(part.name, vec![Typed { name: inner.name.into(), ..only.clone() }]));
        }
        let TypedValue::Table(options) = &only.value else {
            let message = format!(
                "the options of `{0}` must be a table; write for example `{key}.{0} = {1}`",
                only.name,
                part.example()
            );
            return Err(Misread::other(only.value_at.clone(), message));
        };
        return Ok(Given::Part(part.name, options.clone()));
    }
    if let [only] = &table[..]
        && takes_as_name(decl, &only.name)
        && matches!(&only.value, TypedValue::Table(options) if options.is_empty())
    {
        return Ok(Given::Value(only.name.as_str().into()));
    }
    let default = default_part(decl).filter(|part| {
        !table.is_empty() && table.iter().all(|typed| position(&part.options, &typed.name).is_some())
    });
    let named = table.iter().find_map(|typed| match &typed.value {
        TypedValue::Value(OptionValue::Word(name)) if is_name_key(&typed.name) => Some(name),
        _ => None,
    });
    match (default, &table[..]) {
        (Some(part), _) => Ok(Given::Part(part.name, table)),
        (None, _) if let Some(name) = named => {
            let keys = table.iter().map(|typed| typed.name.as_str());
            Err(Misread::other(at, name_as_value(key, name, keys)))
        }
        (None, [only]) => {
            if let Some(misread) = misspelt_axis(only) {
                return Err(misread);
            }
            let shown = format!("{key}.{}", only.name);
            let unknown = in_parts(std::slice::from_ref(decl), &only.name, &shown)
                .unwrap_or_else(|| decl.part_decl(&only.name).expect_err("it is none of the parts"));
            Err(Misread::new(only.at.clone(), unknown))
        }
        (None, _) => {
            let names: Vec<&str> = table.iter().map(|typed| typed.name.as_str()).collect();
            let has_all = |part: &&PartDecl| names.iter().all(|name| position(&part.options, name).is_some());
            let named = names.iter().find_map(|name| find(name));
            let error = match parts_of(decl).iter().find(|part| named.is_none() && has_all(part)) {
                Some(part) if !names.is_empty() => OptionError::Other(format!(
                    "{} are options of `{1}`; write `{key}.{1} = {{ {2} = …, … }}`",
                    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
                    part.name,
                    names[0]
                )),
                _ => {
                    let example = match named {
                        Some(part) => Some(format!("`{key}.{} = {}`", part.name, part.example())),
                        None => names.first().map(|name| format!("`{key}.{name} = {{}}`")),
                    };
                    OptionError::not_one(key, &names, example)
                }
            };
            Err(Misread::new(at, error))
        }
    }
}
