//! Tethers: strings from pinned particles to far ones, so that a large cloth does not sag.
//!
//! This is an addition to [Jakobsen 2001], after the long range attachments of Kim, Chentanez and
//! Müller-Fischer (2012). In a pass, relaxation propagates a pull by one stick; where a cloth extends 100
//! sticks from its pins, it remains many times too long after 16 passes per step. A tether directly bounds
//! the distance of a particle from a pin by the length of the cloth between them.

use super::state::VectorArrays;
use super::stick::LANES;
use aplomb_math::dispatch::{Work, product};
use nalgebra::Vector3;

/// An upper bound on the distance of a particle from a pinned one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetherSpec {
    /// Index of the particle.
    pub particle: usize,
    /// Index of the pinned particle.
    pub anchor: usize,
    /// Largest distance, m.
    pub length: f64,
}

/// Tethers of particles that are consecutive in memory.
#[derive(Clone, Debug)]
struct Pass {
    first: usize,
    anchors: Vec<usize>,
    lengths: Vec<f64>,
}

/// All tethers.
#[derive(Clone, Debug, Default)]
pub(super) struct Tethers {
    passes: Vec<Pass>,
}

impl Tethers {
    pub(super) fn new(specs: &[TetherSpec]) -> Tethers {
        // The first tether of each particle, then the second of each…
        let mut ranked: Vec<(usize, TetherSpec)> = Vec::with_capacity(specs.len());
        let mut sorted = specs.to_vec();
        sorted.sort_by_key(|tether| (tether.particle, tether.anchor));
        for alike in sorted.chunk_by(|a, b| a.particle == b.particle) {
            ranked.extend(alike.iter().copied().enumerate());
        }
        ranked.sort_by_key(|(rank, tether)| (*rank, tether.particle));
        let follows =
            |a: &(usize, TetherSpec), b: &(usize, TetherSpec)| a.0 == b.0 && a.1.particle + 1 == b.1.particle;
        let passes = ranked.chunk_by(follows).map(|run| Pass {
            first: run[0].1.particle,
            anchors: run.iter().map(|(_, tether)| tether.anchor).collect(),
            lengths: run.iter().map(|(_, tether)| tether.length).collect(),
        });
        Tethers { passes: passes.collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.passes.is_empty()
    }
}

/// Pulls particles that are too far from their anchors. Anchors that are free to move have no effect.
pub(super) struct DrawIn<'a> {
    pub tethers: &'a Tethers,
    pub points: &'a mut VectorArrays,
    pub inverse_mass: &'a [f64],
}

impl Work for DrawIn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FUSED: bool>(self) {
        for pass in &self.tethers.passes {
            let (anchors, more) = pass.anchors.as_chunks::<LANES>();
            let (lengths, more_lengths) = pass.lengths.as_chunks::<LANES>();
            for (k, (anchors, lengths)) in anchors.iter().zip(lengths).enumerate() {
                let first = pass.first + k * LANES;
                draw_in::<FUSED, LANES>(self.points, self.inverse_mass, first, anchors, lengths);
            }
            for (k, (anchor, length)) in more.iter().zip(more_lengths).enumerate() {
                let first = pass.first + anchors.len() * LANES + k;
                draw_in::<FUSED, 1>(self.points, self.inverse_mass, first, &[*anchor], &[*length]);
            }
        }
    }
}

#[inline(always)]
fn draw_in<const FUSED: bool, const L: usize>(
    points: &mut VectorArrays,
    inverse_mass: &[f64],
    first: usize,
    anchors: &[usize; L],
    lengths: &[f64; L],
) {
    let from = [&points.x, &points.y, &points.z].map(|axis| anchors.map(|anchor| axis[anchor]));
    let mut d = [[0.0; L]; 3];
    let mut square = [0.0; L];
    for (axis, to) in [&points.x, &points.y, &points.z].into_iter().enumerate() {
        for k in 0..L {
            d[axis][k] = to[first + k] - from[axis][k];
            square[k] = product::<FUSED>(square[k], d[axis][k], d[axis][k]);
        }
    }
    let held = anchors.map(|anchor| inverse_mass[anchor] == 0.0);
    let mut shrink = [0.0; L];
    let mut any = false;
    for k in 0..L {
        let too_far = held[k] && inverse_mass[first + k] > 0.0 && square[k] > lengths[k] * lengths[k];
        shrink[k] = if too_far { lengths[k] / square[k].sqrt() - 1.0 } else { 0.0 };
        any |= too_far;
    }
    if any {
        for (axis, to) in points.axes_mut().into_iter().enumerate() {
            for k in 0..L {
                to[first + k] = product::<FUSED>(to[first + k], shrink[k], d[axis][k]);
            }
        }
    }
}

/// Tethers of flat, convex cloth: from each particle to the pins, as long as their distances. `most` is the
/// number of nearest pins that each is tethered to.
pub fn straight(
    particles: impl Iterator<Item = (usize, Vector3<f64>)>,
    pins: &[(usize, Vector3<f64>)],
    most: usize,
) -> Vec<TetherSpec> {
    let mut tethers = Vec::new();
    for (particle, place) in particles.filter(|(particle, _)| pins.iter().all(|(pin, _)| pin != particle)) {
        let mut near: Vec<(f64, usize)> = pins.iter().map(|(pin, at)| ((place - at).norm(), *pin)).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let some = near.into_iter().take(most);
        tethers.extend(some.map(|(length, anchor)| TetherSpec { particle, anchor, length }));
    }
    tethers
}
