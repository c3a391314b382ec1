//! What people look at: plots and pose strips, and exports for other programs.

pub mod export;
pub mod plot;
