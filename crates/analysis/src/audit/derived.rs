//! The derived quantities of a record agree with its configuration: centre of mass, its velocity, energies, centre of
//! pressure.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_body::dynamics::momentum;
use nalgebra::{Vector2, Vector3};

struct Derived {
    com: Gauge,
    velocity: Gauge,
    kinetic: Gauge,
    potential: Gauge,
    pressure: Gauge,
}

pub(super) fn make(_: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(Derived {
        com: Gauge::new("centre of mass off its configuration", "m", 1e-11),
        velocity: Gauge::new("velocity of the centre of mass off", "m/s", 1e-10),
        kinetic: Gauge::new("kinetic energy off, as a share", "1", 1e-10),
        potential: Gauge::new("potential energy off, in m g h", "1", 1e-10),
        pressure: Gauge::new("centre of pressure off that of the contacts", "m", 1e-9),
    })
}

impl AuditCheck for Derived {
    fn look(&mut self, passage: &Passage<'_>) {
        let Passage { bench, now, here, .. } = passage;
        let nothing = String::new;
        let com = momentum::com(here);
        let far = com.norm().max(1.0);
        self.com.read((com - Vector3::from(now.com)).norm() / far, now, nothing);
        let velocity = momentum::com_velocity(here);
        let fast = velocity.norm().max(1.0) * far;
        self.velocity.read((velocity - Vector3::from(now.com_velocity)).norm() / fast, now, nothing);
        let kinetic = momentum::kinetic_energy(&bench.model, here);
        self.kinetic.read((kinetic - now.kinetic_energy).abs() / kinetic.max(1.0) / far, now, nothing);
        let potential = momentum::potential_energy(here, &bench.gravity);
        self.potential.read((potential - now.potential_energy).abs() / bench.torque / far, now, nothing);
        let touches = now.contacts.iter().filter(|contact| contact.supports());
        let (mut moment, mut load) = (Vector2::zeros(), 0.0);
        for touch in touches {
            moment += Vector2::new(touch.point[0], touch.point[1]) * touch.force[2];
            load += touch.force[2];
        }
        match now.centre_of_pressure {
            Some(said) => {
                let off = if load > 0.0 {
                    (moment / load - Vector2::from(said)).norm() / far
                } else {
                    f64::INFINITY
                };
                self.pressure.read(off, now, nothing);
            }
            // Under a small load the centre of pressure is undefined.
            None => {
                self.pressure.read(if load > 1e-5 * bench.weight { f64::INFINITY } else { 0.0 }, now, nothing)
            }
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.com, &self.velocity, &self.kinetic, &self.potential, &self.pressure]
    }
}
