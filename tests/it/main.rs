//! All integration tests in one binary, so that they link once.

mod architecture;
mod formulation;
mod linearisation;
mod reference;
mod solvers;
