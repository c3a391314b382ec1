//! Killed runs can be resumed, and damaged files can be read: a few seeded kills and flipped bits.
//! `scripts/kill-test` tries many.

use super::*;
use aplomb::trace::{Trace, TraceWriter, read, read_bytes};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Pseudo-random numbers, reproducible by seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

const RUN: [&str; 8] =
    ["run", "balance_push", "--set", "duration=1", "--set", "success={}", "--no-plots", "--quiet"];

/// Starts the program and kills it after a random share of `most`.
fn kill(folder: &Path, arguments: &[&str], most: Duration, dice: &mut Dice) {
    let mut child = command(folder, arguments).spawn().expect("it starts");
    sleep(most.mul_f64(dice.below(1000) as f64 / 1000.0));
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
}

#[test]
fn a_run_that_is_killed_goes_on_and_ends_with_the_bytes_of_one_that_was_not() {
    let folder = folder();
    let at = folder.path();
    let started = Instant::now();
    assert_eq!(code(&aplomb(at, &[&RUN[..], &["--out", "whole"]].concat())), Some(0));
    let took = started.elapsed();
    let whole = fs::read(at.join("whole/trace.mcap")).expect("a trace");
    let all = read_bytes(&whole).expect("a trace").frames;
    let mut dice = Dice(3);
    for round in 0..5 {
        let arguments = [&RUN[..], &["--out", "killed"]].concat();
        kill(at, &arguments, took, &mut dice);
        let path = at.join("killed/trace.mcap");
        if path.exists() {
            let left = read(&path).expect("it can be read").frames;
            // A run that is killed before the first frame leaves none.
            let solved = left.len().saturating_sub(1);
            assert!(left[..solved] == all[..solved], "round {round}");
        }
        let resumed = aplomb(at, &[&arguments[..], &["--resume"]].concat());
        let is_complete = err(&resumed).contains("is complete");
        assert!(code(&resumed) == Some(0) || is_complete, "round {round}: {}", err(&resumed));
        assert!(fs::read(&path).expect("a trace") == whole, "round {round}");
        fs::remove_dir_all(at.join("killed")).expect("it is there");
    }
}

/// Truncates a trace to its first frames, as a kill leaves it.
fn cut(path: &Path, frames: usize) {
    let Trace { header, frames: all, .. } = read(path).expect("a trace");
    let mut writer = TraceWriter::create(path, &header).expect("a file");
    all[..frames].iter().for_each(|frame| writer.write(frame).expect("it is sound"));
    writer.finish().expect("a file");
}

#[test]
fn what_cannot_be_resumed_is_refused_with_the_reason() {
    let folder = folder();
    let at = folder.path();
    scene_with(at, "{ upright = { body = \"pelvis\" } }");
    let run = |more: &[&str]| {
        let arguments = ["run", "scene.toml", "--set", "duration=0.3", "--no-plots", "--quiet", "--out", "r"];
        aplomb(at, &[&arguments[..], more].concat())
    };
    let first = run(&[]);
    assert!(matches!(code(&first), Some(0 | 1)), "{}", err(&first));
    let path = at.join("r/trace.mcap");
    let whole = fs::read(&path).expect("a trace");
    let complete = run(&["--resume"]);
    assert_eq!(code(&complete), Some(2));
    assert!(err(&complete).contains("is complete"), "{}", err(&complete));

    cut(&path, 12);
    let resumed = run(&["--resume"]);
    assert_eq!(code(&resumed), code(&first), "{}", err(&resumed));
    assert!(fs::read(&path).expect("a trace") == whole);

    cut(&path, 12);
    let other = run(&["--resume", "--set", "gravity=[0, 0, -3]"]);
    assert!(code(&other) == Some(2) && err(&other).contains("--set"), "{}", err(&other));
    let text = fs::read_to_string(at.join("controller.toml")).expect("a file");
    fs::write(at.join("controller.toml"), text.replace("weight = 1", "weight = 2")).expect("written");
    let changed = run(&["--resume"]);
    assert!(
        code(&changed) == Some(2) && err(&changed).contains("`controller.toml` was changed"),
        "{}",
        err(&changed)
    );
    fs::write(at.join("controller.toml"), text).expect("written");

    let mut trace = read(&path).expect("a trace");
    trace.frames[5].v[7] += 1e-12;
    let mut writer = TraceWriter::create(&path, &trace.header).expect("a file");
    trace.frames.iter().for_each(|frame| writer.write(frame).expect("it is sound"));
    writer.finish().expect("a file");
    let differs = run(&["--resume"]);
    assert_eq!(code(&differs), Some(2));
    assert!(
        err(&differs).contains("frame 5") && err(&differs).contains("recorded one: `v`"),
        "{}",
        err(&differs)
    );
    assert_eq!(read(&path).expect("it is still there").frames.len(), 12);

    let lock = aplomb::trace::FolderLock::take(&at.join("r")).expect("nobody has it");
    assert_eq!(code(&run(&["--resume"])), Some(5));
    drop(lock);
}

#[test]
fn no_more_than_a_tenth_of_a_second_is_not_yet_in_the_file() {
    let folder = folder();
    let path = folder.path().join("trace.mcap");
    let out = aplomb(folder.path(), &[&RUN[..], &["--out", "r"]].concat());
    assert_eq!(code(&out), Some(0), "{}", err(&out));
    let Trace { header, frames, .. } = read(folder.path().join("r/trace.mcap")).expect("a trace");
    let mut writer = TraceWriter::create(&path, &header).expect("a file");
    for frame in &frames[..60] {
        writer.write(frame).expect("it is sound");
        // The file that a kill at this time would leave.
        let left = read(&path).expect("it can be read").frames;
        let until = left.last().map_or(-header.dt, |last| last.time);
        assert!(frame.time - until <= 0.1 + 1e-9, "at {} s there is {until} s", frame.time);
    }
}

#[test]
fn a_sweep_that_is_killed_goes_on_and_ends_with_the_bytes_of_one_that_was_not() {
    let folder = folder();
    let at = folder.path();
    let sweep = [
        "sweep",
        "balance_push",
        "--set",
        "duration=0.2",
        "--directions",
        "2",
        "--impulses",
        "10:30:10",
        "--quiet",
    ];
    let started = Instant::now();
    assert_eq!(code(&aplomb(at, &[&sweep[..], &["--out", "whole"]].concat())), Some(0));
    let took = started.elapsed();
    let mut dice = Dice(9);
    for round in 0..3 {
        let arguments = [&sweep[..], &["--out", "killed"]].concat();
        kill(at, &[&arguments[..], &["--threads", "2"]].concat(), took, &mut dice);
        let journal = at.join("killed/sweep.journal");
        if round == 2 && journal.exists() {
            let other = aplomb(at, &[&arguments[..], &["--resume", "--set", "dt=0.005"]].concat());
            assert!(code(&other) == Some(2) && err(&other).contains("another"), "{}", err(&other));
        }
        let resumed = aplomb(at, &[&arguments[..], &["--resume", "--threads", "1"]].concat());
        let is_complete = err(&resumed).contains("is complete");
        assert!(code(&resumed) == Some(0) || is_complete, "round {round}: {}", err(&resumed));
        assert!(!journal.exists());
        for name in ["sweep.csv", "sweep.svg", "sweep.png"] {
            let [one, other] =
                ["whole", "killed"].map(|out| fs::read(at.join(out).join(name)).expect("it is there"));
            assert!(one == other, "round {round}: {name}");
        }
        fs::remove_dir_all(at.join("killed")).expect("it is there");
    }
}

#[test]
fn a_flipped_bit_costs_a_trace_less_than_a_twentieth_of_its_frames() {
    let folder = folder();
    let at = folder.path();
    let run = [
        "run",
        "balance_push",
        "--set",
        "duration=3",
        "--set",
        "success={}",
        "--no-plots",
        "--quiet",
        "--out",
        "r",
    ];
    assert_eq!(code(&aplomb(at, &run)), Some(0));
    let whole = fs::read(at.join("r/trace.mcap")).expect("a trace");
    let all = read_bytes(&whole).expect("a trace").frames.len();
    let mut dice = Dice(17);
    for _ in 0..20 {
        let bit = dice.below(8 * whole.len());
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let [path, out] = ["flipped.mcap", "repaired.mcap"].map(|name| at.join(name));
        fs::write(&path, flipped).expect("written");
        let repaired =
            aplomb::trace::repair_to(&path, &out).unwrap_or_else(|error| panic!("bit {bit}: {error}"));
        assert!(20 * repaired.frames as usize >= 19 * all, "bit {bit}: {} of {all}", repaired.frames);
        fs::remove_file(out).expect("it is there");
    }
}

#[test]
fn a_short_soak_finds_nothing_and_says_what_it_tried() {
    let folder = folder();
    let soak =
        aplomb(folder.path(), &["soak", "--seed", "1", "--runs", "6", "--longest", "0.3", "--minutes", "5"]);
    assert_eq!(code(&soak), Some(0), "{}{}", out(&soak), err(&soak));
    assert!(out(&soak).contains("6 cases") && out(&soak).contains("nothing is wrong"), "{}", out(&soak));
}
