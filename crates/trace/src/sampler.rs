//! Values of channels: of a whole trace, and of one channel frame by frame without a trace.

use super::channel::columns;
use super::column::{Channel, Column};
use super::{Frame, Header, Trace};

impl Trace {
    /// Time of each frame, s.
    pub fn times(&self) -> Vec<f64> {
        self.frames.iter().map(|frame| frame.time).collect()
    }

    /// The channel of that name.
    pub fn channel(&self, name: &str) -> Option<Channel> {
        find(&self.header, name).map(|column| column.channel)
    }

    /// The channel's value in each frame, `None` where it is undefined (forces in the last record, the centre of
    /// pressure in flight); `None` if no channel has this name.
    pub fn series(&self, name: &str) -> Option<Vec<Option<f64>>> {
        let column = find(&self.header, name)?;
        let befores = std::iter::once(None).chain(self.frames.iter().map(Some));
        Some(self.frames.iter().zip(befores).map(|(frame, before)| (column.value)(frame, before)).collect())
    }

    /// For each frame the values of all [`channels`](super::channels), in their order.
    pub fn rows(&self) -> impl Iterator<Item = Vec<Option<f64>>> {
        let columns = columns(&self.header);
        let befores = std::iter::once(None).chain(self.frames.iter().map(Some));
        self.frames
            .iter()
            .zip(befores)
            .map(move |(frame, before)| columns.iter().map(|column| (column.value)(frame, before)).collect())
    }
}

fn find(header: &Header, name: &str) -> Option<Column> {
    columns(header).into_iter().find(|column| column.channel.name == name)
}

/// Reads one channel from consecutive frames.
pub struct Sampler(Column);

impl Sampler {
    /// A sampler of the channel of this name; `None` if it does not exist.
    pub fn new(header: &Header, name: &str) -> Option<Self> {
        find(header, name).map(Sampler)
    }

    /// The channel it reads.
    pub fn channel(&self) -> &Channel {
        &self.0.channel
    }

    /// The channel's value in a frame, given also the previous frame; `None` if it is undefined there.
    pub fn value(&self, frame: &Frame, before: Option<&Frame>) -> Option<f64> {
        (self.0.value)(frame, before)
    }
}

#[cfg(test)]
mod tests {
    use super::Sampler;
    use crate::{channels, example};

    #[test]
    fn frame_by_frame_it_reads_what_the_whole_trace_says() {
        let trace = example::trace(6);
        for channel in channels(&trace.header) {
            let sampler = Sampler::new(&trace.header, &channel.name).unwrap();
            assert_eq!(sampler.channel(), &channel);
            let befores = std::iter::once(None).chain(trace.frames.iter().map(Some));
            let read: Vec<_> = trace
                .frames
                .iter()
                .zip(befores)
                .map(|(frame, before)| sampler.value(frame, before))
                .collect();
            assert_eq!(Some(read), trace.series(&channel.name), "{}", channel.name);
        }
        assert!(Sampler::new(&trace.header, "no such channel").is_none());
    }
}
