//! Complete records of frames, for the comparison of the module with the native engine.

use crate::finding::{self, PageFinding};
use crate::session::PageSession;

/// Computes the next frame as `aplomb run` does, including criteria, and returns its record as JSON; `None` if the
/// run has ended. The digits of a number preserve all its bits, including the sign of zero.
///
/// # Errors
/// A value of the controller that cannot be used.
pub fn next(session: &mut PageSession) -> Result<Option<Vec<u8>>, Vec<PageFinding>> {
    if session.run.is_over() {
        return Ok(None);
    }
    match session.run.step() {
        Ok(frame) => Ok(frame.map(|results| finding::json(&results.frame()))),
        Err(error) => Err(finding::plain(error.to_string())),
    }
}

/// Digest of a text (FNV-1a, 64 bits), as its high and low halves.
pub fn digest(text: &[u8]) -> [f64; 2] {
    let hash = text.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    [(hash >> 32) as f64, (hash & 0xffff_ffff) as f64]
}
