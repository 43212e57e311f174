//! The crates and their rooms: which may import which.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of each crate, lowest first, with its rooms. Between crates the compiler holds the walls too.
const CRATES: &[(&str, &[&str])] = &[
    ("crates/base/src", &["words", "rng"]),
    ("crates/stats/src", &["stats"]),
    ("crates/core/src", &["device", "game", "search"]),
    ("crates/learn/src", &["optimise", "learn"]),
    ("crates/games/src", &["games"]),
    ("crates/players/src", &["engine", "players", "exact"]),
    ("crates/manifest/src", &["manifest"]),
    ("crates/lab/src", &["experiment"]),
    ("crates/report/src", &["report", "profile"]),
    ("src", &["serve", "validate", "cli"]),
];

/// Each room, lowest first, with the rooms that it may import. The table in `docs/design.md` has the same.
const ROOMS: &[(&str, &[&str])] = &[
    ("words", &[]),
    ("device", &[]),
    ("rng", &[]),
    ("stats", &["rng"]),
    ("game", &["words", "device", "rng"]),
    ("optimise", &["words", "rng", "stats", "game"]),
    ("learn", &["words", "rng", "stats", "game"]),
    ("games", &["words", "device", "rng", "game"]),
    ("search", &["words", "rng", "game"]),
    ("engine", &["words", "search"]),
    ("players", &["words", "rng", "game", "learn", "games", "search", "engine"]),
    ("serve", &["words", "rng", "game", "search", "players", "engine"]),
    ("exact", &["words", "rng", "game", "search", "players"]),
    ("manifest", &["words", "rng", "stats", "optimise", "game", "learn", "search", "players"]),
    (
        "experiment",
        &["words", "rng", "stats", "optimise", "game", "learn", "search", "players", "engine", "manifest"],
    ),
    ("report", &["words", "stats", "experiment"]),
    ("profile", &["words", "rng", "stats", "game", "search", "players", "experiment", "report"]),
    (
        "validate",
        &[
            "words",
            "rng",
            "stats",
            "optimise",
            "game",
            "learn",
            "games",
            "search",
            "players",
            "exact",
            "experiment",
            "report",
            "profile",
        ],
    ),
    (
        "cli",
        &[
            "words",
            "rng",
            "stats",
            "optimise",
            "game",
            "learn",
            "games",
            "search",
            "engine",
            "players",
            "serve",
            "exact",
            "experiment",
            "report",
            "profile",
            "validate",
        ],
    ),
];

/// The rooms inside `experiment`, lowest first, with those that each may import.
const EXPERIMENT: &[(&str, &[&str])] = &[
    ("line", &[]),
    ("plan", &["line"]),
    ("fingerprint", &["plan"]),
    ("trial", &["line", "plan", "fingerprint"]),
    ("host", &["trial", "fingerprint"]),
    ("store", &["line", "plan", "trial", "host", "fingerprint"]),
    ("training", &["line", "trial", "store"]),
    ("optimisation", &["line", "trial", "fingerprint", "store", "training"]),
    ("stopping", &["plan", "trial", "store"]),
    ("summary", &["line", "plan", "fingerprint", "trial", "store", "training", "optimisation", "stopping"]),
    ("explore", &["plan", "trial", "store", "summary"]),
];

/// Everything that must not print: all rooms but `cli`.
const PRINTING: [&str; 5] = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];

fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.into()];
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.is_dir() || path.extension().is_some_and(|e| e == "rs"))
        .flat_map(|path| sources(&path))
        .collect()
}

/// The folder of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of a room, below that of the repository.
fn folder(room: &str) -> String {
    let (folder, _) = CRATES.iter().find(|(_, rooms)| rooms.contains(&room)).unwrap();
    let below = format!("{folder}/{room}");
    if root().join(&below).is_dir() { below } else { (*folder).to_owned() }
}

/// The files of a room with their lines of code: no comments.
fn files(room: &str) -> Vec<(PathBuf, Vec<String>)> {
    let code = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect();
        (path, lines)
    };
    sources(&root().join(folder(room))).into_iter().map(code).collect()
}

/// A file of the repository as text.
fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// A file's code and the tests at its end. Other items may be for tests only, and a declaration `mod tests;` ends
/// nothing.
fn code_and_tests(lines: &[String]) -> (&[String], &[String]) {
    let begins = |pair: &[String]| {
        let words: Vec<_> = pair[1].split_whitespace().collect();
        pair[0].trim() == "#[cfg(test)]" && words.ends_with(&["mod", "tests", "{"])
    };
    lines.split_at(lines.windows(2).position(begins).unwrap_or(lines.len()))
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The rooms of the crate that a line of code names.
fn imports(line: &str) -> impl Iterator<Item = String> + '_ {
    imports_below("crate::", line)
}

/// The names directly below a path that a line of code names.
fn imports_below<'l>(path: &'l str, line: &'l str) -> impl Iterator<Item = String> + 'l {
    line.match_indices(path).flat_map(|(at, found)| {
        let rest = &line[at + found.len()..];
        let names = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap());
        let word = |text: &str| {
            text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        };
        if rest.starts_with('{') { names.split(',').map(word).collect() } else { vec![word(names)] }
    })
}

#[test]
fn rooms_import_only_what_they_may() {
    // A crate that is one room has its modules at the top.
    let is_room = |name: &str| ROOMS.iter().any(|(room, _)| *room == name);
    for (room, allowed) in ROOMS {
        for (path, lines) in files(room) {
            for (number, line) in lines.iter().enumerate() {
                for import in imports(line) {
                    assert!(
                        import == *room || allowed.contains(&import.as_str()) || !is_room(&import),
                        "{}:{}: `{room}` may not import `{import}`",
                        path.display(),
                        number + 1,
                    );
                }
            }
        }
    }
}

/// Inside `experiment` a room imports from the module that defines what it needs, never through `experiment` itself.
#[test]
fn rooms_of_experiment_import_only_what_they_may() {
    for (path, lines) in files("experiment") {
        let inside = path.strip_prefix(root().join(folder("experiment"))).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if room == "mod" {
            continue;
        }
        let known = EXPERIMENT.iter().find(|(known, _)| *known == room);
        let (_, allowed) = known.unwrap_or_else(|| panic!("`{room}` is in no table of rooms"));
        for (number, line) in lines.iter().enumerate() {
            for import in imports_below("crate::experiment::", line) {
                assert!(
                    import == room || allowed.contains(&import.as_str()),
                    "{}:{}: `{room}` may not import `{import}`",
                    path.display(),
                    number + 1,
                );
            }
        }
    }
}

#[test]
fn every_file_is_in_a_room() {
    for (folder, rooms) in CRATES {
        if rooms.len() == 1 {
            continue;
        }
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let known = rooms.contains(&name.as_str()) || ["lib.rs", "main.rs"].contains(&name.as_str());
            assert!(
                known,
                "{folder}/{name} is in no room; add it to the tables of this test and of docs/design.md"
            );
        }
    }
}

#[test]
fn the_table_of_rooms_in_the_design_is_the_one_of_this_test() {
    let design = text("docs/design.md");
    let rows = design.lines().skip_while(|line| !line.starts_with("| room |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<_> = line.split('|').collect();
        (quoted(cells[1]), quoted(cells[2]))
    });
    let expected: Vec<_> = ROOMS.iter().map(|(room, allowed)| (vec![*room], allowed.to_vec())).collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected);
}

#[test]
fn the_readme_and_the_page_of_the_crate_name_every_room() {
    let (readme, page) = (text("README.md"), text("src/lib.rs"));
    let (_, places) = readme.split_once("## Where things are").unwrap();
    for (room, _) in ROOMS {
        let folder = folder(room);
        assert!(places.contains(&format!("\n{folder}/ ")), "README.md does not say what {folder} is");
        let row = |line: &str| {
            [format!("//! | [`{room}`] |"), format!("//! | `{room}` |")]
                .iter()
                .any(|row| line.starts_with(row))
        };
        assert!(page.lines().any(row), "the table of src/lib.rs has no row of `{room}`");
    }
}

/// A table of files leaves none out. In `cli` it leaves out the commands, which its macro has.
#[test]
fn tables_of_files_are_complete() {
    let commands = text("src/cli/mod.rs");
    for path in CRATES.iter().flat_map(|(folder, _)| sources(&root().join(folder))) {
        let module = fs::read_to_string(&path).unwrap();
        let docs: String = module.lines().filter(|line| line.starts_with("//!")).collect();
        if !path.ends_with("mod.rs") || !docs.contains("//! | `") {
            continue;
        }
        let is_command = |name: &str| {
            path.ends_with("cli/mod.rs")
                && [name, &format!("r#{name}")].iter().any(|name| commands.contains(&format!("({name}::")))
        };
        let names = module.lines().filter_map(|line| line.strip_suffix(';')?.rsplit_once("mod "));
        for name in names.map(|(_, name)| name.trim_start_matches("r#")).filter(|&name| name != "tests") {
            let known = docs.contains(&format!("`{name}`")) || is_command(name);
            assert!(known, "the table of {} has no row of `{name}`", path.display());
        }
    }
}

#[test]
fn one_game_does_not_know_another() {
    let page = text(&format!("{}/lib.rs", folder("games")));
    let games: Vec<_> =
        page.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert!(games.len() >= 5, "{games:?}");
    for (path, lines) in files("games") {
        let own = path.strip_prefix(root().join(folder("games"))).unwrap();
        let own = own.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let foreign = |line: &&String| {
            games.iter().any(|game| *game != own && line.contains(&format!("crate::{game}")))
        };
        assert_eq!(lines.iter().find(foreign), None, "{}", path.display());
    }
}

#[test]
fn only_the_command_line_prints() {
    for (room, _) in ROOMS.iter().filter(|(room, _)| *room != "cli") {
        for (path, lines) in files(room) {
            // Tests inside a file may print, and a file for tests only.
            if path.ends_with("crates/games/src/testing.rs") {
                continue;
            }
            for line in code_and_tests(&lines).0 {
                assert!(!PRINTING.iter().any(|word| line.contains(word)), "{}: {line}", path.display());
            }
        }
    }
}

/// A registry holds every searcher for every game. If one library test uses it, all of that is compiled a
/// second time; such a test belongs to `tests`.
#[test]
fn tests_of_the_library_ask_for_no_registry() {
    for (room, _) in ROOMS {
        for (path, lines) in files(room) {
            // All of a file `tests.rs` is tests, and of a file in a folder `tests`.
            let is_tests = path.ends_with("tests.rs") || path.parent().unwrap().ends_with("tests");
            let tests = if is_tests { &lines } else { code_and_tests(&lines).1 };
            let names =
                |line: &&String| ["Registry::", "fingerprint()"].iter().any(|word| line.contains(word));
            assert_eq!(tests.iter().find(names), None, "{}", path.display());
        }
    }
}

/// The circles of files that import each other: the crate, a file in it, the number of its files, and why it stays. A file and
/// the file of its folder are layers of one noun, which is no circle. The table only shrinks.
const CIRCLES: &[(&str, &str, usize, &str)] = &[
    (
        "crates/core/src",
        "game::rules",
        16,
        "a game names its policies, hints and values, and they take games",
    ),
    ("crates/core/src", "search::uct::parts", 4, "the parts of UCT hold its rules, and GRAVE learns"),
    (
        "crates/core/src",
        "search::board::searcher",
        3,
        "the board makes each searcher, and the shared tree is one",
    ),
    (
        "crates/core/src",
        "game::options::decl",
        5,
        "an option may hold options, and its kind reads its values",
    ),
    ("crates/core/src", "game::options::setting", 2, "a setting may hold settings"),
    ("crates/core/src", "search::tree::method", 2, "the search runs a method on its tree"),
    ("crates/core/src", "search::solve::tree", 2, "a glance is a small search of the tree"),
    ("crates/games/src", "othello::rules", 15, "the rules play by lanes, and have a notation and hints"),
    (
        "crates/games/src",
        "calculation::rules",
        11,
        "the rules play by lanes of policies, and have a drawing and hints",
    ),
    ("crates/games/src", "random_tree::rules", 2, "a game and its settings"),
];

/// The paths of a tree of imports: `a::{b, c as d}` has `a::b`, and `a::c` under the name `d`.
fn paths_in(tree: &str, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c != ',' || depth > 0 {
            continue;
        }
        let one = tree[begin..at].trim();
        begin = (at + 1).min(tree.len());
        let (path, inner) = one.split_once('{').unwrap_or((one, ""));
        let (path, name) = path.split_once(" as ").unwrap_or((path, ""));
        let names = path.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "self");
        let path: Vec<String> = before.iter().cloned().chain(names.map(String::from)).collect();
        match (inner.strip_suffix('}'), path.last()) {
            (Some(inner), _) => paths_in(inner, &path, found),
            (None, Some(last)) => {
                found.push((if name.is_empty() { last.clone() } else { name.into() }, path));
            }
            (None, None) => {}
        }
    }
}

type Modules = BTreeMap<Vec<String>, Vec<(String, Vec<String>)>>;

/// The module that defines what a path names, seen from a module; it follows re-exports.
fn module_of(modules: &Modules, from: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
    let (mut at, mut rest) = (from.to_vec(), path);
    match path[0].as_str() {
        "crate" => (at, rest) = (Vec::new(), &path[1..]),
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                (_, rest) = (at.pop(), &rest[1..]);
            }
        }
        name if modules.contains_key(&[from, &[name.to_owned()]].concat()) => {}
        name => {
            let (_, path) = modules[from].iter().find(|(known, path)| known == name && path[0] != name)?;
            return module_of(modules, from, &[path, &rest[1..]].concat(), depth.checked_sub(1)?);
        }
    }
    for (place, name) in rest.iter().enumerate() {
        let below = [&at[..], std::slice::from_ref(name)].concat();
        if modules.contains_key(&below) {
            at = below;
        } else if let Some((_, path)) =
            modules[&at].iter().find(|(known, path)| known == name && path[0] != *name)
        {
            return module_of(modules, &at, &[path, &rest[place + 1..]].concat(), depth.checked_sub(1)?);
        } else {
            return Some(at);
        }
    }
    Some(at)
}

/// The circles of the files of a crate.
fn circles(folder: &str) -> Vec<Vec<String>> {
    let mut texts = BTreeMap::new();
    let mut modules = Modules::new();
    for path in sources(&root().join(folder)) {
        let lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(String::from).collect();
        let code = code_and_tests(&lines).0.iter().map(|line| line.split("//").next().unwrap());
        let code = code.collect::<Vec<_>>().join("\n").replace("r#", "");
        let below = path.strip_prefix(root().join(folder)).unwrap().with_extension("");
        let names = below.iter().map(|name| name.to_str().unwrap().to_owned());
        let module: Vec<String> = names.filter(|name| !["mod", "lib", "main"].contains(&&**name)).collect();
        let mut found = Vec::new();
        let mut rest = String::new();
        for statement in code.split_inclusive(';') {
            match statement.rsplit_once("use ").filter(|(before, _)| {
                before
                    .lines()
                    .last()
                    .is_none_or(|line| line.is_empty() || line.trim_start().starts_with("pub"))
            }) {
                Some((_, tree)) => paths_in(tree.trim_end_matches(';'), &[], &mut found),
                None => rest.push_str(statement),
            }
        }
        modules.entry(module.clone()).or_default().extend(found);
        texts.entry(module).or_insert_with(String::new).push_str(&rest);
    }
    let index: Vec<&Vec<String>> = modules.keys().collect();
    let mut reaches = vec![vec![false; index.len()]; index.len()];
    for (from, &module) in index.iter().enumerate() {
        let words = texts[module].split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        let inline = words.filter(|word| word.contains("::") && !word.starts_with(':'));
        let inline =
            inline.map(|word| word.split("::").filter(|name| !name.is_empty()).map(String::from).collect());
        let imported = modules[module].iter().map(|(_, path)| path.clone());
        for path in inline.chain(imported).filter(|path: &Vec<String>| !path.is_empty()) {
            let to = module_of(&modules, module, &path, 8).filter(|to| !module.starts_with(to));
            reaches[from][to.map_or(from, |to| index.binary_search(&&to).unwrap())] = true;
        }
    }
    for middle in 0..index.len() {
        let onwards = reaches[middle].clone();
        for from in reaches.iter_mut().filter(|from| from[middle]) {
            for (known, more) in from.iter_mut().zip(&onwards) {
                *known |= more;
            }
        }
    }
    let circle = |from: usize| -> Vec<String> {
        let members = (0..index.len()).filter(|&to| to != from && reaches[from][to] && reaches[to][from]);
        members.chain([from]).map(|member| index[member].join("::")).collect()
    };
    let mut all: Vec<Vec<String>> = (0..index.len()).map(circle).collect();
    for circle in &mut all {
        circle.sort();
    }
    all.sort();
    all.dedup();
    all.retain(|circle| circle.len() > 1);
    all
}

#[test]
fn no_circle_of_files_is_new_or_larger() {
    let mut wrong = Vec::new();
    for (folder, _) in CRATES {
        let found = circles(folder);
        let known = |circle: &Vec<String>| {
            CIRCLES.iter().find(|(of, file, ..)| of == folder && circle.iter().any(|name| name == file))
        };
        for circle in &found {
            if known(circle).is_none_or(|(_, _, most, _)| circle.len() > *most) {
                wrong.push(format!("{folder}: {} files import each other: {circle:?}", circle.len()));
            }
        }
        for row @ (_, file, most, _) in CIRCLES.iter().filter(|(of, ..)| of == folder) {
            if !found.iter().any(|circle| circle.len() == *most && known(circle) == Some(row)) {
                wrong.push(format!(
                    "{folder}: the circle of {file} is smaller or gone; state it in the table"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The size of a crate: what `.ci/limits.toml` limits.
fn size(folder: &str) -> toml::Table {
    let texts: Vec<_> =
        sources(&root().join(folder)).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let lines = || texts.iter().flat_map(|text| text.lines());
    let begin =
        |words: &[&str]| lines().filter(|line| words.iter().any(|w| line.trim().starts_with(w))).count();
    let traits = begin(&["trait ", "pub trait ", "pub(crate) trait ", "pub(super) trait "]);
    let types = begin(&["pub struct ", "pub enum ", "pub type "]);
    let counts = [("lines", lines().count()), ("files", texts.len()), ("traits", traits), ("types", types)];
    counts.into_iter().map(|(name, count)| (name.to_owned(), (count as i64).into())).collect()
}

/// Nothing of `.ci/limits.toml` grows. `SHIKOU_UPDATE_LIMITS=1` writes the sizes of today: commit a smaller one with what
/// made it so; a commit that raises one says why in its subject.
#[test]
fn the_house_gets_no_heavier() {
    let packages = text("Cargo.lock").matches("[[package]]").count() as i64;
    let today = CRATES.iter().map(|(folder, _)| ((*folder).to_owned(), size(folder).into()));
    let mut today: toml::Table = today.collect();
    today.insert(
        "Cargo.lock".to_owned(),
        toml::Table::from_iter([("packages".to_owned(), packages.into())]).into(),
    );
    if std::env::var_os("SHIKOU_UPDATE_LIMITS").is_some() {
        let head =
            "# The size of each crate, inline tests counted. A test fails if one grows (CONTRIBUTING.md).\n";
        fs::write(root().join(".ci/limits.toml"), format!("{head}\n{}", toml::to_string(&today).unwrap()))
            .unwrap();
    }
    let limits: toml::Table = text(".ci/limits.toml").parse().unwrap();
    for (place, sizes) in &today {
        for (name, size) in sizes.as_table().unwrap() {
            let limit =
                limits.get(place).and_then(|limits| limits.get(name)).and_then(toml::Value::as_integer);
            let limit = limit.unwrap_or_else(|| panic!(".ci/limits.toml does not limit {name} of {place}"));
            let size = size.as_integer().unwrap();
            assert!(size <= limit, "{place} has {size} {name}, and .ci/limits.toml allows {limit}");
        }
    }
}

/// The reader of imports must itself be able to see one.
#[test]
fn imports_are_seen() {
    let seen = |line: &str| imports(line).collect::<Vec<_>>();
    assert_eq!(seen("use crate::search::Meter;"), ["search"]);
    assert_eq!(seen("use crate::{rng::Stream, game::Game};"), ["rng", "game"]);
    assert_eq!(seen("let x = crate::stats::wilson(1, 2);"), ["stats"]);
    let inside = |line: &str| imports_below("crate::experiment::", line).collect::<Vec<_>>();
    assert_eq!(inside("use crate::experiment::store::log::Log;"), ["store"]);
    assert_eq!(inside("use crate::experiment::{Plan, Trial};"), ["Plan", "Trial"]);
}
