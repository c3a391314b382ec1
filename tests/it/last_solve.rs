//! Expressions know how the previous frame was solved.

use crate::run::Run;
use aplomb::scene;
use aplomb::trace::{FrameEvent, Outcome};
use std::fs;

const CONTROLLER: &str = r#"
start = "impossible"

[states.impossible]
until = "gave_way > 0 and not solved and not was_impact"
to = ["stand"]

[[states.impossible.objectives]]
name = "three metres up"
weight = 1
hard = true
of = { com_height = { target = 3 } }

[states.stand]
until = "solved and gave_way == 0"
to = ["stood"]

[[states.stand.objectives]]
name = "keep the pose"
weight = 1
of = { pose = {} }

[states.stood]

[[states.stood.objectives]]
name = "keep the pose"
weight = 1
of = { pose = {} }
"#;

#[test]
fn a_state_is_left_when_a_constraint_gave_way_and_another_when_all_hold_again() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("try.toml", CONTROLLER);
    write(
        "scene.toml",
        "duration = 0.05\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"try.toml\"\n",
    );
    let run = Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap());
    let states: Vec<&str> = run.frames[..4].iter().map(|frame| frame.state.as_str()).collect();
    assert!(matches!(run.frames[0].outcome, Outcome::Relaxed { .. }));
    assert_eq!(run.frames[1].outcome, Outcome::Solved);
    assert_eq!(states, ["impossible", "stand", "stood", "stood"]);
}

#[test]
fn an_impact_is_known_in_the_next_frame_whatever_part_of_its_frame_it_was_in() {
    let run = Run::of("fall", &["success={ hit = { once = \"was_impact\" } }"]);
    let first = run
        .frames
        .iter()
        .position(|frame| frame.solve_events.iter().any(|event| matches!(event, FrameEvent::Impact { .. })));
    let known = run.simulation.criteria[0].at;
    let next = first.map(|frame| run.frames[frame + 1].time);
    assert!(next.is_some(), "the scene has an impact");
    assert_eq!(known, next);
}
