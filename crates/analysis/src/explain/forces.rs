//! What the contact forces of a frame are for, body by body.

use super::page::SectionItem;
use aplomb_body::model::Model;
use aplomb_control::synthesis::{ForcePart, ForceProvenance, PartOf};
use serde::Serialize;

/// Bodies with less force are left out of pages, N.
const LEAST_FORCE: f64 = 1.0;
/// Parts that are less than this share of the largest are counted together on pages.
const LEAST_SHARE: f64 = 0.01;
/// Parts of a force that a page names at most.
const MOST_PARTS: usize = 8;

/// The force on a body of the character, with what each part of it is for. World axes, N.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyForce {
    /// Name of the body.
    pub body: String,
    /// Force on it by its contacts and grips.
    pub force: [f64; 3],
    /// What it is for, the largest part first; the parts add up to the force.
    pub parts: Vec<BodyForcePart>,
}

/// A part of a force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyForcePart {
    /// What it is for: an objective by its name, or a row.
    pub name: String,
    /// `objective`, `row` or `remainder`.
    pub of: &'static str,
    /// `FILE:LINE` in which its author wrote it; `None` where nobody did.
    pub place: Option<String>,
    /// Multiplier of a row, of several the largest: change of the frame's cost per unit of the row.
    pub multiplier: f64,
    /// The part of the force.
    pub force: [f64; 3],
    /// Change of the force with the logarithm of its weight: a weight that is larger by 1 % changes it by 0.01 of
    /// that. `None` for rows.
    pub weight_slope: Option<[f64; 3]>,
    /// How the force would change without it, all else of this frame solved again; `None` for rows, and where
    /// the frame has no solution then.
    pub without: Option<[f64; 3]>,
}

/// By body.
pub(super) fn by_body(provenance: &ForceProvenance, model: &Model) -> Vec<BodyForce> {
    let bodies = provenance.bodies.iter().zip(&provenance.forces).enumerate();
    bodies
        .map(|(index, (body, force))| {
            let mut parts: Vec<BodyForcePart> =
                provenance.parts.iter().map(|part| part_of(part, index)).collect();
            parts.sort_by(|a, b| length(&b.force).total_cmp(&length(&a.force)));
            BodyForce { body: model.bodies[body.0].name.clone(), force: (*force).into(), parts }
        })
        .collect()
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
    force.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// What a page says of the forces.
pub(super) fn items(forces: &[BodyForce]) -> Vec<SectionItem> {
    let mut items = Vec::new();
    for BodyForce { body, force, parts } in forces.iter().filter(|body| length(&body.force) >= LEAST_FORCE) {
        let least = LEAST_SHARE * parts.first().map_or(0.0, |part| length(&part.force));
        let told = parts.iter().take(MOST_PARTS).take_while(|part| length(&part.force) > least);
        let mut rows: Vec<Vec<String>> = told.map(row).collect();
        let rest = &parts[rows.len()..];
        let sum: [f64; 3] = std::array::from_fn(|k| rest.iter().map(|part| part.force[k]).sum());
        if !rest.is_empty() {
            rows.push(vec![format!("{} more", rest.len()), newtons(&sum), String::new(), String::new()]);
        }
        items.push(SectionItem::Table {
            about: format!("`{body}` bears {} N", newtons(force)),
            head: ["for", "of it, N", "without it, N", "written in"].map(String::from).to_vec(),
            rows,
        });
    }
    if !items.is_empty() {
        let words = "World axes x, y, z. The parts add up to the force, beside a body on which nothing bears \
                     and whose joints keep their rates. Without an objective the frame is solved again: by so \
                     much the force would change.";
        items.push(SectionItem::Text(words.into()));
    }
    items
}

fn row(part: &BodyForcePart) -> Vec<String> {
    let name = if part.of == "objective" { format!("`{}`", part.name) } else { part.name.clone() };
    let without = match part.without {
        Some(change) => newtons(&change),
        None => String::new(),
    };
    vec![name, newtons(&part.force), without, part.place.clone().unwrap_or_default()]
}

/// Three numbers without a sign of zero.
fn newtons(force: &[f64; 3]) -> String {
    let [x, y, z] = force.map(|part| format!("{:.1}", (10.0 * part).round() / 10.0 + 0.0));
    format!("{x:>7} {y:>7} {z:>7}")
}
