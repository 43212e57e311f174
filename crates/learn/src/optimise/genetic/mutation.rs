//! Mutation: how a child is changed.

use crate::optimise::method::need_chance;
use crate::optimise::{Gene, Problem, Space};
use crate::rng::Rng;
use crate::stats::draw;

/// How a child is changed. A changed gene stays within its bounds. A number cannot be added to a word: the word is drawn
/// anew instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mutation {
    /// Not at all.
    None,
    /// Each gene is drawn anew with a chance, like a first value (source G).
    Redraw {
        /// The chance of each gene, in [0, 1].
        chance: f64,
    },
    /// A normal number is added.
    AddNormal {
        /// The chance, in [0, 1], of each gene or of the candidate.
        chance: f64,
        /// The standard deviation, above 0.
        sd: f64,
        /// What it is added to.
        to: To,
    },
    /// With a chance one of the following, each as likely as the others (source B, run 2).
    OneOf {
        /// The chance of the candidate, in [0, 1].
        chance: f64,
        /// A normal number with this standard deviation is added to a random gene; `None`: never.
        add_normal: Option<f64>,
        /// The sign of a random gene changes.
        flip_sign: bool,
        /// Two random genes are swapped.
        swap: bool,
    },
}

words! {
    /// What [`Mutation::AddNormal`] is added to.
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
            Self::None => return Ok(()),
            Self::Redraw { chance } => (chance, None),
            Self::AddNormal { chance, sd, .. } => (chance, Some(sd)),
            Self::OneOf { chance, add_normal, .. } => (chance, add_normal),
        };
        need_chance("chance", chance)?;
        if sd.is_some_and(|sd| !(sd.is_finite() && sd > 0.0)) {
            return Err(Problem::new("add-normal", "the standard deviation must be above 0"));
        }
        match self {
            Self::OneOf { add_normal: None, flip_sign: false, swap: false, .. } => {
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
            Self::None => {}
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
                let add_normal = add_normal.map(Change::AddNormal);
                let flip_sign = flip_sign.then_some(Change::FlipSign);
                let swap = swap.then_some(Change::Swap);
                let members: Vec<Change> = [add_normal, flip_sign, swap].into_iter().flatten().collect();
                members[draw::index(rng, members.len())].apply(space, genes, rng);
                space.clamp(genes);
            }
        }
    }
}

/// A member of [`Mutation::OneOf`].
#[derive(Clone, Copy)]
enum Change {
    AddNormal(f64),
    FlipSign,
    Swap,
}

impl Change {
    fn apply(self, space: &Space, genes: &mut [f64], rng: &mut Rng) {
        match self {
            Self::AddNormal(sd) => {
                let gene = draw::index(rng, genes.len());
                let step = sd * draw::normal(rng);
                add(space, genes, gene, step, rng);
            }
            Self::FlipSign => {
                let gene = draw::index(rng, genes.len());
                genes[gene] = -genes[gene];
            }
            Self::Swap => {
                let (a, b) = draw::two(rng, genes.len());
                genes.swap(a, b);
            }
        }
    }
}

fn add(space: &Space, genes: &mut [f64], gene: usize, step: f64, rng: &mut Rng) {
    genes[gene] = match space.genes[gene] {
        Gene::Word { .. } => space.uniform(gene, rng),
        kind => kind.nearest(genes[gene] + step),
    };
}
