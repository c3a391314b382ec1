//! Sticks: two particles at a set distance, which is restored by moving both along the line between them.
//!
//! [Jakobsen 2001] section 4, in two forms. With d = x_b − x_a, rest length r and inverse masses w:
//!
//! * exact: x_a −= w_a e d, x_b += w_b e d, e = (r − |d|) / (|d| (w_a + w_b));
//! * without a square root (one Newton step for |d| from r): e = (r² − d²) / ((r² + d²)(w_a + w_b)).
//!
//! The paper prints the first with the opposite sign, and its second lacks a line in print; both are
//! corrected here. With the second, a stick of length 100 that was stretched to 120 has the length 98.36.

use super::state::VectorArrays;
use aplomb_math::dispatch::product;

/// Number of sticks that are processed together.
pub(super) const LANES: usize = 4;

/// The constraint of a stick on the distance of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StickConstraint {
    /// The distance is the rest length.
    Exactly,
    /// The distance is at most the rest length: a string.
    AtMost,
    /// The distance is at least the rest length: a limit of an angle, or two limbs that do not pass through
    /// each other.
    AtLeast,
}

/// Method of computing lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// By a square root.
    Exact,
    /// By one step of Newton's method from the rest length.
    Newton,
}

/// A run of sticks: the ends of stick k are `low + k` and `high + k`, and no particle is in two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StickRun {
    pub hold: StickConstraint,
    pub low: usize,
    /// At least `low + count`.
    pub high: usize,
    pub count: usize,
    /// Index of the first stick's rest length.
    pub first: usize,
}

/// A bundle of sticks with arbitrary ends, of which no particle is in two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bundle {
    pub hold: StickConstraint,
    pub a: [usize; LANES],
    pub b: [usize; LANES],
    /// Number of sticks in use.
    pub count: usize,
    pub first: usize,
}

/// −e of the module's equations without inverse masses: a scaled relative error.
#[inline(always)]
fn pull<const FUSED: bool, const EXACT: bool, const L: usize>(
    d: [&[f64; L]; 3],
    mass: &[f64; L],
    rest: &[f64; L],
    hold: StickConstraint,
    worst: &mut [f64; L],
) -> [f64; L] {
    // Fixed pairs and coincident ends would divide by zero.
    const LEAST: f64 = 1e-200;
    let mut e = [0.0; L];
    for k in 0..L {
        let square =
            product::<FUSED>(product::<FUSED>(d[2][k] * d[2][k], d[1][k], d[1][k]), d[0][k], d[0][k]);
        let (wrong, over) = if EXACT {
            let length = square.sqrt();
            (rest[k] - length, length)
        } else {
            // `rest` has squares in this form.
            (rest[k] - square, rest[k] + square)
        };
        let wrong = match hold {
            StickConstraint::Exactly => wrong,
            StickConstraint::AtMost => wrong.min(0.0),
            StickConstraint::AtLeast => wrong.max(0.0),
        };
        e[k] = wrong / (over * mass[k]).max(LEAST);
        worst[k] = worst[k].max(e[k].abs() * mass[k]);
    }
    e
}

#[inline(always)]
fn between<const L: usize>(a: &[f64; L], b: &[f64; L]) -> [f64; L] {
    let mut d = [0.0; L];
    for k in 0..L {
        d[k] = b[k] - a[k];
    }
    d
}

/// Relaxes L sticks: ends `a` and `b` axis by axis, inverse masses of both.
#[inline(always)]
fn relax<const FUSED: bool, const EXACT: bool, const L: usize>(
    a: [&mut [f64; L]; 3],
    b: [&mut [f64; L]; 3],
    masses: [&[f64; L]; 2],
    rest: &[f64; L],
    hold: StickConstraint,
    worst: &mut [f64; L],
) {
    let [ax, ay, az] = a;
    let [bx, by, bz] = b;
    let (dx, dy, dz) = (between(ax, bx), between(ay, by), between(az, bz));
    let mut mass = [0.0; L];
    for k in 0..L {
        mass[k] = masses[0][k] + masses[1][k];
    }
    let e = pull::<FUSED, EXACT, L>([&dx, &dy, &dz], &mass, rest, hold, worst);
    let (mut back, mut forth) = ([0.0; L], [0.0; L]);
    for k in 0..L {
        back[k] = -masses[0][k] * e[k];
        forth[k] = masses[1][k] * e[k];
    }
    for (to, d, share) in [
        (ax, &dx, &back),
        (ay, &dy, &back),
        (az, &dz, &back),
        (bx, &dx, &forth),
        (by, &dy, &forth),
        (bz, &dz, &forth),
    ] {
        for k in 0..L {
            to[k] = product::<FUSED>(to[k], share[k], d[k]);
        }
    }
}

/// Particles in memory, the low and the high end of a run.
struct RunEnds<'a> {
    low: [&'a mut [f64]; 3],
    high: [&'a mut [f64]; 3],
    masses: [&'a [f64]; 2],
    rest: &'a [f64],
}

impl StickRun {
    /// Relaxes all sticks of the run. `rest` has lengths (m) in the exact form, squares (m²) in the other.
    /// Returns the largest relative change of a distance.
    #[inline(always)]
    pub(super) fn relax<const FUSED: bool, const EXACT: bool>(
        &self,
        points: &mut VectorArrays,
        inverse_mass: &[f64],
        rest: &[f64],
    ) -> f64 {
        let [x, y, z] = [&mut points.x, &mut points.y, &mut points.z];
        let ((ax, bx), (ay, by), (az, bz)) = (self.split(x), self.split(y), self.split(z));
        let masses = [
            &inverse_mass[self.low..self.low + self.count],
            &inverse_mass[self.high..self.high + self.count],
        ];
        let rest = &rest[self.first..self.first + self.count];
        let ends = RunEnds { low: [ax, ay, az], high: [bx, by, bz], masses, rest };
        match self.hold {
            StickConstraint::Exactly => ends.relax::<FUSED, EXACT>(StickConstraint::Exactly),
            StickConstraint::AtMost => ends.relax::<FUSED, EXACT>(StickConstraint::AtMost),
            StickConstraint::AtLeast => ends.relax::<FUSED, EXACT>(StickConstraint::AtLeast),
        }
    }

    #[inline(always)]
    fn split<'a>(&self, axis: &'a mut [f64]) -> (&'a mut [f64], &'a mut [f64]) {
        let (low, high) = axis.split_at_mut(self.high);
        (&mut low[self.low..self.low + self.count], &mut high[..self.count])
    }
}

impl RunEnds<'_> {
    #[inline(always)]
    fn relax<const FUSED: bool, const EXACT: bool>(self, hold: StickConstraint) -> f64 {
        let [ax, ay, az] = self.low.map(|axis| axis.as_chunks_mut::<LANES>());
        let [bx, by, bz] = self.high.map(|axis| axis.as_chunks_mut::<LANES>());
        let [wa, wb] = self.masses.map(|masses| masses.as_chunks::<LANES>());
        let rest = self.rest.as_chunks::<LANES>();
        let mut worst = [0.0; LANES];
        let count = rest.0.len();
        let (axs, ays, azs) = (&mut ax.0[..count], &mut ay.0[..count], &mut az.0[..count]);
        let (bxs, bys, bzs) = (&mut bx.0[..count], &mut by.0[..count], &mut bz.0[..count]);
        let (was, wbs) = (&wa.0[..count], &wb.0[..count]);
        for k in 0..count {
            relax::<FUSED, EXACT, LANES>(
                [&mut axs[k], &mut ays[k], &mut azs[k]],
                [&mut bxs[k], &mut bys[k], &mut bzs[k]],
                [&was[k], &wbs[k]],
                &rest.0[k],
                hold,
                &mut worst,
            );
        }
        let mut last = [0.0];
        for k in 0..rest.1.len() {
            relax::<FUSED, EXACT, 1>(
                [
                    std::array::from_mut(&mut ax.1[k]),
                    std::array::from_mut(&mut ay.1[k]),
                    std::array::from_mut(&mut az.1[k]),
                ],
                [
                    std::array::from_mut(&mut bx.1[k]),
                    std::array::from_mut(&mut by.1[k]),
                    std::array::from_mut(&mut bz.1[k]),
                ],
                [&[wa.1[k]], &[wb.1[k]]],
                &[rest.1[k]],
                hold,
                &mut last,
            );
        }
        worst.into_iter().fold(last[0], f64::max)
    }
}

impl Bundle {
    /// Relaxes all sticks of the bundle, like [`StickRun::relax`].
    #[inline(always)]
    pub(super) fn relax<const FUSED: bool, const EXACT: bool>(
        &self,
        points: &mut VectorArrays,
        inverse_mass: &[f64],
        rest: &[f64],
    ) -> f64 {
        let mut worst = [0.0; LANES];
        let mut rests = [1.0; LANES];
        rests[..self.count].copy_from_slice(&rest[self.first..self.first + self.count]);
        let gather = |axis: &[f64], of: &[usize; LANES]| of.map(|particle| axis[particle]);
        let (mut ax, mut ay, mut az) =
            (gather(&points.x, &self.a), gather(&points.y, &self.a), gather(&points.z, &self.a));
        let (mut bx, mut by, mut bz) =
            (gather(&points.x, &self.b), gather(&points.y, &self.b), gather(&points.z, &self.b));
        let masses = [&gather(inverse_mass, &self.a), &gather(inverse_mass, &self.b)];
        let (a, b) = ([&mut ax, &mut ay, &mut az], [&mut bx, &mut by, &mut bz]);
        match self.hold {
            StickConstraint::Exactly => {
                relax::<FUSED, EXACT, LANES>(a, b, masses, &rests, StickConstraint::Exactly, &mut worst)
            }
            StickConstraint::AtMost => {
                relax::<FUSED, EXACT, LANES>(a, b, masses, &rests, StickConstraint::AtMost, &mut worst)
            }
            StickConstraint::AtLeast => {
                relax::<FUSED, EXACT, LANES>(a, b, masses, &rests, StickConstraint::AtLeast, &mut worst)
            }
        }
        let mut change = 0.0_f64;
        for k in 0..self.count {
            let (a, b) = (self.a[k], self.b[k]);
            (points.x[a], points.y[a], points.z[a]) = (ax[k], ay[k], az[k]);
            (points.x[b], points.y[b], points.z[b]) = (bx[k], by[k], bz[k]);
            change = change.max(worst[k]);
        }
        change
    }
}
