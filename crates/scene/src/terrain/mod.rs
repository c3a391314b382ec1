//! Stairs and uneven ground of a scene, converted to surfaces.

mod check;
mod formula;
mod grid;
mod noise;
mod picture;
mod spec;

pub(crate) use spec::{StairsSpec, TerrainSpec};

pub(super) use check::check;

use super::check::GROUND;
use super::spec::SceneSpec;
use aplomb_body::contact::{Surface, SurfaceShape};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_math::geometry::HeightField;
use grid::HeightGrid;
use nalgebra::{UnitQuaternion, Vector3};
use std::sync::Arc;

/// All surfaces of a scene's `[terrain]`, in its order, and the pictures from which they were generated.
///
/// # Errors
/// Formulas with a mistake, or without a value somewhere, pictures that cannot be read, and names that
/// already exist.
pub(super) fn make(
    spec: &SceneSpec,
    source: &Source,
    read: impl Fn(&Spanned<String>) -> Result<Source, FileError>,
) -> (Vec<Surface>, Vec<Source>, Vec<FileError>) {
    let (mut surfaces, mut pictures, mut mistakes): (Vec<Surface>, _, Vec<FileError>) =
        (Vec::new(), Vec::new(), Vec::new());
    for (name, terrain) in &spec.terrain {
        let friction = terrain.friction().unwrap_or(*spec.ground.friction.get_ref());
        let made = match terrain {
            TerrainSpec::Stairs(stairs) => {
                surfaces.extend(self::stairs(
                    name.get_ref(),
                    stairs,
                    *spec.ground.height.get_ref(),
                    friction,
                ));
                continue;
            }
            TerrainSpec::Random(random) => Ok(noise::heights(random)),
            TerrainSpec::Formula(formula) => formula::heights(formula, source),
            TerrainSpec::Picture(picture) => read(&picture.file).and_then(|found| {
                let heights = picture::heights(picture, &found, source);
                pictures.push(found);
                heights
            }),
        };
        match made {
            Ok(grid) => surfaces.push(field(name.get_ref(), grid, *spec.ground.height.get_ref(), friction)),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    mistakes.extend(taken(spec, source, &surfaces));
    (surfaces, pictures, mistakes)
}

/// The bytes of a picture as text; mistakes are reported at the reference.
///
/// # Errors
/// If the file does not exist or is not a picture.
pub(super) fn read_picture(
    reference: &Spanned<String>,
    beside: Option<&std::path::Path>,
    source: &Source,
) -> Result<(Source, std::path::PathBuf), FileError> {
    picture::read(reference, beside, source)
}

/// Mistakes for surfaces with the name of the floor or of an obstacle.
fn taken(spec: &SceneSpec, source: &Source, surfaces: &[Surface]) -> Vec<FileError> {
    let mut known: Vec<&str> = spec.obstacles.keys().map(|name| name.get_ref().as_str()).collect();
    known.push(GROUND);
    let mut mistakes = Vec::new();
    for surface in surfaces {
        if known.contains(&&*surface.name) {
            let part = |name: &&Spanned<String>| surface.name.starts_with(name.get_ref().as_str());
            let span = spec.terrain.keys().find(part).map_or(0..0, Spanned::span);
            let message = format!("another surface is named `{}` already", surface.name);
            mistakes.push(FileError::new(source, span, message));
        }
        known.push(&surface.name);
    }
    mistakes
}

/// A height field about the centre of its rectangle.
fn field(name: &str, grid: HeightGrid, floor: f64, friction: f64) -> Surface {
    let HeightGrid { mut x, mut y, heights } = grid;
    let centre = |lines: &mut [f64]| {
        let middle = 0.5 * (lines[0] + lines[lines.len() - 1]);
        lines.iter_mut().for_each(|line| *line -= middle);
        middle
    };
    let position = Vector3::new(centre(&mut x), centre(&mut y), floor);
    let flat = || HeightField::new(vec![-1.0, 1.0], vec![-1.0, 1.0], vec![0.0; 4]);
    // Lines and heights were checked; any remaining error results in flat ground.
    let heights = HeightField::new(x, y, heights).or_else(|_| flat());
    let shape = heights.map_or(SurfaceShape::HalfSpace, |field| SurfaceShape::Field(Arc::new(field)));
    Surface::new(name, shape, position, UnitQuaternion::identity(), friction)
}

/// The treads of stairs, the lowest first: boxes that lie on each other, so that no side is hidden between two
/// boxes, each as thick as a riser is high.
fn stairs(name: &str, spec: &StairsSpec, floor: f64, friction: f64) -> Vec<Surface> {
    let number = *spec.number.get_ref();
    let (rise, tread, width) = (*spec.rise.get_ref(), *spec.tread.get_ref(), *spec.width.get_ref());
    let landing = spec.landing.as_ref().map_or(tread, |landing| *landing.get_ref());
    let [x, y] = *spec.start.get_ref();
    let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, *spec.direction.get_ref());
    let flight = f64::from(number - 1) * tread;
    let treads = (0..number).map(|step| {
        let from = f64::from(step) * tread;
        // If stairs lead down again, each tread occurs twice; one box spans both.
        let to = flight + landing + if spec.down { flight - from } else { 0.0 };
        let half_lengths = Vector3::new(0.5 * (to - from), 0.5 * width, 0.5 * rise);
        let middle = Vector3::new(0.5 * (from + to), 0.0, (f64::from(step) + 0.5) * rise);
        let position = Vector3::new(x, y, floor) + turn * middle;
        let shape = SurfaceShape::Box { half_lengths };
        Surface::new(&format!("{name}_{}", step + 1), shape, position, turn, friction)
    });
    treads.collect()
}
