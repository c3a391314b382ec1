//! What drawing costs and what is shown, told on standard error for measurements and tests.

use super::Options;
use crate::engine::News;
use std::time::{Duration, Instant};

/// Counts pictures.
pub struct Statistics {
    is_on: bool,
    started: Instant,
    is_first: bool,
    counted: (Instant, u32, f64),
    state: String,
}

/// How often rates are told.
const EVERY: Duration = Duration::from_secs(1);

impl Statistics {
    pub fn new(options: &Options) -> Self {
        Statistics {
            is_on: options.has_statistics,
            started: options.started,
            is_first: true,
            counted: (Instant::now(), 0, 0.0),
            state: String::new(),
        }
    }

    /// After each picture. `cost` is the time of the picture before without waiting for the screen, s.
    pub fn tell(&mut self, news: &News, draw_calls: usize, cost: Option<f32>, selected: Option<&str>) {
        if !self.is_on {
            return;
        }
        if std::mem::take(&mut self.is_first) {
            eprintln!("first picture after {:.0} ms", self.started.elapsed().as_secs_f64() * 1e3);
        }
        let (since, pictures, spent) = &mut self.counted;
        *pictures += 1;
        *spent += f64::from(cost.unwrap_or(0.0));
        let passed = since.elapsed();
        if passed >= EVERY {
            let rate = f64::from(*pictures) / passed.as_secs_f64();
            let each = *spent / f64::from(*pictures) * 1e3;
            eprintln!(
                "{rate:.1} pictures/s, {each:.1} ms each, {draw_calls} draw calls, pace {:.2}",
                news.pace
            );
            self.counted = (Instant::now(), 0, 0.0);
        }
        let pull =
            news.pulling.map_or(String::new(), |pulling| format!(", pull {:.0} N", pulling.force.norm()));
        let [_, end] = news.range;
        let state = format!(
            "{} at {} of {end}, reloads {}, selected {}{pull}{}{}",
            if news.is_running { "running" } else { "paused" },
            news.at,
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
