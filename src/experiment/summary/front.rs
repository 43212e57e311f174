//! The Pareto front of success and cost.

/// For each player, given by its success and its cost, whether it is Pareto-optimal: no other has at least
/// its success at no more than its cost, with at least one of the two strictly better. A player with an unknown
/// (NaN) success or cost is not.
///
/// # Example
/// ```
/// use shikou::experiment::front;
/// let players = [(0.1, 1.0), (0.5, 9.0), (0.4, 20.0), (0.5, 9.0)];
/// assert_eq!(front(&players), [true, true, false, true]);
/// assert_eq!(front(&[(0.5, 1.0), (f64::NAN, 1.0)]), [true, false]);
/// ```
pub fn front(players: &[(f64, f64)]) -> Vec<bool> {
    let beats = |a: &(f64, f64), b: &(f64, f64)| a.0 >= b.0 && a.1 <= b.1 && a != b;
    let is_known = |player: &(f64, f64)| !player.0.is_nan() && !player.1.is_nan();
    let beaten = |player| players.iter().any(|other| beats(other, player));
    players.iter().map(|player| is_known(player) && !beaten(player)).collect()
}
