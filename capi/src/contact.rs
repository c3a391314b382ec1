//! Contacts of a frame.

use crate::border::fill;
use crate::status::{AplombStatus, guard};
use crate::world::{AplombWorld, world};
use aplomb::trace::{Contact, ContactKind};

/// Kind of a contact.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum AplombContactKind {
    /// It sticks.
    Static = 0,
    /// It slides.
    Dynamic = 1,
    /// A hand grips a hold.
    Grip = 2,
    /// A foot stands on a hold.
    Stand = 3,
}

/// A contact with a force in the last frame, or a grip.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombContact {
    /// Index of the body on which the force acts.
    pub body: usize,
    /// Point of application, world axes, m.
    pub point: [f64; 3],
    /// Unit normal of the surface, world axes.
    pub normal: [f64; 3],
    /// Force on the body, world axes, N.
    pub force: [f64; 3],
    /// Gap, m; negative for penetration.
    pub gap: f64,
    /// Kind of the contact.
    pub kind: AplombContactKind,
}

/// Contacts of the last frame. `capacity` is the length of `contacts`; the number of contacts is written to `count`
/// unless that is NULL. With `contacts` NULL and `capacity` 0 it only returns that number.
///
/// # Safety
/// `of` is a world; `contacts` is NULL or an array of length `capacity`; `count` is NULL or a valid pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aplomb_character_contacts(
    of: *mut AplombWorld,
    number: usize,
    contacts: *mut AplombContact,
    capacity: usize,
    count: *mut usize,
) -> AplombStatus {
    guard(|| {
        // SAFETY: as asked of the caller.
        let world = unsafe { world(of)? };
        let id = world.character(number)?;
        let model = &world.run.world.character(id).model;
        let one = |contact: &Contact| AplombContact {
            // Contacts are of bodies of the model.
            body: model.body(&contact.body).map_or(0, |body| body.0),
            point: contact.point,
            normal: contact.normal,
            force: contact.force,
            gap: contact.gap,
            kind: match contact.kind {
                ContactKind::Static => AplombContactKind::Static,
                ContactKind::Dynamic => AplombContactKind::Dynamic,
                ContactKind::Grip => AplombContactKind::Grip,
                ContactKind::Stand => AplombContactKind::Stand,
            },
        };
        let all: Vec<AplombContact> = world.run.world.result(id).frame.contacts.iter().map(one).collect();
        // SAFETY: as asked of the caller.
        unsafe { fill(&all, contacts, capacity, count) }
    })
}
