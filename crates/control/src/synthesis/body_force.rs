//! Provenance of the forces of a frame, by body and by name, for reports.

use super::provenance::{ForcePart, ForceProvenance, PartOf};
use aplomb_body::model::Model;
use nalgebra::Vector3;
use serde::Serialize;

/// The force on a body of the character, with the source of each part of it. World axes, N.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyForce {
    /// Name of the body.
    pub body: String,
    /// Force on it by its contacts and grips.
    pub force: [f64; 3],
    /// Its sources, the largest part first; the parts add up to the force.
    pub parts: Vec<BodyForcePart>,
}

/// A part of a force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyForcePart {
    /// Its source: an objective by its name, or a row.
    pub name: String,
    /// `objective`, `row` or `remainder`.
    pub of: &'static str,
    /// `FILE:LINE` where its author wrote it; `None` if no file contains it.
    pub place: Option<String>,
    /// Multiplier of a row, of several the largest: change of the frame's cost per unit of the row.
    pub multiplier: f64,
    /// The part of the force.
    pub force: [f64; 3],
    /// Change of the force with the logarithm of its weight: a weight that is larger by 1 % changes it by 0.01 of
    /// that. `None` for rows.
    pub weight_slope: Option<[f64; 3]>,
    /// Change of the force if it were removed and the rest of the frame solved again; `None` for rows, and
    /// where the frame has no solution then.
    pub without: Option<[f64; 3]>,
}

impl ForceProvenance {
    /// Body by body; `model` is that of the character.
    pub fn by_body(&self, model: &Model) -> Vec<BodyForce> {
        let bodies = self.bodies.iter().zip(&self.forces).enumerate();
        bodies
            .map(|(index, (body, force))| {
                let mut parts: Vec<BodyForcePart> =
                    self.parts.iter().map(|part| part_of(part, index)).collect();
                parts.sort_by(|a, b| length(&b.force).total_cmp(&length(&a.force)));
                BodyForce { body: model.bodies[body.0].name.clone(), force: (*force).into(), parts }
            })
            .collect()
    }
}

fn part_of(part: &ForcePart, body: usize) -> BodyForcePart {
    let place = match (&*part.origin.file, part.origin.line) {
        ("", _) => None,
        (file, 0) => Some(file.to_string()),
        (file, line) => Some(format!("{file}:{line}")),
    };
    BodyForcePart {
        name: part.name.to_string(),
        of: match part.of {
            PartOf::Cost(_) => "objective",
            PartOf::Row(_) => "row",
            PartOf::Remainder => "remainder",
        },
        place,
        multiplier: part.multiplier,
        force: part.forces[body].into(),
        weight_slope: part.weight_slope.as_ref().map(|forces| forces[body].into()),
        without: part.without.as_ref().map(|forces| forces[body].into()),
    }
}

fn length(force: &[f64; 3]) -> f64 {
    Vector3::from(*force).norm()
}
