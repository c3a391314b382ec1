//! Cloth, ropes, particles and chains that collide with bodies of other objects, and with moving ground.

use super::scene::{files, run};
use aplomb::math::spatial::Force;
use aplomb::passive::PassiveWorld;
use aplomb::scene::Run as SceneRun;

fn momentum(passive: &PassiveWorld) -> Force {
    let of = |object: &aplomb::passive::PassiveObject| {
        passive.systems[object.system].momentum(object.parts.clone())
    };
    passive.objects.iter().map(of).sum()
}

/// Steps to the end; returns the momentum before and after, and the change of the first object's own momentum.
fn exchange(text: &str) -> (Force, Force, f64) {
    let mut simulation = SceneRun::bind(&files(text)).unwrap_or_else(|errors| panic!("{errors:?}"));
    let before = momentum(simulation.world.passive());
    let first = |simulation: &SceneRun| {
        let passive = simulation.world.passive();
        let object = &passive.objects[0];
        passive.systems[object.system].momentum(object.parts.clone()).force
    };
    let start = first(&simulation);
    while !simulation.is_over() {
        simulation.step().expect("usable numbers");
    }
    (before, momentum(simulation.world.passive()), (first(&simulation) - start).norm())
}

const NOWHERE: &str = "\
duration = 0.3
gravity = [0, 0, 0]
ground.height = -9
[passive_settings]
dt = 0.002
[passive.ball]
kind = \"articulated\"
model = \"medicine_ball\"
position = [0.05, 0.02, 1]
velocity = [0, 0, -3]
";

#[test]
fn what_a_cloth_takes_from_a_ball_the_ball_loses() {
    // A cloth lighter than the ball, and one five times as heavy.
    for mass in [0.4, 25.0] {
        let text = format!(
            "{NOWHERE}
[passive.cloth]
kind = \"cloth\"
corner = [-0.4, -0.4, 0.7]
across = [0.8, 0, 0]
down = [0, 0.8, 0]
grid = [17, 17]
mass = {mass}
"
        );
        let (before, after, changed) = exchange(&text);
        assert!(changed > 0.5, "they met: {changed}");
        let lost = (after.force - before.force).norm();
        assert!(lost < 1e-9 * before.force.norm(), "{lost} of {}", before.force);
        let moment = (after.moment - before.moment).norm();
        // Sticks are corrected along their current direction, not the previous one, which itself produces this much
        // moment.
        assert!(moment < 0.05 * changed, "{moment} N m s of {changed} N s");
    }
}

#[test]
fn boxes_of_particles_and_chains_give_a_ball_what_it_takes_from_them() {
    for other in [
        "kind = \"particles\"\nboxes = [{ position = [0, 0, 0.5], half_lengths = [0.1, 0.2, 0.1], mass = 2 }]",
        "kind = \"rope\"\nends = [[-0.5, 0, 0.6], [0.5, 0, 0.6]]\nsticks = 20\nmass = 1",
        "kind = \"chain\"\npoints = [[-0.5, 0, 0.6], [0.5, 0, 0.6]]\nlinks = 20\nmass = 1\nfixed = false",
    ] {
        let (before, after, changed) = exchange(&format!("{NOWHERE}\n[passive.other]\n{other}\n"));
        assert!(changed > 0.2, "{other}: {changed}");
        let lost = (after.force - before.force).norm();
        assert!(lost < 1e-9 * before.force.norm(), "{other}: {lost} of {}", before.force);
    }
}

#[test]
fn a_meeting_makes_no_energy() {
    // Ten times as heavy as the object that it hits.
    let text = NOWHERE.replace("medicine_ball", "ball")
        + "[passive.stone]
kind = \"particles\"
boxes = [{ position = [0, 0, 0.5], half_lengths = [0.1, 0.1, 0.1], mass = 6 }]
";
    let (_, trace) = run(&files(&text));
    let energy =
        |frame: &aplomb::trace::Frame| frame.passive.iter().map(|object| object.kinetic_energy).sum::<f64>();
    let start = energy(&trace.frames[0]);
    for frame in &trace.frames {
        assert!(energy(frame) < start * (1.0 + 1e-9), "{} J of {start} at {}", energy(frame), frame.time);
    }
    let [ball, stone] = [0, 1].map(|object| trace.frames[30].passive[object].com_velocity[2]);
    assert!(ball > stone - 0.05 && stone < -0.1, "{ball} {stone}");
}

#[test]
fn a_ball_stays_on_a_cloth_that_is_held() {
    let text = "\
duration = 3
[passive_settings]
dt = 0.002
[passive.ball]
kind = \"articulated\"
model = \"ball\"
position = [0, 0, 1.2]
[passive.cloth]
kind = \"cloth\"
corner = [-0.4, -0.4, 1]
across = [0.8, 0, 0]
down = [0, 0.8, 0]
grid = [21, 21]
mass = 0.3
fixed = [\"first_row\", \"last_row\", \"first_column\", \"last_column\"]
relax = { velocity_retention = 0.05 }
";
    let (_, trace) = run(&files(text));
    let lowest = trace.frames.iter().map(|frame| frame.passive[0].com[2]).fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.8, "fell to {lowest} m");
    // It also supports the ball's weight.
    let speed = trace.frames[300].passive[0].com_velocity[2].abs();
    assert!(speed < 0.3, "{speed} m/s");
}

#[test]
fn what_lies_on_ground_that_moves_rides_it() {
    for other in [
        "kind = \"cloth\"\ncorner = [-0.2, -0.2, 0.02]\nacross = [0.4, 0, 0]\ndown = [0, 0.4, 0]\ngrid = [9, 9]\nmass = 0.2",
        "kind = \"rope\"\nends = [[-0.3, 0, 0.02], [0.3, 0, 0.02]]\nsticks = 12\nmass = 0.4",
        "kind = \"particles\"\nboxes = [{ position = [0, 0, 0.1], half_lengths = [0.1, 0.1, 0.1], mass = 2 }]",
        "kind = \"chain\"\npoints = [[-0.3, 0, 0.012], [0.3, 0, 0.012]]\nlinks = 6\nmass = 0.6\nfixed = false\nstiffness = 1\ndamping = 0.1",
    ] {
        let text = format!(
            "duration = 1.5
ground.motion = {{ keyframes = {{ times = [0.2, 1.2], offsets = [[0, 0, 0], [0.8, 0, 0.1]] }} }}
[passive_settings]
dt = 0.002
[passive.other]
{other}
"
        );
        let (_, trace) = run(&files(&text));
        let com = |frame: usize| trace.frames[frame].passive[0].com;
        let (gone, risen) = (com(150)[0] - com(20)[0], com(150)[2] - com(20)[2]);
        assert!((gone - 0.8).abs() < 0.03 && (risen - 0.1).abs() < 0.01, "{other}: {gone} {risen}");
    }
}

#[test]
fn what_lies_on_an_obstacle_falls_when_it_vanishes() {
    let text = "\
duration = 1
[passive_settings]
dt = 0.002
[obstacles.table]
half_lengths = [0.5, 0.5, 0.05]
position = [0, 0, 0.95]
[events.gone]
kind = \"vanish\"
obstacle = \"table\"
at = 0.5
[passive.rope]
kind = \"rope\"
ends = [[-0.3, 0, 1.01], [0.3, 0, 1.01]]
sticks = 12
mass = 0.4
";
    let (_, trace) = run(&files(text));
    let height = |frame: usize| trace.frames[frame].passive[0].com[2];
    assert!(height(49) > 0.99 && height(80) < 0.75, "{} {}", height(49), height(80));
}
