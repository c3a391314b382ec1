//! Sets of friction forces: the tangential forces that a normal force allows.

use nalgebra::Vector2;

/// The set of tangential forces for a normal force N and a coefficient μ. Within the set the force opposes
/// the slip as much as possible (maximal dissipation).
#[doc(alias = "friction cone")]
#[doc(alias = "friction pyramid")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionSet {
    /// |f| ≤ μ N: Coulomb's cone.
    Disc,
    /// |f₁| + |f₂| ≤ μ N: four directions f ≥ 0 with one λ, the six conditions of a contact whose direction is
    /// not known ([Kokkevis 2004] §8.1); 0.707 μ on the diagonal.
    Diamond,
}

impl FrictionSet {
    /// The nearest force in the set, for `reach` = μ N.
    #[doc(alias = "projection")]
    pub(crate) fn project(self, force: Vector2<f64>, reach: f64) -> Vector2<f64> {
        if reach <= 0.0 {
            return Vector2::zeros();
        }
        match self {
            FrictionSet::Disc => {
                let length = force.norm();
                if length <= reach { force } else { force * (reach / length) }
            }
            FrictionSet::Diamond => {
                let size = force.abs();
                if size.sum() <= reach {
                    return force;
                }
                // Both components shrink by the same amount until one of them is zero.
                let shrink = 0.5 * (size.sum() - reach);
                let kept = size.map(|x| x - shrink);
                let kept = if kept.min() >= 0.0 {
                    kept
                } else if size.x > size.y {
                    Vector2::new(reach, 0.0)
                } else {
                    Vector2::new(0.0, reach)
                };
                kept.zip_map(&force, f64::copysign)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_force_of_the_set_is_nearer_than_the_projection(
            x in -3.0..3.0, y in -3.0..3.0, reach in 0.1..2.0, angle in 0.0..6.3f64, part in 0.0..1.0,
        ) {
            for set in [FrictionSet::Disc, FrictionSet::Diamond] {
                let force = Vector2::new(x, y);
                let nearest = set.project(force, reach);
                prop_assert!((set.project(nearest, reach) - nearest).norm() < 1e-12);
                let direction = Vector2::new(angle.cos(), angle.sin());
                let size = if set == FrictionSet::Disc { 1.0 } else { direction.abs().sum() };
                let other: Vector2<f64> = direction * (part * reach / size);
                prop_assert!((force - nearest).norm() <= (force - other).norm() + 1e-12);
            }
        }
    }
}
