//! Other keys of an objective: weight, `when`, targets over time, bodies by role; and `release`.

use super::{BALANCE, Trial};
use nalgebra::Vector3;

const ELBOW: &str = "of = { pose = { angles = { left_elbow = -1.0 } } }";
const REST_ELBOW: f64 = -0.3;

#[test]
fn a_weight_may_grow_and_fade_with_time() {
    let growing =
        format!("name = \"wanted\"\nweight = \"20*smoothstep(0.3, 0.5, time)\"\nresponse = 0.15\n{ELBOW}");
    let trial = Trial::of(&[&growing], &[], 1.3);
    let costs = trial.costs("wanted");
    assert!(costs[..=30].iter().all(|cost| *cost == 0.0), "no weight, no cost");
    assert!(costs[31] > 0.0);
    assert!((trial.at(&trial.frames[30]).angle("left_elbow") - REST_ELBOW).abs() < 0.01);
    assert!((trial.end().angle("left_elbow") + 1.0).abs() < 0.02);

    let fading = format!(
        "name = \"wanted\"\nweight = \"20*(1 - smoothstep(0.5, 0.6, time))\"\nresponse = 0.1\n{ELBOW}"
    );
    let trial = Trial::of(&[&fading], &[r#"controller.states.balance.objectives."rest pose".weight=1"#], 1.5);
    assert!((trial.at(&trial.frames[50]).angle("left_elbow") + 1.0).abs() < 0.1);
    assert!(trial.end().angle("left_elbow") > -0.75, "the rest pose takes over");
}

#[test]
fn a_weight_may_follow_a_measured_quantity() {
    let objective = format!("name = \"wanted\"\nweight = \"40*load(left_foot)\"\nresponse = 0.15\n{ELBOW}");
    let trial = Trial::of(&[&objective], &[], 1.0);
    assert_eq!(trial.costs("wanted")[0], 0.0, "there is no load before the first frame");
    assert!((trial.end().angle("left_elbow") + 1.0).abs() < 0.02);
}

#[test]
fn an_objective_holds_only_when_it_says() {
    let objective = format!(
        "name = \"wanted\"\nweight = 20\nresponse = 0.1\nwhen = \"time >= 0.2 and angle(left_elbow) > -0.6\"\n{ELBOW}"
    );
    let trial = Trial::of(&[&objective], &[], 0.6);
    for (frame, cost) in trial.solved().iter().zip(trial.costs("wanted")) {
        let bent = trial.at(frame).angle("left_elbow") <= -0.6;
        assert_eq!(cost > 0.0, frame.time >= 0.2 - 1e-9 && !bent, "at {} s", frame.time);
    }
    let deepest = trial.frames.iter().map(|frame| trial.at(frame).angle("left_elbow")).fold(0.0, f64::min);
    assert!(deepest <= -0.6, "{deepest} rad");
}

#[test]
fn a_hand_follows_a_keyframed_point() {
    // It reaches the first keyframe, waits there, and continues to the second.
    let (from, to) = ([0.25, 0.25, 1.05], [0.25, 0.30, 1.12]);
    let objective = format!(
        "name = \"reach\"\nweight = 30\nresponse = 0.08\nof = {{ body_point = {{ point = \"left_hand_grip\", target = \
         {{ keyframes = {{ times = [0.7, 1.5], values = [{from:?}, {to:?}], interpolation = \"linear\" }} }} }} }}"
    );
    let trial = Trial::of(&[&objective], &[], 1.5);
    for frame in trial.frames.iter().filter(|frame| frame.time > 0.6) {
        let share = ((frame.time - 0.7) / 0.8).clamp(0.0, 1.0);
        let wanted = Vector3::from(from).lerp(&Vector3::from(to), share);
        let error = (trial.at(frame).site("left_hand_grip") - wanted).norm();
        assert!(error < 0.02, "{error} m at {} s", frame.time);
    }
}

#[test]
fn a_target_may_be_an_expression_of_what_is_measured() {
    let objective = "name = \"reach\"\nweight = 30\nresponse = 0.15\nof = { body_point = { point = \"right_hand_grip\", \
                     target = \"position(pelvis) + [0.3, -0.25, 0.2 + 0*time]\" } }";
    let trial = Trial::of(&[objective], &[], 1.3);
    let end = trial.end();
    let wanted = end.point("pelvis", [0.0; 3]) + Vector3::new(0.3, -0.25, 0.2);
    assert!((end.site("right_hand_grip") - wanted).norm() < 0.01);
}

#[test]
fn a_role_bound_on_entry_says_which_body_is_meant() {
    for (choice, other, side) in [("left_hand", "right_hand", 1.0), ("right_hand", "left_hand", -1.0)] {
        let roles = format!("let = {{ hand = \"left_hand if {side} > 0 else right_hand\" }}\n");
        let state = format!("[states.balance]\n{roles}");
        let goal = format!(
            "\n[[states.balance.objectives]]\nname = \"reach\"\nweight = 20\nresponse = 0.15\nof = {{ body_point = \
             {{ point = \"hand\", target = [0.3, {}, 1.1] }} }}\n",
            0.25 * side
        );
        let controller = BALANCE.replace("[states.balance]\n", &state) + &goal;
        let trial = Trial::run(&controller, "", &[], 1.2);
        assert_eq!(trial.frames[5].roles, [("hand".to_owned(), choice.to_owned())]);
        let end = trial.end();
        let target = Vector3::new(0.3, 0.25 * side, 1.1);
        assert!((end.point(choice, [0.0; 3]) - target).norm() < 0.01, "{choice}");
        let rest = trial.start().point(other, [0.0; 3]);
        assert!((end.point(other, [0.0; 3]) - rest).norm() < 0.1, "{other} has no part in it");
    }
}

#[test]
fn a_released_foot_carries_no_force_and_does_not_sink() {
    let release = "[states.balance]\nlet = { free = \"right_foot\" }\nrelease = [\"free\"]\n";
    let controller = BALANCE.replace("[states.balance]\n", release);
    let trial = Trial::run(&controller, "", &[], 0.3);
    for frame in trial.solved() {
        let view = trial.at(frame);
        let on_foot = frame.contacts.iter().filter(|contact| contact.body.starts_with("right_"));
        assert_eq!(on_foot.count(), 0, "at {} s", frame.time);
        assert!(view.load("left_foot", "left_toe") > 0.0, "the other one bears");
        let lowest = view.model.lowest_point(&view.poses);
        assert!(lowest > -1e-3, "{lowest} m at {} s", frame.time);
    }
}
