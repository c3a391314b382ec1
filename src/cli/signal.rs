//! Signals: Ctrl-C and SIGTERM end a run after its current frame, so that its output is complete; if the frame does
//! not end, they end it immediately.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// Longest duration of a frame after a signal.
const PATIENCE: Duration = Duration::from_millis(700);
/// Interval of checks.
const LOOK: Duration = Duration::from_millis(50);

/// From now on a file that would grow beyond the limit of the process (`ulimit -f`) is an error of writing; by default
/// the system kills the process without a word.
pub(crate) fn outlive_size_limits() {
    #[cfg(unix)]
    {
        // If it cannot be caught, it keeps its default effect.
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// A watch, which ends when it is dropped.
pub(crate) struct SignalWatch(Arc<AtomicBool>);

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Records the first signal; the second one ends the process immediately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    caught: Arc<AtomicUsize>,
}

impl Signals {
    /// Catches signals from now on. If that is not possible, they keep their default effect.
    pub(crate) fn catch() -> Self {
        let signals = Signals::default();
        for signal in [SIGINT, SIGTERM] {
            let second = Arc::new(AtomicBool::new(false));
            let number = signal as usize;
            // The flags act in the order of registration: the second signal sees the flag of the first.
            let _ = flag::register_conditional_shutdown(signal, 128 + signal, second.clone());
            let _ = flag::register(signal, second);
            let _ = flag::register_usize(signal, signals.caught.clone(), number);
        }
        signals
    }

    /// Until the watch is dropped: ends the process if it does not end by itself soon after a signal. Its output is
    /// then that of a killed process.
    pub(crate) fn watch(&self) -> SignalWatch {
        let (signals, is_over) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let watch = SignalWatch(is_over.clone());
        thread::spawn(move || {
            let mut waited = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                match signals.caught() {
                    Some((number, name)) if waited >= PATIENCE => {
                        super::output::print_note(&format!("interrupted by {name} within a frame"));
                        std::process::exit(128 + i32::from(number));
                    }
                    Some(_) => waited += LOOK,
                    None => {}
                }
                thread::sleep(LOOK);
            }
        });
        watch
    }

    /// Number and name of the caught signal.
    pub(crate) fn caught(&self) -> Option<(u8, &'static str)> {
        match i32::try_from(self.caught.load(Ordering::Relaxed)) {
            Ok(SIGINT) => Some((SIGINT as u8, "SIGINT")),
            Ok(SIGTERM) => Some((SIGTERM as u8, "SIGTERM")),
            _ => None,
        }
    }
}
