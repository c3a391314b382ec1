//! A clip and the body that was fitted to it, side by side at several moments.

use super::cast::Cast;
use super::outline::ViewDirection;
use crate::plot::colour::{self, Colour};
use crate::plot::font;
use crate::plot::picture::{PagePoint, Picture, Rectangle, TextAnchor};
use aplomb_body::model::Model;
use nalgebra::Vector3;

/// A bone of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipBone {
    /// Its ends, m.
    pub ends: [Vector3<f64>; 2],
    /// 1 for a bone of the left side, −1 for one of the right side.
    pub side: i8,
}

/// A moment of a clip: the skeleton in the file, and the body. Both face along x above the origin.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipMoment {
    /// Line above the figures, such as the time.
    pub title: String,
    /// Line below the title.
    pub note: String,
    /// Whether the note is a warning.
    pub is_worst: bool,
    /// Bones of the skeleton.
    pub bones: Vec<ClipBone>,
    /// Configuration of the body.
    pub q: Vec<f64>,
}

const WIDTH: f64 = 1800.0;
const MARGIN: f64 = 36.0;
const TOP: f64 = 92.0;
const GAP: f64 = 12.0;
/// Height of the lines above a moment, px.
const CAPTION: f64 = 50.0;
/// Height below the ground line, px.
const UNDER: f64 = 12.0;
const KEY: f64 = 44.0;
const COLUMNS: usize = 4;
/// Largest height of a view, px, and least size of the shown part of the world, m.
const HIGHEST: f64 = 330.0;
const LEAST: f64 = 0.2;
/// Margin around the figures, as a share of their size.
const AIR: f64 = 0.06;
const VIEWS: [ViewDirection; 2] = [ViewDirection::Side, ViewDirection::Front];
const FIGURES: [&str; 4] = ["clip", "body", "clip", "body"];

/// The clip next to the body at these moments, with two lines of text.
pub fn clip_picture(model: &Model, title: &str, note: &str, moments: &[ClipMoment]) -> Picture {
    let cast = Cast::of_model(model.clone(), model.rest_com_height());
    let page = ClipPage::new(&cast, moments);
    let rows = moments.len().div_ceil(COLUMNS);
    let height = TOP + rows as f64 * (page.cell + GAP) + KEY;
    let mut picture = Picture::new(WIDTH as u32, height.ceil() as u32);
    let text = |size: f64, text: &str| font::shortened(text, size, WIDTH - 2.0 * MARGIN);
    picture.text([MARGIN, 40.0], text(24.0, title), 24.0, TextAnchor::Start, colour::INK);
    picture.text([MARGIN, 68.0], text(17.0, note), 17.0, TextAnchor::Start, colour::SLATE);
    for (number, moment) in moments.iter().enumerate() {
        let left = MARGIN + (number % COLUMNS) as f64 * (page.column + GAP);
        let top = TOP + (number / COLUMNS) as f64 * (page.cell + GAP);
        page.draw(&mut picture, &cast, moment, [left, top]);
    }
    key(&mut picture, height - 0.5 * KEY);
    picture
}

/// Sizes that all moments share.
struct ClipPage {
    /// Width and height of a moment, px.
    column: f64,
    cell: f64,
    /// Half of the width of each view's figures, m, and their lowest and highest points.
    halves: [f64; 2],
    up: [f64; 2],
    /// Scale, px/m.
    scale: f64,
}

impl ClipPage {
    fn new(cast: &Cast, moments: &[ClipMoment]) -> Self {
        let mut halves = [0.5 * LEAST; 2];
        let mut up = [0.0_f64, LEAST];
        for moment in moments {
            for (half, view) in halves.iter_mut().zip(VIEWS) {
                let body = cast.figure(&moment.q, view).into_iter().flat_map(|part| part.corners);
                let bones = moment.bones.iter().flat_map(|bone| bone.ends.map(|end| view.project(&end)));
                for [across, height] in body.chain(bones).filter(|point| point.iter().all(|x| x.is_finite()))
                {
                    *half = half.max(across.abs());
                    up = [up[0].min(height), up[1].max(height)];
                }
            }
        }
        let column = (WIDTH - 2.0 * MARGIN - GAP * (COLUMNS - 1) as f64) / COLUMNS as f64;
        halves = halves.map(|half| half * (1.0 + AIR));
        let wide = 4.0 * (halves[0] + halves[1]);
        let high = (up[1] - up[0]) * (1.0 + AIR);
        let scale = (column / wide).min(HIGHEST / high);
        ClipPage { column, cell: CAPTION + high * scale + UNDER, halves, up, scale }
    }

    fn draw(&self, picture: &mut Picture, cast: &Cast, moment: &ClipMoment, [left, top]: PagePoint) {
        let area = Rectangle { left, right: left + self.column, top, bottom: top + self.cell };
        picture.rectangle(&area, Colour::hex(0xF7F9FB));
        picture.text([left + 10.0, top + 22.0], &moment.title, 18.0, TextAnchor::Start, colour::INK);
        let note = font::shortened(&moment.note, 14.0, self.column - 20.0);
        let tone = if moment.is_worst { colour::ALARM } else { colour::SLATE };
        picture.text([left + 10.0, top + 42.0], note, 14.0, TextAnchor::Start, tone);
        let ground = area.bottom - UNDER + self.up[0] * self.scale;
        picture.stroke(vec![[left, ground], [area.right, ground]], 1.4, colour::SLATE);
        // Four figures in a row, with the remaining width between them.
        let wide = 4.0 * (self.halves[0] + self.halves[1]) * self.scale;
        let mut x = left + 0.5 * (self.column - wide);
        for (number, name) in FIGURES.into_iter().enumerate() {
            let (view, half) = (VIEWS[number / 2], self.halves[number / 2] * self.scale);
            let place = |[across, up]: [f64; 2]| [x + half + across * self.scale, ground - up * self.scale];
            match name {
                "clip" => skeleton(picture, &moment.bones, view, &place),
                _ => body(picture, cast, &moment.q, view, &place),
            }
            x += 2.0 * half;
        }
        let tone = if moment.is_worst { colour::ALARM } else { colour::OUTLINE };
        picture.frame(&area, 1.0, tone);
    }
}

/// Maps a point of a view, m, to the page, px.
type Place<'a> = &'a dyn Fn([f64; 2]) -> PagePoint;

fn body(picture: &mut Picture, cast: &Cast, q: &[f64], view: ViewDirection, place: Place<'_>) {
    for part in cast.figure(q, view) {
        let corners: Vec<PagePoint> = part.corners.iter().map(|corner| place(*corner)).collect();
        if let Some(first) = corners.first() {
            let mut edge = corners.clone();
            edge.push(*first);
            picture.fill(corners, part.colour);
            picture.stroke(edge, 0.9, part.colour.darkened(0.35));
        }
    }
}

/// Draws the bones as lines, the nearer ones on top, with their joints.
fn skeleton(picture: &mut Picture, bones: &[ClipBone], view: ViewDirection, place: Place<'_>) {
    let depth = |bone: &ClipBone| view.depth(&bone.ends[0]) + view.depth(&bone.ends[1]);
    let mut bones: Vec<&ClipBone> = bones.iter().collect();
    bones.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
    for bone in bones {
        let [from, to] = bone.ends.map(|end| place(view.project(&end)));
        picture.stroke(vec![from, to], 4.0, of_side(bone.side));
        picture.disc(from, 2.6, of_side(bone.side).darkened(0.35));
    }
}

fn of_side(side: i8) -> Colour {
    match side {
        1 => colour::LEFT,
        -1 => colour::RIGHT,
        _ => colour::MIDDLE,
    }
}

/// Draws the key to the figures of a moment and to the colours.
fn key(picture: &mut Picture, y: f64) {
    let mut x = MARGIN;
    for (name, side) in [("left", 1), ("right", -1)] {
        let area = Rectangle { left: x, right: x + 24.0, top: y - 8.0, bottom: y + 8.0 };
        picture.rectangle(&area, of_side(side));
        picture.text([x + 32.0, y + 5.5], name, 16.0, TextAnchor::Start, colour::INK);
        x += 62.0 + font::width(name, 16.0);
    }
    let text =
        "at each moment: the skeleton of the clip and the body from its right, then both from the front";
    picture.text([x, y + 5.5], text, 16.0, TextAnchor::Start, colour::INK);
}
