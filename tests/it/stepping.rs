//! Protective steps: pushes that a standing character cannot withstand are survived, with plausible contacts.

use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::{ContactKind, Frame, Outcome};
use aplomb::world::StepError;
use nalgebra::Vector3;

/// Frames of a run, including its last record, and whether every criterion held.
fn run_of(scene: &str, overrides: &[String]) -> (Vec<Frame>, bool) {
    let files = scene::load(scene, overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let mut frames = Vec::new();
    let last = simulation.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    });
    frames.push(last.unwrap());
    (frames, simulation.criteria.iter().all(|criterion| criterion.holds))
}

/// A push of this impulse, N s, at this angle from straight ahead, degrees.
fn push(impulse: f64, degrees: f64) -> String {
    let (y, x) = degrees.to_radians().sin_cos();
    format!("events.push.impulse=[{:.9}, {:.9}, 0.0]", impulse * x, impulse * y)
}

fn steps(frames: &[Frame]) -> usize {
    let is_step = |frame: &Frame| frame.state == "take_step" || frame.state.ends_with(".take_step");
    let entered = |two: &&[Frame]| !is_step(&two[0]) && is_step(&two[1]);
    frames.windows(2).filter(entered).count()
}

#[test]
fn pushes_of_42_newton_seconds_are_survived_in_four_directions_by_stepping() {
    for degrees in [0.0, 90.0, 180.0, 270.0] {
        let (frames, held) = run_of("step_push", &[push(42.0, degrees)]);
        assert!(held, "{degrees}°");
        assert!((1..=3).contains(&steps(&frames)), "{degrees}°: {} steps", steps(&frames));
        assert!(frames.iter().all(|frame| !matches!(frame.outcome, Outcome::Failed { .. })));
    }
}

#[test]
fn pushes_to_the_left_and_to_the_right_are_mirror_images() {
    let (left, _) = run_of("step_push", &[push(42.0, 90.0)]);
    let (right, _) = run_of("step_push", &[push(42.0, -90.0)]);
    assert_eq!(left.len(), right.len());
    assert!(steps(&left) > 0);
    for (left, right) in left.iter().zip(&right) {
        assert_eq!(left.state, right.state, "frame {}", left.index);
        let mirrored = Vector3::new(right.com[0], -right.com[1], right.com[2]);
        let off = (Vector3::from(left.com) - mirrored).norm();
        assert!(off < 1e-9, "frame {}: {off:.1e} m", left.index);
    }
}

#[test]
fn one_controller_serves_floor_ice_adult_and_child() {
    for scene in ["step_strong", "ice", "step_child"] {
        let (frames, held) = run_of(scene, &[]);
        assert!(held, "{scene}: {} steps, ends at {} s", steps(&frames), frames.last().unwrap().time);
        assert!(steps(&frames) >= 1, "{scene}");
    }
}

#[test]
fn contacts_that_slide_are_not_driven_by_their_friction_and_those_that_part_bear_nothing() {
    for degrees in [0.0, 60.0, 90.0, 180.0] {
        let (frames, _) = run_of("step_push", &[push(50.0, degrees), "duration=1.6".into()]);
        // Soles have pads of 15 mm.
        let most = 5e-3 + 0.015;
        for two in frames.windows(2) {
            for contact in &two[0].contacts {
                let (normal, force) = (Vector3::from(contact.normal), Vector3::from(contact.force));
                let push = force.dot(&normal);
                if contact.kind == ContactKind::Dynamic {
                    let friction = (force - normal * push).norm();
                    assert!(friction <= contact.friction * push + 1e-6, "frame {}", two[0].index);
                }
                // The same point a frame later, if it still is a contact: close to the floor under load.
                let after = two[1].contacts.iter().find(|other| other.name == contact.name);
                if let Some(after) = after {
                    assert!(
                        after.gap < most || push < 0.62,
                        "frame {}: {} at {} m",
                        two[0].index,
                        push,
                        after.gap
                    );
                }
            }
        }
    }
}

#[test]
fn the_papers_own_conditions_fall_where_the_capture_point_does_not() {
    let (_, fell) = run_of("step_paper", &[]);
    assert!(fell);
    let (_, held) = run_of("step_push", &[push(30.0, 0.0)]);
    assert!(held);
}

#[test]
fn pushes_too_strong_for_one_step_at_a_time_are_survived_with_a_preview() {
    let preview = "characters.adult.controller=\"step_recovery_preview\"".to_string();
    for (impulse, degrees) in [(96.0, 15.0), (96.0, 45.0)] {
        let (frames, held) = run_of("step_push", &[push(impulse, degrees), preview.clone()]);
        assert!(held, "{degrees}°");
        let chosen = |frame: &&Frame| frame.roles.iter().any(|(role, _)| role == "steps.swing_sole");
        assert!(frames.iter().any(|frame| chosen(&frame)), "{degrees}°: it steps");
        let (_, held) = run_of("step_push", &[push(impulse, degrees)]);
        assert!(!held, "{degrees}°: `step_recovery` by itself");
    }
}

#[test]
fn steps_that_are_previewed_are_mirror_images_and_the_same_each_time() {
    let preview = "characters.adult.controller=\"step_recovery_preview\"".to_string();
    let [left, right, again] = [90.0, -90.0, 90.0]
        .map(|degrees| run_of("step_push", &[push(50.0, degrees), preview.clone(), "duration=1.5".into()]).0);
    assert_eq!(left.len(), right.len());
    for ((left, right), again) in left.iter().zip(&right).zip(&again) {
        assert_eq!(left.state, right.state, "frame {}", left.index);
        assert!((left.com[1] + right.com[1]).abs() < 1e-9, "frame {}", left.index);
        assert_eq!(left.com, again.com, "frame {}", left.index);
    }
}

#[test]
fn a_preview_is_of_two_feet() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../controllers/step_recovery_preview.toml");
    let feet = "feet = [\"left_sole\", \"right_sole\"]";
    let one = text.replace(feet, "feet = [\"left_sole\"]");
    assert_ne!(text, one);
    std::fs::write(folder.path().join("one.toml"), one).unwrap();
    let path = folder.path().join("one.toml");
    let controller = format!("characters.adult.controller=\"{}\"", path.display());
    let said = match scene::load("step_push", &[controller]) {
        Err(error) => error.to_string(),
        Ok(files) => format!("{:?}", SceneRun::bind(&files).err()),
    };
    assert!(said.contains("previewed with 2 feet, not 1"), "{said}");
}

/// A quadruped leans by `lean`, m ahead and to the left, and selects a foot to lift.
fn chosen(lean: &str, planner: &str) -> Result<String, String> {
    let controller = format!(
        r#"
start = "lean"
[planner.capture_step]
{planner}
swing = "swing_sole"
time_left = "0"
near = [-0.2, -0.2, 0]
far = [0.2, 0.2, 0]
load_price = 0.1
[[objectives]]
name = "com"
weight = 20.0
response = 0.3
of = {{ com_position = {{ target = "home + {lean}" }} }}
[[objectives]]
name = "level"
weight = 10.0
response = 0.25
of = {{ body_orientation = {{ body = "pelvis", target = [0, 0, 0] }} }}
[[objectives]]
name = "damping"
weight = 0.05
response = 0.15
of = {{ velocity = {{}} }}
[states.lean]
let = {{ home = "com" }}
until = "state_time > 1.2"
to = ["choose"]
[states.choose]
let = {{ swing_sole = "capture_step.foot", aim = "position(swing_sole) - capture_step.target" }}
"#
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lean.toml"), controller).unwrap();
    let scene = "duration = 2.0\n[characters.one]\nmodel = \"quadruped\"\ncontroller = \"lean.toml\"\n";
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let files = scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]);
    let files = files.map_err(|error| error.to_string())?;
    let mut run = SceneRun::bind(&files).map_err(|error| error.to_string())?;
    let last = run.finish::<StepError>(|_, _| Ok(())).unwrap();
    let (_, foot) = last.roles.iter().find(|(role, _)| role == "swing_sole").expect("it chose");
    Ok(foot.clone())
}

const FOUR: &str = r#"feet = ["left_front_sole", "right_front_sole", "left_hind_sole", "right_hind_sole"]"#;

#[test]
fn of_four_feet_the_one_is_lifted_without_which_the_others_bear_the_body() {
    for (lean, foot) in [
        ("[0.03, 0.03, 0]", "right_hind_sole"),
        ("[0.03, -0.03, 0]", "left_hind_sole"),
        ("[-0.03, 0.03, 0]", "right_front_sole"),
        ("[-0.03, -0.03, 0]", "left_front_sole"),
    ] {
        assert_eq!(chosen(lean, FOUR).as_deref(), Ok(foot), "{lean}");
    }
    // In pairs a foot stands for itself and the diagonally opposite one; the first foot of the cheaper pair is named.
    let pairs = format!("{FOUR}\npairs = true");
    let foot = chosen("[0.03, 0.03, 0]", &pairs).unwrap();
    assert!(["right_front_sole", "left_hind_sole"].contains(&foot.as_str()), "{foot}");
}

#[test]
fn a_step_of_one_foot_or_in_pairs_of_two_is_refused_with_its_place() {
    let said = |planner: &str| chosen("[0, 0, 0]", planner).unwrap_err();
    let one = said(r#"feet = ["left_front_sole"]"#);
    assert!(one.contains("lean.toml:") && one.contains("with 2 to 8 feet, not 1"), "{one}");
    let two = said("feet = [\"left_front_sole\", \"right_front_sole\"]\npairs = true");
    assert!(two.contains("with 4 to 8 feet, not 2"), "{two}");
}
