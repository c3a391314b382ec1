//! Shapes of characters and passive objects in a frame of a run.

use super::order::{PlacedShape, drawn, over};
use super::outline::{ViewDirection, outline};
use crate::plot::PlotError;
use crate::plot::colour::{self, Colour};
use aplomb_body::dynamics::kinematics::Kinematics;
use aplomb_body::model::{BodyId, JointKind, Model, Shape, mjcf};
use aplomb_language::diagnostic::Source;
use aplomb_trace::{Frame, Header, Heights, Obstacle, PassiveHeader};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

/// The characters and objects of a picture.
pub(super) struct Cast {
    model: Model,
    /// Colour of each body.
    colours: Vec<Colour>,
    objects: Vec<PassiveHeader>,
    /// Distance behind the nearest part at which colours are palest, m.
    depth: f64,
    /// Distance between surfaces below which they count as equally near, m.
    nearly: f64,
}

/// An outline in a view, m, with its colour and depth.
pub(super) struct OutlinePart {
    pub corners: Vec<[f64; 2]>,
    pub colour: Colour,
    pub depth: f64,
}

/// Shares of the height of the character's centre of mass: the distance over which parts fade,
const DEPTH: f64 = 0.6;
/// the distance of a body's centre from the median plane from which it has a side,
const OFF_MIDDLE: f64 = 0.02;
/// and the distance between surfaces up to which a part is drawn over its parent.
const NEARLY: f64 = 0.05;

impl Cast {
    /// # Errors
    /// [`PlotError::Model`] without a model text, or with one that cannot be read.
    pub(super) fn new(header: &Header) -> Result<Self, PlotError> {
        let model = if header.has_character() { character(header)? } else { Model::empty() };
        let cast = Cast::of_model(model, header.com_height);
        Ok(Cast { objects: header.passive.clone(), ..cast })
    }

    /// A body without surroundings, with the height of its centre of mass at rest, m.
    pub(super) fn of_model(model: Model, height: f64) -> Self {
        let colours = sides(&model, OFF_MIDDLE * height);
        let (depth, nearly) = ((DEPTH * height).max(1e-3), NEARLY * height.max(0.0));
        Cast { model, colours, objects: Vec::new(), depth, nearly }
    }

    /// The body of the character.
    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    /// Whether the character faces the world's x, within an eighth of a turn; a character that lies or hangs head
    /// down has no heading and is drawn unchanged.
    pub(super) fn faces_x(&self, frame: &Frame) -> bool {
        let is_free = self.model.joints.first().is_some_and(|joint| joint.kind == JointKind::Free);
        let (Some(w), true) = (frame.q.get(3..7), is_free) else { return true };
        let turn = unit(&[w[0], w[1], w[2], w[3]]);
        let root = BodyId(0);
        let axes = self.model.rest_axes(root).copied().unwrap_or_default();
        let forward = turn * axes * Vector3::x();
        let level = forward.x.hypot(forward.y);
        level < 0.5 || forward.x >= level * std::f64::consts::FRAC_1_SQRT_2
    }

    /// Outlines of the subject of the picture: the characters with ropes and cloth or, without a character, the
    /// passive objects.
    ///
    /// # Errors
    /// The errors of [`Cast::parts`].
    pub(super) fn leads(&self, frame: &Frame, view: ViewDirection) -> Result<Vec<OutlinePart>, PlotError> {
        let mut parts = Vec::new();
        if self.model.bodies.is_empty() {
            self.add_objects(frame, view, &mut parts, |_| true);
        } else {
            self.add_character(self.configuration(frame)?, view, &mut parts);
            self.add_objects(frame, view, &mut parts, |object| {
                object.is_character() || !object.segments.is_empty()
            });
        }
        Ok(parts)
    }

    /// Outlines of all shapes, the farthest first; more distant parts of the character are paler.
    ///
    /// # Errors
    /// [`PlotError::Model`] if the configuration is not one of this model.
    pub(super) fn parts(&self, frame: &Frame, view: ViewDirection) -> Result<Vec<OutlinePart>, PlotError> {
        let mut parts = self.figure(self.configuration(frame)?, view);
        self.add_objects(frame, view, &mut parts, |_| true);
        parts.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        Ok(parts)
    }

    /// Outlines of the character alone in the configuration `q`, the farthest first and palest.
    pub(super) fn figure(&self, q: &[f64], view: ViewDirection) -> Vec<OutlinePart> {
        let mut shapes = self.shapes(q, view);
        let depth = |shape: &PlacedShape<'_>| view.depth(&shape.position);
        shapes.sort_by(|(a, _), (b, _)| depth(b).total_cmp(&depth(a)));
        let order = drawn(shapes.len(), &over(&self.model, &shapes, view, self.nearly));
        let mut parts: Vec<OutlinePart> = Vec::with_capacity(shapes.len());
        for index in order {
            let (shape, corners) = &shapes[index];
            // Not farther than the parts that it is drawn over, so that it stays in front among objects too.
            let depth = parts.last().map_or(depth(shape), |before| depth(shape).min(before.depth));
            parts.push(OutlinePart { corners: corners.clone(), colour: self.colours[shape.body.0], depth });
        }
        let near = parts.last().map_or(0.0, |part| part.depth);
        for part in &mut parts {
            let share = ((part.depth - near) / self.depth).clamp(0.0, 1.0);
            part.colour = part.colour.lightened(0.1 + 0.5 * share);
        }
        parts
    }

    /// # Errors
    /// [`PlotError::Model`] if the configuration is not one of this model.
    fn configuration<'f>(&self, frame: &'f Frame) -> Result<&'f [f64], PlotError> {
        let (wanted, there) = (self.model.nq, frame.q.len());
        if wanted != there {
            let reason =
                format!("frame {} has {there} configuration numbers, the model {wanted}", frame.index);
            return Err(PlotError::Model { reason });
        }
        Ok(&frame.q)
    }

    fn add_objects(
        &self,
        frame: &Frame,
        view: ViewDirection,
        parts: &mut Vec<OutlinePart>,
        wanted: impl Fn(&PassiveHeader) -> bool,
    ) {
        let all = self.objects.iter().zip(&frame.passive).enumerate();
        for (number, (object, state)) in all.filter(|(_, (object, _))| wanted(object)) {
            let colour = colour::object(number);
            let mut add = |shape: &Shape, position: &Vector3<f64>, rotation: &Matrix3<f64>| {
                if let Some(corners) = outline(shape, position, rotation, view) {
                    parts.push(OutlinePart { corners, colour, depth: view.depth(position) });
                }
            };
            for solid in &object.solids {
                let Some(origin) = state.positions.get(solid.part) else { continue };
                let turn = state.orientations.get(solid.part).map_or(UnitQuaternion::identity(), unit);
                let position = Vector3::from(*origin) + turn * Vector3::from(solid.position);
                let rotation = (turn * unit(&solid.orientation)).to_rotation_matrix().into_inner();
                add(&solid.shape.shape(), &position, &rotation);
            }
            for segment in &object.segments {
                let [Some(a), Some(b)] = segment.ends.map(|end| state.positions.get(end)) else { continue };
                let (a, b) = (Vector3::from(*a), Vector3::from(*b));
                let half_length = 0.5 * (b - a).norm();
                let along = UnitQuaternion::rotation_between(&Vector3::z(), &(b - a));
                let rotation = along.unwrap_or_default().to_rotation_matrix().into_inner();
                let shape = Shape::Capsule { radius: segment.radius, half_length };
                add(&shape, &(0.5 * (a + b)), &rotation);
            }
        }
    }

    fn add_character(&self, q: &[f64], view: ViewDirection, parts: &mut Vec<OutlinePart>) {
        parts.extend(self.shapes(q, view).into_iter().map(|(shape, corners)| OutlinePart {
            corners,
            colour: self.colours[shape.body.0],
            depth: view.depth(&shape.position),
        }));
    }

    /// The shapes of the character that have an outline, with their outlines.
    fn shapes(&self, q: &[f64], view: ViewDirection) -> Vec<(PlacedShape<'_>, Vec<[f64; 2]>)> {
        let mut kinematics = Kinematics::new(&self.model);
        kinematics.update(&self.model, q, &vec![0.0; self.model.nv]);
        let shapes = self.model.geoms.iter().filter_map(|geom| {
            let body = geom.body?;
            let position = kinematics.point(body, &geom.position);
            let rotation = kinematics.rotation[body.0] * geom.orientation.to_rotation_matrix().matrix();
            let corners = outline(&geom.shape, &position, &rotation, view)?;
            Some((PlacedShape { body, shape: &geom.shape, position, rotation }, corners))
        });
        shapes.collect()
    }
}

/// The character, from the model text in the trace.
fn character(header: &Header) -> Result<Model, PlotError> {
    let text =
        header.text("model").ok_or_else(|| PlotError::Model { reason: "the trace holds no model".into() })?;
    mjcf::read(&Source::new(&text.name, &text.text))
        .map_err(|error| PlotError::Model { reason: error.to_string() })
}

fn unit([w, x, y, z]: &[f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(*w, *x, *y, *z))
}

/// Colours by the side of each body in the rest pose: the sign of its y coordinate when facing x.
fn sides(model: &Model, off_middle: f64) -> Vec<Colour> {
    let mut kinematics = Kinematics::new(model);
    kinematics.update(model, &model.rest_configuration(), &vec![0.0; model.nv]);
    let total = &kinematics.total_inertia;
    let middle = if total.mass > 0.0 { total.first_moment.y / total.mass } else { 0.0 };
    let bodies = model.bodies.iter().enumerate();
    bodies
        .map(|(index, body)| {
            let centre = kinematics.position[index] + kinematics.rotation[index] * body.inertia.centre;
            match centre.y - middle {
                side if side > off_middle => colour::LEFT,
                side if side < -off_middle => colour::RIGHT,
                _ => colour::MIDDLE,
            }
        })
        .collect()
}

/// Silhouette of uneven ground from one side: the highest point of each grid line, down to the lowest height.
fn skyline(heights: &Heights, position: &Vector3<f64>, view: ViewDirection) -> Vec<[f64; 2]> {
    let lines = [&heights.x, &heights.y][view.axis()];
    let highest = |line: usize| {
        let columns = heights.x.len();
        let at = heights.z.iter().enumerate().filter(|(index, _)| match view {
            ViewDirection::Side => index % columns == line,
            ViewDirection::Front => index / columns == line,
        });
        at.map(|(_, height)| *height).fold(f64::NEG_INFINITY, f64::max)
    };
    let lowest = heights.z.iter().copied().fold(f64::INFINITY, f64::min);
    let place = |across: f64, up: f64| [across + position[view.axis()], up + position.z];
    let tops = lines.iter().enumerate().map(|(line, across)| place(*across, highest(line)));
    let ends = [lines.last(), lines.first()].into_iter().flatten().map(|across| place(*across, lowest));
    tops.chain(ends).collect()
}

/// Outline of a box of the world or of uneven ground; `None` for half-spaces.
pub(super) fn obstacle(obstacle: &Obstacle, view: ViewDirection) -> Option<Vec<[f64; 2]>> {
    if let Some(heights) = &obstacle.field {
        return Some(skyline(heights, &Vector3::from(obstacle.position), view));
    }
    let half_lengths = Vector3::from(obstacle.half_lengths?);
    let [w, x, y, z] = obstacle.orientation;
    let rotation: Matrix3<f64> =
        *UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).to_rotation_matrix().matrix();
    let shape = aplomb_body::model::Shape::Box { half_lengths };
    outline(&shape, &Vector3::from(obstacle.position), &rotation, view)
}
