//! Frames of shipped scenes: the kernel finds the same solutions as Clarabel, with warm and cold starts.

use super::{optimality_error, solve};
use aplomb::qp::solver::{QpSolution, by_name};
use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use std::path::Path;

/// Runs a scene and compares the problem of every `every`-th frame.
fn compare(name: &str, frames: std::ops::Range<u64>, every: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let files = scene::load(&path.to_string_lossy(), &["solver='active_set'".to_string()]);
    let files = files.unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    simulation.character_mut().synthesiser.keeps_problem = true;
    let mut warm = by_name("active_set").expect("a solver of this build");
    let mut solution = QpSolution::default();
    while simulation.world.frame_index() < frames.end {
        let index = simulation.world.frame_index();
        assert!(simulation.step().expect("usable numbers").is_some(), "it stands");
        let qp = simulation.character().synthesiser.last_problem();
        warm.solve(qp, &mut solution).unwrap_or_else(|error| panic!("{name} {index}: {error}"));
        let error = optimality_error(qp, &solution);
        assert!(error < 1e-9, "{name} {index}: optimality conditions are off by {error:e}");
        if frames.contains(&index) && index.is_multiple_of(every) {
            let cold = solve("active_set", qp).unwrap_or_else(|error| panic!("{name} {index}: {error}"));
            let theirs = solve("clarabel", qp).unwrap_or_else(|error| panic!("{name} {index}: {error}"));
            let largest = cold.x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
            let far = |a: &QpSolution, b: &QpSolution| {
                a.x.iter().zip(&b.x).map(|(a, b)| (a - b).abs() / largest).fold(0.0, f64::max)
            };
            for (name, error) in [("warm", far(&solution, &cold)), ("Clarabel", far(&theirs, &cold))] {
                assert!(error < 1e-9, "{path:?} {index}: cold and {name} differ by {error:e}");
            }
        }
    }
}

#[test]
fn a_push_is_solved_as_by_clarabel() {
    compare("balance_push.toml", 0..130, 5);
}

#[test]
fn one_foot_is_solved_as_by_clarabel() {
    compare("one_foot.toml", 0..60, 10);
}
