//! The marks of series: a shape and a pattern of dashes each, so that they differ without colour.

/// How many series have a colour of their own.
pub(super) const COLOURS: usize = 8;

/// The number of a series' colour: grey comes last.
pub(super) const fn colour(series: usize) -> usize {
    (series + 1) % COLOURS
}

/// The patterns of dashes of lines.
pub(super) const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// The shape of a series' marks at a place.
pub(super) fn marker(series: usize, x: f64, y: f64) -> String {
    let path = |d: &str| format!(r#"<path class="m" d="M{x:.1} {y:.1}{d}z"/>"#);
    match series % 6 {
        0 => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4"/>"#),
        1 => path("m-3.8-3.8h7.6v7.6h-7.6"),
        2 => path("m0-5l4.8 8.4h-9.6"),
        3 => path("m0-5.4l5.4 5.4l-5.4 5.4l-5.4-5.4"),
        4 => path("m0 5l4.8-8.4h-9.6"),
        _ => path("m-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4"),
    }
}
