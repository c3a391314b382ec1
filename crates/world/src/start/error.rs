//! Why a start pose is impossible.

use super::Wishes;
use super::reach::{self, ReachTarget, Reached, Stop};
use aplomb_body::model::{JointValueError, Model};
use aplomb_control::snapshot::Snapshot;
use aplomb_math::extent::FARTHEST;

/// Why a start pose is impossible. An `index` counts the points of [`reach`](super::StartPose::reach), then
/// the rotations of [`orientation`](super::StartPose::orientation).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StartPoseError {
    /// An invalid joint value, by its index among the joint values.
    #[error("{error}")]
    Joint {
        /// Index of the value among those given.
        index: usize,
        /// Reason.
        error: JointValueError,
    },
    /// The character is farther from the origin than the accuracy of numbers allows, or at a position that is
    /// not finite.
    #[error("the character is {distance:.0} m from the origin, farther than {FARTHEST} m")]
    TooFar {
        /// Distance of the farthest body from the origin, m.
        distance: f64,
    },
    /// The named part is fixed to the world and cannot be placed.
    #[error("`{name}` is fixed to the world")]
    FixedToWorld {
        /// Index of the point or orientation.
        index: usize,
        /// Name of the part.
        name: String,
    },
    /// No body, or no site, has this name.
    #[error("there is no body{} `{name}`", if *.turned { "" } else { " or site" })]
    UnknownPart {
        /// Index of the point or orientation.
        index: usize,
        /// The name given.
        name: String,
        /// Whether it is an orientation rather than a point.
        turned: bool,
    },
    /// No configuration within joint ranges and without penetration meets the targets; `helps` lists the
    /// limits that prevent it.
    #[error("{message}")]
    OutOfReach {
        /// Index of the point or orientation.
        index: usize,
        /// The target that is missed, and by how much, as text.
        message: String,
        /// Whether a target is missed; otherwise the pose penetrates a surface or leaves the ground.
        is_missed: bool,
        /// The limits that prevent it, or the changes that would help, as text.
        helps: String,
    },
}

/// Largest number of limits that a message names.
const MOST_NAMED: usize = 4;

/// The message about a missed target and its limits; the initial pose may be `inside` a surface.
pub(super) fn refusal(
    model: &Model,
    snapshot: &Snapshot,
    wishes: &Wishes,
    found: &Reached,
    targets: &[ReachTarget],
    inside: Option<usize>,
) -> StartPoseError {
    let missed = |k: usize| {
        let (name, miss) = (&wishes.asked[k].name, found.misses[k]);
        match targets[k] {
            ReachTarget::Turn { .. } => format!("the orientation of `{name}` by {miss:.2} rad"),
            _ => format!("`{name}` by {:.0} mm", 1e3 * miss),
        }
    };
    let surface = |index: usize| &*snapshot.contacts.surfaces[index].name;
    let worst = found.worst(targets, wishes.asked.len());
    let (index, message) = match (worst, found.inside) {
        (Some(k), _) => (wishes.asked[k].index, format!("the start pose misses {}", missed(k))),
        (None, Some((body, index))) if found.depth > reach::MET => {
            let (name, depth) = (&model.bodies[body.0].name, 1e3 * found.depth);
            let message = format!("the start pose leaves `{name}` {depth:.0} mm inside `{}`", surface(index));
            (wishes.asked[0].index, message)
        }
        (None, _) => {
            let message = "the start pose reaches its targets only if the feet leave the ground";
            (wishes.asked[0].index, message.to_string())
        }
    };
    let mut helps = vec![stops(model, snapshot, found)];
    let others: Vec<String> = (0..wishes.asked.len())
        .filter(|&k| Some(k) != worst && found.is_missed(targets, k))
        .map(missed)
        .collect();
    if !others.is_empty() {
        helps.push(format!("missed too: {}", others.join(", ")));
    }
    if !wishes.standing.is_empty() {
        let names: Vec<String> =
            wishes.standing.iter().map(|body| format!("`{}`", model.bodies[body.0].name)).collect();
        helps.push(format!("kept standing: {}", names.join(", ")));
    }
    if let Some(index) = inside {
        let name = surface(index);
        helps.push(format!("the pose before `reach` is inside `{name}`: change `position` or `height`"));
    }
    StartPoseError::OutOfReach { index, message, is_missed: worst.is_some(), helps: helps.join("\n") }
}

/// The limits that prevent the targets, as text.
fn stops(model: &Model, snapshot: &Snapshot, found: &Reached) -> String {
    let name = |stop: &Stop| match *stop {
        Stop::Joint { coordinate, limit } => format!("`{}` at {limit}", model.dof_names[coordinate]),
        Stop::Surface { body, surface } => {
            format!("`{}` on `{}`", model.bodies[body.0].name, snapshot.contacts.surfaces[surface].name)
        }
    };
    let stops: Vec<String> = found.stops.iter().take(MOST_NAMED).map(name).collect();
    match stops.is_empty() {
        true => "no joint limit stops it: the targets are farther apart than the body is long".to_string(),
        false => format!("stopped by {}", stops.join(", ")),
    }
}
