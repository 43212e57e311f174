//! A plot of a result against cost in characters, at most 80 columns wide: a letter for each player, the cost on a logarithmic axis.

/// The largest number of lines of the plot.
const LINES: usize = 16;

/// The number of columns right of the axis.
const WIDTH: usize = 70;

/// The width of the lines of names below the plot.
const NAMES_WIDTH: usize = 80;

/// Fewer points are as clear in a table; for more there are not enough letters.
const POINTS: std::ops::RangeInclusive<usize> = 6..=26;

pub(super) struct Point<'a> {
    pub(super) name: &'a str,
    /// Success or points in `[0, 1]`, or a score.
    pub(super) result: f64,
    /// Not negative; 0 is left of the logarithmic axis.
    pub(super) cost: f64,
    /// Whether it is Pareto-optimal: then its letter is a capital.
    pub(super) front: bool,
}

/// The plot, line by line; empty for too few or too many points, or names that leave no room. `cost` names the unit of the cost.
/// The axis of a score goes from the least to the greatest, any other from 0. Letters that would overlap are side by side.
pub(super) fn picture(points: &[Point<'_>], result: &str, cost: &str, scored: bool) -> Vec<String> {
    let costs = || points.iter().map(|point| point.cost).filter(|&cost| cost > 0.0);
    if costs().count() < *POINTS.start() || !POINTS.contains(&points.len()) {
        return Vec::new();
    }
    let names = names(points);
    // Names that are too long leave no room for the picture.
    if names.len() > LINES / 2 {
        return Vec::new();
    }
    // Heading, axis and its labels are three lines.
    let rows = LINES - 3 - names.len();
    let results = || points.iter().map(|point| point.result);
    let [bottom, top] = if scored {
        let [least, most] =
            [results().fold(f64::INFINITY, f64::min), results().fold(f64::NEG_INFINITY, f64::max)];
        [least, if most > least { most } else { least + 1.0 }]
    } else {
        [0.0, (10.0 * results().fold(0.1, f64::max)).ceil() / 10.0]
    };
    // Two decimals in five characters, or fewer.
    let digits = [100.0, 1000.0].iter().filter(|&&power| bottom.abs().max(top) < power).count();
    let digits = if bottom < 0.0 { digits.saturating_sub(1) } else { digits };
    let decade = |cost: f64| libm::log10(cost);
    let low = decade(costs().fold(f64::INFINITY, f64::min)).floor();
    let high = decade(costs().fold(0.0, f64::max)).ceil().max(low + 1.0);
    let free = points.iter().filter(|point| point.cost == 0.0).count();
    let left = if free == 0 { 0 } else { free.max(2) + 2 };
    let column = |cost: f64| {
        let share = if cost > 0.0 { (decade(cost) - low) / (high - low) } else { return 0 };
        left + (share * (WIDTH - 1 - left) as f64).round() as usize
    };
    let mut cells = vec![vec![' '; WIDTH]; rows];
    for (point, letter) in points.iter().zip(letters(points)) {
        let row = ((1.0 - (point.result - bottom) / (top - bottom)) * (rows - 1) as f64).round() as usize;
        let row = &mut cells[row.min(rows - 1)];
        let wanted = column(point.cost);
        let is_free = |at: &usize| row[*at] == ' ';
        let place = (wanted..WIDTH).find(is_free).or_else(|| (0..wanted).rev().find(is_free));
        row[place.expect("a row has more cells than there are letters")] = letter;
    }
    let mut lines = vec![format!("{result} against {cost}; capital letters are Pareto-optimal")];
    for (index, row) in cells.iter().enumerate() {
        let value = bottom + (top - bottom) * (1.0 - index as f64 / (rows - 1) as f64);
        lines.push(format!("{value:5.digits$} ┤{}", row.iter().collect::<String>()));
    }
    lines.extend(axis(left, free > 0, low as i32..=high as i32, &|decade| {
        column(libm::pow(10.0, f64::from(decade)))
    }));
    lines.extend(names);
    lines
}

fn axis(
    left: usize,
    has_zero: bool,
    decades: std::ops::RangeInclusive<i32>,
    column: &dyn Fn(i32) -> usize,
) -> [String; 2] {
    let mut line: Vec<char> = vec!['─'; WIDTH];
    let mut labels = String::new();
    if has_zero {
        line[0] = '┴';
        labels.push('0');
        line[left - 1] = '╌';
    }
    for decade in decades {
        let at = column(decade);
        line[at] = '┴';
        let label = format!("10{}", superscript(decade));
        // A label that would overlap the one before it is omitted.
        if labels.is_empty() || labels.chars().count() < at {
            labels.push_str(&" ".repeat(at - labels.chars().count()));
            labels.push_str(&label);
        }
    }
    [format!("      └{}", line.iter().collect::<String>()), format!("       {labels}")]
}

fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    number.to_string().chars().map(raise).collect()
}

fn letters<'p>(points: &'p [Point<'_>]) -> impl Iterator<Item = char> + 'p {
    let cased = |(letter, point): (char, &Point<'_>)| {
        if point.front { letter.to_ascii_uppercase() } else { letter }
    };
    ('a'..='z').zip(points).map(cased)
}

fn names(points: &[Point<'_>]) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (point, letter) in points.iter().zip(letters(points)) {
        let entry = format!("{letter} {}", point.name);
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            *line = entry;
        } else if line.chars().count() + 3 + entry.chars().count() <= NAMES_WIDTH {
            line.push_str(" · ");
            line.push_str(&entry);
        } else {
            lines.push(entry);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, success: f64, cost: f64, front: bool) -> Point<'_> {
        Point { name, result: success, cost, front }
    }

    #[test]
    fn points_are_at_their_success_and_cost() {
        let points = [
            point("chance", 0.0, 0.0, true),
            point("one", 0.1, 1e3, true),
            point("two", 0.1, 1e3, false),
            point("three", 0.4, 1e4, true),
            point("four", 0.3, 1e5, false),
            point("five", 0.9, 1e5, true),
            point("six", 0.9, 1e6, false),
        ];
        let lines = picture(&points, "success", "positions per deal", false);
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[1].chars().last(), Some('g'), "{lines:#?}");
        assert!(lines[1].starts_with(" 0.90 ┤"));
        // Two points at one place are side by side, the first at its place.
        let twins = lines.iter().find(|line| line.contains("Bc")).expect("the twins");
        assert_eq!(twins.chars().position(|c| c == 'B'), Some(7 + 4));
        let bottom = &lines[LINES - 4];
        assert!(bottom.starts_with(" 0.00 ┤A"), "{bottom}");
        assert_eq!(lines[LINES - 2].split_whitespace().next(), Some("0"));
        assert!(lines[LINES - 1].starts_with("A chance · B one · c two · D three"));
    }

    #[test]
    fn few_points_and_too_many_have_no_picture() {
        let few: Vec<Point<'_>> = (0..5).map(|i| point("p", 0.5, 10.0 + f64::from(i), false)).collect();
        assert!(picture(&few, "success", "nodes", false).is_empty());
        let many: Vec<Point<'_>> = (0..27).map(|i| point("p", 0.5, 10.0 + f64::from(i), false)).collect();
        assert!(picture(&many, "success", "nodes", false).is_empty());
        let long = "a name that goes on and on and on and on and on and on and on and on and on and on";
        let wordy: Vec<Point<'_>> = (0..26).map(|_| point(long, 1.0, 1.0, false)).collect();
        assert!(picture(&wordy, "success", "nodes", false).is_empty());
        // The largest number of points, all at one place.
        let crowd: Vec<Point<'_>> = (0..26).map(|_| point("p", 1.0, 1.0, false)).collect();
        let lines = picture(&crowd, "success", "nodes", false);
        assert!(lines.len() <= LINES && lines[1].contains("abcdefghijklmnopqrstuvwxyz"), "{lines:#?}");
    }
}
