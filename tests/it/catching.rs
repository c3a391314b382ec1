//! Hands that hold articulated objects.

use aplomb::passive::Passive;
use aplomb::scene::{self, Run};
use aplomb::trace::Frame;
use aplomb::world::{StepError, World};
use aplomb::{language::diagnostic::Source, model::mjcf};
use nalgebra::Vector3;

fn run(overrides: &[String]) -> (Run, Vec<Frame>) {
    let mut run = Run::bind(&scene::load("catch_ball", overrides).unwrap()).unwrap();
    let mut frames = Vec::new();
    let last = run.finish::<StepError>(|_, result| {
        frames.push(result.frame());
        Ok(())
    });
    frames.push(last.unwrap());
    (run, frames)
}

/// Pseudo-random numbers from −1 to 1, the same on every machine (SplitMix64, Steele et al. 2014).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    (mixed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[test]
fn eight_of_ten_throws_that_differ_are_caught_with_both_hands_and_kept() {
    let mut caught = 0;
    let mut seed = 1;
    for _ in 0..20 {
        let mut about = |middle: f64, by: f64| middle + by * random(&mut seed);
        let position = [1.8, about(0.05, 0.15), about(1.2, 0.1)];
        let velocity = [about(-3.6, 0.4), about(0.0, 0.2), about(1.75, 0.3)];
        let (run, _) = run(&[
            format!("passive.ball.position={position:?}"),
            format!("passive.ball.velocity={velocity:?}"),
        ]);
        caught += u32::from(run.criteria.iter().all(|criterion| criterion.holds));
    }
    assert!(caught >= 16, "{caught} of 20");
}

/// The ball alone, under the reactions of the recorded forces on the hands.
#[test]
fn a_ball_replayed_alone_under_the_recorded_forces_of_the_hands_ends_where_it_ended() {
    // Thrown so that it touches only the palms.
    let (run, frames) = run(&["passive.ball.position=[1.8, 0, 1.2]".into()]);
    let hands = |frame: &Frame| frame.contacts.iter().filter(|c| c.surface.ends_with("of_ball")).count();
    assert!(hands(&frames[frames.len() - 2]) == 2);
    assert!(frames.iter().all(|frame| frame.external.is_empty()), "nothing but grips acts between the two");
    let mut world = World::builder().build().unwrap();
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/passive/handball.xml")).unwrap();
    let model = mjcf::read(&Source::new("handball.xml", text)).unwrap();
    let ball = Passive::articulated(model).at(Vector3::new(1.8, 0.0, 1.2));
    let ball = ball.thrown(Vector3::new(-3.6, 0.0, 1.75), Vector3::zeros());
    let number = world.add_passive("ball", ball).unwrap();
    let dt = world.settings().dt;
    for frame in &frames[..frames.len() - 1] {
        for grip in frame.contacts.iter().filter(|contact| contact.surface.ends_with("of_ball")) {
            let side = if grip.surface == "left_of_ball" { 0.125 } else { -0.125 };
            let force = -Vector3::from(grip.force);
            world.push_passive(number, 0, Vector3::new(0.0, side, 0.0), force, dt).unwrap();
        }
        world.step().unwrap();
    }
    let (alone, end) = (world.passive().whole(number), &frames.last().unwrap().passive[0]);
    let time = run.world.time();
    let off = (alone.com_velocity - Vector3::from(end.com_velocity)).norm();
    assert!(off < 0.01, "{off} m/s apart after {time} s");
    // In hands it moves with the velocity of a frame's end, alone with its mean: half a frame of what stopped it.
    let off = (alone.com - Vector3::from(end.com)).norm();
    assert!(off < 0.5 * dt * 4.0, "{off} m apart after {time} s");
}

#[test]
fn points_of_objects_that_there_are_not_are_told_at_their_place() {
    let text = include_str!("../../scenes/catch_ball.toml").replace("../", "");
    for (from, to, told) in [
        ("on = \"ball\"", "on = \"bull\"", "no passive object and no character `bull`"),
        ("point = [0, 0.125, 0]", "part = \"bull\"", "`ball` has no part `bull`"),
        ("point = [0, 0.125, 0]", "point = [0, inf, 0]", "finite"),
        ("point = [0, 0.125, 0]", "at = \"left_palm\"", "`at` says which site of a character"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let source = Source::new("scene.toml", &changed);
        let errors = match scene::load_text(&source) {
            Ok(files) => Run::bind(&files).err().expect(to).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(errors.contains(told) && errors.contains("scene.toml:"), "{to}: {errors}");
    }
}
