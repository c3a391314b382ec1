//! Culling of particles: boxes around those that are consecutive in memory.
//!
//! The paper only announces its "optimized collision engine"; this is an addition. Particles that are culled
//! cannot be inside the solid, so that the result is the same with and without boxes.

use super::state::VectorArrays;
use aplomb_math::geometry::WorldShape;
use nalgebra::Vector3;
use std::ops::Range;

/// Number of particles in a block.
const SIZE: usize = 16;

/// All points between two corners, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub low: Vector3<f64>,
    pub high: Vector3<f64>,
}

/// Bounding boxes of blocks of particles.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    bounds: Vec<Bounds>,
    particles: usize,
}

/// A region that contains all contacts with a solid.
#[derive(Clone, Copy, Debug)]
pub(super) enum ContactRegion {
    Within(Bounds),
    /// The half-space `normal` · x < `offset`.
    Below {
        normal: Vector3<f64>,
        offset: f64,
    },
    Nowhere,
}

impl ContactRegion {
    /// The region of points less than `room` (m) from a solid.
    pub(super) fn new(shape: &WorldShape, room: f64) -> ContactRegion {
        let around = |center: &Vector3<f64>, half: Vector3<f64>| {
            let half = half.add_scalar(room);
            ContactRegion::Within(Bounds { low: center - half, high: center + half })
        };
        match shape {
            WorldShape::HalfSpace { normal, offset } => {
                ContactRegion::Below { normal: *normal, offset: offset + room }
            }
            WorldShape::Sphere { center, radius } => around(center, Vector3::repeat(*radius)),
            WorldShape::Capsule { ends: [first, second], radius } => {
                let half = 0.5 * (second - first).abs();
                around(&(0.5 * (first + second)), half.add_scalar(*radius))
            }
            WorldShape::Cuboid { center, orientation, half } => {
                let axes = orientation.to_rotation_matrix().matrix().abs();
                around(center, axes * half)
            }
            // Solid below, without a lower end.
            WorldShape::Field { field, position, orientation } => {
                let normal = orientation * Vector3::z();
                ContactRegion::Below { normal, offset: normal.dot(position) + field.highest() + room }
            }
            WorldShape::Empty => ContactRegion::Nowhere,
        }
    }

    fn meets(&self, bounds: &Bounds) -> bool {
        match self {
            ContactRegion::Within(own) => {
                (0..3).all(|k| own.low[k] <= bounds.high[k] && bounds.low[k] <= own.high[k])
            }
            ContactRegion::Below { normal, offset } => {
                let lowest =
                    normal.zip_zip_map(&bounds.low, &bounds.high, |n, low, high| (n * low).min(n * high));
                lowest.sum() <= *offset
            }
            ContactRegion::Nowhere => false,
        }
    }

    #[inline]
    pub(super) fn holds(&self, point: &Vector3<f64>) -> bool {
        match self {
            ContactRegion::Within(own) => (0..3).all(|k| own.low[k] <= point[k] && point[k] <= own.high[k]),
            ContactRegion::Below { normal, offset } => normal.dot(point) <= *offset,
            ContactRegion::Nowhere => false,
        }
    }
}

impl Blocks {
    /// Recomputes the boxes.
    pub(super) fn update(&mut self, points: &VectorArrays) {
        self.particles = points.len();
        let nowhere = Bounds { low: Vector3::zeros(), high: Vector3::zeros() };
        self.bounds.resize(points.len().div_ceil(SIZE), nowhere);
        for (axis, values) in points.axes().into_iter().enumerate() {
            for (bounds, values) in self.bounds.iter_mut().zip(values.chunks(SIZE)) {
                bounds.low[axis] = values.iter().fold(f64::INFINITY, |low, value| low.min(*value));
                bounds.high[axis] = values.iter().fold(f64::NEG_INFINITY, |high, value| high.max(*value));
            }
        }
    }

    /// Number of blocks.
    pub(super) fn len(&self) -> usize {
        self.bounds.len()
    }

    /// The particles of a block, if some may be in reach.
    pub(super) fn met(&self, block: usize, reach: &ContactRegion) -> Option<Range<usize>> {
        let first = block * SIZE;
        reach.meets(&self.bounds[block]).then(|| first..(first + SIZE).min(self.particles))
    }

    /// Extends the box of a block to a moved particle.
    pub(super) fn extend(&mut self, block: usize, to: &Vector3<f64>) {
        let bounds = &mut self.bounds[block];
        (bounds.low, bounds.high) = (bounds.low.inf(to), bounds.high.sup(to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    #[test]
    fn nothing_that_a_solid_reaches_is_left_out() {
        const ROOM: f64 = 0.05;
        let wave = |k: usize, speed: f64| 0.8 * (speed * k as f64).sin();
        let points = (0..4000).map(|k| Vector3::new(wave(k, 0.0011), wave(k, 0.17), wave(k, 2.3)));
        let points = VectorArrays::from_points(points);
        let mut blocks = Blocks::default();
        blocks.update(&points);
        let turned = UnitQuaternion::new(Vector3::new(0.3, -0.4, 0.5));
        let mut left_out = 0;
        for shape in [
            WorldShape::HalfSpace { normal: Vector3::new(0.6, 0.0, -0.8), offset: -0.3 },
            WorldShape::Sphere { center: Vector3::new(0.1, 0.2, 0.3), radius: 0.3 },
            WorldShape::Capsule { ends: [Vector3::zeros(), Vector3::new(0.4, 0.0, -0.5)], radius: 0.2 },
            WorldShape::Cuboid {
                center: Vector3::new(0.0, 0.1, 0.0),
                orientation: turned,
                half: Vector3::new(0.2, 0.3, 0.4),
            },
        ] {
            let reach = ContactRegion::new(&shape, ROOM);
            let met: Vec<usize> =
                (0..blocks.len()).flat_map(|block| blocks.met(block, &reach).into_iter().flatten()).collect();
            let inside = |k: &usize| shape.distance(&points.get(*k)).distance < ROOM;
            let within: Vec<usize> = (0..points.len()).filter(inside).collect();
            assert!(within.len() > 10);
            assert!(within.iter().all(|k| met.contains(k) && reach.holds(&points.get(*k))), "{shape:?}");
            left_out += points.len() - met.len();
        }
        assert!(left_out > 1000, "{left_out}");
    }
}
