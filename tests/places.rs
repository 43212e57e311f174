//! Every place of a manifest that takes a value, with a gene, a sweep and a reference in it: read, or refused with words.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::LazyLock;

use shikou::experiment::{Manifest, Optimised, Plan};
use shikou::game::options::{OptionDecl, OptionKind};
use shikou::players::Registry;
use toml::{Table, Value};

/// What may stand in place of a value.
const VALUES: [&str; 8] = [
    "{ gene = \"x\" }",
    "{ gene = \"w\" }",
    "{ gene = \"v\" }",
    "{ gene = \"nobody\" }",
    "{ each = [{ gene = \"x\" }, 1] }",
    "[{ gene = \"x\" }]",
    "{ evolved = \"before\" }",
    "{ each = [{ evolved = \"before\" }, 1, \"random\"] }",
];

/// The genes that they name.
const GENES: [(&str, &str); 3] = [
    ("x", "{ whole = [1, 4] }"),
    ("w", "{ words = [\"random\", \"uniform\"] }"),
    ("v", "{ count = 4, within = [0.0, 1.0] }"),
];

/// Reads a manifest, and plans it. Returns the error; or the text, if it panics.
fn read(path: &Path, text: &str) -> Result<Option<String>, String> {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| shikou::registry().into());
    let read = || {
        let manifest = Manifest::parse(path, text, &REGISTRY);
        let plan = manifest.and_then(|manifest| Plan::new(&Optimised::default().finish(manifest)));
        plan.err().map(|error| error.to_string())
    };
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| text.to_owned())
}

fn assert_none(panics: &[String]) {
    assert!(panics.is_empty(), "{} panics; the first:\n{}", panics.len(), panics[0]);
}

/// The paths of all options, also of parts and tables, with the text that stands around a value.
fn paths(declared: &[OptionDecl], (before, after): (&str, &str), found: &mut Vec<(String, String)>) {
    for decl in declared {
        found.push((format!("{before}{} = ", decl.name), after.to_owned()));
        match &decl.kind {
            OptionKind::Part { parts, .. } => {
                for part in parts {
                    let inside = format!("{before}{} = {{ {} = {{ ", decl.name, part.name);
                    // Evaluations are parts of themselves, without end.
                    if before.matches('{').count() < 4 {
                        paths(&part.options, (&inside, &format!(" }} }}{after}")), found);
                    }
                }
            }
            OptionKind::Tables(options) if before.matches('{').count() < 4 => {
                let inside = format!("{before}{} = [{{ ", decl.name);
                paths(options, (&inside, &format!(" }}]{after}")), found);
            }
            _ => {}
        }
    }
}

/// All options of all searchers and games, in the player of an optimisation and outside of it.
#[test]
fn every_option_takes_a_gene_a_sweep_and_a_reference_or_refuses_it() {
    let registry = shikou::registry();
    let (mut panics, mut tried) = (Vec::new(), 0);
    let mut try_all = |options: &[OptionDecl], text: &dyn Fn(&str) -> String, may_have_genes: bool| {
        let mut all = Vec::new();
        paths(options, ("", ""), &mut all);
        for (before, after) in all {
            // Elsewhere a gene is refused before anything is read.
            let values =
                VALUES.iter().enumerate().filter(|(index, _)| may_have_genes || [0, 6, 7].contains(index));
            for (_, value) in values {
                let text = text(&format!("{before}{value}{after}"));
                tried += 1;
                match read(Path::new("m.toml"), &text) {
                    Err(text) => panics.push(text),
                    Ok(error) => {
                        let is_refused =
                            error.is_some_and(|error| error.contains("has genes; others name its result"));
                        assert_eq!(is_refused, !may_have_genes && value.contains("gene"), "{text}");
                    }
                }
            }
        }
    };
    for searcher in registry.searchers() {
        let name = searcher.name;
        let optimisation = |option: &str| {
            // A gene that nothing names is a mistake, and nothing else is then read.
            let named = |(gene, _): &&(&str, &str)| option.contains(&format!("{{ gene = \"{gene}\" }}"));
            let genes = GENES
                .iter()
                .find(named)
                .map_or_else(String::new, |(gene, of)| format!("genes.{gene} = {of}\n"));
            format!(
                "schema = 1\n[[optimisation]]\ngame.othello.size = 4\ngenerations = 1\n{genes}player.search.{name} = {{ \
                 {option} }}\nmethod = \"genetic\"\nfitness = {{ against = \"random\", pairs = 1 }}\n"
            )
        };
        let experiment = |option: &str| {
            format!(
                "schema = 1\n[[experiment]]\ngame.othello.size = 4\ntrials = 1\nplayer = [\"random\", {{ search.{name} = {{ \
                 {option} }} }}]\n"
            )
        };
        let options = registry.searcher(name).unwrap().options();
        try_all(&options, &optimisation, true);
        try_all(&options, &experiment, false);
    }
    for name in registry.names() {
        let experiment = |option: &str| {
            format!(
                "schema = 1\n[[experiment]]\ngame.{name} = {{ {option} }}\ntrials = 1\nplayer = [\"random\"]\n"
            )
        };
        try_all(registry.options(name).unwrap(), &experiment, false);
    }
    assert!(tried > 1000, "{tried}");
    assert_none(&panics);
}

/// The paths of all values below a value that are no tables, without the places in lists as text.
fn leaves(value: &Value, path: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                path.push(Step::Key(key.clone()));
                found.push(path.clone());
                leaves(value, path, found);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Item(index));
                found.push(path.clone());
                leaves(item, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Leaves of each sweep the first value and those with places of their own.
fn shorten(value: &mut Value) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                if let (Value::Array(items), "each") = (&mut *value, key.as_str()) {
                    let mut first = true;
                    items.retain(|item| std::mem::take(&mut first) || item.is_table());
                }
                shorten(value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        _ => {}
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Key(String),
    Item(usize),
}

/// The value at a path, to be changed.
fn at<'v>(value: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Key(key) => value.get_mut(key).unwrap(),
        Step::Item(index) => value.get_mut(index).unwrap(),
    })
}

/// Every value of manifests with trainings, optimisations and experiments, each kind of place once.
#[test]
fn every_value_of_a_manifest_takes_a_gene_a_sweep_and_a_reference_or_refuses_it() {
    let (mut panics, mut seen) = (Vec::new(), BTreeSet::new());
    for name in ["league-record", "calculation-policy", "source-n-training", "source-g", "tune-uct", "tour"] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments").join(name).with_extension("toml");
        let whole: Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let mut all = Vec::new();
        let mut whole = Value::Table(whole);
        shorten(&mut whole);
        let error = read(&path, &toml::to_string(&whole).unwrap()).unwrap();
        assert!(error.is_none_or(|error| error.contains("there is no file \"data:")), "{name}");
        leaves(&whole, &mut Vec::new(), &mut all);
        for place in all {
            let kind: Vec<Step> = place.iter().filter(|step| matches!(step, Step::Key(_))).cloned().collect();
            if !seen.insert(kind) {
                continue;
            }
            for value in [VALUES[0], VALUES[4], VALUES[6]] {
                let value: Table = format!("value = {value}").parse().unwrap();
                let mut changed = whole.clone();
                *at(&mut changed, &place) = value["value"].clone();
                let is_optimised = place[0] == Step::Key("optimisation".into())
                    && matches!(place.get(2), Some(Step::Key(key)) if ["player", "genes"].contains(&key.as_str()));
                match read(&path, &toml::to_string(&changed).unwrap()) {
                    Err(text) => panics.push(format!("{place:?}\n{text}")),
                    Ok(error) if !is_optimised && value.to_string().contains("gene") && place.len() > 2 => {
                        assert!(
                            error.is_some_and(|error| error.contains("has genes; others name its result")),
                            "{place:?} = {value}"
                        );
                    }
                    Ok(_) => {}
                }
            }
        }
    }
    assert!(seen.len() > 100, "{}", seen.len());
    assert_none(&panics);
}
