//! Cost of the dynamics: the shipped adult (37 coordinates) and chains of growing length.
//!
//! `cargo bench --bench dynamics`. Each time is the shortest of many passes and includes the kinematics it needs, as
//! in libraries that compute them within each algorithm. Ratios are to the times of Pinocchio's C++ for the 37
//! coordinates of Romeo, measured once on a similar machine.

use aplomb::dynamics::{ForwardDynamics, InverseDynamics, Kinematics, crba, momentum};
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{Folder, find};
use aplomb::math::matrix::RowMatrix;
use aplomb::model::{BodyId, Model, mjcf};
use nalgebra::Vector3;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

/// Microseconds of Pinocchio's C++ for a 37-coordinate Romeo: ABA, CRBA, RNEA.
const PINOCCHIO: [(&str, f64); 3] =
    [("forward dynamics (ABA)", 10.1), ("mass matrix (CRBA)", 3.8), ("inverse dynamics (RNEA)", 4.6)];
const PASSES: usize = 400;
const LENGTHS: [usize; 4] = [10, 30, 100, 250];

fn main() {
    let adult = find(Folder::Characters, "adult", None).expect("is shipped");
    let adult = mjcf::read(&adult.source).expect("shipped characters load");
    println!("adult, {} coordinates", adult.nv);
    println!("  {:28}{:>9}{:>22}", "", "µs", "of Pinocchio's Romeo");
    for (name, time) in Bodies::new(&adult).times() {
        let peer = PINOCCHIO.iter().find(|(peer, _)| *peer == name);
        let ratio = peer.map_or(String::new(), |(_, peer)| format!("{:.2}", time / peer));
        println!("  {name:28}{time:>9.2}{ratio:>22}");
    }
    println!("\nchains of hinges, µs per link");
    print!("  {:28}", "");
    LENGTHS.iter().for_each(|links| print!("{links:>9}"));
    println!();
    let chains: Vec<_> = LENGTHS.iter().map(|links| Bodies::new(&chain(*links)).times()).collect();
    for (row, (name, _)) in chains[0].iter().enumerate() {
        print!("  {name:28}");
        for (links, times) in LENGTHS.iter().zip(&chains) {
            print!("{:>9.3}", times[row].1 / *links as f64);
        }
        println!();
    }
}

/// A chain of `links` links that hangs from the world, with hinges about x and y in turn.
fn chain(links: usize) -> Model {
    let mut text = String::from("<mujoco><compiler angle=\"radian\"/><worldbody>");
    for link in 0..links {
        let (height, axis) =
            (if link == 0 { 0.0 } else { -0.1 }, if link % 2 == 0 { "1 0 0" } else { "0 1 0" });
        write!(
            text,
            "<body name=\"link{link}\" pos=\"0 0 {height}\"><joint name=\"joint{link}\" axis=\"{axis}\"/>\
             <inertial pos=\"0 0 -0.05\" mass=\"0.5\" diaginertia=\"0.001 0.001 0.0002\"/>"
        )
        .expect("writing to a string succeeds");
    }
    text.push_str(&"</body>".repeat(links));
    text.push_str("</worldbody></mujoco>");
    mjcf::read(&Source::new("chain.xml", text)).expect("the chain is well formed")
}

/// A model in motion, as input of every algorithm.
struct Bodies<'m> {
    model: &'m Model,
    q: Vec<f64>,
    v: Vec<f64>,
    last: BodyId,
}

impl<'m> Bodies<'m> {
    fn new(model: &'m Model) -> Self {
        let mut q = model.rest_configuration();
        let first = model.nq - (model.nv - if model.is_floating() { 6 } else { 0 });
        q[first..].iter_mut().enumerate().for_each(|(k, q)| *q += 0.1 * (1.7 * k as f64).sin());
        let v = (0..model.nv).map(|k| (2.3 * k as f64).cos()).collect();
        Bodies { model, q, v, last: BodyId(model.bodies.len() - 1) }
    }

    fn times(&self) -> Vec<(&'static str, f64)> {
        let Bodies { model, q, v, last } = self;
        let gravity = Vector3::new(0.0, 0.0, -9.81);
        let mut kinematics = Kinematics::new(model);
        let mut forward = ForwardDynamics::new(model);
        let mut inverse = InverseDynamics::new(model);
        let mut mass = RowMatrix::new(model.nv);
        let external = vec![Default::default(); model.bodies.len()];
        let (mut out, mut jacobian) = (vec![0.0; model.nv], vec![0.0; 3 * model.nv]);
        let kinematics_time = shortest(|| kinematics.update(model, black_box(q), v));
        let forward_time = shortest(|| {
            kinematics.update(model, black_box(q), v);
            forward.forward_dynamics(model, &kinematics, v, &gravity, &external, &mut out);
        });
        let mass_time = shortest(|| {
            kinematics.update_position(model, black_box(q));
            crba::mass_matrix(model, &kinematics, &mut mass);
        });
        let inverse_time = shortest(|| {
            kinematics.update(model, black_box(q), v);
            inverse.inverse_dynamics(model, &kinematics, v, &gravity, &external, &mut out);
        });
        kinematics.update(model, q, v);
        let point = kinematics.position[last.0];
        let point_time =
            shortest(|| kinematics.point_jacobian(model, black_box(*last), &point, &mut jacobian));
        let com_time = shortest(|| momentum::com_jacobian(model, black_box(&kinematics), &mut jacobian));
        vec![
            ("kinematics", kinematics_time),
            (PINOCCHIO[0].0, forward_time),
            (PINOCCHIO[1].0, mass_time),
            (PINOCCHIO[2].0, inverse_time),
            ("Jacobian of a point", point_time),
            ("Jacobian of the COM", com_time),
        ]
    }
}

/// Shortest time of many passes, µs.
fn shortest(mut pass: impl FnMut()) -> f64 {
    let mut shortest = f64::INFINITY;
    for _ in 0..PASSES {
        let started = Instant::now();
        for _ in 0..10 {
            pass();
        }
        shortest = shortest.min(started.elapsed().as_secs_f64() * 1e5);
    }
    shortest
}
