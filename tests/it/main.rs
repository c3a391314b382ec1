//! All integration tests in one binary, so that they link once.

mod architecture;
mod file_keys;
mod formulation;
mod linearisation;
mod readme;
mod reference;
