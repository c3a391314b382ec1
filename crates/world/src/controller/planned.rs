//! The outputs of all planners of a controller and of its includes.

use super::planner::{self, Output};
use super::spec::ControllerSpec;

/// The outputs with their names, those of the file itself first.
pub(super) fn outputs(spec: &ControllerSpec) -> impl Iterator<Item = (String, Output<'_>)> {
    let included = spec.planners.iter().flat_map(|(prefix, planner)| {
        planner::outputs(planner).map(move |(name, output)| (format!("{prefix}.{name}"), output))
    });
    planner::outputs(&spec.planner).chain(included)
}
