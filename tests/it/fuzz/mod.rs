//! Every reader meets inputs that nobody wrote: it says what is wrong with them, soon, and does not panic.
//!
//! `APLOMB_FUZZ=20000` gives each reader so many inputs, all of them put to use as far as they can be;
//! `scripts/nightly` does. `APLOMB_FUZZ_TARGET` names one reader. The inputs that fail are left in the folder
//! `APLOMB_FUZZ_OUT`.

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

/// Inputs of each reader in every run of the tests.
const COUNT: usize = 400;
/// Of these, one in so many is put to use as far as it can be.
const DEEP: usize = 10;
/// Longest that an input may take on a processor of its own.
const LONGEST: Duration = Duration::from_secs(2);

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static SAID: Cell<String> = const { Cell::new(String::new()) };
}

/// Panics of this thread are kept while it is quiet, and others told as ever.
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

/// How long this thread has been on a processor, where the system says so; else a clock.
fn spent(since: Instant) -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let busy = text.and_then(|text| text.split(' ').next()?.parse().ok());
    busy.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What is wrong with a reader, for some inputs.
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
