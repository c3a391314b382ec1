//! [Jain 2009] §6.2: G_c, the force of a hand or foot on its hold.

use super::{Binder, BoundObjective, Evaluated, Now, Objective, Order, Residual, Statement, Subject};
use crate::predict::Prediction;
use aplomb_body::model::Model;
use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::expression::SiteField;
use serde::Deserialize;

/// r = force of the site's grip/(m g/8), three rows: relaxes the grip before it is released.
#[doc(alias = "grasp force")]
#[derive(Clone, Copy, Debug)]
pub struct GripForce {
    /// Index in `Model::sites` of the gripping site.
    pub site: usize,
}

impl Objective for GripForce {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let grip = now.grips.list.iter().position(|grip| grip.site == self.site)?;
        Some(Residual::of(next.grip_force(grip), Order::Force { last: 0.0 }))
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::Force)
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        pairs.push([0.0, now.grips.of(self.site)?.last_force.norm()]);
        Some(())
    }
}

/// r = force of the site's grip/(m g/8), three rows: unloads the grip before it is released.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GripForceSpec {
    /// Site that grips.
    site: SiteField,
}

impl GripForceSpec {
    /// The objective as written in its file.
    pub(crate) fn statement(&self, source: &Source) -> Statement {
        Statement { others: vec![self.site.written(source)], ..Statement::default() }
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<impl BoundObjective + use<>, FileError> {
        let site = self.site.bind(binder.source, binder.names)?;
        Ok(Evaluated::new(Subject::Force, move |_, values, _| Some(GripForce { site: site.value(values) })))
    }
}
