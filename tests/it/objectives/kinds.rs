//! Every kind of objective approaches its target, in the second-order and in the one-step form.

use super::{BALANCE, Trial, View};
use aplomb::geometry::Polygon;
use aplomb::objective::ObjectiveSpec;
use nalgebra::{UnitQuaternion, Vector2, Vector3};

/// A goal, the overrides applied with it, and its error.
pub(super) struct Case {
    pub kind: &'static str,
    pub of: &'static str,
    pub overrides: &'static [&'static str],
    duration: f64,
    /// Weight and response of the second-order form; `direct` is the weight of the one-step form.
    pub shaped: (f64, f64),
    direct: f64,
    error: fn(&View<'_>) -> f64,
    /// Largest remaining error, absolute and as a share of the initial error.
    left: (f64, f64),
}

const NO_COM: &str = r#"controller.states.balance.objectives."com over support".weight=0"#;
const NO_HEIGHT: &str = r#"controller.states.balance.objectives."com height".weight=0"#;
const NO_UPRIGHT: &str = r#"controller.states.balance.objectives."chest upright".weight=0"#;
const LEFT_ELBOW_BENT: &str = "characters.adult.pose={ left_elbow = -1.2 }";

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            kind: "com_over_support",
            of: "{ com_over_support = {} }",
            overrides: &[NO_COM, "characters.adult.pose={ left_shoulder_y = -1.2, right_shoulder_y = -1.2 }"],
            duration: 1.5,
            shaped: (50.0, 0.25),
            direct: 1e4,
            error: |view| {
                let mut support = Polygon::default();
                support.set_hull(view.frame.support_polygon.iter().map(|corner| Vector2::from(*corner)));
                (view.com().xy() - support.centre().unwrap()).norm()
            },
            left: (2e-3, 0.1),
        },
        Case {
            kind: "com_over_support",
            of: r#"{ com_over_support = { feet = ["left_foot"] } }"#,
            overrides: &[NO_COM],
            duration: 1.5,
            shaped: (50.0, 0.25),
            direct: 1e3,
            error: |view| (view.com().y - 0.09).abs(),
            left: (1e-2, 0.1),
        },
        Case {
            kind: "com_position",
            of: "{ com_position = { target = [0.08, 0.03, 0.9] } }",
            overrides: &[NO_COM, NO_HEIGHT],
            duration: 1.5,
            shaped: (50.0, 0.2),
            direct: 3e4,
            error: |view| (view.com() - Vector3::new(0.08, 0.03, 0.9)).norm(),
            left: (5e-3, 0.1),
        },
        Case {
            kind: "com_position",
            of: "{ com_position = { target = [0.08, 0.03, 0], horizontal = true } }",
            overrides: &[NO_COM],
            duration: 1.5,
            shaped: (50.0, 0.2),
            direct: 1e4,
            error: |view| (view.com() - Vector3::new(0.08, 0.03, view.com().z)).norm(),
            left: (2e-3, 0.1),
        },
        Case {
            kind: "com_height",
            of: r#"{ com_height = { target = "0.93 * standing_height" } }"#,
            overrides: &[NO_HEIGHT],
            duration: 1.5,
            shaped: (50.0, 0.2),
            direct: 3e4,
            error: |view| (view.com().z - 0.93 * view.model.rest_com_height()).abs(),
            left: (3e-3, 0.05),
        },
        Case {
            kind: "upright",
            of: r#"{ upright = { body = "chest", axis = [0.3, 0, 1] } }"#,
            overrides: &[NO_UPRIGHT],
            duration: 1.5,
            shaped: (50.0, 0.2),
            direct: 5e3,
            error: |view| (view.body("chest") * Vector3::new(0.3, 0.0, 1.0).normalize()).xy().norm(),
            left: (5e-3, 0.05),
        },
        Case {
            kind: "align",
            of: r#"{ align = { body = "head", axis = [1, 0, 0], along = [1, 0.4, -0.2] } }"#,
            overrides: &[],
            duration: 1.5,
            shaped: (20.0, 0.2),
            direct: 5e3,
            error: |view| {
                let along = Vector3::new(1.0, 0.4, -0.2);
                (view.body("head") * Vector3::x()).angle(&along)
            },
            left: (1e-2, 0.05),
        },
        Case {
            kind: "com_velocity",
            of: r#"{ com_velocity = { target = [0.06, 0, 0], along = [2, 0, 0] } }"#,
            overrides: &[NO_COM],
            duration: 0.4,
            shaped: (200.0, 0.05),
            direct: 1e5,
            error: |view| (view.frame.com_velocity[0] - 0.06).abs(),
            left: (3e-3, 0.05),
        },
        Case {
            kind: "grip_force",
            of: r#"{ grip_force = { site = "left_hand_grip" } }"#,
            overrides: &[
                "holds.at={ knob = { position = [0.15, 0.27, 0.85] } }",
                r#"controller.states.balance.grip={ left_hand_grip = "knob" }"#,
                "characters.adult.reach={ left_hand_grip = [0.15, 0.27, 0.85] }",
            ],
            duration: 0.5,
            shaped: (100.0, 0.05),
            direct: 1e3,
            error: |view| view.load("left_hand", "left_hand").abs(),
            left: (1e-2, 0.05),
        },
        Case {
            kind: "velocity",
            of: "{ velocity = { joints = [] } }",
            overrides: &["characters.adult.velocity=[0.1, 0, 0]"],
            duration: 0.5,
            shaped: (50.0, 0.05),
            direct: 1e5,
            error: |view| Vector3::from_column_slice(&view.frame.v[..3]).norm(),
            left: (1e-2, 0.1),
        },
        Case {
            kind: "pose",
            of: "{ pose = {} }",
            overrides: &[
                "characters.adult.pose={ left_elbow = -1.2, left_shoulder_x = 0.6, right_shoulder_y = -0.5 }",
            ],
            duration: 1.5,
            shaped: (5.0, 0.2),
            direct: 5e3,
            error: |view| {
                let rest = view.model.rest_configuration();
                view.frame.q[7..]
                    .iter()
                    .zip(&rest[7..])
                    .map(|(q, rest)| (q - rest).powi(2))
                    .sum::<f64>()
                    .sqrt()
            },
            left: (0.1, 0.1),
        },
        Case {
            kind: "pose",
            of: r#"{ pose = { joints = ["left_elbow", "left_wrist"] } }"#,
            overrides: &[LEFT_ELBOW_BENT],
            duration: 1.5,
            shaped: (5.0, 0.2),
            direct: 5e3,
            error: |view| (view.angle("left_elbow") + 0.3).abs(),
            left: (1e-2, 0.02),
        },
        Case {
            kind: "pose",
            of: r#"{ pose = { angles = { left_elbow = -1.2, right_shoulder_x = "-0.3 - 0.2" } } }"#,
            overrides: &[],
            duration: 1.5,
            shaped: (5.0, 0.2),
            direct: 5e3,
            error: |view| (view.angle("left_elbow") + 1.2).hypot(view.angle("right_shoulder_x") + 0.5),
            left: (1e-2, 0.02),
        },
        Case {
            kind: "body_point",
            of: r#"{ body_point = { point = "left_hand_grip", target = [0.3, 0.3, 1.1] } }"#,
            overrides: &[],
            duration: 1.5,
            shaped: (20.0, 0.2),
            direct: 2e4,
            error: |view| (view.site("left_hand_grip") - Vector3::new(0.3, 0.3, 1.1)).norm(),
            left: (1e-2, 0.05),
        },
        Case {
            kind: "body_point",
            of: r#"{ body_point = { point = "right_hand", offset = [0.02, 0, -0.08], target = [0.25, -0.3, 0], horizontal = true } }"#,
            overrides: &[],
            duration: 1.5,
            shaped: (20.0, 0.2),
            direct: 2e4,
            error: |view| {
                (view.point("right_hand", [0.02, 0.0, -0.08]) - Vector3::new(0.25, -0.3, 0.0)).xy().norm()
            },
            left: (1e-2, 0.05),
        },
        Case {
            kind: "body_orientation",
            of: r#"{ body_orientation = { body = "head", target = [0, 0.2, 0.4] } }"#,
            overrides: &[],
            duration: 1.5,
            shaped: (20.0, 0.2),
            direct: 5e3,
            error: |view| {
                let target = UnitQuaternion::from_euler_angles(0.0, 0.2, 0.4);
                view.body("head").rotation.angle_to(&target)
            },
            left: (1e-2, 0.05),
        },
        Case {
            kind: "contact_force",
            of: r#"{ contact_force = { body = "right_foot", target = 0.3 } }"#,
            overrides: &[NO_COM],
            duration: 0.3,
            shaped: (50.0, 0.05),
            direct: 50.0,
            error: |view| (view.load("right_foot", "right_toe") - 0.3).abs(),
            left: (1e-2, 0.05),
        },
    ]
}

/// Kinds that concern surroundings, momenta and torques, tested in `tests/it/surroundings.rs`,
/// `pushing.rs` and `palms.rs`.
const TRIED_ELSEWHERE: [&str; 9] = [
    "contact_wrench",
    "angular_momentum",
    "centre_of_pressure",
    "keep_away",
    "look_at",
    "joint_torque",
    "object_position",
    "object_velocity",
    "object_orientation",
];

#[test]
fn every_kind_of_objective_is_tried() {
    let mut tried: Vec<&str> = cases().iter().map(|case| case.kind).collect();
    tried.extend(TRIED_ELSEWHERE);
    for (kind, _) in ObjectiveSpec::list() {
        assert!(tried.contains(kind), "`{kind}` is not in the table");
    }
}

#[test]
fn every_objective_is_approached_in_the_shaped_form() {
    approached(|case| format!("weight = {}\nresponse = {}", case.shaped.0, case.shaped.1));
}

#[test]
fn every_objective_is_approached_in_the_direct_form() {
    approached(|case| format!("weight = {}", case.direct));
}

fn approached(form: fn(&Case) -> String) {
    let mut missed = Vec::new();
    for case in cases() {
        let before = (case.error)(&Trial::of(&[], case.overrides, 0.01).start());
        let objective = format!("name = \"wanted\"\n{}\nof = {}", form(&case), case.of);
        let trial = Trial::of(&[&objective], case.overrides, case.duration);
        let after = (case.error)(&trial.last_solved());
        if after > case.left.0 || after > case.left.1 * before {
            missed.push(format!("{objective}: {before} → {after}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_joint_whose_rate_should_vanish_gives_way_less_to_a_push() {
    let push = "[events.push]\nat = 0\nduration = 0.05\nbody = \"left_hand\"\nimpulse = [0.5, 0, 0]\n";
    let fastest = |objective: &str| {
        let trial = Trial::run(&format!("{BALANCE}{objective}"), push, &[], 0.15);
        trial.frames.iter().map(|frame| trial.at(frame).rate("left_elbow").abs()).fold(0.0, f64::max)
    };
    let head = "\n[[states.balance.objectives]]\nname = \"wanted\"";
    let of = "of = { velocity = { joints = [\"left_elbow\"], root = false } }";
    let free = fastest("");
    let shaped = fastest(&format!("{head}\nweight = 50\nresponse = 0.05\n{of}\n"));
    let direct = fastest(&format!("{head}\nweight = 1000\n{of}\n"));
    assert!(free > 5e-3, "the push is felt: {free} rad/s");
    assert!(shaped < 0.2 * free && direct < 0.2 * free, "{free}, {shaped}, {direct} rad/s");
}
