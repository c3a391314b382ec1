//! Normal force of each group and the force of each other character, N, with the character's weight as a
//! level.

use super::PanelBinder;
use super::groups::{Grouped, Sorted, normal_force, on};
use super::{PanelContent, PanelKind};
use crate::plot::colour;
use crate::plot::figure::layer::{Layer, Series};
use aplomb_language::diagnostic::FileErrors;
use aplomb_trace::{Contact, Frame, is_part_of};
use nalgebra::Vector3;
use serde::Deserialize;

/// Normal force on each group and force of each other character, N, with the character's weight as a
/// reference line.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ContactForce(pub Grouped);

impl PanelKind for ContactForce {
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors> {
        let PanelBinder { trace, source, .. } = binder;
        let groups = Sorted::new(source, &self.0, &trace.header.bodies, "body")?;
        let header = &trace.header;
        // Forces of another character have a separate line, regardless of the record that contains the contact.
        let force = |contacts: &mut dyn Iterator<Item = &Contact>| {
            contacts.filter(|contact| header.other_of(&contact.surface).is_none()).map(normal_force).sum()
        };
        let mut layers = groups.lines(trace, "normal force", "N", |frame, bodies| on(frame, bodies, force));
        for (number, other) in header.others().enumerate() {
            let values: Vec<f64> = trace.frames.iter().map(|frame| given_by(other, frame)).collect();
            if values.iter().any(|value| *value > 0.0) {
                let series = Series { name: format!("force of {other}"), unit: "N".into(), values };
                let colour = colour::series(self.0.groups.len() + number);
                layers.push(Layer::Line { series, label: format!("from {other}"), colour, width: 2.2 });
            }
        }
        let [x, y, z] = trace.header.gravity;
        let weight = trace.header.mass * x.hypot(y).hypot(z);
        if weight > 0.0 {
            let label = Some(format!("weight, {weight:.0} N"));
            layers.push(Layer::Level { value: weight, label, colour: colour::SLATE, always: true });
        }
        Ok(PanelContent::from_zero(layers, "normal contact force"))
    }
}

/// Force exerted by another character, N, including its grips on this one.
fn given_by(other: &str, frame: &Frame) -> f64 {
    if !frame.has_forces() {
        return f64::NAN;
    }
    let touches = frame.contacts.iter().filter(|contact| is_part_of(&contact.surface, other));
    let loads = frame.external.iter().filter(|external| external.name == other);
    let all = touches.map(|contact| contact.force).chain(loads.map(|load| load.force));
    all.map(Vector3::from).sum::<Vector3<f64>>().norm()
}
