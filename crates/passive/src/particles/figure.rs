//! Articulated figures: limbs that share particles, with angles limited by one-sided sticks.
//!
//! The paper announces both and its available text does not reach them; the construction of the figure is our
//! own.

use super::spec::{ParticlesError, ParticlesSpec};
use super::stick::StickConstraint;
use aplomb_math::elementary::cos;
use nalgebra::Vector3;

/// Indices of the particles of a standing figure that faces +y; sides are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticleFigure {
    /// Index of the particle at the head.
    pub head: usize,
    /// Index of the particle at the front of the chest, which gives the trunk its depth.
    pub sternum: usize,
    /// Indices of the shoulders: left, right.
    pub shoulders: [usize; 2],
    /// Indices of the elbows: left, right.
    pub elbows: [usize; 2],
    /// Indices of the hands: left, right.
    pub hands: [usize; 2],
    /// Indices of the hips: left, right.
    pub hips: [usize; 2],
    /// Indices of the knees: left, right.
    pub knees: [usize; 2],
    /// Indices of the feet: left, right.
    pub(crate) feet: [usize; 2],
}

impl ParticleFigure {
    /// Index of its first particle and the one after its last.
    pub fn particles(&self) -> std::ops::Range<usize> {
        self.head..self.feet[1] + 1
    }
}

impl ParticlesSpec {
    /// Limits the angle (rad, 0 to π) at `joint` between the directions to two particles at fixed distances
    /// from it: by a stick from one to the other, |c|² = a² + b² − 2 a b cos(angle).
    pub(crate) fn limit_angle(&mut self, [a, joint, b]: [usize; 3], hold: StickConstraint, angle: f64) {
        let place = |particle: usize| self.particles[particle].position;
        let (near, far) = ((place(a) - place(joint)).norm(), (place(b) - place(joint)).norm());
        let square = near * near + far * far - 2.0 * near * far * cos(angle);
        self.limit(a, b, hold, square.sqrt());
    }

    /// Adds a human figure of this height (m) and mass (kg), its feet at a place. Segment lengths and masses
    /// are rounded parts of height and mass.
    ///
    /// # Errors
    ///
    /// If height or mass is not positive and finite.
    pub fn add_figure(
        &mut self,
        feet: Vector3<f64>,
        height: f64,
        mass: f64,
    ) -> Result<ParticleFigure, ParticlesError> {
        if height <= 0.0 || mass <= 0.0 {
            return Err(ParticlesError::Shape { what: "a figure", need: "a height and a mass" });
        }
        let mut put = |x: f64, y: f64, z: f64, part: f64| {
            self.add(feet + height * Vector3::new(x, y, z), Some(part * mass))
        };
        let head = put(0.0, 0.0, 0.94, 0.08);
        let sternum = put(0.0, 0.06, 0.72, 0.10);
        let mut both = |x: f64, z: f64, part: f64| [put(-x, 0.0, z, part), put(x, 0.0, z, part)];
        let figure = ParticleFigure {
            head,
            sternum,
            shoulders: both(0.11, 0.81, 0.11),
            elbows: both(0.13, 0.62, 0.03),
            hands: both(0.14, 0.46, 0.02),
            hips: both(0.06, 0.52, 0.15),
            knees: both(0.06, 0.28, 0.07),
            feet: both(0.06, 0.02, 0.03),
        };
        self.join_figure(&figure);
        Ok(figure)
    }

    /// Bones, and the ranges of joints.
    fn join_figure(&mut self, figure: &ParticleFigure) {
        let ParticleFigure { head, sternum, shoulders, elbows, hands, hips, knees, feet } = *figure;
        self.join_all(&[sternum, shoulders[0], shoulders[1], hips[0], hips[1]]);
        shoulders.iter().for_each(|shoulder| self.join(head, *shoulder));
        // The head nods no further than this towards the chest and the back.
        let upright = (self.particles[head].position - self.particles[sternum].position).norm();
        self.limit(head, sternum, StickConstraint::AtLeast, 0.8 * upright);
        self.limit(head, sternum, StickConstraint::AtMost, 1.1 * upright);
        let degrees = f64::to_radians;
        for side in [0, 1] {
            for bone in [
                [shoulders[side], elbows[side]],
                [elbows[side], hands[side]],
                [hips[side], knees[side]],
                [knees[side], feet[side]],
            ] {
                self.join(bone[0], bone[1]);
            }
            self.limit_angle(
                [shoulders[side], elbows[side], hands[side]],
                StickConstraint::AtLeast,
                degrees(35.0),
            );
            self.limit_angle([hips[side], knees[side], feet[side]], StickConstraint::AtLeast, degrees(40.0));
            // Arms do not pass through the trunk, nor thighs through each other or the belly.
            self.limit_angle(
                [elbows[side], shoulders[side], hips[side]],
                StickConstraint::AtLeast,
                degrees(5.0),
            );
            self.limit_angle(
                [elbows[side], shoulders[side], shoulders[1 - side]],
                StickConstraint::AtLeast,
                degrees(40.0),
            );
            self.limit_angle(
                [knees[side], hips[side], shoulders[side]],
                StickConstraint::AtLeast,
                degrees(45.0),
            );
            self.limit_angle(
                [knees[side], hips[side], hips[1 - side]],
                StickConstraint::AtLeast,
                degrees(70.0),
            );
            self.limit_angle([knees[side], hips[side], sternum], StickConstraint::AtMost, degrees(178.0));
        }
    }
}
