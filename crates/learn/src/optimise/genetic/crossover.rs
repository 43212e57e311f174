//! Crossover: how a child inherits from parents.

use crate::game::options::{integer, parts, real};
use crate::optimise::method::{need, need_chance};
use crate::optimise::{Gene, Genes, Problem, Space};
use crate::rng::Rng;
use crate::stats::draw;

parts! {
    /// How a child inherits. Two parents are always two different ones of those selected. A cut is uniform in 0 … genes − 1, and two cuts
    /// differ. BLX-α widens on both sides. Where numbers are blended, whole ones are rounded, and a word is that of one parent.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Crossover {
        /// the genes before a cut from one parent, the rest from another
        OnePoint {},
        /// the genes between two cuts from a second parent
        TwoPoint {},
        /// each gene from any of the parents
        AnyParent {},
        /// random bits choose the parent of each gene
        Mask {
            /// random bits of each 64; 62 is a fault of source G: genes 31 and 63 are always of the second parent
            bits: u8 = integer(62..=64, 64),
        },
        /// each gene from the second parent with a chance (Syswerda 1989)
        Uniform {
            /// the chance
            chance: f64 = real(0.0..=1.0, 0.5),
        },
        /// between the genes of two parents and a little beyond (BLX-α; Eshelman, Schaffer 1993)
        Blx {
            /// the widening, as a share of the distance
            alpha: f64 = real(0.0..=100.0, 0.5),
            /// children of a pair
            children: usize = integer(1..=1_000_000, 2),
            /// the pairs of parents
            pairs: Pairs = Pairs::setting(),
            /// the numbers that are blended
            extent: Extent = Extent::setting(),
        },
        /// uniform in the simplex of several parents, widened about its centre (SPX; Tsutsui, Yamamura, Higuchi 1999)
        Spx {
            /// different parents of a child, the vertices; as in the paper one more than there are genes if omitted
            vertices: Option<usize> = integer(2..=1_000_000, ()).optional(),
            /// the widening; √(vertices + 1) if omitted, with which children keep the covariance of the parents
            epsilon: Option<f64> = real(0.0..=100.0, ()).optional(),
        },
        /// a copy of one parent
        Copy {},
    }
}

words! {
    /// The pairs of [`Crossover::Blx`].
    pub enum Pairs {
        Random = "random ones",
        All = "each pair once; kept candidates and children must fill the population",
    }
}

words! {
    /// The numbers that [`Crossover::Blx`] blends.
    pub enum Extent {
        Proper = "for each gene those of the parents",
        /// The same for all genes, so that a child inherits nothing by position.
        Extremes = "fault: the largest gene of one, the least of the other (source B)",
    }
}

impl Crossover {
    const fn parents(self) -> usize {
        match self {
            Self::Copy {} | Self::AnyParent {} => 1,
            _ => 2,
        }
    }

    pub(super) fn check(
        self,
        space: &Space,
        population: usize,
        parents: usize,
        elites: usize,
    ) -> Result<(), Problem> {
        if parents < self.parents() {
            return Err(Problem::new("parents", "this crossover needs at least 2, not 1"));
        }
        match self {
            Self::Spx { vertices, .. } if vertices.unwrap_or(space.len() + 1) > parents => {
                let needed = vertices.unwrap_or(space.len() + 1);
                let reason = format!(
                    "a child in a simplex of {needed} vertices needs as many different parents, and {parents} are selected; \
                     write at most {parents}, or select more `parents`"
                );
                Err(Problem::new("vertices", reason))
            }
            Self::TwoPoint {} if space.len() < 2 => {
                Err(Problem::new("crossover", "`two-point` needs at least two genes"))
            }
            Self::Mask { bits } => need("bits", bits, bits == 64 || bits == 62, "64, or 62 for the fault"),
            Self::Uniform { chance } => need_chance("chance", chance),
            Self::Blx { alpha, .. } if !(alpha.is_finite() && alpha >= 0.0) => {
                need("alpha", alpha, false, "0 or more")
            }
            Self::Blx { children: 0, .. } => Err(Problem::new("children", "a pair must have at least one")),
            Self::Blx { children, pairs: Pairs::All, .. } => {
                let pairs = parents * (parents - 1) / 2;
                let filled = elites + children * pairs;
                if filled == population {
                    return Ok(());
                }
                let reason = format!(
                    "{elites} kept candidates and {children} children of each of {pairs} pairs are {filled}, not \
                     {population}; set it to {filled}"
                );
                Err(Problem::new("population", reason))
            }
            _ => Ok(()),
        }
    }

    /// The children of parents. Normalisation and mutation come later; a gene is within its bounds.
    ///
    /// # Panics
    /// If there are fewer than two parents where a child needs two, or the pairs do not give `count` children.
    pub fn children(self, parents: &[&[f64]], count: usize, space: &Space, rng: &mut Rng) -> Vec<Genes> {
        let pairs = |children| (0..count).step_by(children).map(move |first| children.min(count - first));
        match self {
            Self::Blx { children, pairs: Pairs::All, .. } => {
                let all = (0..parents.len()).flat_map(|i| (i + 1..parents.len()).map(move |j| (i, j)));
                let pairs = all.flat_map(|pair| std::iter::repeat_n(pair, children));
                let born: Vec<Genes> =
                    pairs.map(|(i, j)| self.of_two(parents[i], parents[j], space, rng)).collect();
                assert_eq!(born.len(), count, "the children of all pairs fill the population");
                born
            }
            Self::Blx { children, .. } => {
                let born = pairs(children).flat_map(|children| {
                    let (i, j) = draw::two(rng, parents.len());
                    let children = (0..children).map(|_| self.of_two(parents[i], parents[j], space, rng));
                    children.collect::<Vec<_>>()
                });
                born.collect()
            }
            _ => (0..count).map(|_| self.child(parents, space, rng)).collect(),
        }
    }

    fn child(self, parents: &[&[f64]], space: &Space, rng: &mut Rng) -> Genes {
        match self {
            Self::Copy {} => parents[draw::index(rng, parents.len())].to_vec(),
            Self::AnyParent {} => {
                (0..space.len()).map(|gene| parents[draw::index(rng, parents.len())][gene]).collect()
            }
            Self::Spx { vertices, epsilon } => {
                let vertices = draw::several(rng, vertices.unwrap_or(space.len() + 1), parents.len());
                let vertices: Vec<&[f64]> = vertices.into_iter().map(|parent| parents[parent]).collect();
                // √(n + 2) for n + 1 vertices.
                let epsilon = epsilon.unwrap_or_else(|| (vertices.len() as f64 + 1.0).sqrt());
                in_simplex(&vertices, epsilon, space, rng)
            }
            _ => {
                let (i, j) = draw::two(rng, parents.len());
                self.of_two(parents[i], parents[j], space, rng)
            }
        }
    }

    fn of_two(self, first: &[f64], second: &[f64], space: &Space, rng: &mut Rng) -> Genes {
        let genes = space.len();
        let mut child = first.to_vec();
        match self {
            Self::Copy {} | Self::AnyParent {} | Self::Spx { .. } => {}
            Self::OnePoint {} => {
                let cut = draw::index(rng, genes);
                child[cut..].copy_from_slice(&second[cut..]);
            }
            Self::TwoPoint {} => {
                let (a, b) = draw::two(rng, genes);
                let cut = a.min(b)..a.max(b);
                child[cut.clone()].copy_from_slice(&second[cut]);
            }
            Self::Mask { bits } => {
                let open = if bits == 64 { u64::MAX } else { !(1 << 31 | 1 << 63) };
                for (child, second) in child.chunks_mut(64).zip(second.chunks(64)) {
                    let mask = rng.next_u64() & open;
                    for (bit, (gene, &other)) in child.iter_mut().zip(second).enumerate() {
                        if mask >> bit & 1 == 0 {
                            *gene = other;
                        }
                    }
                }
            }
            Self::Uniform { chance } => {
                for (gene, &other) in child.iter_mut().zip(second) {
                    if draw::happens(rng, chance) {
                        *gene = other;
                    }
                }
            }
            Self::Blx { alpha, extent, .. } => {
                let largest = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let least = second.iter().copied().fold(f64::INFINITY, f64::min);
                for (gene, value) in child.iter_mut().enumerate() {
                    let (low, high) = match extent {
                        Extent::Proper => (first[gene].min(second[gene]), first[gene].max(second[gene])),
                        Extent::Extremes => (least, largest),
                    };
                    let wider = alpha * (high - low);
                    *value = match space.genes[gene] {
                        Gene::Word { .. } => [first, second][draw::index(rng, 2)][gene],
                        gene => gene.nearest(draw::between(rng, low - wider, high + wider)),
                    };
                }
            }
        }
        child
    }
}

/// A child in a simplex, by the recursion of Tsutsui, Yamamura and Higuchi 1999. With the vertices `x_0` to `x_n`, widened about their
/// centre to `y_0` to `y_n`: `C_0 = 0`, `C_k = r_k (y_(k−1) − y_k + C_(k−1))` with `r_k = u^(1/k)`, and the child is `y_n + C_n`.
fn in_simplex(vertices: &[&[f64]], epsilon: f64, space: &Space, rng: &mut Rng) -> Genes {
    let shares: Vec<f64> = (1..vertices.len()).map(|k| libm::pow(rng.unit(), 1.0 / k as f64)).collect();
    let one = draw::index(rng, vertices.len());
    let gene = |(gene, &kind): (usize, &Gene)| {
        let centre = vertices.iter().map(|vertex| vertex[gene]).sum::<f64>() / vertices.len() as f64;
        let widened = |k: usize| centre + epsilon * (vertices[k][gene] - centre);
        let steps = shares.iter().zip(1..);
        let last = steps.fold(0.0, |offset, (share, k)| share * (widened(k - 1) - widened(k) + offset));
        match kind {
            Gene::Word { .. } => vertices[one][gene],
            kind => kind.nearest(widened(vertices.len() - 1) + last),
        }
    };
    space.genes.iter().enumerate().map(gene).collect()
}
