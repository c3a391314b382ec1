//! What else happened on the way to a frame's solution.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A check that a solved frame has to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckName {
    /// What hands hold, and the hands, go where grips expect it.
    HeldPrediction,
    /// A body without joint torques has a solution within the ranges of its joints.
    ThrownJoint,
    /// No grip bears more than its limit.
    GripOverload,
    /// What comes to a surface is stopped by the surface.
    Arrival,
    /// An impact is solved with the slips that it leads to.
    ImpactSlip,
    /// Stops push where joints come to them.
    JointLimit,
    /// Dry friction of joints opposes their motion, or keeps them still with no more than there is of it.
    DryFriction,
    /// What parts has no force.
    Separation,
    /// Friction drives no slip.
    FrictionDirection,
    /// What contacts cannot do is more than joint torques can do.
    Impact,
    /// What slides has all its friction.
    Creeping,
    /// The bias force is taken where it is said to be taken.
    BiasVelocity,
    /// Touching points end where their second-order terms say.
    PathCurvature,
}

impl CheckName {
    /// All checks, in the order in which they run.
    pub const ALL: [CheckName; 13] = [
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
    ];

    /// The name that traces use.
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
        }
    }

    /// The check of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }

    /// In words for people.
    pub fn about(self) -> &'static str {
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
        }
    }
}

/// Why a frame was solved as an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImpactCause {
    /// It had no solution otherwise.
    Infeasible,
    /// Contacts did in every solution what they cannot.
    Contacts,
}

impl ImpactCause {
    /// The name that traces use.
    pub fn name(self) -> &'static str {
        match self {
            ImpactCause::Infeasible => "infeasible",
            ImpactCause::Contacts => "contacts",
        }
    }

    /// The cause of that name.
    pub fn named(name: &str) -> Option<Self> {
        [ImpactCause::Infeasible, ImpactCause::Contacts].into_iter().find(|cause| cause.name() == name)
    }
}

impl FrameEvent {
    /// What happened, as it stands in traces.
    pub fn name(self) -> &'static str {
        match self {
            FrameEvent::Impact { .. } => "impact",
            FrameEvent::SecondSolver => "second_solver",
            FrameEvent::CapReached { .. } => "cap_reached",
            FrameEvent::Unresolved { .. } => "unresolved",
            FrameEvent::Unbraked => "unbraked",
            FrameEvent::Exhausted => "exhausted",
        }
    }
}

/// Something a frame did beside being solved: a way out that it took, or something that it gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum FrameEvent {
    /// It was solved as an impact.
    Impact {
        /// What led to the impact.
        because: ImpactCause,
    },
    /// The scene's solver found nothing, and the reference solver was asked.
    SecondSolver,
    /// A check had the frame solved again as often as it may, and did what it does then: friction or force at points
    /// given up, points held to their surface, the velocity of the bias force taken from the start of the frame.
    CapReached {
        /// The check whose number of corrections was used up.
        check: CheckName,
    },
    /// The frame was accepted though a check was not content with it.
    Unresolved {
        /// The check that still had a correction to make.
        check: CheckName,
    },
    /// Joints were not slowed before their limits: joint torques could not do it.
    Unbraked,
    /// The frame was solved as often as a frame may be.
    Exhausted,
}

/// What is done in an impact.
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
        }
    }
}
