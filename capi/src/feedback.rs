//! Controllers for a body that another program simulates, or for a real one.

use crate::border::{fill, numbers, place, text};
use crate::status::{AplombStatus, Failure, guard};
use crate::world::{AplombSettings, AplombWorld, aplomb_settings_default};
use aplomb::contact::MeasuredContact;
use aplomb::model::BodyId;
use aplomb::world::feedback::{Feedback, FeedbackSettings, Measurement, Servo};
use aplomb::world::{CharacterId, Checkpoint};
use std::ffi::c_char;

/// A controller without a plant: it is told the measured state once a call and says what the joints should do until the next.
pub struct AplombFeedback {
    feedback: Feedback,
    /// What it reckons in; a pointer, because the caller is lent it.
    world: *mut AplombWorld,
    /// Of the beginning.
    settings: FeedbackSettings,
    checkpoint: Checkpoint,
}

impl Drop for AplombFeedback {
    fn drop(&mut self) {
        // SAFETY: made by `aplomb_feedback_new`, and freed nowhere else: who is lent it cannot.
        drop(unsafe { Box::from_raw(self.world) });
    }
}

/// How a controller meets its plant. `aplomb_feedback_settings_default()` has a plant that acts at once, with contacts as soft
/// as those of simulators.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombFeedbackSettings {
    /// What it reckons with: `dt` is the time from one call to the next, s; gravity and the ground's friction and height.
    pub world: AplombSettings,
    /// How far each call looks ahead, s, from `world.dt` to 0.05; 0 is `world.dt`. 0.01 is good for people, however often
    /// the controller is asked.
    pub horizon: f64,
    /// From the measurement of a state to the moment from which on the torques that answer it act, s, 0 to 0.1. Each call
    /// begins where the body will be then under the torques that are under way.
    pub latency: f64,
    /// Stiffness of drives that add K (expected q - q) + D (expected v - v) to the torques, `drives` numbers, N m/rad or N/m;
    /// NULL where the plant has none. Only what is under way depends on it. Copied.
    pub stiffness: *const f64,
    /// Their damping, `drives` numbers, N m s/rad or N s/m; NULL where the plant has none.
    pub damping: *const f64,
    /// Numbers in `stiffness` and in `damping`: nv, zeros for a floating root.
    pub drives: usize,
    /// How far the plant's ground gives way under a point, m/N, 0 to 0.001: what is no deeper in it than the whole weight
    /// would press it penetrates nothing. With too little the body is thrown off the ground.
    pub compliance: f64,
    /// Time constant with which forces that nobody told it of are estimated, s; 0: never.
    pub disturbance_time: f64,
}

/// A contact that is measured to bear.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombMeasuredContact {
    /// Number of the body (aplomb_character_body()).
    pub body: usize,
    /// Where it touches, world axes, m.
    pub point: [f64; 3],
    /// Force on the body, world axes, N; read only where `has_force` is not 0.
    pub force: [f64; 3],
    /// Whether the force is measured as well: 0 or 1.
    pub has_force: i32,
}

/// What is known of the body at a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombMeasurement {
    /// Configuration, m and rad; of a floating root x, y, z and a quaternion.
    pub q: *const f64,
    /// Numbers in `q`.
    pub nq: usize,
    /// Velocity, m/s and rad/s.
    pub v: *const f64,
    /// Numbers in `v`, and in `torque` where that is not NULL.
    pub nv: usize,
    /// What the joints really had since the call before, in the mean, N m or N; NULL: what was asked for.
    pub torque: *const f64,
    /// The contacts that bear. NULL: what is within 1 mm of the ground, and what bore until it is lifted.
    pub contacts: *const AplombMeasuredContact,
    /// Number of `contacts`; 0 where nothing bears, which is not the same as NULL. What would touch within the frame is reckoned
    /// with all the same.
    pub contact_count: usize,
}

/// A frame of 10 ms that looks 10 ms ahead, no latency, no drives, a compliance of 2e-5 m/N, no estimate of disturbances.
#[unsafe(no_mangle)]
pub extern "C" fn aplomb_feedback_settings_default() -> AplombFeedbackSettings {
    let FeedbackSettings { latency, compliance, .. } = FeedbackSettings::default();
    AplombFeedbackSettings {
        world: aplomb_settings_default(),
        horizon: 0.0,
        latency,
        stiffness: std::ptr::null(),
        damping: std::ptr::null(),
        drives: 0,
        compliance,
        disturbance_time: 0.0,
    }
}

/// What is not 0; 0 stands for nothing.
fn unless_zero(number: f64) -> Option<f64> {
    (number != 0.0).then_some(number)
}

/// # Safety
/// The pointers are NULL or have so many numbers.
unsafe fn settings_of(settings: &AplombFeedbackSettings) -> Result<FeedbackSettings, Failure> {
    let AplombFeedbackSettings { stiffness, damping, drives, .. } = *settings;
    let servo = match stiffness.is_null() && damping.is_null() {
        true => None,
        false => {
            // SAFETY: as asked of the caller.
            let (stiffness, damping) =
                unsafe { (numbers("stiffness", stiffness, drives)?, numbers("damping", damping, drives)?) };
            Some(Servo { stiffness: stiffness.to_vec(), damping: damping.to_vec() })
        }
    };
    Ok(FeedbackSettings {
        horizon: unless_zero(settings.horizon),
        latency: settings.latency,
        servo,
        compliance: settings.compliance,
        disturbance_time: unless_zero(settings.disturbance_time),
    })
}

/// # Safety
/// NULL, or a controller of this library that nobody else uses meanwhile.
unsafe fn feedback<'a>(
    feedback: *mut AplombFeedback,
) -> Result<(&'a mut AplombFeedback, &'a mut AplombWorld), Failure> {
    // SAFETY: as asked of the caller.
    let feedback = unsafe { place("feedback", feedback)? };
    // SAFETY: it is there as long as the controller, and apart from it.
    let world = unsafe { place("its world", feedback.world)? };
    Ok((feedback, world))
}

/// A controller for a body that the caller moves: `model` and `controller` are paths or names of shipped ones (`adult`,
/// `balance`); NULL for `settings` is aplomb_feedback_settings_default(). Free it with aplomb_feedback_free().
///
/// # Safety
/// `model` and `controller` are texts; `settings` is NULL or settings; `out` is a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_new(
    model: *const c_char,
    controller: *const c_char,
    settings: *const AplombFeedbackSettings,
    out: *mut *mut AplombFeedback,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (model, controller, out) =
            unsafe { (text("model", model)?, text("controller", controller)?, place("out", out)?) };
        *out = std::ptr::null_mut();
        // SAFETY: as asked of the caller.
        let given =
            unsafe { settings.as_ref().copied() }.unwrap_or_else(|| aplomb_feedback_settings_default());
        // SAFETY: as asked of the caller.
        let settings = unsafe { settings_of(&given)? };
        let mut world = AplombWorld::of_settings(&given.world)?;
        let id = world.add(model, controller, 0.0, 0.0, 0.0)?;
        let feedback = Feedback::new(&mut world.run.world, id, &settings)?;
        world.is_lent = true;
        let checkpoint = world.run.world.checkpoint();
        let world = Box::into_raw(world);
        *out = Box::into_raw(Box::new(AplombFeedback { feedback, world, settings, checkpoint }));
        Ok(())
    })
}

/// Frees a controller, and the world that it reckons in; NULL is nothing.
///
/// # Safety
/// NULL, or a controller of this library, which is not used after.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_free(feedback: *mut AplombFeedback) {
    guard(|| {
        if !feedback.is_null() {
            // SAFETY: as asked of the caller.
            drop(unsafe { Box::from_raw(feedback) });
        }
        Ok(())
    });
}

/// The world that it reckons in, of which it is character 0: for aplomb_character_sizes(), aplomb_character_q() (where it would
/// begin; after a call the configuration that it expects at the next, or by as much later as the latency is),
/// aplomb_character_v(), aplomb_character_contacts() (the forces that it reckons with), aplomb_character_costs(),
/// aplomb_character_push() (a push that it is to know of), aplomb_character_set_parameter() and their like. It lives as long as
/// the controller: aplomb_world_free() leaves it alone, and aplomb_world_step() refuses it. NULL for NULL.
///
/// # Safety
/// NULL, or a controller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_world(feedback: *mut AplombFeedback) -> *mut AplombWorld {
    // SAFETY: as asked of the caller.
    unsafe { feedback.as_ref() }.map_or(std::ptr::null_mut(), |feedback| feedback.world)
}

/// The measurement of a contact of one of so many bodies.
fn measured_contact(contact: &AplombMeasuredContact, bodies: usize) -> Result<MeasuredContact, Failure> {
    if contact.body >= bodies {
        return Err(Failure::value(format!("there is no body {}, there are {bodies}", contact.body)));
    }
    Ok(MeasuredContact {
        body: BodyId(contact.body),
        point: contact.point.into(),
        force: (contact.has_force != 0).then(|| contact.force.into()),
    })
}

/// What the joints should do for dt seconds, from now on or once the latency is over: joint torques into `torque`, nv numbers,
/// N m or N, zeros for a floating root. `capacity` is the room of `torque`.
///
/// # Safety
/// `of` is a controller; `measured` is a measurement with so many numbers and contacts as it says; `torque` has that room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_observe(
    of: *mut AplombFeedback,
    measured: *const AplombMeasurement,
    torque: *mut f64,
    capacity: usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let ((of, world), told) = unsafe { (feedback(of)?, place("measured", measured.cast_mut())?) };
        let world = &mut world.run.world;
        let model = &world.character(CharacterId(0)).model;
        // Before the call, which is made once.
        if torque.is_null() {
            return Err(Failure::argument("torque is NULL"));
        }
        if capacity < model.nv {
            let message = format!("there are {} torques, and the array has room for {capacity}", model.nv);
            return Err(Failure::new(AplombStatus::Size, message));
        }
        // SAFETY: as asked of the caller.
        let (q, v) = unsafe { (numbers("q", told.q, told.nq)?, numbers("v", told.v, told.nv)?) };
        let acted = match told.torque.is_null() {
            true => None,
            // SAFETY: as asked of the caller.
            false => Some(unsafe { numbers("torque", told.torque, told.nv)? }),
        };
        let contacts = match told.contacts.is_null() {
            true => None,
            false => {
                // SAFETY: as asked of the caller.
                let contacts = unsafe { std::slice::from_raw_parts(told.contacts, told.contact_count) };
                let bodies = model.bodies.len();
                Some(
                    contacts
                        .iter()
                        .map(|contact| measured_contact(contact, bodies))
                        .collect::<Result<Vec<_>, _>>()?,
                )
            }
        };
        if told.contacts.is_null() && told.contact_count > 0 {
            return Err(Failure::argument(format!("contacts is NULL, and there are {}", told.contact_count)));
        }
        let measured = Measurement { q, v, torque: acted, contacts: contacts.as_deref() };
        of.feedback.observe(world, &measured)?;
        // SAFETY: as asked of the caller.
        unsafe { fill(of.feedback.command(world).torque, torque, capacity, std::ptr::null_mut()) }
    })
}

/// Generalised force that nobody told it of, as it is estimated: nv numbers, N or N m; none where `disturbance_time` is 0.
/// `capacity` is the room of `force`; how many there are comes into `count`, if that is not NULL. With NULL and no room only
/// they are counted.
///
/// # Safety
/// `of` is a controller; `force` is NULL or has that room; `count` is NULL or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_disturbance(
    of: *mut AplombFeedback,
    force: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (of, world) = unsafe { feedback(of)? };
        // SAFETY: as asked of the caller.
        unsafe { fill(of.feedback.command(&world.run.world).disturbance, force, capacity, count) }
    })
}

/// Has it begin anew, as it was made: state, parameters, contacts and what is under way.
///
/// # Safety
/// `of` is a controller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_reset(of: *mut AplombFeedback) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let (of, world) = unsafe { feedback(of)? };
        let world = &mut world.run.world;
        world.restore(&of.checkpoint)?;
        of.feedback = Feedback::new(world, of.feedback.character(), &of.settings)?;
        Ok(())
    })
}
