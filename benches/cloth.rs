//! Cost of cloth: `cargo bench --bench cloth`.
//!
//! 100 × 100 particles, 39 402 sticks along threads and across squares, ten passes per step. The plain loop visits a
//! list of edges in the order in which a grid is written down, with one square root per stick as in the paper's first
//! form. Times are the shortest of many steps; the two are measured in turn.

use aplomb::geometry::WorldShape;
use aplomb::passive::obstacle::Obstacle;
use aplomb::passive::particles::cloth::Weave;
use aplomb::passive::particles::{Particles, ParticlesSpec, Passes, Root};
use nalgebra::Vector3;
use std::time::Instant;

const SIDE: usize = 100;
const PASSES: usize = 10;
const DT: f64 = 1.0 / 60.0;
const ROUNDS: usize = 300;

fn main() {
    let (mut newton, mut exact) = (cloth(), cloth());
    (newton.root, exact.root) = (Root::Newton, Root::Exact);
    let mut plain = Plain::new();
    println!("{} sticks, {PASSES} passes", plain.edges.len());
    let mut times = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let [first, second, third] = &mut times;
        keep_shortest(first, || newton.step(DT).expect("finite"));
        keep_shortest(second, || exact.step(DT).expect("finite"));
        keep_shortest(third, || plain.step());
    }
    for (name, time) in ["no square root", "square root", "plain edge list"].into_iter().zip(times) {
        println!("{name:<18}{:>8.3} ms a step{:>8.1} x plain", time * 1e3, times[2] / time);
    }
    let mut draped = cloth();
    draped.radius = 0.005;
    let ball = WorldShape::Sphere { center: Vector3::new(0.5, 0.1, -0.5), radius: 0.2 };
    draped.add_obstacle(Obstacle::fixed(ball, 0.3));
    let started = Instant::now();
    (0..ROUNDS).for_each(|_| draped.step(DT).expect("finite"));
    println!("over a ball: {:.0} frames/s on average", ROUNDS as f64 / started.elapsed().as_secs_f64());
}

fn keep_shortest(shortest: &mut f64, work: impl FnOnce()) {
    let started = Instant::now();
    work();
    *shortest = shortest.min(started.elapsed().as_secs_f64());
}

/// A cloth of 1 m × 1 m, hung by its first row.
fn cloth() -> Particles {
    let mut spec = ParticlesSpec::default();
    let step = 1.0 / (SIDE - 1) as f64;
    let grid = spec
        .add_grid(
            [SIDE, SIDE],
            Vector3::zeros(),
            [step * Vector3::x(), -step * Vector3::z()],
            0.2,
            Weave { shear: Some(0.0), bend: None },
        )
        .expect("is a grid");
    (0..SIDE).for_each(|column| spec.pin(grid.at(0, column)));
    let mut particles = Particles::new(&spec).expect("sound");
    particles.passes = Passes::Fixed(PASSES);
    particles.kept = 0.99;
    particles
}

/// The loop as printed in the paper, with corrected signs.
struct Plain {
    now: Vec<[f64; 3]>,
    before: Vec<[f64; 3]>,
    edges: Vec<(usize, usize, f64)>,
}

impl Plain {
    fn new() -> Plain {
        let step = 1.0 / (SIDE - 1) as f64;
        let now: Vec<[f64; 3]> =
            (0..SIDE * SIDE).map(|k| [step * (k % SIDE) as f64, 0.0, -step * (k / SIDE) as f64]).collect();
        let mut edges = Vec::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                for [down, across] in [[0, 1], [1, 0], [1, 1], [1, -1]] {
                    let (to, beside) = (row as isize + down, column as isize + across);
                    if to < SIDE as isize && (0..SIDE as isize).contains(&beside) {
                        let length = step * ((down * down + across * across) as f64).sqrt();
                        edges.push((row * SIDE + column, to as usize * SIDE + beside as usize, length));
                    }
                }
            }
        }
        Plain { before: now.clone(), now, edges }
    }

    fn step(&mut self) {
        for (now, before) in self.now.iter_mut().zip(&mut self.before) {
            for k in 0..3 {
                let fall = if k == 2 { -9.81 * DT * DT } else { 0.0 };
                let ahead = now[k] + 0.99 * (now[k] - before[k]) + fall;
                (before[k], now[k]) = (now[k], ahead);
            }
        }
        for _ in 0..PASSES {
            for (a, b, rest) in &self.edges {
                let [p, q] = [self.now[*a], self.now[*b]];
                let d: [f64; 3] = std::array::from_fn(|k| q[k] - p[k]);
                let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                let part = 0.5 * (length - rest) / length;
                self.now[*a].iter_mut().zip(d).for_each(|(x, d)| *x += part * d);
                self.now[*b].iter_mut().zip(d).for_each(|(x, d)| *x -= part * d);
            }
            for column in 0..SIDE {
                self.now[column] = [column as f64 / (SIDE - 1) as f64, 0.0, 0.0];
            }
        }
    }
}
