//! The swing of a body that hangs from holds.

use aplomb_math::elementary::atan2;
use nalgebra::Vector3;

/// A body that hangs: the axis that it swings about, and its COM. World axes.
#[doc(alias = "pendulum")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Unit axis, to the character's left.
    axis: Vector3<f64>,
    /// COM relative to the axis and orthogonal to it, m.
    arm: Vector3<f64>,
}

impl Swing {
    /// The swing for the gripped points (m), their bar if there is one, the character's own left and its COM
    /// (m). The axis passes through the mean of the points: along the bar, else from the first point to the
    /// last if they are side by side rather than one above the other, else to the left. `None` without grips.
    pub fn new(
        held: impl IntoIterator<Item = Vector3<f64>>,
        bar: Option<Vector3<f64>>,
        left: Vector3<f64>,
        com: Vector3<f64>,
    ) -> Option<Swing> {
        let (mut count, mut sum, mut ends) = (0.0, Vector3::zeros(), None);
        for point in held {
            count += 1.0;
            sum += point;
            let (first, _) = ends.unwrap_or((point, point));
            ends = Some((first, point));
        }
        let (first, last) = ends?;
        let beside = |apart: &Vector3<f64>| apart.norm() > 1e-3 && apart.xy().norm() > apart.z.abs();
        let apart = Some(last - first).filter(beside);
        let line = bar.or(apart).unwrap_or(left);
        let axis = line.normalize() * line.dot(&left).signum();
        let arm = com - sum / count;
        Some(Swing { axis, arm: arm - axis * axis.dot(&arm) })
    }

    /// Unit direction in which the angle increases: forward at the bottom.
    pub fn direction(&self) -> Vector3<f64> {
        self.arm.cross(&self.axis).normalize()
    }

    /// Angle from straight down, positive forward, rad.
    pub fn angle(&self) -> f64 {
        let forward = self.axis.cross(&Vector3::z());
        atan2(self.arm.dot(&forward), -self.arm.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_4;

    #[test]
    fn the_angle_is_positive_when_the_com_is_ahead_whatever_way_the_bar_lies() {
        let hands = [Vector3::new(0.0, 0.2, 2.0), Vector3::new(0.0, -0.2, 2.0)];
        let com = Vector3::new(0.7, 0.1, 1.3);
        for bar in [None, Some(Vector3::y()), Some(-Vector3::y())] {
            let swing = Swing::new(hands, bar, Vector3::y(), com).unwrap();
            assert!((swing.angle() - FRAC_PI_4).abs() < 1e-12, "{bar:?}");
            let forward = Vector3::new(1.0, 0.0, 1.0).normalize();
            assert!((swing.direction() - forward).norm() < 1e-12, "{bar:?}");
            let turned = Swing::new(hands, bar, -Vector3::y(), com).unwrap();
            assert!((turned.angle() + FRAC_PI_4).abs() < 1e-12, "seen from the other side, {bar:?}");
        }
        let rope = [Vector3::new(0.0, 0.0, 2.05), Vector3::new(0.0, 0.0, 1.95)];
        let swing = Swing::new(rope, None, Vector3::y(), com).unwrap();
        assert!((swing.angle() - FRAC_PI_4).abs() < 1e-12, "one hand above the other");
        assert_eq!(Swing::new([], None, Vector3::y(), com), None);
    }
}
