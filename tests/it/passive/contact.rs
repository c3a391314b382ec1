//! Rigid contact compared with closed forms.

use super::reference::{json, model};
use aplomb::passive::PassiveSystem;
use aplomb::passive::articulated::lcp::Tolerance;
use aplomb::passive::articulated::{Articulated, ArticulatedSettings, ArticulatedWorld, Friction};
use nalgebra::Vector3;
use serde::Deserialize;
use serde_json::Value;

const DT: f64 = 1e-3;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    kind: String,
    scene: Option<String>,
    params: Value,
    expected: Value,
}

impl Case {
    fn parameter(&self, name: &str) -> f64 {
        self.params[name].as_f64().unwrap_or_else(|| panic!("{}: no {name}", self.name))
    }

    fn expected(&self, name: &str) -> f64 {
        self.expected[name].as_f64().unwrap_or_else(|| panic!("{}: no {name}", self.name))
    }

    fn list(&self, name: &str) -> Vec<f64> {
        let numbers = self.expected[name].as_array().unwrap_or_else(|| panic!("{}: no {name}", self.name));
        numbers.iter().filter_map(Value::as_f64).collect()
    }

    fn world(&self, settings: ArticulatedSettings) -> ArticulatedWorld {
        let scene = self.scene.as_ref().unwrap_or_else(|| panic!("{} has no scene", self.name));
        let model = model(scene);
        let mut world = ArticulatedWorld::new(model.gravity, settings);
        let q = model.rest_configuration();
        let mut system = Articulated::new(model, q);
        system.restitution = self.params["restitution"].as_f64().unwrap_or(0.0);
        world.add(system);
        world
    }
}

fn cases(kind: &str) -> Vec<Case> {
    let all = json::<File>("contact/analytic.json").cases;
    let chosen: Vec<Case> = all.into_iter().filter(|case| case.kind == kind).collect();
    assert!(!chosen.is_empty(), "no {kind}");
    chosen
}

/// Contact forces as exact as rounding allows.
fn exact() -> ArticulatedSettings {
    let stop = Tolerance { iterations: 20_000, residual: 1e-10 };
    ArticulatedSettings { stop, impact_stop: stop, ..ArticulatedSettings::default() }
}

fn run(world: &mut ArticulatedWorld, seconds: f64) {
    for _ in 0..(seconds / DT).round() as usize {
        world.step(DT);
    }
}

/// Position and velocity of the first body along x.
fn along_x(world: &ArticulatedWorld) -> (f64, f64) {
    let state = &world.systems()[0].state;
    (state.q[0], state.v[0])
}

#[test]
fn a_ball_bounces_at_the_times_and_speeds_of_the_closed_form() {
    for case in cases("sphere_bounce") {
        // The last bounces of the list are as slow as 0.4 mm/s.
        let settings = ArticulatedSettings { resting_speed: 1e-4, tolerance: 1e-7, halvings: 12, ..exact() };
        let mut world = case.world(settings);
        let (times, speeds) = (case.list("impact_times"), case.list("impact_speeds"));
        let mut found = Vec::new();
        while world.time() < times[times.len() - 1] + 0.01 {
            let before = world.systems()[0].state.v[2];
            world.step(DT);
            let report = world.report();
            found.extend(report.first_impact.map(|time| (time, before)));
            found.extend(report.last_impact.filter(|_| report.impacts > 1).map(|time| (time, before)));
        }
        let (mut worst_time, mut worst_speed) = (0.0f64, 0.0f64);
        // Bounces within one step are recorded as one.
        for (time, speed) in times.iter().zip(&speeds) {
            let near = found.iter().min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()));
            let Some((when, before)) = near else { panic!("{}: no bounce", case.name) };
            worst_time = worst_time.max((when - time).abs());
            if *speed > 0.1 {
                worst_speed = worst_speed.max((before + speed).abs());
            }
        }
        println!("{}: {worst_time:.1e} s, {worst_speed:.1e} m/s", case.name);
        assert!(worst_time < 1e-3, "{}: bounces {worst_time} s off", case.name);
        assert!(worst_speed < 2.0 * 9.81 * DT, "{}: bounces {worst_speed} m/s off", case.name);
    }
}

#[test]
fn halving_finds_the_bounces_too() {
    use aplomb::passive::articulated::Backtracking;
    for case in cases("sphere_bounce").iter().filter(|case| case.parameter("restitution") > 0.4) {
        let backtracking = Backtracking::Halving;
        let mut world =
            case.world(ArticulatedSettings { backtracking, tolerance: 1e-6, halvings: 12, ..exact() });
        let mut found = Vec::new();
        let times = case.list("impact_times");
        while found.len() < times.len() && world.time() < 20.0 {
            world.step(DT);
            found.extend(world.report().first_impact);
        }
        for (when, time) in found.iter().zip(&times) {
            assert!((when - time).abs() < 1e-3, "{}: {when} instead of {time}", case.name);
        }
    }
}

#[test]
fn a_box_on_an_incline_stays_or_slides_as_its_friction_says() {
    for case in cases("box_incline") {
        for friction in
            [Friction::Cone, Friction::Pyramid, Friction::SixConditions, Friction::OneTangent { seed: 1 }]
        {
            let mut world = case.world(ArticulatedSettings { friction, ..exact() });
            run(&mut world, 1.0);
            let moved = along_x(&world).0;
            let expected = case.expected("from_rest_displacement_at_1s");
            // With one tangent that need not point uphill, a box starts to slide before it is held.
            let creep = if matches!(friction, Friction::OneTangent { .. }) { 1e-2 } else { 1e-6 };
            let allowed = 0.01 * expected + creep;
            assert!(
                (moved - expected).abs() < allowed,
                "{} {friction:?}: {moved} instead of {expected}",
                case.name
            );
            let total: f64 = world.contacts().iter().map(|contact| contact.components[0]).sum();
            let normal = case.expected("normal_force");
            assert!((total - normal).abs() < 1e-3 * normal, "{} {friction:?}: {total} N", case.name);
        }
    }
}

#[test]
fn a_box_slides_as_far_as_the_closed_form_says() {
    for case in cases("box_incline") {
        let mut world = case.world(exact());
        world.system_mut(0).throw(&Vector3::new(case.expected("slide_v0"), 0.0, 0.0), &Vector3::zeros());
        world.refresh();
        if case.expected["slide_distance"].is_null() {
            run(&mut world, 1.0);
            let expected = case.expected("slide_displacement_at_1s");
            let (x, v) = along_x(&world);
            assert!((x - expected).abs() < 0.01 * expected, "{}: {x} instead of {expected}", case.name);
            assert!((v / case.expected("slide_velocity_at_1s") - 1.0).abs() < 0.01, "{}: {v}", case.name);
        } else {
            run(&mut world, case.expected("slide_time") + 0.1);
            let expected = case.expected("slide_distance");
            let (x, v) = along_x(&world);
            assert!((x - expected).abs() < 0.01 * expected, "{}: {x} instead of {expected}", case.name);
            assert!(v.abs() < 1e-6, "{}: still sliding at {v}", case.name);
        }
    }
}

#[test]
fn a_tall_box_stands_until_it_tips() {
    for case in cases("box_tip") {
        let mut world = case.world(exact());
        run(&mut world, 1.0);
        let state = &world.systems()[0].state;
        assert!(state.v.iter().all(|v| v.abs() < 1e-5), "{}: {:?}", case.name, state.v);
        let steeper = case.expected("tip_angle") + 0.02;
        world.gravity = Vector3::new(steeper.sin(), 0.0, -steeper.cos()) * 9.81;
        run(&mut world, 1.0);
        assert!(world.systems()[0].state.v[4] > 0.1, "{}: does not tip", case.name);
    }
}

#[test]
fn each_box_of_a_stack_bears_what_stands_on_it() {
    for case in cases("stack_rest") {
        let mut world = case.world(exact());
        run(&mut world, 1.0);
        let expected = case.list("interface_normal_forces_bottom_to_top");
        let mut loads = vec![0.0; expected.len()];
        for contact in world.contacts() {
            // Boxes are 0.1 m thick.
            loads[(contact.touch.point.z / 0.1).round() as usize] += contact.components[0];
        }
        let worst = loads.iter().zip(&expected).map(|(a, b)| (a - b).abs() / b).fold(0.0, f64::max);
        println!("{}: loads off by {worst:.1e}", case.name);
        assert!(worst < 1e-6, "{}: {loads:?} instead of {expected:?}", case.name);
        assert!(world.systems()[0].state.v.iter().all(|v| v.abs() < 1e-6), "{}", case.name);
    }
}

#[test]
fn a_pendulum_stops_or_bounces_at_the_limit_of_its_joint() {
    for case in cases("pendulum_joint_limit") {
        let restitution = case.parameter("restitution");
        let mut world = case.world(ArticulatedSettings { limit_restitution: restitution, ..exact() });
        let system = world.system_mut(0);
        system.state.q[0] = case.parameter("theta0");
        world.refresh();
        let before = world.total_energy().total();
        let mut impact = None;
        let mut rebound = f64::NEG_INFINITY;
        for _ in 0..1500 {
            world.step(DT);
            let state = &world.systems()[0].state;
            if impact.is_none() && world.report().impacts > 0 {
                impact = world.report().first_impact;
                let lost = before - world.total_energy().total();
                let expected = case.expected("energy_loss");
                assert!((lost - expected).abs() < 2e-3 * expected, "{}: {lost} J lost", case.name);
            }
            if impact.is_some() {
                rebound = rebound.max(state.q[0]);
                if restitution > 0.0 && state.v[0] < 0.0 {
                    break;
                }
            }
        }
        let (when, expected) = (impact.expect("it reaches the stop"), case.expected("time_of_impact"));
        assert!((when - expected).abs() < 1e-3, "{}: {when} instead of {expected}", case.name);
        let expected = case.expected("rebound_angle");
        assert!((rebound - expected).abs() < 2e-3, "{}: {rebound} instead of {expected}", case.name);
        let torque = case.expected("rest_limit_torque_if_e0");
        if restitution == 0.0 && torque > 0.0 {
            let got = world.limits()[0].force;
            assert!((got - torque).abs() < 1e-4 * torque, "{}: {got} N m instead of {torque}", case.name);
        }
    }
}

#[test]
fn a_ball_rolls_down_an_incline() {
    for case in cases("sphere_roll") {
        let mut world = case.world(exact());
        run(&mut world, 1.0);
        let state = &world.systems()[0].state;
        let (v, w) = (case.expected("acceleration"), case.expected("angular_acceleration"));
        assert!((state.v[0] - v).abs() < 2e-3 * v, "{}: {} m/s", case.name, state.v[0]);
        assert!((state.v[4] - w).abs() < 2e-3 * w, "{}: {} rad/s", case.name, state.v[4]);
        assert!((state.q[0] - 0.5 * v).abs() < 3e-3 * v, "{}: {} m", case.name, state.q[0]);
    }
}
