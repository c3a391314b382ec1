//! The shipped scenes, and the description of a scene that a page needs to draw it.

use crate::controller;
use crate::session::PageSession;
use aplomb::language::files::{Folder, find_shipped, shipped as shipped_files};
use aplomb::model::{Geom, Shape};
use aplomb::scene::header;
use aplomb::trace::{Header, SolidShape};
use serde::Serialize;

/// A scene in the list.
#[derive(Debug, Serialize)]
pub struct ListedScene {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
}

/// Names and titles of the shipped scenes, by name.
pub fn shipped() -> Vec<ListedScene> {
    let listed = |name: String| {
        let found = find_shipped(Folder::Scenes, &name).ok();
        let title = found.and_then(|found| title(&found.source.text)).unwrap_or_else(|| name.clone());
        ListedScene { name, title }
    };
    shipped_files(Folder::Scenes).into_iter().map(listed).collect()
}

/// Title in the text of a scene. Parsing each whole scene would take a few milliseconds.
fn title(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("title"))?;
    let (_, value) = line.split_once('=')?;
    serde_json::from_str(value.trim()).ok()
}

/// The parts of a scene that do not change while it runs.
#[derive(Debug, Serialize)]
pub struct SceneDescription {
    /// The header of its trace, without texts.
    pub header: Header,
    /// Shapes of the first character.
    pub geoms: Vec<BodySolid>,
    /// Centres of mass of its bodies, in their frames, m.
    pub centres: Vec<[f64; 3]>,
    /// Mass of the first character, or of the passive objects, kg.
    pub mass: f64,
    /// Controller of the first character; `None` without a character.
    pub controller: Option<controller::ControllerDescription>,
    /// Whether the scene has events of its own.
    pub has_events: bool,
}

/// A shape fixed to a body.
#[derive(Debug, Serialize)]
pub struct BodySolid {
    /// Number of the body.
    pub part: usize,
    /// Geometry.
    pub shape: SolidShape,
    /// Position in the frame of the body, m.
    pub position: [f64; 3],
    /// Quaternion w, x, y, z.
    pub orientation: [f64; 4],
}

impl SceneDescription {
    /// Describes the scene.
    pub fn of(session: &mut PageSession) -> Self {
        let mut header = Header { texts: Vec::new(), ..header(&session.files, &session.run) };
        // Obstacles of passive objects that characters touch come last, and are drawn as objects.
        header.obstacles.truncate(session.run.world.surfaces().len());
        let (model, _) = session.run.world.sensed(session.run.hero());
        let objects: f64 = header.passive.iter().map(|object| object.mass).sum();
        SceneDescription {
            geoms: model.geoms.iter().filter_map(solid).collect(),
            centres: model.bodies.iter().map(|body| body.inertia.centre.into()).collect(),
            mass: if header.has_character() { header.mass } else { objects },
            has_events: !session.files.scene.events.is_empty(),
            header,
            controller: controller::ControllerDescription::of(session),
        }
    }
}

/// A shape of a body; `None` for a shape of the fixed world, which is an obstacle.
fn solid(geom: &Geom) -> Option<BodySolid> {
    let part = geom.body?.0;
    let turn = geom.orientation;
    debug_assert!(!matches!(geom.shape, Shape::Plane), "bodies have no planes");
    Some(BodySolid {
        part,
        shape: SolidShape::of(&geom.shape)?,
        position: geom.position.into(),
        orientation: [turn.w, turn.i, turn.j, turn.k],
    })
}
