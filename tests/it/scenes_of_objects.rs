//! Walls at a distance of one step, boxes and crates that are moved, a cable car that loses its floor.

use crate::run::Run;
use aplomb::language::diagnostic::Source;
use aplomb::scene;
use aplomb::trace::Frame;
use aplomb::world::StepError;

/// Pseudo-random numbers from −1 to 1, the same on every machine.
fn random(state: &mut u32) -> f64 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    f64::from(*state >> 8) / f64::from(1 << 23) - 1.0
}

fn passes(run: &Run) {
    for criterion in &run.simulation.criteria {
        assert!(criterion.holds, "{}", criterion.name);
    }
}

fn of(scene: &str, overrides: &[String]) -> Run {
    Run::of(scene, &overrides.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Greatest force on the left hand from a surface, N.
fn on_left_hand(frames: &[Frame], surface: &str) -> f64 {
    let forces = frames.iter().flat_map(|frame| &frame.contacts).filter(|contact| contact.surface == surface);
    forces.map(|contact| contact.force[1].abs()).fold(0.0, f64::max)
}

#[test]
fn a_wall_that_is_a_step_away_costs_a_step_before_the_palm_bears() {
    let run = Run::of("wall_far", &[]);
    passes(&run);
    assert!(on_left_hand(&run.frames, "left_wall") > 50.0, "the wall bears");
    let first =
        run.frames.iter().find(|frame| frame.contacts.iter().any(|contact| contact.surface == "left_wall"));
    assert!(first.unwrap().com[1] > 0.15, "the COM has gone to the wall by then");
}

#[test]
fn a_golf_ball_passes_neither_a_board_nor_a_forearm_however_fast_and_from_wherever() {
    let run = |text: &str| {
        let files = scene::load_text(&Source::new("fast.toml", text)).unwrap();
        let mut run = scene::Run::bind(&files).unwrap();
        run.finish::<StepError>(|_, _| Ok(())).unwrap();
        run.criteria.iter().all(|criterion| criterion.holds)
    };
    let throw = |at: &str, distance: f64, speed: f64| {
        format!(
            "[events.ball]\nkind = \"throw\"\nat = 0.1\nmass = 0.046\nradius = 0.021\naimed = {{ at = {at}, \
             bearing = 0, distance = {distance}, height = 1.0, speed = {speed} }}\n"
        )
    };
    let mut seed = 1;
    for speed in [50.0, 80.0, 200.0] {
        for _ in 0..6 {
            let distance = 2.0 + 0.5 * random(&mut seed);
            let board = format!(
                "duration = 0.3\n[obstacles.board]\nhalf_lengths = [0.01, 1, 1]\nposition = [0, 0, 1]\n\
                 [passive.crate]\nkind = \"articulated\"\nmodel = \"crate\"\nposition = [4, 0, 0.1]\n{}[success]\n\
                 stopped = {{ always = \"all(position(one).x > -0.05 for one in objects)\" }}\n",
                throw("[0, 0, 1.0]", distance, speed)
            );
            assert!(run(&board), "{speed} m/s at a board from {distance} m");
            let forearm = format!(
                "duration = 0.3\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n{}[success]\n\
                 slowed = {{ once = \"any(speed(one) < {:?} for one in objects)\" }}\n",
                throw("[0.1, 0.25, 0.95]", distance, speed),
                0.95 * speed
            );
            assert!(run(&forearm), "{speed} m/s at a forearm from {distance} m");
        }
    }
}

#[test]
fn a_box_is_carried_to_the_table_behind_from_wherever_it_stood() {
    let mut seed = 1;
    for _ in 0..2 {
        let mut about = |middle: f64, by: f64| middle + by * random(&mut seed);
        let (x, y) = (about(0.42, 0.02), about(0.0, 0.02));
        passes(&of("carry_box", &[format!("passive.box.position=[{x}, {y}, 0.9]")]));
    }
}

#[test]
fn who_rides_a_car_hangs_on_when_its_floor_goes() {
    let run = Run::of("cable_car", &[]);
    passes(&run);
}

/// Without gripping hands the character falls with the floor.
#[test]
fn who_does_not_take_the_bar_falls_with_the_floor() {
    let run = Run::of("cable_car", &["controller.states.reach.grip={}", "duration=13"]);
    assert!(!run.passes());
}
