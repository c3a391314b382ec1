//! An upper triangular factor U of a positive definite matrix A = Uᵀ U that grows, shrinks and is updated.

use aplomb_math::kernel::{self, padded};

/// The factor, row-major with padded rows; entries of its rows beyond the size are zero.
#[derive(Clone, Debug, Default)]
pub(super) struct CholeskyFactor {
    size: usize,
    stride: usize,
    data: Vec<f64>,
    /// 1/U_kk
    inverse: Vec<f64>,
    /// Ends of the diagonal blocks that are coupled only with the rows after the last block; empty where no
    /// such structure is known.
    ends: Vec<usize>,
}

impl CholeskyFactor {
    /// Allocates room for `capacity` rows. Existing numbers are kept: entries beyond the size are only
    /// multiplied by zero, and must be finite.
    pub(super) fn reserve(&mut self, capacity: usize) {
        self.size = 0;
        self.stride = padded(capacity);
        self.data.resize(self.stride * self.stride, 0.0);
        self.inverse.clear();
        self.inverse.resize(self.stride, 0.0);
        self.ends.clear();
    }

    /// Discards all numbers, because some may not be finite.
    pub(super) fn wipe(&mut self) {
        self.data.clear();
    }

    /// Sets the ends of the diagonal blocks of the next matrix. The blocks are coupled only with the rows
    /// after the last one. Without any ends, no structure is assumed.
    pub(super) fn set_blocks(&mut self, ends: impl Iterator<Item = usize>) {
        self.ends.clear();
        self.ends.extend(ends);
    }

    /// The ends given to [`CholeskyFactor::set_blocks`].
    pub(super) fn blocks(&self) -> &[usize] {
        &self.ends
    }

    /// Resets the factor to size 0.
    pub(super) fn clear(&mut self) {
        self.size = 0;
        self.inverse.fill(0.0);
    }

    /// Row k of the matrix to be factored. The caller fills it from its diagonal to the end before
    /// [`CholeskyFactor::factor`], with zeros up to the end of the last block.
    pub(super) fn row_mut(&mut self, k: usize) -> &mut [f64] {
        &mut self.data[k * self.stride..(k + 1) * self.stride]
    }

    /// Fills the matrix to be factored with Z Zᵀ for `count` rows Z, whose columns are in blocks that end at
    /// `ends`.
    pub(super) fn fill_gram(&mut self, rows: &[f64], row_stride: usize, count: usize, ends: &[usize]) {
        self.data[..count * self.stride].fill(0.0);
        kernel::gram(rows, row_stride, count, &mut self.data, self.stride, ends);
    }

    /// Factors the filled-in matrix of `size` rows, up to the first pivot that does not exceed `least` times
    /// its original diagonal entry. Returns the number of rows factored.
    pub(super) fn factor(&mut self, size: usize, least: f64) -> usize {
        for k in 0..size {
            self.inverse[k] = least * self.data[k * self.stride + k].abs();
        }
        let factored = kernel::cholesky(&mut self.data, self.stride, size, &mut self.inverse, &self.ends);
        self.size = factored.err().unwrap_or(size);
        self.inverse[self.size..].fill(0.0);
        self.size
    }

    /// `rows` = U⁻ᵀ `rows`, for any number of rows of the stride's length.
    pub(super) fn solve_transposed(&self, rows: &mut [f64]) {
        kernel::solve_transposed(&self.data, self.stride, &self.inverse, self.size, rows, &self.ends);
    }

    /// x = U⁻¹ x
    pub(super) fn solve(&self, x: &mut [f64]) {
        kernel::solve(&self.data, self.stride, &self.inverse, self.size, x);
    }

    /// Appends a column: `column` above the diagonal, `diagonal` > 0 on it.
    pub(super) fn append(&mut self, column: &[f64], diagonal: f64) {
        let (size, stride) = (self.size, self.stride);
        if size.is_multiple_of(kernel::BLOCK) {
            // Columns beyond the last block are not kept at zero.
            let rows = self.data.chunks_exact_mut(stride).take(size);
            rows.for_each(|row| row[size..size + kernel::BLOCK].fill(0.0));
        }
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
    pub(super) fn remove(&mut self, index: usize) {
        let (size, stride) = (self.size, self.stride);
        for row in 0..size {
            let row = &mut self.data[row * stride..row * stride + size];
            row.copy_within(index + 1.., index);
            row[size - 1] = 0.0;
        }
        // The remaining matrix has one entry below the diagonal in each column from `index` on.
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

    /// A ← A + w wᵀ; overwrites w.
    #[doc(alias = "rank-one update")]
    pub(super) fn add_square(&mut self, w: &mut [f64]) {
        let (size, stride) = (self.size, self.stride);
        for k in 0..size {
            let row = &mut self.data[k * stride..k * stride + size];
            let rotation = Rotation::onto(row[k], w[k]);
            rotation.apply(&mut row[k..], &mut w[k..size]);
            self.inverse[k] = 1.0 / row[k];
        }
    }
}

/// A plane rotation that maps (a, b) to (r, 0) with r > 0.
#[doc(alias = "Givens rotation")]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A positive definite matrix with zero blocks, so that the test covers the skipping of zeros.
    fn entry(i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j), i.max(j));
        match (i, j) {
            _ if i == j => 3.0 + i as f64 / 7.0,
            _ if i < 3 && j < 6 => 0.0,
            _ => ((1 + i * j) as f64).sin() / (1.0 + (j - i) as f64),
        }
    }

    fn factored(indices: &[usize], capacity: usize) -> CholeskyFactor {
        let mut triangle = CholeskyFactor::default();
        triangle.reserve(capacity);
        for (k, &i) in indices.iter().enumerate() {
            for (to, &j) in triangle.row_mut(k)[k..].iter_mut().zip(&indices[k..]) {
                *to = entry(i, j);
            }
        }
        assert_eq!(triangle.factor(indices.len(), 1e-13), indices.len());
        triangle
    }

    /// A⁻¹ applied to a vector of waves.
    fn solution(triangle: &CholeskyFactor) -> Vec<f64> {
        let mut x = vec![0.0; padded(triangle.size)];
        for (k, x) in x[..triangle.size].iter_mut().enumerate() {
            *x = (k as f64).cos();
        }
        triangle.solve_transposed(&mut x);
        triangle.solve(&mut x);
        x.truncate(triangle.size);
        x
    }

    fn assert_same(a: &CholeskyFactor, b: &CholeskyFactor) {
        let [a, b] = [a, b].map(solution);
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn solving_undoes_the_matrix_at_any_size() {
        for size in 1..23 {
            let indices: Vec<usize> = (0..size).collect();
            let x = solution(&factored(&indices, size));
            for i in 0..size {
                let product: f64 = (0..size).map(|j| entry(i, j) * x[j]).sum();
                assert!((product - (i as f64).cos()).abs() < 1e-12, "size {size}");
            }
        }
    }

    #[test]
    fn growing_by_a_column_is_factoring_the_grown_matrix() {
        for size in 1..14 {
            let indices: Vec<usize> = (0..size).collect();
            let mut grown = factored(&indices[..size - 1], size);
            let mut column: Vec<f64> = (0..padded(size)).map(|i| entry(i, size - 1)).collect();
            column[size - 1..].fill(0.0);
            grown.solve_transposed(&mut column);
            let square: f64 = column.iter().map(|c| c * c).sum();
            grown.append(&column, (entry(size - 1, size - 1) - square).sqrt());
            assert_same(&grown, &factored(&indices, size));
        }
    }

    #[test]
    fn removing_an_index_is_factoring_without_it() {
        for removed in 0..11 {
            let mut indices: Vec<usize> = (0..11).collect();
            let mut shrunk = factored(&indices, 11);
            shrunk.remove(removed);
            indices.remove(removed);
            assert_same(&shrunk, &factored(&indices, 11));
        }
    }

    #[test]
    fn adding_a_square_updates_the_factor() {
        let indices: Vec<usize> = (0..9).collect();
        let mut updated = factored(&indices, 9);
        let w: Vec<f64> = (0..9).map(|k| (2.0 * k as f64).sin()).collect();
        updated.add_square(&mut w.clone());
        let x = solution(&updated);
        let along: f64 = w.iter().zip(&x).map(|(w, x)| w * x).sum();
        for (i, w) in w.iter().enumerate() {
            let product: f64 = (0..9).map(|j| entry(i, j) * x[j]).sum::<f64>() + w * along;
            assert!((product - (i as f64).cos()).abs() < 1e-12);
        }
    }

    #[test]
    fn factoring_stops_at_the_first_pivot_that_is_nothing() {
        let mut triangle = CholeskyFactor::default();
        triangle.reserve(6);
        for k in 0..6 {
            triangle.row_mut(k)[k] = if k == 4 { 0.0 } else { 1.0 };
        }
        assert_eq!(triangle.factor(6, 1e-13), 4);
        assert_eq!(solution(&triangle).len(), 4);
    }
}
