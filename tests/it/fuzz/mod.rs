//! Fuzzing of every reader: it reports what is wrong with an input, in bounded time, and does not panic.
//!
//! `APLOMB_FUZZ=20000` gives each reader this number of inputs, all of them with deep checks; `scripts/nightly` does
//! so. `APLOMB_FUZZ_TARGET` selects one reader. Inputs that fail are written to the folder `APLOMB_FUZZ_OUT`.

mod mutate;
mod targets;

use mutate::{Random, mutated};
use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Number of inputs of each reader in an ordinary test run.
const COUNT: usize = 400;
/// One in this number of inputs gets deep checks.
const DEEP: usize = 10;
/// Longest processor time of an input.
const LONGEST: Duration = Duration::from_secs(2);

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static SAID: Cell<String> = const { Cell::new(String::new()) };
}

/// Captures panics of this thread while it is quiet; others are reported as usual.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(
            move |panic| {
                if QUIET.get() { SAID.set(panic.to_string()) } else { usual(panic) }
            },
        ));
    });
}

/// Processor time of this thread, if the system reports it; otherwise wall-clock time.
fn spent(since: Instant) -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let busy = text.and_then(|text| text.split(' ').next()?.parse().ok());
    busy.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The failures of a reader for a number of inputs.
fn trials(target: &Target, count: usize, deep: usize) -> Vec<String> {
    keep_quiet();
    let seeds = (target.seeds)();
    let mut random = Random::new(target.name.bytes().fold(7, |sum, byte| sum * 31 + u64::from(byte)));
    let (began, mut wrong, mut longest) = (Instant::now(), Vec::new(), Duration::ZERO);
    for seed in &seeds {
        (target.run)(seed, true);
    }
    for index in 0..count {
        let input = mutated(&seeds, &mut random);
        let before = spent(began);
        QUIET.set(true);
        let end = catch_unwind(AssertUnwindSafe(|| (target.run)(&input, index % deep == 0)));
        QUIET.set(false);
        let took = spent(began).saturating_sub(before);
        longest = longest.max(took);
        let said = match end {
            Err(_) => format!("panicked: {}", SAID.take()),
            Ok(()) if took > LONGEST => format!("took {took:?}"),
            Ok(()) => continue,
        };
        if let Some(folder) = setting("APLOMB_FUZZ_OUT") {
            fs::create_dir_all(&folder).expect("there is a place for inputs");
            fs::write(Path::new(&folder).join(format!("{}-{index}", target.name)), &input)
                .expect("it can be written");
        }
        wrong.push(format!("{} {index} {said}", target.name));
    }
    println!(
        "{}: {count} inputs in {:?}, longest {longest:?}, {} wrong",
        target.name,
        began.elapsed(),
        wrong.len()
    );
    wrong
}

#[test]
fn readers_say_what_is_wrong_with_any_input() {
    let count = setting("APLOMB_FUZZ").and_then(|count| count.parse().ok());
    let only = setting("APLOMB_FUZZ_TARGET");
    let chosen = TARGETS.iter().filter(|target| only.as_deref().is_none_or(|name| name == target.name));
    let trial = |target| trials(target, count.unwrap_or(COUNT), if count.is_some() { 1 } else { DEEP });
    let wrong: Vec<String> = chosen.flat_map(trial).collect();
    assert!(wrong.is_empty(), "{} inputs:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn inputs_are_the_same_for_the_same_seed() {
    let seeds = (TARGETS[0].seeds)();
    let [a, b] = [1, 1].map(|seed| mutated(&seeds, &mut Random::new(seed)));
    assert_eq!(a, b);
    assert_ne!(a, mutated(&seeds, &mut Random::new(2)));
}
