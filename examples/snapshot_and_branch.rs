//! One moment, several futures: a checkpoint is taken before a push, and pushes of growing strength branch
//! off it.
//!
//! `cargo run --release --example snapshot_and_branch`

use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::world::{StartPose, World, Wrench};
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::builder().build()?;
    let balance = ControllerFile::shipped("balance")?;
    let hero = world.add_character(Model::shipped("adult")?, balance, StartPose::standing())?;
    while world.time() < 1.0 {
        world.step()?;
    }
    let moment = world.checkpoint();

    let mut survived = Vec::new();
    for impulse in [10.0, 20.0, 40.0, 60.0] {
        world.restore(&moment)?;
        world.push(hero, "chest", Wrench::force([0.0, impulse / 0.15, 0.0]), 0.15)?;
        while world.time() < 4.0 {
            world.step()?;
        }
        let height = world.result(hero).frame.com[2];
        println!("{impulse:2} N s: the COM ends at {height:.2} m");
        survived.push(height > 0.7);
    }
    assert_eq!(survived, [true, true, false, false], "balance without steps takes some 25 N s from the side");
    Ok(())
}
