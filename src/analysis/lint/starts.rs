//! How a scene begins.

use super::rule::{Rule, rule};
use crate::language::Spanned;
use crate::language::diagnostic::{FileError, Warning, keep_unless_allowed};
use crate::scene::{Run, SceneFiles};
use crate::world::CharacterId;

pub const RULES: &[Rule] = &[rule!(
    "begins-inside",
    "A character begins inside of something.",
    "The first frames throw it out, if they can be solved at all. A start pose stands on the floor: on ground that is higher, on stairs and on boxes give \
     a `height`.",
    None
)];

/// Deepest that a character may begin in something, m (× length scale): no more than soles do in the rest pose.
const DEEPEST: f64 = 0.01;

/// Characters that begin inside of something, as the world has them before its first frame.
pub fn begins_inside(files: &SceneFiles, run: &mut Run) -> Vec<Warning> {
    run.world.observe();
    let specs = files.scene.characters.iter().enumerate();
    let first = specs.filter_map(|(number, (name, spec))| {
        let (_, snapshot) = run.world.sensed(Some(CharacterId(number)));
        let contacts = &snapshot.contacts;
        let deepest = contacts.touches.iter().min_by(|a, b| a.gap.total_cmp(&b.gap))?;
        if deepest.gap > -DEEPEST * snapshot.scales.length() {
            return None;
        }
        let (candidate, surface) = contacts.pair(deepest.slot);
        let (part, inside) = (&candidate.name, &surface.name);
        let depth = -100.0 * deepest.gap;
        let message = format!("`{name}` begins with `{part}` {depth:.1} cm inside of `{inside}`");
        let given = spec.height.as_ref();
        let height = given.map_or(0.0, |height| *height.get_ref()) - deepest.gap / deepest.normal.z.max(0.1);
        // On what is no part of the floor or of stairs it may stand as little as in it.
        let help = if deepest.normal.z > 0.5 && deepest.on.is_none() {
            format!("stand on it: `height = {:.3}`", (height * 1000.0).ceil() / 1000.0)
        } else {
            "begin elsewhere: `position`, `pose`".to_string()
        };
        let span = given.map_or_else(|| name.span(), Spanned::span);
        Some(Warning(FileError::new(&files.scene_source, span, message).help(help).rule("begins-inside")))
    });
    let mut found = first.collect();
    keep_unless_allowed(&mut found, &files.scene_source, &files.scene.allow);
    found
}
