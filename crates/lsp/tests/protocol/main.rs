//! Tests of the server with an editor at the other end of a connection in memory.

mod completing;
mod correcting;
mod editor;
mod finding;
mod hostile;
mod hovering;
mod renaming;
mod speed;
