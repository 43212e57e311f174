//! What a check found.

use std::fmt;

use serde::{Serialize, Serializer};

/// One law, and whether the game keeps it.
///
/// As JSON: `name`, `about`, `cases`, and `violation`, which is a text or null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Law {
    /// The name, in kebab case.
    pub name: &'static str,
    /// What it asks, in a line.
    pub about: &'static str,
    /// How many cases were examined: positions, moves, games or batches, as the law has it. After a violation,
    /// up to and with that one. 0 where nothing of the kind came up, such as a turn of chance.
    pub cases: u64,
    /// Nothing, or the first violation: what was found, the moves that lead there, and the position drawn.
    #[serde(rename = "violation", serialize_with = "violation")]
    pub result: Result<(), String>,
}

fn violation<S: Serializer>(result: &Result<(), String>, serializer: S) -> Result<S::Ok, S::Error> {
    result.as_ref().err().serialize(serializer)
}

/// What a check found: each law with its result, always in the same order.
///
/// # Example: one line a law
/// ```
/// use shikou::game::conformance::check;
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let report = check(&TicTacToe);
/// assert!(report.is_ok());
/// assert!(report.laws().iter().any(|law| law.name == "notation" && law.cases > 100));
/// assert!(report.to_string().starts_with("ok    facts"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Report {
    laws: Vec<Law>,
}

impl Report {
    pub(super) fn new(laws: Vec<Law>) -> Self {
        Self { laws }
    }

    /// Every law that was checked.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The laws that the game breaks.
    pub fn violations(&self) -> impl Iterator<Item = &Law> {
        self.laws.iter().filter(|law| law.result.is_err())
    }

    /// Whether the game keeps every law.
    pub fn is_ok(&self) -> bool {
        self.violations().next().is_none()
    }
}

impl fmt::Display for Report {
    /// One line a law, each violation indented below its law, and no line break at the end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.laws.iter().map(|law| law.name.len()).max().unwrap_or(0);
        for (i, law) in self.laws.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            let mark = if law.result.is_ok() { "ok" } else { "FAIL" };
            write!(f, "{mark:<4}  {:width$}  {:>8} cases  {}", law.name, law.cases, law.about)?;
            if let Err(violation) = &law.result {
                for line in violation.lines() {
                    write!(f, "\n      {line}")?;
                }
            }
        }
        Ok(())
    }
}
