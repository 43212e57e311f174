//! Handwritten puzzles: `SameGame`, Weak Schur and Morpion Solitaire.

use shikou::game::nth_set_bit;
use shikou::rng::PlayoutRng;

/// `SameGame` on 15×15: an array of cells, whose groups are found by filling. The text of the board is that of the game.
pub(crate) fn samegame(board: &str) -> impl Fn(&mut PlayoutRng) -> (i32, u32) {
    const SIDE: usize = 15;
    /// Columns from the lowest cell, with a free cell above each and a free column to either side.
    type Board = [[u8; SIDE + 1]; SIDE + 2];

    #[inline(always)]
    fn fill(
        board: &Board,
        from: (usize, usize),
        seen: &mut [u16; SIDE + 2],
        cells: &mut [(u8, u8); 225],
    ) -> usize {
        let colour = board[from.0][from.1];
        cells[0] = (from.0 as u8, from.1 as u8);
        seen[from.0] |= 1 << from.1;
        let (mut found, mut next) = (1, 0);
        while next < found {
            let (column, row) = (usize::from(cells[next].0), usize::from(cells[next].1));
            next += 1;
            for (c, r) in
                [(column, row + 1), (column, row.wrapping_sub(1)), (column + 1, row), (column - 1, row)]
            {
                if r < SIDE && board[c][r] == colour && seen[c] >> r & 1 == 0 {
                    seen[c] |= 1 << r;
                    cells[found] = (c as u8, r as u8);
                    found += 1;
                }
            }
        }
        found
    }

    let mut start: Board = [[0; SIDE + 1]; SIDE + 2];
    for (row, line) in board.split('/').enumerate() {
        for (column, stone) in line.bytes().take(SIDE).enumerate() {
            start[column + 1][SIDE - 1 - row] = stone - b'0' + 1;
        }
    }
    #[inline(always)]
    move |draws| {
        let (mut board, mut points, mut plies) = (start, 0, 0);
        let mut cells = [(0, 0); 225];
        loop {
            let (mut seen, mut firsts, mut groups) = ([0; SIDE + 2], [(0, 0); 112], 0);
            for column in 1..=SIDE {
                for row in 0..SIDE {
                    if board[column][row] == 0 {
                        break;
                    }
                    if seen[column] >> row & 1 == 0 && fill(&board, (column, row), &mut seen, &mut cells) > 1
                    {
                        firsts[groups] = (column, row);
                        groups += 1;
                    }
                }
            }
            if groups == 0 {
                break;
            }
            let first = firsts[draws.below(groups as u32) as usize];
            let size = fill(&board, first, &mut [0; SIDE + 2], &mut cells);
            plies += 1;
            points += (size as i32 - 2).pow(2);
            for &(column, row) in &cells[..size] {
                board[usize::from(column)][usize::from(row)] = 0;
            }
            let mut kept = 1;
            for column in 1..=SIDE {
                let (mut fallen, mut height) = ([0; SIDE + 1], 0);
                for stone in board[column].into_iter().filter(|&stone| stone > 0) {
                    fallen[height] = stone;
                    height += 1;
                }
                board[column] = [0; SIDE + 1];
                if height > 0 {
                    board[kept] = fallen;
                    kept += 1;
                }
            }
        }
        let mut left = [0_i32; 8];
        for &stone in board.as_flattened() {
            left[usize::from(stone)] += 1;
        }
        let penalty: i32 = left[1..].iter().map(|&stones| (stones - 2).max(0).pow(2)).sum();
        let is_empty = board == [[0; SIDE + 1]; SIDE + 2];
        (if is_empty { points + 1000 } else { points - penalty }, plies)
    }
}

/// Weak Schur with four sets: for each the members and the sums of two of them, as masks. No number is above 66.
#[inline(always)]
pub(crate) fn weak_schur(draws: &mut PlayoutRng) -> (i32, u32) {
    let (mut members, mut sums, mut last) = ([0_u128; 4], [0_u128; 4], 0);
    loop {
        let number = last + 1;
        let fits = |set: usize| u64::from(sums[set] >> number & 1 == 0) << set;
        let open = fits(0) | fits(1) | fits(2) | fits(3);
        if open == 0 {
            return (last as i32, last);
        }
        let set = nth_set_bit(open, draws.below(open.count_ones())).expect("a set is open");
        let set = usize::from(set);
        sums[set] |= members[set] << number;
        members[set] |= 1 << number;
        last = number;
    }
}

/// Morpion Solitaire 5T: the lines that can be drawn as a sorted list, a line as its direction and its first point. The board has 32 × 32
/// points, whose edges no random game comes near.
pub(crate) fn morpion() -> impl Fn(&mut PlayoutRng) -> (i32, u32) {
    const SIDE: usize = 32;
    const POINTS: usize = SIDE * SIDE;
    /// The difference of the numbers of neighbours along a line.
    const STRIDES: [usize; 4] = [1, SIDE, SIDE + 1, SIDE - 1];
    const CROSS: [&str; 10] = [
        "...####...",
        "...#..#...",
        "...#..#...",
        "####..####",
        "#........#",
        "#........#",
        "####..####",
        "...#..#...",
        "...#..#...",
        "...####...",
    ];

    #[derive(Clone)]
    struct Board {
        there: [bool; POINTS],
        /// Whether a line of a direction joins a point to the next.
        joined: [[bool; POINTS]; 4],
        lines: Vec<u16>,
    }

    impl Board {
        /// Adds the lines of four points and a free one that go through a point.
        #[inline(always)]
        fn look(&mut self, point: usize) {
            for (direction, stride) in STRIDES.into_iter().enumerate() {
                for back in 0..5 {
                    let first = point - back * stride;
                    let there = (0..5).filter(|k| self.there[first + k * stride]).count();
                    let is_free = (0..4).all(|k| !self.joined[direction][first + k * stride]);
                    let line = (POINTS * direction + first) as u16;
                    if there == 4
                        && is_free
                        && let Err(place) = self.lines.binary_search(&line)
                    {
                        self.lines.insert(place, line);
                    }
                }
            }
        }

        #[inline(always)]
        fn draw(&mut self, line: u16) {
            let (direction, first) = (usize::from(line) / POINTS, usize::from(line) % POINTS);
            let stride = STRIDES[direction];
            let new = (0..5).map(|k| first + k * stride).find(|&point| !self.there[point]);
            let new = new.expect("a line adds a point");
            self.there[new] = true;
            (0..4).for_each(|k| self.joined[direction][first + k * stride] = true);
            let Self { there, joined, lines } = self;
            lines.retain(|&line| {
                let (direction, first) = (usize::from(line) / POINTS, usize::from(line) % POINTS);
                let stride = STRIDES[direction];
                !(0..5).all(|k| there[first + k * stride])
                    && !(0..4).any(|k| joined[direction][first + k * stride])
            });
            self.look(new);
        }
    }

    let mut start = Board { there: [false; POINTS], joined: [[false; POINTS]; 4], lines: Vec::new() };
    let corner = (SIDE - CROSS.len()) / 2;
    for (row, points) in CROSS.into_iter().enumerate() {
        for (column, _) in points.bytes().enumerate().filter(|(_, point)| *point == b'#') {
            start.there[(corner + row) * SIDE + corner + column] = true;
        }
    }
    for point in 5 * SIDE..POINTS - 5 * SIDE {
        start.look(point);
    }
    #[inline(always)]
    move |draws| {
        let (mut board, mut plies) = (start.clone(), 0);
        while !board.lines.is_empty() {
            let line = board.lines[draws.below(board.lines.len() as u32) as usize];
            board.draw(line);
            plies += 1;
        }
        (plies as i32, plies)
    }
}
