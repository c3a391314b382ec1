//! Parts of a character do not pass through each other: a velocity damper between their shapes (Faverjon and
//! Tournassoud 1987, A local based approach for path planning of manipulators, eq. 3, with torques that may
//! not suffice).

mod balls;
mod look_ahead;
mod pair;

pub use pair::Pair;

use super::{Constraint, ConstraintKind, Setting};
use crate::objective::Now;
use crate::predict::{Prediction, SelfContactColumn};
use crate::synthesis::impact;
use aplomb_body::contact::{ShapePair, nearest};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::roles;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source, Warning};
use aplomb_language::expression::{Condition, ConditionField, Lookup, Names, Scalar, ScalarField, Switch};
use aplomb_math::geometry::Nearest;
use aplomb_qp::{Origin, Qp, RowLabel};
use balls::Balls;
use look_ahead::FrameEnd;
use pair::{PAIRS, pairs};
use serde::Deserialize;
use std::sync::Arc;

/// How fast a frame may change the speed of two parts towards each other, m/s: rows of pairs that cannot come
/// near in this frame are omitted.
const SUDDEN: f64 = 0.5;
/// Fastest approach of two parts that is anticipated, m/s.
const FASTEST: f64 = 5.0;
/// Weight of the squared violation of a row, in dt g: higher than that of any goal, but finite, so that the row can
/// be relaxed.
const GIVE_WEIGHT: f64 = 1e4;
/// Name of the collision avoidance of limbs that the controller does not name.
const LIMBS: &str = "limbs";
/// Time constant of the approach of limbs that the controller does not name, s × √(h/0.93 m): they may approach at
/// any speed from which they can stop.
const LIMB_RESPONSE: f64 = 0.03;
/// Distance below the clearance that is reported by name, m.
const REPORTED: f64 = 1e-3;

/// Parts of the body that avoid each other, including their descendants: legs, or an arm and the trunk. A
/// body belongs to its nearest named ancestor. Pairs of bodies that share a joint are excluded.
///
/// The distance d is bounded by a velocity damper: d⁺ ≥ d − dt (d − clearance)/response. If joint torques
/// cannot satisfy the constraint, it is relaxed, and the frame reports the violation.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CollisionAvoidance {
    /// Name in reports and in `--set controller.collision_avoidance.NAME`.
    pub name: Spanned<String>,
    /// Bodies on one side.
    pub(crate) bodies: Vec<Spanned<String>>,
    /// Bodies on the other side.
    pub(crate) from: Vec<Spanned<String>>,
    /// Minimum distance between their shapes, m.
    #[serde(default = "no_clearance")]
    pub clearance: ScalarField,
    /// Time constant of the approach to `clearance`, s on the controller's clock.
    #[serde(default = "default_response")]
    pub response: ScalarField,
    /// The constraint is active only in frames where this condition holds.
    pub when: Option<ConditionField>,
    /// Whether it is active from the start; if not, an event of the scene can enable it.
    #[serde(default = "yes")]
    pub(crate) enabled: bool,
}

fn yes() -> bool {
    true
}

fn no_clearance() -> ScalarField {
    ScalarField::number(0.0)
}

fn default_response() -> ScalarField {
    ScalarField::number(0.1)
}

pub(super) const KIND: ConstraintKind = ConstraintKind {
    name: "collision_avoidance",
    about: "Parts of the body that the controller's `collision_avoidance` names do not pass through each other.",
    make: |setting| {
        let limbs = setting.self_collision.then(|| BoundCollisionAvoidance::of_limbs(setting));
        let sets: Vec<_> = setting.apart.iter().cloned().chain(limbs).collect();
        let made = || {
            Box::new(CollisionAvoidances { sets, balls: Balls::default(), gives_way: false })
                as Box<dyn Constraint>
        };
        (!setting.apart.is_empty() || setting.self_collision).then(made)
    },
};

/// The pairs of parts that avoid each other: those that the controller names, and limbs.
pub(crate) struct CollisionAvoidances {
    sets: Vec<BoundCollisionAvoidance>,
    balls: Balls,
    /// Whether the last look-ahead found a row that is violated or was corrected.
    gives_way: bool,
}

/// A [`CollisionAvoidance`] bound to a character.
#[derive(Clone, Debug)]
pub struct BoundCollisionAvoidance {
    /// Name of the constraint, for labels.
    pub name: Arc<str>,
    /// Pairs of shapes, one from each side.
    pub(crate) pairs: Arc<[Pair]>,
    clearance: Scalar,
    response: Scalar,
    when: Option<Condition>,
    /// Whether events have the constraint enabled.
    pub switch: Switch,
    /// Parameters in this solve; `None` if the constraint is inactive.
    damper: Option<Damper>,
    /// The pairs that may come too near in this frame.
    near: Vec<NearPair>,
}

/// A pair that may come too near in a frame.
#[derive(Clone, Debug)]
struct NearPair {
    /// Index among the pairs.
    index: usize,
    /// Closest points of the two at the beginning of the frame.
    at: Nearest,
    /// Distance at the end of the frame beyond that predicted from the rate, m.
    bend: f64,
    /// Whether `bend` was corrected in this frame.
    was_bent: bool,
}

/// A pair that has a row in a problem.
struct AvoidanceRow<'a> {
    damper: Damper,
    near: &'a NearPair,
    pair: &'a Pair,
    /// Index of the unknown force between the two, and whether they stay together; `None` if they do not press on
    /// each other.
    pressed: Option<(usize, bool)>,
}

/// Parameters of the rows of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Damper {
    /// Clearance, m.
    clearance: f64,
    /// Response time, s.
    response: f64,
}

/// Whether a name is that of a role, which some bodies lack.
fn is_role(name: &str) -> bool {
    roles::BODIES.iter().any(|(role, _)| *role == name)
}

impl CollisionAvoidance {
    /// Resolves its bodies and their shapes.
    ///
    /// # Errors
    ///
    /// If a body is unknown or on both sides, a response time is not above 0, or an expression has an unknown name or
    /// a wrong type.
    pub fn bind(
        &self,
        model: &Model,
        source: &Source,
        names: &dyn Names,
    ) -> Result<BoundCollisionAvoidance, FileError> {
        let is_lacking =
            |name: &Spanned<String>| is_role(name.get_ref()) && model.body(name.get_ref()).is_none();
        // The constraint does not apply to a body that lacks a named part.
        let lacks = self.bodies.iter().chain(&self.from).any(is_lacking);
        let sides = match lacks {
            true => [Vec::new(), Vec::new()],
            false => [self.side(&self.bodies, model, source)?, self.side(&self.from, model, source)?],
        };
        if let Some((_, twice)) = sides[0].iter().zip(&self.bodies).find(|(body, _)| sides[1].contains(body))
        {
            let message = format!("`{}` cannot avoid collisions with itself", twice.get_ref());
            return Err(FileError::new(source, twice.span(), message));
        }
        let place = source.place(self.name.span().start);
        let pairs = PAIRS.list(pairs(model, &sides, self.name.get_ref(), &place));
        let most = pairs.len();
        let positive = |field: &ScalarField| {
            let value = field.bind(source, names)?;
            match value.fixed() {
                Some(fixed) if fixed <= 0.0 => {
                    let message = format!("a response time must be more than 0 s, not {fixed}");
                    Err(FileError::new(source, field.span(), message))
                }
                _ => Ok(value),
            }
        };
        Ok(BoundCollisionAvoidance {
            name: self.name.get_ref().as_str().into(),
            pairs,
            clearance: self.clearance.bind(source, names)?,
            response: positive(&self.response)?,
            when: self.when.as_ref().map(|field| field.bind(source, names)).transpose()?,
            switch: Switch::new(self.enabled),
            damper: None,
            near: Vec::with_capacity(most),
        })
    }

    /// A warning if a named part of the body has no shapes, and neither have its descendants: the constraint has no
    /// effect on it. Roles that the body lacks are ignored.
    pub fn warning(&self, model: &Model, source: &Source) -> Option<Warning> {
        let has_shape = |body: BodyId| {
            let mut shapes = model.geoms.iter().filter(|geom| geom.collides).filter_map(|geom| geom.body);
            shapes.any(|part| model.is_within(part, body))
        };
        let is_bare =
            |name: &&Spanned<String>| model.body(name.get_ref()).is_some_and(|body| !has_shape(body));
        let bare: Vec<&Spanned<String>> = self.bodies.iter().chain(&self.from).filter(is_bare).collect();
        let first = bare.first()?;
        let names: Vec<String> = bare.iter().map(|name| format!("`{}`", name.get_ref())).collect();
        let message = format!(
            "collision avoidance has no effect on {}: it has no collision shapes",
            names.join(" and ")
        );
        Some(Warning(FileError::new(source, first.span(), message).label("without shapes on this body")))
    }

    fn side(
        &self,
        given: &[Spanned<String>],
        model: &Model,
        source: &Source,
    ) -> Result<Vec<BodyId>, FileError> {
        if given.is_empty() {
            let message = format!("`{}` has a side without bodies", self.name.get_ref());
            return Err(FileError::new(source, self.name.span(), message));
        }
        let find = |name: &Spanned<String>| {
            model.body(&source.mirrored(name)).ok_or_else(|| {
                FileError::new(source, name.span(), format!("there is no body `{}`", name.get_ref()))
                    .label("not a body of this model")
                    .suggest(name.get_ref(), model.bodies.iter().map(|body| body.name.as_str()))
            })
        };
        given.iter().map(find).collect()
    }
}

impl BoundCollisionAvoidance {
    /// The avoidance of all parts of a body that can collide, except the pairs that a controller names.
    fn of_limbs(setting: &Setting<'_>) -> Self {
        let is_named = |shapes: &ShapePair| {
            let [a, b] = shapes.geoms;
            let mut named = setting.apart.iter().flat_map(|kept| &*kept.pairs);
            named.any(|pair| pair.shapes.geoms == [a, b] || pair.shapes.geoms == [b, a])
        };
        let shapes = ShapePair::that_can_meet(setting.model).into_iter().filter(|shapes| !is_named(shapes));
        let origin = Origin { file: setting.file.into(), line: 0 };
        let pairs = shapes.map(|shapes| Pair::new(setting.model, shapes, LIMBS, &origin)).collect();
        let pairs = PAIRS.list(pairs);
        BoundCollisionAvoidance {
            name: LIMBS.into(),
            near: Vec::with_capacity(pairs.len()),
            pairs,
            clearance: Scalar::constant(0.0),
            response: Scalar::constant(LIMB_RESPONSE),
            when: None,
            switch: Switch::new(true),
            damper: None,
        }
    }

    /// The least distance of the two sides, m, and the pair that has it; `None` if none is nearer than `reach`.
    pub fn least(&self, model: &Model, kinematics: &Kinematics, reach: f64) -> Option<(f64, &Pair)> {
        let mut least: Option<(f64, &Pair)> = None;
        for pair in &*self.pairs {
            let reach = least.map_or(reach, |(distance, _)| distance);
            if let Some(near) = nearest(model, kinematics, pair.shapes.geoms, reach)
                && near.distance < reach
            {
                least = Some((near.distance, pair));
            }
        }
        least
    }

    /// Finds the pairs that may come too near; `again` at the beginning of a frame, because nothing moves within one.
    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>, balls: &Balls, again: bool) {
        let frame = now.scales.frame_at(now.state.time);
        let holds = self.switch.is_on(frame) && self.when.as_ref().is_none_or(|when| when.value(values));
        let damper = holds.then(|| {
            let response = self.response.value(values) * now.scales.time();
            // At least one frame: a shorter time constant would overshoot the clearance.
            Damper { clearance: self.clearance.value(values), response: response.max(now.scales.dt) }
        });
        if !again && damper == self.damper {
            return;
        }
        self.damper = damper;
        self.near.clear();
        if let Some(damper) = damper {
            let pairs =
                self.pairs.iter().enumerate().filter(|(_, pair)| !balls.are_far(&pair.shapes, damper));
            let near = |(index, pair): (usize, &Pair)| {
                Some(NearPair { index, at: pair.nearest(now, damper)?, bend: 0.0, was_bent: false })
            };
            self.near.extend(pairs.filter_map(near));
        }
    }
}

impl CollisionAvoidances {
    /// The pairs that have rows. In an impact, in which joint torques keep their values, only those that press on
    /// each other.
    fn rows<'a>(&'a self, next: &'a Prediction<'_>) -> impl Iterator<Item = AvoidanceRow<'a>> {
        let holding = self.sets.iter().filter_map(|kept| Some((kept, kept.damper?)));
        let rows = holding.flat_map(move |(kept, damper)| {
            kept.near.iter().map(move |near| {
                let pair = &kept.pairs[near.index];
                AvoidanceRow { damper, near, pair, pressed: next.self_contact_of(pair.shapes.geoms) }
            })
        });
        rows.filter(move |row| row.pressed.is_some() || !next.is_impact())
    }
}

impl NearPair {
    /// Rate of the distance at which the two end the frame in contact, or as deep in each other as the frames before
    /// left them, m/s.
    fn touching_rate(&self, pair: &Pair, response: f64, dt: f64) -> f64 {
        let touching = pair.touching();
        (touching - self.left_short(touching, response, dt) - self.at.distance - self.bend) / dt
    }

    /// The part of a clearance that a row leaves uncorrected because the distance was too small before, m.
    fn left_short(&self, clearance: f64, response: f64, dt: f64) -> f64 {
        (clearance - self.at.distance).max(0.0) * (1.0 - dt / response)
    }
}

impl Constraint for CollisionAvoidances {
    fn begin_frame(&mut self) {
        self.balls.are_new = false;
    }

    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>) {
        let begins = !std::mem::replace(&mut self.balls.are_new, true);
        if begins {
            self.balls.update(now.model, &now.snapshot.kinematics);
        }
        let balls = &self.balls;
        self.sets.iter_mut().for_each(|kept| kept.evaluate(values, now, balls, begins));
    }

    /// n·(J_b − J_a) v⁺ + bend/dt + dt g s ≥ −(d − clearance)/response, with a cost on s². Parts that press on each
    /// other, σ ≥ 0, end the frame no nearer than contact, and exactly in contact if they stay together.
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        let dt = now.scales.dt;
        let (first_row, first_unknown) = (qp.rows.rows(), qp.size());
        for AvoidanceRow { damper: Damper { clearance, response }, near, pair, pressed } in self.rows(next) {
            let limits = match pressed {
                None => {
                    let short = near.at.distance - pair.clearance(clearance);
                    [-short / response - near.bend / dt, f64::INFINITY]
                }
                Some((unknown, together)) => {
                    qp.lower[unknown] = 0.0;
                    let rate = near.touching_rate(pair, response, dt);
                    if next.is_impact() {
                        impact::add_work(qp, now, unknown, -rate);
                    }
                    [rate, if together { rate } else { f64::INFINITY }]
                }
            };
            let rate = next.separation_rate(pair.shapes.bodies, &near.at.points, &near.at.normal);
            qp.push_row(rate.coefficients(0), 0.0, limits, 1.0, &pair.row);
            qp.column_labels.push(&pair.give);
        }
        let rows = qp.rows.rows() - first_row;
        qp.widen(first_unknown + rows);
        for k in 0..rows {
            qp.rows.row_mut(first_row + k)[first_unknown + k] = dt * STANDARD_GRAVITY;
            qp.add_regularisation(first_unknown + k, GIVE_WEIGHT);
        }
    }

    fn look_ahead(&mut self, now: &Now<'_>, next: &Prediction<'_>, x: &[f64], ahead: &Kinematics) -> bool {
        self.find_strays(FrameEnd { now, next, x, ahead })
    }

    fn pressed(
        &self,
        now: &Now<'_>,
        next: &Prediction<'_>,
        x: &[f64],
        ahead: &Kinematics,
        report: &mut dyn FnMut(SelfContactColumn),
    ) {
        self.find_pressed(FrameEnd { now, next, x, ahead }, report);
    }

    fn gave_way(
        &self,
        now: &Now<'_>,
        next: &Prediction<'_>,
        x: &[f64],
        report: &mut dyn FnMut(&RowLabel, &'static str, f64),
    ) {
        for kept in &self.sets {
            let Some(Damper { clearance, response }) = kept.damper else { continue };
            for near in &kept.near {
                let pair = &kept.pairs[near.index];
                let clearance = pair.clearance(clearance);
                let short = clearance - kept.distance_at_end(near, now, next, x);
                if short > near.left_short(clearance, response, now.scales.dt) + REPORTED {
                    report(&pair.row, "m", short);
                }
            }
        }
    }
}
