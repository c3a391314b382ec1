//! One-sided goals, goals with a factor of their weight for each axis, with a list of joints that may serve them, and
//! goals relative to another body.

use super::Trial;
use nalgebra::Vector3;

const LOWER: &str = r#"of = { com_height = { target = "0.95 * standing_height" } }"#;

fn height(trial: &Trial) -> f64 {
    trial.end().com().z / trial.end().model.rest_com_height()
}

#[test]
fn the_side_that_is_free_costs_nothing_and_the_other_is_kept_to() {
    let goal =
        |side: &str| format!("name = \"limit\"\nweight = 1e4\nresponse = 0.2\nside = \"{side}\"\n{LOWER}");
    let without = Trial::of(&[], &[], 1.0);
    let above = Trial::of(&[&goal("at_least")], &[], 1.0);
    assert!((height(&above) - height(&without)).abs() < 1e-6, "nothing is asked of who is above");
    assert!(above.costs("limit").iter().all(|cost| *cost < 1e-9));
    let below = Trial::of(&[&goal("at_most")], &[], 1.5);
    assert!((0.9..0.953).contains(&height(&below)), "it sinks to {}", height(&below));
    assert!(below.costs("limit")[0] > 1e-3);
}

#[test]
fn a_hard_side_is_a_limit() {
    let limit =
        format!("name = \"limit\"\nweight = 1\nresponse = 0.2\nhard = true\nside = \"at_most\"\n{LOWER}");
    let trial = Trial::of(&[&limit], &[], 1.5);
    assert!(height(&trial) < 0.951, "{}", height(&trial));
    assert!(trial.relaxed().is_empty(), "{:?}", trial.relaxed());
    // Two limits that contradict each other are relaxed by name.
    let other = "name = \"contrary\"\nweight = 1\nhard = true\nside = \"at_least\"\n\
                 of = { com_height = { target = 1.2 } }";
    let torn = Trial::of(&[&limit, other], &[], 0.2);
    let named = |name: &str| torn.relaxed().iter().any(|(_, rows)| rows.iter().any(|row| row.contains(name)));
    assert!(named("limit") || named("contrary"), "{:?}", torn.relaxed());
}

const REACH: &str = "name = \"reach\"\nweight = 300\nresponse = 0.15\n";

#[test]
fn joints_that_may_not_serve_a_goal_are_not_moved_for_it() {
    let to = "of = { body_point = { point = \"right_palm\", target = [0.45, -0.2, 1.1] } }";
    let all = Trial::of(&[&format!("{REACH}{to}")], &[], 1.0);
    let arm =
        "joints = [\"right_shoulder_y\", \"right_shoulder_x\", \"right_shoulder_z\", \"right_elbow\"]\n";
    let arm = Trial::of(&[&format!("{REACH}{arm}{to}")], &[], 1.0);
    let moved = |trial: &Trial| (trial.end().site("right_palm") - trial.start().site("right_palm")).norm();
    assert!(moved(&arm) > 0.3, "the arm reaches out: {} m", moved(&arm));
    let turned = |trial: &Trial| {
        let turn = trial.start().body("chest").rotation.rotation_to(&trial.end().body("chest").rotation);
        turn.angle()
    };
    assert!(turned(&arm) < 0.5 * turned(&all), "{} rad, {} rad", turned(&arm), turned(&all));
}

#[test]
fn axes_without_a_share_are_left_free() {
    let to = "of = { body_point = { point = \"right_palm\", target = [-1, -0.2, 1.1] } }";
    let trial = Trial::of(&[&format!("{REACH}axes = [0, 0, 1]\n{to}")], &[], 1.0);
    let end = trial.end().site("right_palm");
    assert!((end.z - 1.1).abs() < 0.03, "{} m high", end.z);
    assert!(end.x > 0.1, "nothing draws it back: {} m", end.x);
}

#[test]
fn what_is_relative_to_a_body_goes_with_it() {
    let lean = "name = \"lean\"\nweight = 100\nresponse = 0.3\n\
                of = { body_orientation = { body = \"chest\", target = [0, 0.3, 0.4] } }";
    let upright = r#"controller.states.balance.objectives."chest upright".weight=0"#;
    let palm = format!(
        "{REACH}of = {{ body_point = {{ point = \"right_palm\", target = [0.3, -0.25, 0], relative_to = \"chest\" }} }}"
    );
    let head = "name = \"head\"\nweight = 200\nresponse = 0.15\n\
                of = { body_orientation = { body = \"head\", target = [0, 0, -0.3], relative_to = \"chest\" } }";
    let trial = Trial::of(&[lean, &palm, head], &[upright], 2.0);
    let (end, start) = (trial.end(), trial.start());
    let chest = end.body("chest");
    assert!((start.body("chest").rotation.inverse() * chest.rotation).angle() > 0.2, "the chest turned");
    let palm = chest.inverse().transform_vector(&(end.site("right_palm") - chest.translation.vector));
    assert!((palm - Vector3::new(0.3, -0.25, 0.0)).norm() < 0.05, "{palm}");
    let (_, _, yaw) = (chest.rotation.inverse() * end.body("head").rotation).euler_angles();
    assert!((yaw + 0.3).abs() < 0.08, "{yaw} rad");
}

#[test]
fn sides_and_axes_of_what_has_none_are_refused() {
    let said = |objective: &str| {
        let controller = format!("{}\n[[states.balance.objectives]]\n{objective}\n", super::BALANCE);
        let files = super::files(&controller, "", &[], 0.1);
        let Err(errors) = aplomb::scene::Run::bind(&files) else { panic!("{objective} is taken") };
        errors.to_string()
    };
    let side = said("name = \"a\"\nweight = 1\nside = \"at_most\"\nof = { upright = { body = \"chest\" } }");
    assert!(side.contains("`side` has no meaning for `upright`"), "{side}");
    let axes = said("name = \"a\"\nweight = 1\naxes = [1, 1, 0]\nof = { com_height = { target = 0.9 } }");
    assert!(axes.contains("no components along x, y and z"), "{axes}");
    let negative =
        said("name = \"a\"\nweight = 1\naxes = [1, -1, 0]\nof = { com_position = { target = [0, 0, 1] } }");
    assert!(negative.contains("0 or more"), "{negative}");
    let joint =
        said("name = \"a\"\nweight = 1\njoints = [\"right_albow\"]\nof = { com_height = { target = 0.9 } }");
    assert!(joint.contains("no joint `right_albow`"), "{joint}");
}
