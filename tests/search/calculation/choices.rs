//! The pile that a player by learned values chooses: the picture of the page on Calculation.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use shikou::game::{Game, Turn, lines_of};
use shikou::games::calculation::{Calculation, FoundationRule, MoveKind, PILE_BAGS, Position, Rank};
use shikou::learn::{DeepSetsEvaluation, read_deep_sets};
use shikou::rng::PlayoutKey;

/// The deals that are played.
const DEALS: u64 = 2000;

/// The largest need that the picture shows, and the column of an empty pile.
const NEEDS: usize = 10;
const EMPTY: usize = NEEDS + 1;

/// A cell with fewer chances is left blank.
const FEWEST: u32 = 50;

/// The cards that the nearest foundation takes before one of a rank; `None` if no foundation takes one.
fn need(position: &Position, rank: Rank) -> Option<usize> {
    let needs = (1_usize..).zip(position.heights()).filter_map(|(foundation, height)| {
        let of_card = |place: usize| foundation * (place + 1) % 13 == usize::from(rank.number()) % 13;
        (usize::from(height)..13).find(|&place| of_card(place)).map(|place| place - usize::from(height))
    });
    needs.min()
}

/// How often a card of one need could go onto a top of another one, and how often it went.
#[derive(Clone, Copy, Default)]
struct Cell {
    chances: u32,
    chosen: u32,
}

type Cells = [[Cell; EMPTY + 1]; NEEDS + 1];

/// Counts the choices of a pile in the games of a player at one ply.
fn count() -> Cells {
    let game = Calculation::default()
        .with_foundation_rule(FoundationRule::Outstanding)
        .with_merged_empty_piles(true);
    let root = Path::new(crate::ROOT);
    let file = fs::read(root.join("experiments/data/calculation-four-holding.values.safetensors")).unwrap();
    let network = read_deep_sets(&file, "calculation", PILE_BAGS.kinds).unwrap();
    let evaluation = DeepSetsEvaluation::new(&game, Arc::new(network), PILE_BAGS, 1e-6);
    let mut lines = lines_of(&evaluation, &game);
    let mut cells = Cells::default();
    for deal in 0..DEALS {
        // A seed of the tuning deals.
        let mut draws = PlayoutKey::new(2295).playout(deal);
        let mut position = game.start();
        loop {
            match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    let card = game.random_outcome(&position, &mut draws);
                    game.apply(&mut position, card);
                }
                Turn::Player(_) => {
                    let values = lines.look(&position);
                    let best = (0..values.len())
                        .fold(0, |best, number| if values[number] > values[best] { number } else { best });
                    let mv = lines.moves(best)[0];
                    add(&game, &position, mv.kind(), &mut cells);
                    game.apply(&mut position, mv);
                }
            }
        }
    }
    cells
}

/// Adds a choice of a pile. Piles with tops of one need count once.
fn add(game: &Calculation, position: &Position, chosen: MoveKind, cells: &mut Cells) {
    let (MoveKind::HandDown { pile: chosen }, Some(hand)) = (chosen, position.hand()) else { return };
    let Some(row) = need(position, hand).filter(|need| *need <= NEEDS) else { return };
    let column = |pile| match position.pile(pile).last() {
        None => Some(EMPTY),
        Some(top) => need(position, top).filter(|need| *need <= NEEDS),
    };
    let mut open: Vec<usize> = (1..=game.piles()).filter_map(column).collect();
    open.sort_unstable();
    open.dedup();
    // Only a choice between several counts.
    if open.len() > 1 {
        for column in open {
            cells[row][column].chances += 1;
        }
        if let Some(column) = column(chosen) {
            cells[row][column].chosen += 1;
        }
    }
}

/// The cells as a picture: the darker, the more often chosen.
fn picture(cells: &Cells) -> String {
    const SIDE: usize = 44;
    const LEFT: usize = 92;
    const TOP: usize = 74;
    let (width, height) = (LEFT + SIDE * (EMPTY + 1) + 16, TOP + SIDE * (NEEDS + 1) + 16);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<title>On which pile a card goes</title>\n\
         <desc>How often the player at one ply puts a card on a pile, in percent of its chances, by the need of the card and \
         of the top of the pile</desc>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let mut text = |x: usize, y: usize, anchor: &str, colour: &str, words: &str| {
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>")
            .unwrap();
    };
    text(LEFT + SIDE * (EMPTY + 1) / 2, 22, "middle", "#222", "need of the top of the pile");
    text(LEFT - 12, 46, "end", "#222", "need of");
    text(LEFT - 12, 62, "end", "#222", "the card");
    for column in 0..=EMPTY {
        let name = if column == EMPTY { "empty".into() } else { column.to_string() };
        text(LEFT + SIDE * column + SIDE / 2, 62, "middle", "#222", &name);
    }
    let mut shades = String::new();
    for (row, cells) in cells.iter().enumerate() {
        text(LEFT - 12, TOP + SIDE * row + SIDE / 2 + 5, "end", "#222", &row.to_string());
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.chances >= FEWEST) {
            let percent = (100 * cell.chosen + cell.chances / 2) / cell.chances;
            let [red, green, blue] = [(250, 20), (250, 70), (250, 130)]
                .map(|(light, dark): (u32, u32)| light - (light - dark) * percent / 100);
            let (x, y) = (LEFT + SIDE * column, TOP + SIDE * row);
            let side = SIDE - 2;
            writeln!(
                shades,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
            )
            .unwrap();
            let colour = if percent > 45 { "#fff" } else { "#222" };
            writeln!(
                shades,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{colour}\">{percent}</text>",
                x + side / 2,
                y + side / 2 + 5
            )
            .unwrap();
        }
    }
    svg + &shades + "</svg>\n"
}

/// A card goes more often onto one that is needed later than onto one that is needed sooner.
#[test]
#[ignore = "long: a network plays 2000 deals"]
fn the_picture_of_the_page_on_calculation_shows_the_choices_of_a_player() {
    let cells = count();
    let share = |sooner: bool| {
        let mut all = Cell::default();
        for (row, cells) in cells.iter().enumerate() {
            for (column, cell) in cells.iter().enumerate().take(EMPTY) {
                if if sooner { row < column } else { row > column } {
                    all.chances += cell.chances;
                    all.chosen += cell.chosen;
                }
            }
        }
        f64::from(all.chosen) / f64::from(all.chances)
    };
    assert!(share(true) > share(false) + 0.05, "{} and {}", share(true), share(false));
    let root = Path::new(crate::ROOT);
    let (path, svg) = (root.join("docs/calculation-piles.svg"), picture(&cells));
    if std::env::var_os("SHIKOU_UPDATE_DOCS").is_some() {
        fs::write(&path, &svg).unwrap();
    }
    let update = "run `SHIKOU_UPDATE_DOCS=1 cargo test --test tests choices:: -- --ignored` to draw it again";
    let drawn = fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == svg, "docs/calculation-piles.svg differs; {update}");
    let page = fs::read_to_string(root.join("docs/calculation.md")).unwrap();
    assert!(page.contains("](calculation-piles.svg)"), "the page on Calculation shows no picture");
}
