//! [Jain 2009] §6.2: G_c, the force a hand or foot puts on its hold.

use super::{Binder, Now, Objective, Order, Residual};
use crate::language::diagnostic::FileError;
use crate::language::expression::{SiteChoice, SiteField};
use crate::predict::Prediction;
use serde::Deserialize;

/// r = force of the site's grip/(m g/8), three rows: relaxes the grip before it is let go.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GripForce {
    /// The site that holds on.
    site: SiteField,
}

struct Bound {
    site: SiteChoice,
}

impl GripForce {
    pub fn bind(&self, binder: &Binder<'_>) -> Result<impl Objective + use<>, FileError> {
        Ok(Bound { site: self.site.bind(binder.source, binder.names)? })
    }
}

impl Objective for Bound {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let site = self.site.value(now.values);
        let grip = now.grips.list.iter().position(|grip| grip.site == site)?;
        Some(Residual::of(next.grip_force(grip), Order::Force { last: 0.0 }))
    }
}
