//! A block-sparse matrix: a constraint's rows against a point's three columns ([Witkin 1997] section 4.2).

use nalgebra::Vector3;

/// Largest number of rows of one constraint.
pub const MOST_ROWS: usize = 3;

/// A block: its rows are those of a constraint and its columns those of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SparseBlock {
    /// First row.
    pub row: usize,
    pub rows: usize,
    pub point: usize,
    pub data: [Vector3<f64>; MOST_ROWS],
}

/// All blocks that can be non-zero. Only the two products are needed.
#[doc(alias = "sparse Jacobian")]
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BlockSparse {
    pub blocks: Vec<SparseBlock>,
}

impl BlockSparse {
    /// product += J x; x holds a vector for each point.
    pub(super) fn add_times(&self, x: &[Vector3<f64>], product: &mut [f64]) {
        for block in &self.blocks {
            let column = &x[block.point];
            let rows = &mut product[block.row..block.row + block.rows];
            rows.iter_mut().zip(&block.data).for_each(|(sum, row)| *sum += row.dot(column));
        }
    }

    /// product += Jᵀ λ; a vector for each point.
    pub(super) fn add_transpose_times(&self, lambda: &[f64], product: &mut [Vector3<f64>]) {
        for block in &self.blocks {
            let rows = &lambda[block.row..block.row + block.rows];
            let sum = &mut product[block.point];
            rows.iter().zip(&block.data).for_each(|(factor, row)| *sum += *factor * row);
        }
    }
}
