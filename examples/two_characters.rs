//! Two characters in one world, an adult and a child, solved side by side. They pass through each other.
//!
//! `cargo run --release --example two_characters`

use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::world::character::CharacterOptions;
use aplomb::world::{StartPose, World, Wrench};
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::builder().parallel(true).build()?;
    let stepping = ControllerFile::shipped("step_recovery")?;
    let named = |name: &str| CharacterOptions { name: name.into(), ..CharacterOptions::default() };
    let (here, beside) = (StartPose::standing(), StartPose::standing().at(0.0, 1.5).facing(-1.57));
    let model = Model::shipped("adult")?;
    let adult = world.add_character_with(model, stepping.clone(), here, named("adult"))?;
    let model = Model::shipped("child")?;
    let child = world.add_character_with(model, stepping, beside, named("child"))?;

    world.push(adult, "chest", Wrench::force([0.0, 300.0, 0.0]), 0.15)?;
    world.push(child, "chest", Wrench::force([60.0, 0.0, 0.0]), 0.15)?;
    while world.time() < 4.0 {
        world.step()?;
        for id in world.characters() {
            for transition in &world.result(id).progress.transitions {
                println!("{:5.2} s  {}: {transition}", world.time(), world.character(id).name);
            }
        }
    }
    for id in [adult, child] {
        let frame = &world.result(id).frame;
        println!("{}: COM at {:.2?} m", world.character(id).name, frame.com);
        assert!(frame.com[2] > 0.5 * world.character(id).snapshot.scales.height, "it stands");
    }
    Ok(())
}
