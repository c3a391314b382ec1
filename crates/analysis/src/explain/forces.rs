//! The purposes of the contact forces of a frame, on pages.

use super::page::SectionItem;
use aplomb_control::synthesis::{BodyForce, BodyForcePart, JoinedForce};

/// Least force on a body that pages show, N.
pub(super) const LEAST_FORCE: f64 = 1.0;
/// Parts below this share of the largest are summed on pages.
const LEAST_SHARE: f64 = 0.01;
/// Largest number of parts of a force that a page names.
const MOST_PARTS: usize = 8;

fn length(force: &[f64; 3]) -> f64 {
    force.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// The items of a page on the forces, and on the sums for bodies that are joined to each other.
pub(super) fn items(forces: &[BodyForce], joined: &[JoinedForce]) -> Vec<SectionItem> {
    let mut items = Vec::new();
    let loaded = || forces.iter().filter(|body| length(&body.force) >= LEAST_FORCE);
    items.extend(sums(&loaded().collect::<Vec<_>>(), joined));
    for BodyForce { body, parts, force } in loaded() {
        let least = LEAST_SHARE * parts.first().map_or(0.0, |part| length(&part.force));
        let shown = parts.iter().take(MOST_PARTS).take_while(|part| length(&part.force) > least);
        let mut rows: Vec<Vec<String>> = shown.map(row).collect();
        let rest = &parts[rows.len()..];
        let sum: [f64; 3] = std::array::from_fn(|k| rest.iter().map(|part| part.force[k]).sum());
        if !rest.is_empty() {
            rows.push(cells(format!("{} more", rest.len()), &sum, None, String::new()));
        }
        rows.push(cells("sum".into(), force, None, String::new()));
        let head = ["for", "x, N", "y, N", "z, N", "without it: x, N", "y, N", "z, N", "written in"];
        items.push(SectionItem::Table {
            about: format!("Contact force on `{body}`"),
            head: head.map(String::from).to_vec(),
            rows,
        });
    }
    if !items.is_empty() {
        let words = "World axes x, y, z. The parts add up to the force. Equations of motion: the part needed for \
                     gravity and inertia; summed over all bodies it is about the weight, and for one body it can \
                     be negative if others carry more. For each objective, the frame is solved again without it: \
                     the change of the force is shown.";
        items.push(SectionItem::Text(words.into()));
    }
    items
}

/// Table of the sums of forces on bodies that are joined to each other, and on all bodies; `None` if it is empty.
fn sums(loaded: &[&BodyForce], joined: &[JoinedForce]) -> Option<SectionItem> {
    let sum = |name: String, force: &[f64; 3]| [vec![name], newtons(force).to_vec()].concat();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for JoinedForce { bodies, force } in joined {
        let names: Vec<String> = bodies.iter().map(|body| format!("`{body}`")).collect();
        rows.push(sum(names.join(" + "), force));
    }
    let has_all = joined.iter().any(|sum| sum.bodies.len() == loaded.len());
    if loaded.len() > 1 && !has_all {
        let all: [f64; 3] = std::array::from_fn(|k| loaded.iter().map(|body| body.force[k]).sum());
        rows.push(sum("all bodies".into(), &all));
    }
    let head = ["on", "x, N", "y, N", "z, N"].map(String::from).to_vec();
    (!rows.is_empty()).then(|| SectionItem::Table { about: "Sums of contact forces".into(), head, rows })
}

fn row(part: &BodyForcePart) -> Vec<String> {
    let name = if part.of == "objective" { format!("`{}`", part.name) } else { part.name.clone() };
    // Parts that no file requests: equations of motion, limits of the body, objectives of every frame.
    let place = part.place.clone().unwrap_or_else(|| "built in".into());
    cells(name, &part.force, part.without.as_ref(), place)
}

fn cells(name: String, force: &[f64; 3], without: Option<&[f64; 3]>, place: String) -> Vec<String> {
    let without = without.map_or_else(Default::default, newtons);
    let [x, y, z] = newtons(force);
    let [dx, dy, dz] = without;
    vec![name, x, y, z, dx, dy, dz, place]
}

/// Three numbers to 0.1 N, without negative zeros.
fn newtons(force: &[f64; 3]) -> [String; 3] {
    force.map(|part| format!("{:.1}", (10.0 * part).round() / 10.0 + 0.0))
}
