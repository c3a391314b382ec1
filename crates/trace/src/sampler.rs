//! Reading of one channel frame by frame, without a whole trace.

use super::channel::find;
use super::column::{Channel, Column};
use super::{Frame, Header};

/// Reads one channel from consecutive frames.
pub struct Sampler(Column);

impl Sampler {
    /// A sampler of the channel of that name; `None` if there is none.
    pub fn new(header: &Header, name: &str) -> Option<Self> {
        find(header, name).map(Sampler)
    }

    /// The channel it reads.
    pub fn channel(&self) -> &Channel {
        &self.0.channel
    }

    /// The channel's value in a frame, given also the previous frame; `None` where it has none there.
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
