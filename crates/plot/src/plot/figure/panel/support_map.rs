//! The map of the ground from above.

use super::{Binder, PanelKind, Shown};
use crate::plot::figure::map;
use aplomb_language::diagnostic::FileError;
use serde::Deserialize;

/// The ground seen from above; nothing to choose.
#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportMap {}

impl PanelKind for SupportMap {
    fn bind(&self, binder: &Binder<'_>) -> Result<Shown, FileError> {
        Ok(Shown::Map(map::bind(binder.trace)))
    }
}
