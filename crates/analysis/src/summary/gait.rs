//! Steps, their torques and slip of the feet: from contacts and configurations alone, independently of the
//! names of the controller's states.

use super::parting::Load;
use super::{FootLoad, Gait, HardLanding, Lift, Peak, Slip, StepTaken};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::{BodyId, Model};
use aplomb_trace::{Contact, ContactKind, Frame, Outcome};
use nalgebra::{Vector2, Vector3};

/// A sliding point under load: foot, name and surface, point (world, m), normal.
type Slide = (usize, (String, String), Vector3<f64>, Vector3<f64>);

/// Time without contact from which a foot counts as lifted, s; one that landed sooner rocked.
const LIFTED: f64 = 0.05;
/// Time after a touchdown in which torques belong to the landing, s.
const LANDING: f64 = 0.2;
/// Load on a foot, m g, above which its landing was hard: people who land from a jump load each foot with 2 to 3
/// times their weight.
const HARD: f64 = 4.0;
/// Share of the weight on a contact point above which its sliding counts.
const BEARING: f64 = 1e-3;
/// Share of the weight above which a foot is loaded.
const LOADED: f64 = 0.02;

/// A foot with all its descendant bodies, whichever of them touches first; otherwise a body that touches something in
/// the first frame with contacts, together with connected bodies that do too.
struct Foot {
    body: BodyId,
    members: Vec<BodyId>,
    /// Whether it has been in contact.
    has_touched: bool,
    /// Last frame in which it was in contact, and the position of its body then.
    down: (f64, Vector2<f64>),
    /// Time since which it has no contact, s.
    off: Option<f64>,
    /// Path of its sliding points, m.
    slip: f64,
    load: Load,
    change: LoadTracker,
    landing: Option<Landing>,
}

/// A touchdown after a flight of the foot.
struct Landing {
    /// Time of the touchdown, s.
    at: f64,
    /// Largest normal force since, N, and its time, s.
    peak: (f64, f64),
}

/// Tracks the change of a foot's load from frame to frame, and the duration of its contact.
#[derive(Default)]
struct LoadTracker {
    /// Normal force in the previous frame, N.
    before: Option<f64>,
    /// Largest change, N, and its time, s.
    largest: (f64, f64),
    /// Time since which it is loaded, s; `None` if it was from the beginning.
    since: Option<f64>,
    was_loaded: bool,
    phases: usize,
    short: usize,
}

impl LoadTracker {
    fn add(&mut self, time: f64, force: f64, is_loaded: bool) {
        if let Some(before) = self.before.replace(force)
            && (force - before).abs() > self.largest.0
        {
            self.largest = ((force - before).abs(), time);
        }
        if is_loaded && !self.was_loaded {
            self.since = Some(time);
        } else if self.was_loaded && !is_loaded {
            let began = self.since.take();
            self.phases += 1;
            self.short += usize::from(began.is_some_and(|began| time - began < LIFTED - 1e-9));
        }
        self.was_loaded = is_loaded;
    }

    fn of(&self, foot: &str, weight: f64) -> FootLoad {
        FootLoad {
            foot: foot.to_owned(),
            largest_change: self.largest.0 / weight,
            changed_at: self.largest.1,
            phases: self.phases,
            short_phases: self.short,
        }
    }
}

impl Foot {
    fn new(body: BodyId, members: impl IntoIterator<Item = BodyId>, time: f64) -> Self {
        Foot {
            body,
            members: members.into_iter().collect(),
            has_touched: false,
            down: (time, Vector2::zeros()),
            off: None,
            slip: 0.0,
            load: Load::default(),
            change: LoadTracker::default(),
            landing: None,
        }
    }

    /// Adds the force of a frame, N; returns the landing if it ended with this frame and was hard.
    fn follow_landing(&mut self, model: &Model, weight: f64, time: f64, force: f64) -> Option<HardLanding> {
        let landing = self.landing.as_mut()?;
        if force > landing.peak.0 {
            landing.peak = (force, time);
        }
        if time > landing.at + LANDING { self.hard_landing(model, weight) } else { None }
    }

    /// The completed landing, if it was hard.
    fn hard_landing(&mut self, model: &Model, weight: f64) -> Option<HardLanding> {
        let Landing { at, peak: (force, peak_at) } = self.landing.take()?;
        let load = force / weight;
        let foot = || model.bodies[self.body.0].name.clone();
        (load > HARD).then(|| HardLanding { foot: foot(), at, load, force, peak_at })
    }
}

/// Tracks the feet of a run.
pub(super) struct FeetTracker {
    feet: Option<Vec<Foot>>,
    steps: Vec<StepTaken>,
    lifts: Vec<Lift>,
    /// Signed torque of largest magnitude after a touchdown, and its time, by velocity coordinate.
    pub landing: Vec<(f64, f64)>,
    landed_at: Option<f64>,
    hard: Vec<HardLanding>,
    /// Time of the first frame, s.
    began: Option<f64>,
    weight: f64,
    dt: f64,
    /// Sliding contact points under load of the previous frame: foot, name and surface, point, normal.
    sliding: Vec<Slide>,
}

impl FeetTracker {
    /// A tracker for a body of `mass`, kg, with this number of velocity coordinates, and frames of `dt`, s.
    pub(super) fn new(mass: f64, coordinates: usize, dt: f64) -> Self {
        FeetTracker {
            feet: None,
            steps: Vec::new(),
            lifts: Vec::new(),
            landing: vec![(0.0, 0.0); coordinates],
            landed_at: None,
            hard: Vec::new(),
            began: None,
            weight: mass * STANDARD_GRAVITY,
            dt,
            sliding: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, model: &Model, kinematics: &Kinematics, frame: &Frame) {
        // A failed frame records no contacts, so it is ignored.
        if matches!(frame.outcome, Outcome::Failed { .. }) || !frame.has_forces() {
            return;
        }
        let began = *self.began.get_or_insert(frame.time);
        let is_dropped = frame.time - began > LIFTED - 1e-9;
        if self.feet.is_none() && bodies(model, frame).next().is_some() {
            self.feet = Some(feet(model, frame));
        }
        let Some(feet) = &mut self.feet else { return };
        for foot in feet.iter_mut() {
            let touching = bodies(model, frame).any(|body| foot.members.contains(&body));
            if !touching && !foot.has_touched {
                continue;
            }
            let is_first = !std::mem::replace(&mut foot.has_touched, true);
            let place = kinematics.position[foot.body.0].xy();
            let lifted = foot.off.is_some_and(|since| frame.time - since > LIFTED - 1e-9);
            if touching && lifted {
                self.steps.push(StepTaken {
                    foot: model.bodies[foot.body.0].name.clone(),
                    from: foot.down.0,
                    to: frame.time,
                    length: (place - foot.down.1).norm(),
                });
                self.landed_at = Some(frame.time);
            }
            let force = normal_force(model, frame, &foot.members);
            foot.load.add(frame.time, force);
            foot.change.add(frame.time, force, force > LOADED * self.weight);
            if touching && lifted || is_first && is_dropped {
                foot.landing = Some(Landing { at: frame.time, peak: (0.0, frame.time) });
            }
            self.hard.extend(foot.follow_landing(model, self.weight, frame.time, force));
            if touching {
                (foot.down, foot.off) = ((frame.time, place), None);
                foot.load.lands();
            } else if lifted {
                let name = &model.bodies[foot.body.0].name;
                self.lifts.extend(foot.load.lift(name, foot.down.0, self.weight, self.dt));
            } else {
                foot.off.get_or_insert(frame.time);
            }
        }
        self.land(frame);
        self.slide(model, frame);
    }

    /// Adds the torques of a frame of a landing.
    fn land(&mut self, frame: &Frame) {
        if self.landed_at.is_some_and(|landed| frame.time <= landed + LANDING) {
            for (peak, torque) in self.landing.iter_mut().zip(&frame.torque) {
                if torque.abs() > peak.0.abs() {
                    *peak = (*torque, frame.time);
                }
            }
        }
    }

    /// Adds to each foot the displacement of its point that slid farthest since the previous frame.
    fn slide(&mut self, model: &Model, frame: &Frame) {
        let Some(feet) = &mut self.feet else { return };
        let mut farthest = vec![0.0; feet.len()];
        for (foot, (name, surface), point, normal) in self.sliding.drain(..) {
            let is_same = |contact: &&Contact| contact.name == name && contact.surface == surface;
            if let Some(now) = frame.contacts.iter().find(is_same) {
                let moved = Vector3::from(now.point) - point;
                farthest[foot] = (moved - normal * normal.dot(&moved)).norm().max(farthest[foot]);
            }
        }
        feet.iter_mut().zip(farthest).for_each(|(foot, path)| foot.slip += path);
        for contact in frame.contacts.iter().filter(|contact| contact.kind == ContactKind::Dynamic) {
            let normal = Vector3::from(contact.normal);
            let bears = normal.dot(&Vector3::from(contact.force)) > BEARING * self.weight;
            let Some(body) = model.body(&contact.body).filter(|_| bears) else { continue };
            if let Some(foot) = feet.iter().position(|foot| foot.members.contains(&body)) {
                let key = (contact.name.clone(), contact.surface.clone());
                self.sliding.push((foot, key, Vector3::from(contact.point), normal));
            }
        }
    }

    /// Time of the last landing, s.
    pub(super) fn last_landing(&self) -> Option<f64> {
        self.landed_at
    }

    pub(super) fn finish(mut self, model: &Model, landing_torques: Vec<Peak>) -> Gait {
        let count = self.steps.len() as f64;
        let sum: f64 = self.steps.iter().map(|step| step.length).sum();
        let mut feet = self.feet.unwrap_or_default();
        feet.retain(|foot| foot.has_touched);
        self.hard.extend(feet.iter_mut().filter_map(|foot| foot.hard_landing(model, self.weight)));
        let load = |foot: &Foot| foot.change.of(&model.bodies[foot.body.0].name, self.weight);
        let slip = |foot: &Foot| Slip { foot: model.bodies[foot.body.0].name.clone(), path: foot.slip };
        Gait {
            mean_step_length: (count > 0.0).then(|| sum / count),
            landing_torque: landing_torques.first().cloned(),
            landing_torques,
            slip: feet.iter().map(slip).collect(),
            loads: feet.iter().map(load).collect(),
            hard_landings: self.hard,
            steps_taken: self.steps,
            lifts: self.lifts,
        }
    }
}

/// Sum of the normal forces on some bodies, N.
fn normal_force(model: &Model, frame: &Frame, members: &[BodyId]) -> f64 {
    let of_members =
        |contact: &&Contact| model.body(&contact.body).is_some_and(|body| members.contains(&body));
    let push = |contact: &Contact| Vector3::from(contact.normal).dot(&Vector3::from(contact.force));
    frame.contacts.iter().filter(of_members).map(push).sum()
}

/// Bodies in contact. Grips do not count: the character does not stand on an object in its hand.
fn bodies<'f>(model: &'f Model, frame: &'f Frame) -> impl Iterator<Item = BodyId> + 'f {
    let touching = frame.contacts.iter().filter(|contact| contact.kind != ContactKind::Grip);
    touching.filter_map(|contact| model.body(&contact.body))
}

fn feet(model: &Model, frame: &Frame) -> Vec<Foot> {
    let below =
        |foot: BodyId| (0..model.bodies.len()).map(BodyId).filter(move |body| model.is_within(*body, foot));
    let mut feet: Vec<Foot> =
        model.roles.feet.iter().map(|foot| Foot::new(*foot, below(*foot), frame.time)).collect();
    let mut touching: Vec<BodyId> = bodies(model, frame).collect();
    touching.sort_unstable();
    touching.dedup();
    // A parent precedes its children.
    for body in touching {
        let above = model.bodies[body.0].parent;
        let is_of = |foot: &Foot| {
            foot.members.contains(&body) || above.is_some_and(|above| foot.members.contains(&above))
        };
        match feet.iter_mut().find(|foot| is_of(foot)) {
            Some(foot) if foot.members.contains(&body) => {}
            Some(foot) => foot.members.push(body),
            None => feet.push(Foot::new(body, [body], frame.time)),
        }
    }
    feet.sort_by_key(|foot| foot.body);
    feet
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_body::model::mjcf;
    use aplomb_language::diagnostic::Source;

    /// Number of steps if these bodies touch something in frames of 0.02 s.
    fn steps(touching: &[&[&str]]) -> usize {
        let model = adult();
        let mut feet = FeetTracker::new(model.mass(), model.nv, 0.01);
        for (index, bodies) in touching.iter().enumerate() {
            let contact = |body: &&str| Contact { body: (*body).into(), ..Contact::default() };
            let contacts = bodies.iter().map(contact).collect();
            let (time, torque) = (0.02 * index as f64, vec![0.0; model.nv]);
            feet.add(&model, &Kinematics::new(&model), &Frame { time, contacts, torque, ..Frame::default() });
        }
        feet.finish(&model, Vec::new()).steps_taken.len()
    }

    fn adult() -> Model {
        let text = include_str!("../../../../characters/adult.xml");
        mjcf::read(&Source::new("adult.xml", text)).unwrap()
    }

    /// Hard landings when bodies carry these loads, m g, in frames of 0.01 s.
    fn landings_of(loads: &[&[(&str, f64)]]) -> Vec<HardLanding> {
        let model = adult();
        let weight = model.mass() * STANDARD_GRAVITY;
        let mut feet = FeetTracker::new(model.mass(), model.nv, 0.01);
        for (index, loads) in loads.iter().enumerate() {
            let contact = |(body, load): &(&str, f64)| Contact {
                body: (*body).into(),
                normal: [0.0, 0.0, 1.0],
                force: [0.0, 0.0, load * weight],
                ..Contact::default()
            };
            let contacts = loads.iter().map(contact).collect();
            let (time, torque) = (0.01 * index as f64, vec![0.0; model.nv]);
            let frame = Frame { time, contacts, torque, ..Frame::default() };
            feet.add(&model, &Kinematics::new(&model), &frame);
        }
        feet.finish(&model, Vec::new()).hard_landings
    }

    const BOTH: &[&str] = &["left_foot", "left_toe", "right_foot"];
    const LEFT: &[&str] = &["left_foot"];
    const RIGHT: &[&str] = &["right_foot"];

    #[test]
    fn a_foot_that_is_put_down_after_a_swing_has_stepped() {
        assert_eq!(steps(&[BOTH, LEFT, LEFT, LEFT, LEFT, BOTH]), 1);
        assert_eq!(steps(&[BOTH, RIGHT, RIGHT, RIGHT, RIGHT, &["left_toe"]]), 1);
        assert_eq!(steps(&[BOTH, &[], &[], &[], &[], BOTH]), 2, "a jump lands with both feet");
        assert_eq!(steps(&[&[], &[], BOTH, LEFT, LEFT, LEFT, LEFT, BOTH]), 1, "dropped, then a step");
    }

    #[test]
    fn a_foot_that_chatters_has_short_phases() {
        let on = |time: usize| (4..7).contains(&time) || (10..20).contains(&time);
        let mut change = LoadTracker::default();
        (0..25).for_each(|time| change.add(0.01 * time as f64, if on(time) { 100.0 } else { 0.0 }, on(time)));
        let load = change.of("left_foot", 400.0);
        assert_eq!((load.phases, load.short_phases, load.largest_change), (2, 1, 0.25));
        assert!((load.changed_at - 0.04).abs() < 1e-9, "{load:?}");
    }

    #[test]
    fn a_foot_that_comes_down_with_more_than_people_bear_lands_hard() {
        let weight = adult().mass() * STANDARD_GRAVITY;
        let landings = |loads: &[Option<f64>]| {
            let of_foot: Vec<Vec<(&str, f64)>> =
                loads.iter().map(|load| load.iter().map(|load| ("left_foot", *load)).collect()).collect();
            landings_of(&of_foot.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let flight = [Some(0.5), None, None, None, None, None, None, None];
        let down = |peak: f64| [flight.as_slice(), &[Some(1.0), Some(peak), Some(1.0)]].concat();
        let hard = landings(&down(7.5));
        assert_eq!(hard.len(), 1, "{hard:?}");
        assert!((hard[0].load - 7.5).abs() < 1e-9 && (hard[0].force - 7.5 * weight).abs() < 1e-6);
        assert!((hard[0].at - 0.08).abs() < 1e-9 && (hard[0].peak_at - 0.09).abs() < 1e-9, "{hard:?}");
        assert_eq!(hard[0].to_string(), "left_foot came down hard at 0.08 s: up to 7.5 m g on it");
        assert!(landings(&down(3.9)).is_empty());
        assert_eq!(landings(&down(7.5)[1..]).len(), 1, "a run that begins in the air");
        assert!(landings(&[Some(1.0), Some(7.5), Some(1.0)]).is_empty(), "nothing came down");
        // A later load, as by a push, is not a landing.
        let later = [down(1.0).as_slice(), &[Some(1.0); 20], &[Some(7.5), Some(1.0)]].concat();
        assert!(landings(&later).is_empty());
        let twice = [down(7.5).as_slice(), &[Some(1.0); 20], &down(5.0)].concat();
        assert_eq!(landings(&twice).len(), 2);
    }

    #[test]
    fn a_foot_lands_hard_whichever_of_its_parts_touches_first() {
        // The toes touch first; the other foot lands later.
        let toes: [&[(&str, f64)]; 9] = [
            &[],
            &[],
            &[],
            &[],
            &[],
            &[],
            &[("left_toe", 0.1)],
            &[("left_toe", 0.2), ("left_foot", 4.5)],
            &[("left_foot", 1.0), ("right_toe", 6.0)],
        ];
        let hard: Vec<String> = landings_of(&toes).iter().map(HardLanding::to_string).collect();
        let [left, right] = &hard[..] else { panic!("{hard:?}") };
        assert_eq!(left, "left_foot came down hard at 0.06 s: up to 4.7 m g on it");
        assert_eq!(right, "right_foot came down hard at 0.08 s: up to 6.0 m g on it");
    }

    #[test]
    fn rocking_rising_on_the_toes_and_a_hand_on_the_floor_are_no_steps() {
        assert_eq!(steps(&[BOTH, LEFT, LEFT, BOTH]), 0, "off the ground for 0.04 s");
        let tiptoe: &[&str] = &["left_toe", "right_foot"];
        assert_eq!(steps(&[BOTH, tiptoe, tiptoe, tiptoe, tiptoe, tiptoe, BOTH]), 0);
        assert_eq!(steps(&[BOTH, BOTH, BOTH, BOTH, &["left_foot", "right_foot", "left_hand"]]), 0);
    }
}
