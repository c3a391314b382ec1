//! Solids that push particles and chains out of themselves.

use nalgebra::{UnitQuaternion, Vector3};

/// A solid, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// All points x with `normal` · x ≤ `offset`; the normal is a unit vector.
    HalfSpace {
        /// Unit normal, world axes, pointing out of the solid.
        normal: Vector3<f64>,
        /// Distance of the plane from the world origin along the normal, m.
        offset: f64,
    },
    /// A ball.
    Sphere {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// A box of the given half edges.
    Cuboid {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Rotation from the box's own axes to world axes.
        orientation: UnitQuaternion<f64>,
        /// Half of the edge lengths along the box's own axes, m.
        half: Vector3<f64>,
    },
    /// All points within `radius` of the segment between two ends.
    Capsule {
        /// Ends of the axis, m, world axes.
        ends: [Vector3<f64>; 2],
        /// Radius, m.
        radius: f64,
    },
    /// No points: what has vanished.
    Empty,
}

/// A solid with its friction and its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Geometry in the world.
    pub shape: Shape,
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Velocity (m/s) of the material point at the world's origin, and turning (rad/s).
    pub velocity: Vector3<f64>,
    /// Angular velocity, rad/s, world axes.
    pub spin: Vector3<f64>,
}

/// Where a point is with respect to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Distance from the surface, m; negative inside.
    pub distance: f64,
    /// Unit vector along which the distance grows.
    pub normal: Vector3<f64>,
}

impl Obstacle {
    /// One that does not move.
    pub fn fixed(shape: Shape, friction: f64) -> Obstacle {
        Obstacle { shape, friction, velocity: Vector3::zeros(), spin: Vector3::zeros() }
    }

    /// Velocity of its material at a point, m/s.
    pub fn velocity_at(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.spin.cross(point)
    }
}

impl Shape {
    /// A point in its middle; of a half-space the one nearest to the world's origin.
    pub fn centre(&self) -> Vector3<f64> {
        match self {
            Shape::HalfSpace { normal, offset } => *offset * normal,
            Shape::Sphere { center, .. } | Shape::Cuboid { center, .. } => *center,
            Shape::Capsule { ends: [first, second], .. } => 0.5 * (first + second),
            Shape::Empty => Vector3::zeros(),
        }
    }

    /// The same solid where `carry` takes its points and `turn` its axes.
    pub fn carried(
        &self,
        carry: impl Fn(&Vector3<f64>) -> Vector3<f64>,
        turn: &UnitQuaternion<f64>,
    ) -> Shape {
        match *self {
            Shape::HalfSpace { normal, offset } => {
                let (point, normal) = (carry(&(offset * normal)), turn * normal);
                Shape::HalfSpace { normal, offset: normal.dot(&point) }
            }
            Shape::Sphere { center, radius } => Shape::Sphere { center: carry(&center), radius },
            Shape::Cuboid { center, orientation, half } => {
                Shape::Cuboid { center: carry(&center), orientation: turn * orientation, half }
            }
            Shape::Capsule { ends: [first, second], radius } => {
                let (middle, half) = (carry(&(0.5 * (first + second))), turn * (0.5 * (second - first)));
                Shape::Capsule { ends: [middle - half, middle + half], radius }
            }
            Shape::Empty => Shape::Empty,
        }
    }

    /// Distance and normal at a point.
    #[inline]
    pub fn surface(&self, point: &Vector3<f64>) -> Surface {
        match self {
            Shape::HalfSpace { normal, offset } => {
                Surface { distance: normal.dot(point) - offset, normal: *normal }
            }
            Shape::Sphere { center, radius } => round(&(point - center), *radius, Vector3::z),
            Shape::Capsule { ends: [first, second], radius } => {
                let along = second - first;
                let length_squared = along.norm_squared();
                let part =
                    if length_squared > 0.0 { (point - first).dot(&along) / length_squared } else { 0.0 };
                let aside = if along.x.abs() < along.y.abs() { Vector3::x() } else { Vector3::y() };
                let across = || along.cross(&aside).try_normalize(0.0).unwrap_or_else(Vector3::z);
                round(&(point - first - part.clamp(0.0, 1.0) * along), *radius, across)
            }
            Shape::Cuboid { center, orientation, half } => {
                let inside = orientation.inverse_transform_vector(&(point - center));
                let surface = cuboid(&inside, half);
                Surface { normal: orientation * surface.normal, ..surface }
            }
            Shape::Empty => Surface { distance: f64::INFINITY, normal: Vector3::z() },
        }
    }
}

/// Surface of a ball at an offset from its centre; at the very centre, `out` of it is that way.
fn round(offset: &Vector3<f64>, radius: f64, out: impl FnOnce() -> Vector3<f64>) -> Surface {
    let length = offset.norm();
    let normal = if length > 0.0 { offset / length } else { out() };
    Surface { distance: length - radius, normal }
}

fn cuboid(point: &Vector3<f64>, half: &Vector3<f64>) -> Surface {
    let beyond = point.abs() - half;
    let out = beyond.sup(&Vector3::zeros());
    let distance = out.norm();
    let side = point.map(|x| if x < 0.0 { -1.0 } else { 1.0 });
    if distance > 0.0 {
        return Surface { distance, normal: out.component_mul(&side) / distance };
    }
    let nearest = beyond.imax();
    let mut normal = Vector3::zeros();
    normal[nearest] = side[nearest];
    Surface { distance: beyond[nearest], normal }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_moved_along_the_normal_by_its_distance_lies_on_the_surface() {
        let shapes = [
            Shape::HalfSpace { normal: Vector3::new(0.6, 0.0, 0.8), offset: 0.3 },
            Shape::Sphere { center: Vector3::new(0.1, 0.2, 0.3), radius: 0.5 },
            Shape::Capsule { ends: [Vector3::zeros(), Vector3::new(0.4, 0.0, 1.0)], radius: 0.2 },
            Shape::Cuboid {
                center: Vector3::new(0.0, 0.1, 0.0),
                orientation: UnitQuaternion::new(Vector3::new(0.3, -0.4, 0.5)),
                half: Vector3::new(0.3, 0.4, 0.6),
            },
        ];
        for shape in shapes {
            for k in 0..200 {
                let wave = |speed: f64| (speed * f64::from(k)).sin();
                let point = Vector3::new(wave(1.1), wave(1.7), wave(2.3));
                let Surface { distance, normal } = shape.surface(&point);
                assert!((normal.norm() - 1.0).abs() < 1e-12);
                let on = shape.surface(&(point - distance * normal));
                assert!(on.distance.abs() < 1e-12, "{shape:?} {point} {on:?}");
                let further = shape.surface(&(point + 1e-3 * normal));
                assert!((further.distance - distance - 1e-3).abs() < 1e-12);
            }
        }
    }
}
