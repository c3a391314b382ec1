//! Kinds of panel: one file per kind, and one line in the list.

mod binder;
mod contact_force;
mod groups;
mod joint_angles;
mod lines;
mod named;
mod stacked;
pub(super) mod support_map;
mod torques;
mod tracking;
mod utilisation;

pub use binder::PanelBinder;
pub use contact_force::ContactForce;
pub use groups::Grouped;
pub use joint_angles::JointAngles;
pub use lines::Lines;
pub use stacked::Stacked;
pub use support_map::SupportMap;
pub use torques::Torques;
pub use tracking::Tracking;
pub use utilisation::{FrictionUse, TorqueUse};

use super::axis::Scale;
use super::layer::{Layer, MapPanel};
use aplomb_language::diagnostic::{FileError, FileErrors, Source};
use serde::Deserialize;

/// Draws the content of a kind of panel from a trace.
pub trait PanelKind {
    /// Checks the specification without a trace.
    ///
    /// # Errors
    ///
    /// The first mistake, with its location.
    fn check(&self, _source: &Source) -> Result<(), FileError> {
        Ok(())
    }

    /// # Errors
    /// All names that are missing in the trace. A pattern may match nothing, because a file may serve many
    /// characters.
    fn bind(&self, binder: &PanelBinder<'_>) -> Result<PanelContent, FileErrors>;
}

/// The values, or the errors of all of them.
pub(super) fn all<T, E: Into<FileErrors>>(
    found: impl IntoIterator<Item = Result<T, E>>,
) -> Result<Vec<T>, FileErrors> {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for one in found {
        match one {
            Ok(value) => values.push(value),
            Err(error) => errors.extend(error.into()),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors.into()) }
}

/// Content of a panel.
pub enum PanelContent {
    /// Layers over time.
    Time {
        /// Layers, the first at the bottom.
        layers: Vec<Layer>,
        /// How the vertical axis is divided.
        scale: Scale,
        /// Quantity on the vertical axis, if the file names none.
        axis: Option<&'static str>,
        /// Whether the vertical axis includes 0.
        from_zero: bool,
    },
    /// A map seen from above.
    Map(MapPanel),
    /// Panels over time, one below another.
    Column(Vec<SubPanel>),
}

/// A panel over time that is one of several in a panel of the file.
pub struct SubPanel {
    /// Text above the panel.
    pub(crate) title: Option<String>,
    /// Quantity on the vertical axis.
    pub(crate) axis: &'static str,
    /// Share of the height of the file's panel.
    pub(crate) height: f64,
    /// Whether the vertical axis includes 0.
    pub(crate) from_zero: bool,
    /// Layers, the first at the bottom.
    pub(crate) layers: Vec<Layer>,
}

impl PanelContent {
    /// Layers on a linear axis that begins at zero.
    fn from_zero(layers: Vec<Layer>, axis: &'static str) -> Self {
        PanelContent::Time { layers, scale: Scale::Linear, axis: Some(axis), from_zero: true }
    }
}

/// Both values, or the errors of both.
fn both<A, B>(a: Result<A, FileErrors>, b: Result<B, FileErrors>) -> Result<(A, B), FileErrors> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(mut errors), Err(more)) => {
            errors.extend(more);
            Err(errors)
        }
        (Err(errors), _) | (_, Err(errors)) => Err(errors),
    }
}

macro_rules! panels {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident {
            $($(#[$doc:meta])* $Variant:ident($Kind:ty),)*
        }
    ) => {
        $(#[$meta])*
        pub enum $Name {
            $($(#[$doc])* $Variant($Kind),)*
        }

        impl $Name {
            /// The implementation of this kind of panel.
            pub fn kind(&self) -> &dyn PanelKind {
                match self {
                    $($Name::$Variant(kind) => kind,)*
                }
            }
        }
    };
}

panels! {
    /// The kinds of panels.
    #[derive(Clone, Debug, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum Content {
        /// Channels as lines, over bands between two channels.
        Lines(Lines),
        /// Channels stacked as areas; on a logarithmic axis, lines with their sum.
        Stacked(Stacked),
        /// Normal contact force of groups of bodies, with the character's weight, N.
        ContactForce(ContactForce),
        /// Friction utilisation of groups of bodies, Σ|f_t| / Σ μ f_n.
        FrictionUse(FrictionUse),
        /// The largest ratio of joint torque to its limit in groups of coordinates.
        TorqueUse(TorqueUse),
        /// The joint torques closest to their limits, with the limits, N m.
        Torques(Torques),
        /// The joint angles closest to their limits, with the limits, rad.
        JointAngles(JointAngles),
        /// Centre of mass, capture point and centre of pressure over the support polygons, seen from above,
        /// m.
        SupportMap(SupportMap),
        /// Actual values of objectives with their targets (dashed), and below each the tracking error.
        Tracking(Tracking),
    }
}
