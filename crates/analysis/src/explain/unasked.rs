//! Criteria about a body or an object that no controller names: no objective pursues what they demand.

use super::evidence::Recording;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::expression::parse_expression;
use aplomb_scene::SceneFiles;

/// The first failed criterion about a part that no controller of the scene names, as a sentence.
pub(super) fn unasked(files: &SceneFiles, run: &Recording) -> Option<String> {
    let models = files.bodies().ok()?;
    let is_part = |name: &str| {
        files.scene.passive.contains_key(name) || models.iter().any(|model| model.body(name).is_some())
    };
    let texts: Vec<String> = files.characters.iter().flat_map(texts_of).collect();
    let missed = |name: &str| run.summary.criteria.iter().any(|known| known.name == name && !known.held);
    files.scene.success.iter().filter(|(name, _)| missed(name.get_ref())).find_map(|(name, criterion)| {
        let text = files.scene_source.slice(criterion.condition().span());
        let names = parse_expression(text.trim().trim_matches(['"', '\'']))?.names();
        let mut parts = names.into_iter().filter(|name| is_part(name)).peekable();
        parts.peek()?;
        let mut parts: Vec<String> = parts.collect();
        if parts.iter().any(|part| texts.iter().any(|text| has_word(text, part))) {
            return None;
        }
        parts.dedup();
        let is_placed = parts.iter().any(|part| models.iter().any(|model| places(model, part, &texts)));
        let parts = parts.iter().map(|part| format!("`{part}`")).collect::<Vec<_>>().join(" and ");
        Some(match is_placed {
            true => format!(
                "`{name}` is about {parts}, which only angles of joints place: no objective is about it."
            ),
            false => format!("`{name}` is about {parts}, and no objective of any controller controls it."),
        })
    })
}

/// Bodies of a limb up from its end whose joints place it: hand, forearm and upper arm.
const LIMB: usize = 3;

/// Whether one of the texts names a joint, or the role of one, of the limb that ends with this part.
fn places(model: &Model, part: &str, texts: &[String]) -> bool {
    let Some(end) = model.body(part) else { return false };
    let limb: Vec<BodyId> =
        std::iter::successors(Some(end), |body| model.bodies[body.0].parent).take(LIMB).collect();
    let is_of_limb = |word: &str| {
        let joints = model.joints_of(word).unwrap_or_default();
        joints.iter().any(|joint| limb.contains(&model.joints[joint.0].body))
    };
    let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    texts.iter().any(|text| text.split(|letter| !of_name(letter)).any(is_of_limb))
}

/// The text of a character's controller and of all that it includes, without comments.
fn texts_of(character: &aplomb_scene::CharacterFiles) -> Vec<String> {
    let source = &character.controller.source;
    let included = source.included().map(|kept| kept.source.text);
    let bare = |text: &str| text.lines().map(without_comment).collect::<Vec<_>>().join("\n");
    std::iter::once(source.text.clone()).chain(included).map(|text| bare(&text)).collect()
}

/// A line up to its `#`.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

/// Whether a text contains this name as a whole word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + word.len()..].chars().next();
        !before.is_some_and(of_name) && !after.is_some_and(of_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_moved_by_the_joints_of_its_limb() {
        let model = Model::shipped("adult").unwrap();
        let names = |text: &str| places(&model, "right_hand", &[text.to_owned()]);
        assert!(names("angles = { right_shoulder_x = -1.3 }") && names("right_elbow = 1"));
        assert!(!names("left_elbow = 1, abdomen_y = 0, right_knee = 0.2"));
    }

    #[test]
    fn a_word_is_no_part_of_a_longer_name() {
        assert!(has_word("of = { body = \"ball\" }", "ball"));
        assert!(!has_word("com over the balls", "ball") && !has_word("left_ball", "ball"));
    }
}
