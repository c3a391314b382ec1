//! A body in its rest pose, with the roles of its parts.

use super::cast::{Cast, OutlinePart};
use super::outline::ViewDirection;
use super::stage::diamond;
use crate::plot::PlotError;
use crate::plot::colour;
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use aplomb_body::model::roles::{BODIES, POINTS};
use aplomb_body::model::{BodyId, Model};
use aplomb_world::StartPose;
use nalgebra::{Point3, Vector3};

/// Kind of a picture of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyPicture {
    /// Views from the right and from the front, with roles.
    Roles,
    /// A small oblique view without text.
    Thumbnail,
}

/// Height of a picture with roles, and of a thumbnail, px.
const HEIGHT: f64 = 760.0;
const SMALL: f64 = 120.0;
const MARGIN: f64 = 36.0;
/// Distance between lines of text, px.
const LINE: f64 = 20.0;
const TEXT: f64 = 15.0;

/// A body in its rest pose, facing along x, with the title `name`.
///
/// # Errors
/// [`PlotError::Model`] if it has no rest pose on the ground.
pub fn body_picture(model: &Model, name: &str, shown: BodyPicture) -> Result<Picture, PlotError> {
    let stood = StartPose::standing().posed(model, 0.0);
    let q = match stood {
        Ok(state) => state.q,
        Err(_) => return Err(PlotError::Model { reason: format!("`{name}` has no pose to stand in") }),
    };
    let cast = Cast::of_model(model.clone(), model.rest_com_height());
    Ok(match shown {
        BodyPicture::Roles => with_roles(&cast, &q, name),
        BodyPicture::Thumbnail => thumbnail(&cast, &q),
    })
}

/// One view of a body: its parts, and its position on the page.
struct BodyView {
    view: ViewDirection,
    parts: Vec<OutlinePart>,
    /// Horizontal extent of all parts, m.
    across: [f64; 2],
    up: [f64; 2],
    /// Left edge and ground line on the page, px, and scale, px/m.
    left: f64,
    bottom: f64,
    scale: f64,
}

impl BodyView {
    fn new(cast: &Cast, q: &[f64], view: ViewDirection) -> Self {
        let parts = cast.figure(q, view);
        let range = |axis: usize| {
            let values = parts.iter().flat_map(|part| part.corners.iter().map(move |corner| corner[axis]));
            let of = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            });
            if of[0] <= of[1] { of } else { [0.0, 1.0] }
        };
        let (across, up) = (range(0), range(1));
        BodyView { view, parts, across, up, left: 0.0, bottom: 0.0, scale: 1.0 }
    }

    fn width(&self) -> f64 {
        (self.across[1] - self.across[0]) * self.scale
    }

    fn place(&self, [across, up]: [f64; 2]) -> PagePoint {
        [self.left + (across - self.across[0]) * self.scale, self.bottom - up * self.scale]
    }

    fn draw(&self, picture: &mut Picture, line: f64) {
        for part in &self.parts {
            let corners: Vec<PagePoint> = part.corners.iter().map(|corner| self.place(*corner)).collect();
            if let Some(first) = corners.first() {
                let mut edge = corners.clone();
                edge.push(*first);
                picture.fill(corners, part.colour);
                picture.stroke(edge, line, part.colour.darkened(0.35));
            }
        }
    }
}

fn ground(picture: &mut Picture, width: f64, y: f64, height: f64) {
    picture.rectangle(
        &Rectangle { left: 0.0, right: width, top: y, bottom: height },
        colour::Colour::hex(0xE9E4DC),
    );
    picture.stroke(vec![[0.0, y], [width, y]], 1.4, colour::SLATE);
}

fn thumbnail(cast: &Cast, q: &[f64]) -> Picture {
    let mut panel = BodyView::new(cast, q, ViewDirection::Front);
    let side = BodyView::new(cast, q, ViewDirection::Side);
    // A body longer than wide is shown from the side.
    if side.across[1] - side.across[0] > panel.across[1] - panel.across[0]
        && cast.model().roles.feet.len() > 2
    {
        panel = side;
    }
    let mut picture = Picture::new(SMALL as u32, SMALL as u32);
    let (air, under) = (6.0, 8.0);
    let high = panel.up[1].max(1e-3);
    panel.scale = ((SMALL - 2.0 * air) / (panel.across[1] - panel.across[0]).max(1e-3))
        .min((SMALL - air - under) / high);
    panel.left = 0.5 * (SMALL - panel.width());
    panel.bottom = SMALL - under;
    ground(&mut picture, SMALL, panel.bottom, SMALL);
    panel.draw(&mut picture, 0.8);
    picture
}

/// A label next to the picture and its point.
struct Callout {
    text: String,
    at: PagePoint,
}

fn with_roles(cast: &Cast, q: &[f64], name: &str) -> Picture {
    let mut panels = [ViewDirection::Side, ViewDirection::Front].map(|view| BodyView::new(cast, q, view));
    let high = panels.iter().map(|panel| panel.up[1]).fold(1e-3, f64::max);
    let (top, under) = (MARGIN + 2.0 * LINE, MARGIN);
    let labels = labels(cast.model(), q);
    let widest = |labels: &[(String, Vector3<f64>)]| {
        labels.iter().map(|(text, _)| font::width(text, TEXT)).fold(0.0, f64::max) + 24.0
    };
    let (before, after) = (widest(&labels[0]), widest(&labels[1]));
    let mut left = MARGIN;
    for panel in &mut panels {
        panel.scale =
            ((HEIGHT - top - under) / high).min(620.0 / (panel.across[1] - panel.across[0]).max(1e-3));
        panel.bottom = HEIGHT - under;
        panel.left = left + if panel.view == ViewDirection::Front { before } else { 0.0 };
        left = panel.left + panel.width() + MARGIN;
    }
    let width = left - MARGIN + after + MARGIN;
    let mut picture = Picture::new(width.ceil() as u32, HEIGHT as u32);
    ground(&mut picture, width, HEIGHT - under, HEIGHT);
    picture.text([MARGIN, 30.0], name, 22.0, TextAnchor::Start, colour::INK);
    for (panel, from) in panels.iter().zip(["from its right", "from the front"]) {
        panel.draw(&mut picture, 1.1);
        let middle = panel.left + 0.5 * panel.width();
        picture.text([middle, HEIGHT - 12.0], from, TEXT, TextAnchor::Middle, colour::SLATE);
    }
    let [_, front] = &panels;
    for (of_side, edge, align) in [
        (&labels[0], front.left - 18.0, TextAnchor::End),
        (&labels[1], front.left + front.width() + 18.0, TextAnchor::Start),
    ] {
        let placed = of_side
            .iter()
            .map(|(text, at)| Callout { text: text.clone(), at: front.place(front.view.project(at)) });
        beside(&mut picture, placed.collect(), edge, align, [top, HEIGHT - under - 4.0]);
    }
    picture
}

/// Draws labels in a column at `edge`, px, each with a line to its point, as near to the point's height as the other
/// labels allow.
fn beside(
    picture: &mut Picture,
    mut labels: Vec<Callout>,
    edge: f64,
    align: TextAnchor,
    [top, bottom]: [f64; 2],
) {
    labels.sort_by(|a, b| a.at[1].total_cmp(&b.at[1]));
    let count = labels.len();
    let mut above = top - LINE;
    for (number, label) in labels.into_iter().enumerate() {
        let last = bottom - (count - 1 - number) as f64 * LINE;
        let y = label.at[1].max(above + LINE).min(last.max(above + LINE));
        above = y;
        let inward = if align == TextAnchor::End { 4.0 } else { -4.0 };
        picture.stroke(vec![[edge + inward, y - 5.0], label.at], 0.9, colour::SLATE.faded(0.6));
        diamond(picture, label.at, 3.0);
        picture.text([edge, y], label.text, TEXT, align, colour::INK);
    }
}

/// Labels on the left of the picture (the body's right) and on its right: roles at the centres of mass of
/// bodies and at points, world axes, m.
fn labels(model: &Model, q: &[f64]) -> [Vec<(String, Vector3<f64>)>; 2] {
    let poses = model.body_poses(q);
    let mut sides: [Vec<(String, Vector3<f64>)>; 2] = Default::default();
    let mut add = |role: &str, at: Vector3<f64>| {
        let side = &mut sides[usize::from(!role.starts_with("right"))];
        match side.iter_mut().find(|(_, known)| (*known - at).norm() < 1e-9) {
            Some((text, _)) => *text = format!("{text}, {role}"),
            None => side.push((role.into(), at)),
        }
    };
    for (role, _) in BODIES {
        if let Some(BodyId(body)) = model.body(role) {
            add(
                role,
                poses[body].translation.vector + poses[body].rotation * model.bodies[body].inertia.centre,
            );
        }
    }
    for (role, _) in POINTS {
        let site = model.site(role).map(|site| &model.sites[site]);
        if let Some((site, BodyId(body))) = site.and_then(|site| Some((site, site.body?))) {
            add(role, poses[body].transform_point(&Point3::from(site.position)).coords);
        }
    }
    sides
}
