//! `hard = true` makes a goal an equality constraint, or the frame reports by name that it was relaxed.

use super::kinds::cases;
use super::{Trial, View};
use nalgebra::Vector3;

/// Cost of a residual of 1e-8 for weight 1.
const HELD: f64 = 1e-16;

fn hard(name: &str, form: &str, of: &str) -> String {
    format!("name = \"{name}\"\nweight = 1\n{form}\nhard = true\nof = {of}")
}

fn hand_at(target: &Vector3<f64>) -> String {
    let target: [f64; 3] = (*target).into();
    format!("{{ body_point = {{ point = \"left_hand_grip\", target = {target:?} }} }}")
}

fn grip(view: &View<'_>) -> Vector3<f64> {
    view.site("left_hand_grip")
}

#[test]
fn a_hard_goal_that_is_met_stays_met_through_a_push() {
    let start = grip(&Trial::of(&[], &[], 0.01).start());
    let push = "events.push={ at = 0.1, duration = 0.1, body = \"chest\", impulse = [10, 0, 0] }";
    let trial = Trial::of(&[&hard("hold", "", &hand_at(&start))], &[push], 1.0);
    assert!(trial.relaxed().iter().all(|(frame, _)| *frame == 0), "{:?}", trial.relaxed());
    assert!(trial.costs("hold")[1..].iter().all(|cost| *cost < HELD));
    for frame in &trial.frames {
        let away = (grip(&trial.at(frame)) - start).norm();
        assert!(away < 1e-3, "{away} m at {} s: what a frame's curvature leaves", frame.time);
    }
}

#[test]
fn a_hard_goal_that_is_not_met_is_approached_at_the_rate_it_asks() {
    let start = grip(&Trial::of(&[], &[], 0.01).start());
    let target = start + Vector3::new(0.1, 0.05, 0.15);
    let trial = Trial::of(&[&hard("reach", "response = 0.15", &hand_at(&target))], &[], 1.2);
    assert!(trial.relaxed().is_empty(), "{:?}", trial.relaxed());
    assert!(trial.costs("reach").iter().all(|cost| *cost < HELD));
    let distances: Vec<f64> =
        trial.frames.iter().map(|frame| (grip(&trial.at(frame)) - target).norm()).collect();
    assert!(distances.windows(2).all(|two| two[1] <= two[0] + 1e-6), "never away from it");
    assert!(distances[distances.len() - 1] < 5e-3, "{}", distances[distances.len() - 1]);
}

#[test]
fn a_hard_goal_that_cannot_hold_gives_way_by_name() {
    let objective = hard("three metres up", "", "{ com_height = { target = 3 } }");
    let trial = Trial::of(&[&objective], &[], 0.3);
    let relaxed = trial.relaxed();
    assert_eq!(relaxed.len(), trial.solved().len(), "in every frame");
    assert!(relaxed.iter().all(|(_, rows)| rows.contains(&"three metres up".to_owned())), "{relaxed:?}");
}

#[test]
fn of_contradicting_hard_goals_those_give_way_and_no_others() {
    let elbow = |name: &str, joint: &str, angle: f64| {
        hard(name, "response = 0.2", &format!("{{ pose = {{ angles = {{ {joint} = {angle} }} }} }}"))
    };
    let objectives = [
        elbow("bent", "left_elbow", -1.0),
        elbow("straight", "left_elbow", -0.1),
        elbow("other", "right_elbow", -1.0),
    ];
    let objectives: Vec<&str> = objectives.iter().map(String::as_str).collect();
    let trial = Trial::of(&objectives, &[], 1.0);
    let relaxed = trial.relaxed();
    assert_eq!(relaxed.len(), trial.solved().len(), "in every frame");
    assert!(relaxed.iter().all(|(_, rows)| rows == &["bent", "straight"]), "{relaxed:?}");
    assert!(trial.costs("other").iter().all(|cost| *cost < HELD));
    let end = trial.end();
    assert!((end.angle("left_elbow") + 0.55).abs() < 0.02, "half-way between the two");
    assert!((end.angle("right_elbow") + 1.0).abs() < 0.05);
}

#[test]
fn hard_goals_that_say_the_same_twice_hold() {
    let start = Trial::of(&[], &[], 0.01);
    let start = start.start();
    let mut objectives = Vec::new();
    for foot in ["left_foot", "right_foot"] {
        let at: [f64; 3] = start.point(foot, [0.0; 3]).into();
        objectives.push(hard(
            &format!("{foot} stays"),
            "response = 0.1",
            &format!("{{ body_point = {{ point = \"{foot}\", target = {at:?} }} }}"),
        ));
        objectives.push(hard(
            &format!("{foot} flat"),
            "response = 0.1",
            &format!("{{ body_orientation = {{ body = \"{foot}\", target = [0, 0, 0] }} }}"),
        ));
    }
    let again = objectives[0].replace("left_foot stays", "left_foot stays indeed");
    objectives.push(again);
    let objectives: Vec<&str> = objectives.iter().map(String::as_str).collect();
    let push = "events.push={ at = 0.1, duration = 0.1, body = \"chest\", impulse = [10, 0, 0] }";
    let trial = Trial::of(&objectives, &[push], 1.0);
    // Fixed feet leave no slack in the gap rows: rounding may relax the first frame, in which nothing else is
    // weighed.
    assert!(trial.relaxed().iter().all(|(frame, _)| *frame == 0), "{:?}", trial.relaxed());
    for name in
        ["left_foot stays", "left_foot stays indeed", "left_foot flat", "right_foot stays", "right_foot flat"]
    {
        let worst = trial.costs(name)[1..].iter().copied().fold(0.0, f64::max);
        assert!(worst < HELD, "{name}: {worst}");
    }
    assert!(trial.end().com().z > 0.9 * start.com().z);
    let limits = &trial.simulation.character().model.torque_limits;
    for frame in trial.solved() {
        for (torque, [low, high]) in frame.torque.iter().zip(limits).skip(6) {
            assert!(low - 1e-6 <= *torque && *torque <= high + 1e-6, "at {} s", frame.time);
        }
    }
}

#[test]
fn every_kind_may_be_hard() {
    for case in cases() {
        let objective = hard("wanted", &format!("response = {}", case.shaped.1), case.of);
        let trial = Trial::of(&[&objective], case.overrides, 0.3);
        let relaxed: Vec<u64> = trial.relaxed().iter().map(|(frame, _)| *frame).collect();
        for (frame, cost) in trial.solved().iter().zip(trial.costs("wanted")) {
            let residual = cost.sqrt();
            assert!(relaxed.contains(&frame.index) || residual < 1e-6, "{}: {residual}", case.of);
            assert!(relaxed.len() < 3, "{}: gave way in frames {relaxed:?}", case.of);
        }
    }
}
