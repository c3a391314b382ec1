//! Normal force of each group, N, with the character's weight as a level.

use super::Binder;
use super::groups::{Grouped, Sorted, normal_force, on};
use super::{PanelKind, Shown};
use crate::language::diagnostic::FileError;
use crate::trace::Contact;
use crate::view::plot::colour;
use crate::view::plot::figure::layer::Layer;
use serde::Deserialize;

/// Normal force of each group, N, with the character's weight as a level.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ContactForce(pub Grouped);

impl PanelKind for ContactForce {
    fn bind(&self, binder: &Binder<'_>) -> Result<Shown, FileError> {
        let Binder { trace, source, .. } = binder;
        let groups = Sorted::new(source, &self.0, &trace.header.bodies, "body")?;
        let force = |contacts: &mut dyn Iterator<Item = &Contact>| contacts.map(normal_force).sum();
        let mut layers = groups.lines(trace, "normal force", "N", |frame, bodies| on(frame, bodies, force));
        let [x, y, z] = trace.header.gravity;
        let weight = trace.header.mass * x.hypot(y).hypot(z);
        if weight > 0.0 {
            let label = Some(format!("weight, {weight:.0} N"));
            layers.push(Layer::Level { value: weight, label, colour: colour::SLATE, always: true });
        }
        Ok(Shown::from_zero(layers, "normal contact force"))
    }
}
