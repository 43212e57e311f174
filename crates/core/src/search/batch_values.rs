use crate::game::{Evaluation, EvaluationBuffer, EvaluationRequest, Game, Player, Turn};

/// The values of the latest batch of positions, finished ones included. The buffers are reused.
#[derive(Clone, Debug)]
pub(super) struct BatchValues<P> {
    requests: Vec<EvaluationRequest<P>>,
    answers: EvaluationBuffer,
    /// `None` until the batch is answered.
    values: Vec<Option<i64>>,
}

impl<P: Copy> BatchValues<P> {
    /// An empty batch, without allocation.
    pub(super) fn new() -> Self {
        Self { requests: Vec::new(), answers: EvaluationBuffer::default(), values: Vec::new() }
    }

    /// Finds the value of each position for the player beside it.
    #[inline(never)]
    pub(super) fn find<G: Game<Position = P>>(
        &mut self,
        game: &G,
        evaluation: &dyn Evaluation<G>,
        positions: &mut dyn Iterator<Item = (P, Player)>,
    ) {
        self.requests.clear();
        self.values.clear();
        for (position, player) in positions {
            let finished = game.turn(&position) == Turn::Over;
            self.values.push(finished.then(|| evaluation.finished(game, &position, player)));
            if !finished {
                self.requests.push(EvaluationRequest { position, player, prior: false });
            }
        }
        if self.requests.is_empty() {
            return;
        }
        self.answers.clear();
        evaluation.evaluate_many(game, &self.requests, &mut self.answers);
        let answers = self.answers.all().values();
        assert_eq!(answers.len(), self.requests.len(), "an evaluation answers each request once");
        let waiting = self.values.iter_mut().filter(|value| value.is_none());
        waiting.zip(answers).for_each(|(value, &answer)| *value = Some(answer));
    }

    pub(super) fn get(&self, place: usize) -> i64 {
        self.values[place].expect("the batch is answered")
    }
}
