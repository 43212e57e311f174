//! Names that programs which guess the types of cells do not keep.

use super::Manifest;

/// What pandas or R read as nothing or as a truth value, in either case.
const WORDS: [&str; 11] = ["", "na", "n/a", "#n/a", "<na>", "#na", "nan", "null", "none", "true", "false"];

/// The most names that a warning shows.
const MOST: usize = 5;

/// Whether a cell with this name becomes something else: a number, nothing, a truth value, or a name without its spaces.
fn is_misread(name: &str) -> bool {
    let word = name.trim().to_lowercase();
    word.len() < name.len()
        || word.parse::<f64>().is_ok()
        || word.strip_prefix("0x").is_some_and(|digits| u64::from_str_radix(digits, 16).is_ok())
        || WORDS.contains(&&*word)
}

impl Manifest {
    /// A warning of names of experiments and players that pandas, R or a spreadsheet would not read as written, with advice.
    pub fn misread_names(&self) -> Option<String> {
        let experiments = self.comparisons();
        let names = experiments.flat_map(|of| of.players.iter().map(|player| &player.name).chain([&of.name]));
        let mut found: Vec<String> =
            names.filter(|name| is_misread(name)).map(|name| format!("{name:?}")).collect();
        found.sort_unstable();
        found.dedup();
        let more = if found.len() > MOST { ", …" } else { "" };
        found.truncate(MOST);
        let example = found.first()?.trim_matches(['"', ' ']);
        Some(format!(
            "programs that guess the types of cells (pandas, R, spreadsheets) read {}{more} as numbers, as nothing, or without \
             spaces; write a name that begins with a letter and is no such word, such as \"player {example}\"",
            found.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_kept_are_known() {
        let lost = [
            "1", "01", "1.0", "437804e9", "NA", "None", "null", "nan", " a", "a ", "-inf", "TRUE", "0x1F",
            ".5",
        ];
        assert_eq!(lost.map(is_misread), [true; 14]);
        assert_eq!(["a", "a 1", "1a", "uct@100", "nano", "0x", "e9", "1-2"].map(is_misread), [false; 8]);
    }
}
