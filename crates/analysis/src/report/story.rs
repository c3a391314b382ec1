//! Facts of a run that may explain its failure.

use aplomb_control::synthesis::BindingLimit;
use aplomb_math::seconds::seconds;
use aplomb_qp::{LimitKind, RowKind};
use aplomb_world::FALLEN;
use serde::Serialize;
use std::fmt;

/// Time before the loss of balance over which limits are counted, s.
pub(super) const BEFORE: f64 = 0.3;
/// Height of the COM, as a share of that in the rest pose, above which a character is upright.
const UPRIGHT: f64 = 0.85;

/// Duration of a flight below which it is not reported, s.
const FLIGHT: f64 = 0.1;

/// Facts of one frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoryMoment {
    /// Time, s.
    pub(crate) time: f64,
    /// Centre of mass, m.
    pub(crate) com: [f64; 3],
    /// Height of the COM above the ground as a share of that in the rest pose.
    pub(crate) height: f64,
    /// Distance of the capture point from the edge of the support polygon, m: negative outside, −∞ in flight.
    pub(crate) margin: f64,
    /// Distance of the centre of pressure from that edge, m; `None` without ground force.
    pub(crate) pressure: Option<f64>,
    /// Friction utilisation, Σ|f_t| / Σ μ f_n; `None` without force.
    pub(crate) friction: Option<f64>,
    /// Bodies that carry a share of the weight.
    pub(crate) bearing: Vec<String>,
    /// Bodies among these that slide in this frame.
    pub(crate) sliding: Vec<String>,
    /// Whether a hand holds a hold.
    pub(crate) hangs: bool,
    /// Name of the controller's state in this frame.
    pub(crate) state: String,
    /// Active limits with a force, as indices of [`Story::labels`].
    pub(crate) binding: Vec<usize>,
}

/// A push of the scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shove {
    /// Start time, s.
    pub(crate) time: f64,
    /// Name of the push in the scene, or of the object that hit.
    pub(crate) name: String,
    /// Whether a passive object hit.
    pub(crate) is_hit: bool,
    /// Its impulse divided by the largest one that the linear inverted pendulum survives without a step.
    pub(crate) share: Option<f64>,
}

/// A time span in which a reaction delay kept joint torques at their values, s.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReactionDelaySpan {
    /// Start time, s.
    pub from: f64,
    /// End time, s.
    pub to: f64,
}

/// An event of the scene that moved, removed or added a surface.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SurfaceEvent {
    /// Name in the scene.
    pub(crate) name: String,
    /// Start time, s.
    pub(crate) from: f64,
    /// End time, s.
    pub(crate) to: f64,
}

/// A new contact of a body without one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Touchdown {
    /// Time, s.
    pub(crate) time: f64,
    /// Name of the body that touched down.
    pub(crate) body: String,
    /// Name of the surface it touched.
    pub(crate) surface: String,
}

/// A limit that was active in some of the frames before a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ActiveLimit<'a> {
    pub label: &'a str,
    /// Share of the frames.
    pub share: f64,
}

/// All facts of a run that may explain its failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Story {
    /// One entry per frame, in order.
    pub(crate) moments: Vec<StoryMoment>,
    /// Kinds and labels of active limits with a force.
    pub(crate) labels: Vec<(LimitKind, String)>,
    /// Pushes of the scene, in its order.
    pub(crate) pushes: Vec<Shove>,
    /// Events that moved, removed or added a surface, in order of time.
    pub(crate) surface_events: Vec<SurfaceEvent>,
    /// Time spans of reaction delays.
    pub(crate) held: Vec<ReactionDelaySpan>,
    /// Touchdowns in order of time.
    pub(crate) touchdowns: Vec<Touchdown>,
    /// Times of the frames with relaxed rows, s.
    pub(crate) relaxed: Vec<f64>,
    /// Times of the frames without a solution, s.
    pub(crate) failed: Vec<f64>,
    /// First time at which the controller could not leave a state that it had to leave, s, with a
    /// description.
    pub(crate) stuck: Option<(f64, String)>,
    /// Whether there is no gravity, and so no balance.
    pub(crate) is_weightless: bool,
}

/// An interval in which nothing supported the character.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Flight {
    /// Start time, s.
    pub(crate) from: f64,
    /// Time at which something supported it again, s; `None` if it was in flight at the end of the run.
    pub(crate) to: Option<f64>,
    /// Height of the centre of mass at its start and at its end, m.
    pub(crate) heights: [f64; 2],
}

impl fmt::Display for Flight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, low] = self.heights;
        match self.to {
            Some(to) => {
                write!(f, "it had no loaded contact from {} to {to} s", seconds(self.from), to = seconds(to))?
            }
            None => write!(f, "it had no loaded contact from {} s to the end", seconds(self.from))?,
        }
        let way = if low < high { "dropped" } else { "rose" };
        write!(f, ", and its centre of mass {way} from {high:.2} to {low:.2} m")
    }
}

/// Whether nothing supports the character: then it has no balance to lose.
fn is_in_flight(moment: &StoryMoment) -> bool {
    moment.margin == f64::NEG_INFINITY && moment.bearing.is_empty() && !moment.hangs
}

/// Whether the character is in balance: when hanging, the capture point may be outside the support polygon.
fn is_in_balance(moment: &StoryMoment) -> bool {
    moment.margin >= 0.0 || moment.hangs
}

/// Time from the first moment to the last, s.
fn span(moments: &[StoryMoment]) -> f64 {
    moments.first().zip(moments.last()).map_or(0.0, |(first, last)| last.time - first.time)
}

/// The longest time out of balance, s; 0 if it never was.
fn longest_out(moments: &[StoryMoment]) -> f64 {
    moments.split(is_in_balance).map(span).fold(0.0, f64::max)
}

impl Story {
    /// Adds a moment with the limits that were active in it.
    pub(crate) fn add(&mut self, mut moment: StoryMoment, binding: &[BindingLimit]) {
        for limit in binding {
            let is_known = |(kind, label): &(LimitKind, String)| *kind == limit.kind && *label == limit.label;
            let place = self.labels.iter().position(is_known).unwrap_or_else(|| {
                self.labels.push((limit.kind, limit.label.clone()));
                self.labels.len() - 1
            });
            moment.binding.push(place);
        }
        self.moments.push(moment);
    }

    /// Adds a frame from `from` to `to` in which an event acted on a surface.
    pub(crate) fn move_surface(&mut self, name: &str, from: f64, to: f64) {
        let mut known = self.surface_events.iter_mut();
        match known.find(|event| event.name == name) {
            Some(event) => event.to = to,
            None => self.surface_events.push(SurfaceEvent { name: name.to_owned(), from, to }),
        }
    }

    /// Adds a frame from `from` to `to` in which joint torques were kept constant.
    pub(crate) fn hold(&mut self, from: f64, to: f64) {
        match self.held.last_mut() {
            Some(held) if from < held.to + 0.5 * (to - from) => held.to = to,
            _ => self.held.push(ReactionDelaySpan { from, to }),
        }
    }

    /// Time at which the capture point finally left the support polygon, s, and the state then; `None` if it was
    /// inside at the end. A hanging character needs no capture point inside, and a character in flight has no
    /// support: then the time at which something supports it again is used. Events after the character has fallen are
    /// ignored: a lying character is in balance. A run that ends in the middle of a gait is ignored too: the capture
    /// point has been outside no longer than before it last returned, and the character is upright.
    pub(crate) fn balance_lost(&self) -> Option<(f64, &str)> {
        if self.is_weightless {
            return None;
        }
        let standing = self.standing();
        let lost = standing.iter().rposition(is_in_balance).map_or(0, |last| last + 1);
        let (before, since) = standing.split_at(lost);
        let is_upright = self.moments.last().is_some_and(|moment| moment.height >= UPRIGHT);
        let longest = longest_out(before);
        let goes_on = is_upright && longest > 0.0 && longest >= span(since);
        let let_go = since.first().filter(|moment| self.hung_before(moment.time));
        let lost = let_go.or_else(|| since.iter().find(|moment| !is_in_flight(moment)));
        lost.filter(|_| !goes_on).map(|moment| (moment.time, moment.state.as_str()))
    }

    /// The flight at the start of the run, otherwise the last one before the loss of balance if balance was lost at
    /// the landing, otherwise the one at the end; `None` for a flight that ends immediately.
    pub(crate) fn flight(&self) -> Option<Flight> {
        let lost = self.balance_lost().map_or(f64::INFINITY, |(time, _)| time);
        let before = self.moments.partition_point(|moment| moment.time < lost);
        let last =
            self.moments[..before].iter().rposition(|moment| !is_in_flight(moment)).map_or(0, |at| at + 1);
        let last = (last < before).then_some(last);
        let from = self.moments.first().filter(|moment| is_in_flight(moment)).map(|_| 0).or(last)?;
        let rest = &self.moments[from..];
        let first = rest.first()?;
        let landed = rest.iter().find(|moment| !is_in_flight(moment));
        let end = landed.or(rest.last())?;
        let heights = [first.com[2], end.com[2]];
        (end.time - first.time >= FLIGHT - 1e-9).then(|| Flight {
            from: first.time,
            to: landed.map(|end| end.time),
            heights,
        })
    }

    /// Whether the run ended with a landing, too early to judge it.
    pub(crate) fn has_just_landed(&self) -> bool {
        let landed = self.flight().and_then(|flight| flight.to);
        landed.zip(self.moments.last()).is_some_and(|(landed, last)| last.time - landed < FLIGHT)
    }

    /// Whether nothing supports the character at the moment with this index.
    pub(crate) fn is_in_flight(&self, place: usize) -> bool {
        self.moments.get(place).is_some_and(is_in_flight)
    }

    /// Whether the character was hanging at the moment before `time`.
    pub(crate) fn hung_before(&self, time: f64) -> bool {
        let before = self.moments.iter().take_while(|moment| moment.time < time - 1e-9);
        before.last().is_some_and(|moment| moment.hangs)
    }

    /// The moments before the character had fallen.
    pub(crate) fn standing(&self) -> &[StoryMoment] {
        let end = self.moments.iter().position(|moment| moment.height < FALLEN && !moment.hangs);
        &self.moments[..end.unwrap_or(self.moments.len())]
    }

    /// The moments of the last `BEFORE` seconds up to `time`.
    pub(crate) fn just_before(&self, time: f64) -> impl Iterator<Item = &StoryMoment> {
        let near = time - BEFORE - 1e-9..=time + 1e-9;
        self.moments.iter().filter(move |moment| near.contains(&moment.time))
    }

    /// The limit, other than a gap, that was the first to become active after `time`, before the character
    /// had fallen, and when, s.
    pub(crate) fn first_bound_after(&self, time: f64) -> Option<(&str, f64)> {
        let later = self.standing().iter().filter(|moment| moment.time > time + 1e-9);
        later.flat_map(|moment| moment.binding.iter().map(|label| (*label, moment.time))).find_map(
            |(label, at)| {
                let (kind, name) = &self.labels[label];
                let is_gap = matches!(kind, LimitKind::Row(RowKind::Gap { .. }));
                (!is_gap).then_some((name.as_str(), at))
            },
        )
    }

    /// The limits that were active in the frames up to `time`, with the share of frames: the most frequent
    /// first. The non-penetration limit is active at every contact that carries weight, and omitted.
    pub(super) fn bound_before(&self, time: f64) -> Vec<ActiveLimit<'_>> {
        let mut counts = vec![0usize; self.labels.len()];
        let mut frames = 0;
        for moment in self.just_before(time) {
            frames += 1;
            moment.binding.iter().for_each(|&label| counts[label] += 1);
        }
        let mut bound: Vec<ActiveLimit<'_>> = self
            .labels
            .iter()
            .zip(counts)
            .filter(|((kind, _), count)| *count > 0 && !matches!(kind, LimitKind::Row(RowKind::Gap { .. })))
            .map(|((_, label), count)| ActiveLimit { label, share: count as f64 / f64::from(frames.max(1)) })
            .collect();
        bound.sort_by(|a, b| b.share.total_cmp(&a.share));
        bound
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn moment(time: f64, margin: f64, state: &str) -> StoryMoment {
        StoryMoment {
            time,
            com: [0.0; 3],
            height: 1.0,
            margin,
            pressure: Some(0.05),
            friction: Some(0.5),
            bearing: vec!["foot".into(), "toe".into()],
            sliding: Vec::new(),
            hangs: false,
            state: state.into(),
            binding: Vec::new(),
        }
    }

    #[test]
    fn balance_is_lost_when_the_capture_point_leaves_for_good() {
        let mut story = Story::default();
        for (k, margin) in [0.1, -0.1, 0.1, -0.05, -0.2].into_iter().enumerate() {
            story.add(moment(k as f64, margin, "stand"), &[]);
        }
        assert_eq!(story.balance_lost(), Some((3.0, "stand")));
        story.add(moment(5.0, 0.1, "stand"), &[]);
        assert_eq!(story.balance_lost(), None);
        // A character that lies on the floor has not regained balance.
        story.moments[5].height = 0.3;
        assert_eq!(story.balance_lost(), Some((3.0, "stand")));
    }

    #[test]
    fn who_flies_has_no_balance_to_lose() {
        let flying = |time: f64, height: f64| StoryMoment {
            bearing: Vec::new(),
            pressure: None,
            com: [0.0, 0.0, height],
            ..moment(time, f64::NEG_INFINITY, "stand")
        };
        let mut story = Story::default();
        story.add(flying(0.0, 2.0), &[]);
        assert_eq!(story.flight(), None, "a moment is no time");
        story.add(flying(0.1, 1.9), &[]);
        assert_eq!(story.balance_lost(), None);
        let flight = story.flight().unwrap().to_string();
        let told = "it had no loaded contact from 0.00 s to the end, and its centre of mass dropped from 2.00 to \
                    1.90 m";
        assert_eq!(flight, told);
        story.add(StoryMoment { com: [0.0, 0.0, 0.9], ..moment(0.4, -0.1, "stand") }, &[]);
        assert_eq!(story.balance_lost(), Some((0.4, "stand")));
        assert_eq!(
            story.flight().unwrap().to_string(),
            told.replace("s to the end", "to 0.40 s").replace("1.90", "0.90")
        );
        // A jump that ends in a fall.
        let mut story = Story::default();
        story.add(moment(0.0, 0.1, "stand"), &[]);
        story.add(flying(0.1, 1.0), &[]);
        story.add(flying(0.2, 1.2), &[]);
        story.add(moment(0.3, -0.1, "stand"), &[]);
        assert_eq!(story.balance_lost(), Some((0.3, "stand")));
        assert_eq!(story.flight().map(|flight| (flight.from, flight.to)), Some((0.1, Some(0.3))));
        // For a character that was standing, an earlier jump is not reported.
        story.add(moment(0.4, 0.1, "stand"), &[]);
        story.add(StoryMoment { height: 0.8, ..moment(0.5, -0.1, "stand") }, &[]);
        assert_eq!(story.balance_lost().map(|(time, _)| time), Some(0.5));
        assert_eq!(story.flight(), None);
    }

    #[test]
    fn a_gait_that_goes_on_has_not_lost_its_balance() {
        let mut story = Story::default();
        for (k, margin) in [0.1, -0.1, -0.2, 0.1, -0.1, -0.2].into_iter().enumerate() {
            story.add(moment(k as f64, margin, "walk"), &[]);
        }
        assert_eq!(story.balance_lost(), None);
        story.moments[5].height = 0.8;
        assert_eq!(story.balance_lost(), Some((4.0, "walk")), "it sinks");
        story.moments[5].height = 1.0;
        story.add(moment(6.0, -0.3, "walk"), &[]);
        assert_eq!(story.balance_lost(), Some((4.0, "walk")), "longer than a step of its own");
    }
}
