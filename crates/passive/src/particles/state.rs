//! Positions of particles, one array for each coordinate, and the Verlet step.

use aplomb_math::dispatch::{Work, product};
use nalgebra::Vector3;

/// One vector for each particle, with x, y and z in separate arrays for vectorisation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VectorArrays {
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(crate) z: Vec<f64>,
}

impl VectorArrays {
    pub(crate) fn from_points(points: impl Iterator<Item = Vector3<f64>>) -> Self {
        let mut coordinates = VectorArrays::default();
        for point in points {
            coordinates.x.push(point.x);
            coordinates.y.push(point.y);
            coordinates.z.push(point.z);
        }
        coordinates
    }

    #[inline(always)]
    pub(crate) fn get(&self, particle: usize) -> Vector3<f64> {
        Vector3::new(self.x[particle], self.y[particle], self.z[particle])
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, particle: usize, point: &Vector3<f64>) {
        self.x[particle] = point.x;
        self.y[particle] = point.y;
        self.z[particle] = point.z;
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, particle: usize, change: &Vector3<f64>) {
        self.x[particle] += change.x;
        self.y[particle] += change.y;
        self.z[particle] += change.z;
    }

    pub(crate) fn len(&self) -> usize {
        self.x.len()
    }

    pub(crate) fn fill(&mut self, value: f64) {
        self.axes_mut().into_iter().for_each(|axis| axis.fill(value));
    }

    pub(crate) fn axes(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.z]
    }

    pub(crate) fn axes_mut(&mut self) -> [&mut [f64]; 3] {
        [&mut self.x, &mut self.y, &mut self.z]
    }

    /// Whether every number is finite.
    pub(crate) fn is_finite(&self) -> bool {
        // 0 x is 0 for finite x and NaN otherwise; sums of blocks, for vectorisation.
        self.axes().into_iter().all(|axis| {
            let (blocks, rest) = axis.as_chunks::<8>();
            let mut sums = [0.0; 8];
            for block in blocks {
                (0..8).for_each(|k| sums[k] += 0.0 * block[k]);
            }
            rest.iter().for_each(|value| sums[0] += 0.0 * value);
            sums.iter().all(|sum| *sum == 0.0)
        })
    }
}

/// x' = x + kept · (x − x*) + a Δt², x* = x [Jakobsen 2001, section 2] for all particles. The paper lowers
/// its 2 "to something like 1.99" for drag; that is kept = 0.99, x' = 1.99 x − 0.99 x* + …, because the sum
/// of the two must stay 1.
///
/// Particles of inverse mass 0 are fixed.
#[doc(alias = "Verlet integration")]
pub(super) struct Verlet<'a> {
    pub now: &'a mut VectorArrays,
    /// Previous positions; receives x', and the caller swaps the two.
    pub before: &'a mut VectorArrays,
    pub inverse_mass: &'a [f64],
    /// Forces, N; `None` without forces.
    pub forces: Option<&'a VectorArrays>,
    /// Gravity, m/s².
    pub gravity: Vector3<f64>,
    pub kept: f64,
    pub dt: f64,
}

impl Work for Verlet<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        let square = self.dt * self.dt;
        let before = self.before.axes_mut();
        for ((k, (before, now)), gravity) in
            before.into_iter().zip(self.now.axes()).enumerate().zip(&self.gravity)
        {
            let fall = gravity * square;
            let masses = self.inverse_mass;
            match self.forces {
                None => {
                    for ((before, now), inverse_mass) in before.iter_mut().zip(now).zip(masses) {
                        let moves = if *inverse_mass > 0.0 { 1.0 } else { 0.0 };
                        let change = product::<FUSED>(fall, self.kept, now - *before);
                        *before = product::<FUSED>(*now, moves, change);
                    }
                }
                Some(forces) => {
                    let force = forces.axes()[k];
                    for (((before, now), inverse_mass), force) in
                        before.iter_mut().zip(now).zip(masses).zip(force)
                    {
                        let moves = if *inverse_mass > 0.0 { 1.0 } else { 0.0 };
                        let pushed = product::<FUSED>(fall, square * inverse_mass, *force);
                        let change = product::<FUSED>(pushed, self.kept, now - *before);
                        *before = product::<FUSED>(*now, moves, change);
                    }
                }
            }
        }
    }
}
