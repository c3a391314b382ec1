//! Protective steps: pushes that standing cannot bear are survived, by contacts that behave.

use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::{ContactKind, Frame, Outcome};
use aplomb::world::StepError;
use nalgebra::Vector3;

/// Frames of a run, its last record among them, and whether every criterion held.
fn run_of(scene: &str, overrides: &[String]) -> (Vec<Frame>, bool) {
    let files = scene::load(scene, overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let mut frames = Vec::new();
    let last = simulation.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame.clone());
        Ok(())
    });
    frames.push(last.unwrap());
    (frames, simulation.criteria.iter().all(|criterion| criterion.holds))
}

/// A push of that many N s at that angle from straight ahead, degrees.
fn push(impulse: f64, degrees: f64) -> String {
    let (y, x) = degrees.to_radians().sin_cos();
    format!("events.push.impulse=[{:.9}, {:.9}, 0.0]", impulse * x, impulse * y)
}

fn steps(frames: &[Frame]) -> usize {
    let entered = |two: &&[Frame]| two[0].state != "take_step" && two[1].state == "take_step";
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
        assert!(held, "{scene}");
        assert!(steps(&frames) >= 1, "{scene}");
    }
}

#[test]
fn contacts_that_slide_are_not_driven_by_their_friction_and_those_that_part_bear_nothing() {
    for degrees in [0.0, 60.0, 90.0, 180.0] {
        let (frames, _) = run_of("step_push", &[push(50.0, degrees), "duration=1.6".into()]);
        for two in frames.windows(2) {
            for contact in &two[0].contacts {
                let (normal, force) = (Vector3::from(contact.normal), Vector3::from(contact.force));
                let push = force.dot(&normal);
                if contact.kind == ContactKind::Dynamic {
                    let friction = (force - normal * push).norm();
                    assert!(friction <= contact.friction * push + 1e-6, "frame {}", two[0].index);
                }
                // The same point a frame later, where it still is a contact: not far from the floor under load.
                let after = two[1].contacts.iter().find(|other| other.name == contact.name);
                if let Some(after) = after {
                    assert!(
                        after.gap < 5e-3 || push < 0.62,
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
