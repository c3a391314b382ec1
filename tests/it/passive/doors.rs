//! Options of particles and articulated objects in scene files, beyond their construction.

use super::scene::{files, run};
use aplomb::trace::Frame;
use nalgebra::Vector3;

fn place(frame: &Frame, part: usize) -> Vector3<f64> {
    Vector3::from(frame.passive[0].positions[part])
}

/// A triangle that hangs from a string.
const NETWORK: &str = "\
duration = 2
[passive_settings]
dt = 0.002
[passive.net]
kind = \"particles\"
relax = { passes = 40, velocity_retention = 0.05 }
sticks = [
    { of = [\"a\", \"b\"] },
    { of = [\"b\", \"c\"] },
    { of = [\"c\", \"a\"] },
    { of = [\"nail\", \"a\"], length = 0.5, keeps = \"at_most\" },
]
[passive.net.points]
nail = { position = [0, 0, 2], fixed = true }
a = { position = [0.1, 0, 1.7], mass = 2 }
b = { position = [0, 0, 1.3] }
c = { position = [0.3, 0, 1.3], velocity = [0, 0.2, 0] }
";

#[test]
fn a_network_of_points_hangs_as_its_sticks_say() {
    let (_, trace) = run(&files(NETWORK));
    let last = trace.frames.last().expect("frames");
    let [nail, a, b, c] = [0, 1, 2, 3].map(|point| place(last, point));
    assert_eq!(nail, Vector3::new(0.0, 0.0, 2.0));
    assert!((a - nail).norm() < 0.505 && (a - nail).norm() > 0.49, "{}", (a - nail).norm());
    for (from, to, length) in [(a, b, (0.17f64).sqrt()), (b, c, 0.3), (c, a, (0.2f64).sqrt())] {
        assert!(((to - from).norm() - length).abs() < 2e-3, "{} m, not {length}", (to - from).norm());
    }
    let heavy = (2.0 * a + b + c) / 4.0;
    assert!(heavy.x.abs() < 0.05, "hangs under the nail: {heavy}");
}

#[test]
fn a_pin_that_moves_takes_what_hangs_on_it_along_and_a_drag_lets_go() {
    let led = NETWORK.replace(
        "relax =",
        "drags = [{ particles = [\"nail\"], position = [\"0.4 * sin(3 * time)\", 0, 2] }, { particles = [\"c\"], offset = [0, \"0.2 * time\", 0], until = 1.0 }]\nrelax =",
    );
    let (_, trace) = run(&files(&led));
    for frame in &trace.frames[1..] {
        let nail = place(frame, 0);
        assert!((nail.x - 0.4 * (3.0 * frame.time).sin()).abs() < 1e-12, "{nail} at {}", frame.time);
        let c = place(frame, 3);
        assert!(frame.time > 0.995 || (c - Vector3::new(0.3, 0.2 * frame.time, 1.3)).norm() < 1e-12, "{c}");
    }
    let c = place(&trace.frames[200], 3);
    assert!(c.y < 0.3, "it swings back once it is let go: {c}");
    let velocity = Vector3::from(trace.frames[50].passive[0].velocities[0]);
    assert!((velocity.x - 1.2 * 1.5f64.cos()).abs() < 0.01, "{velocity}");
}

#[test]
fn particles_stay_inside_a_box_and_inside_a_sphere() {
    let inside = |container: &str, is_in: &dyn Fn(Vector3<f64>) -> bool| {
        let text = format!(
            "duration = 1.5
[passive_settings]
dt = 0.002
[passive.all]
kind = \"particles\"
container = {{ {container} }}
relax = {{ margin = 0.01 }}
boxes = [{{ position = [0, 0, 1], half_lengths = [0.05, 0.06, 0.05], mass = 1 }}]
points = {{ a = {{ position = [0.1, 0.1, 1], velocity = [5, 1, 0] }}, b = {{ position = [-0.1, 0.1, 1.1], velocity = [0, -4, 3] }} }}
"
        );
        let (_, trace) = run(&files(&text));
        for frame in &trace.frames {
            for point in 0..6 {
                assert!(is_in(place(frame, point)), "{container}: {} at {}", place(frame, point), frame.time);
            }
        }
    };
    inside("low = [-0.3, -0.3, 0.8], high = [0.3, 0.3, 1.4]", &|at| {
        at.x.abs() < 0.301 && at.y.abs() < 0.301 && at.z > 0.799 && at.z < 1.401
    });
    inside("center = [0, 0, 1], radius = 0.4, friction = 0.3", &|at| {
        (at - Vector3::new(0.0, 0.0, 1.0)).norm() < 0.401
    });
}

#[test]
fn the_approximate_square_root_is_another_that_is_nearly_the_same() {
    let rope = |root: &str| {
        let text = format!(
            "duration = 1
[passive_settings]
dt = 0.002
[passive.rope]
kind = \"rope\"
ends = [[0, 0, 2], [1, 0, 2]]
sticks = 12
mass = 1
fixed = [\"first\"]
relax = {{ passes = 30{root} }}
"
        );
        run(&files(&text)).1.frames
    };
    let [exact, approximate] = [rope(""), rope(", square_root = \"approximate\"")];
    assert_ne!(exact, approximate);
    let apart = (place(&exact[100], 12) - place(&approximate[100], 12)).norm();
    assert!(apart < 0.05, "{apart} m");
}

/// The four-bar linkage, released in its plane, with its end pinned or free.
fn linkage(loops: &str) -> (aplomb::scene::Run, aplomb::trace::Trace) {
    let text = format!(
        "duration = 2
[passive.linkage]
kind = \"articulated\"
model = \"four_bar\"
position = [0, 0, 1]
{loops}
"
    );
    run(&files(&text))
}

#[test]
fn a_loop_of_bodies_stays_closed_and_keeps_its_energy() {
    let end = |frame: &Frame| {
        let [w, x, y, z] = frame.passive[0].orientations[2];
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        place(frame, 2) + turn * Vector3::new(0.0, 0.0, -0.4)
    };
    let energy = |frame: &Frame| frame.passive[0].kinetic_energy + frame.passive[0].potential_energy;
    for joint in ["", ", joint = \"hinge\", axis = [0, 1, 0]"] {
        let loops = format!(
            "pose = {{ crank = 0.5 }}\nloops = [{{ bodies = [\"rocker\"], point = [0, 0, -0.4]{joint} }}]"
        );
        let (_, trace) = linkage(&loops);
        let start = end(&trace.frames[0]);
        let (mut moved, first) = (0.0f64, energy(&trace.frames[0]));
        for frame in &trace.frames {
            let gap = (end(frame) - start).norm();
            assert!(gap < 1e-4, "{gap} m at {} s", frame.time);
            assert!((energy(frame) - first).abs() < 0.01, "{} of {first} J at {}", energy(frame), frame.time);
            moved = moved.max((place(frame, 2) - place(&trace.frames[0], 2)).norm());
        }
        assert!(moved > 0.2, "it moves: {moved} m");
    }
    let (_, open) = linkage("");
    let apart =
        open.frames.iter().map(|frame| (end(frame) - end(&open.frames[0])).norm()).fold(0.0, f64::max);
    assert!(apart > 0.2, "without the pin it is open: {apart} m");
}

#[test]
fn a_weld_holds_the_weight_of_what_it_joins_to_the_world() {
    let (simulation, trace) = linkage("loops = [{ bodies = [\"rocker\"], joint = \"weld\" }]");
    let gone = (place(&trace.frames[200], 2) - place(&trace.frames[0], 2)).norm();
    assert!(gone < 1e-4, "{gone} m");
    assert!(simulation.is_over());
}

#[test]
fn a_bead_on_a_hoop_moves_as_one_that_a_circle_holds() {
    let text = "\
duration = 2
[passive.angle]
kind = \"constrained\"
stepper = \"runge_kutta4\"
hoops.bead = { center = [0, 0, 1], normal = [0.6, 0, 0.8], radius = 0.5, mass = 2, from = [0.1, 0.5, 1.3], speed = 0.4 }
[passive.force]
kind = \"constrained\"
stepper = \"runge_kutta4\"
particles.bead = { position = [0, 0, 0], mass = 2 }
constraints = [{ of = [\"bead\"], circle = { center = [0, 0, 1], normal = [0.6, 0, 0.8], radius = 0.5 } }]
";
    let (_, trace) = run(&files(text));
    let first = &trace.frames[0];
    let (at, velocity) = (place(first, 0), Vector3::from(first.passive[0].velocities[0]));
    let (center, normal) = (Vector3::new(0.0, 0.0, 1.0), Vector3::new(0.6, 0.0, 0.8));
    assert!(((at - center).norm() - 0.5).abs() < 1e-12 && normal.dot(&(at - center)).abs() < 1e-12, "{at}");
    assert!((velocity - 0.4 * normal.cross(&(at - center)) / 0.5).norm() < 1e-12, "{velocity}");
    let start = format!(
        "particles.bead = {{ position = [{}, {}, {}], velocity = [{}, {}, {}]",
        at.x, at.y, at.z, velocity.x, velocity.y, velocity.z
    );
    let (_, trace) = run(&files(&text.replace("particles.bead = { position = [0, 0, 0]", &start)));
    let mut moved = 0.0f64;
    for frame in &trace.frames {
        let [bead, held] = [0, 1].map(|object| Vector3::from(frame.passive[object].positions[0]));
        assert!((bead - held).norm() < 1e-4, "{bead} {held} at {}", frame.time);
        moved = moved.max((bead - at).norm());
    }
    assert!(moved > 0.3, "{moved} m");
}

#[test]
fn a_bone_that_is_pulled_comes_where_it_is_drawn() {
    let text = "\
duration = 3
gravity = [0, 0, 0]
[passive.arm]
kind = \"skeleton\"
model = \"arm\"
drag = 5
touches = false
pulled = [{ bone = \"lower\", points = [[0.3, 0.3, 1.1], [0.2, 0.4, 1.2]], at = [0, 1], stiffness = 500, damping = 20, until = 2.9 }]
";
    let (_, trace) = run(&files(text));
    let parts = &trace.frames[280].passive[0].positions;
    let lower = Vector3::from(parts[2]);
    assert!((lower - Vector3::new(0.2, 0.4, 1.2)).norm() < 5e-3, "{lower}");
}
