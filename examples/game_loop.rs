//! The loop of a game: a character on a platform that the game moves, pushed by the player, drawn from its
//! body poses, with a ball that is thrown in while the world runs.
//!
//! `cargo run --release --example game_loop`

use aplomb::contact::Pose;
use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::passive::Passive;
use aplomb::world::{Obstacle, StartPose, World, Wrench};
use nalgebra::{UnitQuaternion, Vector3};
use std::error::Error;

/// Where the platform is at a time, s.
fn platform(time: f64) -> Pose {
    let sway = 0.05 * (1.0 - (2.0 * time).cos());
    Pose { position: Vector3::new(sway, 0.0, 0.01), orientation: UnitQuaternion::identity() }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let deck = Obstacle::block("platform", [1.0, 1.0, 0.01], [0.0, 0.0, 0.01]);
    let mut world = World::builder().obstacle(deck).build()?;
    let pose = StartPose::standing().above_ground(0.02);
    let hero = world.add_character(Model::shipped("adult")?, ControllerFile::shipped("balance")?, pose)?;
    let deck = world.find_obstacle("platform").ok_or("the platform is there")?;

    let mut drawn = Vec::new();
    let mut ball = None;
    while world.time() < 4.0 {
        let time = world.time();
        world.move_obstacle(deck, platform(time + world.settings().dt))?;
        if world.frame_index() == 100 {
            world.push(hero, "chest", Wrench::force([0.0, 80.0, 0.0]), 0.1)?;
        }
        if world.frame_index() == 200 {
            let thrown = Passive::articulated(Model::shipped("ball")?)
                .at(Vector3::new(1.5, 0.0, 1.4))
                .thrown(Vector3::new(-4.0, 0.0, 1.0), Vector3::zeros());
            ball = Some(world.add_passive("ball", thrown)?);
        }
        world.step()?;
        world.body_poses(hero, &mut drawn);
    }
    let ball = ball.ok_or("it was thrown")?;
    let com = Vector3::from(world.result(hero).frame.com);
    println!("{} bodies drawn, the last time with the COM at {com:.3?} m", drawn.len());
    println!("the ball lies at {:.2?} m", world.passive().whole(ball).com);
    assert!(com.z > 0.85, "it stands");
    Ok(())
}
