//! Impact mode: a frame beyond the limits of joint torques, in which contacts and joint limits remove
//! velocity at once.
//!
//! No objective is active in such a frame, and joint torques keep their values, because they change more
//! slowly. The motion is passive: of all velocities that contacts and joint limits can cause, the one with
//! the least kinetic energy. With impulses p = λ dt and the rates g(v⁺) = g(0) + J v⁺ of sliding and of
//! closing the remaining gaps, the cost
//!
//! ½ v⁺ᵀ M v⁺ + pᵀ g(0)
//!
//! has the gradient g(v⁺) with respect to p along the equations of motion, so that p > 0 only where g(v⁺) = 0: only
//! points that reach a surface and joints that reach a limit get an impulse (Gauss's principle, in its dual form).
//!
//! With friction this alone would lift a point that slides at speed s at the rate μ s. The lift is subtracted
//! with the slip of the previous solve, which converges in a few solves: the change of variables of de Saxcé
//! and Feng 1998, "The bipotential method".

use super::actuation::ActuationCost;
use crate::constraint::NonPenetration;
use crate::objective::Now;
use crate::predict::{ContactColumn, Prediction, limited_coordinates};
use aplomb_body::contact::Party;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_qp::Qp;
use nalgebra::Vector3;

/// Weight of torque change in an impact, relative to energy in m (dt g)².
const TORQUE_CHANGE_WEIGHT: f64 = 1e5;

/// Weight of the squares of contact coefficients and limit torques in an impact: small, because these are the
/// unknowns of interest.
pub(crate) const FORCE_WEIGHT: f64 = 1e-5;
pub(crate) const STOP_WEIGHT: f64 = 1e-3;

/// Adds ½ t⁻¹ pᵀ G p for passive objects under contact points, where t is the time in which forces change the
/// velocity: the kinetic energy that the impulses give them.
fn add_answers(qp: &mut Qp, now: &Now<'_>, next: &Prediction<'_>, unit: f64) {
    let per = now.scales.turning_time() * now.scales.contact_force().powi(2) / unit;
    for give in &now.gives {
        let (Party::Touch(of), Party::Touch(by)) = (give.of, give.by) else { continue };
        let of_slot = |slot: usize| {
            let columns = next.contact_columns().iter().enumerate();
            columns.filter(move |(_, column)| now.contacts.touches[column.touch].slot == slot)
        };
        for (i, first) in of_slot(of) {
            for (j, second) in of_slot(by) {
                let (row, column) = (next.contact_unknown(i), next.contact_unknown(j));
                // The upper triangle gets half of each of two mutual responses, which differ by rounding.
                let share = if row == column { 1.0 } else { 0.5 };
                let energy = share * per * first.direction.dot(&(give.compliance * second.direction));
                qp.hessian.row_mut(row.min(column))[row.max(column)] += energy;
            }
        }
    }
}

/// Actuation cost of an impact: joint torques keep their values.
pub(crate) fn stiffened(actuation: ActuationCost<'_>) -> ActuationCost<'_> {
    ActuationCost { weight: TORQUE_CHANGE_WEIGHT, ..actuation }
}

/// Adds p g(0) of a force between two parts of the body, whose gap closes at `rate` in addition to the effect of v⁺,
/// m/s.
pub(crate) fn add_work(qp: &mut Qp, now: &Now<'_>, unknown: usize, rate: f64) {
    let unit = now.scales.mass * (now.scales.dt * STANDARD_GRAVITY).powi(2);
    qp.gradient[unknown] += now.scales.turning_time() * now.scales.contact_force() * rate / unit;
}

/// Adds ½ v⁺ᵀ M v⁺ + pᵀ g(0), in m (dt g)².
pub(crate) fn add_energy(qp: &mut Qp, now: &Now<'_>, next: &Prediction<'_>) {
    let (dt, time) = (now.scales.dt, now.scales.turning_time());
    let unit = now.scales.mass * (dt * STANDARD_GRAVITY).powi(2);
    for i in 0..now.model.nv {
        let mass = &next.mass_row(i)[i..];
        for (p, mass) in qp.hessian.row_mut(i)[i..].iter_mut().zip(mass) {
            *p += mass / unit;
        }
    }
    for (k, column) in next.contact_columns().iter().enumerate() {
        let touch = &now.contacts.touches[column.touch];
        let rises =
            |other: &ContactColumn| -other.direction.dot(&touch.slip) / other.direction.dot(&touch.normal);
        let same = next.contact_columns().iter().filter(|other| other.touch == column.touch);
        let lift = same.map(rises).fold(0.0, f64::max);
        let left = touch.gap / dt - NonPenetration::least_rate(touch, &now.scales) + lift;
        let known = touch.bias_acceleration * (0.5 * dt) - touch.next_surface_velocity;
        let rate = touch.next_normal * left + known;
        let impulse = column.direction * (time * now.scales.contact_force());
        qp.gradient[next.contact_unknown(k)] += impulse.dot(&rate) / unit;
    }
    add_answers(qp, now, next, unit);
    for (index, grip) in now.grips.list.iter().enumerate() {
        let error = next.grip_rate(index) - grip.wanted_velocity(dt, now.grips.limits.speed);
        let rate = Vector3::from_fn(|row, _| error.constant(row));
        for (k, column) in next.grip_columns().iter().enumerate().filter(|(_, column)| column.grip == index) {
            let impulse = column.direction * (time * now.scales.contact_force());
            qp.gradient[next.grip_unknown(k)] += impulse.dot(&rate) / unit;
        }
    }
    for (coordinate, q, [low, high]) in limited_coordinates(now.model, &now.state.q) {
        for (k, stop) in next.stop_columns().iter().enumerate() {
            if stop.coordinate == coordinate {
                let left = (if stop.sign > 0.0 { q - low } else { high - q }) / dt;
                qp.gradient[next.stop_unknown(k)] += time * now.scales.torque() * left.max(0.0) / unit;
            }
        }
    }
}
