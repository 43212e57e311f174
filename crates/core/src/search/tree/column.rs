use std::ops::{Index, IndexMut, Range};

/// A column of a tree. Without a default row it is unused: it has no rows and takes no memory.
#[derive(Clone, Debug)]
pub(crate) struct Column<T> {
    rows: Vec<T>,
    /// The row of a new node.
    pub(crate) default: Option<T>,
}

impl<T> Default for Column<T> {
    /// A column that is not used.
    fn default() -> Self {
        Self { rows: Vec::new(), default: None }
    }
}

impl<T> Column<T> {
    #[inline(always)]
    pub(crate) const fn is_used(&self) -> bool {
        self.default.is_some()
    }

    pub(crate) const fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn push(&mut self, row: T) {
        self.rows.push(row);
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.rows.truncate(length);
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.rows.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.rows.iter_mut()
    }
}

impl<T> Index<u32> for Column<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, row: u32) -> &T {
        &self.rows[row as usize]
    }
}

impl<T> IndexMut<u32> for Column<T> {
    #[inline(always)]
    fn index_mut(&mut self, row: u32) -> &mut T {
        &mut self.rows[row as usize]
    }
}

impl<T> Index<Range<u32>> for Column<T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, rows: Range<u32>) -> &[T] {
        &self.rows[rows.start as usize..rows.end as usize]
    }
}

impl<T> IndexMut<Range<u32>> for Column<T> {
    fn index_mut(&mut self, rows: Range<u32>) -> &mut [T] {
        &mut self.rows[rows.start as usize..rows.end as usize]
    }
}

/// The operations on all columns, whatever their row type.
pub(crate) trait Rows {
    /// The bytes of a row; 0 in a column that is not used.
    fn bytes(&self) -> usize;

    /// Allocates memory for this many rows in total.
    fn reserve(&mut self, rows: usize);

    /// Resizes the column, with default rows at the end.
    fn resize(&mut self, rows: usize);

    /// Copies `count` rows.
    fn copy(&mut self, from: usize, count: usize, to: usize);
}

impl<T: Copy> Rows for Column<T> {
    fn bytes(&self) -> usize {
        if self.is_used() { size_of::<T>() } else { 0 }
    }

    fn reserve(&mut self, rows: usize) {
        if self.is_used() {
            self.rows.reserve_exact(rows - self.rows.len());
        }
    }

    fn resize(&mut self, rows: usize) {
        if let Some(default) = self.default {
            self.rows.resize(rows, default);
        }
    }

    fn copy(&mut self, from: usize, count: usize, to: usize) {
        if self.is_used() {
            self.rows.copy_within(from..from + count, to);
        }
    }
}
