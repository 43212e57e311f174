//! Files of networks, held against the game and the inputs for which they are read.

use std::collections::BTreeMap;

use super::recipe::FitError;
use crate::game::options::FileValue;
use crate::game::tuples::Seen;
use crate::learn::{Activation, Network, read_network};

/// The purpose of a network, as its file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkForm {
    /// The name of the game.
    pub game: String,
    /// The inputs: `one-hot`, `bits`, or the name of features.
    pub input: String,
    /// The view that they show: `inversion` or `negation`.
    pub seen: &'static str,
    /// The number of inputs.
    pub inputs: usize,
}

/// The words that choose how a position is seen.
pub(super) const SEEN: [(&str, Seen); 2] = [("inversion", Seen::Inversion), ("negation", Seen::Negation)];

pub(super) fn seen_word(seen: Seen) -> &'static str {
    SEEN[usize::from(seen == Seen::Negation)].0
}

impl NetworkForm {
    /// The metadata of a file.
    pub fn metadata(&self) -> BTreeMap<String, String> {
        [("game", &*self.game), ("input", &self.input), ("seen", self.seen)]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    /// The network of a file. A file of another program need not state what it is for. `hidden` is the
    /// activation of all layers but the last, for a file that states none.
    ///
    /// # Errors
    /// If the file is no network, or states another game or other inputs, or takes another number of them.
    pub fn read(&self, bytes: &[u8], hidden: Option<Activation>) -> Result<Network, String> {
        let file = read_network(bytes, hidden).map_err(|error| error.to_string())?;
        let stated = |name: &str| file.metadata.get(name).map_or("", String::as_str);
        if !["", &self.game].contains(&stated("game")) {
            return Err(format!("this network is for {}, not for {}", stated("game"), self.game));
        }
        let inputs = file.network.inputs();
        if inputs != self.inputs {
            let reason = "choose other inputs or another game";
            let (input, needed) = (&self.input, self.inputs);
            return Err(format!(
                "this network takes {inputs} inputs, and `{input}` gives {needed}; {reason}"
            ));
        }
        if stated("game").is_empty() {
            return Ok(file.network);
        }
        for (name, own) in [("input", &*self.input), ("seen", self.seen)] {
            if stated(name) != own {
                return Err(format!("this network has {name} `{}`, not `{own}`", stated(name)));
            }
        }
        Ok(file.network)
    }
}

/// A learned network of an option, read by `read`: of a file, or the result of a training.
pub(super) fn read_learned<T>(
    file: Option<&FileValue>,
    evolved: Option<&FileValue>,
    read: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<T, FitError> {
    let (option, given, lacks) = match (file, evolved) {
        (Some(file), None) => ("file", file, "the file is not read yet"),
        (None, Some(evolved)) => ("evolved", evolved, "this player waits for that training"),
        (Some(_), Some(_)) => return Err(FitError::option("file", "write one of `file` and `evolved`")),
        (None, None) => {
            let reason = "a network needs a file; write file = \"network.safetensors\"";
            return Err(FitError::option("file", reason));
        }
    };
    let refused = |reason: String| FitError::option(option, format!("{}: {reason}", given.path()));
    let content = given.content().ok_or_else(|| refused(lacks.into()))?;
    read(content).map_err(refused)
}
