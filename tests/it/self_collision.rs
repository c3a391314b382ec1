//! Limbs do not pass through each other.

use crate::run::Run;
use aplomb::contact::{ShapePair, nearest};
use aplomb::dynamics::Kinematics;
use aplomb::model::Model;
use aplomb::trace::Frame;

/// Largest penetration of two parts of the body in the run, m, and their names.
fn deepest(run: &Run) -> (f64, String) {
    let model = &run.simulation.character().model;
    let mut kinematics = Kinematics::new(model);
    let mut worst = (0.0, String::new());
    for frame in &run.frames {
        kinematics.update_position(model, &frame.q);
        for pair in ShapePair::that_can_meet(model) {
            let near = nearest(model, &kinematics, pair.geoms, 0.0);
            let depth = near.map_or(0.0, |near| -near.distance);
            if depth > worst.0 {
                let [a, b] = pair.bodies.map(|body| &model.bodies[body.0].name);
                worst = (depth, format!("{a} in {b} at {} s", frame.time));
            }
        }
    }
    worst
}

#[test]
fn an_arm_that_catches_a_ball_stays_outside_of_the_trunk() {
    let (depth, where_) = deepest(&Run::of("catch_ball", &[]));
    assert!(depth < 2e-3, "{depth} m: {where_}");
    let (depth, _) = deepest(&Run::of("catch_ball", &["characters.adult.self_collision=false"]));
    assert!(depth > 0.02, "and only because it is kept out: {depth} m");
}

#[test]
fn limbs_that_a_blow_throws_at_the_body_end_outside_of_it() {
    // An impact changes their rates so suddenly that they meet parts that they were not near, and rotates them so
    // fast that their paths curve by millimetres in a frame.
    let blow = r#"events.blow={ at = 0.438, duration = 0.073, body = "head", impulse = [73.8, -54.5, 8.1] }"#;
    for (dt, bias) in [("0.0125", "midpoint"), ("0.01", "backward"), ("0.01", "midpoint")] {
        let [dt, bias] = [format!("dt={dt}"), format!("bias_velocity={bias}")];
        let free = ["duration=1.0", "characters.adult.torque_limits=false", blow, &*dt, &*bias];
        let (depth, where_) = deepest(&Run::of("catch_ball", &free));
        assert!(depth < 2e-3, "{dt}, {bias}: {depth} m: {where_}");
    }
}

/// A fall in which a thigh is thrown at the belly, faster than joint torques can stop it: overrides of `fall`.
pub const ONTO_A_THIGH: [&str; 5] = [
    "duration=1.3",
    "bias_velocity=\"extrapolated\"",
    "ground.friction=0.0442",
    "success={}",
    "events.blow={ at = 0.721, duration = 0.112, body = \"head\", impulse = [22.8017, 22.3914, -3.5862] }",
];

#[test]
fn parts_that_torques_cannot_keep_apart_press_on_each_other() {
    let run = Run::of("fall", &ONTO_A_THIGH);
    let (depth, where_) = deepest(&run);
    assert!(depth < 2e-3, "{depth} m: {where_}");
    let presses = |frame: &&Frame| frame.self_contacts.iter().any(|pressed| pressed.force != [0.0; 3]);
    let blows = run.frames.iter().filter(presses).count();
    assert!((1..30).contains(&blows), "{blows} frames of {}", run.frames.len());
}

#[test]
fn shapes_that_belong_together_are_no_pairs() {
    for body in ["adult", "child"] {
        let model = Model::shipped(body).unwrap();
        let pairs = ShapePair::that_can_meet(&model);
        assert!(pairs.len() > 100, "{body}: {} pairs", pairs.len());
        for pair in &pairs {
            let [a, b] = pair.bodies;
            assert!(a < b && !model.share_a_joint(a, b) && pair.at_rest > 0.0, "{body}: {pair:?}");
        }
        let trunk = |name: &str| model.body(name).unwrap();
        let is_pair = |a: &str, b: &str| pairs.iter().any(|pair| pair.bodies == [trunk(a), trunk(b)]);
        assert!(is_pair("chest", "left_forearm") && is_pair("left_foot", "right_foot"), "{body}");
        assert!(!is_pair("left_thigh", "left_shank"), "{body}: they share a knee");
    }
}
