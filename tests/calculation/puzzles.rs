//! The positions of the page on Calculation, with the values that it states.

use std::fs;
use std::path::Path;

use shikou::game::Game;
use shikou::games::calculation::Calculation;

use super::holding::Exact;

/// The success that a cell of the table states, such as `.25`.
fn success(cell: &str) -> f64 {
    format!("0{cell}").parse().unwrap()
}

/// Every value by expectimax. No other first move is as good as the best, unless it puts the card on another empty pile.
#[test]
fn the_best_moves_of_the_page_are_the_best() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/calculation.md");
    let page = fs::read_to_string(page).unwrap().replace("\\|", "¦");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.contains("`up "))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    let rows: Vec<_> = rows.iter().filter(|row| row.len() == 7).collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let [_, piles, position, best, value, instead, other] = row[..] else { unreachable!() };
        let game = Calculation::default().with_piles(piles.parse().unwrap()).with_merged_empty_piles(true);
        let position = game.parse_position(&position.replace('¦', "|")).unwrap();
        let mut exact = Exact::new(&game);
        let mut after = |mv| {
            let mut child = position;
            game.apply(&mut child, mv);
            exact.value(&child)
        };
        for mv in game.moves(&position) {
            let (notation, found) = (game.notation(&position, mv), after(mv));
            let stated = [(best, value), (instead, other)].into_iter().find(|(mv, _)| *mv == notation);
            match stated {
                Some((_, stated)) => assert!((found - success(stated)).abs() < 1e-12, "{row:?}: {found}"),
                None => assert!(found < success(value) - 0.2, "{row:?}: {notation} has {found}"),
            }
        }
        let moves: Vec<String> = game.moves(&position).map(|mv| game.notation(&position, mv)).collect();
        assert!([best, instead].iter().all(|mv| moves.iter().any(|other| other == mv)), "{row:?}: {moves:?}");
    }
}
