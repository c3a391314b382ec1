//! Objectives in closed loop: a controller that stands with bent knees, with one goal added.

mod aims;
mod hard;
mod kinds;
mod own;
mod sides;
mod terms;

use aplomb::model::Model;
use aplomb::scene;
use aplomb::scene::{Run as SceneRun, SceneFiles};
use aplomb::trace::{Frame, Outcome};
use aplomb::world::StepError;
use nalgebra::{Isometry3, Point3, Vector3};
use std::fs;

const BALANCE: &str = include_str!("../../data/objectives/bent_knees.toml");

/// A short run of the adult.
struct Trial {
    simulation: SceneRun,
    frames: Vec<Frame>,
}

impl Trial {
    /// Runs `bent_knees.toml` with `objectives` (TOML tables of one objective each) added to its state.
    fn of(objectives: &[&str], overrides: &[&str], duration: f64) -> Trial {
        let mut controller = BALANCE.to_owned();
        for objective in objectives {
            controller += &format!("\n[[states.balance.objectives]]\n{objective}\n");
        }
        Trial::run(&controller, "", overrides, duration)
    }

    /// Runs a controller in a scene that contains only what `scene` adds.
    fn run(controller: &str, scene: &str, overrides: &[&str], duration: f64) -> Trial {
        Trial::of_bound(bound(controller, scene, overrides, duration))
    }

    fn of_bound(mut simulation: SceneRun) -> Trial {
        let mut frames = Vec::new();
        let last = simulation.finish::<StepError>(|_, stepped| {
            frames.push(stepped.frame());
            Ok(())
        });
        frames.push(last.unwrap());
        let failed = frames.iter().find(|frame| matches!(frame.outcome, Outcome::Failed { .. }));
        assert!(failed.is_none(), "{:?}", failed.map(|frame| (frame.index, &frame.outcome)));
        Trial { simulation, frames }
    }

    fn at(&self, frame: &'_ Frame) -> View<'_> {
        let model = &self.simulation.character().model;
        View { model, poses: model.body_poses(&frame.q), frame: frame.clone() }
    }

    fn start(&self) -> View<'_> {
        self.at(&self.frames[0])
    }

    fn end(&self) -> View<'_> {
        self.at(&self.frames[self.frames.len() - 1])
    }

    /// The last record with forces.
    fn last_solved(&self) -> View<'_> {
        self.at(&self.frames[self.frames.len() - 2])
    }

    /// Records with forces: all but the last.
    fn solved(&self) -> &[Frame] {
        &self.frames[..self.frames.len() - 1]
    }

    /// w‖r‖² of an objective in each frame.
    fn costs(&self, objective: &str) -> Vec<f64> {
        let names = &self.simulation.character().objectives;
        let index = names.iter().position(|name| name == objective).unwrap();
        self.solved().iter().map(|frame| frame.costs[index]).collect()
    }

    /// Names of relaxed rows, by frame.
    fn relaxed(&self) -> Vec<(u64, Vec<String>)> {
        let named = |frame: &Frame| match &frame.outcome {
            Outcome::Relaxed { rows } => {
                Some((frame.index, rows.iter().map(|row| row.label.clone()).collect()))
            }
            _ => None,
        };
        self.frames.iter().filter_map(named).collect()
    }
}

/// The adult with a controller in a scene that contains only what `scene` adds, before the first frame.
fn bound(controller: &str, scene: &str, overrides: &[&str], duration: f64) -> SceneRun {
    let files = files(controller, scene, overrides, duration);
    SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// The files of such a scene.
fn files(controller: &str, scene: &str, overrides: &[&str], duration: f64) -> SceneFiles {
    let folder = tempfile::tempdir().unwrap();
    let head = format!("duration = {duration}\n[characters.adult]\nmodel = \"adult\"\n");
    let scene = format!("{head}controller = \"controller.toml\"\n{scene}");
    fs::write(folder.path().join("controller.toml"), controller).unwrap();
    let path = folder.path().join("scene.toml");
    fs::write(&path, scene).unwrap();
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    scene::load(path.to_str().unwrap(), &overrides).unwrap_or_else(|error| panic!("{error:?}"))
}

/// A frame with the poses of all bodies in it.
struct View<'a> {
    model: &'a Model,
    poses: Vec<Isometry3<f64>>,
    frame: Frame,
}

impl View<'_> {
    fn com(&self) -> Vector3<f64> {
        Vector3::from(self.frame.com)
    }

    fn body(&self, name: &str) -> Isometry3<f64> {
        self.poses[self.model.body(name).unwrap().0]
    }

    /// World position of a point of a body.
    fn point(&self, body: &str, local: [f64; 3]) -> Vector3<f64> {
        (self.body(body) * Point3::from(local)).coords
    }

    fn site(&self, name: &str) -> Vector3<f64> {
        let site = &self.model.sites[self.model.site(name).unwrap()];
        (self.poses[site.body.unwrap().0] * Point3::from(site.position)).coords
    }

    fn coordinate(&self, joint: &str) -> usize {
        self.model.joints[self.model.joint(joint).unwrap().0].v_index
    }

    fn angle(&self, joint: &str) -> f64 {
        self.frame.q[self.model.joints[self.model.joint(joint).unwrap().0].q_index]
    }

    fn rate(&self, joint: &str) -> f64 {
        self.frame.v[self.coordinate(joint)]
    }

    /// Share of the weight on a foot with its toes.
    fn load(&self, foot: &str, toe: &str) -> f64 {
        let on = self.frame.contacts.iter().filter(|contact| contact.body == foot || contact.body == toe);
        on.map(|contact| contact.force[2]).sum::<f64>() / (self.model.mass() * 9.81)
    }
}
