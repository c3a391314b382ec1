//! What people look at: plots, pose strips and films, and exports for other programs.

pub mod export;
pub mod film;
pub mod plot;
