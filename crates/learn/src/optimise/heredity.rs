//! The likeness of children to their parents, and how many kept candidates stay.

use super::Genes;
use crate::stats::{Moments, PairedMoments};

/// How the next generation follows from the one that was told last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Descent {
    /// The selected candidates, as indices; one that was selected twice is named twice.
    pub parents: Vec<usize>,
    /// How many candidates at the front of the next generation are kept ones and no children.
    pub kept: usize,
}

/// The heredity of a run, from its generations in their order.
///
/// The correlation is that of the mean of a gene over the selected with the mean of this gene over their children, over
/// all generations and all genes together. So it compares genes: they should have the same unit.
///
/// # Example
/// ```
/// use shikou::optimise::Heredity;
/// let mut heredity = Heredity::default();
/// // Of each generation: its candidates, how many of them were kept, and which were selected.
/// heredity.push(&[vec![1.0, 5.0], vec![3.0, 1.0]], 0, &[1]);
/// heredity.push(&[vec![3.0, 1.0], vec![4.0, 2.0]], 1, &[0]);
/// // The children of (3, 1) are (4, 2) on average, and (3, 1) was kept and selected again.
/// assert_eq!((heredity.correlation(), heredity.survivors()), (Some(1.0), Some(1.0)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Heredity {
    genes: PairedMoments,
    survivors: Moments,
    keeps: bool,
    selected: Vec<Genes>,
}

impl Heredity {
    /// Adds a generation: its candidates, of which the first `kept` are kept ones, and the indices of the selected.
    pub fn push(&mut self, candidates: &[Genes], kept: usize, selected: &[usize]) {
        if !self.selected.is_empty() {
            let parents = mean(&self.selected);
            self.genes.extend(parents.into_iter().zip(mean(&candidates[kept..])));
            let stays =
                |index: &usize| selected.contains(index) && self.selected.contains(&candidates[*index]);
            self.survivors.push((0..kept).filter(stays).count() as f64);
            self.keeps |= kept > 0;
        }
        self.selected = selected.iter().map(|&index| candidates[index].clone()).collect();
    }

    /// The mean of each gene over the selected candidates of the last generation.
    pub fn selected(&self) -> Vec<f64> {
        mean(&self.selected)
    }

    /// The correlation of parents and children; `None` with too few generations, or if something does not vary.
    pub fn correlation(&self) -> Option<f64> {
        self.genes.correlation()
    }

    /// How many kept candidates are unchanged and selected again, on average over the generations. `None` if none is ever
    /// kept.
    pub fn survivors(&self) -> Option<f64> {
        self.keeps.then(|| self.survivors.mean())
    }
}

/// The mean of each gene; empty without candidates.
fn mean(candidates: &[Genes]) -> Genes {
    let genes = candidates.first().map_or(0, Vec::len);
    let sum = |gene: usize| candidates.iter().map(|genes| genes[gene]).sum::<f64>();
    (0..genes).map(|gene| sum(gene) / candidates.len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::genetic::{Crossover, Extent, Genetic, Pairs, Selection, Settings};
    use crate::optimise::{Method, Space, Told};
    use crate::rng::Stream;

    #[test]
    fn kept_candidates_count_if_they_are_unchanged_and_selected_again() {
        let mut heredity = Heredity::default();
        heredity.push(&[vec![1.0], vec![2.0], vec![3.0]], 0, &[0, 2]);
        assert_eq!((heredity.correlation(), heredity.survivors()), (None, None));
        assert_eq!(heredity.selected(), [2.0]);
        // The second was changed, the first is not selected.
        heredity.push(&[vec![1.0], vec![3.5], vec![7.0]], 2, &[1, 2]);
        assert_eq!(heredity.survivors(), Some(0.0));
        heredity.push(&[vec![3.5], vec![7.0], vec![9.0]], 2, &[0, 1]);
        assert_eq!(heredity.survivors(), Some(1.0));
        // The selected 2 and 5.25 have the children 7 and 9.
        assert_eq!(heredity.correlation(), Some(1.0));
    }

    /// Source B: a box between the extremes of all genes hides what the parents have, a box in each gene does not.
    #[test]
    fn the_fault_of_a_crossover_shows_in_the_correlation() {
        let correlation = |extent: Extent| {
            let space = Space::reals(10, -1000.0, 1000.0);
            let crossover = Crossover::Blx { alpha: 0.3, children: 2, pairs: Pairs::All, extent };
            let settings = Settings {
                population: 64,
                parents: 8,
                elites: 8,
                selection: Selection::Best {},
                crossover,
                ..Settings::default()
            };
            let mut method = Genetic::new(space, settings, Stream::new(5));
            let mut heredity = Heredity::default();
            let mut kept = 0;
            let mut rng = Stream::new(6).rng();
            for _ in 0..20 {
                let asked = method.ask();
                let told: Vec<Told> = asked.iter().map(|_| Told::of(rng.below(1 << 30) as f64)).collect();
                method.tell(&told);
                let descent = method.descent().unwrap();
                assert_eq!(descent.parents.len(), 8);
                heredity.push(&asked, kept, &descent.parents);
                kept = descent.kept;
                let next = method.ask();
                assert!((0..kept).all(|index| asked.contains(&next[index])) && kept == 8);
            }
            heredity.correlation().unwrap()
        };
        let (each, extremes) = (correlation(Extent::Proper), correlation(Extent::Extremes));
        assert!(each > 0.8 && extremes.abs() < 0.4, "{each} {extremes}");
    }
}
