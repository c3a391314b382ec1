//! The results of all planners of a controller and of those that it includes.

use super::planner::{self, Output};
use super::spec::ControllerSpec;

/// The results with their names, those of the file itself first.
pub(super) fn outputs(spec: &ControllerSpec) -> impl Iterator<Item = (String, Output<'_>)> {
    let included = spec.planners.iter().flat_map(|(prefix, planner)| {
        planner::outputs(planner).map(move |(name, output)| (format!("{prefix}.{name}"), output))
    });
    planner::outputs(&spec.planner).chain(included)
}
