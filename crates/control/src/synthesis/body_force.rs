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
    /// Force exerted on it by its contacts and grips.
    pub force: [f64; 3],
    /// The parts of the force by source, the largest first; they add up to the force.
    pub parts: Vec<BodyForcePart>,
}

/// The total force on several bodies that are joined to each other, such as a foot and its toes. World axes, N.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JoinedForce {
    /// Names of the bodies, in model order.
    pub bodies: Vec<String>,
    /// Sum of the forces exerted on them by their contacts and grips.
    pub force: [f64; 3],
}

/// A part of a force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyForcePart {
    /// Its source: an objective by its name, or a row.
    pub name: String,
    /// `objective`, `row` or `remainder`.
    pub of: &'static str,
    /// `FILE:LINE` of its definition; `None` if it is not defined in a file.
    pub place: Option<String>,
    /// Multiplier of a row, the largest if there are several: change of the frame's cost per unit of the row.
    pub(crate) multiplier: f64,
    /// The part of the force.
    pub force: [f64; 3],
    /// Derivative of the force with respect to the logarithm of its weight: a weight that is larger by 1 % changes
    /// the force by 0.01 of that. `None` for rows.
    pub(crate) weight_slope: Option<[f64; 3]>,
    /// Change of the force if the source were removed and the frame solved again; `None` for rows, and if the frame
    /// then has no solution.
    pub without: Option<[f64; 3]>,
}

impl ForceProvenance {
    /// The forces body by body; `model` is that of the character.
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
    /// The forces on groups of bodies that are joined to each other, each with a force of `least` N or more: one sum
    /// for each group of two or more; `model` is that of the character.
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
