//! Dry friction of joints, compared with closed forms.

use super::by_code::model;
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::lcp::Tolerance;
use aplomb::passive::articulated::{Articulated, ArticulatedSettings, ArticulatedWorld};
use nalgebra::Vector3;

/// Mass, kg, and friction, N.
const MASS: f64 = 2.0;
const FRICTION: f64 = 3.0;

fn settings() -> ArticulatedSettings {
    ArticulatedSettings {
        stop: Tolerance { iterations: 1000, residual: 1e-10 },
        ..ArticulatedSettings::default()
    }
}

/// A mass on a slide with dry friction, with gravity along it, m/s².
fn slider(gravity: f64, speed: f64) -> ArticulatedWorld {
    let text = format!(
        r#"<mujoco><worldbody><body name="b"><joint name="s" type="slide" axis="1 0 0" frictionloss="{FRICTION}"/>
        <geom size="0.1" mass="{MASS}"/></body></worldbody></mujoco>"#
    );
    let mut world = ArticulatedWorld::new(Vector3::x() * gravity, settings());
    let system = world.add(Articulated::new(model(&text), vec![0.0]));
    world.system_mut(system).state.v[0] = speed;
    world.refresh();
    world
}

fn after(world: &mut ArticulatedWorld, time: f64) -> [f64; 2] {
    const DT: f64 = 0.01;
    (0..(time / DT).round() as usize).for_each(|_| {
        world.step(DT);
    });
    let state = &world.systems()[0].state;
    [state.q[0], state.v[0]]
}

#[test]
fn a_mass_that_slides_slows_down_by_its_friction_and_stops() {
    let mut world = slider(0.0, 1.0);
    let [_, v] = after(&mut world, 0.4);
    assert!((v - (1.0 - 0.4 * FRICTION / MASS)).abs() < 1e-9, "{v}");
    assert!((world.dry_friction()[0].force + FRICTION).abs() < 1e-9);
    let [stopped, v] = after(&mut world, 0.4);
    assert!(v.abs() < 1e-9, "{v}");
    // v²/(2 a), to first order in the step.
    let way = MASS / (2.0 * FRICTION);
    assert!((stopped - way).abs() < 0.01, "{stopped}");
    let [later, _] = after(&mut world, 1.0);
    assert!((later - stopped).abs() < 1e-9);
    assert!(world.dry_friction()[0].force.abs() < 1e-6);
}

#[test]
fn a_mass_that_is_pulled_by_less_than_its_friction_stays_and_by_more_slides_by_the_rest() {
    let pull = 0.9 * FRICTION / MASS;
    let mut world = slider(pull, 0.0);
    let [q, v] = after(&mut world, 1.0);
    assert!(q.abs() < 1e-9 && v.abs() < 1e-9, "{q} {v}");
    assert!((world.dry_friction()[0].force + 0.9 * FRICTION).abs() < 1e-6);
    let [_, v] = after(&mut slider(1.5 * FRICTION / MASS, 0.0), 1.0);
    assert!((v - 0.5 * FRICTION / MASS).abs() < 1e-9, "{v}");
}

#[test]
fn a_pendulum_with_dry_friction_only_ever_loses_energy_and_stops_off_the_vertical() {
    let text = r#"<mujoco><worldbody><body name="b"><joint name="p" axis="0 1 0" frictionloss="0.5"/>
        <geom size="0.05" pos="0 0 -0.5" mass="1"/></body></worldbody></mujoco>"#;
    let mut world = ArticulatedWorld::new(Vector3::z() * -9.81, settings());
    world.add(Articulated::new(model(text), vec![1.0]));
    let energy = |world: &ArticulatedWorld| {
        let state = &world.systems()[0].state;
        let inertia = 0.25 + 0.4 * 0.05 * 0.05;
        0.5 * inertia * state.v[0].powi(2) - 9.81 * 0.5 * state.q[0].cos()
    };
    let mut last = energy(&world);
    for _ in 0..3000 {
        world.step(0.002);
        let now = energy(&world);
        assert!(now < last + 1e-3, "{now} after {last} J");
        last = now;
    }
    let state = &world.systems()[0].state;
    assert!(state.v[0].abs() < 1e-6, "{}", state.v[0]);
    // Friction holds it wherever the moment of gravity is at most 0.5 N m.
    assert!((9.81 * 0.5 * state.q[0].sin()).abs() <= 0.5 + 1e-6);
}
