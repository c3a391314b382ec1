//! Quantities conserved in free motion.

use super::reference::model;
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::{Articulated, ArticulatedSettings, ArticulatedWorld};
use nalgebra::Vector3;

fn world(name: &str, gravity: Vector3<f64>, bent: f64) -> ArticulatedWorld {
    let mut model = model(name);
    model.joints.iter_mut().for_each(|joint| (joint.damping, joint.range) = (0.0, None));
    model.geoms.clear();
    let mut q = model.neutral_configuration();
    for joint in model.joints.iter().filter(|joint| joint.kind.nq() == 1) {
        q[joint.q_index] += bent;
    }
    let mut world = ArticulatedWorld::new(gravity, ArticulatedSettings::default());
    world.add(Articulated::new(model, q));
    world
}

/// Difference between the mean energies of the last and the first second, and the largest deviation at any time, as
/// shares of the largest kinetic energy.
fn drift(world: &mut ArticulatedWorld, seconds: usize) -> (f64, f64) {
    let before = world.total_energy();
    let (mut worst, mut scale) = (0.0f64, before.kinetic);
    let mut means = Vec::new();
    for _ in 0..seconds {
        let mut mean = 0.0;
        for _ in 0..1000 {
            world.step(1e-3);
            let now = world.total_energy();
            mean += now.total() / 1000.0;
            worst = worst.max((now.total() - before.total()).abs());
            scale = scale.max(now.kinetic);
        }
        means.push(mean);
    }
    ((means[seconds - 1] - means[0]).abs() / scale, worst / scale)
}

#[test]
fn a_free_chain_keeps_its_energy() {
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    // Five thin links released from a curl whip around at up to 60 rad/s.
    let mut chain = world("models/chain5.xml", gravity, 0.6);
    chain.settings.substeps = 8;
    let mut swing = world("models/chain5.xml", gravity, 0.1);
    for (name, world) in [("whipping", &mut chain), ("swinging", &mut swing)] {
        let (drift, worst) = drift(world, 100);
        assert!(drift < 1e-3 && worst < 1e-1, "{name}: drift {drift:.1e}, at most {worst:.1e}");
    }
}

#[test]
fn a_free_tree_keeps_its_energy_and_its_momentum() {
    let mut tree = world("models/free_tree5.xml", Vector3::zeros(), 0.3);
    tree.system_mut(0).state.v.iter_mut().enumerate().for_each(|(j, v)| *v = (j as f64).sin() * 2.0);
    tree.refresh();
    let momentum = tree.total_momentum();
    let (drift, worst) = drift(&mut tree, 100);
    assert!(drift < 1e-3 && worst < 1e-1, "drift {drift:.1e}, at most {worst:.1e}");
    let change = (tree.total_momentum().force - momentum.force).norm() / momentum.force.norm();
    assert!(change < 1e-3, "linear momentum changed by {change:.1e}");
}
