//! Unloading: the load on a body that is released falls gradually, so that it is transferred to the rest of the body
//! without a jump.

use super::{Constraint, ConstraintKind, label};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::contact::UnloadingBody;
use aplomb_body::model::Model;
use aplomb_qp::{Qp, RowKind, RowLabel, UnknownKind, UnknownLabel};

/// Weight of the squared violation of a row, in dt g: higher than that of any objective, so that it is
/// violated only where nothing else is feasible.
const GIVE_WEIGHT: f64 = 1e4;
/// Excess load from which on the violation is reported, m g.
const REPORTED: f64 = 0.02;

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "unloading",
    about: "What a state releases gives up its load at no more than its `release_rate`.",
    make: |setting| Some(Box::new(Unloading::new(setting.model))),
};

/// Σ n·f = F, in m g, with a slack whose weighted square is a cost, for the contacts of each body that is being
/// released; F falls from frame to frame. The slack keeps the frame feasible: a body that must leave the ground
/// earlier can.
pub(crate) struct Unloading {
    /// Labels of each body's row and slack unknown.
    labels: Vec<(RowLabel, UnknownLabel)>,
}

impl Unloading {
    /// The unloading rows of all bodies of `model`.
    pub(crate) fn new(model: &Model) -> Self {
        let labels = model.bodies.iter().enumerate().map(|(body, of)| {
            let row = format!("unloading of {}", of.name);
            let give = format!("give of unloading of {}", of.name);
            (
                label(RowKind::Unloading { body }, row, "m g", "", 0),
                label(UnknownKind::Slack, give, "m g", "", 0),
            )
        });
        Unloading { labels: labels.collect() }
    }

    /// Unknowns that contribute to Σ n·f of the released contacts, each with its factor, m g.
    fn shares<'a>(
        now: &'a Now<'_>,
        next: &'a Prediction<'_>,
        target: &'a UnloadingBody,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let unit = now.scales.contact_force() / now.scales.weight();
        next.contact_columns().iter().enumerate().filter_map(move |(column, contact)| {
            let touch = &now.contacts.touches[contact.touch];
            let is_released = target.release.is_at(now.model, touch.body, touch.is_behind);
            is_released.then(|| (next.contact_unknown(column), contact.direction.dot(&touch.normal) * unit))
        })
    }
}

impl Constraint for Unloading {
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let targets = now.contacts.unloading();
        if targets.is_empty() || next.is_impact() {
            // In an impact the load is not limited.
            return;
        }
        let (first_row, first_unknown) = (qp.equality.rows(), qp.size());
        for target in targets {
            let (row, give) = &self.labels[target.release.body().0];
            qp.push_equality(&[], -target.load, 1.0, row);
            qp.column_labels.push(give);
        }
        qp.widen(first_unknown + targets.len());
        for (k, target) in targets.iter().enumerate() {
            let row = qp.equality.row_mut(first_row + k);
            Self::shares(now, next, target).for_each(|(unknown, share)| row[unknown] = share);
            row[first_unknown + k] = 1.0;
            qp.add_regularisation(first_unknown + k, GIVE_WEIGHT);
        }
    }

    fn gave_way(
        &self,
        now: &Now<'_>,
        next: &Prediction<'_>,
        x: &[f64],
        report: &mut dyn FnMut(&RowLabel, &'static str, f64),
    ) {
        if next.is_impact() {
            return;
        }
        for target in now.contacts.unloading() {
            let load: f64 = Self::shares(now, next, target).map(|(unknown, share)| share * x[unknown]).sum();
            if (load - target.load).abs() > REPORTED {
                report(&self.labels[target.release.body().0].0, "m g", (load - target.load).abs());
            }
        }
    }
}
