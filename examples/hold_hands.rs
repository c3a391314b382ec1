//! A child is pushed over by itself, and stands when it holds an adult's hand. The two are one problem then:
//! the force between the hands is one unknown of it, so that what one gives the other receives.
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
    for hand_in_hand in [false, true] {
        let (mut world, child) = adult_and_child(hand_in_hand)?;
        world.push(child, "chest", Wrench::force([80.0, 0.0, 0.0]), 0.15)?;
        let mut most = 0.0_f64;
        while world.time() < 4.0 {
            world.step()?;
            let contacts = &world.result(child).frame.contacts;
            let hands = contacts.iter().filter(|contact| contact.surface == "hand of adult");
            most =
                hands.map(|grip| grip.force.iter().map(|f| f * f).sum::<f64>().sqrt()).fold(most, f64::max);
        }
        let child = world.sensed(Some(child)).1;
        let stands = child.com.z > 0.8 * child.scales.height;
        let how = if hand_in_hand { "hand in hand" } else { "alone" };
        let end = if stands { "stands" } else { "has fallen" };
        println!("{how}: the child {end}; at most {most:.0} N between the hands");
        assert_eq!(stands, hand_in_hand);
    }
    Ok(())
}

fn adult_and_child(hand_in_hand: bool) -> Result<(World, CharacterId), Box<dyn Error>> {
    let mut world = World::builder().build()?;
    let balance = ControllerFile::shipped("balance")?;
    let named = |name: &str| CharacterOptions { name: name.into(), ..CharacterOptions::default() };
    let pose = StartPose::standing().reaching("right_palm", MEETING);
    let adult = world.add_character_with(Model::shipped("adult")?, balance.clone(), pose, named("adult"))?;
    world.add_hold_on("hand of adult", adult, "right_palm")?;
    let pose = StartPose::standing().at(0.1, -0.8).reaching("left_palm", MEETING);
    let child = world.add_character_with(Model::shipped("child")?, balance, pose, named("child"))?;
    if hand_in_hand {
        world.hold_on(child, "left_palm", "hand of adult")?;
    }
    Ok((world, child))
}
