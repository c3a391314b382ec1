//! Controllers of a body that is simulated elsewhere: horizons, latencies, measured contacts, soft ground, unknown
//! pushes.

use aplomb::contact::MeasuredContact;
use aplomb::controller::ControllerFile;
use aplomb::dynamics::{ForwardDynamics, Kinematics};
use aplomb::language::diagnostic::Source;
use aplomb::model::{Model, mjcf};
use aplomb::world::feedback::{Feedback, FeedbackError, FeedbackSettings, Measurement, Servo};
use aplomb::world::{CharacterId, StartPose, World, WorldError};
use nalgebra::Vector3;
use std::collections::VecDeque;

const G: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

struct Brain {
    world: World,
    id: CharacterId,
    feedback: Feedback,
}

impl Brain {
    fn new(model: Model, controller: ControllerFile, dt: f64, settings: FeedbackSettings) -> Self {
        let mut world = World::builder().step(dt).build().unwrap();
        let id = world.add_character(model, controller, StartPose::standing()).unwrap();
        let feedback = Feedback::new(&mut world, id, &settings).unwrap();
        Brain { world, id, feedback }
    }

    fn adult(dt: f64, settings: FeedbackSettings) -> Self {
        let controller = ControllerFile::shipped("balance").unwrap();
        Brain::new(Model::shipped("adult").unwrap(), controller, dt, settings)
    }

    fn state(&self) -> (Vec<f64>, Vec<f64>) {
        let state = self.world.state(self.id);
        (state.q.clone(), state.v.clone())
    }

    fn observe(&mut self, told: &Measurement<'_>) {
        self.feedback.observe(&mut self.world, told).unwrap();
    }

    fn torque(&self) -> Vec<f64> {
        self.feedback.command(&self.world).torque.to_vec()
    }

    /// Σ f of the contacts that the controller assumes, N.
    fn load(&self) -> f64 {
        let frame = self.feedback.command(&self.world).frame;
        frame.contacts.iter().map(|contact| contact.force[2]).sum()
    }
}

/// Two links with a motor each that hang from a fixed point; nothing touches them.
const ARM: &str = r#"<mujoco><worldbody><body name="upper" pos="0 0 2">
    <joint name="shoulder" type="hinge" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.04" mass="2"/>
    <body name="lower" pos="0 0 -0.4"><joint name="elbow" type="hinge" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" mass="1"/></body>
    </body></worldbody></mujoco>"#;

const RAISE: &str = r#"
start = "raise"
[states.raise]
[[states.raise.objectives]]
name = "pose"
weight = 1.0
response = 0.1
of = { pose = { angles = { shoulder = 0.6, elbow = 0.8 } } }
"#;

fn arm(dt: f64, settings: FeedbackSettings) -> Brain {
    let model = mjcf::read(&Source::new("arm.xml", ARM)).unwrap();
    let controller = ControllerFile::parse("raise.toml", RAISE).unwrap();
    Brain::new(model, controller, dt, settings)
}

/// The simulated arm, at small steps, with delayed torques and a push that the controller does not know.
struct Plant {
    model: Model,
    q: Vec<f64>,
    v: Vec<f64>,
    push: [f64; 2],
    /// Stiffness and damping of drives that track the expected motion.
    servo: [f64; 2],
}

impl Plant {
    const STEP: f64 = 1e-4;

    fn new(brain: &Brain) -> Self {
        let (q, v) = brain.state();
        Plant { model: brain.world.character(brain.id).model.clone(), q, v, push: [0.0; 2], servo: [0.0; 2] }
    }

    fn run(&mut self, torque: &[f64], time: f64) {
        self.drive(torque, None, time);
    }

    /// `expected`: configuration and velocity at the end of `time`.
    fn drive(&mut self, torque: &[f64], expected: Option<[&[f64]; 2]>, time: f64) {
        let mut dynamics = ForwardDynamics::new(&self.model);
        let (mut kinematics, mut acceleration) = (Kinematics::new(&self.model), vec![0.0; 2]);
        let asked: Vec<f64> = torque.iter().zip(self.push).map(|(torque, push)| torque + push).collect();
        let mut torque = asked.clone();
        for step in 0..(time / Plant::STEP).round() as usize {
            if let Some([q, v]) = expected {
                let left = time - (step + 1) as f64 * Plant::STEP;
                let [stiffness, damping] = self.servo;
                for k in 0..2 {
                    let way = q[k] - left * v[k] - self.q[k];
                    torque[k] = asked[k] + stiffness * way + damping * (v[k] - self.v[k]);
                }
            }
            kinematics.update(&self.model, &self.q, &self.v);
            dynamics.forward_dynamics(&self.model, &kinematics, &torque, &G, &[], &mut acceleration);
            for (k, rate) in acceleration.iter().enumerate() {
                self.v[k] += Plant::STEP * rate;
                self.q[k] += Plant::STEP * self.v[k];
            }
        }
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| f64::max(worst, (a - b).abs()))
}

#[test]
fn what_drives_add_on_the_way_is_reckoned_with() {
    let [stiffness, damping] = [20.0, 2.0];
    let servo = Servo { stiffness: vec![stiffness; 2], damping: vec![damping; 2] };
    let off = [Some(servo), None].map(|servo| {
        let mut brain = arm(0.01, FeedbackSettings { latency: 0.01, servo, ..FeedbackSettings::default() });
        let mut plant = Plant::new(&brain);
        plant.servo = [stiffness, damping];
        let mut before: Option<[Vec<f64>; 3]> = None;
        for call in 0.. {
            if call == 40 {
                // The motion differs from the expected one, so that the drives act.
                plant.v[0] += 1.0;
                plant.v[1] -= 2.0;
            }
            brain.observe(&Measurement { q: &plant.q, v: &plant.v, ..Measurement::default() });
            let command = brain.feedback.command(&brain.world);
            let now = [command.torque, command.q, command.v].map(<[f64]>::to_vec);
            // The state at the beginning of the call, after the latency.
            let foreseen: Vec<f64> = brain.world.character(brain.id).previous_velocity.clone();
            match &before {
                Some([torque, q, v]) => plant.drive(torque, Some([q, v]), 0.01),
                None => plant.run(&[0.0; 2], 0.01),
            }
            if call == 40 {
                return distance(&foreseen, &plant.v);
            }
            before = Some(now);
        }
        unreachable!()
    });
    assert!(off[0] < 0.3 && off[1] > 3.0 * off[0], "{off:?} rad/s");
}

/// Runs the arm for `calls` calls with torques that act `late` calls after they were requested. Returns the largest
/// difference, after the first calls, between the velocity that was expected at the time of the next command and the
/// actual velocity, rad/s.
fn off_by(brain: &mut Brain, dt: f64, late: usize, calls: usize) -> f64 {
    let mut plant = Plant::new(brain);
    let (mut asked, mut expected) = (VecDeque::new(), VecDeque::new());
    let mut worst = 0.0;
    for call in 0..calls {
        brain.observe(&Measurement { q: &plant.q, v: &plant.v, ..Measurement::default() });
        asked.push_back(brain.torque());
        expected.push_back(brain.feedback.command(&brain.world).v.to_vec());
        let torque = if asked.len() > late { asked.pop_front().unwrap() } else { vec![0.0; 2] };
        plant.run(&torque, dt);
        if expected.len() > late {
            let expected = expected.pop_front().unwrap();
            if call > 3 * late {
                worst = f64::max(worst, distance(&expected, &plant.v));
            }
        }
    }
    worst
}

#[test]
fn what_is_expected_after_a_latency_becomes_of_the_body() {
    let (dt, latency) = (0.01, 0.02);
    let mut knows = arm(dt, FeedbackSettings { latency, ..FeedbackSettings::default() });
    let known = off_by(&mut knows, dt, 2, 60);
    let mut knows_not = arm(dt, FeedbackSettings::default());
    let unknown = off_by(&mut knows_not, dt, 2, 60);
    assert!(known < 0.2, "{known} rad/s");
    assert!(unknown > 4.0 * known, "{unknown} rad/s, {known} rad/s");
}

#[test]
fn torques_that_change_within_a_latency_act_one_after_another() {
    // A latency of two and a half calls.
    let mut brain =
        arm(0.004, FeedbackSettings { latency: 0.01, horizon: Some(0.01), ..FeedbackSettings::default() });
    let mut plant = Plant::new(&brain);
    let mut asked = VecDeque::from([vec![0.0; 2], vec![0.0; 2], vec![0.0; 2]]);
    let mut expected: VecDeque<Vec<f64>> = VecDeque::new();
    let mut worst: f64 = 0.0;
    for call in 0..100 {
        brain.observe(&Measurement { q: &plant.q, v: &plant.v, ..Measurement::default() });
        asked.push_back(brain.torque());
        expected.push_back(brain.feedback.command(&brain.world).v.to_vec());
        // The torque of three calls ago for another 2 ms, then that of two calls ago.
        let oldest = asked.pop_front().unwrap();
        plant.run(&oldest, 0.002);
        if expected.len() > 3 {
            let expected = expected.pop_front().unwrap();
            if call > 20 {
                worst = worst.max(distance(&expected, &plant.v));
            }
        }
        plant.run(&asked[0], 0.002);
    }
    assert!(worst < 0.1, "{worst} rad/s");
}

#[test]
fn an_unknown_push_is_found_and_answered() {
    let time = Some(0.05);
    let mut brain = arm(0.01, FeedbackSettings { disturbance_time: time, ..FeedbackSettings::default() });
    let mut blind = arm(0.01, FeedbackSettings::default());
    let mut ends = Vec::new();
    for brain in [&mut brain, &mut blind] {
        let mut plant = Plant::new(brain);
        plant.push = [4.0, -2.0];
        for _ in 0..200 {
            brain.observe(&Measurement { q: &plant.q, v: &plant.v, ..Measurement::default() });
            plant.run(&brain.torque(), 0.01);
        }
        ends.push(distance(&plant.q, &[0.6, 0.8]));
    }
    let found = brain.feedback.command(&brain.world).disturbance;
    assert!(distance(found, &[4.0, -2.0]) < 0.1, "{found:?} N m");
    assert!(blind.feedback.command(&blind.world).disturbance.is_empty());
    assert!(ends[0] < 0.01 && ends[1] > 0.05, "{ends:?} rad from where they should be");
}

#[test]
fn torques_that_really_acted_are_not_taken_for_a_push() {
    let settings = FeedbackSettings { disturbance_time: Some(0.02), ..FeedbackSettings::default() };
    let mut brain = arm(0.01, settings);
    let mut plant = Plant::new(&brain);
    let mut acted: Option<Vec<f64>> = None;
    for _ in 0..50 {
        brain.observe(&Measurement { q: &plant.q, v: &plant.v, torque: acted.as_deref(), contacts: None });
        // The motors produce less than the requested torque.
        let torque: Vec<f64> = brain.torque().iter().map(|torque| 0.7 * torque).collect();
        plant.run(&torque, 0.01);
        acted = Some(torque);
    }
    let found = brain.feedback.command(&brain.world).disturbance;
    assert!(found.iter().all(|force| force.abs() < 0.1), "{found:?} N m");
}

/// The largest distance of the centre of mass from its initial position within 1.5 s, m, and the largest final rate,
/// m/s or rad/s, of a body that starts with a velocity to the left and moves as expected.
fn swayed(dt: f64, settings: FeedbackSettings) -> [f64; 2] {
    let mut brain = Brain::adult(dt, settings);
    let (mut q, mut v) = brain.state();
    v[1] = 0.2;
    let (mut first, mut most) = (None, 0.0);
    for _ in 0..(1.5 / dt).round() as usize {
        brain.observe(&Measurement { q: &q, v: &v, ..Measurement::default() });
        (q, v) = brain.state();
        let com = brain.world.character(brain.id).snapshot.com;
        let first = *first.get_or_insert(com);
        most = f64::max(most, (com - first).norm());
    }
    [most, v.iter().fold(0.0, |most, v| f64::max(most, v.abs()))]
}

#[test]
fn called_at_500_hz_it_answers_as_at_100_hz() {
    let [at_100, _] = swayed(0.01, FeedbackSettings::default());
    let [at_500, end] =
        swayed(0.002, FeedbackSettings { horizon: Some(0.01), ..FeedbackSettings::default() });
    assert!(at_100 > 0.01 && (at_500 - at_100).abs() < 0.25 * at_100, "{at_100} m, {at_500} m");
    assert!(end < 0.1, "{end} m/s or rad/s");
    // Without a separate horizon, each call looks ahead to the next one.
    let [short, end] = swayed(0.002, FeedbackSettings::default());
    assert!((short - at_100).abs() < 0.25 * at_100 && end < 0.1, "{short} m, {end}");
}

#[test]
fn what_is_measured_to_bear_bears_wherever_the_ground_is() {
    let mut brain = Brain::adult(0.01, FeedbackSettings::default());
    let (mut q, v) = brain.state();
    brain.observe(&Measurement { q: &q, v: &v, ..Measurement::default() });
    let weight = brain.load();
    let character = brain.world.character(brain.id);
    let touches = &character.snapshot.contacts.touches;
    let on_carpet = Vector3::new(0.0, 0.0, 0.004);
    let feel = |touch: &aplomb::contact::ContactPoint| MeasuredContact {
        body: touch.body,
        point: touch.point + on_carpet,
        force: None,
    };
    let all: Vec<MeasuredContact> = touches.iter().filter(|touch| touch.bears()).map(feel).collect();
    assert!(all.len() >= 8);
    // Standing on a carpet that the controller does not know.
    q[2] += on_carpet.z;
    let told = |contacts| Measurement { q: &q, v: &v, torque: None, contacts };
    let mut blind = Brain::adult(0.01, FeedbackSettings::default());
    blind.observe(&told(None));
    assert!(blind.load() < 0.5 * weight, "{} N", blind.load());
    let mut brain = Brain::adult(0.01, FeedbackSettings::default());
    brain.observe(&told(Some(&all)));
    assert!((brain.load() - weight).abs() < 0.2 * weight, "{} N, not {weight} N", brain.load());
    // A body that is no longer loaded has no force, once it is lifted.
    let left = brain.world.character(brain.id).model.body("left_foot").unwrap();
    let model = brain.world.character(brain.id).model.clone();
    let some: Vec<MeasuredContact> =
        all.iter().filter(|contact| model.is_within(contact.body, left)).copied().collect();
    assert!(!some.is_empty() && some.len() < all.len());
    brain.observe(&told(Some(&some)));
    let frame = brain.feedback.command(&brain.world).frame;
    assert!(
        !frame.contacts.is_empty() && frame.contacts.iter().all(|contact| contact.body.starts_with("left"))
    );
}

#[test]
fn what_sinks_into_soft_ground_is_not_thrown_out_of_it() {
    let rises = |compliance: f64| {
        let mut brain = Brain::adult(0.01, FeedbackSettings { compliance, ..FeedbackSettings::default() });
        let (mut q, v) = brain.state();
        q[2] -= 0.003;
        brain.observe(&Measurement { q: &q, v: &v, ..Measurement::default() });
        brain.feedback.command(&brain.world).v[2]
    };
    // 3 mm under a fifth of the weight, the default compliance, and hard ground.
    let weight = Model::shipped("adult").unwrap().mass() * 9.81;
    let (soft, hard) = (rises(0.003 / (0.2 * weight)), rises(0.0));
    let usual = rises(FeedbackSettings::default().compliance);
    assert!(soft.abs() < 0.01 && usual.abs() < 0.01 && hard > 0.04, "{soft} m/s, {usual} m/s, {hard} m/s");
}

#[test]
fn settings_and_measurements_that_cannot_be_are_refused() {
    let refused = |settings: FeedbackSettings| {
        let mut world = World::builder().step(0.01).build().unwrap();
        let model = Model::shipped("adult").unwrap();
        let controller = ControllerFile::shipped("balance").unwrap();
        let id = world.add_character(model, controller, StartPose::standing()).unwrap();
        Feedback::new(&mut world, id, &settings).err().unwrap().to_string()
    };
    let plain = FeedbackSettings::default;
    assert!(refused(FeedbackSettings { horizon: Some(0.005), ..plain() }).contains("horizon"));
    assert!(refused(FeedbackSettings { latency: -0.01, ..plain() }).contains("latency"));
    assert!(refused(FeedbackSettings { compliance: f64::NAN, ..plain() }).contains("compliance"));
    assert!(refused(FeedbackSettings { disturbance_time: Some(0.0), ..plain() }).contains("time constant"));
    let mut brain = Brain::adult(0.01, plain());
    let (q, v) = brain.state();
    let mut say = |told: Measurement<'_>| brain.feedback.observe(&mut brain.world, &told).unwrap_err();
    let of_another = say(Measurement { q: &q[1..], v: &v, ..Measurement::default() });
    assert!(matches!(of_another, FeedbackError::World(WorldError::Foreign(_))));
    let torque = [0.0];
    let of_another = say(Measurement { q: &q, v: &v, torque: Some(&torque), contacts: None });
    assert!(matches!(of_another, FeedbackError::World(WorldError::Foreign(_))));
    let fast = vec![f64::NAN; v.len()];
    let not_finite = say(Measurement { q: &q, v: &fast, ..Measurement::default() });
    assert!(not_finite.to_string().contains("finite"), "{not_finite}");
}
