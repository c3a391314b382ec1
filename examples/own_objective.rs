//! An objective written by hand: the left hand keeps a distance from the chest, without a file or a registry.
//!
//! `cargo run --release --example own_objective`

use aplomb::controller::ControllerFile;
use aplomb::model::{BodyId, Model};
use aplomb::objective::{Form, Now, Objective, Residual, Subject};
use aplomb::predict::Prediction;
use aplomb::world::{Goal, StartPose, World};
use nalgebra::Vector3;
use std::error::Error;

/// r = |p − q| − distance with the origins p and q of two bodies, m.
struct Distance {
    between: [BodyId; 2],
    distance: f64,
}

impl Objective for Distance {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let [p, q] = self.between.map(|body| now.kinematics.position[body.0]);
        let direction = (p - q).try_normalize(1e-9)?;
        let [p, q] = self.between.map(|body| next.point(body, &now.kinematics.position[body.0]));
        Some(Residual::position((p + q * -1.0).dot(&direction) - self.distance))
    }

    // These two are for those who look on: the trace, plots and the window have its target and actual value.
    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::number("m"))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let [p, q] = self.between.map(|body| now.kinematics.position[body.0]);
        pairs.push([self.distance, (p - q).norm()]);
        Some(())
    }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let model = Model::shipped("adult")?;
    let between = ["left_hand", "chest"].map(|name| model.body(name).ok_or(format!("no body `{name}`")));
    let [hand, chest] = between;
    let (hand, chest) = (hand?, chest?);

    let mut world = World::builder().build()?;
    let hero = world.add_character(model, ControllerFile::shipped("balance")?, StartPose::standing())?;
    let goal = Distance { between: [hand, chest], distance: 0.5 };
    world.character_mut(hero).add_goal(Goal::new("hand out", 20.0, Form::Shaped { response: 0.2 }, goal));

    while world.time() < 2.0 {
        world.step()?;
    }
    world.observe();
    let positions = &world.character(hero).snapshot.kinematics.position;
    let distance: Vector3<f64> = positions[hand.0] - positions[chest.0];
    println!("after 2 s the hand is {:.3} m from the chest (0.5 asked)", distance.norm());
    assert!((distance.norm() - 0.5).abs() < 0.02);
    Ok(())
}
