//! Load change: a change of the load on a foot in a frame beyond the `load_rate` of a state has a cost, so that
//! landings and changes of state do not cause jumps of the contact forces that torques could avoid.

use super::LOAD_CHANGE_COST;
use super::terms::{FrameTerms, Standing};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_body::model::roles::LegRole;
use aplomb_qp::{Label, Origin, RowKind, RowLabel};

/// Weight of the square of a change beyond the rate, in m g: a third of m g costs 1.1, as much as an error of 0.24 g
/// of a goal of weight 20. With ten times this weight, fewer pushes are survived.
pub(super) const LOAD_CHANGE_WEIGHT: f64 = 10.0;

/// Change of a load in a frame from which on the load is treated as unbounded, m g.
const UNBOUNDED: f64 = 1e3;

/// Label of the row of each leg of `model`.
pub(super) fn labels(model: &Model) -> Vec<RowLabel> {
    let label = |leg: &LegRole| {
        let body = leg.ankle.0;
        let name = format!("load change of {}", model.bodies[body.0].name).into();
        Label { kind: RowKind::LoadChange { body: body.0 }, name, unit: "m g", origin: Origin::default() }
    };
    model.roles.legs.iter().map(label).collect()
}

/// w [|F⁺ − F| − r dt]₊², where F is the sum of the normal forces on each foot and its descendants, in m g, and r the
/// state's `load_rate`, m g/s. F is unknown before the first frame.
pub(super) fn ease_loads(now: &Now<'_>, next: &Prediction<'_>, labels: &[RowLabel], terms: &mut FrameTerms) {
    let most = now.snapshot.load_rate * now.scales.period;
    if most >= UNBOUNDED || now.snapshot.com_velocity_before.is_none() {
        return;
    }
    for (leg, label) in now.model.roles.legs.iter().zip(labels) {
        let foot = leg.ankle.0;
        let mut touches = now.contacts.touches.iter();
        if !touches.any(|touch| touch.bears() && now.model.is_within(touch.body, foot)) {
            continue;
        }
        let load = next.normal_force(|touch| now.model.is_within(touch.body, foot));
        let before = now.snapshot.normal_force(now.model, foot) / now.scales.contact_force();
        let unit = now.scales.contact_force() / now.scales.weight();
        let change = (load - before) * unit;
        terms.reserve(labels.len(), &change);
        let standing = Standing { hard: false, free: [-most, most], label: Some(label.clone()) };
        terms.push(LOAD_CHANGE_COST, LOAD_CHANGE_WEIGHT, standing, &change);
    }
}
