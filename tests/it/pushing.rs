//! Passive objects that characters push deliberately: contacts with them are unknowns of the frame.

use crate::run::frames;
use aplomb::controller::ControllerFile;
use aplomb::language::diagnostic::Source;
use aplomb::model::Model;
use aplomb::passive::Passive;
use aplomb::scene::{self, Run};
use aplomb::trace::Frame;
use aplomb::world::{StartPose, StepError, World, Wrench};
use nalgebra::Vector3;
use std::fs;

const CRATE: &str = r#"type="box" size="0.25 0.3 0.5""#;

/// A controller that stands, and moves both palms forward at 0.1 m/s from 0.3 m at 1 s to 0.5 m.
const PUSHER: &str = r#"
start = "push"
[[objectives]]
name = "com over support"
weight = 20.0
response = 0.35
of = { com_over_support = {} }
[[objectives]]
name = "com height"
weight = 20.0
response = 0.15
of = { com_height = { target = "0.985 * standing_height" } }
[[objectives]]
name = "chest upright"
weight = 10.0
response = 0.25
of = { upright = { body = "chest" } }
[[objectives]]
name = "right palm"
weight = 20.0
response = 0.1
of = { body_point = { point = "right_palm", target = "[min(0.30 + 0.1 * max(time - 1, 0), 0.5), -0.2, 0.75]" } }
[[objectives]]
name = "left palm"
weight = 20.0
response = 0.1
of = { body_point = { point = "left_palm", target = "[min(0.30 + 0.1 * max(time - 1, 0), 0.5), 0.2, 0.75]" } }
[[objectives]]
name = "joint damping"
weight = 0.05
response = 0.15
of = { velocity = {} }
[[objectives]]
name = "rest pose"
weight = 0.02
response = 0.5
of = { pose = {} }
[states.push]
"#;

/// Runs the scene of the crate, which stands on a plate with this friction.
fn pushed(friction: f64, overrides: &[&str]) -> (Run, Vec<Frame>) {
    pushed_by(PUSHER, friction, overrides)
}

fn pushed_by(controller: &str, friction: f64, overrides: &[&str]) -> (Run, Vec<Frame>) {
    pushed_shape(CRATE, controller, friction, overrides)
}

/// Runs the scene with another shape of the crate, given by the attributes of its geom.
fn pushed_shape(shape: &str, controller: &str, friction: f64, overrides: &[&str]) -> (Run, Vec<Frame>) {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        r#"<mujoco><worldbody><body name="crate"><freejoint name="root"/>
        <geom name="crate" {shape} mass="12" friction="0.6"/></body></worldbody></mujoco>"#
    );
    fs::write(folder.path().join("crate.xml"), text).unwrap();
    fs::write(folder.path().join("push.toml"), controller).unwrap();
    let text = format!(
        r#"
duration = 3.5
[characters.adult]
model = "adult"
controller = "push.toml"
[obstacles.plate]
position = [1.65, 0, 0.005]
half_lengths = [1.25, 1.0, 0.005]
friction = {friction}
[passive.crate]
kind = "articulated"
model = "crate.xml"
position = [0.70, 0, 0.51]
pushed_by_characters = true
[success]
upright = {{ always = "com_height > 0.8 * standing_height" }}
touched = {{ once = "touches_object(left_hand, crate) and force_from(left_hand, crate).x < -5" }}
ahead = {{ at_end = "position(crate).x > 0.78 and position(crate).x < 1.5" }}
"#
    );
    let path = folder.path().join("scene.toml");
    fs::write(&path, text).unwrap();
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let files = scene::load(path.to_str().unwrap(), &overrides).unwrap_or_else(|error| panic!("{error:?}"));
    let mut run = Run::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let frames = frames(&mut run);
    (run, frames)
}

/// Force of the crate on the hands in a frame, N.
fn on_hands(frame: &Frame) -> Vector3<f64> {
    let of_crate = frame.contacts.iter().filter(|contact| contact.surface == "crate");
    of_crate.map(|contact| Vector3::from(contact.force)).sum()
}

#[test]
fn hands_push_a_crate_along_and_it_pushes_back_with_its_friction() {
    let (run, frames) = pushed(0.4, &[]);
    let failed: Vec<&str> =
        run.criteria.iter().filter(|criterion| !criterion.holds).map(|criterion| &*criterion.name).collect();
    assert!(failed.is_empty(), "{failed:?}");
    // While the crate slides steadily, the hands feel the friction of its weight and of their downward force.
    let sliding = frames.iter().filter(|frame| (2.4..2.9).contains(&frame.time));
    let force = sliding.clone().map(on_hands).sum::<Vector3<f64>>() / sliding.count() as f64;
    let friction = 0.4 * (12.0 * 9.81 + force.z);
    assert!((-force.x - friction).abs() < 0.1 * friction, "{force} N, {friction} N");
    assert!(frames.iter().all(|frame| frame.external.is_empty()), "nothing acts on it from outside");
}

#[test]
fn what_the_hands_give_the_crate_receives() {
    let (_, frames) = pushed(0.0, &[]);
    let mut most = 0.0_f64;
    for pair in frames.windows(2) {
        let velocity = |frame: &Frame| frame.passive[0].velocities[0][0];
        let gained = 12.0 * (velocity(&pair[1]) - velocity(&pair[0]));
        let given = -0.01 * on_hands(&pair[0]).x;
        assert!((gained - given).abs() < 1e-6, "{gained} N s of {given} N s at {} s", pair[0].time);
        most = most.max(given);
    }
    assert!(most > 0.1, "it was pushed: {most} N s");
}

#[test]
fn round_things_are_pushed_as_well() {
    let ball = r#"type="sphere" size="0.76""#;
    let roller = r#"type="capsule" size="0.5 0.4" euler="1.5707963 0 0""#;
    for (shape, place) in [(ball, "[1.18, 0, 0.77]"), (roller, "[0.90, 0, 0.51]")] {
        let at = format!("passive.crate.position={place}");
        let (_, frames) = pushed_shape(shape, PUSHER, 0.0, &[&at, "success={}"]);
        let (mut most, mut deepest) = (0.0_f64, 0.0_f64);
        for pair in frames.windows(2) {
            let velocity = |frame: &Frame| frame.passive[0].velocities[0][0];
            let gained = 12.0 * (velocity(&pair[1]) - velocity(&pair[0]));
            let given = -0.01 * on_hands(&pair[0]).x;
            assert!(
                (gained - given).abs() < 1e-5,
                "{shape}: {gained} N s of {given} N s at {} s",
                pair[0].time
            );
            most = most.max(given);
            let touches = pair[0].contacts.iter().filter(|contact| contact.surface == "crate");
            deepest = touches.fold(deepest, |deepest, contact| deepest.min(contact.gap));
        }
        assert!(most > 0.1, "{shape} was pushed: {most} N s");
        assert!(deepest > -0.002, "{shape}: hands enter it by {deepest} m");
    }
}

#[test]
fn who_comes_after_an_object_of_a_program_pushes_it() {
    let mut world = World::builder().build().unwrap();
    let balance = || ControllerFile::shipped("balance").unwrap();
    let adult = || Model::shipped("adult").unwrap();
    let away = world.add_character(adult(), balance(), StartPose::standing().at(0.0, 5.0)).unwrap();
    let ball = Passive::articulated(Model::shipped("medicine_ball").unwrap());
    let at = Vector3::new(0.26, 0.0, 0.12);
    let ball = world.add_passive("ball", ball.at(at).pushed_by_characters(true)).unwrap();
    let hero = world.add_character(adult(), balance(), StartPose::standing()).unwrap();
    world.push(hero, "chest", Wrench::force([300.0, 0.0, 0.0]), 0.15).unwrap();
    let (mut pushed, mut most) = (Vector3::zeros(), 0.0_f64);
    for _ in 0..150 {
        world.step().unwrap();
        let of_ball = |id| {
            let contacts = &world.result(id).frame.contacts;
            let forces = contacts.iter().filter(|contact| contact.surface == "ball");
            forces.map(|contact| Vector3::from(contact.force)).sum::<Vector3<f64>>()
        };
        pushed -= of_ball(hero) * 0.01;
        most = most.max(pushed.x);
        assert_eq!(of_ball(away), Vector3::zeros());
    }
    // Objects that fall on it afterwards may push it in any direction.
    assert!(most > 0.5, "{most} N s");
    assert!(world.passive().whole(ball).com.x > 0.35);
}

#[test]
fn a_crate_that_is_not_said_to_be_pushed_runs_into_the_hands() {
    let (_, frames) = pushed(0.4, &["passive.crate.pushed_by_characters=false"]);
    assert!(frames.iter().any(|frame| !frame.external.is_empty()), "the hands feel it from outside");
    assert!(frames.iter().all(|frame| frame.contacts.iter().all(|contact| contact.surface != "crate")));
}

#[test]
fn a_crate_is_pushed_a_metre_at_a_set_speed_by_one_who_walks() {
    for overrides in [vec![], vec!["obstacles.board.friction=0.5".to_owned()]] {
        let mut run = Run::bind(&scene::load("push_crate", &overrides).unwrap()).unwrap();
        let (mut times, mut places, mut pressing) = (Vec::new(), Vec::new(), Vec::new());
        run.finish::<StepError>(|_, stepped| {
            let frame = stepped.frame();
            times.push(frame.time);
            places.push(frame.passive[0].positions[0][0]);
            let presses = |hand: &str| {
                let of_hand = frame.contacts.iter().filter(|contact| contact.body == hand);
                of_hand.map(|contact| Vector3::from(contact.force).norm()).sum::<f64>() > 1.0
            };
            pressing.push(["left_hand", "right_hand"].map(presses));
            Ok(())
        })
        .unwrap();
        for criterion in &run.criteria {
            assert!(criterion.holds, "{overrides:?}: {}", criterion.name);
        }
        let at = |place: f64| times[places.iter().position(|x| *x > place).unwrap()];
        let speed = 0.7 / (at(1.85) - at(1.15));
        assert!((speed - 0.3).abs() < 0.02, "{overrides:?}: {speed} m/s");
        // The hands do not alternate: a hand that presses continues to press.
        let (from, to) = (places.iter().position(|x| *x > 1.15), places.iter().position(|x| *x > 1.85));
        let way = &pressing[from.unwrap()..to.unwrap()];
        let changes = way.windows(2).filter(|two| two[0] != two[1]).count();
        assert!(
            changes < way.len() / 10,
            "{overrides:?}: hands come and go {changes} times in {} frames",
            way.len()
        );
    }
}

#[test]
fn a_goal_may_be_about_the_velocity_of_the_crate_itself() {
    // The hands would move on at 0.1 m/s; a goal for the crate, which slides without friction, slows them.
    let goal = "[[objectives]]\nname = \"crate\"\nweight = 3000\nresponse = 0.1\naxes = [1, 0, 0]\n\
                of = { object_velocity = { object = \"crate\", target = [0.04, 0, 0] } }\n";
    let (_, frames) = pushed_by(&PUSHER.replace("[states.push]", &format!("{goal}[states.push]")), 0.0, &[]);
    let (_, free) = pushed_by(PUSHER, 0.0, &[]);
    let fastest =
        |frames: &[Frame]| frames.iter().map(|frame| frame.passive[0].com_velocity[0]).fold(0.0, f64::max);
    // Hands that only push cannot slow down an object that is faster than they are.
    assert!((0.03..0.07).contains(&fastest(&frames)), "it goes at {} m/s", fastest(&frames));
    assert!(fastest(&free) > 0.09, "without that goal at {} m/s", fastest(&free));
}

#[test]
fn a_goal_may_be_about_where_a_ball_is_that_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let catch = fs::read_to_string(root.join("controllers/catch.toml")).unwrap();
    let held = |target: &str| {
        let goal = format!(
            "\n[[objectives]]\nname = \"ball\"\nwhen = \"grip_count == 2\"\nweight = 60\nresponse = 0.3\n\
             of = {{ object_position = {{ object = \"ball\", target = {target} }} }}\n"
        );
        let path = folder.path().join("catch.toml");
        fs::write(&path, format!("{catch}{goal}")).unwrap();
        let controller = format!("characters.adult.controller={:?}", path.to_str().unwrap());
        let mut run = Run::bind(&scene::load("catch_ball", &[controller]).unwrap()).unwrap();
        let end = run.finish::<StepError>(|_, _| Ok(())).unwrap();
        end.passive[0].com
    };
    // The hands have separate goals with lower weights.
    for z in [0.9, 1.1] {
        let end = held(&format!("[0.3, 0, {z}]"));
        assert!((end[0] - 0.3).abs() < 0.03 && (end[2] - z).abs() < 0.03, "{end:?}, not 0.3, {z}");
    }
}

#[test]
fn a_ball_that_rolls_against_feet_that_do_not_hold_on_to_it_throws_nobody_and_gains_no_energy() {
    let text = r#"
duration = 1.4
[characters.adult]
model = "adult"
controller = "balance"
[passive.ball]
kind = "articulated"
model = "ball"
position = [0.6, 0, 0.11]
velocity = [-1.5, 0, 0]
pushed_by_characters = true
contact_weight = 0
"#;
    let mut run = Run::bind(&scene::load_text(&Source::new("ball.toml", text)).unwrap()).unwrap();
    let mut frames = Vec::new();
    run.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    })
    .unwrap();
    let energy = |frame: &Frame| frame.passive[0].kinetic_energy + frame.passive[0].potential_energy;
    let kinetic = |frame: &Frame| frame.passive[0].kinetic_energy;
    assert!(frames.iter().any(|frame| frame.contacts.iter().any(|contact| contact.surface == "ball")));
    assert!(frames.iter().all(|frame| energy(frame) < 1.02 * energy(&frames[0])));
    let last = frames.last().unwrap();
    assert!(kinetic(last) < 0.5 * kinetic(&frames[0]), "{} J of {} J", kinetic(last), kinetic(&frames[0]));
    assert!(frames.iter().all(|frame| frame.com[2] > 0.88), "who stands goes on standing");
}
