//! Many worlds of a scene beside one world that is stepped in a loop: frames a second and core, with controllers that
//! decide each of them. Equal bytes are a test (`tests/it/worlds.rs`).
//!
//! `cargo bench --bench worlds -- balance_push step_push`

use aplomb::scene::{self, Run, SceneFiles, Worlds};
use std::time::{Duration, Instant};

/// Numbers of worlds.
const COUNTS: [usize; 3] = [1, 16, 64];
/// Frames of each world before anything is timed.
const WARM_UP: u64 = 20;
/// Time that is measured in each turn at least, and turns, which take their places in turn on one machine.
const LEAST: Duration = Duration::from_millis(400);
const TURNS: usize = 5;

/// Steps again and again, from the beginning where a run is over, and tells frames a second.
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

/// A world that begins anew when it is over.
fn looped(files: &SceneFiles) -> impl FnMut() {
    let mut run = Run::bind(files).expect("it binds");
    let start = run.checkpoint();
    move || {
        if run.is_over() || run.step().expect("usable numbers").is_none() {
            run.restore(&start).expect("its own");
        }
    }
}

/// So many worlds on so many threads, each of which begins anew when it is over.
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
