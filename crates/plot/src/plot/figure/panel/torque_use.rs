//! The largest torque over its limit among each group's coordinates.

use super::PanelBinder;
use super::groups::{Grouped, Sorted, limit, limit_share};
use super::{PanelContent, PanelKind};
use aplomb_language::diagnostic::FileError;
use aplomb_trace::Frame;
use serde::Deserialize;

/// The largest torque over its limit among each group's coordinates.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct TorqueUse(pub Grouped);

impl PanelKind for TorqueUse {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileError> {
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
