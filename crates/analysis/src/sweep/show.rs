//! Numbers of a run that a user requests in a sweep: a channel at the end of the run, or its extremes or mean.

use aplomb_trace::{Frame, Header, Sampler};

/// Which of a channel's values is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// The value in the last record that has one.
    End,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The mean of all values.
    Mean,
}

impl Pick {
    const NAMED: [(&'static str, Pick); 4] =
        [("end", Pick::End), ("min", Pick::Min), ("max", Pick::Max), ("mean", Pick::Mean)];
}

/// A number that is recorded for each run: `CHANNEL` or `CHANNEL:PICK`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Show {
    /// The argument, which is also the name of its column.
    pub name: String,
    /// Name of the channel.
    pub channel: String,
    /// The value of the channel that is kept.
    pub(crate) pick: Pick,
}

impl Show {
    /// Reads `CHANNEL`, `CHANNEL:end`, `CHANNEL:min`, `CHANNEL:max` or `CHANNEL:mean`.
    pub fn parse(text: &str) -> Self {
        let picked = text.rsplit_once(':').and_then(|(channel, word)| {
            let pick = Pick::NAMED.iter().find(|(name, _)| *name == word)?.1;
            Some((channel, pick))
        });
        let (channel, pick) = picked.unwrap_or((text, Pick::End));
        Show { name: text.to_owned(), channel: channel.to_owned(), pick }
    }
}

/// Collects the requested numbers of a run.
pub(super) struct Showing {
    all: Vec<(Option<Sampler>, Pick, ChannelTally)>,
    before: Option<Frame>,
}

/// Values of a channel so far.
#[derive(Clone, Copy)]
struct ChannelTally {
    end: f64,
    min: f64,
    max: f64,
    sum: f64,
    count: u32,
}

impl Showing {
    pub(super) fn new(header: &Header, shows: &[Show]) -> Self {
        let none =
            ChannelTally { end: f64::NAN, min: f64::INFINITY, max: f64::NEG_INFINITY, sum: 0.0, count: 0 };
        let one = |show: &Show| (Sampler::new(header, &show.channel), show.pick, none);
        Showing { all: shows.iter().map(one).collect(), before: None }
    }

    pub(super) fn add(&mut self, frame: &Frame) {
        if self.all.is_empty() {
            return;
        }
        for (sampler, _, tally) in &mut self.all {
            let value = sampler.as_ref().and_then(|sampler| sampler.value(frame, self.before.as_ref()));
            if let Some(value) = value {
                tally.end = value;
                tally.min = tally.min.min(value);
                tally.max = tally.max.max(value);
                tally.sum += value;
                tally.count += 1;
            }
        }
        self.before = Some(frame.clone());
    }

    /// The value of each requested number; `None` if the run has none.
    pub(super) fn values(&self) -> Vec<Option<f64>> {
        let value = |(_, pick, tally): &(Option<Sampler>, Pick, ChannelTally)| {
            (tally.count > 0).then(|| match pick {
                Pick::End => tally.end,
                Pick::Min => tally.min,
                Pick::Max => tally.max,
                Pick::Mean => tally.sum / f64::from(tally.count),
            })
        };
        self.all.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_trace::example;

    #[test]
    fn a_channel_is_kept_at_its_end_or_by_its_extremes() {
        let trace = example::trace(6);
        let shows = ["com.z", "com.z:min", "com.z:max", "com.z:mean", "no.such"].map(Show::parse);
        assert_eq!((shows[1].channel.as_str(), shows[1].pick), ("com.z", Pick::Min));
        assert_eq!(Show::parse("a:b").channel, "a:b");
        let mut showing = Showing::new(&trace.header, &shows);
        trace.frames.iter().for_each(|frame| showing.add(frame));
        let all: Vec<f64> = trace.series("com.z").expect("a channel").into_iter().flatten().collect();
        let values = showing.values();
        assert_eq!(values[0], all.last().copied());
        assert_eq!(values[1], all.iter().copied().reduce(f64::min));
        assert_eq!(values[2], all.iter().copied().reduce(f64::max));
        assert!((values[3].expect("a mean") - all.iter().sum::<f64>() / all.len() as f64).abs() < 1e-12);
        assert_eq!(values[4], None);
    }
}
