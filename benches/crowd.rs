//! A crowd of characters that balance in one world, each with its own QP, on one thread and on all. Prints wall time
//! per frame and the ratio, measured in turn; `tests/it/world.rs` tests that the results are identical.
//!
//! `cargo bench --bench crowd -- 100`

use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::world::{StartPose, World};
use std::time::{Duration, Instant};

/// Warm-up frames, frames per turn, and number of turns.
const WARM_UP: usize = 50;
const FRAMES: usize = 50;
const TURNS: usize = 8;

fn crowd(count: usize, parallel: bool) -> World {
    let mut world = World::builder().parallel(parallel).build().expect("defaults hold");
    let (model, controller) = (Model::shipped("adult"), ControllerFile::shipped("balance"));
    let (model, controller) = (model.expect("it ships"), controller.expect("it ships"));
    for k in 0..count {
        let pose = StartPose::standing().at((k % 10) as f64, (k / 10) as f64);
        world.add_character(model.clone(), controller.clone(), pose).expect("it stands");
    }
    (0..WARM_UP).for_each(|_| world.step().expect("usable numbers"));
    world
}

fn turn(world: &mut World) -> Duration {
    let started = Instant::now();
    (0..FRAMES).for_each(|_| world.step().expect("usable numbers"));
    started.elapsed() / FRAMES as u32
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut one, mut all) = (crowd(count, false), crowd(count, true));
    let turns: Vec<(f64, f64)> = (0..TURNS)
        .map(|_| (turn(&mut one).as_secs_f64() * 1e3, turn(&mut all).as_secs_f64() * 1e3))
        .collect();
    let (alone, together) = turns.iter().copied().unzip();
    let ratio = median(turns.iter().map(|(one, all)| all / one).collect());
    println!(
        "{count} characters: {:.2} ms a frame on one thread, {:.2} on {threads}, ratio {ratio:.2}",
        median(alone),
        median(together)
    );
}
