//! All integration tests in one binary, so that they link once.

mod architecture;
mod commands;
mod convergence;
mod falling;
mod file_keys;
mod formulation;
mod held_things;
mod holding;
mod linearisation;
mod moving;
mod muscle_delay;
mod objectives;
mod passive;
mod passive_chain;
mod passive_constrained;
mod passive_particles;
mod passive_scenes;
mod qp;
mod readme;
mod reference;
mod run;
mod scenes;
mod solvers;
mod start_poses;
mod stepping;
mod sweep;
