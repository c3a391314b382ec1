//! aplomb: characters that move because an optimiser decides their next frame.

pub mod affine;
pub mod character;
pub mod constraint;
pub mod contact;
pub mod controller;
pub mod diagnostic;
pub mod dynamics;
pub mod event;
pub mod expression;
pub mod files;
pub mod model;
pub mod objective;
pub mod predict;
pub mod qp;
pub mod quantity;
pub mod record;
mod registry;
pub mod rotation;
pub mod scales;
pub mod scene;
pub mod sense;
pub mod solver;
pub mod spatial;
pub mod state;
pub mod step;
pub mod synthesis;
pub mod trace;
