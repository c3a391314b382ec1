//! Cost of one implicit step of a stiff chain: `cargo bench --bench chain`.
//!
//! Links of 50 g with spherical joints of 0.5 N m/rad and a little damping hang from the world and swing.
//! Times are the shortest of many steps. [Hernandez 2011] reports 0.36 ms for a hand of 16 bones, 22 ms for 1000
//! links and 285 ms for 10 000, on one core of a 2.4 GHz processor of its day; its steps solve the same system. Its
//! figure 4, time over bones, is plotted with both: `chain_scaling.svg`, `.png` and `.csv` in `target/tmp`.

use aplomb::passive::chain::factor::{TreeFactor, TreeVector};
use aplomb::passive::chain::{BodySpec, Chain, JointRotation, JointSpec};
use aplomb::view::plot::figure::Scale;
use aplomb::view::plot::sweep::{CurvePanel, Curves};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const LINKS: [usize; 11] = [10, 16, 32, 64, 100, 178, 316, 1000, 1778, 3162, 10_000];
/// Smallest number of links in the fit of the exponent: below it, the fixed cost of a step matters too.
const LONG: usize = 100;
const DT: f64 = 0.01;

/// Frame time reported by the paper, ms; NaN if it reports none.
fn paper(links: usize) -> f64 {
    match links {
        16 => 0.36,
        1000 => 22.0,
        10_000 => 285.0,
        _ => f64::NAN,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:>8}{:>12}{:>12}{:>12}", "links", "step, µs", "µs a link", "paper/ours");
    let times = LINKS.map(|links| {
        let mut chain = hanging(links);
        let time = shortest(1_000_000 / links, || chain.step(DT).expect("steps"));
        let (whole, each, ratio) = (time * 1e6, time * 1e6 / links as f64, paper(links) * 1e-3 / time);
        let ratio = if ratio.is_nan() { String::new() } else { format!("{ratio:.0}") };
        println!("{links:>8}{whole:>12.2}{each:>12.3}{ratio:>12}");
        1e3 * time
    });
    let exponent = exponent(&times);
    println!("from {LONG} links on, time grows as links^{exponent:.3}");
    let (factor, solve) = reuse(1000);
    println!(
        "\n1000 links: factor {:.0} µs, each further right side {:.0} µs ({:.2} of it)",
        factor * 1e6,
        solve * 1e6,
        solve / factor
    );
    draw(&times, exponent)
}

/// Least-squares slope of log time over log number of links.
fn exponent(times: &[f64]) -> f64 {
    let logs = LINKS.iter().zip(times).filter(|(links, _)| **links >= LONG);
    let logs: Vec<[f64; 2]> = logs.map(|(links, time)| [(*links as f64).ln(), time.ln()]).collect();
    let count = logs.len() as f64;
    let [x, y] = [0, 1].map(|k| logs.iter().map(|log| log[k]).sum::<f64>() / count);
    let product: f64 = logs.iter().map(|log| (log[0] - x) * (log[1] - y)).sum();
    product / logs.iter().map(|log| (log[0] - x).powi(2)).sum::<f64>()
}

/// Plots the paper's figure 4 with our times.
fn draw(times: &[f64], exponent: f64) -> Result<(), Box<dyn Error>> {
    let reported: Vec<f64> = LINKS.into_iter().map(paper).collect();
    let mut table = String::from("bones,step [ms],paper [ms]\n");
    for (k, links) in LINKS.iter().enumerate() {
        let reported = if reported[k].is_nan() { String::new() } else { reported[k].to_string() };
        writeln!(table, "{links},{},{reported}", times[k])?;
    }
    let curves = Curves {
        title: "Time of a frame over bones of a chain".into(),
        subtitle: format!(
            "One implicit step of {DT} s on one core, stiff spherical joints; both axes logarithmic"
        ),
        key: "bones".into(),
        scale: Scale::Log,
        values: LINKS.map(|links| links as f64).to_vec(),
        marked: None,
        lines: vec![format!("aplomb: bones^{exponent:.2}"), "Hernandez et al. 2011, 2.4 GHz".into()],
        panels: vec![CurvePanel {
            from_zero: false,
            title: "time of a frame".into(),
            unit: "ms",
            scale: Some(Scale::Log),
            series: vec![times.to_vec(), reported],
        }],
        passed: Vec::new(),
    };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chain_scaling");
    std::fs::write(path.with_extension("csv"), table)?;
    let picture = curves.picture();
    picture.write_svg(&path.with_extension("svg"))?;
    picture.write_png(&path.with_extension("png"))?;
    println!("\nwritten to {}", path.with_extension("{csv,svg,png}").display());
    Ok(())
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
            kind: JointRotation::Spherical { most: None },
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
