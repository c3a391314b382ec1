//! Sixteen worlds of a scene, each with a push of its own, on all cores: who still stands?
//!
//! `cargo run --release --example many_worlds`

use aplomb::scene::{self, WorldOutcome, Worlds};
use aplomb::world::Wrench;
use std::f64::consts::TAU;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sets = ["events={}".to_owned(), "duration=3".to_owned()];
    let mut worlds = Worlds::new(&scene::load("step_push", &sets)?, 16)?;
    for world in 0..worlds.len() {
        let angle = TAU * world as f64 / worlds.len() as f64;
        let force = [500.0 * angle.cos(), 500.0 * angle.sin(), 0.0]; // N, for 0.1 s
        if let Some(run) = worlds.get_mut(world)
            && let Some(hero) = run.hero()
        {
            run.world.push(hero, "chest", Wrench::force(force), 0.1)?;
        }
    }
    while worlds.step(0)? > 0 {}
    for (world, (outcome, com)) in worlds.outcomes().zip(worlds.com().chunks(3)).enumerate() {
        let end = match outcome {
            WorldOutcome::Finished => format!("stands, {:.2} m high", com[2]),
            WorldOutcome::Violated { time, .. } => format!("fell at {time:.2} s"),
            other => other.name().to_owned(),
        };
        println!("{:6.1}°: {end}", 360.0 * world as f64 / worlds.len() as f64);
    }
    Ok(())
}
