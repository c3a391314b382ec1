//! The Delassus operator K: the effect of each constraint's force on each constraint's acceleration
//! ([Kokkevis 2004] §4.2, eq. 10).

use super::lcp::Matrix;
use super::{Articulated, ConstraintRow};
use aplomb_body::model::BodyId;

/// The inward passes of all rows, from which K follows: with M = Lᵀ D L and y = D^-½ δu, K = Y Yᵀ, and a row
/// of Y has entries only on the paths from the world to the row's bodies. Evaluating a row, or changing its
/// force, takes one pass along its paths, so that sweeps need no entry of K.
///
/// The memory is reused from one set of constraints to the next.
#[doc(alias = "inverse operational space inertia")]
#[derive(Clone, Debug, Default)]
pub struct DelassusOperator {
    /// Index of the first velocity coordinate of each system among those of all.
    first: Vec<usize>,
    /// D^-½ of each coordinate.
    root: Vec<f64>,
    /// End of each row's part of `at` and `along`.
    ends: Vec<usize>,
    /// Coordinates on the paths of each row, and y there, with sign.
    at: Vec<u32>,
    along: Vec<f64>,
    diagonal: Vec<f64>,
    /// Yᵀ times the changes of the forces so far: the part that is not yet in w, and all of it.
    response: Vec<f64>,
    settled: Vec<f64>,
    path: Vec<f64>,
    scratch: Vec<f64>,
    row: Vec<f64>,
}

impl DelassusOperator {
    /// Runs the inward pass of every row. The systems' factors must belong to their present configuration.
    pub fn update(&mut self, systems: &[Articulated], rows: &[ConstraintRow]) {
        self.first.clear();
        self.root.clear();
        for system in systems {
            self.first.push(self.root.len());
            self.root.extend(system.factors.inverse_pivots().iter().map(|pivot| pivot.sqrt()));
        }
        self.ends.clear();
        self.at.clear();
        self.along.clear();
        self.diagonal.clear();
        for row in rows {
            let begin = self.at.len();
            let mut before: Option<(usize, usize)> = None;
            for (index, pull, sign) in row.signed() {
                let (system, body) = (&systems[index], pull.body());
                self.path.resize(system.depth(body), 0.0);
                pull.push(system, &mut self.path);
                // The paths of two bodies of one system begin with the part that they share.
                let shared = match before {
                    Some((other, of)) if other == index => system.shared(of, body.0),
                    _ => 0,
                };
                self.append(system, index, body, begin, shared, sign);
                before = Some((index, body.0));
            }
            self.ends.push(self.at.len());
            self.diagonal.push(self.along[begin..].iter().map(|y| y * y).sum());
        }
        self.response.clear();
        self.response.resize(self.root.len(), 0.0);
        self.settled.clone_from(&self.response);
    }

    /// Adds a path to the last row: its first `shared` entries to existing ones.
    fn append(
        &mut self,
        system: &Articulated,
        index: usize,
        body: BodyId,
        begin: usize,
        shared: usize,
        sign: f64,
    ) {
        let (first, length) = (self.first[index], self.path.len());
        let start = self.at.len();
        self.at.resize(start + length - shared, 0);
        self.along.resize(start + length - shared, 0.0);
        let mut next = system.model.bodies[body.0].last_dof;
        for k in (0..length).rev() {
            let Some(j) = next else { break };
            let y = sign * self.path[k] * self.root[first + j];
            if k < shared {
                self.along[begin + k] += y;
            } else {
                self.at[start + k - shared] = (first + j) as u32;
                self.along[start + k - shared] = y;
            }
            next = system.model.dof_parent[j];
        }
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Adds the residuals of all changes of forces since the last update to the systems.
    pub(crate) fn respond(&mut self, systems: &mut [Articulated]) {
        for (system, first) in systems.iter_mut().zip(&self.first) {
            let own = *first..*first + system.residual.len();
            let changes = self.response[own.clone()].iter().zip(&self.settled[own.clone()]);
            for ((residual, (new, old)), root) in system.residual.iter_mut().zip(changes).zip(&self.root[own])
            {
                let change = new + old;
                if change != 0.0 {
                    *residual += change / root;
                }
            }
        }
    }

    /// A row of K: the effect of each constraint's force on the function of this one.
    pub fn row(&mut self, row: usize) -> &[f64] {
        self.spread_alone(row);
        let mut entries = std::mem::take(&mut self.row);
        entries.clear();
        entries.extend((0..self.rows()).map(|column| self.dot(column, &self.scratch)));
        self.row = entries;
        &self.row
    }

    fn span(&self, row: usize) -> std::ops::Range<usize> {
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        begin..self.ends[row]
    }

    /// `yᵀ u` of a row.
    #[inline]
    fn dot(&self, row: usize, u: &[f64]) -> f64 {
        let span = self.span(row);
        self.at[span.clone()].iter().zip(&self.along[span]).map(|(at, y)| y * u[*at as usize]).sum()
    }

    /// Writes y of a row into the otherwise zero scratch memory.
    fn spread_alone(&mut self, row: usize) {
        self.scratch.clear();
        self.scratch.resize(self.root.len(), 0.0);
        let span = self.span(row);
        for (at, y) in self.at[span.clone()].iter().zip(&self.along[span]) {
            self.scratch[*at as usize] += y;
        }
    }
}

impl Matrix for DelassusOperator {
    fn diagonal(&self, row: usize) -> f64 {
        self.diagonal[row]
    }

    fn beside(&self, row: usize) -> f64 {
        let (this, next) = (self.span(row), self.span(row + 1));
        // Two rows of one contact have the same paths.
        if self.at[this.clone()] == self.at[next.clone()] {
            return self.along[this].iter().zip(&self.along[next]).map(|(a, b)| a * b).sum();
        }
        let entry = |(at, y): (&u32, &f64)| {
            let same =
                self.at[next.clone()].iter().zip(&self.along[next.clone()]).filter(|(other, _)| *other == at);
            same.map(|(_, other)| y * other).sum::<f64>()
        };
        self.at[this.clone()].iter().zip(&self.along[this]).map(entry).sum()
    }

    #[inline]
    fn violation(&self, row: usize, w: &[f64]) -> f64 {
        w[row] + self.dot(row, &self.response)
    }

    #[inline]
    fn change(&mut self, row: usize, by: f64, _: &mut [f64]) {
        let span = self.span(row);
        let DelassusOperator { at, along, response, .. } = self;
        for (at, y) in at[span.clone()].iter().zip(&along[span]) {
            response[*at as usize] += by * y;
        }
    }

    fn settle(&mut self, w: &mut [f64]) {
        for (row, w) in w.iter_mut().enumerate() {
            *w += self.dot(row, &self.response);
        }
        for (settled, new) in self.settled.iter_mut().zip(&mut self.response) {
            *settled += std::mem::take(new);
        }
    }

    fn multiply(&mut self, rows: &[usize], x: &[f64], out: &mut [f64]) {
        self.scratch.clear();
        self.scratch.resize(self.root.len(), 0.0);
        for (row, x) in rows.iter().zip(x) {
            let span = self.span(*row);
            let DelassusOperator { at, along, scratch, .. } = self;
            for (at, y) in at[span.clone()].iter().zip(&along[span]) {
                scratch[*at as usize] += x * y;
            }
        }
        for (row, out) in rows.iter().zip(out) {
            *out = self.dot(*row, &self.scratch);
        }
    }
}
