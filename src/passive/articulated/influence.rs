//! K: what each constraint's force does to each constraint's acceleration ([Kokkevis 2004] §4.2, eq. 10).

use super::lcp::Matrix;
use super::{Articulated, Row};

/// The inward loops of all rows, and the rows of K that were asked for. Memory is kept from one set of
/// constraints to the next.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    legs: Vec<Leg>,
    /// Legs of each row.
    ends: Vec<usize>,
    /// δu of each leg along its path, sign included, and D⁻¹ δu.
    delta: Vec<f64>,
    scaled: Vec<f64>,
    diagonal: Vec<f64>,
    matrix: Vec<f64>,
    known: Vec<bool>,
}

/// One system's part in one row.
#[derive(Clone, Copy, Debug)]
struct Leg {
    system: usize,
    body: usize,
    start: usize,
    length: usize,
}

impl Influence {
    /// Runs the inward loop of every row. The systems' factors must be those of their present configuration.
    pub fn update(&mut self, systems: &[Articulated], rows: &[Row]) {
        self.legs.clear();
        self.ends.clear();
        self.delta.clear();
        self.scaled.clear();
        self.diagonal.clear();
        for row in rows {
            for (index, pull, sign) in row.signed() {
                let system = &systems[index];
                let body = pull.body();
                let (start, length) = (self.delta.len(), system.depth(body));
                self.delta.resize(start + length, 0.0);
                let path = &mut self.delta[start..];
                pull.push(system, path);
                if sign < 0.0 {
                    path.iter_mut().for_each(|delta| *delta = -*delta);
                }
                self.legs.push(Leg { system: index, body: body.0, start, length });
                self.scaled.resize(start + length, 0.0);
                let pivots = system.factors.inverse_pivots();
                let mut next = system.model.bodies[body.0].last_dof;
                for k in (start..start + length).rev() {
                    let Some(j) = next else { break };
                    self.scaled[k] = self.delta[k] * pivots[j];
                    next = system.model.dof_parent[j];
                }
            }
            self.ends.push(self.legs.len());
        }
        let rows = rows.len();
        for row in 0..rows {
            let itself = self.product(systems, row, row, &mut Shared::default());
            self.diagonal.push(itself);
        }
        self.known.clear();
        self.known.resize(rows, false);
        if self.matrix.len() < rows * rows {
            self.matrix.resize(rows * rows, 0.0);
        }
    }

    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// K of these systems, to be read by a solver.
    pub fn of<'a>(&'a mut self, systems: &'a [Articulated]) -> Influenced<'a> {
        Influenced { influence: self, systems }
    }

    /// Adds the residuals of `size` units of a row's force to the systems it acts on.
    pub fn spread(&self, systems: &mut [Articulated], row: usize, size: f64) {
        for leg in self.legs(row) {
            let Articulated { model, residual, .. } = &mut systems[leg.system];
            let mut next = model.bodies[leg.body].last_dof;
            for delta in self.delta[leg.start..leg.start + leg.length].iter().rev() {
                let Some(j) = next else { break };
                residual[j] += size * delta;
                next = model.dof_parent[j];
            }
        }
    }

    /// A row of K: what each constraint's force does to the function of this one. The systems must be those of the
    /// last update.
    pub fn row(&mut self, systems: &[Articulated], row: usize) -> &[f64] {
        let size = self.rows();
        let span = row * size..(row + 1) * size;
        if !self.known[row] {
            let mut shared = Shared::default();
            for column in 0..size {
                self.matrix[span.start + column] = if self.known[column] {
                    self.matrix[column * size + row]
                } else {
                    self.product(systems, row, column, &mut shared)
                };
            }
            self.known[row] = true;
        }
        &self.matrix[span]
    }

    fn legs(&self, row: usize) -> &[Leg] {
        let first = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.legs[first..self.ends[row]]
    }

    /// `δuᵢᵀ D⁻¹ δuⱼ`, over what the paths share.
    fn product(&self, systems: &[Articulated], row: usize, column: usize, shared: &mut Shared) -> f64 {
        let mut sum = 0.0;
        for a in self.legs(row) {
            for b in self.legs(column).iter().filter(|b| b.system == a.system) {
                let count = shared.count(systems, a, b);
                let (a, b) = (&self.delta[a.start..a.start + count], &self.scaled[b.start..b.start + count]);
                sum += a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        sum
    }
}

/// The last answer to how many coordinates two paths share: the rows of a contact ask three times the same.
#[derive(Default)]
struct Shared {
    last: Option<([usize; 3], usize)>,
}

impl Shared {
    fn count(&mut self, systems: &[Articulated], a: &Leg, b: &Leg) -> usize {
        let question = [a.system, a.body, b.body];
        match self.last {
            Some((asked, count)) if asked == question => count,
            _ => {
                let count = systems[a.system].shared(a.body, b.body);
                self.last = Some((question, count));
                count
            }
        }
    }
}

/// K as a matrix whose rows are computed when first asked for.
pub struct Influenced<'a> {
    influence: &'a mut Influence,
    systems: &'a [Articulated],
}

impl Matrix for Influenced<'_> {
    fn diagonal(&self, row: usize) -> f64 {
        self.influence.diagonal[row]
    }

    fn entry(&mut self, row: usize, column: usize) -> f64 {
        if self.influence.known[row] {
            return self.influence.matrix[row * self.influence.rows() + column];
        }
        self.influence.product(self.systems, row, column, &mut Shared::default())
    }

    fn row(&mut self, row: usize) -> &[f64] {
        self.influence.row(self.systems, row)
    }
}
