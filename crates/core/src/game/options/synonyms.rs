//! Other words for the names of searchers and options.

use super::{OptionDecl, OptionValue, Typed, TypedValue};

/// Each name with the words that other programs and papers use for it.
const SYNONYMS: [(&str, &[&str]); 4] = [
    ("alpha-beta", &["ab", "alphabeta", "negamax"]),
    // Refused where it is read.
    (EXPLORATION, &["c", "uct-c", "cp"]),
    ("playouts", &["iterations", "rollouts", "simulations", "sims"]),
    ("uct", &["mcts"]),
];

/// The other words for a name.
pub(super) fn synonyms(name: &str) -> &'static [&'static str] {
    SYNONYMS.iter().find(|(other, _)| *other == name).map_or(&[], |(_, words)| words)
}

/// The known name that a text means: its own, else the one that it is in other letters or a synonym of, small or capital.
///
/// # Example
/// ```
/// use shikou::game::options::meant;
/// assert_eq!(meant("sims", ["playouts", "policy"]), Some("playouts"));
/// assert_eq!(meant("sims", ["playouts", "sims"]), Some("sims"));
/// assert_eq!(meant("MCTS", ["flat", "uct"]), Some("uct"));
/// assert_eq!(meant("plays", ["playouts"]), None);
/// ```
pub fn meant<'a>(text: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Option<&'a str> {
    let known = known.into_iter();
    let is_meant =
        |name: &str| std::iter::once(&name).chain(synonyms(name)).any(|word| word.eq_ignore_ascii_case(text));
    known.clone().find(|name| *name == text).or_else(|| known.into_iter().find(|name| is_meant(name)))
}

/// The option whose other words do not have its scale.
const EXPLORATION: &str = "exploration";

/// The error of a word for an option that has another scale, with the value that is meant if it is known.
pub(super) fn of_another_scale(decl: &OptionDecl, typed: &Typed) -> Option<String> {
    if decl.name != EXPLORATION || typed.name.eq_ignore_ascii_case(EXPLORATION) {
        return None;
    }
    let number = match &typed.value {
        TypedValue::Text(text) => text.parse().ok(),
        TypedValue::Value(OptionValue::Integer(number)) => Some(*number as f64),
        TypedValue::Value(OptionValue::Real(number)) => Some(*number),
        _ => None,
    };
    // The option says its own scale. That of cp differs between papers.
    let is_root_of_two = decl.about.contains("c = √2") && typed.name.to_lowercase().ends_with('c');
    let converted = number.filter(|c: &f64| is_root_of_two && c.is_finite()).map(|c| {
        let exploration = format!("{:.2e}", c / std::f64::consts::SQRT_2);
        format!("; for c = {c} write exploration = {:?}", exploration.parse::<f64>().unwrap_or(c))
    });
    let converted = converted.unwrap_or_default();
    Some(format!("`{}` is not an option; `exploration` is ({}){converted}", typed.name, decl.about))
}
