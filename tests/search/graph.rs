//! The graph of a small game has the lines of the game.

use shikou::game::{FinishedGames, Game, GameExt, Graph, perft};
use shikou::games::calculation::{Calculation, Deck};
use shikou::games::random_tree::{RandomTree, Settings};
use shikou::games::tic_tac_toe::TicTacToe;

/// The lines that a graph has, counted from its ends.
fn lines(graph: &Graph) -> u64 {
    let mut lines: Vec<u64> = Vec::new();
    for number in 0..=graph.start() {
        let below = graph.edges(number).iter().map(|edge| lines[edge.to as usize]).sum();
        lines.push(if graph.edges(number).is_empty() { 1 } else { below });
    }
    lines[graph.start() as usize]
}

fn check<G: Game>(game: &G, plies: u32) -> usize {
    let all = Graph::of(game, 1_000_000).unwrap();
    assert_eq!(lines(&all), perft(game, &game.start(), plies, FinishedGames::Count));
    for number in 0..=all.start() {
        let children: Vec<_> = game.children(all.position(number).of()).collect();
        assert_eq!(children.len(), all.edges(number).len());
        for ((_, child), edge) in children.into_iter().zip(all.edges(number)) {
            assert!(edge.to < number && child == *all.position(edge.to).of());
        }
    }
    all.len()
}

/// The numbers of distinct positions by an independent enumeration.
#[test]
fn equal_positions_of_calculation_are_one() {
    for (ranks, positions) in [(3, 133), (5, 44_709)] {
        let game = Calculation::default().with_deck(Deck::new(ranks, 2).unwrap()).with_piles(1);
        assert_eq!(Graph::of(&game, 50_000).unwrap().len(), positions);
    }
}

#[test]
fn a_graph_has_the_lines_of_its_game() {
    assert_eq!(check(&TicTacToe, 9), 5478);
    let tree = RandomTree::new(Settings { depth: 6, chance_every: 3, ..Settings::default() }).unwrap();
    check(&tree, 6);
    check(&Calculation::default().with_deck(Deck::new(3, 2).unwrap()).with_piles(2), 40);
}
