//! Provenance of the forces of a frame, by body and by name, for reports.

use super::provenance::{ForcePart, ForceProvenance, PartOf};
use aplomb_body::model::{BodyId, Model};
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

/// The force on several bodies that are joined to each other, as a foot and its toes. World axes, N.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JoinedForce {
    /// Names of the bodies, in model order.
    pub bodies: Vec<String>,
    /// Sum of the forces on them by their contacts and grips.
    pub force: [f64; 3],
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
    pub(crate) multiplier: f64,
    /// The part of the force.
    pub force: [f64; 3],
    /// Change of the force with the logarithm of its weight: a weight that is larger by 1 % changes it by 0.01 of
    /// that. `None` for rows.
    pub(crate) weight_slope: Option<[f64; 3]>,
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

impl ForceProvenance {
    /// The forces on bodies that are joined to each other, each with a force of `least` N or more: a sum for each
    /// two or more of them; `model` is that of the character.
    pub fn by_joined_bodies(&self, model: &Model, least: f64) -> Vec<JoinedForce> {
        let loaded = self.bodies.iter().zip(&self.forces).filter(|(_, force)| force.norm() >= least);
        let mut groups: Vec<(Vec<BodyId>, Vector3<f64>)> = Vec::new();
        // A body comes after its parent.
        for (body, force) in loaded {
            let parent = model.bodies[body.0].parent;
            match groups.iter_mut().find(|(bodies, _)| parent.is_some_and(|parent| bodies.contains(&parent)))
            {
                Some((bodies, sum)) => {
                    bodies.push(*body);
                    *sum += force;
                }
                None => groups.push((vec![*body], *force)),
            }
        }
        let name = |body: &BodyId| model.bodies[body.0].name.clone();
        let joined = groups.into_iter().filter(|(bodies, _)| bodies.len() > 1);
        joined
            .map(|(bodies, sum)| JoinedForce { bodies: bodies.iter().map(name).collect(), force: sum.into() })
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
