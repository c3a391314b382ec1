//! a·x + b: how a quantity of the next frame depends on the unknowns.

use nalgebra::{Matrix3, Vector3};
use std::cell::RefCell;
use std::ops::{Add, Mul, Sub};

/// Physical dimension of a row, which decides how it is made dimensionless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// m (or m/s for a rate)
    Length,
    /// rad (or rad/s)
    Angle,
    /// Dimensionless or already scaled.
    Pure,
}

#[derive(Debug, Default)]
struct Buffer {
    coefficients: Vec<f64>,
    constant: Vec<f64>,
    dimension: Vec<Dimension>,
    /// The column of each row, if no row has a coefficient in another; otherwise fewer elements than rows.
    columns: Vec<usize>,
}

/// Reuses the allocations of dropped [`Affine`]s, so that no frame after the first allocates.
#[derive(Debug, Default)]
pub struct Pool {
    free: RefCell<Vec<Buffer>>,
}

/// Rows of a·x + b over the first `width` unknowns; the coefficients of the other unknowns are zero.
#[doc(alias = "linear expression")]
#[doc(alias = "affine map")]
#[derive(Debug)]
pub struct Affine<'p> {
    pool: &'p Pool,
    buffer: Buffer,
    width: usize,
}

impl Drop for Affine<'_> {
    fn drop(&mut self) {
        self.pool.free.borrow_mut().push(std::mem::take(&mut self.buffer));
    }
}

/// Number of affine maps in use at the same time for which memory is allocated in advance.
const AT_ONCE: usize = 8;

impl Clone for Pool {
    /// A separate pool; memory is not shared.
    fn clone(&self) -> Self {
        Pool::default()
    }
}

impl Pool {
    /// Allocates for maps of this many rows over this many unknowns.
    pub fn with_capacity(rows: usize, width: usize) -> Self {
        let buffer = || Buffer {
            coefficients: Vec::with_capacity(rows * width),
            constant: Vec::with_capacity(rows),
            dimension: Vec::with_capacity(rows),
            columns: Vec::with_capacity(rows),
        };
        Pool { free: RefCell::new((0..AT_ONCE).map(|_| buffer()).collect()) }
    }

    /// A map without rows over the first `width` unknowns.
    pub fn affine(&self, width: usize) -> Affine<'_> {
        let mut buffer = self.free.borrow_mut().pop().unwrap_or_default();
        buffer.coefficients.clear();
        buffer.constant.clear();
        buffer.dimension.clear();
        buffer.columns.clear();
        Affine { pool: self, buffer, width }
    }
}

impl<'p> Affine<'p> {
    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.buffer.constant.len()
    }

    /// Number of unknowns that have coefficients.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Coefficients of a row over the first `width` unknowns.
    #[inline]
    pub fn coefficients(&self, row: usize) -> &[f64] {
        &self.buffer.coefficients[row * self.width..(row + 1) * self.width]
    }

    /// Coefficients of all rows, row by row.
    #[inline]
    pub fn all_coefficients(&self) -> &[f64] {
        &self.buffer.coefficients
    }

    /// Constants of all rows.
    #[inline]
    pub fn constants(&self) -> &[f64] {
        &self.buffer.constant
    }

    /// Constant part of a row, in the row's unit.
    #[inline]
    pub fn constant(&self, row: usize) -> f64 {
        self.buffer.constant[row]
    }

    /// Physical dimension of a row.
    pub fn dimension(&self, row: usize) -> Dimension {
        self.buffer.dimension[row]
    }

    /// The column of each row, where no row has a coefficient in another.
    pub fn columns(&self) -> Option<&[usize]> {
        let columns = &self.buffer.columns;
        (columns.len() == self.rows() && !columns.is_empty()).then_some(columns)
    }

    /// a·x of a row, without its constant.
    #[inline]
    pub fn linear(&self, row: usize, x: &[f64]) -> f64 {
        if let Some(columns) = self.columns() {
            return self.coefficients(row)[columns[row]] * x[columns[row]];
        }
        self.coefficients(row).iter().zip(x).map(|(a, x)| a * x).sum()
    }

    /// a·x + b of a row.
    pub fn value(&self, row: usize, x: &[f64]) -> f64 {
        self.linear(row, x) + self.constant(row)
    }

    /// Appends a row with zero coefficients and returns these.
    #[inline]
    pub fn push(&mut self, dimension: Dimension, constant: f64) -> &mut [f64] {
        let start = self.buffer.coefficients.len();
        self.buffer.coefficients.resize(start + self.width, 0.0);
        self.buffer.constant.push(constant);
        self.buffer.dimension.push(dimension);
        &mut self.buffer.coefficients[start..]
    }

    /// Appends a row with a coefficient in only one column.
    pub fn push_single(&mut self, dimension: Dimension, constant: f64, column: usize, coefficient: f64) {
        self.push(dimension, constant)[column] = coefficient;
        self.buffer.columns.push(column);
    }

    /// Substitutes `values` for the unknowns that are not `free`: their terms move into the constants.
    pub fn keep_moving(&mut self, free: &[bool], values: &[f64]) {
        let Buffer { coefficients, constant, .. } = &mut self.buffer;
        if self.width == 0 {
            return;
        }
        for (row, constant) in coefficients.chunks_exact_mut(self.width).zip(constant) {
            for ((a, value), _) in row.iter_mut().zip(values).zip(free).filter(|(_, free)| !**free) {
                *constant += *a * value;
                *a = 0.0;
            }
        }
    }

    /// Multiplies each row by its factor; the factors repeat if there are more rows.
    pub fn scale_rows(&mut self, factors: &[f64]) {
        let Buffer { coefficients, constant, .. } = &mut self.buffer;
        let rows = coefficients.chunks_exact_mut(self.width.max(1)).zip(constant);
        for ((row, constant), factor) in rows.zip(factors.iter().cycle()) {
            row.iter_mut().for_each(|a| *a *= factor);
            *constant *= factor;
        }
    }

    /// Appends the rows of `other`, which must be of the same width.
    pub fn append(&mut self, other: &Affine<'_>) {
        debug_assert_eq!(self.width, other.width);
        match (self.columns(), other.columns()) {
            (Some(_), Some(columns)) => self.buffer.columns.extend_from_slice(columns),
            _ => self.buffer.columns.clear(),
        }
        self.buffer.coefficients.extend_from_slice(&other.buffer.coefficients);
        self.buffer.constant.extend_from_slice(&other.buffer.constant);
        self.buffer.dimension.extend_from_slice(&other.buffer.dimension);
    }

    /// The first two rows: the horizontal part of a world vector.
    pub fn horizontal(mut self) -> Self {
        self.buffer.coefficients.truncate(2 * self.width);
        self.buffer.constant.truncate(2);
        self.buffer.dimension.truncate(2);
        self.buffer.columns.truncate(2);
        self
    }

    /// Keeps one row only.
    pub fn component(mut self, row: usize) -> Self {
        self.buffer.columns.clear();
        let (start, dimension) = (row * self.width, self.buffer.dimension[row]);
        self.buffer.coefficients.copy_within(start..start + self.width, 0);
        self.buffer.coefficients.truncate(self.width);
        self.buffer.constant[0] = self.buffer.constant[row];
        self.buffer.constant.truncate(1);
        self.buffer.dimension.clear();
        self.buffer.dimension.push(dimension);
        self
    }

    /// n · y for three rows y.
    pub fn dot(mut self, n: &Vector3<f64>) -> Self {
        self.buffer.columns.clear();
        let width = self.width;
        for j in 0..width {
            let c = &mut self.buffer.coefficients;
            c[j] = n.x * c[j] + n.y * c[width + j] + n.z * c[2 * width + j];
        }
        let b = &mut self.buffer.constant;
        b[0] = n.x * b[0] + n.y * b[1] + n.z * b[2];
        self.component(0)
    }

    /// y × n for three rows y.
    pub fn cross(mut self, n: &Vector3<f64>) -> Self {
        self.buffer.columns.clear();
        let width = self.width;
        let cross = |y: [f64; 3]| [y[1] * n.z - y[2] * n.y, y[2] * n.x - y[0] * n.z, y[0] * n.y - y[1] * n.x];
        for j in 0..width {
            let c = &mut self.buffer.coefficients;
            let y = cross([c[j], c[width + j], c[2 * width + j]]);
            (c[j], c[width + j], c[2 * width + j]) = (y[0], y[1], y[2]);
        }
        let b = &mut self.buffer.constant;
        let y = cross([b[0], b[1], b[2]]);
        b.copy_from_slice(&y);
        self
    }

    /// M y for three rows y.
    pub fn turned(mut self, m: &Matrix3<f64>) -> Self {
        self.buffer.columns.clear();
        let width = self.width;
        for j in 0..width {
            let c = &mut self.buffer.coefficients;
            let y = m * Vector3::new(c[j], c[width + j], c[2 * width + j]);
            (c[j], c[width + j], c[2 * width + j]) = (y.x, y.y, y.z);
        }
        let b = &mut self.buffer.constant;
        let y = m * Vector3::new(b[0], b[1], b[2]);
        b.copy_from_slice(y.as_slice());
        self
    }

    /// Replaces each row a·x + b by s a·x + c, where `map` gives (c, s) from the row's index, b, the map x ↦
    /// a·x and the row's dimension.
    pub fn map_rows(&mut self, map: impl Fn(usize, f64, &dyn Fn(&[f64]) -> f64, Dimension) -> (f64, f64)) {
        for row in 0..self.rows() {
            let linear = |x: &[f64]| self.linear(row, x);
            let (constant, scale) = map(row, self.constant(row), &linear, self.dimension(row));
            self.buffer.constant[row] = constant;
            let only = self.columns().map(|columns| columns[row]);
            let coefficients = &mut self.buffer.coefficients[row * self.width..(row + 1) * self.width];
            match only {
                Some(column) => coefficients[column] *= scale,
                None => coefficients.iter_mut().for_each(|a| *a *= scale),
            }
        }
    }
}

impl Sub<Vector3<f64>> for Affine<'_> {
    type Output = Self;

    fn sub(mut self, offset: Vector3<f64>) -> Self {
        for (b, c) in self.buffer.constant.iter_mut().zip(offset.iter()) {
            *b -= c;
        }
        self
    }
}

impl Sub<f64> for Affine<'_> {
    type Output = Self;

    fn sub(mut self, offset: f64) -> Self {
        for b in &mut self.buffer.constant {
            *b -= offset;
        }
        self
    }
}

impl Mul<f64> for Affine<'_> {
    type Output = Self;

    fn mul(mut self, factor: f64) -> Self {
        // Separate loops, which the compiler optimises well.
        self.buffer.coefficients.iter_mut().for_each(|a| *a *= factor);
        self.buffer.constant.iter_mut().for_each(|b| *b *= factor);
        self
    }
}

impl<'p> Add<Affine<'_>> for Affine<'p> {
    type Output = Affine<'p>;

    fn add(mut self, other: Affine<'_>) -> Affine<'p> {
        debug_assert_eq!((self.rows(), self.width), (other.rows(), other.width));
        self.buffer.columns.clear();
        for (a, b) in self.buffer.coefficients.iter_mut().zip(&other.buffer.coefficients) {
            *a += b;
        }
        for (a, b) in self.buffer.constant.iter_mut().zip(&other.buffer.constant) {
            *a += b;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three_rows(pool: &Pool) -> Affine<'_> {
        let mut y = pool.affine(2);
        for k in 0..3 {
            let row = y.push(Dimension::Length, k as f64);
            row.copy_from_slice(&[k as f64 + 1.0, 2.0 * k as f64 - 1.0]);
        }
        y
    }

    #[test]
    fn operators_act_on_values_as_on_vectors() {
        let pool = Pool::default();
        let x = [0.3, -0.7];
        let value = {
            let y = three_rows(&pool);
            Vector3::new(y.value(0, &x), y.value(1, &x), y.value(2, &x))
        };
        let n = Vector3::new(0.2, -1.0, 0.5);
        assert!((three_rows(&pool).dot(&n).value(0, &x) - value.dot(&n)).abs() < 1e-15);
        let crossed = three_rows(&pool).cross(&n);
        let expected = value.cross(&n);
        for k in 0..3 {
            assert!((crossed.value(k, &x) - expected[k]).abs() < 1e-15);
        }
        assert_eq!((three_rows(&pool) - n).value(1, &x), value.y - n.y);
        assert_eq!(three_rows(&pool).component(2).value(0, &x), value.z);
    }

    #[test]
    fn rows_of_one_column_stay_so_until_they_are_mixed() {
        let pool = Pool::default();
        let single = || {
            let mut y = pool.affine(4);
            (0..3).for_each(|k| y.push_single(Dimension::Angle, k as f64, 3 - k, 2.0));
            y
        };
        let x = [0.1, 0.2, 0.3, 0.4];
        let mut y = single() * 2.0 - 1.0;
        y.map_rows(|_, constant, linear, _| (constant + linear(&x), 0.5));
        assert_eq!(y.columns(), Some(&[3, 2, 1][..]));
        for row in 0..3 {
            assert_eq!(y.constant(row), 2.0 * row as f64 - 1.0 + 4.0 * x[3 - row]);
            assert_eq!(y.linear(row, &x), 2.0 * x[3 - row]);
            assert_eq!(y.coefficients(row).iter().sum::<f64>(), 2.0);
        }
        y.append(&single());
        assert_eq!(y.columns().map(<[usize]>::len), Some(6));
        assert_eq!(single().horizontal().columns(), Some(&[3, 2][..]));
        let mixed = single().cross(&Vector3::x());
        assert!(mixed.columns().is_none() && (single() + single()).columns().is_none());
        y.append(&mixed);
        assert!(y.columns().is_none());
    }

    #[test]
    fn dropped_memory_is_reused() {
        let pool = Pool::default();
        drop(three_rows(&pool));
        let first = pool.free.borrow()[0].coefficients.as_ptr();
        assert_eq!(three_rows(&pool).buffer.coefficients.as_ptr(), first);
    }
}
