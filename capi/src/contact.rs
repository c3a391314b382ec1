//! Contacts of a frame.

use crate::border::fill;
use crate::status::{AplombStatus, guard};
use crate::world::{AplombWorld, world};
use aplomb::trace::{Contact, ContactKind};

/// How a contact bears force.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum AplombContactKind {
    /// Sticks.
    Static = 0,
    /// Slides.
    Dynamic = 1,
    /// Grasps a hold.
    Grip = 2,
    /// Stands on a hold.
    Stand = 3,
}

/// A contact that bore in the last frame, or a grip.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AplombContact {
    /// Number of the body that the force acts on.
    pub body: usize,
    /// Where it acts, world axes, m.
    pub point: [f64; 3],
    /// Unit normal of the surface, world axes.
    pub normal: [f64; 3],
    /// Force on the body, world axes, N.
    pub force: [f64; 3],
    /// Gap, m; negative where it penetrates.
    pub gap: f64,
    /// How it bears.
    pub kind: AplombContactKind,
}

/// Contacts of the last frame. `capacity` is the room of `contacts`; how many there are comes into `count`, if that is not
/// NULL. With NULL and no room only they are counted.
///
/// # Safety
/// `of` is a world; `contacts` is NULL or has that room; `count` is NULL or a place.
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
