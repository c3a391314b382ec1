//! Poses of the body at the records of a run, computed once for all users.

use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::Model;
use aplomb_trace::Frame;

/// Poses at the latest record and at the previous one.
pub(super) struct RecordedPoses {
    pub model: Model,
    before: Kinematics,
    now: Kinematics,
    /// Number of successive records with poses.
    records: u64,
}

/// Poses of the body at a record.
pub(super) struct Posed<'a> {
    pub model: &'a Model,
    /// Poses at this record.
    pub now: &'a Kinematics,
    /// Poses at the previous record, for velocities and inertias there; `None` at the first one.
    pub before: Option<&'a mut Kinematics>,
}

impl RecordedPoses {
    pub(super) fn new(model: &Model) -> Self {
        RecordedPoses {
            before: Kinematics::new(model),
            now: Kinematics::new(model),
            records: 0,
            model: model.clone(),
        }
    }

    /// Adds a record. A record of another body has no poses.
    pub(super) fn add(&mut self, frame: &Frame) {
        if frame.q.len() != self.model.nq {
            self.records = 0;
            return;
        }
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.update_poses(&self.model, &frame.q);
        self.records += 1;
    }

    /// The body at the latest record, if that has poses.
    pub(super) fn latest(&mut self) -> Option<Posed<'_>> {
        let RecordedPoses { model, before, now, records } = self;
        (*records > 0).then_some(Posed { model, now, before: (*records > 1).then_some(before) })
    }
}
