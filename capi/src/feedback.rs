//! Controllers for a body that another program simulates, or for a real one.

use crate::border::{fill, numbers, place, text};
use crate::status::{AplombStatus, Failure, guard};
use crate::world::{AplombSettings, AplombWorld, aplomb_settings_default};
use aplomb::contact::MeasuredContact;
use aplomb::model::BodyId;
use aplomb::world::feedback::{Feedback, FeedbackSettings, Measurement, Servo};
use aplomb::world::{CharacterId, Checkpoint};
use std::ffi::c_char;

/// A controller without a plant: each call passes in the measured state and returns the joint torques to apply until
/// the next call.
pub struct AplombFeedback {
    feedback: Feedback,
    /// The world in which it predicts; a pointer, because aplomb_feedback_world() hands it out.
    world: *mut AplombWorld,
    /// Settings of the creation, for a reset.
    settings: FeedbackSettings,
    checkpoint: Checkpoint,
}

impl Drop for AplombFeedback {
    fn drop(&mut self) {
        // SAFETY: made by `aplomb_feedback_new`, and freed nowhere else: who is lent it cannot.
        drop(unsafe { Box::from_raw(self.world) });
    }
}

/// Properties of the plant. `aplomb_feedback_settings_default()` describes a plant without latency, with contacts as
/// compliant as those of common simulators.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombFeedbackSettings {
    /// Settings for the prediction: `dt` is the time from one call to the next, s; gravity, friction and height of the
    /// ground.
    pub world: AplombSettings,
    /// How far each call predicts, s, from `world.dt` to 0.05; 0 means `world.dt`. 0.01 suits human bodies at any
    /// calling rate.
    pub horizon: f64,
    /// Time from the measurement of a state until the torques computed from it act, s, 0 to 0.1. Each call starts from
    /// the state predicted for that time under the torques already sent.
    pub latency: f64,
    /// Stiffness K of drives that add K (expected q - q) + D (expected v - v) to the torques, `drives` numbers, N m/rad
    /// or N/m; NULL if the plant has none. Only used to predict over the latency. Copied.
    pub stiffness: *const f64,
    /// Damping D of the drives, `drives` numbers, N m s/rad or N s/m; NULL if the plant has none.
    pub damping: *const f64,
    /// Length of `stiffness` and of `damping`: nv, with zeros for a floating root.
    pub drives: usize,
    /// Compliance of the ground under a contact point, m/N, 0 to 0.001: a point that is no deeper than the whole weight
    /// would press it does not count as penetrating. If it is too small, the body is thrown off the ground.
    pub compliance: f64,
    /// Time constant of the estimate of unknown external forces, s; 0 turns the estimate off.
    pub disturbance_time: f64,
}

/// A measured contact.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombMeasuredContact {
    /// Number of the body (aplomb_character_body()).
    pub body: usize,
    /// Where it touches, world axes, m.
    pub point: [f64; 3],
    /// Force on the body, world axes, N; read only where `has_force` is not 0.
    pub force: [f64; 3],
    /// Whether the force is measured too: 0 or 1.
    pub has_force: i32,
}

/// Measured state of the body at a call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombMeasurement {
    /// Configuration, m and rad; a floating root has x, y, z and a quaternion.
    pub q: *const f64,
    /// Length of `q`.
    pub nq: usize,
    /// Velocity, m/s and rad/s.
    pub v: *const f64,
    /// Length of `v`, and of `torque` unless that is NULL.
    pub nv: usize,
    /// Mean joint torques since the previous call, N m or N; NULL: those that were asked for.
    pub torque: *const f64,
    /// The contacts with a force. NULL: points within 1 mm of the ground, and contacts of the previous call until they
    /// separate.
    pub contacts: *const AplombMeasuredContact,
    /// Length of `contacts`; 0 means that no contact has a force, which is not the same as NULL. Contacts predicted to
    /// close within the frame are considered in any case.
    pub contact_count: usize,
}

/// Frames of 10 ms, a horizon of 10 ms, no latency, no drives, a compliance of 2e-5 m/N, no estimate of disturbances.
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

/// `None` for 0.
fn unless_zero(number: f64) -> Option<f64> {
    (number != 0.0).then_some(number)
}

/// # Safety
/// The pointers are NULL or arrays of the lengths given beside them.
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
/// NULL, or a controller of this library that nobody else uses during the call.
unsafe fn feedback<'a>(
    feedback: *mut AplombFeedback,
) -> Result<(&'a mut AplombFeedback, &'a mut AplombWorld), Failure> {
    // SAFETY: as asked of the caller.
    let feedback = unsafe { place("feedback", feedback)? };
    // SAFETY: it is there as long as the controller, and apart from it.
    let world = unsafe { place("its world", feedback.world)? };
    Ok((feedback, world))
}

/// A controller for a body that the caller simulates or measures. `model` and `controller` are paths or names of
/// shipped files (`adult`, `balance`); NULL for `settings` means aplomb_feedback_settings_default(). Free it with
/// aplomb_feedback_free().
///
/// # Safety
/// `model` and `controller` are strings; `settings` is NULL or valid; `out` is a valid pointer.
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

/// Frees a controller and its world; NULL is ignored.
///
/// # Safety
/// NULL, or a controller of this library that is not used afterwards.
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

/// The world in which the controller predicts, with the body as character 0, for aplomb_character_sizes(),
/// aplomb_character_q() (before the first call the start configuration; afterwards the configuration expected at the
/// next call, or later by the latency), aplomb_character_v(), aplomb_character_contacts() (the predicted forces),
/// aplomb_character_costs(), aplomb_character_push() (an external force that the controller should know of),
/// aplomb_character_set_parameter() and so on. It lives as long as the controller: aplomb_world_free() ignores it, and
/// aplomb_world_step() refuses it. NULL for NULL.
///
/// # Safety
/// NULL, or a controller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_feedback_world(feedback: *mut AplombFeedback) -> *mut AplombWorld {
    // SAFETY: as asked of the caller.
    unsafe { feedback.as_ref() }.map_or(std::ptr::null_mut(), |feedback| feedback.world)
}

/// Checks the measurement of a contact of a body with `bodies` bodies.
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

/// Joint torques to apply for `dt` seconds, starting now or after the latency: nv numbers, N m or N, zeros for a
/// floating root. `capacity` is the length of `torque`.
///
/// # Safety
/// `of` is a controller; `measured` is a measurement with arrays of the lengths that it states; `torque` is an array of
/// length `capacity`.
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

/// Estimate of the unknown external generalised force: nv numbers, N or N m; none if `disturbance_time` is 0.
/// `capacity` is the length of `force`; the number of values is written to `count` unless that is NULL. With `force`
/// NULL and `capacity` 0 it only returns that number.
///
/// # Safety
/// `of` is a controller; `force` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
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

/// Resets the controller to its initial state: state machine, parameters, contacts and torques already sent.
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
