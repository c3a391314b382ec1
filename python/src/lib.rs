//! aplomb for Python: worlds, scenes and sweeps. `aplomb/_aplomb.pyi` is the stub of this module.

mod character;
mod contacts;
mod controller;
mod convert;
mod error;
mod feedback;
mod goal;
mod kind;
#[cfg(feature = "cli")]
mod messages;
mod model;
mod objective;
mod obstacle;
mod passive;
#[cfg(feature = "cli")]
mod picture;
#[cfg(feature = "cli")]
mod record;
mod run;
mod scene;
mod senses;
mod shared;
mod snapshot;
#[cfg(feature = "cli")]
mod sweep;
mod toml;
#[cfg(feature = "cli")]
mod trace;
mod world;
mod worlds;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _aplomb {
    use super::*;

    #[pymodule_export]
    use super::{
        character::Character,
        contacts::Contacts,
        controller::Controller,
        feedback::{Command, FeedbackController},
        goal::Goal,
        kind::{Constraint, Objective},
        model::{Geom, Model},
        objective::{BodyPoint, ComPosition, Pose},
        obstacle::Obstacle,
        passive::Passive,
        run::Run,
        scene::{Scene, shipped},
        senses::Senses,
        snapshot::Snapshot,
        world::World,
        worlds::Worlds,
    };
    #[cfg(feature = "cli")]
    #[pymodule_export]
    use super::{
        messages::FoxgloveMessages,
        record::{command_line, record},
        sweep::{Plan, cells, columns, push_map, remote_row},
        trace::Trace,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("HAS_CLI", cfg!(feature = "cli"))
    }
}
