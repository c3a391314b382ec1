//! A ragdoll falls down and comes to rest.

use super::reference::model;
use crate::run::Run;
use aplomb::dynamics::momentum;
use aplomb::language::diagnostic::Source;
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::{Articulated, ArticulatedSettings, ArticulatedWorld};
use aplomb::scene;
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

/// Largest gain of energy in a frame, J, of an adult without damping that is dropped from this height, falls on its
/// feet and folds: its hips pass gimbal lock.
fn gained(height: f64, dt: f64) -> f64 {
    let text = format!(
        "duration = 0.6\n[passive.adult]\nkind = \"articulated\"\nmodel = \"adult\"\nposition = [0, 0, {height}]\n\
         [passive_settings]\ndt = {dt}\n"
    );
    let files = scene::load_text(&Source::new("drop.toml", text)).unwrap_or_else(|_| panic!("a scene"));
    let energies = Run::from(&files).frames.into_iter().map(|frame| {
        let adult = &frame.passive[0];
        adult.kinetic_energy + adult.potential_energy
    });
    let energies: Vec<f64> = energies.collect();
    energies.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
}

#[test]
fn hips_that_fold_to_gimbal_lock_give_no_energy() {
    for height in [0.2, 0.4, 0.7] {
        for dt in [1e-4, 2e-4, 1e-3, 1e-2] {
            let most = gained(height, dt);
            assert!(most < 15.0, "dropped from {height} m with steps of {dt} s: {most} J in a frame");
        }
    }
}
