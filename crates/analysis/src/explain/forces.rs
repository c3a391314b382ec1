//! What the contact forces of a frame are for, on pages.

use super::page::SectionItem;
use aplomb_control::synthesis::{BodyForce, BodyForcePart};

/// Bodies with less force are left out of pages, N.
const LEAST_FORCE: f64 = 1.0;
/// Parts that are less than this share of the largest are counted together on pages.
const LEAST_SHARE: f64 = 0.01;
/// Parts of a force that a page names at most.
const MOST_PARTS: usize = 8;

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
            about: format!("Contact force on `{body}`, N (x y z): {}", newtons(force)),
            head: ["for", "of it, N", "without it, N", "written in"].map(String::from).to_vec(),
            rows,
        });
    }
    if !items.is_empty() {
        let words = "World axes x, y, z. The parts add up to the force. Equations of motion: what carrying the \
                     weight and what moves takes; over all bodies together it is about the weight, and of one it \
                     may be less than nothing where others carry more. Without an objective the frame is solved \
                     again: by so much the force would change.";
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
