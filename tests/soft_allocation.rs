//! Soft things take memory once: steps after the first ones take none.

use aplomb::passive::constrained::body::Pendulum;
use aplomb::passive::constrained::constraint::Distance;
use aplomb::passive::constrained::{Constrained, Point, Stepper};
use aplomb::passive::obstacle::{Obstacle, Shape};
use aplomb::passive::particles::cloth::Weave;
use aplomb::passive::particles::{Particles, ParticlesSpec, straight};
use nalgebra::{UnitQuaternion, Vector3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn particles_take_no_memory_after_the_first_steps() {
    let mut spec = ParticlesSpec::default();
    let steps = [0.05 * Vector3::x(), -0.05 * Vector3::y()];
    let start = Vector3::new(0.0, 0.0, 1.0);
    let grid = spec.add_grid([20, 20], start, steps, 0.2, Weave { shear: true, bend: true }).expect("a grid");
    let pin = (grid.at(0, 0), start);
    spec.pin(pin.0);
    spec.tethers = straight(grid.particles().map(|k| (k, spec.particles[k].position)), &[pin], 1);
    for k in 0..4 {
        let place = Vector3::new(3.0, 0.0, 0.1 + 0.2 * f64::from(k));
        spec.add_box(place, UnitQuaternion::identity(), Vector3::repeat(0.1), 1.0, 0.5).expect("a box");
    }
    let mut particles = Particles::new(&spec).expect("sound");
    let floor = Shape::HalfSpace { normal: Vector3::z(), offset: 0.0 };
    particles.add_obstacle(Obstacle::fixed(floor, 0.5));
    let mut run = |count: usize| {
        for _ in 0..count {
            particles.apply_force(grid.at(9, 9), &Vector3::x());
            particles.step(1.0 / 60.0).expect("finite");
        }
    };
    run(200);
    assert_eq!(allocations(|| run(100)), 0);
}

#[test]
fn constrained_particles_take_no_memory_after_the_first_step() {
    let mut system = Constrained::new();
    system.stepper = Stepper::RungeKutta4;
    let pendulum = Pendulum {
        pivot: Vector3::zeros(),
        across: Vector3::x(),
        up: Vector3::z(),
        lengths: vec![0.5, 0.4],
        masses: vec![1.0, 0.7],
    };
    let body = system.add_body(Box::new(pendulum), &[0.4, 1.0], &[0.0; 2]);
    system.evaluate().expect("evaluates");
    let mut before = Point::OfBody(body, 1);
    let start = system.position(before).expect("there");
    for k in 0..10 {
        let place = start + 0.1 * f64::from(k + 1) * Vector3::x();
        let next = Point::Particle(system.add_particle(place, Vector3::zeros(), Some(0.1)));
        system.add_constraint(Box::new(Distance { length: 0.1 }), &[before, next]).expect("there");
        before = next;
    }
    let mut run = |count: usize| {
        for _ in 0..count {
            system.apply_force(before, &Vector3::y()).expect("there");
            system.step(1e-3).expect("steps");
        }
    };
    run(1);
    assert_eq!(allocations(|| run(100)), 0);
}
