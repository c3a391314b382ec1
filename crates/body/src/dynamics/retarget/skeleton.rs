//! Matching of a skeleton's joints to bones, by name.

use super::bone::{Bone, BoneSide};
use crate::model::bvh::{JointChannel, SkeletonMotion};
use crate::model::roles::side_of_name;

/// Names of the bones of a limb, without signs and sides, in order of preference. Some names belong to two
/// bones: the hierarchy decides.
const ARM: [&[&str]; 3] = [
    &["upperarm", "uparm", "arm", "shldr", "humerus", "shoulder"],
    &["forearm", "lowerarm", "lowarm", "elbow", "radius"],
    &["hand", "wrist"],
];
const LEG: [&[&str]; 3] = [
    &["upleg", "upperleg", "thigh", "femur", "hip", "leg"],
    &["leg", "lowleg", "lowerleg", "shin", "shank", "calf", "knee", "tibia"],
    &["foot", "ankle"],
];
const HEAD: &[&str] = &["head"];

/// Upper part, lower part and end of a limb.
type LimbChain = [Option<usize>; 3];

/// The joints of the bones that the names identify, with pelvis and chest as the parents of legs and arms.
pub(super) fn of_names(motion: &SkeletonMotion) -> Vec<(Bone, usize)> {
    let prefix = common_prefix(motion);
    let called: Vec<(i32, String)> = motion.joints.iter().map(|joint| part(&joint.name, prefix)).collect();
    let limbs = |names: &[&[&str]; 3]| [1, -1].map(|side| limb(motion, &called, names, side));
    let (arms, legs) = (limbs(&ARM), limbs(&LEG));
    let mut bones = Vec::new();
    let mut add = |bone: Bone, joint: Option<usize>| bones.extend(joint.map(|joint| (bone, joint)));
    let above = |[left, right]: &[LimbChain; 2]| common_ancestor(motion, [left[0]?, right[0]?]);
    let root = || (!motion.joints.is_empty()).then_some(0);
    let pelvis = above(&legs).or_else(root);
    add(Bone::Pelvis, pelvis);
    add(Bone::Chest, above(&arms).filter(|chest| Some(*chest) != pelvis));
    let is_head = |(side, name): &(i32, String)| *side == 0 && HEAD.contains(&name.as_str());
    add(Bone::Head, called.iter().position(is_head));
    for (side, (arm, leg)) in [BoneSide::Left, BoneSide::Right].into_iter().zip(arms.into_iter().zip(legs)) {
        let of_arm = [Bone::UpperArm(side), Bone::Forearm(side), Bone::Hand(side)];
        let of_leg = [Bone::Thigh(side), Bone::Shin(side), Bone::Foot(side)];
        let both = of_arm.into_iter().zip(arm).chain(of_leg.into_iter().zip(leg));
        both.for_each(|(bone, joint)| add(bone, joint));
    }
    bones
}

/// The joints of a limb: of all chains with matching names in the right order, the longest, then the one with
/// the preferred names. If two joints match the upper part, the one nearer to the trunk includes the
/// rotations of both.
fn limb(motion: &SkeletonMotion, called: &[(i32, String)], names: &[&[&str]; 3], side: i32) -> LimbChain {
    let candidates = names.map(|names| {
        let rank =
            |joint: usize| names.iter().position(|name| called[joint].0 == side && called[joint].1 == *name);
        let found = (0..called.len()).filter_map(|joint| Some((Some(joint), rank(joint)?)));
        // The choice of no joint at all ranks below every other.
        found.chain([(None, 0)]).collect::<Vec<_>>()
    });
    let hangs = |upper: Option<usize>, lower: Option<usize>| {
        upper.zip(lower).is_none_or(|(upper, lower)| ancestors(motion, lower).any(|joint| joint == upper))
    };
    let mut best: (usize, usize, usize, LimbChain) = (0, 0, 0, [None; 3]);
    let [uppers, lowers, ends] = &candidates;
    for (lower, of_lower) in lowers {
        for (end, of_end) in ends.iter().filter(|(end, _)| hangs(*lower, *end)) {
            for (upper, of_upper) in uppers {
                let hangs_well = hangs(*upper, *lower) && hangs(*upper, *end);
                let parts = [*upper, *lower, *end].iter().flatten().count();
                let (rank, depth) =
                    (of_upper + of_lower + of_end, upper.map_or(0, |at| ancestors(motion, at).count()));
                let is_better =
                    parts > best.0 || parts == best.0 && (rank < best.1 || rank == best.1 && depth > best.2);
                if hangs_well && is_better {
                    best = (parts, rank, depth, [*upper, *lower, *end]);
                }
            }
        }
    }
    let [upper, lower, end] = best.3;
    [upper.map(|upper| turning(motion, upper, lower)), lower, end]
}

/// The joint itself, or if it never rotates, the next rotating one before the following joint of the limb.
fn turning(motion: &SkeletonMotion, joint: usize, next: Option<usize>) -> usize {
    let turns = turns(motion);
    let between = next.into_iter().flat_map(|next| ancestors(motion, next).take_while(|at| *at != joint));
    let mut between = between.filter(|at| turns[*at]);
    if turns[joint] { joint } else { between.next().unwrap_or(joint) }
}

/// Whether each joint ever rotates.
pub(super) fn turns(motion: &SkeletonMotion) -> Vec<bool> {
    let mut column = 0;
    let of_joint = |joint: &crate::model::bvh::SkeletonJoint| {
        let first = column;
        column += joint.channels.len();
        let angles = joint
            .channels
            .iter()
            .enumerate()
            .filter(|(_, channel)| matches!(channel, JointChannel::Rotation(_)));
        angles.into_iter().any(|(at, _)| motion.frames.iter().any(|frame| frame[first + at] != 0.0))
    };
    motion.joints.iter().map(of_joint).collect()
}

/// Common prefix of the names of all joints except the roots, up to a sign: `hero_` for `hero_Hips` and
/// `hero_Head`.
fn common_prefix(motion: &SkeletonMotion) -> &str {
    let mut names =
        motion.joints.iter().filter(|joint| joint.parent.is_some()).map(|joint| joint.name.as_str());
    let Some(first) = names.next() else { return "" };
    let shared = |prefix: &str, name: &str| {
        prefix
            .char_indices()
            .zip(name.chars())
            .take_while(|((_, a), b)| a == b)
            .map(|((_, a), _)| a.len_utf8())
            .sum()
    };
    let mut prefix = first;
    let mut others = 0;
    for name in names {
        prefix = &prefix[..shared(prefix, name)];
        others += 1;
    }
    let end = prefix.rfind(|letter: char| !letter.is_alphanumeric());
    end.filter(|_| others > 0)
        .map_or("", |end| &prefix[..end + prefix[end..].chars().next().map_or(0, char::len_utf8)])
}

/// The side in a name, and the rest of the name in lower case, without a prefix up to a colon, signs, digits
/// and `joint`.
fn part(name: &str, prefix: &str) -> (i32, String) {
    let own = name.strip_prefix(prefix).unwrap_or(name);
    let own = own.rsplit(':').next().unwrap_or(own);
    (side_of_name(own), core(own))
}

fn core(own: &str) -> String {
    const SIDES: [&str; 4] = ["left", "right", "l", "r"];
    let words = crate::model::roles::words_of_name(own);
    let mut rest: Vec<&str> = words.iter().map(String::as_str).filter(|word| !SIDES.contains(word)).collect();
    let is_sided = side_of_name(own) != 0;
    let mut is_found = rest.len() < words.len();
    // The side may be part of a word, before or behind.
    for side in SIDES.into_iter().filter(|side| is_sided || side.len() > 1) {
        if is_found {
            break;
        }
        if let Some(stripped) = rest.first().and_then(|word| word.strip_prefix(side)) {
            rest[0] = stripped;
            is_found = true;
        } else if let Some(stripped) = rest.last().and_then(|word| word.strip_suffix(side)) {
            let last = rest.len() - 1;
            rest[last] = stripped;
            is_found = true;
        }
    }
    let rest = rest.concat();
    rest.strip_suffix("joint").filter(|rest| !rest.is_empty()).unwrap_or(&rest).to_owned()
}

/// The ancestors of a joint, nearest first.
pub(super) fn ancestors(motion: &SkeletonMotion, joint: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(motion.joints[joint].parent, |&at| motion.joints[at].parent)
}

/// The last common ancestor of two joints.
fn common_ancestor(motion: &SkeletonMotion, [a, b]: [usize; 2]) -> Option<usize> {
    ancestors(motion, a).find(|joint| ancestors(motion, b).any(|other| other == *joint))
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn names_of_common_skeletons_say_their_part() {
        for (name, side, word) in [
            ("mixamorig:LeftUpLeg", 1, "upleg"),
            ("LHipJoint", 1, "hip"),
            ("RightForeArm", -1, "forearm"),
            ("lShldr", 1, "shldr"),
            ("left_foot", 1, "foot"),
            ("hand.R", -1, "hand"),
            ("RightLeg", -1, "leg"),
            ("Head", 0, "head"),
            ("r_knee", -1, "knee"),
            ("LowerLeg_L", 1, "lowerleg"),
            ("LowerArm_R", -1, "lowerarm"),
            ("lowerarm_l", 1, "lowerarm"),
            ("ForeArmL", 1, "forearm"),
            ("Bip01 L Thigh", 1, "thigh"),
            ("hero_LeftArm", 1, "arm"),
        ] {
            let prefix =
                ["hero_", "Bip01 "].into_iter().find(|prefix| name.starts_with(prefix)).unwrap_or("");
            assert_eq!(part(name, prefix), (side, word.to_owned()), "{name}");
        }
    }
}
