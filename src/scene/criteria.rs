//! The criteria of a scene, and how they fare as the run goes on.

use crate::contact::grip::Hold;
use crate::controller::quantity::{Measure, ModelNames, WorldNames};
use crate::language::diagnostic::FileErrors;
use crate::language::expression::Condition;
use crate::model::Model;
use crate::scene::{Criterion, SceneFiles};

/// A criterion of the scene and how it fares.
pub struct BoundCriterion {
    /// Name in the scene.
    pub name: String,
    /// When the condition has to hold.
    pub kind: CriterionKind,
    /// The condition, with its names resolved.
    pub condition: Condition,
    /// When `always` first failed or `once` first held, s.
    pub at: Option<f64>,
    /// Whether the criterion is met so far.
    pub holds: bool,
}

/// When the condition of a criterion has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionKind {
    /// In every frame.
    Always,
    /// In the last frame.
    AtEnd,
    /// In at least one frame.
    Once,
}

/// Holds the criteria against the snapshot; false when one that must always hold does not.
pub fn judge(criteria: &mut [BoundCriterion], measure: &Measure<'_>) -> bool {
    let mut upright = true;
    for criterion in criteria {
        let holds = criterion.condition.value(measure);
        criterion.holds = match criterion.kind {
            CriterionKind::Always => criterion.holds && holds,
            CriterionKind::AtEnd => holds,
            CriterionKind::Once => criterion.holds || holds,
        };
        let decisive = match criterion.kind {
            CriterionKind::Always => !holds,
            CriterionKind::Once => holds,
            CriterionKind::AtEnd => false,
        };
        if decisive && criterion.at.is_none() {
            criterion.at = Some(measure.snapshot.state.time);
        }
        upright &= criterion.kind != CriterionKind::Always || holds;
    }
    upright
}

/// Binds the conditions of all criteria, in the scene's order.
pub fn bind_criteria(
    files: &SceneFiles,
    model: &Model,
    holds: &[Hold],
) -> Result<Vec<BoundCriterion>, FileErrors> {
    let things = files.scene.passive.keys().map(|name| name.get_ref().as_str()).collect();
    let names = WorldNames { model: ModelNames(model), holds, things };
    let mut errors = Vec::new();
    let mut bound = Vec::new();
    for (name, criterion) in &files.scene.success {
        let kind = match criterion {
            Criterion::Always(_) => CriterionKind::Always,
            Criterion::AtEnd(_) => CriterionKind::AtEnd,
            Criterion::Once(_) => CriterionKind::Once,
        };
        match criterion.condition().bind(&files.scene_source, &names) {
            Ok(condition) => bound.push(BoundCriterion {
                name: name.get_ref().clone(),
                kind,
                condition,
                at: None,
                holds: kind == CriterionKind::Always,
            }),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(bound) } else { Err(errors.into()) }
}
