//! Events that act on passive objects.

use super::scene::{files, message, run};
use aplomb::trace::Frame;
use nalgebra::Vector3;

fn place(frame: &Frame, part: usize) -> Vector3<f64> {
    Vector3::from(frame.passive[0].positions[part])
}

#[test]
fn a_push_gives_a_passive_object_its_impulse() {
    let objects = [
        ("kind = \"articulated\"\nmodel = \"ball\"\nposition = [0, 0, 1]", "", 0.43),
        ("kind = \"articulated\"\nmodel = \"crate\"\nposition = [0, 0, 1]", "point = [0, 0.1, 0]\n", 8.0),
        (
            "kind = \"particles\"\nboxes = [{ position = [0, 0, 1], half_lengths = [0.1, 0.1, 0.1], mass = 3 }]",
            "part = \"box0\"\n",
            3.0,
        ),
        ("kind = \"rope\"\nends = [[0, 0, 1], [1, 0, 1]]\nsticks = 5\nmass = 2", "part = \"2\"\n", 2.0),
        (
            "kind = \"chain\"\npoints = [[0, 0, 1], [1, 0, 1]]\nlinks = 5\nmass = 2\nfixed = false",
            "part = \"2\"\n",
            2.0,
        ),
        ("kind = \"constrained\"\nparticles.a = { position = [0, 0, 1], mass = 2 }", "part = \"a\"\n", 2.0),
    ];
    for (object, part, mass) in objects {
        let text = format!(
            "duration = 0.5
gravity = [0, 0, 0]
[passive.object]
{object}
[events.shove]
passive = \"object\"
{part}at = 0.1
duration = 0.2
impulse = [1.5, 0, 0.6]
"
        );
        let (_, trace) = run(&files(&text));
        let velocity = |frame: usize| Vector3::from(trace.frames[frame].passive[0].com_velocity);
        assert!(velocity(10).norm() < 1e-9, "{object}: {}", velocity(10));
        let gained = velocity(50) * mass - Vector3::new(1.5, 0.0, 0.6);
        assert!(gained.norm() < 2e-3, "{object}: misses {gained} N s");
        assert_eq!(trace.frames[15].events, ["shove"]);
        assert!(trace.frames[35].events.is_empty());
    }
}

#[test]
fn what_a_pin_holds_falls_while_it_is_disabled_and_hangs_again() {
    let text = "\
duration = 3
[passive_settings]
dt = 0.002
[passive.rope]
kind = \"rope\"
ends = [[0, 0, 5], [0, 0, 4]]
sticks = 8
mass = 1
fixed = [\"first\"]
relax = { passes = 40 }
[events.cut]
kind = \"disable\"
passive = \"rope\"
constraint = \"0\"
at = 0.5
duration = 0.4
";
    let (_, trace) = run(&files(text));
    let top = |frame: usize| place(&trace.frames[frame], 0).z;
    assert!((top(50) - 5.0).abs() < 1e-12);
    let fallen = 5.0 - top(90);
    assert!((fallen - 0.5 * 9.81 * 0.16).abs() < 0.05, "fell {fallen} m");
    assert!((top(91) - top(300)).abs() < 0.05, "{} {}", top(91), top(300));
    let end = trace.header.passive[0].parts.iter().position(|part| part == "8").expect("the last particle");
    let length = top(300) - place(&trace.frames[300], end).z;
    assert!((length - 1.0).abs() < 0.02, "it hangs {length} m");
}

#[test]
fn a_constraint_that_is_enabled_late_holds_from_then_on() {
    let text = "\
duration = 1
[passive.beads]
kind = \"constrained\"
particles.bead = { position = [0.5, 0, 1], mass = 1 }
constraints = [{ name = \"rail\", of = [\"bead\"], plane = { point = [0, 0, 0.51], normal = [0, 0, 1] } }]
[events.catch]
kind = \"enable\"
passive = \"beads\"
constraint = \"rail\"
at = 0.3
";
    let (_, trace) = run(&files(text));
    let height = |frame: usize| place(&trace.frames[frame], 0).z;
    let free = |time: f64| 1.0 - 0.5 * 9.81 * time * time;
    assert!((height(25) - free(0.25)).abs() < 2e-3, "{}", height(25));
    assert!((height(100) - 0.51).abs() < 2e-3, "{} m", height(100));
}

#[test]
fn a_loop_of_bodies_opens_and_closes() {
    let text = "\
duration = 2
[passive.linkage]
kind = \"articulated\"
model = \"four_bar\"
position = [0, 0, 1]
damping = 0.05
loops = [{ name = \"pin\", bodies = [\"rocker\"], point = [0, 0, -0.4] }]
[events.open]
kind = \"disable\"
passive = \"linkage\"
constraint = \"pin\"
at = 0.5
duration = 0.2
";
    let (_, trace) = run(&files(text));
    let gap = |frame: usize| {
        let frame = &trace.frames[frame];
        let [w, x, y, z] = frame.passive[0].orientations[2];
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        (place(frame, 2) + turn * Vector3::new(0.0, 0.0, -0.4) - Vector3::new(0.5, 0.0, 0.8)).norm()
    };
    assert!(gap(50) < 1e-4 && gap(70) > 0.02 && gap(200) < 2e-3, "{} {} {}", gap(50), gap(70), gap(200));
}

#[test]
fn springs_of_joints_and_between_particles_can_be_switched_off() {
    let objects = [
        (
            "kind = \"chain\"\npoints = [[0, 0, 1], [1, 0, 1]]\nlinks = 4\nmass = 0.4\nstiffness = 50\ndamping = 1",
            "all",
            0.3,
        ),
        (
            "kind = \"constrained\"\nparticles = { nail = { position = [0, 0, 1] }, bob = { position = [0, 0, 0.9], mass = 1 } }\nsprings = [{ name = \"coil\", of = [\"nail\", \"bob\"], rest = 0.1, stiffness = 1000, damping = 40 }]",
            "coil",
            0.5,
        ),
    ];
    for (object, spring, falls) in objects {
        let text = format!(
            "duration = 1.5
ground.height = -5
[passive.object]
{object}
[events.limp]
kind = \"disable\"
passive = \"object\"
spring = \"{spring}\"
at = 0.8
"
        );
        let (_, trace) = run(&files(&text));
        let height = |frame: usize| trace.frames[frame].passive[0].com[2];
        let sunk = height(0) - height(80);
        assert!(sunk.abs() < 0.05, "{object}: stands until then, {sunk}");
        assert!(height(80) - height(150) > falls, "{object}: {} {}", height(80), height(150));
    }
}

#[test]
fn mistakes_in_events_on_passive_objects_are_said() {
    let scene = |event: &str| {
        format!(
            "duration = 1\n[passive.crates]\nkind = \"rope\"\nends = [[0, 0, 1], [1, 0, 1]]\nsticks = 2\nmass = 1\nfixed = [\"first\"]\n[events.it]\nat = 0\n{event}\n"
        )
    };
    for (event, said) in [
        ("duration = 0.1\npassive = \"crate\"\nimpulse = [0, 0, 1]", "there is no passive object `crate`"),
        (
            "duration = 0.1\npassive = \"crates\"\nimpulse = [0, 0, 1]",
            "`crates` has 3 parts: name one with `part`",
        ),
        (
            "duration = 0.1\npassive = \"crates\"\npart = \"7\"\nimpulse = [0, 0, 1]",
            "`crates` has no part `7`",
        ),
        ("kind = \"disable\"\npassive = \"crates\"\nconstraint = \"2\"", "`crates` has no constraint `2`"),
        ("kind = \"disable\"\npassive = \"crates\"\nspring = \"all\"", "`crates` has no spring `all`"),
        (
            "kind = \"disable\"\npassive = \"crates\"\nobjective = \"com\"",
            "a passive object has no `objective`",
        ),
        ("kind = \"disable\"\nspring = \"all\"", "`spring` is only for passive objects"),
        ("kind = \"disable\"\npassive = \"crates\"", "needs `objective` or `constraint` or `spring`"),
    ] {
        let message = message(&scene(event));
        assert!(message.contains(said) && message.contains("wrong.toml:"), "{event}: {message}");
    }
}

#[test]
fn mistakes_in_networks_containers_drags_and_loops_are_said() {
    let network = "\
duration = 1
[passive.net]
kind = \"particles\"
points = { a = { position = [0, 0, 1] }, b = { position = [0, 0, 2], fixed = true } }
sticks = [{ of = [\"a\", \"b\"] }]
container = { low = [-1, -1, 0], high = [1, 1, 3] }
drags = [{ particles = [\"b\"], offset = [\"sin(time)\", 0, 0] }]
";
    let linkage = "\
duration = 1
[passive.linkage]
kind = \"articulated\"
model = \"four_bar\"
loops = [{ bodies = [\"rocker\"], point = [0, 0, -0.4], joint = \"hinge\", axis = [0, 1, 0] }]
";
    for (scene, right, wrong, place, said) in [
        (network, "of = [\"a\", \"b\"]", "of = [\"a\", \"c\"]", ":5:", "there is no point `c`"),
        (network, "of = [\"a\", \"b\"]", "of = [\"a\"]", ":5:", "a stick joins two points"),
        (
            network,
            "high = [1, 1, 3]",
            "high = [1, -1, 3]",
            ":6:",
            "high must be more than low along each axis",
        ),
        (network, ", high = [1, 1, 3]", "", ":6:", "a container is a box with `low` and `high`"),
        (network, "sin(time)", "sin(tme)", ":7:", "tme"),
        (network, "sin(time)", "1 / (time - time)", ":7:", "when it begins"),
        (network, "particles = [\"b\"]", "particles = []", ":7:", "a drag needs at least one particle"),
        (network, "particles = [\"b\"]", "particles = [\"d\"]", ":7:", "there is no particle `d`"),
        (network, "offset = [\"sin(time)\", 0, 0]", "from = 1", ":7:", "either `position` or `offset`"),
        (linkage, "\"rocker\"", "\"rockr\"", ":5:", "unknown body `rockr`"),
        (linkage, "\"rocker\"", "\"rocker\", \"rocker\"", ":5:", "a body cannot be joined to itself"),
        (linkage, ", axis = [0, 1, 0]", "", ":5:", "a hinge needs an `axis`"),
        (linkage, "hinge", "ball", ":5:", "only a hinge has an `axis`"),
    ] {
        assert!(scene.contains(right), "{right}");
        let message = message(&scene.replacen(right, wrong, 1));
        assert!(message.contains(said) && message.contains(place), "{wrong}: {message}");
    }
}
