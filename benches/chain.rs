//! What one implicit step of a stiff chain costs: `cargo bench --bench chain`.
//!
//! Links of 50 g with spherical joints of 0.5 N m/rad and a little damping hang from the world and swing. Times are the
//! shortest of many steps. [Hernandez 2011] reports 0.36 ms for a hand of 16 bones, 22 ms for 1000 links and 285 ms
//! for 10 000, on one core of a 2.4 GHz processor of its day; its steps take the same system.

use aplomb::passive::chain::factor::{TreeFactor, TreeVector};
use aplomb::passive::chain::{BodySpec, Chain, JointKind, JointSpec};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::hint::black_box;
use std::time::Instant;

const LINKS: [usize; 4] = [16, 100, 1000, 10_000];
/// Milliseconds a frame as the paper reports them.
const PAPER: [Option<f64>; 4] = [Some(0.36), None, Some(22.0), Some(285.0)];
const DT: f64 = 0.01;

fn main() {
    println!("{:>8}{:>12}{:>12}{:>12}{:>12}", "links", "step, µs", "µs a link", "paper/ours", "exponent");
    let mut before: Option<(f64, f64)> = None;
    for (links, paper) in LINKS.into_iter().zip(PAPER) {
        let mut chain = hanging(links);
        let time = shortest(2_000_000 / links, || chain.step(DT).expect("steps"));
        let exponent = before.map(|(l, t)| (time / t).ln() / (links as f64 / l).ln());
        before = Some((links as f64, time));
        println!(
            "{links:>8}{:>12.2}{:>12.3}{:>12}{:>12}",
            time * 1e6,
            time * 1e6 / links as f64,
            paper.map_or(String::new(), |paper| format!("{:.0}", paper * 1e-3 / time)),
            exponent.map_or(String::new(), |exponent| format!("{exponent:.3}"))
        );
    }
    let (factor, solve) = reuse(1000);
    println!(
        "\n1000 links: factor {:.0} µs, each further right side {:.0} µs ({:.2} of it)",
        factor * 1e6,
        solve * 1e6,
        solve / factor
    );
}

/// A chain that hangs from the world, bent a little.
fn hanging(links: usize) -> Chain {
    let bodies: Vec<BodySpec> = (0..links)
        .map(|k| BodySpec {
            name: format!("link{k}"),
            mass: 0.05,
            inertia: Matrix3::from_diagonal(&Vector3::new(4e-5, 4e-5, 3e-6)),
            position: Vector3::new(0.0, 0.0, -0.05 - 0.1 * k as f64),
            orientation: UnitQuaternion::identity(),
            drag: 0.0,
        })
        .collect();
    let joints: Vec<JointSpec> = (0..links)
        .map(|k: usize| JointSpec {
            name: format!("joint{k}"),
            body: k,
            other: k.checked_sub(1),
            anchor: Vector3::new(0.0, 0.0, -0.1 * k as f64),
            kind: JointKind::Spherical { most: None },
            stiffness: 0.5,
            damping: 1e-3,
            stop_stiffness: 0.0,
        })
        .collect();
    let mut chain = Chain::new(&bodies, &joints).expect("is a chain");
    chain.gravity = Vector3::new(3.0, 1.0, -9.0);
    chain
}

/// Seconds for a factorisation alone and for a solution with it.
fn reuse(links: usize) -> (f64, f64) {
    let parents: Vec<Option<usize>> = (0..links).map(|k: usize| k.checked_sub(1)).collect();
    let mut blank = TreeFactor::<3>::new(&parents, &vec![3; links]).expect("is a chain");
    for body in 0..links {
        let diagonal = blank.diagonal_mut(body);
        (0..6).for_each(|k| diagonal[k][k] = 1.0);
        let rows = |sign: f64| {
            std::array::from_fn::<_, 3, _>(|k| {
                let mut row = [0.0; 6];
                row[k] = sign;
                row[3 + (k + 1) % 3] = 0.1;
                row
            })
        };
        blank.set_link(body, &rows(1.0), &rows(-1.0), &[[0.01; 3]; 3], &[[0.02; 3]; 3]);
    }
    let mut right = TreeVector::zeros(links);
    right.bodies.iter_mut().enumerate().for_each(|(k, z)| z[k % 6] = 1.0);
    let mut factor = blank.clone();
    let mut factoring = f64::INFINITY;
    for _ in 0..500 {
        factor.clone_from(&blank);
        let started = Instant::now();
        factor.factor().expect("definite");
        factoring = factoring.min(started.elapsed().as_secs_f64());
    }
    let solving = shortest(500, || factor.solve(black_box(&mut right)));
    (factoring, solving)
}

/// Shortest time of many passes, s.
fn shortest(passes: usize, mut pass: impl FnMut()) -> f64 {
    let mut shortest = f64::INFINITY;
    for _ in 0..passes {
        let started = Instant::now();
        pass();
        shortest = shortest.min(started.elapsed().as_secs_f64());
    }
    shortest
}
