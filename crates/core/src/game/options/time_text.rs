//! Times as text: a whole number and its unit.

use std::time::Duration;

/// The units, largest first, in microseconds.
const UNITS: [(&str, u64); 5] =
    [("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1000), ("us", 1)];

/// The longest time, in microseconds: a thousand hours.
const LONGEST: u64 = 1000 * UNITS[0].1;

/// Reads a time such as `50ms`: a positive whole number, then `us`, `ms`, `s`, `min` or `h`. `None` if the text is not
/// a time, or exceeds a thousand hours.
///
/// # Example
/// ```
/// use std::time::Duration;
/// use shikou::game::options::{read_time, write_time};
/// assert_eq!(read_time("1500ms"), Some(Duration::from_millis(1500)));
/// assert_eq!(read_time("1.5s"), None);
/// assert_eq!(read_time("0s"), None);
/// assert_eq!(write_time(Duration::from_millis(2000)), "2s");
/// ```
pub fn read_time(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = (&text[..digits], text[digits..].trim());
    let (_, micros) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let micros = number.parse::<u64>().ok()?.checked_mul(*micros)?;
    (1..=LONGEST).contains(&micros).then(|| Duration::from_micros(micros))
}

/// Writes a time as a whole number of the largest possible unit.
pub fn write_time(time: Duration) -> String {
    let total = time.as_micros() as u64;
    let (name, micros) =
        UNITS.iter().find(|(_, micros)| total.is_multiple_of(*micros)).expect("microseconds divide it");
    format!("{}{name}", total / micros)
}
