//! Cost of two characters that hold hands, compared with one of them alone: `cargo bench --bench island`.
//!
//! Both stand, and the child is pushed; the adult alone is pushed in the same way. Ratios are between times of the
//! same run.

use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::world::character::CharacterOptions;
use aplomb::world::{StartPose, World, Wrench};
use std::time::Instant;

/// Meeting point of the hands, m.
const MEETING: [f64; 3] = [0.1, -0.45, 0.75];
/// Frames of a run, and its warm-up frames, which grow the memory that the others reuse.
const FRAMES: usize = 300;
const WARM_UP: usize = 20;
const RUNS: usize = 5;

/// Per frame: total time, time of solving and time of one solve, µs; iterations of one solve.
#[derive(Default)]
struct Times {
    frames: Vec<f64>,
    solves: Vec<f64>,
    each: Vec<f64>,
    iterations: Vec<f64>,
}

fn main() {
    let [mut alone, mut together] = [Times::default(), Times::default()];
    // In turn, so that both run under the same conditions.
    for _ in 0..RUNS {
        run(false, &mut alone);
        run(true, &mut together);
    }
    let row = |name: &str, of: &dyn Fn(&Times) -> f64, unit: &str| {
        let (one, two) = (of(&alone), of(&together));
        println!("{name:32}{one:>10.1}{two:>12.1} {unit}{:>8.2}", two / one);
    };
    println!("{:32}{:>10}{:>12}{:>11}", "", "one", "two", "ratio");
    row("one solve, median", &|times| median(&times.each), "µs");
    row("one solve, mean", &|times| mean(&times.each), "µs");
    row("iterations of a solve, mean", &|times| mean(&times.iterations), "");
    row("solving in a frame, median", &|times| median(&times.solves), "µs");
    row("solving in a frame, mean", &|times| mean(&times.solves), "µs");
    row("whole frame, median", &|times| median(&times.frames), "µs");
    row("whole frame, mean", &|times| mean(&times.frames), "µs");
}

fn run(hand_in_hand: bool, times: &mut Times) {
    let mut world = World::builder().build().unwrap();
    let balance = ControllerFile::shipped("balance").unwrap();
    let named = |name: &str| CharacterOptions { name: name.into(), ..CharacterOptions::default() };
    let pose = StartPose::standing().reaching("right_palm", MEETING);
    let model = Model::shipped("adult").unwrap();
    let adult = world.add_character_with(model, balance.clone(), pose, named("adult")).unwrap();
    if hand_in_hand {
        world.add_hold_on("hand", adult, "right_palm").unwrap();
        let pose = StartPose::standing().at(0.1, -0.8).reaching("left_palm", MEETING);
        let model = Model::shipped("child").unwrap();
        let child = world.add_character_with(model, balance, pose, named("child")).unwrap();
        world.hold_on(child, "left_palm", "hand").unwrap();
        world.push(child, "chest", Wrench::force([40.0, 0.0, 0.0]), 0.15).unwrap();
    } else {
        world.push(adult, "chest", Wrench::force([80.0, 0.0, 0.0]), 0.15).unwrap();
    }
    for frame in 0..FRAMES {
        let started = Instant::now();
        world.step().unwrap();
        let whole = started.elapsed();
        if frame >= WARM_UP {
            times.frames.push(whole.as_secs_f64() * 1e6);
            // Both characters report the time of their joint problem.
            let result = world.result(adult);
            let solve = result.timing.solve.as_secs_f64() * 1e6;
            times.solves.push(solve);
            let solves = f64::from(result.timing.solves.max(1));
            times.iterations.push(f64::from(result.frame.iterations) / solves);
            times.each.push(solve / solves);
        }
    }
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}
