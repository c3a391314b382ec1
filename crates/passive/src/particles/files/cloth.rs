//! `kind = "cloth"` in scene files.

use super::builder::{MOST, ParticleBuilder, mistake};
use super::extras::{ContainerSpec, DragSpec, Extras};
use super::relax::RelaxSpec;
use super::wind::WindSpec;
use crate::checks::{Checks, defaults};
use crate::particles::cloth::{Grid, Weave};
use crate::particles::wind::Wind;
use crate::particles::{ParticlesSpec, straight};
use crate::{Built, FileEnvironment, ObjectRequest, PassiveMethod};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use aplomb_math::elementary;
use nalgebra::Vector3;
use serde::Deserialize;
use std::ops::Range;

/// A rectangle of cloth: Verlet particles and sticks between them.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClothSpec {
    /// Initial position of its first corner, m.
    pub(crate) corner: Spanned<[f64; 3]>,
    /// Vector from the first corner along the first row, as long as the cloth is wide, m.
    pub(crate) across: Spanned<[f64; 3]>,
    /// Vector from the first corner along the first column, as long as the cloth is high, m.
    pub(crate) down: Spanned<[f64; 3]>,
    /// Number of particles in a row and in a column.
    pub(crate) grid: Spanned<[u32; 2]>,
    /// kg
    pub(crate) mass: Spanned<f64>,
    /// Fixed edges.
    #[serde(default)]
    pub(crate) fixed: Vec<Edge>,
    /// Fixed particles: row and column, from 0.
    pub(crate) pins: Option<Spanned<Vec<[u32; 2]>>>,
    /// Diagonal sticks that resist shear.
    #[serde(default = "defaults::yes")]
    pub(crate) shear: bool,
    /// Shear angle at which the `shear` sticks begin to act, rad.
    #[serde(default = "defaults::zero")]
    pub(crate) shear_angle: Spanned<f64>,
    /// Sticks between second neighbours, which resist bending.
    #[serde(default = "defaults::yes")]
    pub(crate) bend: bool,
    /// Bending angle at a particle at which the `bend` sticks begin to act, rad.
    #[serde(default = "defaults::zero")]
    pub(crate) bend_angle: Spanned<f64>,
    /// Tethers from each particle to the nearest fixed one: they limit the sag of a large cloth.
    #[serde(default)]
    pub(crate) tethers: bool,
    /// How its stick constraints are relaxed.
    #[serde(default)]
    pub(crate) relax: RelaxSpec,
    /// Container that its particles stay inside.
    pub(crate) container: Option<ContainerSpec>,
    /// Particles that follow a prescribed motion: moving pins and drags.
    #[serde(default)]
    pub(crate) drags: Vec<DragSpec>,
    /// Wind; default: no air drag.
    pub(crate) wind: Option<WindSpec>,
}

impl ClothSpec {
    /// Radius of the largest ball that passes between the particles of a square, which alone touch others: half its
    /// diagonal, m.
    pub fn gap(&self) -> f64 {
        let [columns, rows] = self.grid.get_ref().map(|count| f64::from(count.max(2) - 1));
        let along = |vector: &Spanned<[f64; 3]>, steps: f64| Vector3::from(*vector.get_ref()).norm() / steps;
        0.5 * elementary::hypot(along(&self.across, columns), along(&self.down, rows))
    }

    /// Place of `grid` in the file.
    pub fn grid_span(&self) -> Range<usize> {
        self.grid.span()
    }
}

/// An edge of a cloth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Edge {
    /// The first row.
    FirstRow,
    /// The last row.
    LastRow,
    /// The first column.
    FirstColumn,
    /// The last column.
    LastColumn,
}

/// Radius at which threads are drawn, m.
const THREAD: f64 = 0.003;

impl PassiveMethod for ClothSpec {
    fn models(&self) -> Vec<&Spanned<String>> {
        Vec::new()
    }

    fn check(&self, source: &Source) -> Vec<FileError> {
        let mut checks = Checks::new(source);
        checks.vector("corner", &self.corner);
        checks.direction("across", &self.across);
        checks.direction("down", &self.down);
        checks.positive("mass", &self.mass);
        let [columns, rows] = *self.grid.get_ref();
        if columns < 2 || rows < 2 || columns.saturating_mul(rows) > MOST {
            let message = format!("a grid has 2 or more particles each way and {MOST} at most in all");
            checks.wrong(self.grid.span(), message);
        }
        if let Some(pins) = &self.pins
            && let Some([row, column]) =
                pins.get_ref().iter().find(|[row, column]| *row >= rows || *column >= columns)
        {
            let message = format!("there is no particle at row {row}, column {column} of {rows} × {columns}");
            checks.wrong(pins.span(), message);
        }
        for (name, angle, wanted) in
            [("shear", &self.shear_angle, self.shear), ("bend", &self.bend_angle, self.bend)]
        {
            checks.within(&format!("{name}_angle"), angle, 0.0..=3.0);
            if !wanted && *angle.get_ref() > 0.0 {
                checks.wrong(angle.span(), format!("{name}_angle has no effect with {name} = false"));
            }
        }
        self.relax.check(&mut checks);
        self.extras().check(&mut checks);
        self.wind.iter().for_each(|wind| wind.check(&mut checks));
        checks.errors
    }

    fn build(
        members: &[ObjectRequest<'_, Self>],
        around: &FileEnvironment<'_>,
    ) -> Result<Vec<Built>, FileErrors> {
        members.iter().map(|member| member.spec.build_one(member.object, around)).collect()
    }
}

impl ClothSpec {
    fn extras(&self) -> Extras<'_> {
        Extras { place: self.grid.span(), container: self.container.as_ref(), drags: &self.drags }
    }

    fn build_one(&self, object: usize, around: &FileEnvironment<'_>) -> Result<Built, FileErrors> {
        let [columns, rows] = self.grid.get_ref().map(|count| count as usize);
        let [corner, across, down] =
            [&self.corner, &self.across, &self.down].map(|vector| Vector3::from(*vector.get_ref()));
        let steps = [across / (columns - 1) as f64, down / (rows - 1) as f64];
        let weave = Weave {
            shear: self.shear.then_some(*self.shear_angle.get_ref()),
            bend: self.bend.then_some(*self.bend_angle.get_ref()),
        };
        let mut spec = ParticlesSpec::default();
        let wrong = |error| mistake(&self.grid, &error, around);
        let grid =
            spec.add_grid([rows, columns], corner, steps, *self.mass.get_ref(), weave).map_err(wrong)?;
        let mut pins: Vec<usize> = self.pinned(&grid).collect();
        pins.sort_unstable();
        pins.dedup();
        pins.iter().for_each(|pin| spec.pin(*pin));
        let place = |particle: usize| (particle, spec.particles[particle].position);
        if self.tethers {
            let pins: Vec<_> = pins.iter().map(|pin| place(*pin)).collect();
            spec.tethers = straight(grid.particles().map(place), &pins, 1);
        }
        let mut names = vec![String::new(); rows * columns];
        let mut rods = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                names[grid.at(row, column)] = format!("{row}_{column}");
                if column + 1 < columns {
                    rods.push([grid.at(row, column), grid.at(row, column + 1)]);
                }
                if row + 1 < rows {
                    rods.push([grid.at(row, column), grid.at(row + 1, column)]);
                }
            }
        }
        let wind = self.wind.as_ref().map_or(Wind::NONE, WindSpec::wind);
        let builder = ParticleBuilder { spec, names, rods, thickness: THREAD, wind };
        builder.finish(object, &self.relax, &self.extras(), around)
    }

    fn pinned(&self, grid: &Grid) -> impl Iterator<Item = usize> {
        let (last_row, last_column) = (grid.rows - 1, grid.columns - 1);
        let on_edge = move |row: usize, column: usize| {
            self.fixed.iter().any(|edge| match edge {
                Edge::FirstRow => row == 0,
                Edge::LastRow => row == last_row,
                Edge::FirstColumn => column == 0,
                Edge::LastColumn => column == last_column,
            })
        };
        let grid = *grid;
        let all = (0..grid.rows).flat_map(move |row| (0..grid.columns).map(move |column| [row, column]));
        let of_edges = all.filter(move |[row, column]| on_edge(*row, *column));
        let single =
            self.pins.iter().flat_map(|pins| pins.get_ref()).map(|pin| pin.map(|index| index as usize));
        of_edges.chain(single).map(move |[row, column]| grid.at(row, column))
    }
}
