//! One case, from its files to the defects in its result.

use super::case::Case;
use crate::audit::{Audit, audit};
use crate::lint::begins_inside;
use crate::summary::judged;
use aplomb_scene::Run;
use aplomb_trace::{Ending, Frame, Outcome, Trace};
use aplomb_world::StepError;
use std::any::Any;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A defect that a random scene revealed.
#[derive(Clone, Debug, PartialEq)]
pub enum Defect {
    /// The program panicked.
    Panic(String),
    /// A value is NaN or infinite, or an object moved too far.
    NotFinite(String),
    /// The audit rejects the records.
    Refused(Box<Audit>),
}

/// What kind of defect it is: two cases with the same one probably have the same cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DefectKind {
    /// A panic.
    Panic,
    /// A value that is not finite.
    NotFinite,
    /// The check of the audit that failed first, and what it measures.
    Refused(String, &'static str),
}

impl Defect {
    pub(super) fn kind(&self) -> DefectKind {
        match self {
            Defect::Panic(_) => DefectKind::Panic,
            Defect::NotFinite(_) => DefectKind::NotFinite,
            Defect::Refused(audit) => {
                let broken = audit.measures.iter().find(|gauge| !gauge.held);
                broken.map_or(DefectKind::Refused(String::new(), ""), |gauge| {
                    DefectKind::Refused(gauge.check.clone(), gauge.quantity)
                })
            }
        }
    }
}

/// Result of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseResult {
    /// It ran, and the audit passed.
    Ran {
        /// Number of frames.
        frames: u64,
        /// Number of frames without a solution.
        failed: u64,
        /// Number of frames in which the body was a ragdoll.
        limp: u64,
        /// Number of frames with an impact.
        impacts: u64,
    },
    /// Its files are inconsistent and were rejected with a message.
    Declined(String),
    /// The case has a defect.
    Found(Defect),
}

/// Writes a case into a folder, as `scene.toml` and `body.xml`, and runs it.
///
/// # Errors
/// If the files cannot be written.
pub fn attempt(case: &Case, folder: &Path) -> io::Result<CaseResult> {
    fs::create_dir_all(folder)?;
    let path = folder.join("scene.toml");
    fs::write(&path, &case.scene)?;
    let body = folder.join("body.xml");
    match &case.body {
        Some(text) => fs::write(body, text)?,
        None if body.exists() => fs::remove_file(body)?,
        None => {}
    }
    let path = path.display().to_string();
    let tried = catch_unwind(AssertUnwindSafe(|| run(&path)));
    Ok(tried.unwrap_or_else(|panic| CaseResult::Found(Defect::Panic(said(&*panic)))))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").into()
}

/// The reason why a run ends early.
enum CaseHalt {
    Step(StepError),
    Trace(aplomb_trace::TraceError),
}

impl From<StepError> for CaseHalt {
    fn from(error: StepError) -> Self {
        CaseHalt::Step(error)
    }
}

fn run(path: &str) -> CaseResult {
    let files = match aplomb_scene::load(path, &[]) {
        Ok(files) => files,
        Err(error) => return CaseResult::Declined(first(&error)),
    };
    let mut run = match Run::bind(&files) {
        Ok(run) => run,
        Err(mistakes) => {
            let first = mistakes.iter().next().map(|mistake| mistake.message.to_string());
            return CaseResult::Declined(first.unwrap_or_default());
        }
    };
    // What begins inside of something else is pushed out, which no audit accepts: not a defect.
    if let Some(inside) = begins_inside(&files, &mut run).into_iter().next() {
        return CaseResult::Declined(inside.0.message.to_string());
    }
    let header = aplomb_scene::header(&files, &run);
    let (mut frames, mut parts): (Vec<Frame>, Vec<Frame>) = (Vec::new(), Vec::new());
    let ended = run.finish::<CaseHalt>(|_, results| {
        let frame = results.frame();
        aplomb_trace::check_frame(&header, &frame).map_err(CaseHalt::Trace)?;
        frames.push(frame);
        parts.extend(results.parts());
        Ok(())
    });
    match ended {
        Ok(last) => frames.push(last),
        Err(CaseHalt::Step(error)) => return CaseResult::Found(Defect::NotFinite(error.to_string())),
        Err(CaseHalt::Trace(error)) => return CaseResult::Found(Defect::NotFinite(error.to_string())),
    }
    let count = |is: fn(&Frame) -> bool| frames.iter().filter(|frame| is(frame)).count() as u64;
    let ran = CaseResult::Ran {
        frames: frames.len() as u64 - 1,
        failed: count(|frame| matches!(frame.outcome, Outcome::Failed { .. })),
        limp: count(|frame| matches!(frame.outcome, Outcome::Limp)),
        impacts: count(|frame| {
            frame.solve_events.iter().any(|event| matches!(event, aplomb_trace::FrameEvent::Impact { .. }))
        }),
    };
    let ending = Ending { stopped: None, criteria: run.criteria.iter().map(judged).collect() };
    let audit = audit(&Trace { header, frames, parts, torn: None }, Some(&ending));
    if audit.passed { ran } else { CaseResult::Found(Defect::Refused(audit.into())) }
}

fn first(error: &aplomb_scene::LoadError) -> String {
    match error {
        aplomb_scene::LoadError::Mistakes(mistakes) => {
            mistakes.iter().next().map(|mistake| mistake.message.to_string()).unwrap_or_default()
        }
        aplomb_scene::LoadError::NotFound(missing) => missing.to_string(),
    }
}
