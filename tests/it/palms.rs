//! Palms that carry a box by friction alone.

use aplomb::scene::{self, Run, SceneFiles};
use aplomb::trace::{ContactKind, Frame, Measured};
use aplomb::world::StepError;
use nalgebra::{Quaternion, UnitQuaternion, Vector2, Vector3};

fn run(overrides: &[&str]) -> (Run, Vec<Frame>) {
    run_of(&load("lift_box", overrides))
}

fn load(scene: &str, overrides: &[&str]) -> SceneFiles {
    let overrides: Vec<String> = overrides.iter().map(|text| text.to_string()).collect();
    scene::load(scene, &overrides).unwrap()
}

fn run_of(files: &SceneFiles) -> (Run, Vec<Frame>) {
    let mut run = Run::bind(files).unwrap();
    let mut frames = Vec::new();
    let last = run.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    });
    frames.push(last.unwrap());
    (run, frames)
}

fn height(frame: &Frame) -> f64 {
    frame.passive[0].com[2]
}

/// Force of the box on a body, N.
fn force_of_box(frame: &Frame, body: &str) -> Vector3<f64> {
    let contacts = frame.contacts.iter().filter(|contact| contact.body == body && contact.surface == "box");
    contacts.map(|contact| Vector3::from(contact.force)).sum()
}

/// Frames in which the box is carried: no longer on the table, and not yet down again.
fn carried(frames: &[Frame]) -> &[Frame] {
    let is_up = |frame: &Frame| height(frame) > 0.97;
    let first = frames.iter().position(is_up).expect("it is lifted");
    let last = frames.iter().rposition(is_up).unwrap();
    &frames[first..last]
}

#[test]
fn two_palms_lift_a_box_by_friction_alone_and_set_it_down() {
    let (run, frames) = run(&[]);
    for criterion in &run.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
    assert!(
        frames.iter().all(|frame| frame.contacts.iter().all(|contact| contact.kind != ContactKind::Grip))
    );
    let carried = carried(&frames);
    assert!(carried.len() > 100, "{} frames", carried.len());
    for frame in carried {
        let bodies = ["left_hand", "right_hand", "left_forearm", "right_forearm"];
        let lift: f64 = bodies.iter().map(|body| -force_of_box(frame, body).z).sum();
        assert!((0.0..80.0).contains(&lift), "{lift} N at {} s", frame.time);
    }
    let mean =
        carried.iter().map(|frame| -force_of_box(frame, "left_hand").z - force_of_box(frame, "right_hand").z);
    let mean = mean.sum::<f64>() / carried.len() as f64;
    assert!((mean - 49.0).abs() < 5.0, "the hands carry {mean} N in the mean, the box weighs 49 N");
}

#[test]
fn a_box_of_little_friction_stays_on_the_table() {
    let (run, frames) = run(&["passive.box.friction=0.2"]);
    let lifted = run.criteria.iter().find(|criterion| criterion.name == "lifted").unwrap();
    assert!(!lifted.holds);
    let highest = frames.iter().map(height).fold(0.0, f64::max);
    // One edge may rise: the middle of a box that tilts by 0.25 rad is 3.4 cm higher.
    assert!(highest < 0.935, "{highest} m");
}

#[test]
fn forces_between_palms_and_box_do_not_alternate() {
    let (_, frames) = run(&[]);
    let carried = carried(&frames);
    let steps = carried
        .windows(2)
        .map(|two| (force_of_box(&two[1], "left_hand") - force_of_box(&two[0], "left_hand")).norm());
    let mut steps: Vec<f64> = steps.collect();
    steps.sort_by(f64::total_cmp);
    let middle = steps[steps.len() / 2];
    assert!(middle < 1.0, "the force changes by {middle} N a frame in the middle of all frames");
}

#[test]
fn a_goal_may_be_about_the_orientation_of_a_box_that_is_held() {
    let pitch = |target: &str| {
        let key =
            "characters.adult.controller.states.lift.objectives.\"box level\".of.object_orientation.target";
        let (_, frames) = run(&[&format!("{key}=\"{target}\"")]);
        let held = carried(&frames);
        let highest = held.iter().max_by(|a, b| height(a).total_cmp(&height(b))).unwrap();
        let [w, x, y, z] = highest.passive[0].orientations[0];
        UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)).euler_angles().1
    };
    for target in [0.05, -0.05] {
        let found = pitch(&format!("[0, {target}, 0]"));
        assert!((found - target).abs() < 0.015, "{found} rad, not {target}");
    }
}

#[test]
fn palms_carry_a_box_to_the_table_behind_and_the_pressure_is_that_of_the_feet() {
    let files = load("carry_box", &[]);
    let (run, frames) = run_of(&files);
    for criterion in &run.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
    let has_grip = |frame: &Frame| frame.contacts.iter().any(|contact| contact.kind == ContactKind::Grip);
    assert!(!frames.iter().any(has_grip));
    // What the objective of the centre of pressure compares with its target is what the record says of the frame before,
    // although the palms press with half as much as the box and the hands weigh.
    let header = scene::header(&files, &run);
    let of = |part: &str| {
        let is_it = |measured: &Measured| measured.objective == "walk.pressure" && measured.part == part;
        header.measured.iter().position(is_it).expect("it is measured")
    };
    let (x, y) = (of("x"), of("y"));
    let at = |frame: &Frame, place: usize| frame.actuals.get(place).copied().flatten();
    let (mut compared, mut off) = (0, 0);
    for pair in frames.windows(2) {
        let [before, frame] = pair else { continue };
        let (Some(x), Some(y), Some(cop)) = (at(frame, x), at(frame, y), before.centre_of_pressure) else {
            continue;
        };
        compared += 1;
        // A point that came down, or is let go, in this frame.
        off += i32::from(Vector2::new(x - cop[0], y - cop[1]).norm() > 5e-3);
    }
    assert!(off * 10 < compared, "{off} of {compared} frames");
    assert!(compared > 500, "{compared} frames");
}
