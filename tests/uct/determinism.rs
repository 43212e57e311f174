//! The same stream, the same decision, whoever holds the conversation; and nobody peeks.

use std::sync::Arc;

use shikou::game::{Game, GameExt, Turn, Uniform};
use shikou::games::othello::Othello;
use shikou::players::{Registry, SearcherSpec};
use shikou::rng::{PlayoutKey, Stream};
use shikou::search::{Ask, Budget, Limits, Meter, MoveStream, Searcher, Uct, UctSettings};

use super::{VARIANTS, decide};

/// Two deals that begin alike are alike to every searcher until they differ.
#[test]
fn nobody_peeks_at_the_stock() {
    let registry = Registry::standard();
    let game = registry.game("calculation", &[]).unwrap();
    for spec in
        ["uct@playouts=200", "uct(expansion=single(widening=1))@playouts=200", "open-loop-uct@playouts=200"]
    {
        let specs: [SearcherSpec; 1] = [spec.parse().unwrap()];
        let tables = game.prepare(&specs).unwrap();
        let first_move = |deal: u64| {
            let mut table = tables.table();
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

/// Two conversations held at once, their playouts mixed, come to what each comes to alone.
#[test]
fn conversations_can_be_held_side_by_side() {
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
    let leaf = UctSettings::new(Arc::new(Uniform)).leaf;
    let mut meters = [(); 2].map(|()| Meter::new(Limits::default()).with_budget(Budget::playouts(400)));
    let mut held: Vec<_> = searchers
        .iter_mut()
        .zip(&positions)
        .zip(&mut meters)
        .map(|((uct, position), meter)| uct.begin(&game, position, stream(7), meter).unwrap())
        .collect();
    let mut stopped = Vec::new();
    while stopped.len() < 2 {
        for (index, conversation) in held.iter_mut().enumerate() {
            match conversation.ask(&mut meters[index]) {
                Ask::Playouts(at) => {
                    let Turn::Player(player) = game.turn(&positions[index]) else { unreachable!() };
                    let sample = leaf.play(&game, &at, player, conversation.batch());
                    meters[index].count_playouts(&sample.work());
                    conversation.tell(&sample);
                }
                Ask::Nothing(stop) => {
                    if !stopped.contains(&index) {
                        stopped.push(index);
                        assert_eq!(
                            conversation.decide(stream(7), stop, &meters[index]).unwrap(),
                            alone[index]
                        );
                    }
                }
            }
        }
    }
}
