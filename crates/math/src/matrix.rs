//! A dense row-major matrix that keeps its memory when it is emptied.

/// A dense row-major matrix. Pushing rows after `clear` reuses the memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowMatrix {
    columns: usize,
    data: Vec<f64>,
}

impl RowMatrix {
    /// An empty matrix (0 × `columns`).
    pub fn new(columns: usize) -> Self {
        RowMatrix { columns, data: Vec::new() }
    }

    /// Removes all rows and sets the number of columns.
    pub fn reset(&mut self, columns: usize) {
        self.columns = columns;
        self.data.clear();
    }

    /// Appends a row of zeros and returns it.
    #[inline]
    pub fn push_zeros(&mut self) -> &mut [f64] {
        let start = self.data.len();
        self.data.resize(start + self.columns, 0.0);
        &mut self.data[start..]
    }

    /// Appends a row; `row` has as many numbers as the matrix has columns.
    pub fn push(&mut self, row: &[f64]) {
        debug_assert_eq!(row.len(), self.columns);
        self.data.extend_from_slice(row);
    }

    /// Appends `scale` · `row`, which may be shorter than the matrix is wide.
    pub fn push_scaled(&mut self, row: &[f64], scale: f64) {
        let start = self.data.len();
        self.data.extend_from_slice(row);
        if scale != 1.0 {
            self.data[start..].iter_mut().for_each(|value| *value *= scale);
        }
        self.data.resize(start + self.columns, 0.0);
    }

    /// Appends columns of zeros.
    pub fn widen(&mut self, columns: usize) {
        let (rows, was) = (self.rows(), std::mem::replace(&mut self.columns, columns));
        self.data.resize(rows * columns, 0.0);
        // Last row first, so that no row is overwritten before it has moved.
        for row in (0..rows).rev() {
            self.data.copy_within(row * was..(row + 1) * was, row * columns);
            self.data[row * columns + was..(row + 1) * columns].fill(0.0);
        }
    }

    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.data.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Number of columns.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    #[inline]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.data[index * self.columns..(index + 1) * self.columns]
    }

    /// One row, mutable.
    #[inline]
    pub fn row_mut(&mut self, index: usize) -> &mut [f64] {
        &mut self.data[index * self.columns..(index + 1) * self.columns]
    }

    /// All numbers, row by row.
    #[inline]
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// All numbers, row by row, mutable.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// Sets another shape; the entries are then undefined.
    pub fn reshape(&mut self, rows: usize, columns: usize) {
        self.columns = columns;
        self.data.resize(rows * columns, 0.0);
    }

    /// row · x
    pub fn dot(&self, index: usize, x: &[f64]) -> f64 {
        self.row(index).iter().zip(x).map(|(a, b)| a * b).sum()
    }
}
