//! A character ready to move: its model, senses, controller and synthesiser, bound from files.

use crate::contact::Contacts;
use crate::controller::{ControllerSpec, Machine, ObjectiveTerms};
use crate::diagnostic::{FileError, Source};
use crate::expression::{BodyChoice, Condition};
use crate::model::Model;
use crate::objective::{Binder, Objective};
use crate::qp::Label;
use crate::quantity::ModelNames;
use crate::scales::Scales;
use crate::scene::SceneFiles;
use crate::sense::Sense;
use crate::state::State;
use crate::synthesis::{BUILT_IN_COSTS, Settings, Synthesiser};
use crate::{constraint, rotation, solver};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// An objective of the controller, bound.
pub struct Goal {
    /// Index in the trace's list of objectives; objectives of one name share it.
    pub index: usize,
    pub terms: ObjectiveTerms,
    pub objective: Box<dyn Objective>,
    pub label: Label,
}

/// What a state asks for while it lasts.
#[derive(Default)]
pub struct StateGoals {
    pub goals: Vec<Goal>,
    /// Bodies whose contacts are given up.
    pub release: Vec<BodyChoice>,
}

/// One who acts.
pub struct Character {
    pub name: String,
    pub model: Model,
    pub sense: Sense,
    pub machine: Machine,
    /// By state, in file order.
    pub states: Vec<StateGoals>,
    /// Names of all costs of the trace: the built-in ones, then the controller's.
    pub objectives: Vec<String>,
    pub synthesiser: Synthesiser,
    /// v^{N−1}
    pub previous_velocity: Vec<f64>,
    /// Frames since the run began or the set of bearing contacts last changed.
    pub steady_frames: u32,
    /// Slots that bore in the frame before.
    pub bearing: Vec<usize>,
}
