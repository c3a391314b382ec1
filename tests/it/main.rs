//! All integration tests in one binary, so that they link once.

mod architecture;
mod commands;
mod convergence;
mod file_keys;
mod formulation;
mod linearisation;
mod muscle_delay;
mod objectives;
mod qp;
mod readme;
mod reference;
mod scenes;
mod solvers;
mod stepping;
mod sweep;
