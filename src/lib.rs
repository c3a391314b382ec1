//! aplomb: characters that move because an optimiser decides their next frame.
//!
//! A [`World`](world::World) owns characters, passive objects, and the ground and obstacles. It needs no files:
//!
//! ```
//! use aplomb::controller::ControllerFile;
//! use aplomb::model::Model;
//! use aplomb::passive::Passive;
//! use aplomb::world::{Ground, StartPose, World, Wrench};
//! use nalgebra::Vector3;
//!
//! let mut world = World::builder().gravity([0.0, 0.0, -9.81]).ground(Ground::flat(0.9)).step(0.01).build()?;
//! let balance = ControllerFile::shipped("balance")?;
//! let hero = world.add_character(Model::shipped("adult")?, balance, StartPose::standing())?;
//! let thrown = Passive::articulated(Model::shipped("ball")?).at(Vector3::new(1.0, 0.0, 1.3));
//! let ball = world.add_passive("ball", thrown)?;
//! world.push(hero, "chest", Wrench::force([0.0, 100.0, 0.0]), 0.15)?;
//! let mut poses = Vec::new();
//! while world.time() < 1.0 {
//!     world.step()?;
//!     world.body_poses(hero, &mut poses); // and draw them
//! }
//! assert!(world.result(hero).frame.com[2] > 0.8, "it stands");
//! assert!(world.passive().whole(ball).com.z < 0.5, "the ball fell");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Scenes ([`scene`]) are one client of the world; the command line, behind the feature `cli`, is another.

#![deny(missing_docs)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "check")]
pub use aplomb_analysis as analysis;
pub use aplomb_body::{contact, dynamics, model};
#[doc(hidden)] // shared between the crates, not public API
pub use aplomb_control::{constraint, synthesis};
pub use aplomb_control::{objective, predict, snapshot};
pub use aplomb_language as language;
pub use aplomb_math as math;
pub use aplomb_math::geometry;
pub use aplomb_passive as passive;
#[cfg(feature = "cli")]
pub use aplomb_plot as view;
pub use aplomb_qp as qp;
pub use aplomb_scene as scene;
pub use aplomb_trace as trace;
pub use aplomb_world as world;
pub use aplomb_world::controller;

#[cfg(feature = "cli")]
pub mod cli;

#[cfg(feature = "schema")]
pub mod schema;

/// The Rust code blocks of the README, as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The Rust code blocks of the tutorial on embedding, as doctests.
#[cfg(doctest)]
#[doc = include_str!("../docs/tutorials/embedding.md")]
struct Tutorials;
