//! Many worlds of a scene compared with one world stepped in a loop: frames per second and core, with controllers
//! that compute each of them. `tests/it/worlds.rs` tests that the results are identical.
//!
//! `cargo bench --bench worlds -- balance_push step_push`

use aplomb::scene::{self, Run, SceneFiles, Worlds};
use std::time::{Duration, Instant};

/// Numbers of worlds.
const COUNTS: [usize; 3] = [1, 16, 64];
/// Warm-up frames of each world.
const WARM_UP: u64 = 20;
/// Least measured time of a turn, and number of turns; the variants take turns on one machine.
const LEAST: Duration = Duration::from_millis(400);
const TURNS: usize = 5;

/// Calls `step`, which computes `frames` frames, for at least the least time; returns frames per second.
fn rate(frames: u64, mut step: impl FnMut()) -> f64 {
    let started = Instant::now();
    let mut turns = 0;
    while started.elapsed() < LEAST {
        step();
        turns += 1;
    }
    (frames * turns) as f64 / started.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Steps one world, which is reset when its run has ended.
fn looped(files: &SceneFiles) -> impl FnMut() {
    let mut run = Run::bind(files).expect("it binds");
    let start = run.checkpoint();
    move || {
        if run.is_over() || run.step().expect("usable numbers").is_none() {
            run.restore(&start).expect("its own");
        }
    }
}

/// Steps `count` worlds on `threads` threads, each of which is reset when its run has ended.
fn together(files: &SceneFiles, count: usize, threads: usize) -> impl FnMut() {
    let mut worlds = Worlds::new(files, count).expect("they bind");
    move || {
        if worlds.step(threads).expect("threads") < count {
            let over: Vec<usize> = (0..count)
                .filter(|world| worlds.outcome(*world).is_none_or(|one| !one.is_running()))
                .collect();
            over.into_iter().for_each(|world| worlds.reset(world).expect("its own"));
        }
    }
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let names = if names.is_empty() { vec!["balance_push".into(), "step_push".into()] } else { names };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for name in names {
        let files = scene::load(&name, &[]).expect("a scene");
        let mut loops = [looped(&files)];
        let mut many: Vec<(usize, usize, _)> = COUNTS
            .iter()
            .flat_map(|count| [(*count, 1), (*count, cores)])
            .map(|(count, threads)| (count, threads, together(&files, count, threads)))
            .collect();
        (0..WARM_UP).for_each(|_| loops[0]());
        many.iter_mut().for_each(|(.., step)| (0..WARM_UP).for_each(|_| step()));
        let mut rates = vec![Vec::new(); 1 + many.len()];
        for _ in 0..TURNS {
            rates[0].push(rate(1, &mut loops[0]));
            for (place, (count, _, step)) in many.iter_mut().enumerate() {
                rates[place + 1].push(rate(*count as u64, step));
            }
        }
        let mut rates = rates.into_iter().map(median);
        let alone = rates.next().unwrap_or(f64::NAN);
        println!("{name}: one world in a loop {alone:.0} frames/s");
        println!(
            "{:>8}{:>9}{:>12}{:>18}{:>14}",
            "worlds", "threads", "frames/s", "frames/s/core", "of the loop"
        );
        for ((count, threads, _), rate) in many.iter().zip(rates) {
            let each = rate / *threads as f64;
            println!("{count:>8}{threads:>9}{rate:>12.0}{each:>18.0}{:>14.2}", each / alone);
        }
    }
}
