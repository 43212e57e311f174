//! A crate with a game of one's own, for `shikou init --game`: the example of Connect Four under another name.
//!
//! The example is what `docs/adding-a-game.md` explains and what the tests compile. Rejected: a template of its own, which nothing
//! would compile.

use std::fs;
use std::path::{Path, PathBuf};

use minijinja::context;

use super::error::{CommandError, Result, usage};
use super::output::{filled, print, program};
use crate::players::Registry;
use crate::words::shell_path;

/// The files of the example: where each goes in the crate, and its text.
const FILES: [(&str, &str); 4] = [
    ("src/main.rs", include_str!("../../examples/connect-four/main.rs")),
    ("src/game.rs", include_str!("../../examples/connect-four/game.rs")),
    ("tests/rules.rs", include_str!("../../examples/connect-four/tests/connect_four.rs")),
    ("NAME.toml", include_str!("../../examples/connect-four/connect-four.toml")),
];

/// Writes the crate into a new folder; `source` has the source of shikou.
///
/// # Errors
/// If the name is that of a game or none of a crate, the folder exists, or there is no source.
pub(super) fn write_crate(registry: &Registry, name: &str, folder: &Path, source: Option<&Path>) -> Result {
    let type_name = type_name(name)?;
    if registry.names().chain(["shikou", "test"]).any(|known| known == name) {
        return Err(usage!("`{name}` is taken; name your game differently"));
    }
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let source = fs::canonicalize(source.unwrap_or(&built)).unwrap_or_default();
    if !source.join("src/cli/new_game.rs").is_file() {
        return Err(usage!("the source of shikou is not found; name its folder with --source DIR"));
    }
    if folder.exists() {
        return Err(usage!("{} exists already; name another folder with --out", folder.display()));
    }
    let own = |text: &str| {
        text.replace(" -p connect-four", "")
            .replace("examples/connect-four/", "")
            .replace("\"../game.rs\"", "\"../src/game.rs\"")
            .replace("connect-four", name)
            .replace("ConnectFour", &type_name)
    };
    let manifest = include_str!("../../Cargo.toml");
    let begin = manifest.find("[profile.release.package]").expect("the release says what is not optimised");
    let unoptimised = manifest[begin..].split("\n\n").next().unwrap_or_default();
    let quoted = toml::Value::from(source.display().to_string()).to_string();
    let cargo = filled(include_str!("own_game.toml.j2"), &context! { name, source => quoted, unoptimised });
    let files = FILES.map(|(path, text)| (path.replace("NAME", name), own(text)));
    let more = [("Cargo.toml".into(), cargo), (".gitignore".into(), "/target\n/results\n".into())];
    for (path, text) in files.into_iter().chain(more) {
        let path = folder.join(path);
        let written = fs::create_dir_all(path.parent().expect("it is in the folder"))
            .and_then(|()| fs::write(&path, text));
        written.map_err(|error| CommandError::at(path.display(), &error))?;
    }
    // The versions that shikou was tested with. Cargo drops what the crate does not need.
    let lock = source.join("Cargo.lock");
    let copied = if lock.is_file() { fs::copy(lock, folder.join("Cargo.lock")).map(drop) } else { Ok(()) };
    copied.map_err(|error| CommandError::at(folder.join("Cargo.lock").display(), &error))?;
    print(format!(
        "wrote {0}: Connect Four under the name {name}; change src/game.rs into your game\n\n  cd {0}\n  \
         cargo run --release -- check {name}     the first build takes minutes, later ones seconds\n  \
         cargo run --release -- play {name}\n  cargo run --release -- run {name}.toml\n  \
         cargo test --release                    the laws and the published counts of Connect Four\n\n\
         It is the program `{1}` with one more game. docs/adding-a-game.md explains the rules line by line.",
        shell_path(folder),
        program()
    ))
}

/// The name of the type of a game: `torus-hex` is `TorusHex`.
fn type_name(name: &str) -> Result<String> {
    let is_word = |word: &str| {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        !word.is_empty() && word.chars().all(is_plain)
    };
    if !name.starts_with(|letter: char| letter.is_ascii_lowercase()) || !name.split('-').all(is_word) {
        return Err(usage!(
            "`{name}` is no name of a game; write small letters, digits and hyphens, such as my-game"
        ));
    }
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let camel: String = name.split('-').map(capital).collect();
    // Another type of the file may have this name.
    let is_used = FILES
        .iter()
        .any(|(_, text)| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == camel));
    Ok(if is_used { camel + "Rules" } else { camel })
}
