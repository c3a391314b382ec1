//! Falls and impacts: physics holds even where a fall cannot be prevented.

use aplomb::analysis::summary::{Closing, Summariser, Summary, judged};
use aplomb::contact::{PART, PART_SPEED, STATIC_SLIP, TOUCH};
use aplomb::dynamics::Kinematics;
use aplomb::language::diagnostic::Source;
use aplomb::model::Model;
use aplomb::predict::limited_coordinates;
use aplomb::scene;
use aplomb::scene::Run as SceneRun;
use aplomb::trace::{CheckName, Contact, ContactKind, Ending, Frame, FrameEvent, Outcome};
use aplomb::world::StepError;
use nalgebra::Vector3;
use std::collections::HashSet;
use std::time::Duration;

/// Disables the division of frames.
const WHOLE: &str = "momentum_tolerance=0";

struct Run {
    model: Model,
    frames: Vec<Frame>,
    dt: f64,
    weight: f64,
    torque_unit: f64,
    summary: Summary,
}

fn run_of(scene: &str, overrides: &[&str]) -> Run {
    let overrides: Vec<String> = overrides.iter().map(|text| text.to_string()).collect();
    let files = scene::load(scene, &overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let model = simulation.character().model.clone();
    let scales = simulation.character().snapshot.scales;
    let (dt, weight, torque_unit) = (simulation.world.settings().dt, scales.weight(), scales.torque());
    let root = (0..model.nv).filter(|&k| model.is_root(k)).count();
    let header = aplomb::scene::header(&files, &simulation);
    let apart = simulation.character().apart.clone();
    let mut summariser = Summariser::new(&header, root).watching(&model).following(&model, &apart);
    let mut frames = Vec::new();
    let last = simulation
        .finish::<StepError>(|_, stepped| {
            let frame = stepped.frame();
            summariser.add(&frame, stepped.character, stepped.timing());
            frames.push(frame);
            Ok(())
        })
        .unwrap();
    let criteria = simulation.criteria.iter().map(judged).collect();
    let ending = Ending { stopped: None, criteria };
    let wall_time = Duration::from_secs(1);
    let closing = Closing {
        last: Some(&last),
        hangs: false,
        stay: None,
        ending: Some(&ending),
        wall_time,
        trace: String::new(),
    };
    let summary = summariser.finish(&closing);
    frames.push(last);
    Run { model, frames, dt, weight, torque_unit, summary }
}

impl Run {
    /// Frame, kind of contact, contact force, displacement of the contact point over the frame divided by dt, its gap
    /// before, and friction.
    fn contacts(&self) -> impl Iterator<Item = (&Frame, ContactKind, Vector3<f64>, Vector3<f64>, f64, f64)> {
        let mut kinematics = Kinematics::new(&self.model);
        let mut ahead = Kinematics::new(&self.model);
        self.frames.windows(2).flat_map(move |two| {
            kinematics.update_position(&self.model, &two[0].q);
            ahead.update_position(&self.model, &two[1].q);
            let moves = two[0].contacts.iter().map(|contact| {
                let body = self.model.body(&contact.body).unwrap();
                let point = Vector3::from(contact.point);
                let local = kinematics.rotation[body.0].tr_mul(&(point - kinematics.position[body.0]));
                let velocity = (ahead.point(body, &local) - point) / self.dt;
                let force = Vector3::from(contact.force);
                (&two[0], contact.kind, force, velocity, contact.gap, contact.friction)
            });
            moves.collect::<Vec<_>>()
        })
    }

    /// Frame, contact that sticks or slides under a force, and displacement of its point over the frame divided by
    /// dt.
    fn contacts_that_push(&self) -> impl Iterator<Item = (&Frame, &Contact, Vector3<f64>)> {
        let mut kinematics = Kinematics::new(&self.model);
        let mut ahead = Kinematics::new(&self.model);
        self.frames.windows(2).flat_map(move |two| {
            kinematics.update_position(&self.model, &two[0].q);
            ahead.update_position(&self.model, &two[1].q);
            let touches = two[0].contacts.iter().filter(|contact| {
                matches!(contact.kind, ContactKind::Static | ContactKind::Dynamic)
                    && contact.force != [0.0; 3]
            });
            let moves = touches.map(|contact| {
                let body = self.model.body(&contact.body).unwrap();
                let point = Vector3::from(contact.point);
                let local = kinematics.rotation[body.0].tr_mul(&(point - kinematics.position[body.0]));
                (&two[0], contact, (ahead.point(body, &local) - point) / self.dt)
            });
            moves.collect::<Vec<_>>()
        })
    }

    fn is_solved(&self) -> bool {
        self.frames.iter().all(|frame| frame.outcome == Outcome::Solved)
    }
}

#[test]
fn a_push_nobody_survives_ends_on_the_floor_without_sinking_or_trembling() {
    let run = run_of("fall", &[]);
    assert!(run.summary.criteria.iter().all(|criterion| criterion.held), "{:?}", run.summary.criteria);
    assert!(run.is_solved());
    let deepest = |is_meant: fn(&Contact) -> bool| {
        let contacts = run.frames.iter().flat_map(|frame| &frame.contacts);
        contacts.filter(|contact| is_meant(contact)).map(|contact| contact.gap).fold(0.0, f64::min)
    };
    // A point that lands at some metres per second is detected a frame late; a loaded point has not sunk by more than
    // the tolerance of a gap.
    assert!(deepest(|_| true) > -0.005, "{} m deep", deepest(|_| true));
    let bearing = deepest(|contact| contact.force != [0.0; 3]);
    assert!(bearing > -0.001, "{bearing} m deep");
    // In the last half second there is hardly any motion, and no oscillation.
    let end = run.frames.last().unwrap();
    for frame in run.frames.iter().filter(|frame| frame.time > end.time - 0.5) {
        let joints = frame.v[6..].iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
        assert!(joints < 0.1, "{joints} rad/s at {} s", frame.time);
        let com = (Vector3::from(frame.com) - Vector3::from(end.com)).norm();
        assert!(com < 0.005, "COM {com} m away at {} s", frame.time);
    }
    assert!(run.summary.root_residual.unwrap().rms < 1e-6);
}

#[test]
fn contacts_of_a_fall_bear_nothing_when_they_part_and_rub_against_their_slip() {
    // Parts of frames are audited in `trust`.
    for overrides in [&[WHOLE][..], &[WHOLE, "dt=0.01", "events.push.impulse=[130.0, 0.0, 0.0]"]] {
        let run = run_of("fall", overrides);
        let mut sliding = 0;
        for (frame, kind, force, velocity, gap, friction) in run.contacts() {
            let (push, speed) = (force.z, velocity.z);
            let after = gap + run.dt * speed;
            let parted = after > TOUCH && speed > PART_SPEED || after > PART;
            assert!(!parted || force.norm() < 1.01e-3 * run.weight, "frame {}: {force}", frame.index);
            let (rub, slip) = (force.xy(), velocity.xy());
            assert!(rub.norm() <= friction * push + 1e-6 * run.weight, "frame {}", frame.index);
            if kind == ContactKind::Dynamic && rub.norm() > 1e-3 * run.weight && slip.norm() > 0.02 {
                sliding += 1;
                assert!(rub.dot(&slip) <= 0.0, "frame {}: {rub} along {slip}", frame.index);
            }
        }
        assert!(sliding > 20, "{sliding} sliding contacts");
    }
}

/// Whether the trace reports that friction is exceptional in a frame: an impact, in which it comes from the edges of
/// pyramids, or a check that was not satisfied.
fn is_transition(frame: &Frame) -> bool {
    let of_friction =
        |check| matches!(check, CheckName::FrictionDirection | CheckName::Separation | CheckName::Creeping);
    frame.solve_events.iter().any(|event| match event {
        FrameEvent::Impact { .. } | FrameEvent::Exhausted => true,
        FrameEvent::CapReached { check } | FrameEvent::Unresolved { check } => of_friction(*check),
        FrameEvent::SecondSolver | FrameEvent::Unbraked | FrameEvent::Divided => false,
    })
}

#[test]
fn friction_takes_energy_and_what_slides_has_all_of_it() {
    for (scene, overrides, least, most_creeping) in [
        ("fall", &["duration=3.0"][..], 10, 0.25),
        ("climb", &["duration=4.0"], 300, 0.01),
        ("ice", &["ground.friction=0.05", "events.push.impulse=[45, 0, 0]"], 20, 0.05),
        ("step_push", &[], 0, 0.0),
    ] {
        let run = run_of(scene, overrides);
        let (mut sliding, mut creeping, mut sticking_work) = (0_u32, 0_u32, 0.0);
        let mut bore = HashSet::new();
        let mut bears = (0, HashSet::new());
        for (frame, contact, velocity) in run.contacts_that_push() {
            if frame.index != bears.0 {
                bore = std::mem::replace(&mut bears, (frame.index, HashSet::new())).1;
            }
            let has_landed = bore.contains(&(&contact.name, &contact.surface));
            bears.1.insert((&contact.name, &contact.surface));
            let (force, normal) = (Vector3::from(contact.force), Vector3::from(contact.normal));
            let push = force.dot(&normal);
            let (rub, slip) = (force - normal * push, velocity - normal * normal.dot(&velocity));
            let power = rub.dot(&slip);
            if contact.kind == ContactKind::Static {
                assert!(slip.norm() <= STATIC_SLIP, "{scene}, frame {}: {slip}", frame.index);
                sticking_work += power.max(0.0) * run.dt;
                continue;
            }
            let at =
                format!("{scene}, frame {}, {}: {rub} of {push} N, slip {slip}", frame.index, contact.name);
            assert!(power <= 1e-6 * run.weight * slip.norm(), "{at}");
            if has_landed && push > 1e-3 * run.weight && !is_transition(frame) {
                sliding += 1;
                creeping += u32::from(rub.norm() < 0.99 * contact.friction * push);
            }
        }
        assert!(sliding >= least, "{scene}: {sliding} slide");
        // Points that return to a surface in the frame get friction from the edges of a pyramid.
        assert!(
            f64::from(creeping) <= most_creeping * f64::from(sliding),
            "{scene}: {creeping} of {sliding}"
        );
        // Sticking points may move as far as the residual cost of contacts allows.
        assert!(sticking_work < 1e-3 * run.weight, "{scene}: {sticking_work} J");
    }
}

#[test]
fn joint_limits_push_only_joints_that_come_to_them_and_torques_keep_to_their_limits() {
    // Momentum balances change the root after the solve, and torques with it.
    let exact = "bias_velocity=\"extrapolated\"";
    let run = run_of("fall", &["dt=0.01", exact, WHOLE, "events.push.impulse=[180.0, 0.0, 0.0]"]);
    let mut pushes = 0;
    for two in run.frames.windows(2) {
        let (now, next) = (&two[0], &two[1]);
        for (coordinate, q, [low, high]) in limited_coordinates(&run.model, &next.q) {
            let reaction = now.stop_reaction[coordinate];
            let gap = if reaction > 0.0 { q - low } else { high - q };
            if reaction.abs() > 2e-3 * run.torque_unit {
                pushes += 1;
                assert!(gap < 2e-3, "frame {}: {} N m at {gap} rad", now.index, reaction);
            }
        }
        for (torque, [low, high]) in now.torque.iter().zip(&run.model.torque_limits) {
            assert!(*torque > low - 1e-6 * run.torque_unit && *torque < high + 1e-6 * run.torque_unit);
        }
    }
    assert!(pushes > 3, "{pushes} pushes");
}

#[test]
fn steps_break_contact_without_force_and_a_foot_lifted_at_leisure_is_lifted_softly() {
    for scene in ["step_push", "step_strong", "ice", "step_child"] {
        let summary = run_of(scene, &[]).summary;
        let share = summary.break_force.map_or(0.0, |worst| worst.share);
        assert!(share <= 1e-3, "{scene}: {share} m g");
        assert!(!summary.gait.unwrap().lifts.is_empty(), "{scene}");
    }
    let summary = run_of("one_foot", &["duration=5.0"]).summary;
    let lifts = summary.gait.unwrap().lifts;
    assert_eq!(lifts.len(), 1);
    assert!(lifts[0].largest_change < 0.1, "{:?}", lifts[0]);
}

#[test]
fn the_bias_force_at_the_midpoint_is_exact() {
    for impulse in ["[42.0, 0.0, 0.0]", "[0.0, 50.0, 0.0]"] {
        let set = format!("events.push.impulse={impulse}");
        let run = run_of("step_push", &["bias_velocity=\"midpoint\"", "duration=2.0", &set]);
        assert!(run.frames.iter().filter(|frame| frame.bias_velocity == "midpoint").count() > 190);
        let residual = run.summary.root_residual.unwrap();
        assert!(residual.max < 1e-7, "{residual:?}");
    }
}

#[test]
fn a_floor_that_comes_back_about_the_feet_does_not_throw() {
    let text = "duration = 1.5\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n\
                [events.gone]\nkind = \"vanish\"\nobstacle = \"ground\"\nat = 0.3\nduration = 0.4\n";
    let run = crate::run::Run::from(&scene::load_text(&Source::new("scenes/own.toml", text)).unwrap());
    let height = |frame: &Frame| frame.com[2];
    let back = run.frames.iter().position(|frame| frame.time > 0.695).unwrap();
    assert!(height(&run.frames[back]) < 0.5, "it has fallen: {} m", height(&run.frames[back]));
    let speeds = run.frames.windows(2).skip(back).map(|pair| (height(&pair[1]) - height(&pair[0])) / 0.01);
    let fastest = speeds.fold(0.0, f64::max);
    assert!(fastest < 1.3, "{fastest} m/s");
}
