//! What an editor sees, over a connection in memory.

mod completing;
mod correcting;
mod editor;
mod finding;
mod hostile;
mod hovering;
mod renaming;
mod speed;
