//! Quantities of a run's configurations that need the body.

use super::gait::FeetTracker;
use super::parting::Breaking;
use super::poses::Posed;
use super::settling::Joints;
use super::{Apart, BreakForce, Gait, Peak, Settling};
use aplomb_body::model::Model;
use aplomb_control::constraint::BoundCollisionAvoidance;
use aplomb_trace::{Frame, Header};

/// Tracks the body of a run from frame to frame.
pub(super) struct BodyTracker {
    apart: Vec<(BoundCollisionAvoidance, Option<Apart>)>,
    breaking: Breaking,
    feet: FeetTracker,
    joints: Joints,
}

/// The result.
pub(super) struct Moves {
    pub apart: Vec<Apart>,
    pub break_force: Option<BreakForce>,
    pub gait: Gait,
    pub settling: Option<Settling>,
}

impl BodyTracker {
    pub(super) fn new(header: &Header, model: &Model, apart: &[BoundCollisionAvoidance]) -> Self {
        BodyTracker {
            apart: apart.iter().map(|kept| (kept.clone(), None)).collect(),
            breaking: Breaking::new(header),
            feet: FeetTracker::new(header.mass, header.coordinate_names.len(), header.dt),
            joints: Joints::new(model),
        }
    }

    pub(super) fn add(&mut self, frame: &Frame, Posed { model, now, .. }: Posed<'_>) {
        let BodyTracker { apart, breaking, feet, joints } = self;
        for (kept, least) in apart {
            let nearest = least.as_ref().map_or(f64::INFINITY, |least| least.least);
            if let Some((distance, pair)) = kept.least(model, now, nearest) {
                let bodies = pair.shapes.bodies.map(|body| model.bodies[body.0].name.clone());
                *least = Some(Apart { name: kept.name.to_string(), least: distance, at: frame.time, bodies });
            }
        }
        breaking.add(model, now, frame);
        feet.add(model, now, frame);
        joints.add(model, frame);
    }

    /// Signed torque of largest magnitude after a touchdown, and its time, by velocity coordinate.
    pub(super) fn landing_torques(&self) -> &[(f64, f64)] {
        &self.feet.landing
    }

    /// Summarises the tracked quantities. `disturbed`: end of the last push, s.
    pub(super) fn finish(
        self,
        model: &Model,
        last: &Frame,
        disturbed: f64,
        landing_torques: Vec<Peak>,
    ) -> Moves {
        let since = self.feet.last_landing().map_or(disturbed, |landed| landed.max(disturbed));
        Moves {
            apart: self.apart.into_iter().filter_map(|(_, least)| least).collect(),
            break_force: self.breaking.worst,
            gait: self.feet.finish(model, landing_torques),
            settling: self.joints.finish(model, last, since),
        }
    }
}
