//! The map of the ground from above.

use super::{PanelBinder, PanelContent, PanelKind};
use crate::plot::figure::map;
use aplomb_language::diagnostic::FileError;
use serde::Deserialize;

/// The ground seen from above; nothing to choose.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SupportMap {}

impl PanelKind for SupportMap {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileError> {
        Ok(PanelContent::Map(map::bind(binder.trace)))
    }
}
