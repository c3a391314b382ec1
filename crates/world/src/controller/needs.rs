//! Names of a controller's surroundings that a scene must have.

use super::quantity::Around;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};
use serde::Deserialize;

/// Contents that a scene must have, by the names that the controller's expressions use.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NeedsSpec {
    /// Names of obstacles.
    #[serde(default)]
    pub(crate) obstacles: Vec<Spanned<String>>,
    /// Names of passive objects.
    #[serde(default)]
    pub passive: Vec<Spanned<String>>,
}

impl NeedsSpec {
    /// The missing names, each as an error at its place.
    pub(crate) fn missing(&self, source: &Source, around: &Around<'_>) -> Vec<FileError> {
        let obstacle = |name: &str| around.surfaces.iter().any(|surface| &*surface.name == name);
        let passive = |name: &str| around.objects.iter().any(|object| &**object == name);
        let missed = |names: &[Spanned<String>], kind: &str, is_there: &dyn Fn(&str) -> bool| {
            let absent = names.iter().filter(|name| !is_there(name.get_ref()));
            let error = |name: &Spanned<String>| {
                let message =
                    format!("the scene has no {kind} `{}`, which this controller needs", name.get_ref());
                FileError::new(source, name.span(), message)
            };
            absent.map(error).collect::<Vec<_>>()
        };
        let mut all = missed(&self.obstacles, "obstacle", &obstacle);
        all.extend(missed(&self.passive, "passive object", &passive));
        all
    }
}
