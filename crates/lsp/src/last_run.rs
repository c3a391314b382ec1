//! Values in the last run with a file, which a thread reads from the newest trace in a folder `runs`.

use aplomb_trace::{Trace, channels};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;

/// Number of folders above a file in which `runs` is searched.
const ABOVE: usize = 3;
/// Number of newest runs that are searched for one with the file.
const MOST: usize = 12;
/// Largest trace that is read, bytes.
const LARGEST: u64 = 128 << 20;
/// Bytes of a trace that are read to find its header: first few, then more.
const BEGINNINGS: [u64; 2] = [1 << 20, 32 << 20];
/// Name of the trace in a run's folder.
const TRACE: &str = "trace.mcap";

/// Values of the last run with a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastRun {
    /// Folder of the run, as it is shown.
    pub folder: String,
    /// Time at its end, s.
    pub end: f64,
    /// Numbers by the name of their channel.
    pub numbers: BTreeMap<String, Numbers>,
    /// Values of bindings at the end, other than numbers.
    pub bindings: BTreeMap<String, String>,
    /// For each state, how often it was entered and its total duration, s.
    pub states: BTreeMap<String, (usize, f64)>,
}

/// A channel's numbers in a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers {
    /// The last one.
    pub last: f64,
    /// The smallest one.
    pub least: f64,
    /// The largest one.
    pub most: f64,
    /// Unit; empty if it has none.
    pub unit: String,
    /// Documentation.
    pub about: String,
}

impl LastRun {
    fn of(folder: &Path, trace: &Trace) -> Self {
        let mut run = LastRun { folder: shown(folder), ..LastRun::default() };
        let channels = channels(&trace.header);
        for row in trace.rows() {
            for (channel, value) in channels.iter().zip(row) {
                let Some(value) = value.filter(|value| value.is_finite()) else { continue };
                let numbers = run.numbers.entry(channel.name.clone()).or_insert_with(|| Numbers {
                    last: value,
                    least: value,
                    most: value,
                    unit: channel.unit.clone(),
                    about: channel.doc.clone(),
                });
                numbers.last = value;
                numbers.least = numbers.least.min(value);
                numbers.most = numbers.most.max(value);
            }
        }
        let mut before = None;
        for frame in &trace.frames {
            run.end = frame.time;
            let (entered, lasted) = run.states.entry(frame.state.clone()).or_default();
            *entered += usize::from(before != Some(&frame.state) || frame.state_time == 0.0);
            *lasted += trace.header.dt;
            before = Some(&frame.state);
            for (name, value) in &frame.roles {
                run.bindings.insert(name.clone(), value.clone());
            }
        }
        run
    }
}

fn shown(folder: &Path) -> String {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("runs/{name}")
}

/// The last runs of files that have been read so far.
#[derive(Clone)]
pub(crate) struct Runs {
    known: Arc<Mutex<BTreeMap<PathBuf, Arc<LastRun>>>>,
    asked: Sender<PathBuf>,
}

impl Runs {
    /// Starts the thread that reads traces. It ends with the last clone.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(crate) fn start() -> std::io::Result<(Self, JoinHandle<()>)> {
        let (asked, received) = channel();
        let runs = Runs { known: Arc::default(), asked };
        let known = runs.known.clone();
        let thread = std::thread::Builder::new().name("runs".into()).spawn(move || {
            LastRunReader { files: BTreeMap::new(), read: BTreeMap::new() }.run(&received, &known)
        })?;
        Ok((runs, thread))
    }

    /// Requests the last run of a file from the thread.
    pub(crate) fn refresh(&self, path: &Path) {
        // The thread lives as long as this value.
        _ = self.asked.send(path.to_path_buf());
    }

    /// The last run of a file, if it has been read.
    pub(crate) fn of(&self, path: &Path) -> Option<Arc<LastRun>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }
}

struct LastRunReader {
    /// Names of the files that traces were made of, each until the trace changes.
    files: BTreeMap<PathBuf, (SystemTime, BTreeSet<String>)>,
    /// Traces that were read, each until it changes.
    read: BTreeMap<PathBuf, (SystemTime, Option<Arc<LastRun>>)>,
}

impl LastRunReader {
    fn run(&mut self, asked: &Receiver<PathBuf>, known: &Mutex<BTreeMap<PathBuf, Arc<LastRun>>>) {
        while let Ok(first) = asked.recv() {
            let wanted: BTreeSet<PathBuf> = std::iter::once(first).chain(asked.try_iter()).collect();
            for path in wanted {
                let Some(run) = self.last(&path) else { continue };
                known.lock().unwrap_or_else(PoisonError::into_inner).insert(path, run);
            }
        }
    }

    /// The newest run that a file is part of.
    fn last(&mut self, path: &Path) -> Option<Arc<LastRun>> {
        let name = path.file_name()?.to_str()?;
        let mut traces: Vec<(SystemTime, PathBuf)> = Vec::new();
        for above in path.ancestors().skip(1).take(ABOVE) {
            let folders = std::fs::read_dir(above.join("runs")).into_iter().flatten().flatten();
            for trace in folders.map(|folder| folder.path().join(TRACE)) {
                let about = std::fs::metadata(&trace).ok().filter(|about| about.len() <= LARGEST);
                traces.extend(about.and_then(|about| Some((about.modified().ok()?, trace))));
            }
        }
        traces.sort_by(|a, b| b.cmp(a));
        // Names of included texts contain the controller, the name of the include, and the file.
        let included = format!(": {name}");
        let mut newest = traces.into_iter().take(MOST);
        let (changed, trace) = newest.find(|(changed, trace)| {
            self.files(trace, *changed).iter().any(|file| file == name || file.ends_with(&included))
        })?;
        self.read(&trace, changed)
    }

    /// Names of the files that a trace was made of, from its beginning.
    fn files(&mut self, path: &Path, changed: SystemTime) -> &BTreeSet<String> {
        let is_known = self.files.get(path).is_some_and(|(time, _)| *time == changed);
        if !is_known {
            let trace = BEGINNINGS.into_iter().find_map(|length| beginning(path, length));
            let texts = trace.map(|trace| trace.header.texts).unwrap_or_default();
            let names = texts.into_iter().map(|text| text.name).collect();
            self.files.insert(path.to_path_buf(), (changed, names));
        }
        &self.files.entry(path.to_path_buf()).or_insert((changed, BTreeSet::new())).1
    }

    fn read(&mut self, path: &Path, changed: SystemTime) -> Option<Arc<LastRun>> {
        if let Some((time, run)) = self.read.get(path)
            && *time == changed
        {
            return run.clone();
        }
        let run = aplomb_trace::read(path).ok();
        let run = run.map(|trace| Arc::new(LastRun::of(path.parent().unwrap_or(path), &trace)));
        self.read.insert(path.to_path_buf(), (changed, run.clone()));
        run
    }
}

/// The beginning of a trace: a header, and the frames that are in it.
fn beginning(path: &Path, length: u64) -> Option<Trace> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(length).read_to_end(&mut bytes).ok()?;
    aplomb_trace::read_bytes(&bytes).ok()
}
