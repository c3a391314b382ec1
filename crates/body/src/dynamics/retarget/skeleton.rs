//! Which joint of a skeleton is which bone, by its name.

use super::bone::{Bone, Side};
use crate::model::bvh::Motion;
use crate::model::roles::side_of_name;

/// What bones of a limb are called, without signs and sides; what stands first counts first.
const UPPER_ARM: &[&str] = &["upperarm", "uparm", "arm", "shldr", "humerus", "shoulder"];
const FOREARM: &[&str] = &["forearm", "lowerarm", "lowarm", "elbow", "radius"];
const HAND: &[&str] = &["hand", "wrist"];
const THIGH: &[&str] = &["upleg", "upperleg", "thigh", "femur", "hip"];
const SHIN: &[&str] = &["leg", "lowleg", "lowerleg", "shin", "shank", "calf", "knee", "tibia"];
const FOOT: &[&str] = &["foot", "ankle"];
const HEAD: &[&str] = &["head"];

/// The joints of the bones that the names tell. Pelvis and chest are what legs and arms hang on.
pub fn of_names(motion: &Motion) -> Vec<(Bone, usize)> {
    let named = |names: &[&str], side: i32| {
        let is = |joint: &usize, name: &str| {
            let own = &motion.joints[*joint].name;
            side_of_name(own) == side && core(own) == name
        };
        names.iter().find_map(|name| (0..motion.joints.len()).find(|joint| is(joint, name)))
    };
    let mut bones = Vec::new();
    let mut add = |bone: Bone, joint: Option<usize>| bones.extend(joint.map(|joint| (bone, joint)));
    let both = |names: &[&str]| named(names, 1).zip(named(names, -1)).map(|(left, right)| [left, right]);
    let root = || (!motion.joints.is_empty()).then_some(0);
    let pelvis = both(THIGH).and_then(|pair| common_ancestor(motion, pair)).or_else(root);
    add(Bone::Pelvis, pelvis);
    let chest = both(UPPER_ARM).and_then(|pair| common_ancestor(motion, pair));
    add(Bone::Chest, chest.filter(|chest| Some(*chest) != pelvis));
    add(Bone::Head, named(HEAD, 0));
    for (side, sign) in [(Side::Left, 1), (Side::Right, -1)] {
        for (bone, names) in [
            (Bone::UpperArm(side), UPPER_ARM),
            (Bone::Forearm(side), FOREARM),
            (Bone::Hand(side), HAND),
            (Bone::Thigh(side), THIGH),
            (Bone::Shin(side), SHIN),
            (Bone::Foot(side), FOOT),
        ] {
            add(bone, named(names, sign));
        }
    }
    bones
}

/// A name without what stands before a colon, without sides, signs, digits and `joint`, in small letters.
fn core(name: &str) -> String {
    let own = name.rsplit(':').next().unwrap_or(name);
    let letters: String = own.chars().filter(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    let mut rest = letters.as_str();
    for side in ["left", "right"] {
        rest = rest.strip_prefix(side).or_else(|| rest.strip_suffix(side)).unwrap_or(rest);
    }
    if rest.len() == letters.len() && side_of_name(own) != 0 {
        // The side is one letter, before or behind.
        let first = rest.strip_prefix(['l', 'r']);
        let last = rest.strip_suffix(['l', 'r']);
        let begins = own.chars().next().is_some_and(|c| matches!(c, 'l' | 'r' | 'L' | 'R'));
        rest = if begins { first.unwrap_or(rest) } else { last.unwrap_or(rest) };
    }
    rest.strip_suffix("joint").filter(|rest| !rest.is_empty()).unwrap_or(rest).to_owned()
}

/// The last joint that both hang on.
fn common_ancestor(motion: &Motion, [a, b]: [usize; 2]) -> Option<usize> {
    let above =
        |joint: usize| std::iter::successors(motion.joints[joint].parent, |&at| motion.joints[at].parent);
    above(a).find(|joint| above(b).any(|other| other == *joint))
}

#[cfg(test)]
mod tests {
    use super::core;

    #[test]
    fn names_of_common_skeletons_say_their_part() {
        for (name, part) in [
            ("mixamorig:LeftUpLeg", "upleg"),
            ("LHipJoint", "hip"),
            ("RightForeArm", "forearm"),
            ("lShldr", "shldr"),
            ("left_foot", "foot"),
            ("hand.R", "hand"),
            ("RightLeg", "leg"),
            ("Head", "head"),
            ("r_knee", "knee"),
        ] {
            assert_eq!(core(name), part, "{name}");
        }
    }
}
