//! The same stream gives the same decision, whatever drives ask/tell; and no search sees the stock.

use std::sync::Arc;

use shikou::game::{Game, GameExt, Uniform};
use shikou::games::othello::Othello;
use shikou::players::SearcherSpec;
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{
    AnswerBuffer, Ask, AskTell, Budget, Limits, Meter, MoveStream, Searcher, Uct, UctSettings,
};

use crate::support::searcher;

use super::{VARIANTS, decide};

/// Two deals with a common beginning give the same decisions until they differ.
#[test]
fn no_searcher_sees_the_stock() {
    let registry = shikou::registry();
    let game = registry.game("calculation", &[]).unwrap();
    for spec in
        ["uct@playouts=200", "uct(expansion=single(widening=1))@playouts=200", "open-loop-uct@playouts=200"]
    {
        let specs: [SearcherSpec; 1] = [searcher(spec)];
        let tables = game.prepare(&specs).unwrap();
        let first_move = |deal: u64| {
            let mut table = tables.table(&[0]);
            table.let_chance_choose(&mut Stream::new(deal).rng());
            let card = table.last_move().unwrap();
            table.decide(MoveStream::new(PlayoutKey::new(1)), Limits::default()).unwrap();
            (card, table.last_decision().unwrap().1)
        };
        let mut seen = std::collections::BTreeMap::new();
        for deal in 0..40 {
            let (card, decision) = first_move(deal);
            assert_eq!(*seen.entry(card).or_insert_with(|| decision.clone()), decision, "{spec}");
        }
        assert!(seen.len() < 14);
    }
}

#[test]
fn the_same_stream_gives_the_same_decision_and_another_another() {
    let game = Othello::default();
    let start = game.follow("f5d6").unwrap();
    for variant in VARIANTS {
        let ask = |seed| decide(&format!("{variant}@playouts=300"), &game, &start, seed);
        assert_eq!(ask(1), ask(1), "{variant}");
        assert_ne!(ask(1).0.moves, ask(2).0.moves, "{variant}");
    }
}

/// Two interleaved searches, with their playouts mixed, decide like each alone.
#[test]
fn searches_can_go_on_side_by_side() {
    let game = Othello::default();
    let positions = [game.start(), game.follow("f5d6c3").unwrap()];
    let stream = |seed| MoveStream::new(PlayoutKey::new(seed));
    let mut searchers = [(); 2].map(|()| Uct::new(UctSettings::new(Arc::new(Uniform))));
    let alone: Vec<_> = positions
        .iter()
        .map(|position| {
            let mut meter = Meter::new(Limits::default()).with_budget(Budget::playouts(400));
            let mut uct = Uct::new(UctSettings::new(Arc::new(Uniform)));
            uct.choose(&game, position, stream(7), &mut meter).unwrap()
        })
        .collect();
    let mut meters = [(); 2].map(|()| Meter::new(Limits::default()).with_budget(Budget::playouts(400)));
    for ((uct, position), meter) in searchers.iter_mut().zip(&positions).zip(&mut meters) {
        assert!(uct.open(&game, position, stream(7), meter).unwrap().is_none());
    }
    let mut buffer = AnswerBuffer::default();
    let mut stopped = Vec::new();
    while stopped.len() < 2 {
        for (index, uct) in searchers.iter_mut().enumerate() {
            let answer = match uct.ask(&game, &mut meters[index]) {
                Ask::Playouts { policy, requests } => buffer.play(&game, &**policy, requests),
                Ask::Evaluations { .. } => unreachable!("nothing is evaluated"),
                Ask::Nothing(stop) => {
                    if !stopped.contains(&index) {
                        stopped.push(index);
                        let decision = uct.close(&game, stream(7), stop, &meters[index]).unwrap();
                        assert_eq!(decision, alone[index]);
                    }
                    continue;
                }
            };
            uct.tell(&game, answer, &mut meters[index]);
        }
    }
}
