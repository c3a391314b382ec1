//! Reading of BVH files.

use super::{CoordinateAxis, JointChannel, SkeletonJoint, SkeletonMotion};
use aplomb_language::diagnostic::{FileError, Source};
use nalgebra::Vector3;
use std::ops::Range;
use std::str::FromStr;

/// Deepest nesting of joints.
const DEEPEST: usize = 256;

/// Largest number of joints of a skeleton.
const JOINTS: usize = 10_000;

/// Whether a text is a BVH file: its first word is `HIERARCHY`.
pub fn is_bvh(source: &Source) -> bool {
    source.text.trim_start_matches('\u{feff}').trim_start().starts_with("HIERARCHY")
}

/// Reads a skeleton and its motion.
///
/// # Errors
/// The first error in it, with its place.
pub fn read(source: &Source) -> Result<SkeletonMotion, FileError> {
    let mut words =
        WordReader { source, at: source.text.len() - source.text.trim_start_matches('\u{feff}').len() };
    words.expect("HIERARCHY")?;
    let mut joints = Vec::new();
    while words.next_is("ROOT") {
        words.expect("ROOT")?;
        joint(&mut words, &mut joints, None, 0)?;
    }
    if joints.is_empty() {
        return Err(words.wrong("a `ROOT` is missing"));
    }
    words.expect("MOTION")?;
    words.expect("Frames:")?;
    let place = words.peek().map_or(words.at..words.at, |(_, span)| span);
    let count: usize = words.number()?;
    if count == 0 {
        return Err(FileError::new(source, place, "the clip has no frames"));
    }
    words.expect("Frame")?;
    words.expect("Time:")?;
    let place = words.at;
    let frame_time: f64 = words.number()?;
    if !(frame_time > 0.0 && frame_time.is_finite()) {
        return Err(FileError::new(source, place..words.at, "the time between frames is not above 0"));
    }
    let channels = joints.iter().map(|joint: &SkeletonJoint| joint.channels.len()).sum();
    let mut frames = Vec::new();
    for _ in 0..count {
        let frame: Result<Vec<f64>, FileError> = (0..channels).map(|_| words.finite()).collect();
        frames.push(frame?);
    }
    match words.next() {
        Some((word, span)) => {
            let message = format!("`{word}` is left over after {count} frames of {channels} numbers");
            Err(FileError::new(source, span, message))
        }
        None => Ok(SkeletonMotion { joints, frame_time, frames }),
    }
}

/// Reads a joint after its keyword, with its descendants.
fn joint(
    words: &mut WordReader<'_>,
    joints: &mut Vec<SkeletonJoint>,
    parent: Option<usize>,
    depth: usize,
) -> Result<(), FileError> {
    if depth > DEEPEST || joints.len() >= JOINTS {
        return Err(words.wrong(format!("more than {JOINTS} joints, or more than {DEEPEST} on each other")));
    }
    let name = words.name()?;
    words.expect("{")?;
    let index = joints.len();
    let new = SkeletonJoint { name, parent, offset: Vector3::zeros(), channels: Vec::new(), end: None };
    joints.push(new);
    loop {
        let Some((word, span)) = words.next() else { return Err(words.wrong("`}` is missing")) };
        match word {
            "OFFSET" => joints[index].offset = words.vector()?,
            "CHANNELS" => {
                let count: usize = words.number()?;
                joints[index].channels = (0..count).map(|_| words.channel()).collect::<Result<_, _>>()?;
            }
            "JOINT" => joint(words, joints, Some(index), depth + 1)?,
            "End" => {
                words.expect("Site")?;
                words.expect("{")?;
                words.expect("OFFSET")?;
                joints[index].end = Some(words.vector()?);
                words.expect("}")?;
            }
            "}" => return Ok(()),
            other => {
                let message = format!("`{other}` is none of OFFSET, CHANNELS, JOINT, End Site and `}}`");
                return Err(FileError::new(words.source, span, message));
            }
        }
    }
}

/// The words of a file in order.
struct WordReader<'s> {
    source: &'s Source,
    /// Byte after the last word.
    at: usize,
}

impl<'s> WordReader<'s> {
    fn peek(&self) -> Option<(&'s str, Range<usize>)> {
        let rest = &self.source.text[self.at..];
        let begin = self.at + rest.len() - rest.trim_start().len();
        let rest = &self.source.text[begin..];
        let end = begin + rest.find(char::is_whitespace).unwrap_or(rest.len());
        (begin < end).then(|| (&self.source.text[begin..end], begin..end))
    }

    fn next(&mut self) -> Option<(&'s str, Range<usize>)> {
        let next = self.peek()?;
        self.at = next.1.end;
        Some(next)
    }

    fn next_is(&self, word: &str) -> bool {
        self.peek().is_some_and(|(next, _)| next == word)
    }

    /// An error at the next word.
    fn wrong(&self, message: impl Into<String>) -> FileError {
        let span = self.peek().map_or(self.source.text.len()..self.source.text.len(), |(_, span)| span);
        FileError::new(self.source, span, message)
    }

    fn expect(&mut self, word: &str) -> Result<(), FileError> {
        if !self.next_is(word) {
            return Err(self.wrong(format!("`{word}` is missing")));
        }
        self.next();
        Ok(())
    }

    /// All words up to the brace.
    fn name(&mut self) -> Result<String, FileError> {
        let mut name: Vec<&str> = Vec::new();
        while let Some((word, _)) = self.peek().filter(|(word, _)| *word != "{") {
            name.push(word);
            self.next();
        }
        if name.is_empty() { Err(self.wrong("a name is missing")) } else { Ok(name.join(" ")) }
    }

    fn number<T: FromStr>(&mut self) -> Result<T, FileError> {
        let number = self.peek().and_then(|(word, _)| word.parse().ok());
        let number = number.ok_or_else(|| self.wrong("a number is missing"))?;
        self.next();
        Ok(number)
    }

    fn finite(&mut self) -> Result<f64, FileError> {
        let finite = self.peek().and_then(|(word, _)| word.parse().ok()).filter(|x: &f64| x.is_finite());
        let number = finite.ok_or_else(|| self.wrong("a finite number is missing"))?;
        self.next();
        Ok(number)
    }

    fn vector(&mut self) -> Result<Vector3<f64>, FileError> {
        Ok(Vector3::new(self.finite()?, self.finite()?, self.finite()?))
    }

    fn channel(&mut self) -> Result<JointChannel, FileError> {
        let known = |word: &str| {
            let of = |letter: &str, axis: CoordinateAxis| {
                let rest = word.strip_prefix(letter)?;
                match rest {
                    "position" => Some(JointChannel::Position(axis)),
                    "rotation" => Some(JointChannel::Rotation(axis)),
                    _ => None,
                }
            };
            CoordinateAxis::ALL.iter().find_map(|(letter, axis)| of(letter, *axis))
        };
        let channel = self.peek().and_then(|(word, _)| known(word));
        let channel = channel.ok_or_else(|| {
            self.wrong("a channel is missing")
                .help("known: Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation")
        })?;
        self.next();
        Ok(channel)
    }
}
