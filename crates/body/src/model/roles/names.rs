//! Words in the names of bodies and joints, and the side that they indicate.

/// Words in names of bodies that carry arms and head.
pub(super) const TRUNK_WORDS: [&str; 4] = ["torso", "thorax", "chest", "trunk"];

/// The words of a name in lower case, split at signs, digits and capitals.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let is_new = letter.is_uppercase() && before.is_lowercase();
        if is_new || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a word of a name is among these, alone or after the letter of a side: `left_foot`, `lfoot`.
pub(super) fn says(name: &str, among: &[&str]) -> bool {
    words(name).iter().any(|word| {
        let sided = word.strip_prefix(['l', 'r']);
        among.contains(&word.as_str()) || sided.is_some_and(|rest| among.contains(&rest))
    })
}

/// Words that may follow the letter of a side: `lfemur`, `rfoot`.
const LIMB_WORDS: [&str; 18] = [
    "femur", "tibia", "foot", "toe", "toes", "hip", "humerus", "radius", "wrist", "hand", "thigh", "shin",
    "leg", "arm", "knee", "ankle", "shoulder", "elbow",
];

/// Words of a side; for bodies with four legs, the letters of front, hind or rear and of the side in either
/// order.
const LEFT: [&str; 9] = ["left", "l", "fl", "hl", "rl", "bl", "lf", "lh", "ll"];
const RIGHT: [&str; 8] = ["right", "r", "fr", "hr", "rr", "br", "rf", "rh"];

/// 1 if a name indicates left, −1 right, 0 neither or both.
pub fn side_of_name(name: &str) -> i32 {
    let words = words(name);
    let indicates = |side: &[&str], letter: char| {
        words.iter().any(|word| {
            side.contains(&word.as_str())
                || word.strip_prefix(letter).is_some_and(|rest| LIMB_WORDS.contains(&rest))
        })
    };
    i32::from(indicates(&LEFT, 'l')) - i32::from(indicates(&RIGHT, 'r'))
}

#[cfg(test)]
mod tests {
    use super::{says, side_of_name};

    #[test]
    fn a_word_is_found_alone_and_behind_the_letter_of_a_side() {
        for name in ["foot", "left_foot", "rfoot", "LeftFoot", "foot1_left"] {
            assert!(says(name, &["foot"]), "{name}");
        }
        for name in ["footing", "left_hand", "barefoot"] {
            assert!(!says(name, &["foot"]), "{name}");
        }
    }

    #[test]
    fn names_of_public_models_say_their_side() {
        for left in [
            "left_foot",
            "foot_left",
            "l_hip_yaw",
            "LeftKnee",
            "FL_calf",
            "RL_foot",
            "HL_KNEE",
            "lfemur",
            "LH_SHANK",
        ] {
            assert_eq!(side_of_name(left), 1, "{left}");
        }
        for right in ["right_foot", "FR_hip", "RR_thigh", "rfoot", "RF_FOOT", "HR_HAA", "r_ank_roll_link"] {
            assert_eq!(side_of_name(right), -1, "{right}");
        }
        for neither in ["torso", "pelvis", "lower_leg", "roll_link", "arm_1", "left_right"] {
            assert_eq!(side_of_name(neither), 0, "{neither}");
        }
    }
}
