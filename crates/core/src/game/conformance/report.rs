use std::fmt;

/// A law, and whether the game keeps it.
///
/// As JSON: `name`, `about`, `cases`, and `violation`, which is a text or null.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Law {
    /// The name, in kebab case.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The number of cases examined: positions, moves, games or batches. After a violation, the cases up to and
    /// including it. 0 if there was no such case, for example no chance turn.
    pub cases: u64,
    /// The first violation, if there is one: what was found, the moves that lead there, and the drawing.
    #[cfg_attr(feature = "serde", serde(rename = "violation", serialize_with = "violation"))]
    pub result: Result<(), String>,
}

#[cfg(feature = "serde")]
fn violation<S: serde::Serializer>(result: &Result<(), String>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&result.as_ref().err(), serializer)
}

/// Each law with its result, always in the same order.
///
/// # Example: one line per law
/// ```
/// use shikou::game::conformance::check;
/// use shikou::games::tic_tac_toe::TicTacToe;
/// let report = check(&TicTacToe);
/// assert!(report.is_ok());
/// assert!(report.laws.iter().any(|law| law.name == "notation" && law.cases > 100));
/// assert!(report.to_string().starts_with("ok    facts"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Report {
    /// Every law that was checked.
    pub laws: Vec<Law>,
    /// The smallest and the largest payoff of a player at the ends of the random games, if one ended.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub payoffs: Option<[i32; 2]>,
}

impl Report {
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
    /// Writes one line per law, with its violation indented below, without a final line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.laws.iter().map(|law| law.name.len()).max().unwrap_or(0);
        for (i, law) in self.laws.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            let mark = if law.result.is_ok() { "ok" } else { "FAIL" };
            let cases = if law.cases == 1 { "case " } else { "cases" };
            write!(f, "{mark:<4}  {:width$}  {:>8} {cases}  {}", law.name, law.cases, law.about)?;
            if let Err(violation) = &law.result {
                for line in violation.lines() {
                    write!(f, "\n      {line}")?;
                }
            }
        }
        Ok(())
    }
}
