//! The solve loop: findings of its checks, their bounds, and the events when a check gives up.

use aplomb::contact::{ContactOutcome, FrictionStep};
use aplomb::dynamics::BiasVelocity;
use aplomb::model::scales::STANDARD_GRAVITY;
use aplomb::passive::PassiveWorld;
use aplomb::scene::{self, Run as SceneRun};
use aplomb::synthesis::check::{self, Correction, Findings, Rounds, View};
use aplomb::trace::{CheckName, Frame, FrameEvent, Outcome};
use aplomb::world::character::Character;
use aplomb::world::frame::problem::Resolution;
use nalgebra::Vector3;

fn simulation(name: &str, overrides: &[&str]) -> SceneRun {
    let overrides: Vec<String> = overrides.iter().map(|text| text.to_string()).collect();
    let mut simulation = SceneRun::bind(&scene::load(name, &overrides).unwrap()).unwrap();
    acting(&mut simulation).synthesiser.keeps_problem = true;
    simulation
}

fn acting(simulation: &mut SceneRun) -> &mut Character {
    let first = simulation.world.characters().next().expect("somebody acts");
    simulation.world.character_mut(first)
}

/// The records of some frames, and how their solve loops ended.
fn run(simulation: &mut SceneRun, frames: usize) -> Vec<(Frame, Resolution)> {
    let step = |_| {
        let frame = simulation.step().unwrap().expect("it goes on").frame();
        (frame, simulation.character().problem.solved.resolution)
    };
    (0..frames).map(step).collect()
}

const PUSHED: [&str; 1] = ["events.push.at=0.05"];

#[test]
fn a_loop_that_runs_out_of_solves_says_which_checks_it_leaves() {
    // A bias force at the midpoint during a push takes more than one solve.
    let midpoint = [PUSHED[0], "bias_velocity=\"midpoint\""];
    let mut simulation = simulation("balance_push", &midpoint);
    acting(&mut simulation).problem.most_solves = 1;
    let frames = run(&mut simulation, 12);
    let exhausted = |(frame, _): &&(Frame, Resolution)| frame.solve_events.contains(&FrameEvent::Exhausted);
    let left: Vec<_> = frames.iter().filter(exhausted).collect();
    assert!(!left.is_empty());
    for (frame, resolution) in left {
        let unresolved = |event: &&FrameEvent| matches!(event, FrameEvent::Unresolved { .. });
        let count = frame.solve_events.iter().filter(unresolved).count();
        assert!(count > 0, "{:?}", frame.solve_events);
        assert_eq!(*resolution, Resolution::Accepted { unresolved: count });
    }
}

#[test]
fn a_loop_with_solves_to_spare_converges_without_a_word() {
    let mut simulation = simulation("balance_push", &PUSHED);
    for (frame, resolution) in run(&mut simulation, 12) {
        assert_eq!((resolution, frame.solve_events.as_slice()), (Resolution::Converged, &[][..]));
    }
}

/// A standing character whose first loaded contact has this outcome in the last solve while all others rest.
fn standing(outcome: impl Fn(&Character) -> ContactOutcome) -> (SceneRun, usize) {
    let mut simulation = simulation("balance_push", &[]);
    run(&mut simulation, 3);
    let character = acting(&mut simulation);
    let first = character.snapshot.contacts.touches.iter().position(|touch| touch.bears());
    let first = first.expect("it stands");
    let outcome = outcome(character);
    let rests =
        ContactOutcome { force: Vector3::zeros(), velocity: Vector3::zeros(), bend: Vector3::zeros() };
    character.problem.outcomes.fill(rests);
    character.problem.outcomes[first] = outcome;
    (simulation, first)
}

/// The findings of the checks in that state after `rounds` rounds of one of them.
fn findings(simulation: &mut SceneRun, check: CheckName, rounds: u32) -> Findings {
    let Character { model, snapshot, synthesiser, problem, .. } = acting(simulation);
    let mut used = Rounds::default();
    (0..rounds).for_each(|_| used.count(check));
    let (linearisation, result, constraints) = synthesiser.inspected();
    let mut view = View {
        model,
        snapshot,
        linearisation,
        result,
        constraints,
        outcomes: &problem.outcomes,
        grip_forces: &[],
        ahead: &snapshot.kinematics,
        passive: Some(&mut PassiveWorld::default()),
        holder: 0,
        bias: BiasVelocity::Backward,
        rounds: &used,
        dt: snapshot.scales.dt,
    };
    let mut found = Findings::default();
    check::inspect(&mut view, &mut found);
    found
}

fn driven(character: &Character) -> ContactOutcome {
    let weight = character.snapshot.scales.mass * STANDARD_GRAVITY;
    let force = Vector3::new(0.1 * weight, 0.0, 0.5 * weight);
    ContactOutcome { force, velocity: Vector3::new(0.1, 0.0, 0.0), bend: Vector3::zeros() }
}

#[test]
fn driven_points_stick_or_slide_six_times_lose_friction_twice_and_then_it_is_an_impact() {
    let (mut simulation, first) = standing(driven);
    let check = CheckName::FrictionDirection;
    let slip = Vector3::new(0.1, 0.0, 0.0);
    let keep = |step| Correction::Keep { touch: first, step };
    let steps = [
        (FrictionStep::AsBefore, keep(FrictionStep::Kept)),
        (FrictionStep::Kept, Correction::Slide { touch: first, slip }),
        (FrictionStep::Slid, keep(FrictionStep::Fixed)),
    ];
    for round in [0, 5] {
        for (done, next) in steps {
            acting(&mut simulation).snapshot.contacts.touches[first].friction_step = done;
            let found = findings(&mut simulation, check, round);
            assert_eq!((found.list(), found.capped()), (&[(check, next)][..], &[][..]));
        }
    }
    let touches = &simulation.character().snapshot.contacts.touches;
    let (all, foot) = (touches.len(), touches[first].body);
    let of_foot = touches.iter().filter(|touch| touch.body == foot).count();
    for (round, count) in [(6, of_foot), (7, all)] {
        let found = findings(&mut simulation, check, round);
        assert_eq!((found.list().len(), found.capped()), (count, &[check][..]));
        assert!(found.list().iter().all(|(_, of)| matches!(of, Correction::Smooth { .. })));
    }
    let found = findings(&mut simulation, check, 8);
    assert_eq!(found.list(), [(CheckName::Impact, Correction::Impact)]);
    assert_eq!(found.unresolved(), [check]);
}

#[test]
fn what_slides_with_friction_to_spare_is_kept_and_what_has_it_all_slides() {
    for (share, count) in [(0.5, 1), (1.0, 0)] {
        let (mut simulation, first) = standing(|character| {
            let friction =
                character.snapshot.contacts.touches.iter().find(|touch| touch.bears()).unwrap().friction;
            let force =
                Vector3::new(-share * friction, 0.0, 1.0) * (0.5 * character.snapshot.scales.weight());
            ContactOutcome { force, velocity: Vector3::new(0.1, 0.0, 0.0), bend: Vector3::zeros() }
        });
        let check = CheckName::Creeping;
        let kept = [(check, Correction::Keep { touch: first, step: FrictionStep::Kept })];
        assert_eq!(findings(&mut simulation, check, 0).list(), &kept[..count], "{share}");
        assert_eq!(findings(&mut simulation, check, 4).unresolved(), &[check][..count], "{share}");
    }
}

#[test]
fn a_point_that_parts_loses_its_force_and_with_it_its_friction() {
    let (mut simulation, first) = standing(|character| {
        let mut outcome = driven(character);
        outcome.velocity.z = 1.0;
        outcome
    });
    let check = CheckName::Separation;
    let found = findings(&mut simulation, check, 0);
    assert_eq!(found.list(), [(check, Correction::Unload { touch: first })]);
    let found = findings(&mut simulation, check, 3);
    assert_eq!(found.list()[0], (check, Correction::Pin { touch: first }));
    assert_eq!(found.capped(), [check]);
}

#[test]
fn what_rests_is_content() {
    let (mut simulation, _) = standing(|_| ContactOutcome {
        force: Vector3::z(),
        velocity: Vector3::zeros(),
        bend: Vector3::zeros(),
    });
    let found = findings(&mut simulation, CheckName::Impact, 0);
    assert!(found.list().is_empty() && found.unresolved().is_empty());
}

#[test]
fn a_fall_says_its_impacts_and_what_it_leaves() {
    let frames = run(&mut simulation("fall", &["events.push.impulse=[0, 120, 0]"]), 300);
    let events = || frames.iter().flat_map(|(frame, _)| &frame.solve_events);
    assert!(events().any(|event| matches!(event, FrameEvent::Impact { .. })));
    for (frame, resolution) in &frames {
        if matches!(frame.outcome, Outcome::Failed { .. }) {
            assert_eq!(*resolution, Resolution::Failed);
            continue;
        }
        let unresolved = |event: &&FrameEvent| matches!(event, FrameEvent::Unresolved { .. });
        match frame.solve_events.iter().filter(unresolved).count() {
            0 => assert_eq!(*resolution, Resolution::Converged),
            unresolved => assert_eq!(*resolution, Resolution::Accepted { unresolved }),
        }
    }
}
