//! The positions of the page on Calculation, with the values that it states.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use shikou::game::{Game, GameExt};
use shikou::games::calculation::Calculation;

use super::holding::Exact;

/// The success that a cell of the table states, such as `.25`.
fn success(cell: &str) -> f64 {
    format!("0{cell}").parse().unwrap()
}

/// Every value by expectimax. No other first move is as good as the best; empty piles count as one.
#[test]
fn the_best_moves_of_the_page_are_the_best() {
    let page = Path::new(crate::ROOT).join("docs/calculation.md");
    let page = fs::read_to_string(page).unwrap().replace("\\|", "¦");
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    let rows: Vec<_> =
        page.lines().map(cells).filter(|row| row.len() == 7 && row[2].starts_with("up ")).collect();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let [_, piles, position, best, value, instead, other] = &row[..] else { unreachable!() };
        let game = Calculation::default().with_piles(piles.parse().unwrap()).with_merged_empty_piles(true);
        let position = game.parse_position(&position.replace('¦', "|")).unwrap();
        let mut exact = Exact::new(&game);
        let found: BTreeMap<String, f64> = game
            .children(&position)
            .map(|(mv, child)| (game.notation(&position, mv), exact.value(&child)))
            .collect();
        for (mv, stated) in [(best, value), (instead, other)] {
            assert!((found[mv] - success(stated)).abs() < 1e-12, "{row:?}: {found:?}");
        }
        let is_alone = found.iter().all(|(mv, &found)| mv == best || found < success(value) - 0.2);
        assert!(is_alone, "{row:?}: {found:?}");
    }
}
