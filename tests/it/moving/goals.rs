//! Targets that move; goals and constraints that events enable and disable.

use super::{ON_PLATFORM, RIDER, load, load_with, run};
use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::Frame;
use aplomb::world::character::Character;
use aplomb::world::{CharacterId, StepError};
use nalgebra::Point3;
use std::ops::Range;

/// Distance of the right hand from its target, and cost of the goal, by frame.
fn pursuit(overrides: &[&str]) -> (Vec<Option<f64>>, Vec<f64>) {
    let overrides: Vec<String> = overrides.iter().map(|argument| argument.to_string()).collect();
    let files = scene::load("moving_target", &overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let index = simulation.character().objectives.iter().position(|name| name == "hand on target").unwrap();
    let (mut distances, mut costs) = (Vec::new(), Vec::new());
    let last = simulation.finish::<StepError>(|_, stepped| {
        let frame = stepped.frame();
        distances.push(frame.distances.first().copied().flatten());
        costs.push(frame.costs[index]);
        Ok(())
    });
    last.unwrap();
    assert!(simulation.criteria.iter().all(|criterion| criterion.holds));
    (distances, costs)
}

#[test]
fn a_hand_follows_a_moving_point_within_a_millimetre() {
    let (distances, costs) = pursuit(&[]);
    let held: Vec<f64> = distances[150..850].iter().map(|distance| distance.unwrap()).collect();
    let rms = (held.iter().map(|d| d * d).sum::<f64>() / held.len() as f64).sqrt();
    assert!(rms < 1e-3, "{rms} m");
    assert!(held.iter().fold(0.0, |most: f64, d| most.max(*d)) < 2e-3);
    // Only between the events that enable and disable the goal.
    for (k, (distance, cost)) in distances.iter().zip(&costs).enumerate() {
        assert_eq!(distance.is_some(), (50..850).contains(&k), "frame {k}");
        assert!(*cost == 0.0 || (50..850).contains(&k), "frame {k}");
    }
}

#[test]
fn a_goal_that_is_told_not_to_follow_trails_its_target() {
    let set = r#"controller.states.balance.objectives."hand on target".of.body_point.follow=false"#;
    let files = scene::load("moving_target", &[set.into()]).unwrap();
    let run = run(&files);
    let model = &run.model;
    let site = &model.sites[model.site("right_hand_grip").unwrap()];
    let hand = |frame: &Frame| model.body_poses(&frame.q)[site.body.unwrap().0] * Point3::from(site.position);
    // Halfway between the keyframes at 2 and 3.2 s.
    let target = Point3::new(0.425, -0.325, 1.2);
    let trails = (hand(&run.frames[260]) - target).norm();
    assert!(trails > 0.03, "{trails} m");
}

/// A goal that pulls the hand into the hip, with collision avoidance between arm and hip.
const INTO_THE_HIP: &str = r#"
[[collision_avoidance]]
name = "arm"
bodies = ["left_upper_arm"]
from = ["pelvis"]

[[objectives]]
name = "into the hip"
weight = 1.0
response = 0.2
of = { body_point = { point = "left_hand", target = "position(pelvis)" } }
"#;

#[test]
fn a_constraint_holds_only_while_events_let_it() {
    let scene = format!(
        "duration = 2.0\n{ON_PLATFORM}\n\
         [events.let_through]\nkind = \"disable\"\nconstraint = \"arm\"\nat = 1.0\nduration = 0.5\n"
    );
    let files = load_with(&scene, &format!("{RIDER}{INTO_THE_HIP}"));
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let mut distances = Vec::new();
    let last = simulation.finish::<StepError>(|world, _| {
        let Character { model, snapshot, apart, .. } = world.character(CharacterId(0));
        distances.push(apart[0].least(model, &snapshot.kinematics, 1.0).unwrap().0);
        Ok(())
    });
    last.unwrap();
    let least = |frames: Range<usize>| distances[frames].iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least(0..100) > -1e-3, "{} m while it holds", least(0..100));
    assert!(least(90..100) < 0.01, "{} m: the goal wants to go on", least(90..100));
    assert!(least(100..150) < -0.01, "{} m while it does not", least(100..150));
    let again = least(190..200);
    assert!(again > least(149..150), "{again} m when it holds again");
    let scene = scene.replace("\"arm\"", "\"am\"");
    let errors = SceneRun::bind(&load_with(&scene, &format!("{RIDER}{INTO_THE_HIP}"))).err().unwrap();
    assert_eq!(errors[0].message, "the controller has no collision_avoidance `am`");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `arm`?"));
}

#[test]
fn an_event_for_an_objective_that_is_not_there_says_which_are() {
    let scene = format!(
        "duration = 1.0\n{ON_PLATFORM}\n[events.calm]\nkind = \"enable\"\nobjective = \"rest poze\"\nat = 0.5\n"
    );
    let errors = SceneRun::bind(&load(&scene)).err().unwrap();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "the controller has no objective `rest poze`");
    assert_eq!(errors[0].help.as_deref(), Some("did you mean `rest pose`?"));
    assert_eq!((errors[0].place().1, errors[0].place().2), (14, 13));
    let scene = scene.replace("rest poze", "stand.rest pose");
    let errors = SceneRun::bind(&load(&scene)).err().unwrap();
    let known = "known: com over support, com height, chest upright, joint damping, rest pose";
    assert_eq!(errors[0].help.as_deref(), Some(known));
}
