//! The colours of figures: of a file on paper, of one that follows the reader's theme, and of the page.

use std::fmt::Write as _;

/// The colours of series on a light and on a dark page (Okabe and Ito 2008, darkened and lightened).
const SERIES: [[&str; 2]; super::svg::COLOURS] = [
    ["#555555", "#bbbbbb"],
    ["#0072b2", "#56b4e9"],
    ["#b34700", "#ff9e4a"],
    ["#00785a", "#2fd3a5"],
    ["#a3387a", "#e59cc8"],
    ["#7a6500", "#f0e442"],
    ["#4b3fa7", "#a9a0ff"],
    ["#8c2d04", "#e8875a"],
];

const OTHERS: [(&str, [&str; 2]); 3] =
    [("page", ["#ffffff", "#0d1117"]), ("ink", ["#24292f", "#e6edf3"]), ("grid", ["#d0d7de", "#30363d"])];

/// The colours of cells from the least to the greatest, orange to blue; dark text is legible on each.
const CELLS: [&str; 9] =
    ["#e08214", "#f0a95b", "#f7cfa0", "#fbe9d3", "#f4f4f4", "#dbe9f4", "#a9cfe8", "#74add1", "#4f9bd0"];

pub(super) const LEVELS: usize = CELLS.len();

/// Everything but the colours.
const SHAPES: &str = "text{font:13px system-ui,sans-serif}.h{font-size:15px;font-weight:600}path{fill:none}\
                      .front{stroke-width:1.5}.c text{text-anchor:middle}";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Colours {
    Light,
    /// By the reader's theme.
    Themed,
}

/// The style sheet of a figure that is a file.
pub(super) fn of_file(colours: Colours) -> String {
    let theme = |theme: usize| {
        rules(|name| {
            let other = OTHERS.iter().find(|(other, _)| *other == name).map(|(_, colours)| colours);
            let colours = other.unwrap_or_else(|| &SERIES[name[1..].parse::<usize>().expect("a series")]);
            colours[theme].into()
        })
    };
    let dark = match colours {
        Colours::Light => String::new(),
        Colours::Themed => format!("@media (prefers-color-scheme:dark){{{}}}", theme(1)),
    };
    format!("<style>{SHAPES}{}{}{dark}</style>\n", cells(), theme(0))
}

/// The style sheet of the figures of a page: its variables, and the rules that use them.
pub(in crate::report) fn of_page() -> String {
    let variables = |theme: usize| {
        let mut text = String::new();
        for (number, colours) in SERIES.iter().enumerate() {
            let _ = write!(text, "--s{number}:{};", colours[theme]);
        }
        for (name, colours) in OTHERS {
            let _ = write!(text, "--{name}:{};", colours[theme]);
        }
        text
    };
    format!(
        ":root{{color-scheme:light dark;{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n\
         @media print{{:root{{{}}}}}\n{SHAPES}{}{}\n",
        variables(0),
        variables(1),
        variables(0),
        cells(),
        rules(|name| format!("var(--{name})"))
    )
}

/// The rules of all classes, with the colour of a name.
fn rules(colour: impl Fn(&str) -> String) -> String {
    let [page, ink, grid] = ["page", "ink", "grid"].map(&colour);
    let mut text = format!(
        ".page{{fill:{page}}}text{{fill:{ink}}}.c text{{fill:#111}}.grid,.front{{stroke:{grid}}}.front{{stroke:{ink}}}"
    );
    for number in 0..SERIES.len() {
        let colour = colour(&format!("s{number}"));
        let _ = write!(
            text,
            ".s{number}{{stroke:{colour}}}.s{number} circle,.s{number} .m,text.s{number}{{fill:{colour};stroke:none}}"
        );
    }
    text
}

fn cells() -> String {
    let rule = |(level, colour): (usize, &&str)| format!(".q{level}{{fill:{colour}}}");
    CELLS.iter().enumerate().map(rule).collect()
}
