//! Target, actual value and error of objectives in records, compared with other recorded values.

use super::{BALANCE, SceneRun, Trial, files};
use aplomb::scene;
use aplomb::trace::Trace;
use nalgebra::Vector3;

const HAND: [f64; 3] = [0.25, 0.3, 1.1];
const ELBOW: f64 = -0.4;
const LOAD: f64 = 0.6;

/// Half a second of standing with goals added to the controller's.
fn run() -> (Trial, Trace) {
    let goals = [
        ("reach", format!("{{ body_point = {{ point = \"left_hand_grip\", target = {HAND:?} }} }}")),
        ("bend", format!("{{ pose = {{ angles = {{ left_elbow = {ELBOW} }} }} }}")),
        ("load", format!("{{ contact_force = {{ body = \"left_foot\", target = {LOAD} }} }}")),
    ];
    let mut controller = BALANCE.to_owned();
    for (name, of) in goals {
        let goal = format!("name = \"{name}\"\nweight = 1\nresponse = 0.3\nof = {of}");
        controller += &format!("\n[[states.balance.objectives]]\n{goal}\n");
    }
    let files = files(&controller, "", &[], 0.5);
    let simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let header = scene::header(&files, &simulation);
    let trial = Trial::of_bound(simulation);
    let frames = trial.frames.clone();
    (trial, Trace { header, frames, parts: Vec::new(), torn: None })
}

#[test]
fn what_an_objective_wants_and_has_is_what_a_hand_computes_from_the_record() {
    let (trial, trace) = run();
    let series = |name: &str| trace.series(name).unwrap_or_else(|| panic!("no channel {name}"));
    let mut before = None;
    for (k, frame) in trial.solved().iter().enumerate() {
        let view = trial.at(frame);
        let same = |name: &str, expected: f64| {
            let found = series(name)[k].unwrap_or_else(|| panic!("{name} has no value in frame {k}"));
            let near = (found - expected).abs() < 1e-9 * expected.abs().max(1.0);
            assert!(near, "{name} in frame {k}: {found} instead of {expected}");
        };
        let hand = view.site("left_hand_grip");
        for (axis, letter) in ["x", "y", "z"].into_iter().enumerate() {
            same(&format!("target.reach.{letter}"), HAND[axis]);
            same(&format!("actual.reach.{letter}"), hand[axis]);
            same(&format!("error.reach.{letter}"), hand[axis] - HAND[axis]);
        }
        same("error.reach", (hand - Vector3::from(HAND)).norm());
        same("target.bend.left_elbow", ELBOW);
        same("actual.bend.left_elbow", view.angle("left_elbow"));
        same("error.bend", (view.angle("left_elbow") - ELBOW).abs());
        same("actual.com height", frame.com[2]);
        let up = view.body("chest").rotation * Vector3::z();
        same("target.chest upright", 0.0);
        same("actual.chest upright", up.xy().norm().atan2(up.z));
        let square: f64 = frame.v.iter().map(|rate| rate * rate).sum();
        same("error.joint damping", square.sqrt());
        same("target.load", LOAD * trace.header.mass * 9.81);
        // The recorded load is that of the previous frame.
        if let Some(load) = before {
            same("actual.load", load);
        }
        let on_foot = frame.contacts.iter().filter(|contact| contact.body.starts_with("left_"));
        let normal = |force: [f64; 3], along: [f64; 3]| Vector3::from(force).dot(&Vector3::from(along));
        before = Some(on_foot.map(|contact| normal(contact.force, contact.normal)).sum::<f64>());
    }
    // The goal has an effect in the run.
    let reach: Vec<f64> = series("error.reach").into_iter().flatten().collect();
    assert!(reach[reach.len() - 1] < reach[0] - 0.02, "{reach:?}");
}

#[test]
fn a_component_that_the_factors_of_its_goal_leave_out_has_no_target() {
    let goal = format!(
        "name = \"reach\"\nweight = 1\nresponse = 0.3\naxes = [0, 1, 0]\n\
         of = {{ body_point = {{ point = \"left_hand_grip\", target = {HAND:?} }} }}"
    );
    let files = files(&format!("{BALANCE}\n[[states.balance.objectives]]\n{goal}\n"), "", &[], 0.02);
    let simulation = SceneRun::bind(&files).unwrap();
    let header = scene::header(&files, &simulation);
    let trace = Trace { header, frames: Trial::of_bound(simulation).frames, parts: Vec::new(), torn: None };
    let [x, y, z] = ["x", "y", "z"].map(|axis| trace.series(&format!("target.reach.{axis}")).unwrap()[0]);
    assert_eq!([x, y, z], [None, Some(HAND[1]), None]);
}

#[test]
fn only_objectives_that_hold_have_targets() {
    let (trial, trace) = run();
    let last = trial.solved().len();
    for number in &trace.header.measured {
        let target = trace.series(&format!("target.{}", number.name())).unwrap();
        assert_eq!(target[last], None, "{number:?} in the last record, which was not solved");
    }
    let files = scene::load("moving_target", &["duration=1".to_owned()]).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let header = scene::header(&files, &simulation);
    let (mut frames, mut distances) = (Vec::new(), Vec::new());
    let stepped = simulation.finish::<aplomb::world::StepError>(|_, stepped| {
        frames.push(stepped.frame());
        distances.push(stepped.frame().distances[0]);
        Ok(())
    });
    stepped.unwrap();
    let trace = Trace { header, frames, parts: Vec::new(), torn: None };
    let errors = trace.series("error.hand on target").unwrap();
    for (k, (error, distance)) in errors.iter().zip(&distances).enumerate() {
        assert_eq!(error.is_some(), k >= 50, "an event enables it at 0.5 s; frame {k}");
        let apart = error.zip(*distance).map_or(0.0, |(error, distance)| (error - distance).abs());
        assert!(apart < 1e-9, "{error:?} and {distance:?} in frame {k}");
    }
}
