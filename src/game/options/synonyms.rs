//! Other words for the names of searchers and options.

/// Each name with the words that other programs and papers use for it.
const SYNONYMS: [(&str, &[&str]); 4] = [
    ("alpha-beta", &["ab", "alphabeta", "negamax"]),
    ("exploration", &["c"]),
    ("playouts", &["iterations", "rollouts", "simulations", "sims"]),
    ("uct", &["mcts"]),
];

/// The known name that a text means: its own, else the one that it is a synonym of.
///
/// # Example
/// ```
/// use shikou::game::options::meant;
/// assert_eq!(meant("sims", ["playouts", "policy"]), Some("playouts"));
/// assert_eq!(meant("sims", ["playouts", "sims"]), Some("sims"));
/// assert_eq!(meant("plays", ["playouts"]), None);
/// ```
pub fn meant<'a>(text: &str, known: impl IntoIterator<Item = &'a str, IntoIter: Clone>) -> Option<&'a str> {
    let known = known.into_iter();
    let is_synonym =
        |name: &str| SYNONYMS.iter().any(|(other, words)| *other == name && words.contains(&text));
    known.clone().find(|name| *name == text).or_else(|| known.into_iter().find(|name| is_synonym(name)))
}
