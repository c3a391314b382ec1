//! Stairs as boxes that lie on each other, so that no side is hidden between two of them.

use super::spec::StairsSpec;
use aplomb_body::contact::{Surface, SurfaceShape};
use nalgebra::{UnitQuaternion, Vector3};

/// The treads, the lowest first; each as thick as a riser is high.
pub fn boxes(name: &str, spec: &StairsSpec, floor: f64, friction: f64) -> Vec<Surface> {
    let number = *spec.number.get_ref();
    let (rise, tread, width) = (*spec.rise.get_ref(), *spec.tread.get_ref(), *spec.width.get_ref());
    let landing = spec.landing.as_ref().map_or(tread, |landing| *landing.get_ref());
    let [x, y] = *spec.start.get_ref();
    let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, *spec.direction.get_ref());
    let flight = f64::from(number - 1) * tread;
    let treads = (0..number).map(|step| {
        let from = f64::from(step) * tread;
        // Where stairs lead down again, each tread is there twice; the box goes through.
        let to = flight + landing + if spec.down { flight - from } else { 0.0 };
        let half_lengths = Vector3::new(0.5 * (to - from), 0.5 * width, 0.5 * rise);
        let middle = Vector3::new(0.5 * (from + to), 0.0, (f64::from(step) + 0.5) * rise);
        let position = Vector3::new(x, y, floor) + turn * middle;
        let shape = SurfaceShape::Box { half_lengths };
        Surface::new(&format!("{name}_{}", step + 1), shape, position, turn, friction)
    });
    treads.collect()
}
