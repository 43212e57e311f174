//! Mutation: how a child is changed.

use crate::game::options::{flag, parts, real};
use crate::optimise::method::need_chance;
use crate::optimise::{Gene, Problem, Space};
use crate::rng::Rng;
use crate::stats::draw;

parts! {
    /// How a child is changed. A changed gene stays within its bounds. A number cannot be added to a word: the word is drawn
    /// anew instead. A gene that is drawn anew is like a first value (source G); of several changes each is as likely as the others.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Mutation {
        /// each gene is drawn anew with a chance
        Redraw {
            /// the chance of each gene
            chance: f64 = real(0.0..=1.0, 0.05),
        },
        /// a normal number is added
        AddNormal {
            /// the chance of each gene, or of the candidate
            chance: f64 = real(0.0..=1.0, 0.1),
            /// the standard deviation
            sd: f64 = real(1e-12..=1e12, 1.0),
            /// what it is added to
            to: To = To::setting(),
        },
        /// with a chance one of several changes (source B, run 2)
        OneOf {
            /// the chance of the candidate
            chance: f64 = real(0.0..=1.0, 0.2),
            /// the standard deviation of a normal number that is added to a gene; 0 never adds one
            add_normal: f64 = real(0.0..=1e12, 0.0),
            /// whether the sign of a gene may change
            flip_sign: bool = flag(false),
            /// whether two genes may be swapped
            swap: bool = flag(false),
        },
        /// no change
        None {},
    }
}

words! {
    /// The genes to which [`Mutation::AddNormal`] adds.
    pub enum To {
        /// With the chance of each.
        EachGene = "to each gene a number of its own",
        /// With the chance of the candidate.
        AllAlike = "to all genes the same number (source B, run 1)",
    }
}

impl Mutation {
    pub(super) fn check(self, space: &Space) -> Result<(), Problem> {
        let (chance, sd) = match self {
            Self::None {} => return Ok(()),
            Self::Redraw { chance } => (chance, None),
            Self::AddNormal { chance, sd, .. } => (chance, Some(sd)),
            Self::OneOf { chance, add_normal, .. } => (chance, (add_normal != 0.0).then_some(add_normal)),
        };
        need_chance("chance", chance)?;
        if sd.is_some_and(|sd| !(sd.is_finite() && sd > 0.0)) {
            return Err(Problem::new("add-normal", "the standard deviation must be above 0"));
        }
        match self {
            Self::OneOf { add_normal: 0.0, flip_sign: false, swap: false, .. } => {
                Err(Problem::new("one-of", "it has no member; add `add-normal`, `flip-sign` or `swap`"))
            }
            Self::OneOf { swap: true, .. } if space.len() < 2 => {
                Err(Problem::new("swap", "it needs at least two genes"))
            }
            _ => Ok(()),
        }
    }

    /// Changes a candidate. Normalisation comes later.
    pub fn apply(self, space: &Space, genes: &mut [f64], rng: &mut Rng) {
        match self {
            Self::None {} => {}
            Self::Redraw { chance } => {
                for (gene, value) in genes.iter_mut().enumerate() {
                    if draw::happens(rng, chance) {
                        *value = space.redraw_gene(gene, rng);
                    }
                }
            }
            Self::AddNormal { chance, sd, to: To::EachGene } => {
                for gene in 0..genes.len() {
                    if draw::happens(rng, chance) {
                        let step = sd * draw::normal(rng);
                        add(space, genes, gene, step, rng);
                    }
                }
            }
            Self::AddNormal { chance, sd, to: To::AllAlike } => {
                if draw::happens(rng, chance) {
                    let step = sd * draw::normal(rng);
                    (0..genes.len()).for_each(|gene| add(space, genes, gene, step, rng));
                }
            }
            Self::OneOf { chance, add_normal, flip_sign, swap } => {
                if !draw::happens(rng, chance) {
                    return;
                }
                let may = [
                    (Change::AddNormal, add_normal != 0.0),
                    (Change::FlipSign, flip_sign),
                    (Change::Swap, swap),
                ];
                let members: Vec<Change> =
                    may.into_iter().filter(|(_, may)| *may).map(|(change, _)| change).collect();
                match members[draw::index(rng, members.len())] {
                    Change::AddNormal => {
                        let gene = draw::index(rng, genes.len());
                        let step = add_normal * draw::normal(rng);
                        add(space, genes, gene, step, rng);
                    }
                    Change::FlipSign => {
                        let gene = draw::index(rng, genes.len());
                        genes[gene] = -genes[gene];
                    }
                    Change::Swap => {
                        let (a, b) = draw::two(rng, genes.len());
                        genes.swap(a, b);
                    }
                }
                space.clamp(genes);
            }
        }
    }
}

/// A member of [`Mutation::OneOf`].
enum Change {
    AddNormal,
    FlipSign,
    Swap,
}

fn add(space: &Space, genes: &mut [f64], gene: usize, step: f64, rng: &mut Rng) {
    genes[gene] = match space.genes[gene] {
        Gene::Word { .. } => space.uniform(gene, rng),
        kind => kind.nearest(genes[gene] + step),
    };
}
