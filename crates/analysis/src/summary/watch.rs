//! Quantities that are accumulated frame by frame, each by its own type.

use super::effort::Effort;
use super::poses::Posed;
use super::root::{RootCheck, RootResiduals};
use aplomb_body::model::Model;
use aplomb_trace::{Frame, Header};
use std::ops::Range;

#[derive(Default)]
pub(super) struct FrameWatch {
    pub effort: Effort,
    root: Option<RootCheck>,
    /// Largest deviation of a coupled joint over all records; `None` without coupled joints.
    pub coupling_error: Option<f64>,
}

impl FrameWatch {
    /// A watch over a run of `model`.
    pub(super) fn new(model: &Model, header: &Header) -> Self {
        let root = RootCheck::new(model, header);
        let coupling_error = (!header.coupled.is_empty()).then_some(0.0);
        FrameWatch { effort: Effort::default(), root, coupling_error }
    }

    /// Adds a frame; `joints`: the coordinates with actuated joints.
    pub(super) fn add(&mut self, frame: &Frame, joints: &Range<usize>, posed: Option<Posed<'_>>) {
        self.effort.add(frame, joints);
        self.add_last(frame, posed);
    }

    /// Adds the last record of a run, which has no forces.
    pub(super) fn add_last(&mut self, frame: &Frame, posed: Option<Posed<'_>>) {
        if let (Some(root), Some(posed)) = (&mut self.root, posed) {
            root.add(frame, posed);
        }
        if let Some(worst) = &mut self.coupling_error {
            *worst = frame.coupling_error.iter().fold(*worst, |worst, error| worst.max(error.abs()));
        }
    }

    /// `None` for a body that is fixed to the world.
    pub(super) fn root_residuals(&self) -> Option<RootResiduals> {
        self.root.as_ref().map(RootCheck::residuals)
    }
}
