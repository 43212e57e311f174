//! Who is not beaten at its cost.

/// For each player, given by its success and its cost, whether it stands on the Pareto front: no other has at least
/// its success at no more than its cost, and more of the one or less of the other.
///
/// # Example
/// ```
/// use shikou::experiment::front;
/// let players = [(0.1, 1.0), (0.5, 9.0), (0.4, 20.0), (0.5, 9.0)];
/// assert_eq!(front(&players), [true, true, false, true]);
/// ```
pub fn front(players: &[(f64, f64)]) -> Vec<bool> {
    let beats = |a: &(f64, f64), b: &(f64, f64)| a.0 >= b.0 && a.1 <= b.1 && a != b;
    players.iter().map(|player| !players.iter().any(|other| beats(other, player))).collect()
}
