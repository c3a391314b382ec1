//! Corrections of a frame.

use crate::predict::{FrictionMode, SelfContactColumn, StopColumn};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, FrictionStep};
use aplomb_body::dynamics::BiasVelocity;
use nalgebra::Vector3;

/// One change of the problem of a frame. Contact points and grips by index in the snapshot's lists; world
/// axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Correction {
    /// Predict the motion of held objects again, under the present forces.
    RepredictHeld,
    /// Add this acceleration to the path of a grip's site, m/s².
    BendGrip {
        /// Index into the snapshot's grips.
        grip: usize,
        /// Acceleration to be added to the grip's site, m/s², world axes.
        acceleration: Vector3<f64>,
    },
    /// Add this acceleration to the path of a point that another character acts on, m/s².
    BendBorne {
        /// Index into the snapshot's reaction points.
        borne: usize,
        /// Acceleration of the point, m/s², world axes.
        acceleration: Vector3<f64>,
    },
    /// Add reactions of the limits of a velocity coordinate, although they are not near.
    StopsReact {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Change the branch of a joint's dry friction.
    Rub {
        /// Index of the velocity coordinate.
        coordinate: usize,
        /// The new branch.
        mode: FrictionMode,
    },
    /// Break a grip.
    BreakGrip {
        /// Index into the snapshot's grips.
        grip: usize,
    },
    /// Give a contact point a force.
    Load {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Its new mode.
        mode: ContactMode,
    },
    /// Remove the force of a contact point.
    Unload {
        /// Index into the snapshot's contact points.
        touch: usize,
    },
    /// Pin a contact point to its surface.
    Pin {
        /// Index into the snapshot's contact points.
        touch: usize,
    },
    /// Exclude friction on a contact point along this slip, m/s.
    Bar {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Slip direction to be excluded, m/s, world axes.
        slip: Vector3<f64>,
    },
    /// Remove the friction of a contact point.
    Smooth {
        /// Index into the snapshot's contact points.
        touch: usize,
    },
    /// Set the slip of a contact point in an impact, m/s.
    Slip {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Slip velocity that friction should oppose, m/s, world axes.
        slip: Vector3<f64>,
    },
    /// Make a contact point stick, as far as friction allows.
    Keep {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Stiffness: `Kept` or `Fixed`.
        step: FrictionStep,
    },
    /// Make a contact point slide, with full friction against this slip.
    Slide {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Slip in the last solve, m/s, world axes.
        slip: Vector3<f64>,
    },
    /// Remove the reaction of a joint limit.
    ReleaseStop(StopColumn),
    /// Hold a joint at its limit.
    HoldAtStop(StopColumn),
    /// Add a force between two parts of the body.
    Press(SelfContactColumn),
    /// Remove the force between two parts of the body.
    LetGo {
        /// Indices of the two geoms.
        geoms: [usize; 2],
    },
    /// Solve the frame as an impact.
    Impact,
    /// Evaluate the constraints again, which use the final poses of the last solve.
    Reevaluate,
    /// Solve the frame with the equations of motion of the root instead of the momentum balances.
    DropBalances,
    /// Compute the bias force at this velocity, and linearise about the last solve.
    Linearise(BiasVelocity),
}

/// Number of further solves requested by each check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds([u32; CheckName::ALL.len()]);

impl Rounds {
    /// Number for this check.
    pub(crate) fn of(&self, check: CheckName) -> u32 {
        self.0[check as usize]
    }

    /// Resets all numbers at the beginning of a frame.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Increments the number for a check.
    pub fn count(&mut self, check: CheckName) {
        self.0[check as usize] += 1;
    }
}

/// Findings of the checks in one solution. The memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub(super) list: Vec<(CheckName, Correction)>,
    /// Checks that found an error but have used up their rounds.
    unresolved: Vec<CheckName>,
    /// Checks that applied their last correction.
    pub(super) capped: Vec<CheckName>,
    pub(super) stage: usize,
    asking: Option<CheckName>,
    /// Contacts whose friction accelerates their slip.
    pub(super) turned: u32,
}

impl Findings {
    /// Allocates for a body with this many contact points and coordinates.
    pub fn with_capacity(touches: usize, coordinates: usize) -> Self {
        let most = CheckName::ALL.len();
        Findings {
            list: Vec::with_capacity(3 * touches + 3 * coordinates),
            unresolved: Vec::with_capacity(most),
            capped: Vec::with_capacity(most),
            stage: 0,
            asking: None,
            turned: 0,
        }
    }

    /// The corrections, each with the check that found it.
    pub fn list(&self) -> &[(CheckName, Correction)] {
        &self.list
    }

    /// Whether the check found something to correct.
    pub fn is_by(&self, check: CheckName) -> bool {
        self.list.iter().any(|(by, _)| *by == check)
    }

    /// Checks that applied their last correction.
    pub fn capped(&self) -> &[CheckName] {
        &self.capped
    }

    /// Checks that found an error and have used up their rounds.
    pub fn unresolved(&self) -> &[CheckName] {
        &self.unresolved
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.unresolved.clear();
        self.capped.clear();
        self.turned = 0;
    }

    /// Begins a stage of checks.
    pub(super) fn begin(&mut self, stage: usize) {
        self.stage = stage;
    }

    /// Begins a check.
    pub(super) fn enter(&mut self, check: CheckName) {
        self.asking = Some(check);
    }

    pub(super) fn push(&mut self, correction: Correction) {
        self.list.extend(self.asking.map(|check| (check, correction)));
    }

    /// Marks the check as unresolved, with its rounds used up.
    pub(super) fn give_up(&mut self) {
        self.unresolved.extend(self.asking);
    }

    /// Marks the check's correction as its last one.
    pub(super) fn cap(&mut self) {
        if self.capped.last() != self.asking.as_ref() {
            self.capped.extend(self.asking);
        }
    }

    pub(super) fn turn(&mut self, count: u32) {
        self.turned += count;
    }

    /// Whether a contact point loses its force.
    pub(super) fn unloads(&self, touch: usize) -> bool {
        self.list.iter().any(|(_, correction)| *correction == Correction::Unload { touch })
    }
}
