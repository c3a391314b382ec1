//! Criteria about grips that were never made: how near the hand came to a hold.

use super::evidence::Recording;
use super::unasked::has_word;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::{Model, Site};
use aplomb_math::seconds::seconds;
use aplomb_scene::SceneFiles;
use aplomb_trace::{ContactKind, Frame, Holdable};
use nalgebra::Vector3;

/// Quantities of criteria that count grips.
const OF_GRIPS: [&str; 2] = ["grips", "grip_count"];

/// The least distance between a site and a hold.
struct Approach {
    distance: f64,
    time: f64,
    hold: String,
}

/// A failed criterion about grips of which none was made, as a sentence.
pub(super) fn missed_hold(files: &SceneFiles, run: &Recording) -> Option<String> {
    let number = files.characters.iter().position(|character| character.name == run.header.character)?;
    let model = files.bodies().ok()?.into_iter().nth(number)?;
    let is_grip = |frame: &Frame| frame.contacts.iter().any(|contact| contact.kind == ContactKind::Grip);
    if run.header.holds.is_empty() || run.frames.iter().any(is_grip) {
        return None;
    }
    let missed = |name: &str| run.summary.criteria.iter().any(|known| known.name == name && !known.held);
    let mut criteria = files.scene.success.iter().filter(|(name, _)| missed(name.get_ref()));
    criteria.find_map(|(name, criterion)| {
        let text = files.scene_source.slice(criterion.condition().span());
        if !OF_GRIPS.iter().any(|quantity| has_word(text, quantity)) {
            return None;
        }
        let named = model.sites.iter().filter(|site| has_word(text, &site.name));
        let mut sites: Vec<&Site> = named.collect();
        if sites.is_empty() {
            sites = model.sites.iter().collect();
        }
        let nearest = sites.into_iter().filter_map(|site| Some((site, nearest_approach(run, &model, site)?)));
        let (site, Approach { distance, time, hold }) =
            nearest.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))?;
        Some(format!(
            "`{name}` is about a grip, and none was made: `{}` came no nearer to a hold than {distance:.3} m \
             (`{hold}`, at {time} s).",
            site.name,
            time = seconds(time)
        ))
    })
}

/// The least distance of a site from any hold over a run.
fn nearest_approach(run: &Recording, model: &Model, site: &Site) -> Option<Approach> {
    let body = site.body?;
    let mut poses = Kinematics::new(model);
    let mut nearest: Option<Approach> = None;
    for frame in run.frames.iter().filter(|frame| frame.q.len() == model.nq) {
        poses.update_poses(model, &frame.q);
        let point = poses.point(body, &site.position);
        for hold in frame.holds(&run.header) {
            let distance = distance_to(&hold, &point);
            if nearest.as_ref().is_none_or(|nearest| distance < nearest.distance) {
                nearest = Some(Approach { distance, time: frame.time, hold: hold.name });
            }
        }
    }
    nearest
}

/// Distance between a point and the middle of a hold, which is a point or a line between two, m.
fn distance_to(hold: &Holdable, point: &Vector3<f64>) -> f64 {
    let ends: Vec<Vector3<f64>> = hold.ends.iter().map(|end| Vector3::from(*end)).collect();
    match ends.as_slice() {
        [] => f64::INFINITY,
        [only] => (point - only).norm(),
        [first, .., last] => {
            let along = last - first;
            let share = (point - first).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
            (point - (first + along * share.clamp(0.0, 1.0))).norm()
        }
    }
}
