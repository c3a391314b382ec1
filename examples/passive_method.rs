//! A passive method written by hand: a particle on a spring, without a file or a registry.
//!
//! `cargo run --release --example passive_method`

use aplomb::math::spatial::Force;
use aplomb::passive::{
    Energy, NamedSystem, Outline, Part, PartId, PassiveSystem, PassiveTouch, SolverStats, StepStatus,
};
use aplomb::world::World;
use nalgebra::{UnitQuaternion, Vector3};
use std::error::Error;
use std::ops::Range;

/// m p̈ = m g − k (p − anchor) + f.
#[derive(Clone)]
struct Spring {
    time: f64,
    /// kg, N/m
    mass: f64,
    stiffness: f64,
    /// World, m, m/s.
    anchor: Vector3<f64>,
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    gravity: Vector3<f64>,
    /// Applied since the last step, N.
    force: Vector3<f64>,
}

impl PassiveSystem for Spring {
    fn time(&self) -> f64 {
        self.time
    }

    /// Semi-implicit Euler: the new velocity moves the particle, so that its energy does not drift.
    fn step(&mut self, dt: f64) -> StepStatus {
        let force = self.force - self.stiffness * (self.position - self.anchor);
        self.velocity += dt * (self.gravity + force / self.mass);
        self.position += dt * self.velocity;
        self.force.fill(0.0);
        self.time += dt;
        StepStatus::Solved
    }

    fn parts(&self) -> usize {
        1
    }

    fn part(&self, _: PartId) -> Part {
        Part {
            position: self.position,
            orientation: UnitQuaternion::identity(),
            velocity: self.velocity,
            angular_velocity: Vector3::zeros(),
        }
    }

    fn apply_force(&mut self, _: PartId, _: &Vector3<f64>, force: &Vector3<f64>) {
        self.force += force;
    }

    fn apply_impulse(&mut self, _: PartId, _: &Vector3<f64>, impulse: &Vector3<f64>) {
        self.velocity += impulse / self.mass;
    }

    fn energy(&self, _: Range<usize>) -> Energy {
        let stretch = self.position - self.anchor;
        Energy {
            kinetic: 0.5 * self.mass * self.velocity.norm_squared(),
            potential: 0.5 * self.stiffness * stretch.norm_squared()
                - self.mass * self.gravity.dot(&self.position),
        }
    }

    fn momentum(&self, _: Range<usize>) -> Force {
        Force::at_point(&self.position, self.mass * self.velocity, Vector3::zeros())
    }

    fn centre_of_mass(&self, _: Range<usize>) -> (f64, Vector3<f64>) {
        (self.mass, self.position)
    }

    // A spring has no length that should stay.
    fn stretch(&self, _: Range<usize>) -> f64 {
        0.0
    }

    fn solver_stats(&self) -> SolverStats {
        SolverStats::default()
    }

    fn outline(&self) -> Vec<Outline> {
        Vec::new()
    }

    fn each_touch(&self, _: &mut dyn FnMut(&PassiveTouch)) {}
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    let anchor = Vector3::new(0.0, 0.0, 2.0);
    let spring = Spring {
        time: 0.0,
        mass: 0.5,
        stiffness: 20.0,
        anchor,
        position: anchor,
        velocity: Vector3::zeros(),
        gravity,
        force: Vector3::zeros(),
    };
    let system = NamedSystem { system: Box::new(spring), part_names: vec!["bob".into()] };

    let mut world = World::builder().build()?;
    let bob = world.add_passive("spring", system)?;
    let before = world.passive().whole(bob).energy.total();
    let mut lowest = f64::INFINITY;
    while world.time() < 5.0 {
        world.step()?;
        lowest = lowest.min(world.passive().whole(bob).com.z);
    }
    let after = world.passive().whole(bob).energy.total();
    // From where the spring is slack it falls twice as far as it would hang.
    let wanted = 2.0 - 2.0 * 0.5 * 9.81 / 20.0;
    println!("lowest at {lowest:.3} m ({wanted:.3} m), energy {before:.3} J before and {after:.3} J after");
    assert!((lowest - wanted).abs() < 0.01 && (after - before).abs() < 0.2);

    // Checkpoints clone it: the same future twice.
    let checkpoint = world.checkpoint();
    let mut future = || -> Result<Vector3<f64>, Box<dyn Error>> {
        world.restore(&checkpoint)?;
        (0..100).try_for_each(|_| world.step())?;
        Ok(world.passive().whole(bob).com)
    };
    assert_eq!(future()?, future()?);
    Ok(())
}
