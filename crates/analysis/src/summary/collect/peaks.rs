//! Largest torques.

use super::Summariser;
use crate::summary::Peak;
use crate::summary::body::Moves;
use crate::summary::poses::RecordedPoses;
use aplomb_trace::Frame;

impl Summariser {
    pub(super) fn moves(&mut self, last: &Frame) -> Option<Moves> {
        let mut body = self.body.take()?;
        if let Some(posed) = self.poses.as_mut().and_then(RecordedPoses::latest) {
            body.add(last, posed);
        }
        let RecordedPoses { model, .. } = self.poses.as_ref()?;
        let landing = body.landing_torques();
        let mut peaks: Vec<Peak> = self.joints.clone().map(|k| self.peak(k, landing[k])).collect();
        peaks.sort_by(|a, b| b.torque.total_cmp(&a.torque));
        peaks.retain(|peak| peak.torque > 0.0);
        Some(body.finish(model, last, self.pushed_until, peaks))
    }

    pub(super) fn peak_torques(&self) -> Vec<Peak> {
        let mut peaks: Vec<Peak> = self.joints.clone().map(|k| self.peak(k, self.peaks[k])).collect();
        peaks.sort_by(|a, b| {
            let by_share = b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0));
            by_share.then(b.torque.total_cmp(&a.torque))
        });
        peaks
    }

    pub(super) fn peak(&self, coordinate: usize, (torque, at): (f64, f64)) -> Peak {
        let limits = self.header.torque_limits.get(coordinate).copied().flatten();
        let limit = limits.map(|[low, high]| if torque < 0.0 { -low } else { high });
        Peak {
            joint: self.header.coordinate_names[coordinate].clone(),
            torque: torque.abs(),
            unit: self.header.force_unit(coordinate),
            limit,
            share: limit.filter(|limit| *limit > 0.0).map(|limit| torque.abs() / limit),
            at,
        }
    }
}
