//! Getting up from lying on the back and on the belly.

use crate::run::Run;
use aplomb::trace::{Frame, Outcome};

fn gets_up(scene: &str) -> Run {
    let run = Run::of(scene, &[]);
    for criterion in &run.simulation.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
    assert!(run.frames.iter().all(|frame| frame.outcome == Outcome::Solved), "a frame gave way");
    // No joint torque exceeds its limit.
    let limits = &run.simulation.character().model.torque_limits;
    for frame in &run.frames {
        for (torque, [low, high]) in frame.torque.iter().zip(limits).skip(6) {
            assert!(*torque > low - 1e-6 && *torque < high + 1e-6, "{torque} N m at {} s", frame.time);
        }
    }
    run
}

fn at(run: &Run, time: f64) -> &Frame {
    run.frames.iter().find(|frame| frame.time >= time).unwrap()
}

/// Bodies that support more than a hundredth of the weight.
fn bearing(run: &Run, frame: &Frame) -> Vec<String> {
    let model = &run.simulation.character().model;
    let least = 0.01 * model.mass() * 9.81;
    let borne = frame.contacts.iter().filter(|contact| contact.force[2] > least);
    borne.map(|contact| contact.body.clone()).collect()
}

#[test]
fn who_lies_limp_on_the_belly_gets_up_over_hands_and_toes() {
    let run = gets_up("get_up_belly");
    let lying = bearing(&run, at(&run, 0.4));
    assert!(lying.iter().any(|name| name == "chest"), "{lying:?}");
    assert!(lying.iter().any(|name| name == "pelvis"), "{lying:?}");
    // In between, only hands and feet support the body.
    let limbs = |name: &String| ["hand", "foot", "toe"].iter().any(|part| name.ends_with(part));
    let hands = run.frames.iter().filter(|frame| {
        let borne = bearing(&run, frame);
        borne.iter().all(limbs)
            && borne.iter().any(|name| name == "left_hand")
            && borne.iter().any(|name| name == "right_hand")
    });
    assert!(hands.count() > 50, "half a second on hands and feet");
    let feet = |name: &String| name.ends_with("foot") || name.ends_with("toe");
    assert!(bearing(&run, run.frames.last().unwrap()).iter().all(feet));
}

#[test]
fn who_lies_on_the_back_sits_up_and_then_stands_up() {
    let run = gets_up("get_up_back");
    let lying = bearing(&run, at(&run, 0.4));
    assert!(lying.iter().any(|name| name == "chest"), "{lying:?}");
    let model = &run.simulation.character().model;
    let [pelvis, head] = ["pelvis", "head"].map(|name| model.body(name).unwrap().0);
    // At one time it sits: the seat is on the floor and the head above it.
    let sits = run.frames.iter().any(|frame| {
        let poses = model.body_poses(&frame.q);
        let up = poses[head].translation.z - poses[pelvis].translation.z;
        up > 0.45 && bearing(&run, frame).iter().any(|name| name == "pelvis")
    });
    assert!(sits, "never sits");
    let feet = |name: &String| name.ends_with("foot") || name.ends_with("toe");
    assert!(bearing(&run, run.frames.last().unwrap()).iter().all(feet));
}

#[test]
fn forces_on_a_ragdoll_are_felt_by_criteria() {
    let short = ["duration=4", "success={ fine = { always = \"normal_force(head) <= 1e9\" } }"];
    let run = Run::of("fall_limp", &short);
    let normal = |frame: &Frame| -> f64 {
        let at_head = frame.contacts.iter().filter(|contact| contact.body == "head");
        at_head.map(|contact| contact.force.iter().zip(contact.normal).map(|(f, n)| f * n).sum::<f64>()).sum()
    };
    let limp = run.frames.iter().filter(|frame| frame.outcome == Outcome::Limp);
    let hardest = limp.map(normal).fold(0.0, f64::max);
    assert!(hardest > 100.0, "the head comes down: {hardest} N");
    for (share, held) in [(0.99, false), (1.01, true)] {
        let limit = share * hardest;
        let criterion = format!("success={{ soft = {{ always = \"normal_force(head) <= {limit}\" }} }}");
        let again = Run::of("fall_limp", &["duration=4", &criterion]);
        assert_eq!(again.simulation.criteria[0].holds, held, "{limit} N");
    }
}
