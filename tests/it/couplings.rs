//! Joints that follow others: `<equality><joint>` and URDF `mimic`.

use crate::run::Run;
use aplomb::model::{JointValueError, Model};
use aplomb::scene;
use aplomb::trace::Frame;
use std::fs;
use tempfile::TempDir;

/// Ratio and offset (rad) of the second link, and both links: masses (kg), lengths (m), and moments of
/// inertia about their centres (kg m²), which are halfway.
const RATIO: f64 = -0.7;
const OFFSET: f64 = 0.4;
const MASSES: [f64; 2] = [2.0, 1.5];
const LENGTHS: [f64; 2] = [0.5, 0.4];
const MOMENTS: [f64; 2] = [0.05, 0.03];

/// Two links that hang from a post; `first` and `second` are attributes of their joints, `besides` follows the
/// bodies.
fn links(first: &str, second: &str, besides: &str) -> String {
    let link = |k: usize, joint: &str, inside: &str| {
        let (m, l, i) = (MASSES[k], LENGTHS[k], MOMENTS[k]);
        format!(
            "<body name='link{k}' pos='0 0 {}'><joint name='joint{k}' axis='0 1 0' {joint}/>
             <inertial pos='0 0 {}' mass='{m}' diaginertia='{i} {i} {i}'/>
             <geom type='capsule' fromto='0 0 0 0 0 {}' size='0.03' contype='0' conaffinity='0'/>{inside}</body>",
            if k == 0 { 0.0 } else { -LENGTHS[0] },
            -0.5 * l,
            -l
        )
    };
    format!(
        "<mujoco><compiler angle='radian'/><worldbody><body name='post' pos='0 0 2'>{}
         <body name='wheel' pos='3 0 0'><joint name='wheel'/><geom size='0.1' contype='0' conaffinity='0'/></body></body></worldbody>
         <equality><joint joint1='joint1' joint2='joint0' polycoef='{OFFSET} {RATIO}'/></equality>
         {besides}</mujoco>",
        link(0, first, &link(1, second, ""))
    )
}

/// Only the wheel beside the links has a motor.
const FREE: &str = "<actuator><motor joint='wheel' ctrlrange='-1 1'/></actuator>";

const IDLE: &str = "start = \"idle\"\n[states.idle]\n";

fn run(model: &str, controller: &str, scene: &str, character: &str) -> Run {
    let folder = written(model, controller, scene, character);
    Run::from(&scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap())
}

fn written(model: &str, controller: &str, scene: &str, character: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let file = if model.contains("<robot") { "model.urdf" } else { "model.xml" };
    write(file, model);
    write("controller.toml", controller);
    write(
        "scene.toml",
        &format!(
            "{scene}\n[characters.one]\nmodel = \"{file}\"\ncontroller = \"controller.toml\"\n{character}\n"
        ),
    );
    folder
}

/// The two links as one degree of freedom q: M(q) q̈ = −½ M′ q̇² − V′, derived by hand.
struct OneDegree;

impl OneDegree {
    fn inertia(q: f64) -> f64 {
        let [m1, m2] = MASSES;
        let [l1, c2] = [LENGTHS[0], 0.5 * LENGTHS[1]];
        let first = MOMENTS[0] + m1 * (0.5 * l1).powi(2) + m2 * l1 * l1;
        let turned = 1.0 + RATIO;
        let both = 2.0 * m2 * l1 * c2 * turned * (RATIO * q + OFFSET).cos();
        first + (MOMENTS[1] + m2 * c2 * c2) * turned * turned + both
    }

    fn potential(q: f64) -> f64 {
        let [m1, m2] = MASSES;
        let second = (1.0 + RATIO) * q + OFFSET;
        let first = 0.5 * m1 * LENGTHS[0] + m2 * LENGTHS[0];
        -9.81 * (first * q.cos() + m2 * 0.5 * LENGTHS[1] * second.cos())
    }

    fn derivative(of: fn(f64) -> f64, q: f64) -> f64 {
        (of(q + 1e-5) - of(q - 1e-5)) / 2e-5
    }

    fn acceleration(q: f64, v: f64) -> f64 {
        let (m, v_m, v_p) =
            (Self::inertia(q), Self::derivative(Self::inertia, q), Self::derivative(Self::potential, q));
        (-0.5 * v_m * v * v - v_p) / m
    }

    /// q after `time` s from rest at `q`, by a Runge–Kutta method.
    fn falls(mut q: f64, time: f64) -> f64 {
        let (steps, mut v) = (4000, 0.0);
        let h = time / f64::from(steps);
        let slope = |q: f64, v: f64| (v, Self::acceleration(q, v));
        for _ in 0..steps {
            let a = slope(q, v);
            let b = slope(q + 0.5 * h * a.0, v + 0.5 * h * a.1);
            let c = slope(q + 0.5 * h * b.0, v + 0.5 * h * b.1);
            let d = slope(q + h * c.0, v + h * c.1);
            q += h / 6.0 * (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0);
            v += h / 6.0 * (a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1);
        }
        q
    }
}

fn off(frame: &Frame) -> f64 {
    (frame.q[1] - OFFSET - RATIO * frame.q[0]).abs()
}

fn worst(run: &Run) -> f64 {
    run.frames.iter().map(off).fold(0.0, f64::max)
}

#[test]
fn two_links_of_which_one_follows_swing_as_the_one_degree_of_freedom_they_are() {
    let model = links("", "", FREE);
    let error = |dt: f64, advance: &str| {
        let scene = format!("duration = 1.0\ndt = {dt}\n{advance}");
        let run = run(&model, IDLE, &scene, "pose = { joint0 = 1.0 }");
        assert!(worst(&run) < 1e-12, "{} rad", worst(&run));
        assert!(run.frames.iter().all(|frame| frame.coupling_error[1].abs() < 1e-12));
        (run.frames.last().unwrap().q[0] - OneDegree::falls(1.0, 1.0)).abs()
    };
    for advance in ["", "advance = \"simulated\""] {
        let [coarse, fine] = [0.002, 0.0005].map(|dt| error(dt, advance));
        assert!(coarse < 0.02 && fine < 0.3 * coarse, "{coarse} rad at 2 ms, {fine} rad at 0.5 ms {advance}");
    }
}

#[test]
fn energy_is_kept_and_couplings_do_no_work() {
    let scene = "duration = 1.0\ndt = 0.001\nbias_velocity = \"extrapolated\"";
    let run = run(&links("", "", FREE), IDLE, scene, "pose = { joint0 = 1.0 }");
    let start = OneDegree::potential(1.0);
    for pair in run.frames.windows(2) {
        let [frame, next] = pair else { unreachable!() };
        let (q, v) = (frame.q[0], frame.v[0]);
        let energy = 0.5 * OneDegree::inertia(q) * v * v + OneDegree::potential(q);
        assert!((energy - start).abs() < 0.05, "{energy} J, not {start} J at {} s", frame.time);
        let power: f64 =
            frame.coupling_reaction.iter().zip(&next.v).map(|(torque, rate)| torque * rate).sum();
        let most = frame.coupling_reaction[1].abs().max(1.0);
        assert!(power.abs() < 1e-10 * most, "{power} W at {} s", frame.time);
        assert!(frame.torque[..2].iter().all(|torque| torque.abs() < 1e-6), "{:?}", frame.torque);
    }
    assert!(run.frames[..1000].iter().any(|frame| frame.coupling_reaction[1].abs() > 0.5));
}

#[test]
fn the_motor_of_the_leader_holds_what_follows_as_well() {
    let holding = "start = \"hold\"\n[states.hold]\n[[states.hold.objectives]]\nname = \"pose\"\nweight = 10\n\
                   response = 0.1\nof = { pose = { angles = { joint0 = 0.5 } } }\n";
    let run = run(&links("", "", ""), holding, "duration = 1.5", "pose = { joint0 = 0.5 }");
    let frame = &run.frames[run.frames.len() - 2];
    let wanted = OneDegree::derivative(OneDegree::potential, frame.q[0]);
    assert!((frame.q[0] - 0.5).abs() < 1e-3 && worst(&run) < 1e-12, "{} rad", frame.q[0]);
    assert!((frame.torque[0] - wanted).abs() < 1e-3, "{} N m, not {wanted} N m", frame.torque[0]);
    assert_eq!(frame.torque[1], 0.0);
}

#[test]
fn a_motor_of_the_follower_acts_on_the_leader_through_the_ratio_and_its_range_bounds_it() {
    let motors = "<actuator><motor joint='joint0' ctrlrange='-1 2'/><motor joint='joint1' ctrlrange='-3 4'/></actuator>";
    let model = Model::parse("m.xml", &links("range='-2 2'", "range='-0.3 1.1'", motors)).unwrap();
    assert_eq!(model.is_actuated, [true, false, false]);
    let [low, high] = model.torque_limits[0];
    assert!((low + 1.0 + 0.7 * 4.0).abs() < 1e-12 && (high - 2.0 - 0.7 * 3.0).abs() < 1e-12, "{low} {high}");
    let [low, high] = model.joints[0].range.unwrap();
    assert!((low + 1.0).abs() < 1e-12 && (high - 1.0).abs() < 1e-12, "{low} {high}");
    let limited = run(&links("", "range='-0.05 2'", FREE), IDLE, "duration = 1.0", "pose = { joint0 = 0.5 }");
    let least = limited.frames.iter().map(|frame| frame.q[1]).fold(f64::INFINITY, f64::min);
    assert!(least > -0.05 - 1e-9 && worst(&limited) < 1e-12, "{least} rad");
    let limited =
        run(&links("", "range='0.3 0.48'", FREE), IDLE, "duration = 1.0", "pose = { joint0 = 0.1 }");
    let [least, most] =
        [f64::min, f64::max].map(|of| limited.frames.iter().map(|frame| frame.q[1]).fold(0.45, of));
    assert!(least > 0.3 - 1e-9 && most < 0.48 + 1e-9 && most > 0.479, "{least} to {most} rad");
}

#[test]
fn a_body_in_flight_keeps_its_momentum_whatever_its_couplings_do() {
    let model = "<mujoco><compiler angle='radian'/><worldbody><body name='trunk' pos='0 0 3'><freejoint/>
        <geom type='box' size='0.1 0.2 0.3'/>
        <body name='a' pos='0 0.2 0.3'><joint name='a' axis='1 0 0'/><geom type='capsule' fromto='0 0 0 0 0.5 0' size='0.05'/></body>
        <body name='b' pos='0 -0.2 0.3'><joint name='b' axis='1 0 0'/><geom type='capsule' fromto='0 0 0 0 -0.5 0' size='0.05'/></body>
        </body></worldbody><equality><joint joint1='b' joint2='a' polycoef='0 -1.5'/></equality></mujoco>";
    let flap = "start = \"flap\"\n[states.flap]\n[[states.flap.objectives]]\nname = \"flap\"\nweight = 10\nresponse = 0.1\n\
                of = { pose = { angles = { a = \"sin(8 * time)\" } } }\n";
    let scene = "duration = 0.5\nbias_velocity = \"momentum\"";
    let run = run(model, flap, scene, "height = 2.0");
    let swung = run.frames.iter().map(|frame| frame.q[7]).fold(0.0, f64::max);
    assert!(swung > 0.3, "{swung} rad");
    for frame in &run.frames {
        assert!((frame.q[8] + 1.5 * frame.q[7]).abs() < 1e-12);
        let fallen = frame.com_velocity[2] + 9.81 * frame.time;
        // The centre of mass lags its velocity by half a step, and gravity is the only force.
        assert!(fallen.abs() < 0.06 && frame.com[0].abs() + frame.com[1].abs() < 1e-9, "{fallen} m/s");
    }
}

#[test]
fn a_limp_body_and_a_ragdoll_keep_their_couplings() {
    for drive in ["limp", "ragdoll"] {
        let controller = format!("{IDLE}drive = \"{drive}\"\n");
        let scene = "duration = 1.0\ndt = 0.002";
        let run = run(&links("", "", ""), &controller, scene, "pose = { joint0 = 1.0 }");
        let error = (run.frames.last().unwrap().q[0] - OneDegree::falls(1.0, 1.0)).abs();
        assert!(
            worst(&run) < 1e-4 && error < 0.02,
            "{drive}: {} rad off, {error} rad from the swing",
            worst(&run)
        );
    }
}

#[test]
fn passive_objects_keep_their_couplings_and_chains_of_bones_refuse_them() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("model.xml", &links("", "", ""));
    let scene = |kind: &str| {
        let text = format!(
            "duration = 1.0\ndt = 0.002\n[passive.links]\nkind = \"{kind}\"\nmodel = \"model.xml\"\npose = {{ joint0 = 1.0 }}\n"
        );
        write("scene.toml", &text.replace("pose", if kind == "skeleton" { "# pose" } else { "pose" }));
        scene::load(folder.path().join("scene.toml").to_str().unwrap(), &[]).unwrap()
    };
    let run = Run::from(&scene("articulated"));
    let passive = &run.frames.last().unwrap().passive[0];
    let (angle, along) = (OneDegree::falls(1.0, 1.0), -0.5 * LENGTHS[0]);
    // The point at which the second link is attached to the first.
    let hangs = [2.0 * along * angle.sin(), 2.0 + 2.0 * along * angle.cos()];
    let [x, _, z] = passive.positions[2];
    assert!((x - hangs[0]).hypot(z - hangs[1]) < 0.01, "{:?}, not {hangs:?}", passive.positions[2]);
    let Err(errors) = aplomb::scene::Run::bind(&scene("skeleton")) else { panic!("a skeleton of couplings") };
    assert!(errors[0].message.contains("joint `joint1` is coupled to another one"), "{}", errors[0].message);
}

#[test]
fn hands_that_reach_have_their_couplings() {
    let folder = written(&links("", "", ""), IDLE, "duration = 0.01", "reach = { link1 = [-0.3, 0, 1.6] }");
    let path = folder.path().join("scene.toml");
    let run = Run::from(&scene::load(path.to_str().unwrap(), &[]).unwrap());
    assert!(off(&run.frames[0]) < 1e-12 && run.frames[0].q[0] > 0.5, "{:?}", run.frames[0].q);
}

#[test]
fn a_robot_from_urdf_moves_what_mimics_with_what_it_mimics() {
    let link = |name: &str| {
        format!(
            "<link name='{name}'><inertial><origin xyz='0 0 -0.1'/><mass value='1'/>
             <inertia ixx='0.01' iyy='0.01' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>
             <collision><origin xyz='0 0 -0.1'/><geometry><box size='0.05 0.05 0.2'/></geometry></collision></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, mimic: &str| {
        format!(
            "<joint name='{name}' type='revolute'><origin xyz='0 0 1'/><parent link='{parent}'/><child link='{child}'/>
             <axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='20' velocity='1'/>{mimic}</joint>"
        )
    };
    let robot = format!(
        "<robot name='r'><link name='world'/>{}{}{}{}{}{}</robot>",
        link("a"),
        link("b"),
        link("c"),
        joint("lead", "world", "a", ""),
        joint("middle", "world", "b", "<mimic joint='lead' multiplier='0.5' offset='0.1'/>"),
        joint("last", "world", "c", "<mimic joint='middle' multiplier='-2'/>")
    );
    let hold = "start = \"hold\"\n[states.hold]\n[[states.hold.objectives]]\nname = \"pose\"\nweight = 10\n\
                response = 0.1\nof = { pose = { angles = { lead = 0.4 } } }\n";
    let run = run(&robot, hold, "duration = 1.0", "");
    let last = run.frames.last().unwrap();
    let [lead, middle, end] = last.q[..] else { panic!("three joints: {:?}", last.q) };
    assert!((lead - 0.4).abs() < 1e-3, "{lead} rad");
    assert!((middle - 0.1 - 0.5 * lead).abs() < 1e-12 && (end + 0.2 + lead).abs() < 1e-12, "{:?}", last.q);
    let model = &run.simulation.character().model;
    assert_eq!((&model.is_actuated[..], model.torque_limits[0]), (&[true, false, false][..], [-20.0, 20.0]));
    // −0.2 − q is within −1 and 1.
    assert!((model.joints[0].range.unwrap()[1] - 0.8).abs() < 1e-12);
}

#[test]
fn a_value_is_given_to_the_leader_alone() {
    let model = Model::parse("m.xml", &links("", "", "")).unwrap();
    let mut q = model.rest_configuration();
    assert_eq!(q[1], OFFSET);
    model.set_joint("joint0", 0.2, &mut q).unwrap();
    assert!((q[1] - OFFSET - RATIO * 0.2).abs() < 1e-15);
    let refused = model.set_joint("joint1", 0.2, &mut q).unwrap_err();
    assert!(matches!(refused, JointValueError::Follows { .. }));
    assert_eq!(refused.to_string(), "`joint1` follows `joint0`");
}
