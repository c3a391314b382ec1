//! A contact, which persists from step to step.

use super::collision::{SolidOwner, Touch};
use super::settings::Friction;
use aplomb_body::contact::tangents;
use aplomb_math::elementary::{cos, sin};
use nalgebra::Vector3;

/// Below this slip speed a contact does not slide, m/s.
const SLIDING: f64 = 1e-4;

/// Reason for the direction of a contact's single tangent ([Kokkevis 2004] §8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TangentChoice {
    /// Opposite to the slip.
    Sliding,
    /// New and not sliding: random, from the seed.
    Seeded,
    /// Slid before: the last direction.
    LastValid,
    /// Two tangents, without a choice.
    Both,
}

/// A contact between two solids, with its material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidContact {
    /// Contact point, normal and gap.
    pub touch: Touch,
    /// Owners of the two solids. The force acts on the first, and its opposite on the second.
    pub(crate) owners: [SolidOwner; 2],
    /// Coefficient of friction, dimensionless.
    pub(crate) friction: f64,
    /// Coefficient of restitution, dimensionless.
    pub(crate) restitution: f64,
    /// Tangents along which friction acts; with one tangent only the first is used.
    pub(crate) tangents: [Vector3<f64>; 2],
    /// Reason for the direction of the tangent.
    pub(crate) choice: TangentChoice,
    /// Normal force and tangential forces, N, of the last step in which the contact was active.
    pub components: [f64; 3],
    /// Force components of the last step of about full length, N: the initial guess of the next.
    #[doc(alias = "warm start")]
    pub(super) guess: [f64; 3],
    /// Impulse on the first owner since the beginning of the step, N s, including impacts.
    pub(crate) impulse: Vector3<f64>,
    /// Index of its first constraint in the present step.
    pub(super) row: Option<usize>,
}

impl SolidContact {
    /// A contact of two owners with these coefficients, both dimensionless.
    pub(crate) fn new(touch: Touch, owners: [SolidOwner; 2], friction: f64, restitution: f64) -> Self {
        let (first, second) = tangents(&touch.normal);
        SolidContact {
            touch,
            owners,
            friction,
            restitution,
            tangents: [first, second],
            choice: TangentChoice::Both,
            components: [0.0; 3],
            guess: [0.0; 3],
            impulse: Vector3::zeros(),
            row: None,
        }
    }

    /// Force on the first owner, world, N.
    pub fn force(&self) -> Vector3<f64> {
        let [normal, first, second] = self.components;
        self.touch.normal * normal + self.tangents[0] * first + self.tangents[1] * second
    }

    /// Adopts force, impulse and tangent of the same contact in the previous step.
    pub(crate) fn save(&mut self, before: &SolidContact) {
        self.components = before.components;
        self.guess = before.guess;
        self.impulse = before.impulse;
        if before.choice != TangentChoice::Both {
            (self.tangents[0], self.choice) = (before.tangents[0], before.choice);
        }
    }

    /// Adds the force and impulse of a contact that has ended.
    pub(crate) fn take_over(&mut self, gone: &SolidContact) {
        for (sum, [normal, first, second]) in
            [(&mut self.components, gone.components), (&mut self.guess, gone.guess)]
        {
            let force = gone.touch.normal * normal + gone.tangents[0] * first + gone.tangents[1] * second;
            for (sum, direction) in
                sum.iter_mut().zip([self.touch.normal, self.tangents[0], self.tangents[1]])
            {
                *sum += force.dot(&direction);
            }
        }
        self.impulse += gone.impulse;
    }

    /// Chooses the tangents for a tangential velocity `slip`.
    pub(crate) fn choose_tangent(&mut self, friction: Friction, slip: &Vector3<f64>) {
        let Friction::OneTangent { seed } = friction else { return };
        let speed = slip.norm();
        let (first, second) = tangents(&self.touch.normal);
        let before = self.tangents[0] - self.touch.normal * self.touch.normal.dot(&self.tangents[0]);
        let (tangent, choice) = if speed > SLIDING {
            (-slip / speed, TangentChoice::Sliding)
        } else if self.choice == TangentChoice::Both {
            let angle = angle_of(seed, &self.touch.key);
            (first * cos(angle) + second * sin(angle), TangentChoice::Seeded)
        } else {
            let choice = match self.choice {
                TangentChoice::Seeded => TangentChoice::Seeded,
                _ => TangentChoice::LastValid,
            };
            (before.try_normalize(1e-9).unwrap_or(first), choice)
        };
        self.tangents = [tangent, self.touch.normal.cross(&tangent)];
        self.choice = choice;
        self.guess[2] = 0.0;
        self.components[2] = 0.0;
    }
}

/// An angle that depends only on the seed and the key, by the finaliser of SplitMix64 (Steele et al. 2014).
fn angle_of(seed: u64, key: &[u32; 3]) -> f64 {
    let mut mixed = seed;
    for part in key {
        mixed = mixed.wrapping_add(u64::from(*part)).wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
    }
    (mixed >> 11) as f64 / (1u64 << 53) as f64 * std::f64::consts::TAU
}
