//! Hands that hold ropes: both are moved by the same forces in the same frame.

use crate::run::Run;
use aplomb::language::diagnostic::Source;
use aplomb::math::spatial::Force;
use aplomb::objective::{Form, Now, Objective, Order, Residual};
use aplomb::passive::{
    Energy, Holdable, KinematicColliders, Outline, Part, PartId, PassiveSystem, PassiveTouch, SolverStats,
    StepStatus,
};
use aplomb::predict::Prediction;
use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, LoadError};
use aplomb::trace::{ContactKind, Frame, Outcome};
use aplomb::world::Goal;
use nalgebra::Vector3;
use std::fs;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn written(text: &str) -> Run {
    Run::from(&scene::load_text(&Source::new("scene.toml", text)).unwrap())
}

/// Sum of the forces of grips on the character, N.
fn grip_force(frame: &Frame) -> Vector3<f64> {
    let grips = frame.contacts.iter().filter(|contact| contact.kind == ContactKind::Grip);
    grips.map(|contact| Vector3::from(contact.force)).sum()
}

/// Linear momentum of the first object, N s.
fn momentum_of_object(run: &Run, frame: &Frame) -> Vector3<f64> {
    run.simulation.world.passive().whole(0).mass * Vector3::from(frame.passive[0].com_velocity)
}

/// Largest distance of a grip from its hold from `from` seconds on, m.
fn grip_error(run: &Run, from: f64) -> f64 {
    let late = run.frames.iter().filter(|frame| frame.time >= from);
    let grips = late.flat_map(|frame| &frame.contacts).filter(|contact| contact.kind == ContactKind::Grip);
    grips.fold(0.0, |most: f64, contact| most.max(contact.gap))
}

/// An adult in free space that holds a floating rope, thrown past it.
const ADRIFT: &str = r#"
title = "Adrift"
duration = 2.0
gravity = [0, 0, 0]
force_weight = 1e-8
[passive_settings]
dt = 0.005
[passive.rope]
kind = "chain"
points = [[0, 0, 4.0], [0, 0, 2.3]]
links = 12
mass = 3.0
fixed = false
damping = 0.05
projection_passes = 1
velocity = [0.5, 0.2, 0.3]
touches = false
[holds.at]
upper = { on = "rope", along = 1.5 }
lower = { on = "rope", along = 1.62 }
[characters.adult]
model = "adult"
controller = "swing"
height = 0.3
pose = { left_shoulder_x = 0.1, left_shoulder_y = -2.9, left_elbow = -0.3, right_shoulder_x = -0.1, right_shoulder_y = -2.9, right_elbow = -0.3 }
reach = { left_hand_grip = "position(upper)", right_hand_grip = "position(lower)" }
[success]
holds_on = { always = "grip_count == 2" }
"#;

#[test]
fn a_rope_receives_exactly_what_the_hands_feel() {
    let run = written(ADRIFT);
    assert!(run.passes());
    let mut exchanged = 0.0;
    for pair in run.frames.windows(2) {
        let gained = momentum_of_object(&run, &pair[1]) - momentum_of_object(&run, &pair[0]);
        let given = 0.01 * grip_force(&pair[0]);
        exchanged += given.norm();
        assert!((gained + given).norm() < 1e-9, "{gained} {given} at {} s", pair[0].time);
    }
    assert!(exchanged > 1.0, "{exchanged} N s say nothing");
    assert!(grip_error(&run, 0.2) < 1e-4, "{} m", grip_error(&run, 0.2));
}

const BLOCK: &str = r#"<mujoco>
  <worldbody>
    <body name="block" pos="0 0 0">
      <freejoint name="root"/>
      <geom name="block" type="box" size="0.1 0.15 0.2" mass="5"/>
      <site name="hook" pos="0.1 0 0.1"/>
    </body>
  </worldbody>
</mujoco>
"#;

const HOOKED: &str = r#"
title = "A block on a rope"
duration = 3.0
gravity = [0, 0, 0]
bias_velocity = "midpoint"
[passive_settings]
dt = 0.002
[passive.rope]
kind = "chain"
points = [[0.1, 0, 1.3], [1.1, 0, 1.3]]
links = 10
mass = 1.0
fixed = false
stiffness = 0.2
damping = 0.01
velocity = [0, 0.8, 0.4]
[holds.at]
ring = { on = "rope", along = 0 }
[characters.block]
model = "block.xml"
controller = "block.toml"
height = 1.0
[success]
holds_on = { always = "grip_count == 1" }
"#;

#[test]
fn momentum_of_character_and_rope_is_kept_when_nothing_else_acts() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("block.xml", BLOCK);
    write("block.toml", "start = \"hold\"\n[states.hold]\ngrip = { hook = \"ring\" }\n");
    write("scene.toml", HOOKED);
    let run = Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap());
    assert!(run.passes());
    // A body whose frame is at its centre of mass has exactly this momentum, with any integrator.
    let total = |frame: &Frame| 5.0 * Vector3::from(frame.com_velocity) + momentum_of_object(&run, frame);
    let first = total(&run.frames[0]);
    assert!((first - Vector3::new(0.0, 0.8, 0.4)).norm() < 1e-12);
    for frame in &run.frames {
        assert!((total(frame) - first).norm() < 1e-9, "{} at {} s", total(frame), frame.time);
    }
    let taken = run.frames.last().unwrap().com_velocity;
    assert!(Vector3::from(taken).norm() > 0.05, "the rope draws the block along");
    assert!(grip_error(&run, 0.2) < 1e-4, "{} m", grip_error(&run, 0.2));
}

/// An objective with a negligible weight that counts its evaluations, one per solve.
struct Count(Arc<AtomicU32>);

impl Objective for Count {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Some(Residual::of(next.com_velocity(), Order::Velocity { time_constant: 0.1 }))
    }
}

#[test]
fn a_frame_in_which_the_only_grip_breaks_is_solved_by_one_loop_alone() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("block.xml", BLOCK);
    write("block.toml", "start = \"hold\"\n[states.hold]\ngrip = { hook = \"ring\" }\n");
    write("scene.toml", HOOKED);
    // To stop the hook beside it, the rope needs 7.3 N in the first frame.
    let weak = ["characters.block.grip.force=5".to_string(), "success={}".to_string()];
    let files = scene::load(folder.path().join("scene.toml").to_str().unwrap(), &weak).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    let asked = Arc::new(AtomicU32::new(0));
    let goal = Goal::new("count", 1e-12, Form::Direct, Count(asked.clone()));
    simulation.character_mut().add_goal(goal);
    let holds = |simulation: &SceneRun| !simulation.character().snapshot.grips.list.is_empty();
    assert!(holds(&simulation));
    simulation.step().unwrap();
    assert!(!holds(&simulation), "the grip did not break");
    let solves = simulation.character().problem.solved.solves;
    assert!(solves > 1, "with the grip, and without");
    assert_eq!(asked.load(Ordering::Relaxed), solves);
}

#[test]
fn a_character_swings_wider_and_wider_on_a_rope() {
    let run = Run::of("rope_swing", &[]);
    for criterion in &run.simulation.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
    assert!(run.frames.iter().all(|frame| !matches!(frame.outcome, Outcome::Failed { .. })));
    assert!(grip_error(&run, 0.0) < 1e-3, "{} m", grip_error(&run, 0.0));
    let x: Vec<f64> = run.frames.iter().map(|frame| frame.com[0]).collect();
    let turns = x.windows(3).filter(|x| (x[1] - x[0]) * (x[2] - x[1]) < 0.0);
    let reached: Vec<f64> = turns.map(|x| x[1].abs()).collect();
    assert!(reached.len() > 10, "{reached:?}");
    // On either side, alternating.
    assert!(reached.windows(3).all(|turns| turns[2] > turns[0]), "{reached:?}");
}

#[test]
fn a_light_rope_is_held_as_a_heavy_one_is() {
    for mass in ["0.5", "0.3"] {
        let run = Run::of("rope_swing", &[&format!("passive.rope.mass={mass}"), "duration=1"]);
        for frame in &run.frames[..run.frames.len() - 1] {
            let at = format!("{mass} kg, {} s", frame.time);
            assert_eq!(frame.outcome, Outcome::Solved, "{at}");
            let grips = frame.contacts.iter().filter(|contact| contact.kind == ContactKind::Grip);
            assert_eq!(grips.count(), 2, "{at}");
        }
        let fastest = |frame: &Frame| Vector3::from(frame.passive[0].com_velocity).norm();
        let fastest = run.frames.iter().map(fastest).fold(0.0, f64::max);
        assert!(fastest < 2.0, "{mass} kg: {fastest} m/s");
        assert!(grip_error(&run, 0.0) < 1e-3, "{mass} kg: {} m", grip_error(&run, 0.0));
    }
}

#[test]
fn a_rope_that_nobody_holds_any_more_moves_on_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("block.xml", BLOCK);
    let states = "until = \"time > 0.5\"\nto = [\"free\"]\n[states.free]\nrelease = [\"block\"]\n";
    let controller = format!("start = \"hold\"\n[states.hold]\ngrip = {{ hook = \"ring\" }}\n{states}");
    write("block.toml", &controller);
    write("scene.toml", HOOKED.split("[success]").next().unwrap());
    let run = Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap());
    let freed = run.frames.iter().position(|frame| frame.state == "free").unwrap();
    for frame in &run.frames[freed..] {
        assert_eq!(grip_force(frame), Vector3::zeros());
    }
    let way = |frame: &Frame| Vector3::from(frame.passive[0].com);
    let last = run.frames.len() - 1;
    assert!((way(&run.frames[last]) - way(&run.frames[freed])).norm() > 0.5);
}

#[test]
fn a_rope_let_go_inside_a_body_is_not_thrown_out_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    // The end of the first link, which touches, penetrates the block by 5 cm.
    write("block.xml", &BLOCK.replace("pos=\"0.1 0 0.1\"", "pos=\"0.05 0 0.1\""));
    let states = "until = \"time > 0.1\"\nto = [\"free\"]\n[states.free]\nrelease = [\"block\"]\n";
    let controller = format!("start = \"hold\"\n[states.hold]\ngrip = {{ hook = \"ring\" }}\n{states}");
    write("block.toml", &controller);
    let scene = HOOKED.split("[success]").next().unwrap();
    let scene = scene.replace("[[0.1, 0, 1.3], [1.1, 0, 1.3]]", "[[-0.05, 0, 1.3], [0.95, 0, 1.3]]");
    write("scene.toml", &scene.replace("along = 0 ", "along = 0.1 "));
    let run = Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap());
    let freed = run.frames.iter().position(|frame| frame.state == "free").unwrap();
    let held = run.frames[..freed].iter().all(|frame| frame.contacts.iter().any(|c| c.name == "hook"));
    assert!(held, "the hook held the ring");
    let weight = 9.81;
    for frame in &run.frames[freed..freed + 10] {
        for external in &frame.external {
            let force = Vector3::from(external.force).norm();
            assert!(force < weight, "{force} N at {} s", frame.time);
        }
    }
}

/// A system that can be held but not stepped under a force above `most`, N.
#[derive(Clone)]
struct Brittle {
    of: Box<dyn PassiveSystem>,
    most: f64,
    strongest: f64,
}

impl PassiveSystem for Brittle {
    fn time(&self) -> f64 {
        self.of.time()
    }
    fn step(&mut self, dt: f64) -> StepStatus {
        let bears = std::mem::take(&mut self.strongest) <= self.most;
        if bears { self.of.step(dt) } else { StepStatus::Failed }
    }
    fn parts(&self) -> usize {
        self.of.parts()
    }
    fn part(&self, part: PartId) -> Part {
        self.of.part(part)
    }
    fn apply_force(&mut self, part: PartId, point: &Vector3<f64>, force: &Vector3<f64>) {
        self.strongest = self.strongest.max(force.norm());
        self.of.apply_force(part, point, force);
    }
    fn apply_impulse(&mut self, part: PartId, point: &Vector3<f64>, impulse: &Vector3<f64>) {
        self.of.apply_impulse(part, point, impulse);
    }
    fn energy(&self, parts: Range<usize>) -> Energy {
        self.of.energy(parts)
    }
    fn momentum(&self, parts: Range<usize>) -> Force {
        self.of.momentum(parts)
    }
    fn centre_of_mass(&self, parts: Range<usize>) -> (f64, Vector3<f64>) {
        self.of.centre_of_mass(parts)
    }
    fn stretch(&self, parts: Range<usize>) -> f64 {
        self.of.stretch(parts)
    }
    fn solver_stats(&self) -> SolverStats {
        self.of.solver_stats()
    }
    fn outline(&self) -> Vec<Outline> {
        self.of.outline()
    }
    fn each_touch(&self, each: &mut dyn FnMut(&PassiveTouch)) {
        self.of.each_touch(each);
    }
    fn colliders(&self) -> Option<&dyn KinematicColliders> {
        self.of.colliders()
    }
    fn colliders_mut(&mut self) -> Option<&mut dyn KinematicColliders> {
        self.of.colliders_mut()
    }
    fn holdable(&mut self) -> Option<&mut dyn Holdable> {
        self.of.holdable()
    }
}

#[test]
fn a_frame_whose_rope_cannot_be_stepped_names_the_grips() {
    for (most, fails) in [(f64::INFINITY, false), (50.0, true)] {
        let mut simulation = SceneRun::bind(&scene::load("rope_swing", &[]).unwrap()).unwrap();
        let of = simulation.world.passive_mut().systems.remove(0);
        simulation.world.passive_mut().systems.insert(0, Box::new(Brittle { of, most, strongest: 0.0 }));
        assert!(simulation.step().unwrap().is_some());
        let frame = simulation.frame();
        let names_a_grip = match &frame.outcome {
            Outcome::Relaxed { rows } => rows.iter().any(|row| row.label.starts_with("grip of")),
            _ => false,
        };
        assert_eq!(names_a_grip, fails, "{most} N: {:?}", frame.outcome);
        assert!(frame.contacts.iter().all(|contact| contact.force.iter().all(|f| f.is_finite())));
    }
}

/// The message of the only mistake in a scene with this hold, as printed by `aplomb check`.
fn refused(hold: &str) -> String {
    let text = format!(
        "duration = 1\n[passive.rope]\nkind = \"chain\"\npoints = [[0, 0, 4], [0, 0, 2]]\nlinks = 4\nmass = 1\n\
         [passive.sheet]\nkind = \"cloth\"\ncorner = [2, 0, 2]\nacross = [1, 0, 0]\ndown = [0, 1, 0]\ngrid = [4, 4]\nmass = 1\n\
         [holds.at]\n{hold}\n[characters.hero]\nmodel = \"adult\"\ncontroller = \"balance\"\n"
    );
    let bound = scene::load_text(&Source::new("rope.toml", text)).map(|files| SceneRun::bind(&files));
    let errors = match bound {
        Err(LoadError::Mistakes(errors)) | Ok(Err(errors)) => errors,
        _ => panic!("`{hold}` is accepted"),
    };
    assert_eq!(errors.len(), 1, "{:?}", errors.iter().map(|error| &error.message).collect::<Vec<_>>());
    let error = &errors[0];
    format!("{}: {}\n{}", error.location(), error.message, error.help.as_deref().unwrap_or_default())
}

#[test]
fn mistakes_in_holds_on_objects_are_said_where_they_stand() {
    let mistakes = [
        (
            "end = { on = \"roap\", along = 1 }",
            "rope.toml:15:14: there is no passive object and no character `roap`\ndid you mean `rope`?",
        ),
        (
            "end = { on = \"sheet\", along = 1 }",
            "rope.toml:15:14: `sheet` is of kind `cloth`, which hands cannot hold\nthey can hold a `chain` and what is `articulated`",
        ),
        (
            "end = { on = \"rope\" }",
            "rope.toml:15:14: the hold `end` on `rope` has no position\nsay with `along` how far from its first end, from 0 to 2.000 m",
        ),
        (
            "end = { on = \"rope\", along = 2.5 }",
            "rope.toml:15:30: `rope` is 2.000 m long: along must be from 0 to that, not 2.5\n",
        ),
        (
            "end = { on = \"rope\", along = 1, position = [0, 0, 1] }",
            "rope.toml:15:44: a hold on a passive object moves with the object, so it has no `position`\ntake out `position` or `on`",
        ),
        (
            "end = { on = \"rope\", along = 1, motion = [0, 0, \"time\"] }",
            "rope.toml:15:42: a hold on a passive object moves as the object does\ntake out `motion` or `on`",
        ),
        (
            "end = { on = \"rope\", along = 1, kind = \"foot\" }",
            "rope.toml:15:40: only hands hold on to a passive object\n`kind = \"hand\"`",
        ),
        (
            "end = { along = 1 }",
            "rope.toml:15:17: `along` is only for holds on a passive object\nsay which with `on`",
        ),
        (
            "end = { kind = \"hand\" }",
            "rope.toml:15:1: the hold `end` has no position\ngive its `position`, or with `on` and `along` the object it is a point of",
        ),
    ];
    for (hold, said) in mistakes {
        assert_eq!(refused(hold), said, "{hold}");
    }
}
