//! Columns of integers: seven bits a byte, and a column of equal numbers is one number.

/// A column in the making.
#[derive(Default)]
pub(super) struct Column {
    bytes: Vec<u8>,
    first: Option<u64>,
    varies: bool,
}

/// The kinds of a column.
const EQUAL: u8 = 0;
const VARIED: u8 = 1;

impl Column {
    #[inline]
    pub(super) fn push(&mut self, number: u64) {
        self.varies |= *self.first.get_or_insert(number) != number;
        push_number(&mut self.bytes, number);
    }

    /// Adds a number that may be negative.
    #[inline]
    pub(super) fn push_signed(&mut self, number: i64) {
        self.push(((number << 1) ^ (number >> 63)) as u64);
    }

    /// Adds the column to a block.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        if self.varies {
            out.push(VARIED);
            push_number(out, self.bytes.len() as u64);
            out.extend(&self.bytes);
        } else {
            out.push(EQUAL);
            push_number(out, self.first.unwrap_or(0));
        }
    }
}

/// Adds a number, the lowest bits first; the highest bit of a byte says that more follow.
#[inline]
pub(super) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the beginning of some bytes.
#[inline]
pub(super) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes some bytes from the beginning.
pub(super) fn take_bytes<'b>(bytes: &mut &'b [u8], count: u64) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(usize::try_from(count).ok()?)?;
    *bytes = rest;
    Some(taken)
}

/// A column that is read.
pub(super) enum Numbers<'b> {
    /// The same number, as often as it is asked for.
    Equal(u64),
    /// The numbers in these bytes.
    Varied(&'b [u8]),
}

impl<'b> Numbers<'b> {
    /// Takes a column from the beginning of some bytes.
    pub(super) fn take(bytes: &mut &'b [u8]) -> Option<Self> {
        match *take_bytes(bytes, 1)?.first()? {
            EQUAL => take_number(bytes).map(Self::Equal),
            VARIED => {
                let length = take_number(bytes)?;
                take_bytes(bytes, length).map(Self::Varied)
            }
            _ => None,
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<u64> {
        match self {
            Self::Equal(number) => Some(*number),
            Self::Varied(bytes) => take_number(bytes),
        }
    }

    #[inline]
    pub(super) fn next_signed(&mut self) -> Option<i64> {
        self.next().map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for numbers in [vec![], vec![7; 100], vec![0, u64::MAX, 127, 128, 1 << 63], (0..1000).collect()] {
            let mut column = Column::default();
            for &number in &numbers {
                column.push(number);
            }
            let mut out = Vec::new();
            column.write(&mut out);
            let mut bytes = out.as_slice();
            let mut read = Numbers::take(&mut bytes).unwrap();
            assert!(bytes.is_empty());
            assert!(numbers.iter().all(|&number| read.next() == Some(number)));
        }
        let signed = [0, -1, 1, i64::MIN, i64::MAX];
        let mut column = Column::default();
        for number in signed {
            column.push_signed(number);
        }
        let mut out = Vec::new();
        column.write(&mut out);
        let mut read = Numbers::take(&mut out.as_slice()).unwrap();
        assert_eq!(signed.map(|_| read.next_signed().unwrap()), signed);
        // More than 64 bits.
        assert_eq!(take_number(&mut [0xff; 10].as_slice()), None);
    }
}
