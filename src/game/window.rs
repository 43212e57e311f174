//! The window of a search for payoffs, and the answer to one.

/// What a search wants to know of a payoff: exactly what it is where it lies strictly between `alpha` and
/// `beta`, and else only on which side.
///
/// An answer `v` to a window is *fail-soft* (Fishburn 1983, "Another optimization of alpha-beta search"): where
/// `alpha < v < beta` it is the payoff, where `v ≤ alpha` the payoff is at most `v`, and where `v ≥ beta` it is at
/// least `v`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the player to move has already.
    pub alpha: i32,
    /// What the opponent will not allow.
    pub beta: i32,
}

impl Window {
    /// The window that asks for the payoff itself.
    pub const FULL: Self = Self { alpha: -(1 << 16), beta: 1 << 16 };

    /// Whether `answer` is a fail-soft answer to this window where the payoff is `exact`.
    ///
    /// # Example
    /// ```
    /// use shikou::game::Window;
    /// let window = Window { alpha: -2, beta: 2 };
    /// assert!(window.admits(1, 1) && !window.admits(0, 1));
    /// assert!(window.admits(4, 6) && !window.admits(8, 6));
    /// assert!(window.admits(-4, -6) && !window.admits(-8, -6));
    /// ```
    pub const fn admits(self, answer: i32, exact: i32) -> bool {
        if answer <= self.alpha {
            exact <= answer
        } else if answer >= self.beta {
            exact >= answer
        } else {
            exact == answer
        }
    }
}

/// What [`Game::solve_tail`](super::Game::solve_tail) found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The fail-soft answer for the player to move.
    pub payoff: i32,
    /// How many positions behind this one were visited.
    pub nodes: u64,
}
