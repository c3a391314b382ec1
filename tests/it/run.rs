//! A scene run to its end, with all its frames.

use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, SceneFiles};
use aplomb::trace::Frame;
use aplomb::world::StepError;

/// The records of all frames that a bound scene steps through.
pub fn frames(run: &mut SceneRun) -> Vec<Frame> {
    let mut frames = Vec::new();
    run.finish::<StepError>(|_, stepped| {
        frames.push(stepped.frame());
        Ok(())
    })
    .unwrap();
    frames
}

/// A finished run.
pub struct Run {
    pub simulation: SceneRun,
    pub frames: Vec<Frame>,
}

impl Run {
    pub fn of(scene: &str, overrides: &[&str]) -> Run {
        let overrides: Vec<String> = overrides.iter().map(|argument| argument.to_string()).collect();
        Run::from(&scene::load(scene, &overrides).unwrap())
    }

    pub fn from(files: &SceneFiles) -> Run {
        let mut simulation = SceneRun::bind(files).unwrap_or_else(|errors| panic!("{}", errors[0].message));
        let mut frames = Vec::new();
        let last = simulation.finish::<StepError>(|_, stepped| {
            frames.push(stepped.frame());
            Ok(())
        });
        frames.push(last.unwrap());
        Run { simulation, frames }
    }

    pub fn passes(&self) -> bool {
        self.simulation.criteria.iter().all(|criterion| criterion.holds)
    }
}
