//! Behaviour of the conjugate gradient solver with inconsistent and redundant constraints.

use super::exact;
use aplomb::passive::constrained::constraint::{Distance, Pin};
use aplomb::passive::constrained::{BaumgarteGains, Constrained, Point};
use nalgebra::Vector3;

#[test]
fn contradicting_pins_are_met_half_way() {
    let mut system = Constrained::new();
    *system.feedback_mut() = BaumgarteGains { stiffness: 100.0, damping: 20.0 };
    let bead = system.add_particle(Vector3::new(0.3, 0.1, 0.0), Vector3::zeros(), Some(2.0));
    for side in [-1.0, 1.0] {
        let place = Vector3::new(side, 0.0, 0.5);
        system.add_constraint(Box::new(Pin { place }), &[Point::Particle(bead)]).expect("there");
    }
    let solution = system.evaluate().expect("evaluates");
    assert!(solution.contradictory && !solution.capped, "{solution:?}");
    // Each row along x differs by 100 · 1 m from the value at the mean of the pins.
    assert!((solution.residual - 100.0 * 2.0_f64.sqrt()).abs() < 1e-9, "{solution:?}");
    let found = system.acceleration(bead).expect("there");
    let middle: Vector3<f64> = -100.0 * (Vector3::new(0.3, 0.1, 0.0) - Vector3::new(0.0, 0.0, 0.5));
    assert!((found - middle).norm() < 1e-9, "{found}");
}

/// A swinging chain that hangs from the world.
fn chain(links: usize) -> Constrained {
    let mut system = exact();
    let mut before = system.add_particle(Vector3::zeros(), Vector3::zeros(), None);
    for k in 0..links {
        let place = Vector3::new(0.1 * (k + 1) as f64, 0.0, 0.0);
        let next = system.add_particle(place, Vector3::new(0.0, 0.3 * (k as f64).sin(), 0.0), Some(0.1));
        let ends = [Point::Particle(before), Point::Particle(next)];
        system.add_constraint(Box::new(Distance { length: 0.1 }), &ends).expect("there");
        before = next;
    }
    system
}

#[test]
fn iterations_grow_no_faster_than_rows() {
    for links in [10, 50, 200] {
        let mut system = chain(links);
        let mut most = 0;
        for _ in 0..20 {
            let solution = system.step(1e-3).expect("steps");
            assert!(!solution.capped && !solution.contradictory, "{links}: {solution:?}");
            assert!(solution.residual <= 1e-12 * solution.asked);
            most = most.max(solution.iterations);
        }
        assert!(most <= 2 * links, "{links}: {most}");
    }
}

#[test]
fn a_cap_that_is_hit_is_said() {
    let mut system = chain(50);
    system.limits_mut().turns_per_row = 0;
    let solution = system.step(1e-3).expect("steps");
    assert!(solution.capped && solution.iterations == 10 && solution.residual > 0.0, "{solution:?}");
}

#[test]
fn steps_of_four_evaluations_err_by_the_fourth_power() {
    let run = |steps: u32| {
        let mut system = chain(3);
        (0..steps).for_each(|_| {
            system.step(0.4 / f64::from(steps)).expect("steps");
        });
        system.evaluate().expect("evaluates");
        system.momentum().1
    };
    let exact = run(1600);
    let ratio = (run(50) - exact).norm() / (run(100) - exact).norm();
    assert!((12.0..20.0).contains(&ratio), "{ratio}");
}
