//! Throws and other events that change the world between two frames.

use super::contents::{CharacterId, ObstacleId, World, WorldError};
use super::event::Throw;
use super::event::{Command, Event};
use super::record;
use super::result::StepError;
use aplomb_body::model::Model;
use aplomb_passive::Passive;
use aplomb_trace::{PassiveHeader, PassiveSolid, SolidShape};
use nalgebra::Vector3;
use std::sync::Arc;

/// Name of the only part of a thrown object.
const PART: &str = "ball";

/// The passive object of a throw.
fn object(throw: &Throw) -> Result<Passive, WorldError> {
    let positive = |number: f64| number.is_finite() && number > 0.0;
    if !positive(throw.mass) || !positive(throw.radius) {
        return Err(WorldError::BadValue("a ball has a mass and a radius of more than 0"));
    }
    if !throw.position.iter().chain(&throw.velocity).all(|number| number.is_finite()) {
        return Err(WorldError::BadValue("a throw must be finite"));
    }
    let model = Model::sphere(PART, throw.mass, throw.radius);
    let ball = Passive::articulated(model).at(throw.position).thrown(throw.velocity, Vector3::zeros());
    // The surfaces of a run are those of its header, which is written before the throw.
    Ok(ball.pushed_by_characters(false).into())
}

impl World {
    /// Adds a thrown ball between two frames; returns its number among the passive objects.
    ///
    /// # Errors
    /// A name that is already used, and numbers that do not describe a ball; then nothing is thrown.
    pub fn throw(&mut self, name: &str, throw: &Throw) -> Result<usize, WorldError> {
        self.add_passive(name, object(throw)?)
    }

    /// Header entries of moving objects other than a character's own body: other characters if shown, passive
    /// objects, and objects that events will throw.
    pub fn passive_records(&self, own: Option<CharacterId>) -> Vec<PassiveHeader> {
        let shown = if self.record.shows_bodies { &self.actors[..] } else { &[] };
        let characters = shown.iter().map(|actor| &actor.character);
        let others = characters.filter(|other| own != Some(CharacterId(other.number)));
        let mut records: Vec<PassiveHeader> =
            others.map(|other| record::character(&other.name, &other.model)).collect();
        records.extend(record::passive_objects(&self.passive));
        let mut coming: Vec<&Event> =
            self.events.iter().filter(|event| event.frames.start >= self.index).collect();
        coming.sort_by_key(|event| event.frames.start);
        for event in coming {
            if let Some(Command::Throw(Throw { mass, radius, .. })) = event.command {
                records.push(PassiveHeader {
                    name: event.name.clone(),
                    kind: "articulated".into(),
                    mass,
                    parts: vec![PART.into()],
                    solids: vec![PassiveSolid {
                        part: 0,
                        shape: SolidShape::Sphere { radius },
                        position: [0.0; 3],
                        orientation: [1.0, 0.0, 0.0, 0.0],
                    }],
                    segments: Vec::new(),
                });
            }
        }
        records
    }

    /// Executes the events that are due before the next frame.
    pub(super) fn apply_commands(&mut self) -> Result<(), StepError> {
        let index = self.index;
        let is_due = |event: &Event| match event.command {
            Some(Command::Follow { .. }) => event.frames.contains(&index),
            Some(_) => event.frames.start == index,
            None => false,
        };
        for place in 0..self.events.len() {
            if !is_due(&self.events[place]) {
                continue;
            }
            self.carry_out(place).map_err(|error| StepError::Event {
                event: self.events[place].name.clone(),
                reason: error.to_string(),
            })?;
        }
        Ok(())
    }

    /// Carries out the command of the event with this index.
    fn carry_out(&mut self, place: usize) -> Result<(), WorldError> {
        let Event { command, frames, .. } = &self.events[place];
        if let Some(Command::Follow { character, name, track }) = command {
            // This runs once per frame, so that nothing is copied.
            let value = track.value((self.index - frames.start) as f64 * self.settings.dt);
            let (character, name) = (CharacterId(*character), Arc::clone(name));
            return self.command(character, &name, value);
        }
        let Event { name, command, .. } = self.events[place].clone();
        match command {
            Some(Command::SetValue { character, path, value }) => {
                self.set_value(CharacterId(character), &path, &value)
            }
            Some(Command::ReplaceController { character, controller }) => {
                self.replace_controller(CharacterId(character), (*controller).clone())
            }
            Some(Command::Command { character, name, value }) => {
                self.command(CharacterId(character), &name, value)
            }
            Some(Command::Throw(throw)) => self.throw(&name, &throw).map(drop),
            Some(Command::ChangeSurface { surface, change }) => {
                self.change_surface(ObstacleId(surface), &change);
                Ok(())
            }
            Some(Command::Switch { character, objective, constraint, on, is_lasting }) => {
                let character = &mut self.actors[character].character;
                let changes = self.events[place].changes(on, is_lasting);
                if let Some(name) = objective {
                    character.switch_objective(&name, changes.clone())?;
                }
                if let Some(name) = constraint {
                    character.switch_constraint(&name, changes)?;
                }
                Ok(())
            }
            Some(Command::Follow { .. }) | None => Ok(()),
        }
    }
}
