//! Worlds.

use crate::border::{place, text, triple};
use crate::status::{AplombStatus, Failure, guard};
use aplomb::controller::ControllerFile;
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{self, Folder};
use aplomb::model::{Model, mjcf};
use aplomb::scene::{self, Run, SceneFiles};
use aplomb::world::{CharacterId, Ground, StartPose, World};
use std::ffi::c_char;

/// A world, read from a scene or built by the program.
pub struct AplombWorld {
    pub run: Run,
    /// Whether it belongs to a feedback controller: then the caller may neither step nor free it.
    pub is_lent: bool,
}

/// Settings of a new world. `aplomb_settings_default()` has the defaults of scene files.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombSettings {
    /// Length of a frame, s; 0.0001 to 0.05.
    pub dt: f64,
    /// m/s²
    pub gravity: [f64; 3],
    /// Coulomb friction of the ground.
    pub friction: f64,
    /// Height of the ground, m.
    pub ground_height: f64,
}

/// Frames of 10 ms, gravity of -9.81 m/s² along z, ground with friction 1 at height 0.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_settings_default() -> AplombSettings {
    AplombSettings { dt: 0.01, gravity: [0.0, 0.0, -9.81], friction: 1.0, ground_height: 0.0 }
}

impl AplombWorld {
    fn of_scene(files: &SceneFiles) -> Result<Box<Self>, Failure> {
        let run =
            Run::bind(files).map_err(|mistakes| Failure::new(AplombStatus::File, mistakes.to_string()))?;
        Ok(Box::new(AplombWorld { run, is_lent: false }))
    }

    /// An empty world.
    pub fn of_settings(settings: &AplombSettings) -> Result<Box<Self>, Failure> {
        let AplombSettings { dt, gravity, friction, ground_height } = *settings;
        let ground = Ground::flat(friction).at(ground_height);
        let world = World::builder().step(dt).gravity(gravity).ground(ground).build()?;
        let run = Run { world, criteria: Vec::new(), frames: u64::MAX };
        Ok(Box::new(AplombWorld { run, is_lent: false }))
    }

    /// Adds a character by references to its files.
    pub fn add(
        &mut self,
        model: &str,
        controller: &str,
        x: f64,
        y: f64,
        heading: f64,
    ) -> Result<CharacterId, Failure> {
        let controller = files::find(Folder::Controllers, controller, None)?.source;
        let controller = ControllerFile::parse(&controller.name, &controller.text)?;
        let pose = StartPose::standing().at(x, y).facing(heading);
        Ok(self.run.world.add_character(open_model(Folder::Characters, model)?, controller, pose)?)
    }

    /// Handle of the character with this index.
    pub fn character(&self, number: usize) -> Result<CharacterId, Failure> {
        let count = self.run.world.characters().len();
        match number < count {
            true => Ok(CharacterId(number)),
            false => Err(Failure::value(format!("there is no character {number}, there are {count}"))),
        }
    }
}

/// # Safety
/// NULL, or a world of this library that nobody else uses meanwhile.
pub unsafe fn world<'a>(world: *mut AplombWorld) -> Result<&'a mut AplombWorld, Failure> {
    // SAFETY: as asked of the caller.
    unsafe { place("world", world) }
}

/// A world that the caller may step and add to.
///
/// # Safety
/// As [`world`].
pub unsafe fn own_world<'a>(world: *mut AplombWorld) -> Result<&'a mut AplombWorld, Failure> {
    // SAFETY: as asked of the caller.
    let world = unsafe { self::world(world)? };
    match world.is_lent {
        true => Err(Failure::value(
            "this world belongs to a feedback controller: aplomb_feedback_observe() makes its frames, \
             aplomb_feedback_reset() takes it back, and nobody else is in it",
        )),
        false => Ok(world),
    }
}

/// Reads a scene by path or by the name of a shipped one, such as `balance_push`. Free the world with
/// aplomb_world_free().
///
/// # Safety
/// `scene` is a string; `out` is a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_scene_open(scene: *const c_char, out: *mut *mut AplombWorld) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (reference, out) = unsafe { (text("scene", scene)?, place("out", out)?) };
        *out = std::ptr::null_mut();
        *out = Box::into_raw(AplombWorld::of_scene(&scene::load(reference, &[])?)?);
        Ok(())
    })
}

/// Reads a scene from a string in TOML; error messages call it `name`. Files that it refers to are looked up among the
/// shipped ones first, then on disk.
///
/// # Safety
/// `name` and `scene` are strings; `out` is a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_scene_parse(
    name: *const c_char,
    scene: *const c_char,
    out: *mut *mut AplombWorld,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (name, scene, out) = unsafe { (text("name", name)?, text("scene", scene)?, place("out", out)?) };
        *out = std::ptr::null_mut();
        *out = Box::into_raw(AplombWorld::of_scene(&scene::load_text(&Source::new(name, scene))?)?);
        Ok(())
    })
}

/// An empty world; NULL for `settings` means aplomb_settings_default(). Free it with aplomb_world_free().
///
/// # Safety
/// `settings` is NULL or valid; `out` is a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_new(
    settings: *const AplombSettings,
    out: *mut *mut AplombWorld,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (settings, out) = unsafe { (settings.as_ref().copied(), place("out", out)?) };
        *out = std::ptr::null_mut();
        let settings = settings.unwrap_or_else(|| aplomb_settings_default());
        *out = Box::into_raw(AplombWorld::of_settings(&settings)?);
        Ok(())
    })
}

/// Frees a world. NULL and the world of a feedback controller are ignored.
///
/// # Safety
/// NULL, or a world of this library that is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_free(world: *mut AplombWorld) {
    guard(|| {
        // SAFETY: as asked of the caller.
        let is_own = unsafe { world.as_ref() }.is_some_and(|world| !world.is_lent);
        if is_own {
            // SAFETY: as asked of the caller.
            drop(unsafe { Box::from_raw(world) });
        }
        Ok(())
    });
}

/// Adds a character before the first frame. `model` and `controller` are paths or names of shipped files (`adult`,
/// `balance`). It stands at x and y (m), rotated about the vertical by `heading` (rad; 0 faces along x). Its index is
/// written to `number` unless that is NULL.
///
/// # Safety
/// `world` is a world; `model` and `controller` are strings; `number` is NULL or a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_add_character(
    world: *mut AplombWorld,
    model: *const c_char,
    controller: *const c_char,
    x: f64,
    y: f64,
    heading: f64,
    number: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, model, controller) =
            unsafe { (own_world(world)?, text("model", model)?, text("controller", controller)?) };
        let id = world.add(model, controller, x, y, heading)?;
        // SAFETY: as asked of the caller.
        if let Some(number) = unsafe { number.as_mut() } {
            *number = id.0;
        }
        Ok(())
    })
}

/// Like aplomb_world_add_character(), with a model in MJCF and a controller in TOML passed as strings.
///
/// # Safety
/// `world` is a world; `model` and `controller` are strings; `number` is NULL or a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_add_character_from_text(
    world: *mut AplombWorld,
    model: *const c_char,
    controller: *const c_char,
    x: f64,
    y: f64,
    heading: f64,
    number: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, model, controller) =
            unsafe { (own_world(world)?, text("model", model)?, text("controller", controller)?) };
        let (model, controller) =
            (Model::parse("model.xml", model)?, ControllerFile::parse("controller.toml", controller)?);
        let id = world.run.world.add_character(
            model,
            controller,
            StartPose::standing().at(x, y).facing(heading),
        )?;
        // SAFETY: as asked of the caller.
        if let Some(number) = unsafe { number.as_mut() } {
            *number = id.0;
        }
        Ok(())
    })
}

/// Opens a model by path or by the name of a shipped one.
pub fn open_model(folder: Folder, reference: &str) -> Result<Model, Failure> {
    let source = files::find(folder, reference, None)?.source;
    mjcf::read(&source).map_err(|mistakes| Failure::new(AplombStatus::File, mistakes.to_string()))
}

/// Computes this many frames.
///
/// # Safety
/// `world` is a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_step(world: *mut AplombWorld, frames: u64) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let run = unsafe { &mut own_world(world)?.run };
        for _ in 0..frames {
            // Criteria of a scene are judged in passing; the world goes on.
            if !run.criteria.is_empty() {
                run.judge();
            }
            run.world.step()?;
        }
        Ok(())
    })
}

/// Simulated time at which the next frame begins, s; -1 for NULL.
///
/// # Safety
/// NULL, or a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_time(world: *const AplombWorld) -> f64 {
    // SAFETY: as asked of the caller.
    unsafe { world.as_ref() }.map_or(-1.0, |world| world.run.world.time())
}

/// Number of characters; 0 for NULL.
///
/// # Safety
/// NULL, or a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_characters(world: *const AplombWorld) -> usize {
    // SAFETY: as asked of the caller.
    unsafe { world.as_ref() }.map_or(0, |world| world.run.world.characters().len())
}

/// Whether a scene is over, and whether all its criteria have held so far: 1 or 0; a NULL pointer is skipped. A world
/// without a scene is never over, and passes.
///
/// # Safety
/// `world` is a world; `over` and `passes` are NULL or valid pointers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_judge(
    world: *mut AplombWorld,
    over: *mut i32,
    passes: *mut i32,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (run, over, passes) = unsafe { (&mut self::world(world)?.run, over.as_mut(), passes.as_mut()) };
        let goes_on = run.judge() && !run.is_over();
        if let Some(over) = over {
            *over = i32::from(!goes_on);
        }
        if let Some(passes) = passes {
            *passes = i32::from(run.criteria.iter().all(|criterion| criterion.holds));
        }
        Ok(())
    })
}

/// Moves the ground (`ground`) or an obstacle during the next frame to a position, m, and an orientation (quaternion w,
/// x, y, z; NULL: not rotated).
///
/// # Safety
/// `world` is a world; `name` is a string; `position` is an array of 3 numbers; `orientation` is NULL or an array of 4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_world_move_obstacle(
    world: *mut AplombWorld,
    name: *const c_char,
    position: *const f64,
    orientation: *const f64,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (world, name, position) = unsafe { (self::world(world)?, text("name", name)?, triple(position)) };
        let position = position.ok_or_else(|| Failure::argument("position is NULL"))?;
        // SAFETY: as asked of the caller.
        let [w, x, y, z] =
            unsafe { orientation.cast::<[f64; 4]>().as_ref() }.copied().unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let turn = nalgebra::UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-9);
        let orientation = turn.ok_or_else(|| Failure::value("an orientation must not be all zeros"))?;
        let world = &mut world.run.world;
        let id = world.find_obstacle(name);
        let id = id.ok_or_else(|| Failure::value(format!("there is no obstacle `{name}`")))?;
        Ok(world.move_obstacle(id, aplomb::contact::Pose { position: position.into(), orientation })?)
    })
}
