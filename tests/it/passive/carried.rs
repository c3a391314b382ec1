//! Moving ground and obstacles under objects that lie on them.

use super::scene::{files, run};
use aplomb::trace::Frame;

/// A crate on a floor that oscillates along x with this peak acceleration, in units of g: the largest displacement of
/// the crate relative to the floor, and the largest acceleration of the crate, in units of g.
fn shaken(peak: f64, friction: f64) -> (f64, f64) {
    let frequency: f64 = 1.5;
    let amplitude = peak * 9.81 / (2.0 * std::f64::consts::PI * frequency).powi(2);
    // Starts at the turning point of the oscillation, at zero speed.
    let text = format!(
        "duration = 2\n[ground]\nfriction = {friction}\n\
         motion = {{ sine = {{ amplitude = [{amplitude}, 0, 0], frequency = {frequency}, phase = 1.5707963267948966 }} }}\n\
         [passive.crate]\nkind = \"articulated\"\nmodel = \"crate\"\nposition = [0, 0, 0.1]\n"
    );
    let (simulation, trace) = run(&files(&text));
    let relative = |frame: &Frame| frame.passive[0].com[0] - frame.moving[0].position[0];
    let first = relative(&trace.frames[0]);
    let away = trace.frames.iter().map(|frame| (relative(frame) - first).abs()).fold(0.0, f64::max);
    let speeds: Vec<f64> = trace.frames.iter().map(|frame| frame.passive[0].com_velocity[0]).collect();
    let jolts =
        speeds.windows(2).map(|pair| (pair[1] - pair[0]).abs() / simulation.world.settings().dt / 9.81);
    (away, jolts.fold(0.0, f64::max))
}

#[test]
fn a_crate_on_a_shaking_floor_sticks_as_long_as_friction_suffices() {
    let (away, jolt) = shaken(0.35, 0.5);
    assert!(away < 1e-4 && (jolt - 0.35).abs() < 0.01, "{away:.1e} m away at {jolt:.3} g");
}

#[test]
fn a_crate_on_a_floor_shaken_harder_slides_and_gets_what_friction_gives() {
    let (away, jolt) = shaken(0.8, 0.5);
    assert!(away > 0.02 && (jolt - 0.5).abs() < 0.005, "{away:.1e} m away at {jolt:.3} g");
}

#[test]
fn a_crate_rides_a_lift_and_falls_where_its_floor_vanishes() {
    let text = "\
duration = 2
[obstacles.lift]
half_lengths = [0.5, 0.5, 0.1]
position = [0, 0, 0.1]
motion = { keyframes = { times = [0.2, 1], offsets = [[0, 0, 0], [0, 0, 0.5]] } }
[events.gone]
kind = \"vanish\"
obstacle = \"lift\"
at = 1.5
[passive.crate]
kind = \"articulated\"
model = \"crate\"
position = [0, 0, 0.3]
";
    let (_, trace) = run(&files(text));
    let height = |frame: usize| trace.frames[frame].passive[0].com[2];
    let first = height(0);
    assert!((height(149) - first - 0.5).abs() < 1e-3, "rises by {} m", height(149) - first);
    let fallen = height(149) - height(170);
    assert!((fallen - 0.5 * 9.81 * 0.2f64.powi(2)).abs() < 0.03, "falls {fallen} m in 0.2 s");
}
