//! What free motion keeps.

use super::reference::model;
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::{Articulated, Settings, World};
use nalgebra::Vector3;

fn world(name: &str, gravity: Vector3<f64>, bent: f64) -> World {
    let mut model = model(name);
    model.joints.iter_mut().for_each(|joint| (joint.damping, joint.range) = (0.0, None));
    model.geoms.clear();
    let mut q = model.neutral_configuration();
    for joint in model.joints.iter().filter(|joint| joint.kind.nq() == 1) {
        q[joint.q_index] += bent;
    }
    let mut world = World::new(gravity, Settings::default());
    world.add(Articulated::new(model, q));
    world
}

/// Largest departure of the energy, and its departure at the end, as parts of the energy in play.
fn drift(world: &mut World, seconds: usize) -> (f64, f64) {
    let before = world.energy();
    let (mut worst, mut scale) = (0.0f64, before.kinetic);
    for _ in 0..seconds * 1000 {
        world.step(1e-3);
        let now = world.energy();
        worst = worst.max((now.total() - before.total()).abs());
        scale = scale.max(now.kinetic);
    }
    (worst / scale, (world.energy().total() - before.total()).abs() / scale)
}

#[test]
fn a_free_chain_keeps_its_energy() {
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let mut chain = world("models/chain5.xml", gravity, 0.6);
    let (worst, end) = drift(&mut chain, 100);
    println!("hanging chain: at most {worst:.1e}, in the end {end:.1e}");
    let mut free = world("models/free_tree5.xml", Vector3::zeros(), 0.3);
    free.system_mut(0).state.v.iter_mut().enumerate().for_each(|(j, v)| *v = (j as f64).sin() * 2.0);
    free.look_again();
    let momentum = free.momentum();
    println!("{:?}", chain.systems()[0].state);
    let (worst_free, end_free) = drift(&mut free, 100);
    println!("floating tree: at most {worst_free:.1e}, in the end {end_free:.1e}");
    let change = (free.momentum().force - momentum.force).norm() / momentum.force.norm();
    println!("linear momentum changed by {change:.1e}");
    assert!(end < 1e-3 && end_free < 1e-3);
}
