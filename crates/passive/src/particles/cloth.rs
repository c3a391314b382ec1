//! Cloth from a grid or from triangles.

use super::spec::{ParticlesError, ParticlesSpec, StickSpec};
use super::stick::StickConstraint;
use aplomb_math::elementary::cos;
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The sticks of a grid other than those along its threads, and the angle (rad) from which they act: 0 for
/// always, as in the paper; more for a woven cloth, whose threads rotate and bend until they lock (an
/// addition).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weave {
    /// Sticks along both diagonals of each square, against shear: angle by which threads may lean.
    pub shear: Option<f64>,
    /// Sticks between second neighbours, against bending: angle by which a thread may turn at a particle, at
    /// most π.
    pub bend: Option<f64>,
}

impl Weave {
    /// Sticks to other particles: step down, step across, length (m) and whether they always act.
    fn sticks(&self, across: &Vector3<f64>, down: &Vector3<f64>) -> Vec<([isize; 2], f64, StickConstraint)> {
        let mut sticks = vec![
            ([0, 1], across.norm(), StickConstraint::Exactly),
            ([1, 0], down.norm(), StickConstraint::Exactly),
        ];
        if let Some(lean) = self.shear {
            let between = across.angle(down);
            let squares = across.norm_squared() + down.norm_squared();
            let product = 2.0 * across.norm() * down.norm();
            let longest = |angle: f64| (squares + product * cos(angle.max(0.0))).sqrt();
            let hold = if lean == 0.0 { StickConstraint::Exactly } else { StickConstraint::AtMost };
            sticks.push(([1, 1], longest(between - lean), hold));
            sticks.push(([1, -1], longest(PI - between - lean), hold));
        }
        if let Some(turn) = self.bend {
            let hold = if turn == 0.0 { StickConstraint::Exactly } else { StickConstraint::AtLeast };
            let part = cos(0.5 * turn);
            sticks.push(([0, 2], 2.0 * part * across.norm(), hold));
            sticks.push(([2, 0], 2.0 * part * down.norm(), hold));
        }
        sticks
    }
}

/// Particles of a grid. In memory each row has its even columns first, so that sticks of a row are adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    first: usize,
    /// Number of rows.
    pub(crate) rows: usize,
    /// Number of columns.
    pub(crate) columns: usize,
}

impl Grid {
    /// Index of the particle at a row and a column.
    pub fn at(&self, row: usize, column: usize) -> usize {
        let half = if column.is_multiple_of(2) { column / 2 } else { self.columns.div_ceil(2) + column / 2 };
        self.first + row * self.columns + half
    }

    /// Range of all its particles.
    pub fn particles(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.rows * self.columns
    }
}

/// Corners of a mesh and its triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClothMesh {
    /// Positions of the vertices, m.
    pub vertices: Vec<Vector3<f64>>,
    /// Indices of the three vertices of each triangle.
    pub triangles: Vec<[usize; 3]>,
}

impl ParticlesSpec {
    /// Adds a grid with its first corner at `corner`; the step to the next column is `across` and to the next
    /// row `down` (m). `mass` (kg) is distributed evenly.
    ///
    /// # Errors
    ///
    /// If the grid has fewer than two rows or columns, or its mass is not positive.
    pub fn add_grid(
        &mut self,
        [rows, columns]: [usize; 2],
        corner: Vector3<f64>,
        [across, down]: [Vector3<f64>; 2],
        mass: f64,
        weave: Weave,
    ) -> Result<Grid, ParticlesError> {
        if rows < 2 || columns < 2 || mass <= 0.0 {
            return Err(ParticlesError::Shape {
                what: "a grid of cloth",
                need: "two rows, two columns and a mass",
            });
        }
        let grid = Grid { first: self.particles.len(), rows, columns };
        let each = mass / (rows * columns) as f64;
        for row in 0..rows {
            for column in (0..columns).step_by(2).chain((1..columns).step_by(2)) {
                self.add(corner + column as f64 * across + row as f64 * down, Some(each));
            }
        }
        let sticks = weave.sticks(&across, &down);
        for row in 0..rows {
            for column in 0..columns {
                for ([down, across], rest, hold) in &sticks {
                    let (to, beside) = (row.checked_add_signed(*down), column.checked_add_signed(*across));
                    if let (Some(to), Some(beside)) = (to, beside)
                        && to < rows
                        && beside < columns
                    {
                        let ends = [grid.at(row, column), grid.at(to, beside)];
                        self.sticks.push(StickSpec { ends, rest: *rest, hold: *hold });
                    }
                }
            }
        }
        for row in 1..rows {
            for column in 1..columns {
                let square = [[row - 1, column - 1], [row - 1, column], [row, column - 1], [row, column]];
                let [a, b, c, d] = square.map(|[row, column]| grid.at(row, column));
                self.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        Ok(grid)
    }

    /// Adds a cloth that is a mesh of triangles: a stick along every edge and, against bending, one between the two
    /// corners that face each other across it. Masses are proportional to area, `density` in kg/m². Vertices keep
    /// their order; returns the index of the first.
    ///
    /// # Errors
    ///
    /// If a triangle names a vertex that does not exist, more than two share an edge, or the density is out of range.
    pub fn add_mesh(&mut self, mesh: &ClothMesh, density: f64) -> Result<usize, ParticlesError> {
        let first = self.particles.len();
        let vertices = mesh.vertices.len();
        let mut mass = vec![0.0; vertices];
        let mut edges: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            if let Some(vertex) = corners.iter().copied().find(|corner| *corner >= vertices) {
                return Err(ParticlesError::NoSuchVertex { triangle, vertex, vertices });
            }
            let [a, b, c] = corners.map(|corner| mesh.vertices[corner]);
            let area = 0.5 * (b - a).cross(&(c - a)).norm();
            for k in 0..3 {
                mass[corners[k]] += density * area / 3.0;
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                edges.entry([a.min(b), a.max(b)]).or_default().push(corners[(k + 2) % 3]);
            }
        }
        if mass.iter().any(|mass| *mass <= 0.0) {
            let need = "a density, and vertices that all belong to a triangle with an area";
            return Err(ParticlesError::Shape { what: "a mesh of cloth", need });
        }
        mesh.vertices.iter().zip(&mass).for_each(|(vertex, mass)| {
            self.add(*vertex, Some(*mass));
        });
        for ([a, b], facing) in &edges {
            self.join(first + a, first + b);
            match facing[..] {
                [c, d] if c != d => self.join(first + c, first + d),
                [_] => {}
                _ => return Err(ParticlesError::Edge { a: *a, b: *b }),
            }
        }
        self.triangles.extend(mesh.triangles.iter().map(|corners| corners.map(|corner| first + corner)));
        Ok(first)
    }
}

impl ClothMesh {
    /// A flat hexagon of equal triangles, as the paper assumes for cloth: `rings` of them with edges of
    /// `edge` (m) around a vertex at the origin, in the x–y plane. Rows of constant y have every other vertex
    /// first.
    pub fn hexagon(rings: usize, edge: f64) -> ClothMesh {
        let rings = rings as isize;
        let mut mesh = ClothMesh::default();
        let mut index: BTreeMap<[isize; 2], usize> = BTreeMap::new();
        let inside = |q: isize, r: isize| q.abs().max(r.abs()).max((q + r).abs()) <= rings;
        for r in -rings..=rings {
            let row: Vec<isize> = (-rings..=rings).filter(|q| inside(*q, r)).collect();
            for q in row.iter().step_by(2).chain(row.iter().skip(1).step_by(2)) {
                index.insert([r, *q], mesh.vertices.len());
                let x = edge * (*q as f64 + 0.5 * r as f64);
                mesh.vertices.push(Vector3::new(x, edge * 0.75_f64.sqrt() * r as f64, 0.0));
            }
        }
        for ([r, q], a) in &index {
            let at = |r: isize, q: isize| index.get(&[r, q]).copied();
            if let (Some(b), Some(c)) = (at(*r, q + 1), at(r + 1, *q)) {
                mesh.triangles.push([*a, b, c]);
            }
            if let (Some(b), Some(c)) = (at(r + 1, *q), at(r + 1, q - 1)) {
                mesh.triangles.push([*a, b, c]);
            }
        }
        mesh
    }
}
