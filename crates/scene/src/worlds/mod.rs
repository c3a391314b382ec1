//! Many worlds of a scene, stepped in parallel.

mod error;
mod outcome;
mod slot;

pub use error::WorldsError;
pub use outcome::WorldOutcome;

use crate::checkpoint::RunCheckpoint;
use crate::{Run, SceneFiles, load_kept};
use aplomb_world::WorldError;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use slot::WorldSlot;
use std::sync::{Arc, Mutex};

/// Many worlds of a scene, stepped in parallel. The results are the same bytes for any number of threads: those of
/// each world alone.
///
/// The states of their first characters are in flat arrays, row-major, one row per world, as of the last
/// [`step`](Worlds::step), [`reset`](Worlds::reset) or [`observe`](Worlds::observe); a step writes them without
/// allocating.
///
/// ```
/// # mod aplomb {
/// #     pub use aplomb_scene as scene;
/// # }
/// use aplomb::scene::{Worlds, load};
///
/// let mut worlds = Worlds::new(&load("balance_push", &[])?, 3)?;
/// worlds.step_frames(10, 2)?;
/// assert_eq!(worlds.q().len(), 3 * worlds.nq());
/// worlds.reset(1)?;
/// assert_eq!(worlds.get(1).unwrap().world.time(), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Worlds {
    slots: Vec<WorldSlot>,
    rows: WorldRows,
    /// The threads of the last step, and the requested number.
    pool: Option<(usize, ThreadPool)>,
}

/// Arrays with one row per world.
#[derive(Default)]
struct WorldRows {
    nq: usize,
    nv: usize,
    q: Vec<f64>,
    v: Vec<f64>,
    com: Vec<f64>,
    com_velocity: Vec<f64>,
    torque: Vec<f64>,
}

impl Worlds {
    /// Creates `count` worlds of one scene.
    ///
    /// # Errors
    /// If the files have mistakes.
    pub fn new(files: &SceneFiles, count: usize) -> Result<Self, WorldsError> {
        let runs: Vec<Run> = (0..count).map(|world| bind(world, files)).collect::<Result<_, _>>()?;
        // All of them have the same initial state, so one is computed for all.
        let start = runs.first().map(|run| Arc::new(Mutex::new(run.checkpoint())));
        let slots = runs.into_iter().zip(start.iter().cycle());
        Worlds::of_slots(slots.map(|(run, start)| WorldSlot::new(run, start.clone())).collect())
    }

    /// Creates a world of one scene for each list of `PATH=VALUE`, which follow the scene's own. `Experiment` of
    /// `aplomb::analysis::trials` draws such lists for the trials of a scene, from a seed.
    ///
    /// # Errors
    /// If the files or lists have mistakes, or first characters have bodies of different sizes.
    pub fn varied(files: &SceneFiles, sets: &[Vec<String>]) -> Result<Self, WorldsError> {
        let header = crate::header(files, &bind(0, files)?);
        let load = |(world, sets): (usize, &Vec<String>)| {
            load_kept(&header, sets).map_err(|error| WorldsError::File { world, error })
        };
        Worlds::of_each(&sets.iter().enumerate().map(load).collect::<Result<Vec<_>, _>>()?)
    }

    /// Creates a world of each scene.
    ///
    /// # Errors
    /// If the files have mistakes, or first characters have bodies of different sizes.
    pub fn of_each<'a>(scenes: impl IntoIterator<Item = &'a SceneFiles>) -> Result<Self, WorldsError> {
        let scenes = scenes.into_iter().enumerate();
        Worlds::of_runs(scenes.map(|(world, files)| bind(world, files)).collect::<Result<_, _>>()?)
    }

    /// Creates worlds from runs that a program has built. A world without a scene is a [`Run`] without criteria, with
    /// the required number of frames.
    ///
    /// # Errors
    /// If first characters have bodies of different sizes.
    pub fn of_runs(runs: Vec<Run>) -> Result<Self, WorldsError> {
        let slot = |run: Run| {
            let start = Arc::new(Mutex::new(run.checkpoint()));
            WorldSlot::new(run, start)
        };
        Worlds::of_slots(runs.into_iter().map(slot).collect())
    }

    fn of_slots(slots: Vec<WorldSlot>) -> Result<Self, WorldsError> {
        let sizes = |slot: &WorldSlot| {
            let (model, _) = slot.run.world.sensed(slot.run.hero());
            (model.nq, model.nv)
        };
        let first = slots.first().map_or((0, 0), sizes);
        if let Some((world, found)) = slots.iter().map(sizes).enumerate().find(|(_, found)| *found != first) {
            return Err(WorldsError::Shape { world, found, first });
        }
        let ((nq, nv), count) = (first, slots.len());
        let array = |width: usize| vec![0.0; count * width];
        let rows = WorldRows {
            nq,
            nv,
            q: array(nq),
            v: array(nv),
            com: array(3),
            com_velocity: array(3),
            torque: array(nv),
        };
        let mut worlds = Worlds { slots, rows, pool: None };
        worlds.observe();
        Ok(worlds)
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are no worlds.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Number of coordinates in a row of [`q`](Worlds::q).
    pub fn nq(&self) -> usize {
        self.rows.nq
    }

    /// Number of velocity coordinates in a row of [`v`](Worlds::v) and [`torque`](Worlds::torque).
    pub fn nv(&self) -> usize {
        self.rows.nv
    }

    /// The world with this index, with its criteria.
    pub fn get(&self, world: usize) -> Option<&Run> {
        self.slots.get(world).map(|slot| &slot.run)
    }

    /// The world with this index, mutable for pushes, parameters and commands. They appear in the arrays and its
    /// outcome after the next step, or [`observe`](Worlds::observe).
    pub fn get_mut(&mut self, world: usize) -> Option<&mut Run> {
        let slot = self.slots.get_mut(world)?;
        slot.is_changed = true;
        Some(&mut slot.run)
    }

    /// Progress of the world with this index.
    pub fn outcome(&self, world: usize) -> Option<&WorldOutcome> {
        self.slots.get(world).map(|slot| &slot.outcome)
    }

    /// Progress of each world.
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = &WorldOutcome> {
        self.slots.iter().map(|slot| &slot.outcome)
    }

    /// Number of worlds that have frames left.
    pub fn running(&self) -> usize {
        self.outcomes().filter(|outcome| outcome.is_running()).count()
    }

    /// Computes the next frame of each world that is running, on this number of threads: 0 means one per core, 1 the
    /// caller's own thread. Returns the number of worlds that have frames left. A world that ends or fails has an
    /// [outcome](Worlds::outcome) and does not stop the others.
    ///
    /// # Errors
    /// If threads cannot be created.
    pub fn step(&mut self, threads: usize) -> Result<usize, WorldsError> {
        self.step_frames(1, threads)
    }

    /// [`step`](Worlds::step) for at most this number of frames of each world, without synchronisation between
    /// frames.
    ///
    /// # Errors
    /// If threads cannot be created.
    pub fn step_frames(&mut self, frames: u64, threads: usize) -> Result<usize, WorldsError> {
        if threads == 1 || self.slots.len() < 2 {
            self.slots.iter_mut().for_each(|slot| slot.step(frames));
        } else {
            let Worlds { slots, pool, .. } = self;
            let pool = pool_of(pool, threads)?;
            // A world takes long enough to be a separate task, and may take longer than others.
            pool.install(|| slots.par_iter_mut().with_max_len(1).for_each(|slot| slot.step(frames)));
        }
        self.observe();
        Ok(self.running())
    }

    /// Resets the world with this index to its initial state. Pushes, parameters and commands since then are undone;
    /// goals and objects that a program has added are kept.
    ///
    /// # Errors
    /// If there is no such world, or a program has given it other characters.
    pub fn reset(&mut self, world: usize) -> Result<(), WorldsError> {
        self.change(world, WorldSlot::reset)
    }

    /// Saves the changing state of the world with this index.
    ///
    /// # Errors
    /// If there is no such world.
    pub fn checkpoint(&self, world: usize) -> Result<RunCheckpoint, WorldsError> {
        let count = self.slots.len();
        let slot = self.slots.get(world).ok_or(WorldsError::NoWorld { world, count })?;
        Ok(slot.run.checkpoint())
    }

    /// Restores a checkpoint of this world, or of another one of the same scene.
    ///
    /// # Errors
    /// If there is no such world, or the checkpoint is of other characters.
    pub fn restore(&mut self, world: usize, checkpoint: &RunCheckpoint) -> Result<(), WorldsError> {
        self.change(world, |slot| slot.restore(checkpoint))
    }

    /// Changes a world, and writes its row.
    fn change(
        &mut self,
        world: usize,
        change: impl FnOnce(&mut WorldSlot) -> Result<(), WorldError>,
    ) -> Result<(), WorldsError> {
        let count = self.slots.len();
        let slot = self.slots.get_mut(world).ok_or(WorldsError::NoWorld { world, count })?;
        change(slot).map_err(|reason| WorldsError::World { world, reason })?;
        self.rows.write(world, slot);
        Ok(())
    }

    /// Sets a parameter of the controller of each world's first character, one value per world.
    ///
    /// # Errors
    /// If the number of values differs from the number of worlds, or a world rejects its value: the error of the
    /// first such world. The worlds before it keep their new values.
    pub fn set_parameter(&mut self, name: &str, values: &[f64]) -> Result<(), WorldsError> {
        let count = self.slots.len();
        if values.len() != count {
            return Err(WorldsError::Count { found: values.len(), count });
        }
        for (world, (slot, value)) in self.slots.iter_mut().zip(values).enumerate() {
            let Some(hero) = slot.run.hero() else { continue };
            let set = slot.run.world.set_parameter(hero, name, *value);
            set.map_err(|reason| WorldsError::World { world, reason })?;
            slot.is_changed = true;
        }
        Ok(())
    }

    /// Writes the arrays, and updates the outcomes of worlds that were changed since their last step.
    pub fn observe(&mut self) {
        for (world, slot) in self.slots.iter_mut().enumerate() {
            slot.look();
            self.rows.write(world, slot);
        }
    }

    /// Configurations, a row of [`nq`](Worlds::nq) numbers per world: positions of the root in the world, m,
    /// its orientation as a quaternion (w, x, y, z), and angles, rad, or positions, m, of the joints.
    pub fn q(&self) -> &[f64] {
        &self.rows.q
    }

    /// Velocities, a row of [`nv`](Worlds::nv) numbers per world, m/s and rad/s.
    pub fn v(&self) -> &[f64] {
        &self.rows.v
    }

    /// Centres of mass in the world, a row of 3 numbers per world, m.
    pub fn com(&self) -> &[f64] {
        &self.rows.com
    }

    /// Velocities of the centres of mass, a row of 3 numbers per world, m/s.
    pub fn com_velocity(&self) -> &[f64] {
        &self.rows.com_velocity
    }

    /// Joint torques of each world's last frame, a row of [`nv`](Worlds::nv) numbers per world, N m, or N for slide
    /// joints; 0 before its first frame, and after a reset.
    pub fn torque(&self) -> &[f64] {
        &self.rows.torque
    }
}

impl WorldRows {
    /// Writes the row of a world.
    fn write(&mut self, world: usize, slot: &mut WorldSlot) {
        slot.run.world.observe();
        let hero = slot.run.hero();
        let (_, snapshot) = slot.run.world.sensed(hero);
        let frame = slot.run.world.results(hero).character.filter(|_| slot.has_torque).map(|of| &of.frame);
        let WorldRows { nq, nv, .. } = *self;
        copy(&mut self.q, nq, world, &snapshot.state.q);
        copy(&mut self.v, nv, world, &snapshot.state.v);
        copy(&mut self.com, 3, world, snapshot.com.as_slice());
        copy(&mut self.com_velocity, 3, world, snapshot.com_velocity.as_slice());
        copy(&mut self.torque, nv, world, frame.map_or(&[][..], |frame| &frame.torque));
    }
}

/// Writes the row of a world, with this number of values; 0 for missing ones.
fn copy(rows: &mut [f64], width: usize, world: usize, values: &[f64]) {
    let mut values = values.iter();
    let row = rows.iter_mut().skip(world * width).take(width);
    row.for_each(|number| *number = values.next().copied().unwrap_or(0.0));
}

/// The initial run of a world.
fn bind(world: usize, files: &SceneFiles) -> Result<Run, WorldsError> {
    Run::bind(files).map_err(|mistakes| WorldsError::File { world, error: mistakes.into() })
}

/// The pool with this number of threads; it is created again if the number has changed.
fn pool_of(pool: &mut Option<(usize, ThreadPool)>, threads: usize) -> Result<&ThreadPool, WorldsError> {
    if pool.as_ref().is_none_or(|(known, _)| *known != threads) {
        let made = ThreadPoolBuilder::new().num_threads(threads).build();
        *pool = Some((threads, made.map_err(|error| WorldsError::Threads(error.to_string()))?));
    }
    match pool {
        Some((_, pool)) => Ok(pool),
        None => Err(WorldsError::Threads("no threads".into())),
    }
}
