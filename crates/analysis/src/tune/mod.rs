//! Values of files that make scenes run better, found by running them: CMA-ES over values within bounds, what
//! of it mattered, how far each value may go, and the files with the numbers in place.
//!
//! A [`Problem`] says what may change and what is to become large; [`search`] tries sets of values,
//! [`what_mattered`] and [`intervals`] look around the best, [`sensitivities`] around what the files say.
//! None of them runs anything itself: they are given a function that does, which may know results already. So
//! a search that was interrupted goes on by being made again.

mod aim;
mod around;
mod cma;
mod figure;
mod middle;
mod problem;
mod search;
mod sensitivity;
mod start;
mod tuned;
mod variable;
mod weights;

pub use aim::{DEFAULT, DEFAULT_OF_PUSHES, TuneObjective};
pub use around::{AREA_KEPT, Mattered, VerifiedRange, holds, intervals, passes, what_mattered};
pub use cma::Cma;
pub use figure::{OWN, OwnRun, PUSHES, Pushes};
pub use middle::{middle, roomiest};
pub use problem::{Evaluation, Map, Problem, SceneOutcome, TunedScene};
pub use search::{Ended, Generation, SearchPlan, SearchResult, TriedValues, search};
pub use sensitivity::{STEP, Sensitivity, names, sensitivities};
pub use start::{Begun, start};
pub use tuned::{Tuned, TunedFile, tuned};
pub use variable::Variable;
pub use weights::weights;
