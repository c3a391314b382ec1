//! Scenes to be improved, and the result of a set of values for them.

use super::aim::TuneObjective;
use super::figure::{OwnRun, Pushes};
use super::variable::Variable;
use crate::runner::{self, Wanted};
use crate::summary::{Summary, Verdict};
use crate::sweep::{self, Figures, PoolError, RunEnding, in_order, push_of};
use aplomb_scene::{EventSpec, LoadError, Run, SceneFiles};
use aplomb_trace::Header;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

/// A scene as it was when the search began: independent of later changes of its files.
pub struct TunedScene {
    /// Contents of its files.
    pub files: SceneFiles,
    header: Header,
    push: Option<(String, EventSpec)>,
}

/// Pushes of one event from all directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Number of evenly spaced directions.
    pub directions: usize,
    /// Impulses in rising order, N s.
    pub impulses: Vec<f64>,
}

/// The problem of the search.
pub struct Problem {
    /// The scenes, all with the same weight.
    pub scenes: Vec<TunedScene>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// The aim, which is maximised: its mean over the scenes.
    pub aim: TuneObjective,
    /// The map of pushes, if the aim needs one.
    pub map: Option<Map>,
}

/// The result of a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneOutcome {
    /// Its own run; the error message if it cannot be executed.
    pub own: Result<OwnRun, String>,
    /// Its pushes, if the aim uses them.
    pub pushes: Option<Pushes>,
    /// The value of the aim.
    pub value: Option<f64>,
}

/// The result of a set of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// One value per variable.
    pub values: Vec<f64>,
    /// One result per scene.
    pub scenes: Vec<SceneOutcome>,
    /// Mean over the scenes; `None` if one has no value.
    pub value: Option<f64>,
}

/// One direction of pushes: the largest impulse that is survived, as are all smaller ones, N s, and the share of the
/// duration that was completed under the next one.
#[derive(Clone, Copy)]
struct SurvivedImpulse {
    limit: f64,
    endured: f64,
}

/// The result of one task.
enum WorkResult {
    Own(Box<Result<OwnRun, String>>),
    Direction(SurvivedImpulse),
}

/// The reason why a batch ends early.
enum BatchHalt<E> {
    Stopped,
    Taken(E),
}

impl TunedScene {
    /// Loads and binds a scene.
    ///
    /// # Errors
    /// If the files have mistakes.
    pub fn load(reference: &str, overrides: &[String]) -> Result<Self, LoadError> {
        let files = aplomb_scene::load(reference, overrides)?;
        let run = Run::bind(&files)?;
        Ok(TunedScene { header: aplomb_scene::header(&files, &run), files, push: None })
    }

    /// Sets the event whose pushes come from all directions.
    pub fn pushed_by(self, event: &str) -> Self {
        let push = self.files.scene.events.get(event).map(|spec| (event.to_string(), spec.clone()));
        TunedScene { push, ..self }
    }

    /// The scene's files with values changed.
    ///
    /// # Errors
    /// If the files do not accept the values.
    pub(crate) fn with(&self, sets: &[String]) -> Result<SceneFiles, LoadError> {
        aplomb_scene::load_kept(&self.header, sets)
    }

    fn own(&self, sets: &[String]) -> Result<OwnRun, String> {
        let files = self.with(sets).map_err(|error| error.to_string())?;
        let mut run = Run::bind(&files).map_err(|mistakes| mistakes.to_string())?;
        run.measure_margins();
        let (mut squares, mut frames) = (0.0, 0_u64);
        let recorded = runner::record(&files, &mut run, Wanted::default(), |frame, _| {
            if !frame.torque.is_empty() {
                squares += frame.torque.iter().map(|torque| torque * torque).sum::<f64>();
                frames += 1;
            }
            ControlFlow::Continue(())
        });
        let recorded = recorded.map_err(|error| error.to_string())?;
        if let Summary { stopped: Some(stopped), .. } = recorded.summary {
            return Err(stopped.reason);
        }
        let speed = recorded.last.map_or(0.0, |last| Vector3::from(last.com_velocity).norm());
        let figures = Figures::new(&recorded.summary, speed, None);
        let margins = run.criteria.iter().filter_map(|criterion| criterion.margin);
        Ok(OwnRun {
            passed: recorded.summary.verdict == Verdict::Pass,
            lasted: lasted(&figures, recorded.summary.duration),
            margin: margins.reduce(f64::min).unwrap_or(0.0),
            effort: (frames > 0).then(|| (squares / frames as f64).sqrt()),
            figures,
        })
    }

    fn direction(&self, sets: &[String], degrees: f64, impulses: &[f64]) -> SurvivedImpulse {
        let mut survived = SurvivedImpulse { limit: 0.0, endured: 1.0 };
        let Some((event, spec)) = &self.push else { return survived };
        let mut sets = sets.to_vec();
        for impulse in impulses {
            sets.push(push_of(event, spec, self.header.dt, degrees, *impulse));
            let row = self.with(&sets).ok().and_then(|files| sweep::run(0, &[], &files, None, None).ok());
            sets.pop();
            match row {
                Some(row) if row.ending == RunEnding::Pass => survived.limit = *impulse,
                row => {
                    let figures = row.and_then(|row| row.figures);
                    survived.endured = figures.map_or(0.0, |figures| lasted(&figures, self.header.duration));
                    break;
                }
            }
        }
        survived
    }
}

/// Share of the duration until a criterion was violated.
fn lasted(figures: &Figures, duration: f64) -> f64 {
    figures.broken_at.map_or(1.0, |at| (at / duration).clamp(0.0, 1.0))
}

impl Problem {
    /// The `PATH=VALUE` overrides with a set of values.
    pub(crate) fn sets(&self, values: &[f64]) -> Vec<String> {
        self.variables.iter().zip(values).map(|(variable, value)| variable.set(*value)).collect()
    }

    /// The values at a point of the search.
    pub(crate) fn values(&self, place: &[f64]) -> Vec<f64> {
        self.variables.iter().zip(place).map(|(variable, place)| variable.value(*place)).collect()
    }

    /// Runs every scene with each set of values on this number of threads. Each result is passed on with its number,
    /// in order, as soon as it is available. Returns false if `stop` ended it; the results of unfinished runs are
    /// then lost.
    ///
    /// # Errors
    /// If no threads can be created, and the first error of `take`.
    pub fn evaluate<E>(
        &self,
        sets_of_values: &[Vec<f64>],
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
        mut take: impl FnMut(usize, Evaluation) -> Result<(), E>,
    ) -> Result<bool, PoolError<E>> {
        let directions = self.map.as_ref().map_or(0, |map| map.directions);
        let a_scene = 1 + directions;
        let a_set = a_scene * self.scenes.len();
        let sets: Vec<Vec<String>> = sets_of_values.iter().map(|values| self.sets(values)).collect();
        let work = |index: usize| {
            if stop() {
                return None;
            }
            let (sets, scene) = (&sets[index / a_set], &self.scenes[index % a_set / a_scene]);
            Some(match (index % a_scene, &self.map) {
                (part, Some(map)) if part > 0 => {
                    let degrees = 360.0 * (part - 1) as f64 / directions as f64;
                    WorkResult::Direction(scene.direction(sets, degrees, &map.impulses))
                }
                _ => WorkResult::Own(Box::new(scene.own(sets))),
            })
        };
        let mut parts = Vec::with_capacity(a_set);
        let mut number = 0;
        let done = in_order(threads, a_set * sets_of_values.len(), work, |part| {
            parts.push(part.ok_or(BatchHalt::Stopped)?);
            if parts.len() == a_set {
                let evaluation = self.put_together(&sets_of_values[number], std::mem::take(&mut parts));
                take(number, evaluation).map_err(BatchHalt::Taken)?;
                number += 1;
            }
            Ok(())
        });
        match done {
            Ok(()) => Ok(true),
            Err(PoolError::Taken(BatchHalt::Stopped)) => Ok(false),
            Err(PoolError::Taken(BatchHalt::Taken(error))) => Err(PoolError::Taken(error)),
            Err(PoolError::Threads(error)) => Err(PoolError::Threads(error)),
        }
    }

    fn put_together(&self, values: &[f64], parts: Vec<WorkResult>) -> Evaluation {
        let mut scenes: Vec<SceneOutcome> = Vec::with_capacity(self.scenes.len());
        let mut directions: Vec<Vec<SurvivedImpulse>> = Vec::with_capacity(self.scenes.len());
        for part in parts {
            match part {
                WorkResult::Own(own) => {
                    scenes.push(SceneOutcome { own: *own, pushes: None, value: None });
                    directions.push(Vec::new());
                }
                WorkResult::Direction(survived) => {
                    directions.last_mut().into_iter().for_each(|of| of.push(survived))
                }
            }
        }
        for (outcome, survived) in scenes.iter_mut().zip(directions) {
            outcome.pushes = (!survived.is_empty()).then(|| pushes(&survived));
            let own = outcome.own.as_ref().ok();
            outcome.value = own.and_then(|own| self.aim.value(own, outcome.pushes.as_ref()));
        }
        let sum: Option<f64> = scenes.iter().map(|outcome| outcome.value).sum();
        let value = sum.map(|sum| sum / scenes.len().max(1) as f64);
        Evaluation { values: values.to_vec(), scenes, value }
    }
}

fn pushes(directions: &[SurvivedImpulse]) -> Pushes {
    let mean =
        |of: fn(&SurvivedImpulse) -> f64| directions.iter().map(of).sum::<f64>() / directions.len() as f64;
    let mean_limit = mean(|survived| survived.limit);
    Pushes {
        area: TAU * mean_limit,
        mean_limit,
        least_limit: directions.iter().map(|survived| survived.limit).fold(f64::INFINITY, f64::min),
        endured: mean(|survived| survived.endured),
    }
}
