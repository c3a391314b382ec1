//! Σ|f_t| / Σ μ f_n of each group; no value where the normal force is negligible.

use super::PanelBinder;
use super::groups::{Grouped, Sorted, limit, normal_force, on, tangential_force};
use super::{PanelContent, PanelKind};
use aplomb_language::diagnostic::FileError;
use aplomb_trace::Contact;
use serde::Deserialize;

/// Σ|f_t| / Σ μ f_n of each group; no value where next to nothing presses.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct FrictionUse(pub Grouped);

impl PanelKind for FrictionUse {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileError> {
        let PanelBinder { trace, source, .. } = binder;
        let groups = Sorted::new(source, &self.0, &trace.header.bodies, "body")?;
        let least = 1e-6 * trace.header.mass * 9.81;
        let used = |contacts: &mut dyn Iterator<Item = &Contact>| {
            let (mut used, mut allowed) = (0.0, 0.0);
            for contact in contacts {
                used += tangential_force(contact);
                allowed += contact.friction * normal_force(contact).max(0.0);
            }
            if allowed > least { used / allowed } else { f64::NAN }
        };
        let mut layers = groups.lines(trace, "friction use", "1", |frame, bodies| on(frame, bodies, used));
        layers.push(limit());
        Ok(PanelContent::from_zero(layers, "friction utilisation"))
    }
}
