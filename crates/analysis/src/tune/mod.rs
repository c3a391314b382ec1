//! Values of files that make scenes run better, found by running them: CMA-ES over values within bounds, which
//! changes mattered, how far each value may change, and the files with the new values.
//!
//! A [`Problem`] specifies the variables and the aim that is maximised; [`search()`] tries sets of values,
//! [`what_mattered`] and [`intervals`] examine the neighbourhood of the best set, [`sensitivities`] that of the
//! values in the files. None of them runs a scene: they call a function that does, which may have stored results. An
//! interrupted search therefore continues when it is started again.

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
pub use figure::{OWN, OwnRun, PUSHES, Pushes};
pub use middle::{middle, roomiest};
pub use problem::{Evaluation, Map, Problem, SceneOutcome, TunedScene};
pub use search::{Ended, Generation, SearchPlan, SearchResult, TriedValues, search};
pub use sensitivity::{STEP, Sensitivity, names, sensitivities};
pub use start::{Begun, start};
pub use tuned::{Tuned, TunedFile, tuned};
pub use variable::Variable;
pub use weights::weights;
