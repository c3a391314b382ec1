//! Code that must not allocate, checked with a counting allocator.

use aplomb::geometry::WorldShape;
use aplomb::passive::constrained::body::Pendulum;
use aplomb::passive::constrained::constraint::Distance;
use aplomb::passive::constrained::{Constrained, Point, Stepper};
use aplomb::passive::obstacle::Obstacle;
use aplomb::passive::particles::cloth::Weave;
use aplomb::passive::particles::{Particles, ParticlesSpec, straight};
use aplomb::qp::Qp;
use aplomb::qp::solver::{ActiveSet, QpSolution, QpSolver};
use aplomb::scene::{Run as SceneRun, Worlds};
use aplomb::trace::CharacterFrame;
use aplomb::world::FrameResult;
use nalgebra::{UnitQuaternion, Vector3};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending no longer has a counter.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: all calls are forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller upholds the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// A problem with 40 unknowns, a third of them at zero, whose rows become active and inactive as `phase` changes.
fn problem(phase: f64) -> Qp {
    const SIZE: usize = 40;
    let wave = |k: usize, step: f64| (phase + step * k as f64).sin();
    let mut qp = Qp::default();
    qp.reset(SIZE);
    for i in 0..SIZE {
        for j in 0..SIZE {
            qp.hessian.row_mut(i)[j] = 1.0 / (1.0 + i.abs_diff(j) as f64) + f64::from(u8::from(i == j));
        }
        qp.gradient[i] = wave(i, 0.7);
        qp.lower[i] = if i % 2 == 0 { 0.0 } else { f64::NEG_INFINITY };
        qp.upper[i] = if i % 3 == 0 { 0.2 } else { f64::INFINITY };
    }
    for k in 0..10 {
        let row: Vec<f64> = (0..SIZE).map(|j| ((k * j) as f64 * 0.37).cos()).collect();
        if k < 3 {
            qp.equality.push(&row);
            qp.equality_value.push(0.1 * wave(k, 1.0));
        } else {
            qp.rows.push(&row);
            qp.rows_lower.push(-0.2);
            qp.rows_upper.push(0.2);
        }
    }
    qp
}

#[test]
fn the_kernel_allocates_in_its_first_solve_of_a_shape_only() {
    let problems: Vec<Qp> = (0..30).map(|k| problem(0.2 * f64::from(k))).collect();
    let mut solver = ActiveSet::default();
    let mut solution = QpSolution::default();
    let first = allocations(|| solver.solve(&problems[0], &mut solution).expect("solved"));
    assert!(first > 0, "the counter counts");
    let mut changes = 0;
    let rest = allocations(|| {
        for problem in &problems {
            solver.solve(problem, &mut solution).expect("solved");
            changes += solution.iterations;
        }
        // A cold start, which uses the most memory.
        solver.reset();
        solver.solve(&problems[7], &mut solution).expect("solved");
    });
    assert!(changes > 0, "the working set changes on the way");
    assert_eq!(rest, 0);
}

/// First frames, in which buffers grow to their size.
const FIRST_FRAMES: u64 = 5;

/// Runs a shipped scene and counts the allocations of quiet frames: no contact is made, broken or reversed, no state
/// is entered, no event begins, and there are no more unknowns or rows than before.
fn assert_quiet(scene: &str, overrides: &[&str], duration: f64) {
    assert_quiet_but(20, scene, overrides, duration);
}

/// Like [`assert_quiet`], with up to `unlike` frames that are not quiet.
fn assert_quiet_but(unlike: u64, scene: &str, overrides: &[&str], duration: f64) {
    let overrides: Vec<String> = overrides.iter().map(|argument| argument.to_string()).collect();
    let files = aplomb::scene::load(scene, &overrides).expect("a shipped scene");
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (mut quiet, mut warm) = (0, [0; 5]);
    while simulation.world.frame_index() as f64 * simulation.world.settings().dt < duration {
        let count = allocations(|| {
            assert!(simulation.step().expect("usable numbers").is_some(), "it stands");
        });
        let qp = simulation.character().synthesiser.last_problem();
        let hero = simulation.hero().expect("somebody acts");
        let FrameResult { frame, progress, .. } = simulation.world.result(hero);
        let CharacterFrame { events, external, contacts, parted, turned, .. } = frame;
        // If contacts lost their force or friction, earlier solves of the frame had more unknowns.
        let is_settled = parted + turned == 0;
        let size = [qp.size(), qp.rows_lower.len(), events.len(), external.len(), contacts.len()];
        let is_warm = size.iter().zip(&warm).all(|(size, warm)| size <= warm);
        if is_warm
            && is_settled
            && simulation.world.frame_index() > FIRST_FRAMES
            && progress.transitions.is_empty()
        {
            assert_eq!(count, 0, "{scene} at {} s", frame.time);
            quiet += 1;
        }
        warm.iter_mut().zip(size).for_each(|(warm, size)| *warm = size.max(*warm));
    }
    let frames = simulation.world.frame_index();
    assert!(quiet + unlike > frames, "{scene}: {quiet} of {frames} frames are like those before them");
}

#[test]
fn a_frame_of_balance_allocates_nothing_after_the_first_ones() {
    assert_quiet("balance_push", &["events.push.at=0.1"], 3.0);
}

#[test]
fn a_frame_on_one_foot_allocates_nothing_after_the_first_ones() {
    assert_quiet("one_foot", &[], 3.0);
}

#[test]
fn a_frame_on_a_floor_that_shakes_allocates_nothing_after_the_first_ones() {
    assert_quiet("shaking_floor", &[], 3.0);
}

#[test]
fn a_frame_with_a_target_that_moves_allocates_nothing_after_the_first_ones() {
    assert_quiet("moving_target", &[], 3.0);
}

#[test]
fn a_frame_of_a_swing_from_a_bar_allocates_nothing_after_the_first_ones() {
    assert_quiet("swing_rest", &[], 3.0);
}

#[test]
fn a_frame_of_a_climb_allocates_nothing_after_the_first_ones() {
    // Hands and feet release, slip and grip, and states change, repeatedly.
    assert_quiet_but(80, "climb", &[], 6.0);
}

#[test]
fn a_frame_of_a_swing_on_a_rope_allocates_nothing_after_the_first_ones() {
    assert_quiet("rope_swing", &[], 3.0);
}

#[test]
fn a_frame_of_a_body_that_lies_limp_allocates_nothing() {
    let files = aplomb::scene::load("fall_limp", &[]).expect("a shipped scene");
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    while !simulation.is_over() {
        let count = allocations(|| {
            simulation.step().expect("usable numbers");
        });
        let time = simulation.world.world_result().frame.time;
        assert!(time < 4.0 || count == 0, "{count} at {time} s");
    }
}

#[test]
fn a_step_of_many_worlds_allocates_nothing() {
    let files = aplomb::scene::load("balance_push", &[]).expect("a shipped scene");
    let mut worlds = Worlds::new(&files, 3).unwrap_or_else(|error| panic!("{error}"));
    // On the caller's thread, whose allocations are counted; everything has occurred once before the push.
    worlds.step_frames(60, 1).expect("no threads");
    let count = allocations(|| {
        for _ in 0..30 {
            assert_eq!(worlds.step(1).expect("no threads"), 3);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn particles_take_no_memory_after_the_first_steps() {
    let mut spec = ParticlesSpec::default();
    let steps = [0.05 * Vector3::x(), -0.05 * Vector3::y()];
    let start = Vector3::new(0.0, 0.0, 1.0);
    let grid = spec
        .add_grid([20, 20], start, steps, 0.2, Weave { shear: Some(0.0), bend: Some(0.0) })
        .expect("a grid");
    let pin = (grid.at(0, 0), start);
    spec.pin(pin.0);
    spec.tethers = straight(grid.particles().map(|k| (k, spec.particles[k].position)), &[pin], 1);
    for k in 0..4 {
        let place = Vector3::new(3.0, 0.0, 0.1 + 0.2 * f64::from(k));
        spec.add_box(place, UnitQuaternion::identity(), Vector3::repeat(0.1), 1.0, 0.5).expect("a box");
    }
    let mut particles = Particles::new(&spec).expect("sound");
    let floor = WorldShape::HalfSpace { normal: Vector3::z(), offset: 0.0 };
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
