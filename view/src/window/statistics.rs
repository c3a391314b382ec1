//! Statistics of rendering on standard error, for measurements and tests.

use super::WindowOptions;
use crate::engine::News;
use aplomb::trace::Frame;
use std::fs;
use std::time::{Duration, Instant};

/// Counts pictures and their costs.
pub struct Statistics {
    is_on: bool,
    started: Instant,
    is_first: bool,
    counted: Counted,
    state: String,
}

/// Counts since the last report.
struct Counted {
    since: Instant,
    pictures: u32,
    /// Time from the beginning to the end of each picture, without the wait for the screen, s.
    spent: f64,
    /// Processor time of this thread at the beginning; `None` if the system does not report it.
    thread: Option<Duration>,
}

impl Counted {
    fn from_now() -> Self {
        Counted { since: Instant::now(), pictures: 0, spent: 0.0, thread: thread_time() }
    }
}

/// Interval of reports.
const EVERY: Duration = Duration::from_secs(1);

impl Statistics {
    pub fn new(options: &WindowOptions) -> Self {
        Statistics {
            is_on: options.has_statistics,
            started: options.started,
            is_first: true,
            counted: Counted::from_now(),
            state: String::new(),
        }
    }

    /// Counts a picture. `cost` is the time of the previous one without the wait for the screen, s.
    pub fn tell(&mut self, news: &News, draw_calls: usize, cost: Option<f32>, selected: Option<&str>) {
        if !self.is_on {
            return;
        }
        if std::mem::take(&mut self.is_first) {
            eprintln!("first picture after {:.0} ms", self.started.elapsed().as_secs_f64() * 1e3);
        }
        self.counted.pictures += 1;
        self.counted.spent += f64::from(cost.unwrap_or(0.0));
        if self.counted.since.elapsed() >= EVERY {
            eprintln!("{}", self.counted.said(news, draw_calls));
            self.counted = Counted::from_now();
        }
        let pull =
            news.pulling.map_or(String::new(), |pulling| format!(", pull {:.0} N", pulling.force.norm()));
        let [_, end] = news.range;
        let state = format!(
            "{} at {} of {end}, digest {:016x}, reloads {}, selected {}{pull}{}{}",
            if news.is_running { "running" } else { "paused" },
            news.at,
            digest(&news.frame),
            news.reloads,
            selected.unwrap_or("nothing"),
            if news.write_back.is_some() { ", offers to write" } else { "" },
            news.mistakes
                .as_ref()
                .map(|_| "mistakes".to_owned())
                .as_ref()
                .or(news.message.as_ref())
                .or(news.written.as_ref())
                .map_or(String::new(), |message| format!(", {message}")),
        );
        if state != self.state {
            eprintln!("{state}");
            self.state = state;
        }
    }
}

impl Counted {
    fn said(&self, news: &News, draw_calls: usize) -> String {
        let pictures = f64::from(self.pictures);
        let rate = pictures / self.since.elapsed().as_secs_f64();
        let each = self.spent / pictures * 1e3;
        let mut text = format!("{rate:.1} pictures/s, {each:.1} ms each");
        if let (Some(before), Some(now)) = (self.thread, thread_time()) {
            let own = now.saturating_sub(before).as_secs_f64() / pictures * 1e3;
            text += &format!(", {own:.1} ms of processor time of their thread each");
        }
        text += &format!(", {draw_calls} draw calls, pace {:.2}", news.pace);
        if let Some(memory) = memory() {
            text += &format!(", {memory:.0} MiB");
        }
        text
    }
}

/// A hash of the motion: configuration, velocity and torques, bit for bit (FNV-1a).
fn digest(frame: &Frame) -> u64 {
    let numbers = frame.q.iter().chain(&frame.v).chain(&frame.torque);
    let bytes = numbers.flat_map(|number| number.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Processor time of the calling thread, on Linux.
fn thread_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Resident memory of the process, MiB, on Linux.
fn memory() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kibibytes| kibibytes / 1024.0)
}
