//! Events of a frame's solution.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A check that a solved frame must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// Held objects, and hands on them, move as the grips predict.
    HeldPrediction,
    /// A ragdoll has a solution within the ranges of its joints.
    ThrownJoint,
    /// No grip exceeds its force limit.
    GripOverload,
    /// A point that reaches a surface is stopped by the surface.
    Arrival,
    /// An impact is solved with the slips that it leads to.
    ImpactSlip,
    /// Joint limits push only where joints reach them.
    JointLimit,
    /// Dry friction of joints opposes their motion, or keeps them from moving within its limit.
    DryFriction,
    /// Separating points have no force.
    Separation,
    /// Friction does not drive any slip.
    FrictionDirection,
    /// If contacts violate their laws after all corrections, joint torques do not suffice.
    Impact,
    /// Sliding points have full friction.
    Creeping,
    /// The bias force is computed at the recorded velocity.
    BiasVelocity,
    /// Contact points end at the positions predicted by their second-order terms.
    PathCurvature,
    /// Parts of the body end at the positions predicted by their constraints.
    LimbPath,
}

impl CheckName {
    /// All checks, in the order in which they run.
    pub const ALL: [CheckName; 14] = [
        CheckName::HeldPrediction,
        CheckName::ThrownJoint,
        CheckName::GripOverload,
        CheckName::Arrival,
        CheckName::ImpactSlip,
        CheckName::JointLimit,
        CheckName::DryFriction,
        CheckName::Separation,
        CheckName::FrictionDirection,
        CheckName::Impact,
        CheckName::Creeping,
        CheckName::BiasVelocity,
        CheckName::PathCurvature,
        CheckName::LimbPath,
    ];

    /// The name used in traces.
    pub fn name(self) -> &'static str {
        match self {
            CheckName::HeldPrediction => "held_prediction",
            CheckName::ThrownJoint => "thrown_joint",
            CheckName::GripOverload => "grip_overload",
            CheckName::Arrival => "arrival",
            CheckName::ImpactSlip => "impact_slip",
            CheckName::JointLimit => "joint_limit",
            CheckName::DryFriction => "dry_friction",
            CheckName::Separation => "separation",
            CheckName::FrictionDirection => "friction_direction",
            CheckName::Impact => "impact",
            CheckName::Creeping => "creeping",
            CheckName::BiasVelocity => "bias_velocity",
            CheckName::PathCurvature => "path_curvature",
            CheckName::LimbPath => "limb_path",
        }
    }

    /// The check with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// Description for people.
    pub(crate) fn about(self) -> &'static str {
        match self {
            CheckName::HeldPrediction => "prediction of what is held or pushed",
            CheckName::ThrownJoint => "limits of thrown joints",
            CheckName::GripOverload => "grip overload",
            CheckName::Arrival => "arrival without force",
            CheckName::ImpactSlip => "slip in an impact",
            CheckName::JointLimit => "joint-limit release",
            CheckName::DryFriction => "dry friction of joints",
            CheckName::Separation => "separation under force",
            CheckName::FrictionDirection => "friction direction",
            CheckName::Impact => "impact",
            CheckName::Creeping => "creeping contacts",
            CheckName::BiasVelocity => "bias velocity",
            CheckName::PathCurvature => "path curvature",
            CheckName::LimbPath => "paths of limbs",
        }
    }
}

/// The reason why a frame was solved as an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImpactCause {
    /// The frame had no solution otherwise.
    Infeasible,
    /// Contacts violated their laws in every solution.
    Contacts,
}

impl ImpactCause {
    /// The name used in traces.
    pub fn name(self) -> &'static str {
        match self {
            ImpactCause::Infeasible => "infeasible",
            ImpactCause::Contacts => "contacts",
        }
    }

    /// The cause with this name.
    pub fn named(name: &str) -> Option<Self> {
        [ImpactCause::Infeasible, ImpactCause::Contacts].into_iter().find(|cause| cause.name() == name)
    }
}

impl FrameEvent {
    /// Name of the event in traces.
    pub fn name(self) -> &'static str {
        match self {
            FrameEvent::Impact { .. } => "impact",
            FrameEvent::SecondSolver => "second_solver",
            FrameEvent::CapReached { .. } => "cap_reached",
            FrameEvent::Unresolved { .. } => "unresolved",
            FrameEvent::Unbraked => "unbraked",
            FrameEvent::Exhausted => "exhausted",
            FrameEvent::Divided => "divided",
        }
    }
}

/// A compromise in a frame's solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum FrameEvent {
    /// The frame was solved as an impact.
    Impact {
        /// Cause of the impact.
        because: ImpactCause,
    },
    /// The scene's solver found no solution, and the reference solver was used.
    SecondSolver,
    /// A check used up its corrections and applied its last one: it removed friction or force at points, pinned
    /// points to their surface, or computed the bias force at the velocity before the frame.
    CapReached {
        /// The check that used up its corrections.
        check: CheckName,
    },
    /// The frame was accepted although a check found an error.
    Unresolved {
        /// The check that still requested a correction.
        check: CheckName,
    },
    /// Joints were not slowed before their limits, because joint torques did not suffice.
    Unbraked,
    /// The number of solves of the frame reached its bound.
    Exhausted,
    /// The frame was computed in parts, because it was too long for its motion.
    Divided,
}

/// Description of the measures taken in an impact.
const IMPACT: &str = "impact: torques kept, objectives left out, least kinetic energy";

impl fmt::Display for FrameEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameEvent::Impact { because: ImpactCause::Infeasible } => {
                write!(f, "{IMPACT}; there was no other solution")
            }
            FrameEvent::Impact { because: ImpactCause::Contacts } => {
                write!(f, "{IMPACT}; contacts were inconsistent otherwise")
            }
            FrameEvent::SecondSolver => write!(f, "second solver asked"),
            FrameEvent::CapReached { check } => write!(f, "cap of `{}` reached", check.about()),
            FrameEvent::Unresolved { check } => write!(f, "`{}` left unresolved", check.about()),
            FrameEvent::Unbraked => {
                write!(f, "joints not slowed before their limits: torques could not do it")
            }
            FrameEvent::Exhausted => write!(f, "all solves of a frame used"),
            FrameEvent::Divided => write!(f, "computed in parts: too fast for one frame"),
        }
    }
}
