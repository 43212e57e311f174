//! The value of every position under best play, as a fraction.

use num_rational::BigRational;

use crate::game::{Graph, Node, Player};

/// A fraction of two integers of any size.
pub type Fraction = BigRational;

/// A fraction as a percentage with `places` decimal places, rounded half up.
///
/// # Example
/// ```
/// use shikou::exact::{Fraction, percent};
/// assert_eq!(percent(&Fraction::new(737.into(), 1260.into()), 3), "58.492");
/// assert_eq!(percent(&Fraction::new(1.into(), 1.into()), 3), "100.000");
/// assert_eq!(percent(&Fraction::new(1.into(), 16.into()), 1), "6.3");
/// ```
pub fn percent(share: &Fraction, places: u32) -> String {
    decimal(&(share * whole(100)), places)
}

/// A non-negative fraction with `places` decimal places, rounded half up.
pub(crate) fn decimal(fraction: &Fraction, places: u32) -> String {
    let unit = whole(10_i64.pow(places));
    let half = Fraction::new(1.into(), 2.into());
    let steps = (fraction * &unit + half).floor().to_integer().to_string();
    let steps = format!("{steps:0>width$}", width = places as usize + 1);
    let (before, behind) = steps.split_at(steps.len() - places as usize);
    if behind.is_empty() { before.into() } else { format!("{before}.{behind}") }
}

pub(super) fn whole(number: impl Into<i128>) -> Fraction {
    Fraction::from_integer(number.into().into())
}

/// The expected payoff of every position for each player, under best play by all.
pub struct Values(Vec<[Fraction; 2]>);

/// The payoffs are not zero-sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the payoffs of the two players do not add up to 0, so best play is undefined")]
pub struct ValuesError;

impl Values {
    /// Computes all values: the maximum over the moves of the player to move, the weighted mean at chance turns.
    ///
    /// # Errors
    /// Returns an error if the payoffs of two players do not add up to 0.
    pub fn new(graph: &Graph) -> Result<Self, ValuesError> {
        let mut values: Vec<[Fraction; 2]> = Vec::with_capacity(graph.len());
        for number in 0..=graph.start() {
            let edges = graph.edges(number);
            let value = match graph.node(number) {
                Node::Over(end) => {
                    if graph.players() == 2 && end.payoffs[0] + end.payoffs[1] != 0 {
                        return Err(ValuesError);
                    }
                    end.payoffs.map(whole)
                }
                Node::Player(player) => {
                    let best = edges.iter().max_by(|a, b| {
                        let of = |to: u32| &values[to as usize][player.index()];
                        of(a.to).cmp(of(b.to))
                    });
                    values[best.expect("a player's turn has a move").to as usize].clone()
                }
                Node::Chance => {
                    let all: i64 = edges.iter().map(|edge| i64::from(edge.weight)).sum();
                    let mut sums = [whole(0), whole(0)];
                    for edge in edges {
                        for (sum, value) in sums.iter_mut().zip(&values[edge.to as usize]) {
                            *sum += value * whole(edge.weight);
                        }
                    }
                    sums.map(|sum| sum / whole(all))
                }
            };
            values.push(value);
        }
        Ok(Self(values))
    }

    /// The value of a position for a player.
    pub fn of(&self, number: u32, player: Player) -> &Fraction {
        &self.0[number as usize][player.index()]
    }
}
