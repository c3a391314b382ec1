//! Palms that carry a box by friction alone.

use aplomb::scene::{self, Run};
use aplomb::trace::{ContactKind, Frame};
use aplomb::world::StepError;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

fn run(overrides: &[&str]) -> (Run, Vec<Frame>) {
    let overrides: Vec<String> = overrides.iter().map(|text| text.to_string()).collect();
    let mut run = Run::bind(&scene::load("lift_box", &overrides).unwrap()).unwrap();
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
