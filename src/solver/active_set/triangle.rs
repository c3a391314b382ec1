//! An upper triangular factor U of a positive definite matrix A = Uᵀ U that grows, shrinks and is updated.

use super::kernel::{self, padded};

/// Row-major with padded rows; what lies beyond the size is zero.
#[derive(Debug, Default)]
pub struct Triangle {
    size: usize,
    stride: usize,
    data: Vec<f64>,
    /// 1/U_kk
    inverse: Vec<f64>,
}

impl Triangle {
    /// Makes room for `capacity` rows.
    pub fn reserve(&mut self, capacity: usize) {
        self.size = 0;
        self.stride = padded(capacity);
        self.data.clear();
        self.data.resize(self.stride * self.stride, 0.0);
        self.inverse.clear();
        self.inverse.resize(self.stride, 0.0);
    }

    /// Makes the factor that of no rows.
    pub fn clear(&mut self) {
        self.size = 0;
        self.inverse.fill(0.0);
    }

    /// Row k of the matrix to be factored: to be filled from its diagonal to the end before [`Triangle::factor`],
    /// with zeros beyond the size.
    pub fn row_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.data[k * self.stride..(k + 1) * self.stride]
    }

    /// Fills the matrix to be factored with Z Zᵀ for `count` rows Z.
    pub fn fill_gram(&mut self, rows: &[f64], row_stride: usize, count: usize) {
        self.data[..count * self.stride].fill(0.0);
        kernel::gram(rows, row_stride, count, &mut self.data, self.stride);
    }

    /// Factors the matrix of `size` rows filled in, up to the first pivot that does not exceed `least` times the
    /// diagonal it came from. Returns how many rows are factored.
    pub fn factor(&mut self, size: usize, least: f64) -> usize {
        for k in 0..size {
            self.inverse[k] = least * self.data[k * self.stride + k].abs();
        }
        let factored = kernel::cholesky(&mut self.data, self.stride, size, &mut self.inverse);
        self.size = factored.err().unwrap_or(size);
        self.inverse[self.size..].fill(0.0);
        self.size
    }

    /// `rows` = U⁻ᵀ `rows`, for any number of rows of the stride's length.
    pub fn solve_transposed(&self, rows: &mut [f64]) {
        kernel::solve_transposed(&self.data, self.stride, &self.inverse, self.size, rows);
    }

    /// x = U⁻¹ x
    pub fn solve(&self, x: &mut [f64]) {
        kernel::solve(&self.data, self.stride, &self.inverse, self.size, x);
    }

    /// Appends a column: `column` above the diagonal, `diagonal` > 0 on it.
    pub fn append(&mut self, column: &[f64], diagonal: f64) {
        let (size, stride) = (self.size, self.stride);
        for (k, value) in column[..size].iter().enumerate() {
            self.data[k * stride + size] = *value;
        }
        let row = &mut self.data[size * stride..(size + 1) * stride];
        row.fill(0.0);
        row[size] = diagonal;
        self.inverse[size] = 1.0 / diagonal;
        self.size += 1;
    }

    /// Removes row and column `index` of A.
    pub fn remove(&mut self, index: usize) {
        let (size, stride) = (self.size, self.stride);
        for row in 0..size {
            let row = &mut self.data[row * stride..row * stride + size];
            row.copy_within(index + 1.., index);
            row[size - 1] = 0.0;
        }
        // What is left has one entry below the diagonal in each column from `index` on.
        for k in index..size - 1 {
            let (upper, lower) = self.data[k * stride..].split_at_mut(stride);
            let rotation = Rotation::onto(upper[k], lower[k]);
            rotation.apply(&mut upper[k..size], &mut lower[k..size]);
            lower[k] = 0.0;
            self.inverse[k] = 1.0 / upper[k];
        }
        self.row_mut(size - 1).fill(0.0);
        self.inverse[size - 1] = 0.0;
        self.size -= 1;
    }

    /// A ← A + w wᵀ; w is used up.
    pub fn add_square(&mut self, w: &mut [f64]) {
        let (size, stride) = (self.size, self.stride);
        for k in 0..size {
            let row = &mut self.data[k * stride..k * stride + size];
            let rotation = Rotation::onto(row[k], w[k]);
            rotation.apply(&mut row[k..], &mut w[k..size]);
            self.inverse[k] = 1.0 / row[k];
        }
    }
}

/// A plane rotation that carries (a, b) onto (r, 0) with r > 0.
struct Rotation {
    cosine: f64,
    sine: f64,
}

impl Rotation {
    fn onto(a: f64, b: f64) -> Self {
        let length = (a * a + b * b).sqrt();
        if length == 0.0 {
            return Rotation { cosine: 1.0, sine: 0.0 };
        }
        Rotation { cosine: a / length, sine: b / length }
    }

    fn apply(&self, a: &mut [f64], b: &mut [f64]) {
        for (a, b) in a.iter_mut().zip(b) {
            (*a, *b) = (self.cosine * *a + self.sine * *b, self.cosine * *b - self.sine * *a);
        }
    }
}
