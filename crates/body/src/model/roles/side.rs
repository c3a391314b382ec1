//! Left and right in names.

use super::names::words;

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
pub fn of_name(name: &str) -> i32 {
    let words = words(name);
    let says = |side: &[&str], letter: char| {
        words.iter().any(|word| {
            side.contains(&word.as_str())
                || word.strip_prefix(letter).is_some_and(|rest| LIMB_WORDS.contains(&rest))
        })
    };
    i32::from(says(&LEFT, 'l')) - i32::from(says(&RIGHT, 'r'))
}

#[cfg(test)]
mod tests {
    use super::of_name;

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
            assert_eq!(of_name(left), 1, "{left}");
        }
        for right in ["right_foot", "FR_hip", "RR_thigh", "rfoot", "RF_FOOT", "HR_HAA", "r_ank_roll_link"] {
            assert_eq!(of_name(right), -1, "{right}");
        }
        for neither in ["torso", "pelvis", "lower_leg", "roll_link", "arm_1", "left_right"] {
            assert_eq!(of_name(neither), 0, "{neither}");
        }
    }
}
