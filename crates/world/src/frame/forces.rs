//! Contact and grip forces from the unknowns of a solved frame.

use aplomb_body::contact::{ContactOutcome, Party};
use aplomb_body::dynamics::Kinematics;
use aplomb_control::predict::{Linearisation, Prediction};
use aplomb_control::snapshot::Snapshot;
use nalgebra::Vector3;

/// Force of each grip of the snapshot from the frame's unknowns, N.
pub(crate) fn grip_forces(
    snapshot: &Snapshot,
    unknowns: &[f64],
    linearisation: &Linearisation,
    out: &mut Vec<Vector3<f64>>,
) {
    out.clear();
    out.resize(snapshot.grips.list.len(), Vector3::zeros());
    let first = snapshot.state.v.len() + linearisation.contact_columns.len();
    for (column, l) in linearisation.grip_columns.iter().zip(unknowns.iter().skip(first)) {
        out[column.grip] += column.direction * (l * snapshot.scales.contact_force());
    }
}

/// Force and velocity of each contact of the snapshot from the unknowns `x`; `ahead` is the kinematics at the
/// end of the frame.
pub(crate) fn outcomes(
    snapshot: &Snapshot,
    next: &Prediction<'_>,
    x: &[f64],
    ahead: &Kinematics,
    out: &mut Vec<ContactOutcome>,
) {
    out.clear();
    out.extend(snapshot.contacts.touches.iter().enumerate().map(|(index, touch)| {
        let (position, rotation) =
            (&snapshot.kinematics.position[touch.body.0], &snapshot.kinematics.rotation[touch.body.0]);
        let local = rotation.tr_mul(&(touch.point - position));
        let velocity = (ahead.point(touch.body, &local) - touch.point) / snapshot.scales.dt;
        let bend = (velocity - next.touch_velocity(index, x)) * (2.0 / snapshot.scales.dt);
        let surface = touch.next_surface_velocity + next.surface_velocity(index, x);
        ContactOutcome { force: Vector3::zeros(), velocity: velocity - surface, bend }
    }));
    for (column, l) in next.contact_columns().iter().zip(&x[next.contact_unknown(0)..]) {
        out[column.touch].force += column.direction * (l * snapshot.scales.contact_force());
    }
    // Compliant surfaces move additionally by their compliance times the force of this frame.
    for give in &snapshot.gives {
        let Party::Touch(slot) = give.of else { continue };
        let place = |slot: usize| snapshot.contacts.touches.iter().position(|touch| touch.slot == slot);
        let force = match give.by {
            Party::Object(_) | Party::Arm(..) => None,
            Party::Touch(slot) => place(slot).map(|touch| out[touch].force),
            Party::Grip(site) => {
                let held = snapshot.grips.list.iter().position(|grip| grip.site == site);
                held.map(|grip| grip_force(snapshot, next, x, grip))
            }
        };
        if let (Some(touch), Some(force)) = (place(slot), force) {
            out[touch].velocity += give.compliance * force;
        }
    }
}

/// Force of the grip with this index in the snapshot's list from the unknowns `x`, N.
fn grip_force(snapshot: &Snapshot, next: &Prediction<'_>, x: &[f64], grip: usize) -> Vector3<f64> {
    let columns = next.grip_columns().iter().enumerate().filter(|(_, column)| column.grip == grip);
    let force = columns.map(|(k, column)| column.direction * x[next.grip_unknown(k)]);
    force.sum::<Vector3<f64>>() * snapshot.scales.contact_force()
}

/// Stores the contact forces by slot for the next frame.
pub(crate) fn remember_contacts(
    snapshot: &mut Snapshot,
    coefficients: &[f64],
    linearisation: &Linearisation,
) {
    snapshot.forget_forces();
    let unit = snapshot.scales.contact_force();
    for (column, l) in linearisation.contact_columns.iter().zip(coefficients) {
        let slot = snapshot.contacts.touches[column.touch].slot;
        snapshot.last_force[slot] += column.direction * (l * unit);
    }
}
