//! Everyday motions: squats, a jump, getting up from a bench, a walk, pull-ups, monkey bars.

use crate::run::Run;
use aplomb::model::Model;
use aplomb::trace::{ContactKind, Frame, Outcome};
use nalgebra::{Isometry3, Vector3};

fn model(run: &Run) -> &Model {
    &run.simulation.character().model
}

fn passes(run: &Run) {
    for criterion in &run.simulation.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
    assert!(run.frames.iter().all(|frame| frame.outcome == Outcome::Solved), "a frame gave way");
}

fn angle(run: &Run, frame: &Frame, joint: &str) -> f64 {
    let model = model(run);
    frame.q[model.joints[model.joint(joint).unwrap().0].q_index]
}

fn knees_nearly_straight(run: &Run) {
    for joint in ["left_knee", "right_knee"] {
        let knee = angle(run, run.frames.last().unwrap(), joint);
        assert!(knee < 0.3, "{joint}: {knee} rad");
    }
}

#[test]
fn squats_go_down_to_level_thighs_and_up_three_times() {
    let run = Run::of("squat", &[]);
    passes(&run);
    knees_nearly_straight(&run);
    let height = |frame: &Frame| frame.com[2];
    let middle = 0.75;
    let down = run.frames.windows(2).filter(|two| height(&two[0]) > middle && height(&two[1]) <= middle);
    assert_eq!(down.count(), 3);
}

#[test]
fn a_jump_is_higher_than_a_quarter_of_a_metre_with_weights_five_per_cent_off() {
    let weights = [
        ("objectives.trunk", 0.5),
        ("states.push.objectives.\"com up\"", 4.0),
        ("states.toes.objectives.\"does not turn\"", 10.0),
        ("states.land.objectives.\"com height\"", 4.0),
    ];
    for sign in [0.0, 1.0, -1.0] {
        let changed = weights.iter().enumerate().map(|(k, (path, weight))| {
            let share = 1.0 + 0.05 * sign * if k % 2 == 0 { 1.0 } else { -1.0 };
            format!("controller.{path}.weight={}", weight * share)
        });
        let changed: Vec<String> = changed.collect();
        let run = Run::of("jump", &changed.iter().map(String::as_str).collect::<Vec<_>>());
        passes(&run);
        let flight = run.frames.iter().filter(|frame| frame.has_forces() && frame.contacts.is_empty());
        assert!(flight.count() > 60, "0.3 s and more in the air");
    }
}

#[test]
fn who_sits_on_a_bench_gets_up_from_it() {
    let run = Run::of("sit_to_stand", &[]);
    passes(&run);
    knees_nearly_straight(&run);
    let borne = |frame: &Frame| {
        let on_bench = frame.contacts.iter().filter(|contact| contact.surface == "bench");
        on_bench.map(|contact| contact.force[2]).sum::<f64>() / (model(&run).mass() * 9.81)
    };
    let at = |time: f64| run.frames.iter().find(|frame| frame.time >= time).unwrap();
    assert!(borne(at(0.9)) > 0.15, "{} of the weight on the bench", borne(at(0.9)));
    assert!(borne(at(3.0)) == 0.0);
}

/// A shortened walk for the tests, with a push on the way.
const SHORT: [&str; 3] = ["duration=7", "events.push.at=4", "success.fast.at_end='com.x > 4.4'"];

fn lowest(model: &Model, poses: &[Isometry3<f64>], foot: &str) -> f64 {
    let body = model.body(foot).unwrap();
    let of_foot = model.geoms.iter().filter(|geom| geom.body.is_some_and(|part| model.is_within(part, body)));
    let heights = of_foot.map(|geom| {
        let own = Isometry3::from_parts(geom.position.into(), geom.orientation);
        geom.shape.lowest_point(&(poses[geom.body.unwrap().0] * own))
    });
    heights.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_walk_goes_on_through_a_push_with_feet_that_alternate_and_clear_the_ground() {
    let run = Run::of("walk", &SHORT);
    passes(&run);
    let model = model(&run);
    let [left, right] = ["left_foot", "right_foot"].map(|foot| model.body(foot).unwrap().0);
    // Frames in which one foot overtakes the other, and its clearance.
    let mut passing: Vec<(bool, f64)> = Vec::new();
    let mut before: Option<f64> = None;
    for frame in run.frames.iter().filter(|frame| frame.time > 1.5) {
        let poses = model.body_poses(&frame.q);
        let ahead = poses[left].translation.x - poses[right].translation.x;
        if before.is_some_and(|before| before * ahead < 0.0) {
            let foot = if ahead > 0.0 { "left_foot" } else { "right_foot" };
            passing.push((ahead > 0.0, lowest(model, &poses, foot)));
        }
        before = Some(ahead);
    }
    assert!(passing.len() >= 9, "{} steps", passing.len());
    assert!(passing.windows(2).all(|two| two[0].0 != two[1].0), "feet alternate");
    assert!(passing.iter().all(|(_, clearance)| *clearance > 0.03), "{passing:?}");
    // Feet do not slide while they stand.
    let slides = |frame: &Frame| frame.contacts.iter().any(|contact| contact.kind == ContactKind::Dynamic);
    let sliding = run.frames.iter().filter(|frame| slides(frame)).count();
    assert!(sliding < run.frames.len() / 20, "feet slide in {sliding} frames");
}

#[test]
fn arms_swing_against_the_legs_in_a_walk() {
    let run = Run::of("walk", &["duration=6", "events={}", "success={}"]);
    for side in ["left", "right"] {
        let pairs = run.frames.iter().filter(|frame| frame.time > 3.0).map(|frame| {
            let of = |joint: &str| angle(&run, frame, &format!("{side}_{joint}_y"));
            Vector3::new(of("shoulder"), of("hip"), 1.0)
        });
        let pairs: Vec<Vector3<f64>> = pairs.collect();
        let mean = pairs.iter().sum::<Vector3<f64>>() / pairs.len() as f64;
        let moment = |f: &dyn Fn(Vector3<f64>) -> f64| pairs.iter().map(|pair| f(pair - mean)).sum::<f64>();
        let correlation = moment(&|p| p.x * p.y) / (moment(&|p| p.x * p.x) * moment(&|p| p.y * p.y)).sqrt();
        assert!(correlation < -0.6, "{side}: {correlation}");
    }
}

#[test]
fn two_pull_ups_bring_the_mouth_to_the_bar_with_both_hands_on_it() {
    let run = Run::of("pull_up", &[]);
    passes(&run);
    let heights: Vec<f64> = run.frames.iter().map(|frame| frame.com[2]).collect();
    let middle = heights[0] + 0.25;
    assert_eq!(heights.windows(2).filter(|two| two[0] < middle && two[1] >= middle).count(), 2);
}

#[test]
fn six_rungs_are_taken_hand_over_hand() {
    let run = Run::of("monkey_bars", &[]);
    passes(&run);
    let taken = |name: &str| run.frames.iter().any(|frame| frame.contacts.iter().any(|c| c.surface == name));
    for rung in 0..8 {
        assert!(taken(&format!("rung_{rung}")), "rung {rung}");
    }
}
