//! Cost of the articulated-body simulator: the constraint matrix by each method, a step over the number of links, and
//! a ragdoll lying on the floor.
//!
//! `cargo bench --bench articulated`. Times are the shortest of many; ratios are between times of the same run. If
//! `APLOMB_PEER_PYTHON` names a Python with MuJoCo, the same body in the same pose is stepped there too.

use aplomb::dynamics::{AccelerationDeltas, ForwardDynamics, Kinematics};
use aplomb::language::diagnostic::Source;
use aplomb::math::spatial::Force;
use aplomb::model::{Body, BodyId, BodyInertia, Joint, JointKind, Model, mjcf};
use aplomb::passive::articulated::{
    Articulated, ArticulatedSettings, ArticulatedWorld, ConstraintJacobian, ConstraintRow, DelassusOperator,
};
use aplomb::passive::{PassiveSystem, StepStatus};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() {
    matrices();
    growth();
    ragdoll();
}

/// Shortest time of `work` in µs, out of `rounds`.
fn shortest(rounds: usize, mut work: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..rounds).map(|_| time(&mut work)).fold(f64::INFINITY, f64::min)
}

const HUMANOID: &str = "tests/data/reference/models/humanoid.xml";

fn humanoid() -> Model {
    let name = HUMANOID;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let text = std::fs::read_to_string(path).expect("the humanoid of the reference data");
    mjcf::read(&Source::new(name, text)).unwrap_or_else(|error| panic!("{error}"))
}

/// K of eight points of the feet and hands, three directions each, by each method.
fn matrices() {
    let model = humanoid();
    let q = model.neutral_configuration();
    let system = Articulated::new(model.clone(), q.clone());
    let mut rows = Vec::new();
    for name in ["l_foot", "r_foot", "l_hand", "r_hand"] {
        let body = model.body(name).expect("a body of the humanoid");
        for x in [-0.05, 0.05] {
            let point = system.kinematics().point(body, &Vector3::new(x, 0.0, -0.05));
            rows.extend((0..3).map(|k| (body, point, Vector3::ith(k, 1.0))));
        }
    }
    let mut kinematics = Kinematics::new(&model);
    let v = vec![0.1; model.nv];
    kinematics.update(&model, &q, &v);
    let mut dynamics = ForwardDynamics::new(&model);
    let mut deltas = AccelerationDeltas::new(&model);
    let (tau, mut out) = (vec![0.0; model.nv], vec![0.0; model.nv]);
    let mut external = vec![Force::default(); model.bodies.len()];
    let size = rows.len();
    let mut k = vec![0.0; size * size];
    let mut residual = vec![0.0; model.nv];
    let mut path = vec![0.0; model.nv];

    let naive = shortest(500, || {
        for (i, (body, point, direction)) in rows.iter().enumerate() {
            external[body.0] = Force::at_point(point, *direction, Vector3::zeros());
            kinematics.update_velocity(&model, &v);
            dynamics.forward_dynamics(&model, &kinematics, &tau, &model.gravity, &external, &mut out);
            external[body.0] = Force::default();
            for (j, (body, point, direction)) in rows.iter().enumerate() {
                let arm = point - kinematics.position[body.0];
                k[i * size + j] = direction.dot(&dynamics.acceleration(*body).velocity_at(&arm));
            }
        }
        black_box(&k);
    });
    let cached = shortest(500, || {
        dynamics.factor(&model, &kinematics, &[]);
        for (i, (body, point, direction)) in rows.iter().enumerate() {
            external[body.0] = Force::at_point(point, *direction, Vector3::zeros());
            dynamics.accelerate(&model, &kinematics, &tau, &model.gravity, &external, &mut out);
            external[body.0] = Force::default();
            for (j, (body, point, direction)) in rows.iter().enumerate() {
                let arm = point - kinematics.position[body.0];
                k[i * size + j] = direction.dot(&dynamics.acceleration(*body).velocity_at(&arm));
            }
        }
        black_box(&k);
    });
    let both_loops = shortest(500, || {
        dynamics.factor(&model, &kinematics, &[]);
        for (i, (body, point, direction)) in rows.iter().enumerate() {
            let mut last = model.bodies[body.0].last_dof;
            let length = std::iter::successors(last, |j| model.dof_parent[*j]).count();
            let force = Force::at_point(point, *direction, Vector3::zeros());
            dynamics.push_body(&model, &kinematics, *body, &force, &mut path[..length]);
            residual.fill(0.0);
            for delta in path[..length].iter().rev() {
                let Some(j) = last else { break };
                residual[j] = *delta;
                last = model.dof_parent[j];
            }
            out.fill(0.0);
            deltas.outward(&model, &dynamics, &residual, &mut out);
            for (j, (body, point, direction)) in rows.iter().enumerate() {
                let arm = point - kinematics.position[body.0];
                k[i * size + j] = direction.dot(&deltas.acceleration(*body).velocity_at(&arm));
            }
        }
        black_box(&k);
    });
    let systems = {
        let mut world = ArticulatedWorld::new(model.gravity, ArticulatedSettings::default());
        world.add(system);
        world.step(1e-3);
        [world.systems()[0].clone()]
    };
    let pulls: Vec<ConstraintRow> = rows
        .iter()
        .map(|&(body, point, direction)| {
            ConstraintRow::on(0, ConstraintJacobian::Point { body, point, direction })
        })
        .collect();
    let mut influence = DelassusOperator::default();
    let inward = shortest(500, || {
        dynamics.factor(&model, &kinematics, &[]);
        influence.update(&systems, &pulls);
        (0..size).for_each(|row| {
            black_box(influence.row(row));
        });
    });
    println!("K of {size} constraints on {} coordinates", model.nv);
    println!("  forward dynamics for each          {naive:8.1} µs   {:.2}", naive / both_loops);
    println!("  the same with factors kept         {cached:8.1} µs   {:.2}", cached / both_loops);
    println!("  AccelerationDeltas, both loops     {both_loops:8.1} µs   1");
    println!("  inward loop alone and products     {inward:8.1} µs   {:.2}", inward / both_loops);
}

/// A chain of rods that hangs and swings.
fn chain(links: usize) -> Model {
    let mut model = humanoid();
    model.name = "chain".into();
    (model.bodies, model.joints, model.geoms, model.sites, model.keyframes) =
        (vec![], vec![], vec![], vec![], vec![]);
    (model.dof_parent, model.dof_body, model.dof_names) = (vec![], vec![], vec![]);
    for k in 0..links {
        let axis = if k % 2 == 0 { Vector3::y() } else { Vector3::x() };
        model.joints.push(Joint {
            name: format!("joint{k}"),
            body: BodyId(k),
            kind: JointKind::Hinge { axis },
            anchor: Vector3::zeros(),
            range: None,
            reference: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            damping: 0.0,
            friction: 0.0,
            q_index: k,
            v_index: k,
            line: 0,
        });
        model.bodies.push(Body {
            name: format!("link{k}"),
            parent: k.checked_sub(1).map(BodyId),
            position: Vector3::new(0.0, 0.0, if k == 0 { 0.0 } else { -0.1 }),
            orientation: UnitQuaternion::identity(),
            inertia: BodyInertia {
                mass: 0.1,
                centre: Vector3::new(0.0, 0.0, -0.05),
                about_centre: Matrix3::from_diagonal(&Vector3::new(1e-4, 1e-4, 1e-5)),
            },
            joints: k..k + 1,
            dofs: k..k + 1,
            last_dof: Some(k),
            pad: None,
            line: 0,
        });
        model.dof_parent.push(k.checked_sub(1));
        model.dof_body.push(BodyId(k));
        model.dof_names.push(format!("joint{k}"));
    }
    (model.nq, model.nv) = (links, links);
    model.armature = vec![0.0; links];
    model.torque_limits = vec![[f64::NEG_INFINITY, f64::INFINITY]; links];
    model
}

fn growth() {
    println!("a step of a swinging chain without contact");
    let mut points = Vec::new();
    for links in [10, 20, 50, 100, 200, 500, 1000] {
        let mut model = chain(links);
        model.joints[0].reference = 0.0;
        let mut q = vec![0.0; links];
        q[0] = 0.3;
        let mut world = ArticulatedWorld::new(model.gravity, ArticulatedSettings::default());
        world.add(Articulated::new(model, q));
        (0..20).for_each(|_| {
            world.step(1e-4);
        });
        let time = shortest(100, || {
            world.step(1e-4);
        });
        println!("  {links:5} links {time:9.2} µs   {:.4} µs a link", time / links as f64);
        points.push(((links as f64).ln(), time.ln()));
    }
    let count = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let slope = points.iter().map(|p| (p.0 - mean.0) * (p.1 - mean.1)).sum::<f64>()
        / points.iter().map(|p| (p.0 - mean.0).powi(2)).sum::<f64>();
    println!("  time grows with links to the power {slope:.3}");
}

/// Step of the ragdoll, s.
const DT: f64 = 2e-3;

fn ragdoll() {
    let mut model = humanoid();
    let limbs = model.joints.iter_mut().filter(|joint| joint.kind.nv() < 6);
    limbs.for_each(|joint| joint.damping = 1.0);
    let nv = model.nv;
    let q = model.neutral_configuration();
    let mut world = ArticulatedWorld::new(
        model.gravity,
        ArticulatedSettings { self_contact: false, ..ArticulatedSettings::default() },
    );
    let mut dynamics = ForwardDynamics::new(&model);
    let (tau, mut out) = (vec![0.0; nv], vec![0.0; nv]);
    world.add(Articulated::new(model, q));
    // The same fall three times, so that an interruption by other processes affects only one of them.
    let begin = world.clone();
    let mut times = vec![f64::INFINITY; 10_000];
    let (mut sweeps, mut parts, mut unsolved, mut at_once) = (0, 0, 0, 0);
    for _ in 0..3 {
        world = begin.clone();
        (unsolved, at_once) = (0, 0);
        for (step, time) in times.iter_mut().enumerate() {
            let start = Instant::now();
            let stepped = world.step(DT);
            *time = time.min(start.elapsed().as_secs_f64() * 1e6);
            sweeps = sweeps.max(world.report().iterations);
            parts = parts.max(world.report().substeps);
            unsolved += usize::from(stepped != StepStatus::Solved);
            at_once += usize::from(step >= 8_000 && world.report().iterations == 0);
        }
    }
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let whole = mean(&times);
    let longest = times.iter().copied().fold(0.0, f64::max);
    times.drain(..8_000);
    let lying = mean(&times);
    times.sort_by(f64::total_cmp);
    let system = &world.systems()[0];
    let aba = shortest(500, || {
        dynamics.forward_dynamics(
            &system.model,
            system.kinematics(),
            &tau,
            &system.model.gravity,
            &[],
            &mut out,
        );
    });
    let median = times[times.len() / 2];
    let report = world.report();
    let fastest = system.state.v.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    println!(
        "a ragdoll of {nv} coordinates lying on the floor: {} contacts, {} rows, fastest {fastest:.0e}",
        world.contacts().len(),
        report.constraints
    );
    println!(
        "  step, mean {lying:.1} µs, median {median:.1} µs, worst 1 % from {:.1} µs",
        times[times.len() * 99 / 100]
    );
    println!("  {:.0} % of the steps take the forces of the one before", at_once as f64 / 20.0);
    println!("  median {:.1} times one forward dynamics of {aba:.2} µs", median / aba);
    println!("  whole fall: mean {whole:.1} µs, longest step {longest:.0} µs, {unsolved} of 10000 unsolved");
    println!("  most of one step: {sweeps} iterations, {parts} parts");
    println!("  {report:?}");
    match std::env::var("APLOMB_PEER_PYTHON") {
        Ok(python) => peer(&python, system, lying, median),
        Err(_) => println!("  no peer: APLOMB_PEER_PYTHON names no Python with MuJoCo"),
    }
}

/// The same body in the same pose in MuJoCo.
fn peer(python: &str, system: &Articulated, mean: f64, median: f64) {
    let Articulated { model, state, .. } = system;
    let mut damping = vec![0.0; model.nv];
    for joint in &model.joints {
        damping[joint.v_index..joint.v_index + joint.kind.nv()].fill(joint.damping);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let child = Command::new(python)
        .arg(folder.join("benches/lying_in_mujoco.py"))
        .arg(folder.join(HUMANOID))
        .arg(DT.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.unwrap_or_else(|error| panic!("{python}: {error}"));
    let input = child.stdin.take().expect("a pipe");
    serde_json::to_writer(input, &(damping, &state.q)).expect("the peer listens");
    let output = child.wait_with_output().expect("the peer ends");
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the peer answers");
    let number = |name: &str| said[name].as_f64().unwrap_or(f64::NAN);
    println!(
        "MuJoCo {}, Newton, the same body, pose and step: {} contacts, {} rows, {} iterations, fastest {:.0e}",
        said["version"].as_str().unwrap_or("?"),
        number("contacts"),
        number("rows"),
        number("iterations"),
        number("fastest")
    );
    let of_peer = number("shortest");
    println!("  step, shortest {of_peer:.1} µs, median {:.1} µs", number("median"));
    println!("  ours by its shortest: mean {:.2}, median {:.2}", mean / of_peer, median / of_peer);
}
