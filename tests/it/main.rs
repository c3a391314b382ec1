//! All integration tests in one binary, so that they link once.

mod architecture;
mod convergence;
mod file_keys;
mod formulation;
mod linearisation;
mod readme;
mod reference;
mod solvers;
