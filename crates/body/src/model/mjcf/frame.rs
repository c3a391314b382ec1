//! Content of a body, with `<frame>` and `<replicate>` resolved.

use super::defaults::Defaults;
use super::element::Element;
use super::names::Suffix;
use super::settings::CompilerSettings;
use crate::model::xml::MOST_NODES;
use aplomb_language::diagnostic::FileError;
use nalgebra::{UnitQuaternion, Vector3};

/// A transform from the coordinates of an element to those of its body.
#[derive(Clone, Copy)]
pub(super) struct ElementFrame {
    pub position: Vector3<f64>,
    pub orientation: UnitQuaternion<f64>,
}

/// An optional transform; `None` leaves values bit for bit unchanged.
pub(super) type InFrame = Option<ElementFrame>;

/// A point in the coordinates of the body.
pub(super) fn point(frame: &InFrame, point: Vector3<f64>) -> Vector3<f64> {
    frame.as_ref().map_or(point, |frame| frame.position + frame.orientation * point)
}

/// A direction in the coordinates of the body.
pub(super) fn direction(frame: &InFrame, direction: Vector3<f64>) -> Vector3<f64> {
    frame.as_ref().map_or(direction, |frame| frame.orientation * direction)
}

/// An orientation in the coordinates of the body.
pub(super) fn turn(frame: &InFrame, turn: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    frame.as_ref().map_or(turn, |frame| frame.orientation * turn)
}

/// `inner`, given in the coordinates of `outer`, in those of the body.
fn within(outer: &InFrame, inner: ElementFrame) -> ElementFrame {
    ElementFrame { position: point(outer, inner.position), orientation: turn(outer, inner.orientation) }
}

/// An element of a body with its transform, class and name.
#[derive(Clone)]
pub(super) struct BodyElement<'a> {
    pub element: Element<'a>,
    pub childclass: &'a str,
    pub frame: InFrame,
    pub suffix: Suffix,
}

/// The elements of a body, with those in frames and all copies.
pub(super) fn contents<'a>(
    parent: Element<'a>,
    childclass: &'a str,
    suffix: &Suffix,
    settings: &CompilerSettings,
    defaults: &Defaults<'a>,
) -> Result<Vec<BodyElement<'a>>, FileError> {
    let mut reader = FrameReader { settings, defaults, items: Vec::new() };
    reader.read(&BodyElement { element: parent, childclass, frame: None, suffix: suffix.clone() })?;
    Ok(reader.items)
}

struct FrameReader<'a, 'b> {
    settings: &'b CompilerSettings,
    defaults: &'b Defaults<'a>,
    items: Vec<BodyElement<'a>>,
}

impl<'a> FrameReader<'a, '_> {
    fn read(&mut self, within: &BodyElement<'a>) -> Result<(), FileError> {
        for element in within.element.children() {
            let item = BodyElement { element, ..within.clone() };
            match element.tag() {
                "frame" => self.read_frame(item)?,
                "replicate" => self.read_copies(item)?,
                _ => self.items.push(item),
            }
            if self.items.len() > MOST_NODES as usize {
                return Err(element.error(format!("more than {MOST_NODES} elements in one body")));
            }
        }
        Ok(())
    }

    fn read_frame(&mut self, mut item: BodyElement<'a>) -> Result<(), FileError> {
        let element = item.element;
        item.childclass = self.defaults.class_named(&element, "childclass")?.unwrap_or(item.childclass);
        let inner = ElementFrame {
            position: element.vector("pos", Vector3::zeros())?,
            orientation: self.settings.orientation(&element)?,
        };
        item.frame = Some(self::within(&item.frame, inner));
        self.read(&item)
    }

    fn read_copies(&mut self, mut item: BodyElement<'a>) -> Result<(), FileError> {
        let element = item.element;
        item.childclass = self.defaults.class_named(&element, "childclass")?.unwrap_or(item.childclass);
        let given = element.required("count")?;
        let count = match given.number()? {
            count if count >= 1.0 && count.fract() == 0.0 && count <= f64::from(MOST_NODES) => count as usize,
            _ => return Err(given.error(format!("expected a whole number from 1 to {MOST_NODES}"))),
        };
        let step = ElementFrame {
            position: element.vector("offset", Vector3::zeros())?,
            orientation: self.settings.orientation(&element)?,
        };
        let separator = element.own("sep").map_or("", |separator| separator.value);
        let digits = (count - 1).to_string().len();
        let (outer, suffix) = (item.frame, item.suffix.clone());
        let mut here = ElementFrame { position: Vector3::zeros(), orientation: UnitQuaternion::identity() };
        for copy in 0..count {
            item.frame = Some(within(&outer, here));
            item.suffix = suffix.with(&format!("{separator}{copy:0digits$}"));
            self.read(&item)?;
            here = within(&Some(here), step);
        }
        Ok(())
    }
}
