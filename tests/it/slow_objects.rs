//! Passive objects without `pushed_by_characters`: slow ones are pushed, fast ones strike, and no object between a limb
//! and something else gives energy.

use crate::run::frames;
use aplomb::scene::{self, Run};
use aplomb::trace::Frame;
use std::fs;

/// A door of 15 kg on a vertical hinge, ajar in front of who stands at the origin.
const DOOR: &str = "<mujoco model=\"door\"><worldbody><body name=\"leaf\" pos=\"0.6 -0.45 1.0\">\
     <joint name=\"hinge\" type=\"hinge\" axis=\"0 0 1\"/>\
     <geom type=\"box\" size=\"0.02 0.45 0.98\" pos=\"0 0.45 0\" mass=\"15\" friction=\"0.5\"/></body></worldbody></mujoco>";

/// Frames of 2.5 s with an adult that balances, an object and an event, given as TOML.
fn met(character: &str, object: &str, event: &str) -> Vec<Frame> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("door.xml"), DOOR).unwrap();
    let path = folder.path().join("scene.toml");
    let text = format!(
        "duration = 2.5\n[characters.adult]\nmodel = \"adult\"\ncontroller = \"balance\"\n{character}\n\
         [passive.object]\nkind = \"articulated\"\n{object}\n{event}\n"
    );
    fs::write(&path, text).unwrap();
    let files = scene::load(path.to_str().unwrap(), &[]).unwrap_or_else(|error| panic!("{error:?}"));
    let mut run = Run::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    frames(&mut run)
}

fn push(impulse: [f64; 3]) -> String {
    format!("[events.push]\nat = 0.3\nduration = 0.15\nbody = \"chest\"\nimpulse = {impulse:?}\n")
}

/// Largest gain of the character's kinetic energy in a frame, J.
fn largest_gain(frames: &[Frame]) -> f64 {
    let energies = frames.windows(2).map(|pair| pair[1].kinetic_energy - pair[0].kinetic_energy);
    energies.fold(0.0, f64::max)
}

fn touches(frame: &Frame) -> bool {
    frame.contacts.iter().any(|contact| contact.surface == "object")
}

#[test]
fn who_begins_on_a_crate_stands_on_it_and_keeps_its_balance() {
    let crate_below = "model = \"crate\"\nposition = [0.06, 0, 0.1]";
    for height in ["height = 0.2", "height = 0.21"] {
        let frames = met(height, crate_below, &push([15.0, 0.0, 0.0]));
        let last = frames.last().unwrap();
        assert!(last.com[2] > 1.05, "{height}: COM at {} m", last.com[2]);
        assert!(frames[50..].iter().all(touches), "{height}: stands on it");
        assert!(largest_gain(&frames) < 10.0, "{height}: {} J", largest_gain(&frames));
    }
}

#[test]
fn who_falls_on_a_crate_is_not_flung() {
    for pushed in ["", "pushed_by_characters = false"] {
        for x in [-1.1, -0.95, -0.75, -0.6, -0.45] {
            let behind = format!("model = \"crate\"\nposition = [{x}, 0, 0.1]\n{pushed}");
            let frames = met("", &behind, &push([-60.0, 0.0, 0.0]));
            // A fall from standing is 62 kg from 0.9 m: 550 J over 0.4 s.
            assert!(largest_gain(&frames) < 100.0, "{x} {pushed}: {} J", largest_gain(&frames));
        }
    }
}

#[test]
fn a_door_that_swings_against_who_stands_gives_no_more_than_it_has() {
    for rate in [1.5, 2.0, 3.0] {
        for pushed in ["", "pushed_by_characters = false"] {
            let door = format!("model = \"door.xml\"\nrates = {{ hinge = {rate} }}\n{pushed}");
            let frames = met("", &door, "");
            let swinging = 0.5 * 15.0 * 0.9_f64.powi(2) / 3.0 * rate * rate;
            let gain = largest_gain(&frames);
            assert!(gain < swinging + 5.0, "{rate} rad/s {pushed}: {gain} J of {swinging}");
            assert!(frames.iter().any(|frame| touches(frame) || !frame.external.is_empty()), "it meets");
        }
    }
}

#[test]
fn a_slow_object_is_pushed_and_a_fast_one_strikes() {
    // A ball that rolls against a foot.
    let ball = |speed: f64, more: &str| {
        let object =
            format!("model = \"ball\"\nposition = [0.6, 0.09, 0.11]\nvelocity = [{}, 0, 0]\n{more}", -speed);
        let frames = met("", &object, "");
        (frames.iter().any(touches), frames.iter().any(|frame| !frame.external.is_empty()))
    };
    assert_eq!(ball(0.7, ""), (true, false), "slow: a contact of the frame");
    assert!(ball(4.0, "").1, "fast: a hit from outside");
    assert_eq!(ball(0.7, "pushed_by_characters = false"), (false, true));
    assert_eq!(ball(4.0, "pushed_by_characters = true"), (true, false));
}
