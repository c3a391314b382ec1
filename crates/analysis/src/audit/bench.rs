//! Common data of the checks: the body of the trace, its scales, and its poses from frame to frame.

use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::{Model, mjcf};
use aplomb_language::diagnostic::Source;
use aplomb_math::spatial::Force;
use aplomb_scene::EventKind;
use aplomb_trace::{Ending, Frame, Header, Outcome, Step, Trace};
use aplomb_world::Advance;
use nalgebra::Vector3;

/// Data that do not change from frame to frame.
pub(super) struct Bench<'a> {
    pub header: &'a Header,
    /// Model of the body from the text in the trace; empty if it cannot be read.
    pub model: Model,
    /// How the scene advances the state to the end of a frame.
    pub advance: Advance,
    /// Weight m g, N.
    pub weight: f64,
    pub torque: f64,
    pub gravity: Vector3<f64>,
    /// Whether limbs may pass through each other in the scene.
    pub limbs_pass: bool,
    /// Passive objects that nothing drives: only contact and gravity give them energy.
    undriven: Vec<String>,
    /// Reason why `model` is not the body of the trace, if so.
    bodiless: Option<String>,
    /// Whether the scene's text specifies how frames end.
    knows_advance: bool,
}

impl<'a> Bench<'a> {
    pub(super) fn of(trace: &'a Trace) -> Self {
        let header = &trace.header;
        let (model, bodiless) = match body(header) {
            Ok(model) => (model, None),
            Err(reason) => (Model::empty(), Some(reason)),
        };
        let text = header.text("scene").map(|text| Source::new(&text.name, &text.text));
        let spec = text.and_then(|source| aplomb_scene::spec_of(&source, &header.overrides));
        let weight = model.mass().max(f64::MIN_POSITIVE) * STANDARD_GRAVITY;
        Bench {
            header,
            knows_advance: spec.is_some(),
            limbs_pass: spec.as_ref().is_some_and(|spec| {
                let characters = spec.characters.iter();
                let mut own = characters.filter(|(name, _)| *name.get_ref() == header.character);
                own.any(|(_, character)| !character.self_collision)
            }),
            undriven: spec.as_ref().map_or(Vec::new(), |spec| {
                let undriven = spec.passive.iter().filter(|(_, object)| !object.is_driven());
                let thrown = spec.events.iter().filter(|(_, event)| event.kind == EventKind::Throw);
                let names = undriven.map(|(name, _)| name).chain(thrown.map(|(name, _)| name));
                names.map(|name| name.get_ref().clone()).collect()
            }),
            advance: spec.map_or(Advance::default(), |spec| spec.advance),
            weight,
            torque: weight * header.com_height,
            gravity: Vector3::from(header.gravity),
            model,
            bodiless: bodiless.filter(|_| header.has_character()),
        }
    }

    /// Whether something but contact and gravity may give energy to the passive object of this name.
    pub(super) fn is_driven(&self, object: &str) -> bool {
        !self.undriven.iter().any(|undriven| undriven == object)
    }

    /// Whether there is a body whose motion can be audited.
    pub(super) fn acts(&self) -> bool {
        self.model.nv > 0
    }

    /// Whether the trace has a character whose body is missing from it or differs from its header.
    pub(super) fn lacks_its_body(&self) -> bool {
        self.bodiless.is_some()
    }

    /// Checks that cannot be applied to this trace.
    pub(super) fn unseen(&self, trace: &Trace, ending: Option<&Ending>) -> Vec<String> {
        let mut unseen = Vec::new();
        if let Some(torn) = &trace.torn {
            unseen.push(format!("frames after the damaged place of the file: {torn}"));
        }
        if let Some(reason) = &self.bodiless {
            unseen.push(format!("the character's motion and forces: {reason}"));
        }
        if !trace.header.has_character() {
            unseen.push("forces: this scene has no character".into());
        }
        if ending.is_none() {
            unseen.push(
                "whether frames are missing at the end: the trace does not say how the run ended".into(),
            );
        }
        if self.acts() {
            if !self.knows_advance {
                unseen.push(
                    "how frames end: the scene's text cannot be read, and `advance = \"predicted\"` is assumed".into(),
                );
            }
            unseen.push(
                "states, roles, costs and targets, which are the controller's; capture point and \
                 polygon of support; rates that a companion file limits, strength of grips and the \
                 solver's states, which the trace does not have"
                    .into(),
            );
        }
        unseen
    }

    /// Name of a velocity coordinate.
    pub(super) fn coordinate(&self, index: usize) -> String {
        self.model.dof_names[index].clone()
    }

    /// Sum of the forces on each body over the time in which they change the velocity, moments about the world's
    /// origin. External forces act over one step, all others over `steps` steps: see [`Passage::turning_steps`].
    fn forces(&self, frame: &Frame, steps: f64) -> Vec<Force> {
        let mut forces = vec![Force::default(); self.model.bodies.len()];
        let contacts =
            frame.contacts.iter().map(|contact| (&contact.body, contact.point, contact.force, [0.0; 3]));
        let pushes = frame.external.iter().map(|push| {
            let [force, torque] = [push.force, push.torque].map(|given| given.map(|given| given / steps));
            (&push.body, push.point, force, torque)
        });
        let pressed = frame.self_contacts.iter().flat_map(|pressed| {
            let opposite = pressed.force.map(|force| -force);
            let on = (&pressed.body, pressed.point, pressed.force, [0.0; 3]);
            [on, (&pressed.other, pressed.other_point, opposite, [0.0; 3])]
        });
        for (body, point, force, torque) in contacts.chain(pushes).chain(pressed) {
            if let Some(body) = self.model.body(body) {
                forces[body.0] +=
                    Force::at_point(&Vector3::from(point), Vector3::from(force), Vector3::from(torque));
            }
        }
        forces
    }
}

/// Model of the body, from the text in the trace.
fn body(header: &Header) -> Result<Model, String> {
    let text = header.text("model").ok_or("the trace has no text of the body")?;
    let source = Source::new(&text.name, &text.text);
    let model =
        mjcf::read(&source).map_err(|_| format!("the text of {} cannot be read as a body", text.name))?;
    let fits = model.nv == header.coordinate_names.len() && model.nq == header.configuration_names.len();
    if !fits {
        return Err(format!("the text of {} is of another body", text.name));
    }
    if (model.mass() - header.mass).abs() > 1e-9 * header.mass {
        return Err(format!(
            "the body in {} weighs {} kg, the header says {}",
            text.name,
            model.mass(),
            header.mass
        ));
    }
    Ok(model)
}

/// A frame with the previous one and the next one, if those exist.
pub(super) struct Passage<'a> {
    pub bench: &'a Bench<'a>,
    pub before: Option<&'a Frame>,
    pub now: &'a Frame,
    pub next: Option<&'a Frame>,
    /// Length of the frame, or of the part of it, and of the previous one, s.
    pub dt: f64,
    pub dt_before: f64,
    /// Whether this is the first part of its frame.
    pub is_first: bool,
    /// Poses at q^k and velocities v^k.
    pub here: &'a Kinematics,
    pub there: &'a Kinematics,
}

impl Passage<'_> {
    /// Time over which forces change the velocity, in units of `dt`: from the middle of the previous step to the
    /// middle of this one (see `Scales::turning_steps`).
    pub(super) fn turning_steps(&self) -> f64 {
        0.5 * (1.0 + self.dt_before / self.dt)
    }

    /// Time over which forces change the velocity, s.
    pub(super) fn turning_time(&self) -> f64 {
        self.dt * self.turning_steps()
    }

    /// Sum of the forces on each body over [`Passage::turning_time`], moments about the world's origin.
    pub(super) fn forces(&self) -> Vec<Force> {
        self.bench.forces(self.now, self.turning_steps())
    }

    /// The next frame, if this one has a solution that produced it.
    pub(super) fn solved(&self) -> Option<&Frame> {
        let is_solved = matches!(self.now.outcome, Outcome::Solved | Outcome::Relaxed { .. });
        self.next.filter(|_| is_solved && self.now.has_forces())
    }
}

/// The kinematics of two neighbouring frames.
pub(super) struct Poses {
    here: Kinematics,
    there: Kinematics,
    is_ahead: bool,
}

impl Poses {
    pub(super) fn new(bench: &Bench<'_>) -> Self {
        Poses { here: Kinematics::new(&bench.model), there: Kinematics::new(&bench.model), is_ahead: false }
    }

    /// The transition from a frame to the next one; frames must be requested in order.
    pub(super) fn passage<'p>(
        &'p mut self,
        bench: &'p Bench<'_>,
        steps: &'p [Step<'p>],
        number: usize,
    ) -> Passage<'p> {
        let Step { frame: now, dt, dt_before, is_first } = steps[number];
        let follows = |first: &Step<'_>, second: &Step<'_>| {
            first.frame.index.checked_add(u64::from(second.is_first)) == Some(second.frame.index)
        };
        let next =
            steps.get(number + 1).filter(|next| follows(&steps[number], next) && fits(bench, next.frame));
        let next = next.map(|next| next.frame);
        let before = number.checked_sub(1).map(|before| &steps[before]);
        let before = before.filter(|before| follows(before, &steps[number]) && fits(bench, before.frame));
        let dt_before = before.map_or(dt, |_| dt_before);
        let before = before.map(|before| before.frame);
        if bench.acts() {
            if std::mem::take(&mut self.is_ahead) {
                std::mem::swap(&mut self.here, &mut self.there);
            } else {
                self.here.update(&bench.model, &now.q, &now.v);
            }
            if let Some(next) = next {
                self.there.update(&bench.model, &next.q, &next.v);
                self.is_ahead = true;
            }
        }
        Passage { bench, before, now, next, dt, dt_before, is_first, here: &self.here, there: &self.there }
    }
}

fn fits(bench: &Bench<'_>, frame: &Frame) -> bool {
    frame.q.len() == bench.model.nq && frame.v.len() == bench.model.nv || !bench.acts()
}
