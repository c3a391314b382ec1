//! All integration tests in one binary, so that they link once.

mod architecture;
mod commands;
mod convergence;
mod file_reference;
mod formulation;
mod linearisation;
mod reference;
mod solvers;
