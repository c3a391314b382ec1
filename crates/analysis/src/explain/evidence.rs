//! Evidence in the frames around the time at which a run failed.

use super::waiting::Waiting;
use crate::rerun::FailureExplained;
use crate::runner::{self, RunError, Wanted};
use crate::summary::{CriterionSummary, Summary};
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::{JointKind, Model};
use aplomb_language::expression::{Syntax, SyntaxNode, parse_expression};
use aplomb_math::geometry::Polygon;
use aplomb_math::seconds::seconds;
use aplomb_scene::{EventKind, Run, SceneFiles};
use aplomb_trace::{Contact, ContactKind, Frame, Header, Measured, Outcome, RowOf, is_part_of};
use aplomb_world::CharacterId;
use aplomb_world::controller::Stay;
use nalgebra::{Vector2, Vector3};
use serde::Serialize;
use std::ops::ControlFlow;

/// Length of the inspected window before the failure, s.
const BEFORE: f64 = 0.3;
/// Length of the inspected window after the failure, s.
const AFTER: f64 = 0.1;
/// Distance from the end of its range within which a joint counts as there, rad.
const AT_END: f64 = 2e-3;
/// Share of its limit above which a torque counts as at the limit.
const AT_LIMIT: f64 = 0.98;
/// Share of the weight above which a contact supports the body.
const BEARS: f64 = 0.02;
/// Time before the failure within which a change of state, or a push, may have led to it, s.
const RECENT: f64 = 1.5;
/// Least reaction of a joint limit that counts, as a share of m g h.
const STOPPED: f64 = 0.01;
/// Drop of the centre of mass in flight that is more than a hop, as a share of its height at rest.
const DROP: f64 = 0.25;
/// Depth below the centre of mass from which a contact counts as one of a leg, as a share of its height at rest.
const LOW: f64 = 0.25;

/// A repeated run, frame by frame.
pub(crate) struct Recording {
    /// Header of its trace.
    pub(crate) header: Header,
    /// All frames, including the last record.
    pub(crate) frames: Vec<Frame>,
    /// Summary of the run.
    pub(crate) summary: Summary,
    /// First time at which the controller could not leave a state that it had to leave, s, with a
    /// description.
    pub(crate) stuck: Option<(f64, String)>,
}

impl Recording {
    /// Runs a scene to its end and keeps all frames of a character; `None`: the first character.
    ///
    /// # Errors
    /// If the first frame cannot be computed.
    pub(crate) fn of(
        files: &SceneFiles,
        run: &mut Run,
        character: Option<CharacterId>,
    ) -> Result<Self, RunError> {
        let header = aplomb_scene::header_of_character(files, &run.world, character.or(run.hero()));
        let (mut frames, mut stuck) = (Vec::new(), None);
        let wanted = Wanted { character, ..Wanted::default() };
        let recorded = runner::record(files, run, wanted, |frame, results| {
            frames.push(frame.clone());
            let words = results.character.and_then(|of| of.progress.stuck.as_ref());
            if let (Some(words), None) = (words, &stuck) {
                stuck = Some((frame.time, words.to_string()));
            }
            ControlFlow::Continue(())
        })?;
        frames.extend(recorded.last);
        Ok(Recording { header, frames, summary: recorded.summary, stuck })
    }

    /// Whether a push or throw of the scene began before the run ended.
    pub(super) fn was_pushed(&self, files: &SceneFiles) -> bool {
        let is_push = |name: &str| {
            let mut events = files.scene.events.iter();
            let is_push = |kind| matches!(kind, EventKind::Push | EventKind::Throw);
            events.any(|(known, event)| known.get_ref() == name && is_push(event.kind))
        };
        self.frames.iter().any(|frame| frame.events.iter().any(|name| is_push(name)))
    }

    /// Distance of the capture point to the edge of the support, m; negative outside.
    pub(crate) fn margin(&self, frame: &Frame) -> f64 {
        let mut support = Polygon::default();
        support.set_hull(frame.support_polygon.iter().map(|corner| Vector2::from(*corner)));
        support.margin(&Vector2::from(frame.capture_point))
    }
}

/// A torque or joint at its limit around the failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct AtLimit {
    /// Velocity coordinate, by name.
    pub(crate) joint: String,
    /// First time, s.
    pub(crate) from: f64,
    /// Number of frames of the window.
    pub(crate) frames: u64,
    /// Share of the window's frames.
    pub(crate) share_of_frames: f64,
}

/// Hard objectives that conflicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct HardConflict {
    /// Names of the objectives, in the order in which they first conflicted.
    pub(crate) names: Vec<String>,
    /// Share of the frames before the failure.
    pub(crate) share: f64,
    /// First time, s.
    pub(crate) from: f64,
}

/// The last change of state before the failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct LastTransition {
    /// State left.
    pub(crate) from: String,
    /// State entered.
    pub(crate) to: String,
    /// Time, s.
    pub(crate) at: f64,
    /// Whether the capture point was inside the support polygon then.
    pub(crate) in_balance: bool,
}

/// An objective whose cost increased around the failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Grown {
    /// Name of the objective.
    pub(crate) objective: String,
    /// Mean of its cost before the window.
    pub(crate) before: f64,
    /// Largest cost in the window.
    pub(crate) most: f64,
}

/// All evidence.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Evidence {
    /// Time of the failure, at which balance was lost or a criterion was violated, s.
    pub moment: f64,
    /// Frame of that time.
    pub(crate) frame: u64,
    /// State of the controller at that time.
    pub(crate) state: String,
    /// Whether balance was lost; otherwise only a criterion was violated.
    pub(crate) lost_balance: bool,
    /// Whether it is the time at which a criterion that had to hold once came nearest.
    pub(crate) came_nearest: bool,
    /// Passive objects of the scene that the character touched until a criterion failed.
    pub(crate) touched: Vec<String>,
    /// Whether all that pushed it was thrown.
    pub(crate) only_thrown: bool,
    /// Torques at their limits, those of most frames first.
    pub(crate) torques: Vec<AtLimit>,
    /// Joints at their limits with a reaction, those of most frames first.
    pub(crate) stops: Vec<AtLimit>,
    /// Distance over which loaded contact points slid, m.
    pub(crate) slipped: f64,
    /// Bodies of these points.
    pub(crate) slid: Vec<String>,
    /// Largest friction utilisation.
    pub(crate) friction: f64,
    /// Hard objectives that conflicted before.
    pub(crate) hard_conflict: Option<HardConflict>,
    /// Objectives whose costs increased most.
    pub(crate) grown: Vec<Grown>,
    /// Rows that were relaxed in the window, by name.
    pub(crate) gave_way: Vec<String>,
    /// The last change of state before the failure.
    pub(crate) exit: Option<LastTransition>,
    /// Description of a state that the controller could not leave, as a sentence.
    pub(crate) stuck: Option<String>,
    /// States that were not left until the end, although their `until` should end them; the outermost first.
    pub(crate) waiting: Vec<Waiting>,
    /// A criterion about a part that no controller names, as a sentence.
    pub(crate) unasked: Option<String>,
    /// Sentence on a criterion about grips of which none was made.
    pub(crate) missed_hold: Option<String>,
    /// Description of support that vanished, as a sentence.
    pub(crate) support_gone: Option<String>,
    /// Description of a flight that the character came down from, as a sentence.
    pub(crate) dropped: Option<String>,
    /// Description of a leg's collision, as a sentence.
    pub(crate) tripped: Option<String>,
    /// Description of a reaction delay, as a sentence.
    pub(crate) delayed: Option<String>,
    /// Description of a target at which balance is impossible, or a criterion does not hold, as a sentence.
    pub(crate) wrong_target: Option<String>,
    /// Whether a push preceded the failure.
    pub(crate) pushed_before: bool,
    /// Distance of the capture point beyond the support, as a sentence.
    pub(crate) beyond_reach: Option<String>,
    /// Strength of the push, as a sentence.
    pub(crate) push_share: Option<String>,
}

/// Time at which balance was lost, a criterion failed or came nearest, or the run ended, whichever is first, s.
fn moment_of(summary: &Summary) -> f64 {
    let broke = summary.criteria.iter().filter(|criterion| !criterion.held);
    let broke = broke.filter_map(|criterion| criterion.at).fold(f64::INFINITY, f64::min);
    let end = broke.min(summary.simulated_time).min(nearest_once(summary).unwrap_or(f64::INFINITY));
    summary.balance_lost_at.filter(|lost| *lost <= end).unwrap_or(end)
}

/// Time at which a criterion that had to hold once, and did not, was nearest to it, s; `None` if it was never nearer
/// than at the beginning.
fn nearest_once(summary: &Summary) -> Option<f64> {
    let missed = summary.criteria.iter().filter(|criterion| !criterion.held && criterion.kind == "once");
    let times = missed.filter_map(|criterion| Some(criterion.nearest.as_ref()?.time));
    times.filter(|time| *time > BEFORE).reduce(f64::min)
}

/// Whether a criterion that had to hold always broke at this time.
fn broke_at(summary: &Summary, moment: f64) -> bool {
    summary.criteria.iter().any(|criterion| !criterion.held && criterion.at == Some(moment))
}

/// The criteria that failed first, and the time. Criteria that fail only at the end count if no other failed before.
pub(super) fn failure(summary: &Summary) -> FailureExplained {
    let when = |criterion: &CriterionSummary| criterion.at.unwrap_or(f64::INFINITY);
    let failed = || summary.criteria.iter().filter(|criterion| !criterion.held);
    let at = failed().map(when).fold(f64::INFINITY, f64::min);
    let first = failed().filter(|criterion| when(criterion) <= at + 1e-9);
    let at = at.min(summary.simulated_time);
    FailureExplained { criteria: first.map(|criterion| criterion.name.clone()).collect(), at }
}

impl Evidence {
    /// Collects the evidence in a run.
    pub(crate) fn of(run: &Recording) -> Self {
        let moment = moment_of(&run.summary);
        let is_before = |frame: &&Frame| frame.time <= moment + 1e-9;
        let before: Vec<&Frame> = run.frames.iter().filter(is_before).collect();
        let now = before.last().copied();
        let near = |frame: &&Frame| {
            (moment - BEFORE - 1e-9..=moment + AFTER + 1e-9).contains(&frame.time) && frame.has_forces()
        };
        let window: Vec<&Frame> = run.frames.iter().filter(near).collect();
        let (slipped, slid) = slip(&window, run.header.mass * STANDARD_GRAVITY);
        let mut evidence = Evidence {
            moment,
            frame: now.map_or(0, |frame| frame.index),
            state: now.map_or_else(String::new, |frame| frame.state.clone()),
            lost_balance: run.summary.balance_lost_at == Some(moment),
            came_nearest: nearest_once(&run.summary) == Some(moment) && !broke_at(&run.summary, moment),
            torques: torques(&run.header, &window),
            stops: stops(&run.header, &window),
            slipped,
            slid,
            friction: window.iter().map(|frame| friction_use(frame)).fold(0.0, f64::max),
            hard_conflict: hard_conflict(&before),
            grown: grown(&run.header, &before, &window),
            gave_way: gave_way(&window),
            exit: exit(run, &before, moment),
            ..Evidence::default()
        };
        let shut = run.summary.stay.iter().flat_map(Stay::levels).find_map(|stay| {
            Some(format!(
                "; the exit nearest to being applicable was `{}`: while {}",
                stay.exit.as_ref()?,
                stay.nearest
            ))
        });
        let shut = shut.unwrap_or_default();
        evidence.stuck =
            run.stuck.as_ref().filter(|(time, _)| *time <= moment + RECENT).map(|(time, words)| {
                format!("from {time} s on the controller was {words}{shut}.", time = seconds(time))
            });
        evidence.support_gone = support_gone(run, &before, moment);
        evidence.dropped = dropped(run, moment);
        evidence.tripped = tripped(&window, run.header.com_height);
        evidence.delayed = delayed(run, moment);
        evidence.wrong_target = wrong_target(run, &before);
        if evidence.wrong_target.is_none() && !evidence.lost_balance {
            evidence.wrong_target = missing_target(run);
        }
        evidence.add_pushes(run, &before, &window);
        evidence
    }

    /// Adds the joints at the ends of their ranges where a hand or foot came nearest to its place: they end its reach,
    /// with or without a reaction.
    pub(super) fn add_ends(&mut self, model: &Model, run: &Recording) {
        if !self.came_nearest {
            return;
        }
        let near = |frame: &&Frame| (self.moment - BEFORE..=self.moment + AFTER).contains(&frame.time);
        let window: Vec<&Frame> = run.frames.iter().filter(near).collect();
        let hinges = model.joints.iter().filter(|joint| matches!(joint.kind, JointKind::Hinge { .. }));
        let found = hinges.filter_map(|joint| {
            let range = joint.range?;
            let is_at = |frame: &&&Frame| {
                let angle = frame.q.get(joint.q_index);
                angle.is_some_and(|angle| range.iter().any(|end| (angle - end).abs() < AT_END))
            };
            at_limit(&run.header, joint.v_index, &window, is_at)
        });
        let found: Vec<AtLimit> =
            found.filter(|end| self.stops.iter().all(|stop| stop.joint != end.joint)).collect();
        self.stops = sorted(std::mem::take(&mut self.stops).into_iter().chain(found).collect());
    }

    /// Adds what of the scene touched or pushed the character before the moment.
    pub(super) fn add_surroundings(&mut self, files: &SceneFiles, run: &Recording) {
        let end = self.moment.max(failure(&run.summary).at) + 1e-9;
        let frames = || run.frames.iter().take_while(move |frame| frame.time <= end);
        let is_touched = |name: &str| {
            frames().any(|frame| {
                frame.contacts.iter().any(|contact| is_part_of(&contact.surface, name))
                    || frame.external.iter().any(|force| is_part_of(&force.name, name))
            })
        };
        let names = files.scene.passive.keys().map(|name| name.get_ref());
        let touched = names.filter(|name| is_touched(name)).cloned().collect();
        let pushes = files.scene.events.iter().filter(|(_, event)| event.kind == EventKind::Push);
        let pushed = pushes
            .map(|(name, _)| name.get_ref())
            .any(|name| frames().any(|frame| frame.external.iter().any(|force| force.name == *name)));
        (self.touched, self.only_thrown) = (touched, !pushed);
    }

    /// Adds the effects of pushes before the moment.
    fn add_pushes(&mut self, run: &Recording, before: &[&Frame], window: &[&Frame]) {
        let moment = self.moment;
        let pushed: Vec<&&Frame> = before
            .iter()
            .filter(|frame| !frame.external.is_empty() && frame.time >= moment - RECENT)
            .collect();
        self.pushed_before = !pushed.is_empty();
        self.beyond_reach = pushed.last().and_then(|last| beyond_reach(run, window, moment - last.time));
        let mut earlier = run.summary.pushes.iter().rev().filter(|push| push.at <= moment);
        self.push_share = earlier.find_map(|push| {
            let share = push.share.filter(|share| *share > 1.0)?;
            Some(format!(
                "`{}` was {:.0} % of the largest push of its length that a linear pendulum can balance without a step.",
                push.name,
                100.0 * share
            ))
        });
    }
}

/// Sentence on how far the capture point left the support, `since` seconds after the last push.
fn beyond_reach(run: &Recording, window: &[&Frame], since: f64) -> Option<String> {
    let dt = run.header.dt;
    let worst = window.iter().map(|frame| -run.margin(frame)).filter(|out| out.is_finite());
    let worst = worst.fold(0.0, f64::max);
    if !(worst > 0.0 && since < 0.5 + dt) {
        return None;
    }
    let when = if since < 1.5 * dt {
        "while the push was felt".to_string()
    } else {
        format!("{since} s after the push was last felt", since = seconds(since))
    };
    let out = match 100.0 * worst {
        out if out < 1.0 => format!("{:.1} mm", 1e3 * worst),
        out => format!("{out:.0} cm"),
    };
    Some(format!("the capture point left the support {when}, by up to {out} in the 0.1 s after."))
}

fn torques(header: &Header, window: &[&Frame]) -> Vec<AtLimit> {
    let limits = header.torque_limits.iter().enumerate();
    let limited = limits.filter_map(|(k, limits)| Some((k, (*limits)?)));
    let found = limited.filter_map(|(k, [low, high])| {
        let is_at = |frame: &&&Frame| {
            let torque = frame.torque.get(k).copied().unwrap_or(0.0);
            torque > 0.0 && torque >= AT_LIMIT * high || torque < 0.0 && torque <= AT_LIMIT * low
        };
        at_limit(header, k, window, is_at)
    });
    sorted(found.collect())
}

fn stops(header: &Header, window: &[&Frame]) -> Vec<AtLimit> {
    let least = STOPPED * header.mass * STANDARD_GRAVITY * header.com_height;
    let found = (0..header.coordinate_names.len()).filter_map(|k| {
        let is_at =
            |frame: &&&Frame| frame.stop_reaction.get(k).is_some_and(|reaction| reaction.abs() > least);
        at_limit(header, k, window, is_at)
    });
    sorted(found.collect())
}

fn at_limit(
    header: &Header,
    coordinate: usize,
    window: &[&Frame],
    is_at: impl Fn(&&&Frame) -> bool,
) -> Option<AtLimit> {
    let frames = window.iter().filter(&is_at).count() as u64;
    let from = window.iter().find(&is_at)?.time;
    let joint = header.coordinate_names.get(coordinate)?.clone();
    Some(AtLimit { joint, from, frames, share_of_frames: frames as f64 / window.len().max(1) as f64 })
}

fn sorted(mut list: Vec<AtLimit>) -> Vec<AtLimit> {
    list.sort_by(|a, b| b.frames.cmp(&a.frames).then(a.from.total_cmp(&b.from)));
    list
}

/// Force of a contact along its normal, N.
fn load(contact: &Contact) -> f64 {
    Vector3::from(contact.force).dot(&Vector3::from(contact.normal))
}

/// Sliding distance of loaded points, by the one that moves farthest in each frame, m, and the bodies of these
/// points.
fn slip(window: &[&Frame], weight: f64) -> (f64, Vec<String>) {
    let (mut way, mut bodies) = (0.0, Vec::<String>::new());
    for pair in window.windows(2) {
        let [from, to] = pair else { continue };
        let mut farthest = 0.0;
        for contact in &from.contacts {
            let slides = contact.kind == ContactKind::Dynamic && load(contact) > BEARS * weight;
            let Some(after) = to.contacts.iter().find(|other| other.name == contact.name && slides) else {
                continue;
            };
            let moved = Vector3::from(after.point) - Vector3::from(contact.point);
            let normal = Vector3::from(contact.normal);
            let along = (moved - normal * moved.dot(&normal)).norm();
            if along > 1e-4 && !bodies.contains(&contact.body) {
                bodies.push(contact.body.clone());
            }
            farthest = f64::max(farthest, along);
        }
        way += farthest;
    }
    (way, bodies)
}

fn friction_use(frame: &Frame) -> f64 {
    let (mut along, mut most) = (Vector3::zeros(), 0.0);
    for contact in &frame.contacts {
        let (force, normal) = (Vector3::from(contact.force), Vector3::from(contact.normal));
        along += force - normal * load(contact);
        most += contact.friction * load(contact);
    }
    if most > 0.0 { along.norm() / most } else { 0.0 }
}

fn hard_conflict(before: &[&Frame]) -> Option<HardConflict> {
    let mut names: Vec<String> = Vec::new();
    let mut from = None;
    let mut count = 0;
    for frame in before {
        let goals: Vec<&str> = frame
            .conflict
            .iter()
            .filter(|row| row.of == RowOf::Objective)
            .map(|row| row.label.as_str())
            .collect();
        if goals.is_empty() {
            continue;
        }
        count += 1;
        from.get_or_insert(frame.time);
        for name in goals {
            if !names.iter().any(|known| known == name) {
                names.push(name.into());
            }
        }
    }
    Some(HardConflict { names, share: f64::from(count) / before.len().max(1) as f64, from: from? })
}

/// The costs of built-in objectives are the first in a frame.
const BUILT_IN: usize = aplomb_control::synthesis::BUILT_IN_COSTS.len();

fn grown(header: &Header, before: &[&Frame], window: &[&Frame]) -> Vec<Grown> {
    let start = window.first().map_or(0, |frame| frame.index);
    let calm: Vec<&&Frame> = before.iter().filter(|frame| frame.index < start && frame.index > 0).collect();
    let mut list: Vec<Grown> = (BUILT_IN..header.objectives.len())
        .map(|k| {
            let cost = |frame: &Frame| frame.costs.get(k).copied().unwrap_or(0.0);
            let sum: f64 = calm.iter().map(|frame| cost(frame)).sum();
            Grown {
                objective: header.objectives[k].clone(),
                before: sum / calm.len().max(1) as f64,
                most: window.iter().map(|frame| cost(frame)).fold(0.0, f64::max),
            }
        })
        .filter(|grown| grown.most > 2.0 * grown.before && grown.most > 1e-6)
        .collect();
    list.sort_by(|a, b| b.most.total_cmp(&a.most));
    list.truncate(5);
    list
}

fn gave_way(window: &[&Frame]) -> Vec<String> {
    let mut names = Vec::new();
    for frame in window {
        let Outcome::Relaxed { rows } = &frame.outcome else { continue };
        for row in rows {
            if !names.contains(&row.label) {
                names.push(row.label.clone());
            }
        }
    }
    names
}

fn exit(run: &Recording, before: &[&Frame], moment: f64) -> Option<LastTransition> {
    let change = before.windows(2).rev().find(|pair| pair[0].state != pair[1].state)?;
    let [left, entered] = change else { return None };
    (moment - entered.time <= RECENT).then(|| LastTransition {
        from: left.state.clone(),
        to: entered.state.clone(),
        at: entered.time,
        in_balance: run.margin(left) > 0.0 && run.margin(entered) > 0.0,
    })
}

fn support_gone(run: &Recording, before: &[&Frame], moment: f64) -> Option<String> {
    let moving: Vec<&str> = run
        .header
        .obstacles
        .iter()
        .filter(|obstacle| obstacle.moves)
        .map(|obstacle| obstacle.name.as_str())
        .collect();
    // A passive object is absent while it is too fast to be pushed.
    let is_object = |name: &str| run.header.passive.iter().any(|object| object.name == name);
    let gone = before.windows(2).rev().find_map(|pair| {
        let [was, is] = pair else { return None };
        let places = was.moving.iter().zip(&is.moving).zip(&moving);
        let gone = places.filter(|((was, is), _)| was.present && !is.present).map(|(_, name)| *name);
        let gone = gone.into_iter().find(|name| !is_object(name))?;
        let bore = was.contacts.iter().any(|contact| contact.surface == gone);
        (bore && moment - is.time <= RECENT).then(|| (is.time, gone.to_string()))
    });
    gone.map(|(time, name)| {
        format!("`{name}`, on which it stood, was removed at {time} s.", time = seconds(time))
    })
}

/// The flight before the failure, as a sentence, if the character came down from a height in it or is about to.
fn dropped(run: &Recording, moment: f64) -> Option<String> {
    let flight = run.summary.flight.as_ref().filter(|flight| flight.from <= moment)?;
    let [high, low] = flight.heights;
    let is_recent = flight.to.is_none_or(|to| moment - to <= RECENT);
    (is_recent && high - low > DROP * run.header.com_height).then(|| format!("{flight}."))
}

/// A contact of the side of a leg, which makes a character trip; leaning or pushing with the upper body does not.
fn tripped(window: &[&Frame], com_height: f64) -> Option<String> {
    window.iter().find_map(|frame| {
        let is_low = |contact: &Contact| contact.point[2] < frame.com[2] - LOW * com_height;
        let side = frame.contacts.iter().find(|contact| {
            let is_held = matches!(contact.kind, ContactKind::Grip | ContactKind::Stand);
            !is_held
                && is_low(contact)
                && contact.normal[2].abs() < 0.5
                && load(contact) > 1.0
                && contact.surface != "ground"
        })?;
        Some(format!("{} met the side of `{}` at {} s.", side.body, side.surface, seconds(frame.time)))
    })
}

fn delayed(run: &Recording, moment: f64) -> Option<String> {
    let recent =
        run.summary.reaction_delays.iter().filter(|held| held.from <= moment && held.to >= moment - RECENT);
    let (from, to) = recent.fold(None, |span: Option<(f64, f64)>, held| {
        Some((span.map_or(held.from, |(from, _)| from), held.to))
    })?;
    Some(format!("joint torques were held from {from} to {to} s.", to = seconds(to), from = seconds(from)))
}

/// A target of the centre of mass that is outside the support well before balance is lost, as a sentence.
fn wrong_target(run: &Recording, before: &[&Frame]) -> Option<String> {
    let numbers = &run.header.measured;
    for (k, x) in numbers.iter().enumerate() {
        let Some(y) =
            numbers.get(k + 1).filter(|y| x.part == "x" && y.part == "y" && y.objective == x.objective)
        else {
            continue;
        };
        let frame = before.iter().find(|frame| {
            let value = |list: &[Option<f64>], k: usize| list.get(k).copied().flatten();
            let actual = (value(&frame.actuals, k), value(&frame.actuals, k + 1));
            let (Some(ax), Some(ay)) = actual else { return false };
            let is_com = (ax - frame.com[0]).abs() + (ay - frame.com[1]).abs() < 1e-6 && y.unit == "m";
            let (Some(tx), Some(ty)) = (value(&frame.targets, k), value(&frame.targets, k + 1)) else {
                return false;
            };
            let mut support = Polygon::default();
            support.set_hull(frame.support_polygon.iter().map(|corner| Vector2::from(*corner)));
            is_com && support.margin(&Vector2::new(tx, ty)) < 0.0
        });
        if let Some(frame) = frame {
            return Some(format!(
                "The target of `{}` puts the centre of mass outside the support from {} s on.",
                x.objective,
                seconds(frame.time)
            ));
        }
    }
    None
}

/// Magnitude below which values are too common to identify a quantity.
const TELLING: f64 = 0.05;
/// Relative difference up to which a quantity of a criterion and the actual value of an objective count as the same.
const ALIKE: f64 = 2e-3;

/// A criterion that cannot hold while an objective is at its target: one side of its comparison is the quantity that
/// the objective compares with its target.
fn missing_target(run: &Recording) -> Option<String> {
    let missed = run.summary.criteria.iter().filter(|criterion| !criterion.held);
    missed.filter_map(|criterion| Some((criterion, criterion.nearest.as_ref()?))).find_map(
        |(criterion, nearest)| {
            let [left, right] = nearest.sides?;
            let SyntaxNode { syntax: Syntax::Binary { operator, sides }, .. } =
                parse_expression(&nearest.comparison)?
            else {
                return None;
            };
            // A number that an objective happens to be at says nothing.
            let [left_given, right_given] = sides.map(|side| matches!(side.syntax, Syntax::Number(_)));
            let frame =
                run.frames.iter().rfind(|frame| frame.has_forces() && frame.time <= nearest.time + 1e-9)?;
            run.header.measured.iter().enumerate().find_map(|(k, measured)| {
                let value = |list: &[Option<f64>]| list.get(k).copied().flatten();
                let (target, actual) = (value(&frame.targets)?, value(&frame.actuals)?);
                let is_side = |side: f64| side.abs() > TELLING && (actual - side).abs() <= ALIKE * side.abs();
                let holds = match (!left_given && is_side(left), !right_given && is_side(right)) {
                    (true, false) => holds(operator, target, right)?,
                    (false, true) => holds(operator, left, target)?,
                    _ => return None,
                };
                (!holds).then(|| {
                let Measured { objective, unit, .. } = measured;
                format!(
                    "`{objective}` has the target {target:.3} {unit}, with which `{}` ({}) does not hold.",
                    criterion.name, criterion.condition
                )
            })
            })
        },
    )
}

/// Whether two numbers satisfy a comparison; `None` if the operator is not an order.
fn holds(operator: &str, left: f64, right: f64) -> Option<bool> {
    match operator {
        "<" => Some(left < right),
        "<=" => Some(left <= right),
        ">" => Some(left > right),
        ">=" => Some(left >= right),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_meets_a_wall_with_the_chest_does_not_trip() {
        let met = |height: f64| {
            let side = Contact {
                body: "part".into(),
                surface: "wall".into(),
                point: [0.3, 0.0, height],
                normal: [-1.0, 0.0, 0.0],
                force: [-100.0, 0.0, 0.0],
                ..Contact::default()
            };
            let frame = Frame { com: [0.0, 0.0, 0.9], contacts: vec![side], ..Frame::default() };
            tripped(&[&frame], 0.93)
        };
        assert_eq!(met(1.2), None);
        assert_eq!(met(0.3).as_deref(), Some("part met the side of `wall` at 0.00 s."));
    }
}
