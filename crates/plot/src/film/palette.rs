//! The palette of a film with few colours.

use std::collections::BTreeMap;

/// Largest number of colours of a palette; one more index marks unchanged pixels.
pub(super) const MOST: usize = 255;

/// The most frequent colours of some pictures.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// Indices of the colours looked up so far.
    known: BTreeMap<[u8; 3], u8>,
}

impl Palette {
    pub(super) fn new(pixels: impl Iterator<Item = [u8; 3]>) -> Self {
        let mut counts: BTreeMap<[u8; 3], usize> = BTreeMap::new();
        pixels.for_each(|colour| *counts.entry(colour).or_default() += 1);
        let mut colours: Vec<([u8; 3], usize)> = counts.into_iter().collect();
        // Ties are broken by colour.
        colours.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        colours.truncate(MOST);
        Palette { colours: colours.into_iter().map(|(colour, _)| colour).collect(), known: BTreeMap::new() }
    }

    /// Red, green and blue of [`MOST`] + 1 colours.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colours.iter().flatten().copied().collect();
        bytes.resize(3 * (MOST + 1), 0);
        bytes
    }

    /// Index of the nearest colour.
    pub(super) fn place(&mut self, colour: [u8; 3]) -> u8 {
        if let Some(place) = self.known.get(&colour) {
            return *place;
        }
        let distance =
            |other: &[u8; 3]| -> u32 { (0..3).map(|k| u32::from(other[k].abs_diff(colour[k])).pow(2)).sum() };
        let nearest = self.colours.iter().enumerate().min_by_key(|(_, other)| distance(other));
        let place = nearest.map_or(0, |(place, _)| place as u8);
        self.known.insert(colour, place);
        place
    }
}
