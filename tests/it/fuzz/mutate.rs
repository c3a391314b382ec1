//! Inputs made by mutation, reproducible by seed.

use std::ops::Range;

/// Vigna's SplitMix64 generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { (self.next() % count as u64) as usize }
    }

    fn range(&mut self, length: usize) -> Range<usize> {
        let [a, b] = [self.below(length + 1), self.below(length + 1)];
        a.min(b)..a.max(b)
    }
}

/// Numbers at the limits of their types, and words that are not numbers.
const NUMBERS: [&str; 24] = [
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "0.1",
    "1e308",
    "-1e308",
    "1e-308",
    "4.9e-324",
    "1e19",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551616",
    "4294967296",
    "2147483648",
    "65536",
    "1e9",
    "1e6",
    "nan",
    "inf",
    "-inf",
    "0x7fffffff",
    "99999999999999999999999999",
];

/// Words that have a meaning in one of the languages.
const WORDS: [&str; 30] = [
    "true",
    "false",
    "\"\"",
    "[]",
    "{}",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "'",
    ",",
    ".",
    "=",
    "<",
    ">",
    "/",
    "-",
    "not ",
    " and ",
    " if ",
    " else ",
    "time",
    "state_time",
    "[0, 0, 0]",
    "\n",
    "\u{0}",
    "\u{1F600}",
];

/// One input made from the seeds by one to six changes.
pub fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        change(&mut bytes, seeds, random);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let length = bytes.len();
    match random.below(12) {
        0 if length > 0 => {
            let at = random.below(length);
            bytes[at] ^= 1 << random.below(8);
        }
        1 if length > 0 => {
            let at = random.below(length);
            bytes[at] = random.next() as u8;
        }
        2 => bytes.truncate(random.below(length + 1)),
        3 | 4 => {
            let numbers = spans(bytes, |byte| byte.is_ascii_digit() || b".-+e".contains(&byte));
            let numbers: Vec<Range<usize>> = numbers
                .into_iter()
                .filter(|span| bytes[span.clone()].iter().any(u8::is_ascii_digit))
                .collect();
            if let Some(span) = numbers.get(random.below(numbers.len())) {
                let number = NUMBERS[random.below(NUMBERS.len())];
                bytes.splice(span.clone(), number.bytes());
            }
        }
        5 | 6 => {
            let words = spans(bytes, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if words.len() > 1 {
                let [a, b] = [random.below(words.len()), random.below(words.len())];
                let (first, second) = (words[a.min(b)].clone(), words[a.max(b)].clone());
                let (one, other) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
                bytes.splice(second, one);
                bytes.splice(first, other);
            }
        }
        7 => {
            let at = random.below(length + 1);
            bytes.splice(at..at, WORDS[random.below(WORDS.len())].bytes());
        }
        8 => {
            let other = &seeds[random.below(seeds.len())];
            let (part, at) = (other[random.range(other.len())].to_vec(), random.range(length));
            bytes.splice(at, part);
        }
        9 => {
            let part = bytes[random.range(length)].to_vec();
            let at = random.below(length + 1);
            bytes.splice(at..at, part);
        }
        10 => {
            let lines = spans(bytes, |byte| byte != b'\n');
            if let Some(line) = lines.get(random.below(lines.len())) {
                bytes.drain(line.clone());
            }
        }
        _ => {
            let range = random.range(length);
            bytes.drain(range);
        }
    }
    // Repeated splices would grow without bound.
    bytes.truncate(1 << 16);
}

/// The longest stretches of bytes that fit.
fn spans(bytes: &[u8], fits: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, byte) in bytes.iter().copied().chain([b'\n']).enumerate() {
        match (fits(byte) && at < bytes.len(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                spans.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    spans
}
