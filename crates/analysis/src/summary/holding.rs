//! The loads of grips, and their accuracy.

use super::Holding;
use aplomb_trace::{ContactKind, Frame};
use nalgebra::Vector3;

/// Time after which a grip counts for the error, s.
const CLOSED_AFTER: f64 = 0.2;

/// Tracks the grips of a run.
#[derive(Default)]
pub(super) struct Holds {
    /// Site, hold and start time, s, of each grip in the previous frame.
    held: Vec<(String, String, f64)>,
    taken: u64,
    /// Force, N, the part that carried it, and the time, s.
    strongest: Option<(f64, String, f64)>,
    /// Largest distance from the hold, m.
    error: Option<f64>,
}

impl Holds {
    /// Adds a frame. A failed frame records no contacts and is ignored.
    pub(super) fn add(&mut self, frame: &Frame) {
        let is_hold = |kind: ContactKind| matches!(kind, ContactKind::Grip | ContactKind::Stand);
        let mut held = Vec::new();
        for grip in frame.contacts.iter().filter(|contact| is_hold(contact.kind)) {
            let of_before =
                |(site, hold, _): &&(String, String, f64)| *site == grip.name && *hold == grip.surface;
            let since = match self.held.iter().find(of_before) {
                Some((.., since)) => *since,
                None => {
                    self.taken += 1;
                    frame.time
                }
            };
            let force = Vector3::from(grip.force).norm();
            if self.strongest.as_ref().is_none_or(|(most, ..)| force > *most) {
                self.strongest = Some((force, grip.name.clone(), frame.time));
            }
            if frame.time > since + CLOSED_AFTER - 1e-9 {
                self.error = Some(self.error.map_or(grip.gap, |most| most.max(grip.gap)));
            }
            held.push((grip.name.clone(), grip.surface.clone(), since));
        }
        self.held = held;
    }

    /// The result; `limit`: force at which a grip breaks, N. `None` without grips.
    pub(super) fn finish(self, limit: Option<f64>) -> Option<Holding> {
        let (force, site, at) = self.strongest?;
        let share = limit.map(|limit| force / limit);
        Some(Holding { taken: self.taken, force, limit, share, site, at, error: self.error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_trace::Contact;

    fn frame(time: f64, force: f64, gap: f64) -> Frame {
        let grip = Contact {
            name: "left_hand_grip".into(),
            body: "left_hand".into(),
            surface: "bar".into(),
            point: [0.0; 3],
            normal: [0.0, 0.0, 1.0],
            force: [0.0, 0.6 * force, 0.8 * force],
            friction: 1.0,
            kind: ContactKind::Grip,
            gap,
        };
        Frame { time, contacts: vec![grip], ..Frame::default() }
    }

    #[test]
    fn the_strongest_force_counts_always_and_the_error_once_the_grip_has_closed() {
        let mut holds = Holds::default();
        holds.add(&frame(0.0, 100.0, 0.03));
        holds.add(&frame(0.1, 300.0, 0.01));
        holds.add(&frame(0.2, 200.0, 1e-5));
        holds.add(&frame(0.3, 200.0, 1e-6));
        holds.add(&Frame { time: 0.4, ..Frame::default() });
        holds.add(&frame(0.5, 100.0, 0.02));
        let found = holds.finish(Some(1200.0)).expect("held");
        assert_eq!((found.taken, found.site.as_str(), found.at), (2, "left_hand_grip", 0.1));
        assert!((found.force - 300.0).abs() < 1e-9 && (found.share.expect("a limit") - 0.25).abs() < 1e-12);
        assert_eq!(found.error, Some(1e-5));
        assert_eq!(Holds::default().finish(None), None);
    }
}
