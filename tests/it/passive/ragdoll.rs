//! A ragdoll falls down and comes to rest.

use super::reference::model;
use aplomb::dynamics::momentum;
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::{Articulated, ArticulatedSettings, ArticulatedWorld};
use nalgebra::Vector3;

const DT: f64 = 1e-3;

/// The humanoid of the reference data, with a little damping in its joints.
fn ragdoll(settings: ArticulatedSettings) -> ArticulatedWorld {
    let mut model = model("models/humanoid.xml");
    let limbs = model.joints.iter_mut().filter(|joint| joint.kind.nv() < 6);
    limbs.for_each(|joint| joint.damping = 1.0);
    let mut world = ArticulatedWorld::new(model.gravity, settings);
    let q = model.neutral_configuration();
    world.add(Articulated::new(model, q));
    world
}

fn com(world: &ArticulatedWorld) -> Vector3<f64> {
    momentum::com(world.systems()[0].kinematics())
}

#[test]
fn a_ragdoll_falls_comes_to_rest_and_stays_there() {
    let mut world = ragdoll(ArticulatedSettings { self_contact: false, ..ArticulatedSettings::default() });
    let weight = world.systems()[0].model.mass() * 9.81;
    let start = com(&world);
    let mut rested = Vector3::zeros();
    for step in 0..20_000 {
        world.step(DT);
        if step == 10_000 {
            rested = com(&world);
        }
    }
    assert!(rested.z < 0.5 * start.z, "it lies at {} m, having stood at {} m", rested.z, start.z);
    let fastest = world.systems()[0].state.v.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    assert!(fastest < 0.05, "moves at {fastest:.1e} m/s or rad/s");
    let force: Vector3<f64> = world.contacts().iter().map(|contact| contact.force()).sum();
    assert!((force.z / weight - 1.0).abs() < 1e-3, "bears {} of its weight", force.z / weight);
    assert!(force.xy().norm() < 1e-3 * weight);
    assert!((com(&world) - rested).norm() < 1e-3, "drifts by {} m", (com(&world) - rested).norm());
}
