//! Files of networks of bags, held against the game for which they are read.

use std::sync::Arc;

use super::network_file::read_learned;
use super::recipe::FitError;
use crate::game::options::FileValue;
use crate::learn::{BagNetwork, read_bag_network, write_bag_network};

/// What a network of bags is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BagForm {
    /// The name of the game.
    pub game: String,
    /// The kinds of things.
    pub kinds: usize,
}

impl BagForm {
    /// The number of weights.
    pub const fn weights(&self) -> usize {
        BagNetwork::count_parameters(self.kinds)
    }

    /// The content of a file with these parameters.
    ///
    /// # Panics
    /// If there is another number of them, or one is not finite.
    pub fn content(&self, parameters: &[f32]) -> Vec<u8> {
        let network = BagNetwork::from_parameters(self.kinds, parameters);
        write_bag_network(&network.expect("as many finite weights as the network has"), &self.game)
    }

    /// The network of an option: of a file, or the result of a training.
    pub(super) fn read_option(
        &self,
        file: Option<&FileValue>,
        evolved: Option<&FileValue>,
    ) -> Result<Arc<BagNetwork>, FitError> {
        let read = |content: &[u8]| read_bag_network(content, &self.game, self.kinds).map(Arc::new);
        read_learned(file, evolved, read)
    }
}
