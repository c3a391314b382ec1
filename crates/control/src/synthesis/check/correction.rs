//! Corrections of a frame, as they are found.

use crate::predict::{FrictionMode, StopColumn};
use crate::synthesis::CheckName;
use aplomb_body::contact::{ContactMode, FrictionStep};
use aplomb_body::dynamics::BiasVelocity;
use nalgebra::Vector3;

/// One change to the problem of a frame. Touches and grips by index in the snapshot's lists; world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Correction {
    /// What is held goes elsewhere under the forces found: finds out anew where.
    RepredictHeld,
    /// The way of a grip's site bends by this acceleration, m/s².
    BendGrip {
        /// Index into the snapshot's grips.
        grip: usize,
        /// Acceleration to be added to the grip's site, m/s², world axes.
        acceleration: Vector3<f64>,
    },
    /// The way of a point that someone else holds bends by this acceleration, m/s².
    BendBorne {
        /// Index into the snapshot's borne points.
        borne: usize,
        /// Acceleration of the point, m/s², world axes.
        acceleration: Vector3<f64>,
    },
    /// The stops of a velocity coordinate may react, though they are not near.
    StopsReact {
        /// Index of the velocity coordinate.
        coordinate: usize,
    },
    /// Dry friction of a joint is on another branch of its law.
    Rub {
        /// Index of the velocity coordinate.
        coordinate: usize,
        /// The branch.
        mode: FrictionMode,
    },
    /// A grip gives way.
    BreakGrip {
        /// Index into the snapshot's grips.
        grip: usize,
    },
    /// A point gets a force.
    Load {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Mode in which it bears.
        mode: ContactMode,
    },
    /// A point loses its force.
    Unload {
        /// Index into the snapshot's contact points.
        touch: usize,
    },
    /// A point is held to its surface.
    Pin {
        /// Index into the snapshot's contact points.
        touch: usize,
    },
    /// Friction may not push a point along this slip, m/s.
    Bar {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Slip direction to be excluded, m/s, world axes.
        slip: Vector3<f64>,
    },
    /// A point loses its friction.
    Smooth {
        /// Index into the snapshot's contact points.
        touch: usize,
    },
    /// A point of an impact slides like this, m/s.
    Slip {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Slip velocity that friction is to oppose, m/s, world axes.
        slip: Vector3<f64>,
    },
    /// A point sticks where it is, as far as friction can keep it there.
    Keep {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// How firmly: `Kept` or `Fixed`.
        step: FrictionStep,
    },
    /// A point slides, with all its friction against this slip.
    Slide {
        /// Index into the snapshot's contact points.
        touch: usize,
        /// Slip in the last solve, m/s, world axes.
        slip: Vector3<f64>,
    },
    /// A stop loses its reaction.
    ReleaseStop(StopColumn),
    /// A joint is held at its stop.
    HoldAtStop(StopColumn),
    /// The frame is an impact.
    Impact,
    /// The bias force is taken at this velocity, and linearised about the last solve.
    Linearise(BiasVelocity),
}

/// How often each check has had a frame solved again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rounds([u32; CheckName::ALL.len()]);

impl Rounds {
    /// Times this check has.
    pub fn of(&self, check: CheckName) -> u32 {
        self.0[check as usize]
    }

    /// Forgets all corrections; called at the beginning of a frame.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Counts one more.
    pub fn count(&mut self, check: CheckName) {
        self.0[check as usize] += 1;
    }
}

/// What the checks found in one solution. Memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub(super) list: Vec<(CheckName, Correction)>,
    /// Checks that were not content and may not have the frame solved again.
    unresolved: Vec<CheckName>,
    /// Checks whose corrections are those of a reached bound.
    pub(super) capped: Vec<CheckName>,
    pub(super) stage: usize,
    asking: Option<CheckName>,
    /// Contacts whose friction drives their slip.
    pub(super) turned: u32,
}

impl Findings {
    /// With room for a body with so many touches and coordinates.
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

    /// What is to be corrected, and by whom it was found.
    pub fn list(&self) -> &[(CheckName, Correction)] {
        &self.list
    }

    /// Whether the check found something to correct.
    pub fn is_by(&self, check: CheckName) -> bool {
        self.list.iter().any(|(by, _)| *by == check)
    }

    /// Checks whose corrections are those of a reached bound.
    pub fn capped(&self) -> &[CheckName] {
        &self.capped
    }

    /// Checks that are not content, and have used up their rounds.
    pub fn unresolved(&self) -> &[CheckName] {
        &self.unresolved
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.unresolved.clear();
        self.capped.clear();
        self.turned = 0;
    }

    /// What comes next is found by checks of this stage.
    pub(super) fn begin(&mut self, stage: usize) {
        self.stage = stage;
    }

    /// What comes next is found by this check.
    pub(super) fn enter(&mut self, check: CheckName) {
        self.asking = Some(check);
    }

    pub(super) fn push(&mut self, correction: Correction) {
        self.list.extend(self.asking.map(|check| (check, correction)));
    }

    /// The check is not content, and has used up its rounds.
    pub(super) fn give_up(&mut self) {
        self.unresolved.extend(self.asking);
    }

    /// What the check corrects is what it does once it has used up its rounds.
    pub(super) fn cap(&mut self) {
        if self.capped.last() != self.asking.as_ref() {
            self.capped.extend(self.asking);
        }
    }

    pub(super) fn turn(&mut self, count: u32) {
        self.turned += count;
    }

    /// Whether a point loses its force.
    pub(super) fn unloads(&self, touch: usize) -> bool {
        self.list.iter().any(|(_, correction)| *correction == Correction::Unload { touch })
    }
}
