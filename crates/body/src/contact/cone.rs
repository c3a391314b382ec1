//! Friction pyramid: the generators whose non-negative combinations are a contact's force ([Jain 2009] eqs
//! 11, 12).

use super::{ContactMode, ContactPoint};

use nalgebra::Vector3;

/// Largest number of generators of one contact: the edges of a pyramid and the normal.
const MOST: usize = 9;

/// Coefficient of friction above which the normal is a separate generator: the edges of such a wide cone are
/// nearly flat, and a normal force composed only of them is the small difference of large tangential forces.
pub const STEEP: f64 = 1.0;

/// Largest coefficient of friction of a surface. The edges of its cone rise by a millionth of their length,
/// which a solver still distinguishes from zero; the slip that remains is far below any that matters.
pub(crate) const MOST_FRICTION: f64 = 1e6;

/// Whether a coefficient of friction is valid.
pub fn is_friction(coefficient: f64) -> bool {
    (0.0..=MOST_FRICTION).contains(&coefficient)
}

/// Generators of a contact's force, unit vectors in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generators {
    list: [Vector3<f64>; MOST],
    count: usize,
}

impl Generators {
    /// The generators in use, unit vectors in world axes.
    pub fn as_slice(&self) -> &[Vector3<f64>] {
        &self.list[..self.count]
    }

    /// The axes of the world.
    pub(crate) fn axes() -> Self {
        let list = std::array::from_fn(|k| if k < 3 { Vector3::ith(k, 1.0) } else { Vector3::zeros() });
        Generators { list, count: 3 }
    }
}

/// Two unit tangents that depend only on the normal and vary smoothly near the vertical.
pub fn tangents(normal: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let reference = if normal.x.abs() < 0.9 { Vector3::x() } else { Vector3::z() };
    let first = (reference - normal * normal.dot(&reference)).normalize();
    (first, normal.cross(&first))
}

/// Generators (n + μ t)/√(1+μ²) of a pyramid with `directions` (4 or 8) edges inside the cone of friction, and n if
/// the cone is [`STEEP`].
pub(crate) fn pyramid(normal: &Vector3<f64>, friction: f64, directions: usize) -> Generators {
    let mut generators = Generators { list: [Vector3::zeros(); MOST], count: 0 };
    for tangent in edges(normal).into_iter().take(if friction == 0.0 { 1 } else { directions }) {
        generators.list[generators.count] =
            (normal + tangent * friction) / (1.0 + friction * friction).sqrt();
        generators.count += 1;
    }
    if friction > STEEP {
        generators.list[generators.count] = *normal;
        generators.count += 1;
    }
    generators
}

/// Directions of friction along a surface: four at right angles, then the four between them.
fn edges(normal: &Vector3<f64>) -> [Vector3<f64>; 8] {
    let (t1, t2) = tangents(normal);
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    [
        t1,
        -t1,
        t2,
        -t2,
        (t1 + t2) * diagonal,
        -(t1 + t2) * diagonal,
        (t1 - t2) * diagonal,
        (t2 - t1) * diagonal,
    ]
}

/// The generators of an active contact.
///
/// Sticking, in an impact or pinned: a pyramid inside the cone with `directions` (4 or 8) edges (n + μ
/// t)/√(1+μ²). With four edges the friction on the diagonal is 0.707 μ, with eight 0.924 μ. Sliding: the
/// single direction (n − μ v/|v|)/√(1+μ²) against the slip, which is that of the solve that found the point
/// sliding, or else that at the beginning of the frame. In an impact the cone is no wider than [`STEEP`]. If
/// friction is excluded along slips of earlier solves, only edges without a component along those remain, and
/// n itself; n alone without friction. If the cone is [`STEEP`], n is always a generator.
pub fn generators(touch: &ContactPoint, directions: usize) -> Generators {
    let mu = if touch.bearing == ContactMode::Impact { touch.friction.min(STEEP) } else { touch.friction };
    let mut generators = Generators { list: [Vector3::zeros(); MOST], count: 0 };
    let mut add = |tangent: Vector3<f64>| {
        if !touch.smooth && touch.may_push_along(&tangent) {
            generators.list[generators.count] = (touch.normal + tangent * mu) / (1.0 + mu * mu).sqrt();
            generators.count += 1;
        }
    };
    match touch.bearing {
        ContactMode::Off => return generators,
        ContactMode::Sliding => {
            let slip = if touch.slip == Vector3::zeros() { touch.tangential_velocity() } else { touch.slip };
            add(-slip / slip.norm().max(1e-12));
        }
        ContactMode::Sticking { .. } | ContactMode::Impact | ContactMode::Pinned => {
            let count = if mu == 0.0 { 1 } else { directions };
            edges(&touch.normal).into_iter().take(count).for_each(&mut add);
        }
    }
    if mu > STEEP || touch.smooth || touch.is_barred() {
        generators.list[generators.count] = touch.normal;
        generators.count += 1;
    }
    generators
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_within(force: &Vector3<f64>, normal: &Vector3<f64>, friction: f64) -> bool {
        let push = force.dot(normal);
        (force - normal * push).norm() <= friction * push * (1.0 + 1e-9)
    }

    #[test]
    fn the_normal_of_a_wide_cone_is_a_generator_and_that_of_a_narrow_one_is_not() {
        let normal = Vector3::new(0.3, -0.2, 0.9).normalize();
        for directions in [4, 8] {
            for (friction, count) in [(0.0, 1), (0.5, directions), (1.0, directions), (1.5, directions + 1)] {
                let generators = pyramid(&normal, friction, directions);
                assert_eq!(generators.as_slice().len(), count, "friction {friction}");
                let has_normal = generators.as_slice().contains(&normal);
                assert_eq!(has_normal, friction == 0.0 || friction > STEEP, "friction {friction}");
            }
        }
    }

    #[test]
    fn every_generator_is_a_unit_vector_within_the_cone_at_any_friction() {
        let normal = Vector3::new(0.1, 0.2, 0.97).normalize();
        for friction in [0.0, 0.3, 1.0, 2.0, 50.0, 1000.0, MOST_FRICTION] {
            for generator in pyramid(&normal, friction, 8).as_slice() {
                assert!((generator.norm() - 1.0).abs() < 1e-9, "friction {friction}: {generator}");
                assert!(
                    is_within(generator, &normal, friction.max(1e-6)),
                    "friction {friction}: {generator}"
                );
            }
        }
    }

    #[test]
    fn friction_is_from_zero_to_a_million() {
        assert!([0.0, 1.0, MOST_FRICTION].into_iter().all(is_friction));
        assert!(![-0.1, 1e7, 1e160, f64::INFINITY, f64::NAN].into_iter().any(is_friction));
    }
}
