//! Characters and the world around them, frame by frame.

pub mod character;
pub mod event;
pub mod frame;
pub mod reaction_delay;
pub mod record;
pub mod run;
pub mod step;
