//! A child is pushed over by itself, and stands when it holds an adult's hand. The two are one problem: the force
//! between the hands is one unknown of it, so that what one gives the other receives.
//!
//! `cargo run --release --example hold_hands`

use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::world::character::CharacterOptions;
use aplomb::world::{CharacterId, StartPose, World, Wrench};
use std::error::Error;

/// Where the hands meet, m.
const MEETING: [f64; 3] = [0.1, -0.45, 0.75];

pub fn main() -> Result<(), Box<dyn Error>> {
    let push: f64 = std::env::args().nth(1).map_or(Ok(80.0), |text| text.parse())?;
    for hand_in_hand in [false, true] {
        let (mut world, adult, child) = two(hand_in_hand)?;
        world.push(child, "chest", Wrench::force([push, 0.0, 0.0]), 0.15)?;
        let (mut force, mut lowest) = (0.0_f64, f64::INFINITY);
        while world.time() < 4.0 {
            world.step()?;
            let frame = &world.result(Some(child)).frame;
            let grips = frame.contacts.iter().filter(|contact| contact.surface == "hand");
            force = grips.map(|grip| norm(&grip.force)).fold(force, f64::max);
            lowest = lowest.min(frame.com[2]);
            if std::env::args().nth(2).is_some() {
                let a = &world.result(Some(adult)).frame;
                println!(
                    "{:.2} {:?} {:?} {:?} {:?}",
                    frame.time,
                    frame.com,
                    frame.outcome,
                    a.outcome,
                    a.external.iter().map(|e| e.force).collect::<Vec<_>>()
                );
            }
        }
        let standing = world.sensed(Some(child)).1.scales.height;
        let end = world.result(Some(child)).frame.com[2];
        let how = if end > 0.8 * standing { "stands" } else { "falls" };
        let with = if hand_in_hand { "hand in hand" } else { "alone" };
        println!(
            "{with}: the child {how}; most force between the hands {force:.0} N; lowest com {lowest:.2} m"
        );
        for id in [adult, child] {
            let result = world.result(Some(id));
            println!("  {}: {:?} solve {:?}", world.character(id).name, result.frame.com, result.timing);
        }
    }
    Ok(())
}

fn two(hand_in_hand: bool) -> Result<(World, CharacterId, CharacterId), Box<dyn Error>> {
    let mut world = World::builder().build()?;
    let balance = ControllerFile::shipped("balance")?;
    let named = |name: &str| CharacterOptions { name: name.into(), ..CharacterOptions::default() };
    let pose = StartPose::standing().reaching("right_hand_grip", MEETING);
    let adult = world.add_character_with(Model::shipped("adult")?, balance.clone(), pose, named("adult"))?;
    world.add_hold_on("hand", adult, "right_hand_grip")?;
    let pose = StartPose::standing().at(0.1, -0.8).reaching("left_hand_grip", MEETING);
    let child = world.add_character_with(Model::shipped("child")?, balance, pose, named("child"))?;
    if hand_in_hand {
        world.hold_on(child, "left_hand_grip", "hand")?;
    }
    Ok((world, adult, child))
}

fn norm(force: &[f64; 3]) -> f64 {
    force.iter().map(|part| part * part).sum::<f64>().sqrt()
}
