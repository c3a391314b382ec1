//! All integration tests in one binary, so that they link once.

mod architecture;
mod linearisation;
mod reference;
mod solvers;
