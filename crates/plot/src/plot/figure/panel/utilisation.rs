//! Utilisation of limits: friction divided by the largest that normal forces allow, and torques divided by their
//! limits.

use super::groups::{Grouped, Sorted, limit, limit_share, normal_force, on, tangential_force};
use super::{PanelBinder, PanelContent, PanelKind};
use aplomb_language::diagnostic::FileErrors;
use aplomb_trace::{Contact, Frame};
use serde::Deserialize;

/// Σ|f_t| / Σ μ f_n of each group; no value while the normal force is close to zero.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct FrictionUse(pub Grouped);

impl PanelKind for FrictionUse {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
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

/// The largest ratio of joint torque to its limit among each group's coordinates.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct TorqueUse(pub Grouped);

impl PanelKind for TorqueUse {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let PanelBinder { trace, source, .. } = binder;
        let names = &trace.header.coordinate_names;
        let groups = Sorted::new(source, &self.0, names, "coordinate")?;
        let used = |frame: &Frame, members: &[usize]| {
            members.iter().filter_map(|&at| limit_share(trace, frame, at)).fold(f64::NAN, f64::max)
        };
        let mut layers = groups.lines(trace, "largest torque over limit", "1", used);
        layers.push(limit());
        Ok(PanelContent::from_zero(layers, "largest torque / limit"))
    }
}
