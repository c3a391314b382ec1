//! Objectives and constraints that a program adds in the form of controller files.

use super::bind::bind_entry;
use super::{Character, GoalId};
use crate::controller::quantity::{ModelNames, WorldNames};
use crate::controller::{ConstraintEntry, ObjectiveEntry};
use crate::goal::Goal;
use aplomb_control::objective::Binder;
use aplomb_language::diagnostic::{FileError, FileErrors, Source};

impl Character {
    /// Adds an objective that holds in every state, of any kind that controller files can name: `entry` is TOML with
    /// the keys of an entry of `objectives`. Its expressions may use quantities, but no names of the controller, which
    /// may be replaced; its times are seconds of this body.
    ///
    /// # Errors
    /// Every mistake in the entry.
    pub fn add_objective(&mut self, entry: &Source) -> Result<GoalId, FileErrors> {
        let goal = self.bound(entry)?;
        Ok(self.add_goal(goal))
    }

    /// Puts another objective, in the form of [`add_objective`](Character::add_objective), in the place of one that was
    /// added. It stays enabled or disabled.
    ///
    /// # Errors
    /// Every mistake in the entry; the old objective then continues.
    pub fn replace_objective(&mut self, id: GoalId, entry: &Source) -> Result<(), FileErrors> {
        let mut goal = self.bound(entry)?;
        let Some(old) = self.own_goals.get(id.0) else {
            return Err(FileError::new(entry, 0..0, "this objective is of another character").into());
        };
        goal.switch = old.switch.clone();
        super::follow(&mut self.followed, &goal);
        super::measure(&mut self.measured, &mut goal, &self.model);
        self.own_goals[id.0] = goal;
        Ok(())
    }

    /// Adds a constraint that holds in every state, of a kind that controller files can name; `entry` is TOML with the
    /// keys that it has there. Its expressions may use quantities, but no names of the controller.
    ///
    /// # Errors
    /// Every mistake in the entry, and a name that another constraint has.
    pub fn add_constraint(&mut self, kind: &str, entry: &Source) -> Result<(), FileErrors> {
        let ConstraintEntry::CollisionAvoidance(read) = ConstraintEntry::parse(kind, entry)?;
        if self.apart.iter().chain(&self.own_apart).any(|kept| *kept.name == **read.name.get_ref()) {
            let message = format!("a second constraint named `{}`", read.name.get_ref());
            return Err(FileError::new(entry, read.name.span(), message).into());
        }
        let names = WorldNames { model: ModelNames(&self.model), around: self.around() };
        let bound = read.bind(&self.model, entry, &names)?;
        self.own_apart.push(bound);
        self.renew_constraints();
        Ok(())
    }

    /// The goal of an entry, whose cost is listed.
    fn bound(&mut self, source: &Source) -> Result<Goal, FileErrors> {
        let entry = ObjectiveEntry::parse(source)?;
        let mut objectives = self.objectives.clone();
        let goal = {
            let names = WorldNames { model: ModelNames(&self.model), around: self.around() };
            let binder = Binder { model: &self.model, source, names: &names };
            bind_entry(&entry, &binder, &mut objectives)?
        };
        self.objectives = objectives;
        Ok(goal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::ControllerFile;
    use crate::{StartPose, World};
    use aplomb_body::model::Model;
    use aplomb_control::objective::ObjectiveSpec;

    fn world() -> (World, crate::CharacterId) {
        let mut world = World::builder().step(0.01).build().unwrap();
        let controller = ControllerFile::shipped("balance").unwrap();
        let hero = world.add_character(Model::shipped("adult").unwrap(), controller, StartPose::standing());
        (world, hero.unwrap())
    }

    fn source(text: &str) -> Source {
        Source::new("", text)
    }

    #[test]
    fn an_objective_of_a_program_can_be_written_as_in_a_file() {
        let (mut world, hero) = world();
        let text = "name = \"low\"\nweight = 500\nresponse = 0.15\nof = { com_height = { target = 0.8 } }";
        let id = world.character_mut(hero).add_objective(&source(text)).unwrap();
        for _ in 0..150 {
            world.step().unwrap();
        }
        let low = world.character(hero).snapshot.com_height();
        let text = text.replace("0.8", "0.9");
        world.character_mut(hero).replace_objective(id, &source(&text)).unwrap();
        for _ in 0..150 {
            world.step().unwrap();
        }
        let high = world.character(hero).snapshot.com_height();
        assert!(high > low + 0.05, "{low} m, then {high} m");
        assert_eq!(world.character(hero).objectives.iter().filter(|name| *name == "low").count(), 1);
        world.enable_objective(hero, "low", false).unwrap();
        for _ in 0..150 {
            world.step().unwrap();
        }
        let free = world.character(hero).snapshot.com_height();
        assert!(free > high + 0.005, "{high} m, then {free} m without it");
    }

    #[test]
    fn mistakes_are_reported_and_nothing_is_added() {
        let (mut world, hero) = world();
        let character = world.character_mut(hero);
        let before = character.objectives.clone();
        for (text, expected) in [
            ("name = \"a\"\nweight = 1\nof = { com_heigth = {} }", "com_heigth"),
            ("name = \"a\"\nweight = 1\nof = { com_height = { target = \"crouch\" } }", "crouch"),
            ("name = \"a\"\nweight = -1\nof = { com_height = { target = 1 } }", "0 or more"),
            ("name = \"a\"\nweight = 1\nof = { upright = { body = \"tail\" } }", "tail"),
            ("name = \"a\"\nweight = 1\nside = \"at_most\"\nof = { upright = { body = \"chest\" } }", "side"),
        ] {
            let error = character.add_objective(&source(text)).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(character.own_goals.is_empty() && character.objectives == before);
        let error = character.add_constraint("friction_cone", &source("")).unwrap_err().to_string();
        assert!(error.contains("no settings"), "{error}");
        let error = character.add_constraint("colision_avoidance", &source("")).unwrap_err().to_string();
        assert!(error.contains("did you mean `collision_avoidance`"), "{error}");
        assert!(ObjectiveSpec::list().len() > 10);
    }

    #[test]
    fn a_constraint_of_a_program_outlives_the_controller() {
        let (mut world, hero) = world();
        let text = "name = \"hand\"\nbodies = [\"left_hand\"]\nfrom = [\"right_hand\"]\nclearance = 0.25";
        let before = world.checkpoint();
        world.character_mut(hero).add_constraint("collision_avoidance", &source(text)).unwrap();
        let again = world.character_mut(hero).add_constraint("collision_avoidance", &source(text));
        assert!(again.unwrap_err().to_string().contains("second"));
        let text = "name = \"together\"\nweight = 20\nresponse = 0.2\n\
                    of = { body_point = { point = \"left_hand\", target = \"position(right_hand)\" } }";
        world.character_mut(hero).add_objective(&source(text)).unwrap();
        world.replace_controller(hero, ControllerFile::shipped("balance").unwrap()).unwrap();
        let mut least = f64::INFINITY;
        for _ in 0..200 {
            world.step().unwrap();
            let character = world.character(hero);
            let kinematics = &character.snapshot.kinematics;
            let distance = character.own_apart[0].least(&character.model, kinematics, 1.0);
            least = distance.map_or(least, |(distance, _)| least.min(distance));
        }
        assert!((0.24..0.3).contains(&least), "they come near, but no nearer than the clearance: {least} m");
        world.enable_constraint(hero, "hand", false).unwrap();
        let text = "name = \"low\"\nweight = 1\nof = { com_height = { target = 0.8 } }";
        world.character_mut(hero).add_objective(&source(text)).unwrap();
        world.replace_controller(hero, ControllerFile::shipped("balance").unwrap()).unwrap();
        world.restore(&before).unwrap();
        world.step().unwrap();
        assert!(world.character(hero).objectives.iter().any(|name| name == "low"));
    }
}
