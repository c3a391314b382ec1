//! Divided frames: the record of a frame is that of its first part with the mean forces of all parts. The other
//! checks examine the parts one by one.

use super::bench::{Bench, Passage};
use super::{AuditCheck, Gauge};
use aplomb_trace::{CharacterFrame, Ending, Trace};

struct Parts {
    record: Gauge,
    count: Gauge,
    dt: f64,
}

pub(super) fn make(bench: &Bench<'_>) -> Box<dyn AuditCheck> {
    Box::new(Parts {
        record: Gauge::new("record of a divided frame off that of its parts", "1", 0.0),
        count: Gauge::new("divided frames without parts, or parts of frames that are whole", "1", 0.0),
        dt: bench.header.dt,
    })
}

impl AuditCheck for Parts {
    fn look(&mut self, _: &Passage<'_>) {}

    fn close(&mut self, trace: &Trace, _: Option<&Ending>) {
        let mut rest = &*trace.parts;
        let mut steps = trace.steps().into_iter().filter(|step| step.is_first);
        for frame in &trace.frames {
            let (parts, later) = rest.split_at(rest.partition_point(|part| part.index <= frame.index));
            rest = later;
            let dt_before = steps.next().map_or(self.dt, |first| first.dt_before);
            if frame.is_divided() == parts.is_empty() {
                self.count.read(1.0, frame, || format!("{} parts", parts.len()));
                continue;
            }
            if parts.is_empty() {
                continue;
            }
            let records: Vec<CharacterFrame> = parts.iter().map(|part| part.character_record()).collect();
            let is_same = CharacterFrame::joined(&records, self.dt, dt_before) == frame.character_record();
            self.record.read(f64::from(!is_same), frame, String::new);
        }
    }

    fn gauges(&self) -> Vec<&Gauge> {
        vec![&self.record, &self.count]
    }
}
