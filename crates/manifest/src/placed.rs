//! Mistakes with their places in a document.

use std::ops::Range;

use crate::game::options::Misread;

/// An error message, and the bytes of the document that it underlines.
#[derive(Debug)]
pub struct PlacedError {
    pub(crate) span: Range<usize>,
    pub(crate) message: String,
    /// The other mistakes that were found.
    pub(crate) also: Vec<PlacedError>,
}

impl PlacedError {
    /// A message about this place.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), also: Vec::new() }
    }

    /// The mistakes of options; `place` moves their places.
    pub(crate) fn of_misread(mistakes: Vec<Misread>, place: impl Fn(Range<usize>) -> Range<usize>) -> Self {
        let placed = |misread: Misread| Self::new(place(misread.at), misread.error.to_string());
        Mistakes(mistakes.into_iter().map(placed).collect()).some()
    }
}

/// A value that was read, or the mistakes in it.
pub type Read<T> = Result<T, PlacedError>;

/// The error of a message about this place.
pub(crate) fn refused<T>(span: Range<usize>, message: impl Into<String>) -> Read<T> {
    Err(PlacedError::new(span, message))
}

/// Collects mistakes, so that a reader finds more than the first.
#[derive(Default)]
pub(crate) struct Mistakes(Vec<PlacedError>);

impl Mistakes {
    /// The value that was read, if it is right.
    pub(crate) fn note<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|error| self.add(error)).ok()
    }

    pub(crate) fn add(&mut self, mut error: PlacedError) {
        let also = std::mem::take(&mut error.also);
        self.0.extend(std::iter::once(error).chain(also));
    }

    /// Whether any is about the key of this name.
    pub(crate) fn mention(&self, key: &str) -> bool {
        self.0.iter().any(|mistake| mistake.message.contains(&format!("`{key}`")))
    }

    /// The value that is read from another, if both are right.
    pub(crate) fn of<V, T>(&mut self, value: Option<V>, read: impl FnOnce(V) -> Read<T>) -> Option<T> {
        self.note(read(value?))
    }

    /// The value, if there is no mistake.
    pub(crate) fn or<T>(mut self, value: T) -> Read<T> {
        self.check().map(|()| value)
    }

    /// Refuses the mistakes so far.
    pub(crate) fn check(&mut self) -> Read<()> {
        self.take().map_or(Ok(()), Err)
    }

    /// The mistakes, of which there are some.
    pub(crate) fn some(mut self) -> PlacedError {
        self.take().expect("something could not be read")
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mistakes so far as one error, in the order of the document. The same mistake in several combinations of a sweep
    /// is one.
    pub(crate) fn take(&mut self) -> Option<PlacedError> {
        let mut all = std::mem::take(&mut self.0);
        all.sort_by(|a, b| (a.span.start, &a.message).cmp(&(b.span.start, &b.message)));
        all.dedup_by(|a, b| (&a.span, &a.message) == (&b.span, &b.message));
        let mut all = all.into_iter();
        all.next().map(|first| PlacedError { also: all.collect(), ..first })
    }
}
