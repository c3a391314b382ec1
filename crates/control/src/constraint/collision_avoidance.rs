//! Parts of a character do not pass through each other: a velocity damper between their shapes (Faverjon and
//! Tournassoud 1987, A local based approach for path planning of manipulators, eq. 3, with torques that may not suffice).

use super::origin_of;
use super::{Constraint, Kind};
use crate::objective::Now;
use crate::predict::Prediction;
use aplomb_body::contact::{centre_of, nearest};
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::roles;
use aplomb_body::model::scales::STANDARD_GRAVITY;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Place, Source, Warning};
use aplomb_language::expression::{Condition, ConditionField, Lookup, Names, Scalar, ScalarField, Switch};
use aplomb_math::geometry::Nearest;
use aplomb_qp::{Label, Qp, RowKind, RowLabel, UnknownKind, UnknownLabel};
use serde::Deserialize;
use std::sync::Arc;

/// How fast a frame may change the speed of two parts towards each other, m/s: rows of pairs that cannot come
/// near in this frame are left out.
const SUDDEN: f64 = 0.5;
/// Fastest approach of two parts that is still seen coming, m/s.
const FASTEST: f64 = 5.0;
/// On the square of how far a row gives way, in dt g: dearer than any goal, cheaper than what cannot be done.
const GIVE_WEIGHT: f64 = 1e4;
/// By how much a pair may be nearer than balls around its shapes say, m: iterated distances are not exact.
const DOUBT: f64 = 1e-3;
/// Distance below the clearance that is reported by name, m.
const REPORTED: f64 = 1e-3;

/// Parts of the body that avoid each other, with all that hangs below them: legs, or an arm and the trunk. A body belongs to the nearest one above it that is named. Bodies that share a joint are left out.
///
/// They come no closer than distance − clearance decays: d⁺ ≥ d − dt (d − clearance)/response. Where joint torques
/// cannot do that the row is relaxed, and the frame says by how much.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CollisionAvoidance {
    /// The name in reports, and in `--set controller.collision_avoidance.NAME`.
    pub name: Spanned<String>,
    /// One side.
    pub bodies: Vec<Spanned<String>>,
    /// The other.
    pub from: Vec<Spanned<String>>,
    /// Distance of their shapes that is kept, m.
    #[serde(default = "no_clearance")]
    pub clearance: ScalarField,
    /// Time constant of the approach to it, s on the controller's clock.
    #[serde(default = "default_response")]
    pub response: ScalarField,
    /// It holds only in frames where this does.
    pub when: Option<ConditionField>,
    /// Whether it holds from the beginning; if not, an event of the scene may enable it.
    #[serde(default = "yes")]
    pub enabled: bool,
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

pub(super) const KIND: Kind = Kind {
    name: "collision_avoidance",
    about: "Parts of the body that the controller's `collision_avoidance` names do not pass through each other.",
    make: |setting| {
        let made = || Box::new(CollisionAvoidances(setting.apart.to_vec())) as Box<dyn Constraint>;
        (!setting.apart.is_empty()).then(made)
    },
};

/// All that a controller keeps apart.
pub struct CollisionAvoidances(pub Vec<BoundCollisionAvoidance>);

/// A [`CollisionAvoidance`] that runs.
#[derive(Clone, Debug)]
pub struct BoundCollisionAvoidance {
    /// Name of the constraint, for labels.
    pub name: Arc<str>,
    /// Pairs of shapes, one of each side.
    pub pairs: Vec<Pair>,
    clearance: Scalar,
    response: Scalar,
    when: Option<Condition>,
    /// Whether it holds as far as events go.
    pub switch: Switch,
    /// The numbers of this solve; `None` where it does not hold.
    damper: Option<Damper>,
    /// The pairs, by index, that may come too near in this frame.
    near: Vec<(usize, Nearest)>,
}

/// What the rows of a pair are made with.
#[derive(Clone, Copy, Debug)]
struct Damper {
    /// m
    clearance: f64,
    /// s
    response: f64,
}

/// Two shapes that may come near each other.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Indices of the two shapes among the model's geoms.
    pub geoms: [usize; 2],
    /// The bodies the two shapes belong to.
    pub bodies: [BodyId; 2],
    /// Of balls around the two shapes, m.
    radii: [f64; 2],
    /// How far apart the shapes are in the rest pose, m: nothing keeps them farther from each other.
    at_rest: f64,
    row: RowLabel,
    give: UnknownLabel,
}

impl Pair {
    /// What is kept between the two, m, where `asked` is asked for.
    fn clearance(&self, asked: f64) -> f64 {
        asked.min(self.at_rest)
    }

    /// A distance that the shapes are not nearer than, m, and a speed that no two points of theirs approach each other
    /// faster than, m/s: by balls around the shapes.
    fn bounds(&self, model: &Model, kinematics: &Kinematics) -> [f64; 2] {
        let centres = self.geoms.map(|geom| centre_of(&model.geoms[geom], kinematics));
        let velocity = |side: usize| kinematics.point_velocity(self.bodies[side], &centres[side]);
        let turning =
            |side: usize| kinematics.velocity[self.bodies[side].0].angular.norm() * self.radii[side];
        let distance = (centres[1] - centres[0]).norm() - self.radii[0] - self.radii[1];
        [distance, (velocity(0) - velocity(1)).norm() + turning(0) + turning(1)]
    }

    /// Where the two are nearest, if they may come too near in this frame.
    fn nearest(&self, now: &Now<'_>, damper: Damper) -> Option<Nearest> {
        let (model, kinematics) = (now.model, &now.snapshot.kinematics);
        let clearance = self.clearance(damper.clearance);
        let may_meet =
            |distance: f64, approach: f64| distance - clearance < (approach + SUDDEN) * damper.response;
        let [distance, approach] = self.bounds(model, kinematics);
        if !may_meet(distance - DOUBT, approach) {
            return None;
        }
        let near = nearest(model, kinematics, self.geoms, clearance + FASTEST * damper.response)?;
        let velocity = |side: usize| kinematics.point_velocity(self.bodies[side], &near.points[side]);
        let approach = near.normal.dot(&(velocity(0) - velocity(1)));
        may_meet(near.distance, approach).then_some(near)
    }
}

/// Whether a name is that of a role, which not every body has.
fn is_role(name: &str) -> bool {
    roles::BODIES.iter().any(|(role, _)| *role == name)
}

/// Shapes farther apart in the rest pose are not measured, m.
const REST_REACH: f64 = 1.0;

impl CollisionAvoidance {
    /// Finds its bodies and their shapes.
    ///
    /// # Errors
    ///
    /// If a body is unknown or on both sides, a response time is not above 0, or an expression has an unknown name or a
    /// wrong type.
    pub fn bind(
        &self,
        model: &Model,
        source: &Source,
        names: &dyn Names,
    ) -> Result<BoundCollisionAvoidance, FileError> {
        let is_lacking =
            |name: &Spanned<String>| is_role(name.get_ref()) && model.body(name.get_ref()).is_none();
        // A body that lacks a part has nothing to keep from it.
        let lacks = self.bodies.iter().chain(&self.from).any(is_lacking);
        let sides = match lacks {
            true => [Vec::new(), Vec::new()],
            false => [self.side(&self.bodies, model, source)?, self.side(&self.from, model, source)?],
        };
        if let Some((_, twice)) = sides[0].iter().zip(&self.bodies).find(|(body, _)| sides[1].contains(body))
        {
            let message = format!("`{}` cannot be kept apart from itself", twice.get_ref());
            return Err(FileError::new(source, twice.span(), message));
        }
        let place = source.place(self.name.span().start);
        let pairs = pairs(model, &sides, self.name.get_ref(), &place);
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

    /// A warning of parts of a body that have no shapes, nor what hangs below them: nothing is kept from them. Roles that
    /// the body lacks are no parts of it.
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
        let message = format!("nothing is kept from {}: no shapes that touch", names.join(" and "));
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

/// Every shape of one side with every shape of the other.
fn pairs(model: &Model, sides: &[Vec<BodyId>; 2], name: &str, place: &Place) -> Vec<Pair> {
    let shapes = |side: usize| {
        let geoms = model.geoms.iter().enumerate().filter(|(_, geom)| geom.collides);
        geoms.filter_map(move |(index, geom)| {
            let body = geom.body?;
            (side_of(model, sides, body) == Some(side)).then_some((index, body))
        })
    };
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &model.rest_configuration(), &vec![0.0; model.nv]);
    let mut list = Vec::new();
    for (first, a) in shapes(0) {
        for (second, b) in shapes(1).filter(|(_, b)| !model.share_a_joint(a, *b)) {
            let who = format!("{name}: {} from {}", model.geoms[first].name, model.geoms[second].name);
            let geoms = [first, second];
            let name = format!("give of {who}").into();
            let give = Label { kind: UnknownKind::Slack, name, unit: "dt g", origin: origin_of(place) };
            let kind = RowKind::KeepApart { geoms };
            let row = Label { kind, name: who.into(), unit: "m/s", origin: origin_of(place) };
            let near = nearest(model, &kinematics, geoms, REST_REACH);
            let at_rest = near.map_or(f64::INFINITY, |near| near.distance);
            let radii = geoms.map(|geom| model.geoms[geom].shape.bounding_radius());
            list.push(Pair { geoms, bodies: [a, b], radii, at_rest, row, give });
        }
    }
    list
}

/// The side of the nearest body from `body` upwards that is named.
fn side_of(model: &Model, sides: &[Vec<BodyId>; 2], mut body: BodyId) -> Option<usize> {
    loop {
        match sides.iter().position(|side| side.contains(&body)) {
            Some(side) => return Some(side),
            None => body = model.bodies[body.0].parent?,
        }
    }
}

impl BoundCollisionAvoidance {
    /// The least distance of the two sides, m, and the pair that has it; `None` where nothing is nearer than
    /// `reach`.
    pub fn least(&self, model: &Model, kinematics: &Kinematics, reach: f64) -> Option<(f64, &Pair)> {
        let mut least: Option<(f64, &Pair)> = None;
        for pair in &self.pairs {
            let reach = least.map_or(reach, |(distance, _)| distance);
            if let Some(near) = nearest(model, kinematics, pair.geoms, reach)
                && near.distance < reach
            {
                least = Some((near.distance, pair));
            }
        }
        least
    }

    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>) {
        let frame = (now.state.time / now.scales.period).round() as u64;
        let holds = self.switch.is_on(frame) && self.when.as_ref().is_none_or(|when| when.value(values));
        self.damper = holds.then(|| {
            let response = self.response.value(values) * now.scales.time();
            // No faster than a frame: what is asked for is no more than the clearance itself.
            Damper { clearance: self.clearance.value(values), response: response.max(now.scales.dt) }
        });
        self.near.clear();
        if let Some(damper) = self.damper {
            let pairs = self.pairs.iter().enumerate();
            self.near.extend(pairs.filter_map(|(index, pair)| Some((index, pair.nearest(now, damper)?))));
        }
    }
}

impl Constraint for CollisionAvoidances {
    fn evaluate(&mut self, values: &dyn Lookup, now: &Now<'_>) {
        self.0.iter_mut().for_each(|kept| kept.evaluate(values, now));
    }

    /// n·(J_b − J_a) v⁺ + dt g s ≥ −(d − clearance)/response, with s² at a price.
    fn write(&self, now: &Now<'_>, next: &Prediction<'_>, qp: &mut Qp) {
        if next.is_impact() {
            // In an impact the joint torques, which would have to do this, stay as they are.
            return;
        }
        let (first_row, first_unknown) = (qp.rows.rows(), qp.size());
        for kept in &self.0 {
            let Some(Damper { clearance, response }) = kept.damper else { continue };
            for (index, near) in &kept.near {
                let pair = &kept.pairs[*index];
                let clearance = pair.clearance(clearance);
                let rate = next.separation_rate(pair.bodies, &near.points, &near.normal);
                let least = -(near.distance - clearance) / response;
                qp.push_row(rate.coefficients(0), 0.0, [least, f64::INFINITY], 1.0, &pair.row);
                qp.column_labels.push(&pair.give);
            }
        }
        let rows = qp.rows.rows() - first_row;
        qp.widen(first_unknown + rows);
        for k in 0..rows {
            qp.rows.row_mut(first_row + k)[first_unknown + k] = now.scales.dt * STANDARD_GRAVITY;
            qp.add_regularisation(first_unknown + k, GIVE_WEIGHT);
        }
    }

    fn gave_way(
        &self,
        now: &Now<'_>,
        next: &Prediction<'_>,
        x: &[f64],
        report: &mut dyn FnMut(&RowLabel, &'static str, f64),
    ) {
        for kept in &self.0 {
            let Some(Damper { clearance, response }) = kept.damper else { continue };
            for (index, near) in &kept.near {
                let pair = &kept.pairs[*index];
                let clearance = pair.clearance(clearance);
                let rate = next.separation_rate(pair.bodies, &near.points, &near.normal).value(0, x);
                let short = clearance - (near.distance + now.scales.dt * rate);
                // What the row would have left of a clearance that was short before.
                let left = (clearance - near.distance).max(0.0) * (1.0 - now.scales.dt / response);
                if short > left + REPORTED {
                    report(&pair.row, "m", short);
                }
            }
        }
    }
}
