//! Comparison of two frames, exact to the bit.

use super::Frame;
use super::field::{Record, Sink};

/// All values of a field as 64-bit words.
#[derive(Default, PartialEq)]
struct Bits(Vec<u64>);

impl Sink for Bits {
    fn floats(&mut self, values: &[f64]) {
        self.0.extend(values.iter().map(|value| value.to_bits()));
    }

    fn no_float(&mut self) {
        self.0.push(u64::MAX);
    }

    fn long(&mut self, value: u64) {
        self.0.push(value);
    }

    fn whole(&mut self, value: u32) {
        self.0.push(value.into());
    }

    fn flag(&mut self, value: bool) {
        self.0.push(value.into());
    }

    fn text(&mut self, value: &str) {
        self.0.push(value.len() as u64);
        self.0.extend(value.bytes().map(u64::from));
    }

    fn count(&mut self, count: usize) {
        self.0.push(count as u64);
    }
}

/// Name of the first field in which two frames differ in any bit.
pub fn difference(one: &Frame, other: &Frame) -> Option<&'static str> {
    let fields = Frame::DESCRIPTION.fields.iter().enumerate();
    let mut different = fields.filter(|(index, _)| {
        let [mut first, mut second] = [Bits::default(), Bits::default()];
        one.give_field(*index, &mut first);
        other.give_field(*index, &mut second);
        first != second
    });
    different.next().map(|(_, field)| field.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn frames_differ_by_one_bit_of_one_field() {
        let frame = example::trace(4).frames.swap_remove(1);
        assert_eq!(difference(&frame, &frame), None);
        let mut other = frame.clone();
        let last = other.v.last_mut().expect("it moves");
        *last = f64::from_bits(last.to_bits() ^ 1);
        assert_eq!(difference(&frame, &other), Some("v"));
        other.time += 1.0;
        assert_eq!(difference(&frame, &other), Some("time"));
    }
}
