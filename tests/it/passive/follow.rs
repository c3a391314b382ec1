//! Trajectories in scenes.

use super::scene::{files, message, run};
use aplomb::model::BodyId;
use aplomb::passive::PartId;
use aplomb::scene::Run as SceneRun;
use nalgebra::Vector3;

fn arm(extra: &str) -> String {
    format!(
        "duration = 3\n[passive.arm]\nkind = \"articulated\"\nmodel = \"arm\"\n\
         pose = {{ shoulder = -0.7, elbow = 1.4 }}\n[[passive.arm.follow]]\nbody = \"lower\"\n\
         point = [0.4, 0, 0]\nat = [0, 1, 2, 3]\n\
         points = [[0.61, 0, 0.85], [0.5, 0.2, 0.6], [0.5, -0.2, 1.1], [0.61, 0, 0.85]]\n{extra}"
    )
}

/// Largest distance of the tip of the hand from the trajectory at its given times, after the first.
fn misses(text: &str) -> f64 {
    let mut simulation = SceneRun::bind(&files(text)).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut worst = 0.0f64;
    let corners = [[0.5, 0.2, 0.6], [0.5, -0.2, 1.1], [0.61, 0.0, 0.85]];
    while !simulation.is_over() {
        simulation.step().expect("usable numbers");
        if simulation.world.frame_index().is_multiple_of(100) {
            let lower = simulation.world.passive().systems[0].part(PartId(BodyId(2).0));
            let tip = lower.position + lower.orientation * Vector3::new(0.4, 0.0, 0.0);
            worst = worst.max(
                (tip - Vector3::from(corners[simulation.world.frame_index() as usize / 100 - 1])).norm(),
            );
        }
    }
    worst
}

#[test]
fn a_hand_is_where_its_course_has_it_unless_its_strength_does_not_suffice() {
    let free = misses(&arm(""));
    assert!(free < 1e-3, "{free} m");
    let weak = misses(&arm("strength = 2.0"));
    assert!(weak > 0.05 && weak < 2.0, "{weak} m");
}

#[test]
fn the_scene_of_courses_succeeds() {
    let (simulation, trace) = run(&aplomb::scene::load("trajectory_follow", &[]).expect("a shipped scene"));
    assert!(simulation.criteria.iter().all(|criterion| criterion.holds));
    assert!(trace.frames.iter().all(|frame| !frame.passive[0].failed));
}

#[test]
fn mistakes_in_a_course_are_said_where_they_stand() {
    let wrong = |from: &str, to: &str| message(&arm("").replace(from, to));
    let body = wrong("\"lower\"", "\"lowr\"");
    assert!(body.contains("wrong.toml:7:8 unknown body `lowr`"), "{body}");
    assert!(wrong("at = [0, 1, 2, 3]", "at = [0, 2, 1, 3]").contains("must increase"));
    assert!(wrong("at = [0, 1, 2, 3]", "at = [0, 1, 2]").contains("3 times need as many targets, not 4"));
    assert!(wrong("body = \"lower\"", "joint = \"elbow\"").contains("needs a `joint` with `angles`"));
    assert!(wrong("[0.61, 0, 0.85]]", "[0.6, 0, 0.85]]\nrepeat = true").contains("must end where it begins"));
    assert!(wrong("at =", "settle = 0\nat =").contains("settle must be more than 0"));
}
