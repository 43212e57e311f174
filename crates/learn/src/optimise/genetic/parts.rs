//! The parts of a genetic algorithm, as options.

use super::{
    Beyond, Crossover, Draw, Extent, Groups, Knockout, Mutation, Pairs, Seating, Selection, TieTo, To,
};
use crate::game::options::{flag, integer, parts, real};

parts! {
    impl Selection {
        /// the best of each of several groups (Goldberg, Deb 1991)
        Tournament {
            /// candidates of a group
            size: usize = integer(2..=1_000_000, 2).capped(2),
            /// how groups are formed
            groups: Groups = Groups::setting(),
            /// the winner among equals
            ties: TieTo = TieTo::setting(),
        },
        /// the best by fitness (truncation)
        Best {},
        /// the winners in their order, then candidates from the front ("all" of source G)
        WinnersFirst {},
        /// each is accepted with a chance by its rank (source G)
        Ranking {
            /// the chance of ranks below the 16th
            beyond: Beyond = Beyond::setting(),
        },
        /// drawn with chances proportional to fitness above the least, none twice (source G)
        Roulette {
            /// the worth of the worst candidate, in units of fitness
            shift: f64 = real(1e-9..=1e9, 5.0),
            /// fault if false: a running sum takes a candidate each time it reaches 100 (source G)
            draws: bool = flag(true),
        },
        /// candidates meet in pairs until only the parents are left; it is the fitness
        Knockout {
            /// the order of the queue at the beginning
            seating: Seating = Seating::setting(),
            /// games of a meeting; with 1, a fault of source B, the place in the queue decides who moves first
            games: u32 = integer(1..=1_000_000, 2).capped(2),
            /// who stays after a drawn meeting
            draw: Draw = Draw::setting(),
        } => Self::Knockout(Knockout { seating, games, draw }),
    }
}

parts! {
    impl Crossover {
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
        /// a copy of one parent
        Copy {},
    }
}

parts! {
    impl Mutation {
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
        } => Self::OneOf { chance, add_normal: (add_normal > 0.0).then_some(add_normal), flip_sign, swap },
        /// no change
        None {},
    }
}
