//! Sorts sticks into runs and bundles, in which no two sticks that are processed together share a particle.

use super::spec::StickSpec;
use super::state::VectorArrays;
use super::stick::{Bundle, LANES, Root, StickRun};
use aplomb_math::dispatch::Work;

/// Sticks in the order of their relaxation.
#[derive(Clone, Debug, Default)]
pub(super) struct Sticks {
    pub runs: Vec<StickRun>,
    pub bundles: Vec<Bundle>,
    /// Rest lengths, m, and their squares, m².
    lengths: Vec<f64>,
    squares: Vec<f64>,
}

impl Sticks {
    /// Finds the runs: consecutive sticks whose ends have equal distances in memory. The rest is coloured
    /// greedily, so that sticks of one colour share no particle. The result depends on the list alone.
    #[doc(alias = "graph colouring")]
    pub(super) fn new(specs: &[StickSpec], particles: usize) -> Sticks {
        let mut sorted: Vec<(StickSpec, usize, usize)> = specs
            .iter()
            .map(|stick| {
                let [a, b] = stick.ends;
                (*stick, a.min(b), a.max(b))
            })
            .collect();
        sorted.sort_by_key(|(stick, low, high)| (stick.hold, high - low, *low));
        let mut sticks = Sticks::default();
        let mut loose = Vec::new();
        let mut rest: &[(StickSpec, usize, usize)] = &sorted;
        let mut found: Vec<&[(StickSpec, usize, usize)]> = Vec::new();
        while let Some((first, low, high)) = rest.first() {
            let follows = |(k, (stick, l, h)): &(usize, &(StickSpec, usize, usize))| {
                stick.hold == first.hold && *l == low + k && *h == high + k
            };
            let count = rest.iter().enumerate().take(high - low).take_while(follows).count();
            let (run, after) = rest.split_at(count);
            if count >= LANES {
                found.push(run)
            } else {
                loose.extend_from_slice(run)
            }
            rest = after;
        }
        // Sorted by their ends: particles that are close in memory are used together.
        found.sort_by_key(|run| (run[0].2, run[0].1));
        for run in found {
            let (stick, low, high) = run[0];
            let first = sticks.lengths.len();
            sticks.runs.push(StickRun { hold: stick.hold, low, high, count: run.len(), first });
            sticks.lengths.extend(run.iter().map(|(stick, ..)| stick.rest));
        }
        sticks.bundle(&loose, particles);
        sticks.squares = sticks.lengths.iter().map(|length| length * length).collect();
        sticks
    }

    fn bundle(&mut self, loose: &[(StickSpec, usize, usize)], particles: usize) {
        let mut loose = loose.to_vec();
        loose.sort_by_key(|(stick, low, high)| (*high, *low, stick.hold));
        // Colours that a particle has already, as a bit set; colours beyond the last are processed one by
        // one.
        let mut taken = vec![0_u64; particles];
        let mut colours: Vec<Vec<(StickSpec, usize, usize)>> = vec![Vec::new(); 64];
        for stick in loose {
            let both = taken[stick.1] | taken[stick.2];
            let colour = (!both).trailing_zeros().min(63) as usize;
            taken[stick.1] |= 1 << colour;
            taken[stick.2] |= 1 << colour;
            colours[colour].push(stick);
        }
        let last = colours.split_off(63).into_iter().flatten();
        for mut colour in colours {
            colour.sort_by_key(|(stick, low, high)| (stick.hold, *low, *high));
            colour.chunk_by(|a, b| a.0.hold == b.0.hold).for_each(|alike| {
                alike.chunks(LANES).for_each(|sticks| self.push_bundle(sticks));
            });
        }
        last.for_each(|stick| self.push_bundle(&[stick]));
    }

    fn push_bundle(&mut self, sticks: &[(StickSpec, usize, usize)]) {
        let (spec, low, high) = sticks[0];
        let first = self.lengths.len();
        let mut bundle =
            Bundle { hold: spec.hold, a: [low; LANES], b: [high; LANES], count: sticks.len(), first };
        for (k, (stick, low, high)) in sticks.iter().enumerate() {
            (bundle.a[k], bundle.b[k]) = (*low, *high);
            self.lengths.push(stick.rest);
        }
        self.bundles.push(bundle);
    }

    /// Calls `each` with the ends and the rest length (m) of each stick of fixed length.
    pub(super) fn each_exact(&self, mut each: impl FnMut([usize; 2], f64)) {
        use super::stick::StickConstraint::Exactly;
        for run in self.runs.iter().filter(|run| run.hold == Exactly) {
            (0..run.count).for_each(|k| each([run.low + k, run.high + k], self.lengths[run.first + k]));
        }
        for bundle in self.bundles.iter().filter(|bundle| bundle.hold == Exactly) {
            (0..bundle.count).for_each(|k| each([bundle.a[k], bundle.b[k]], self.lengths[bundle.first + k]));
        }
    }
}

/// Relaxes every stick once, in order. Returns the largest relative change of a distance.
pub(super) struct Relax<'a> {
    pub sticks: &'a Sticks,
    pub points: &'a mut VectorArrays,
    pub inverse_mass: &'a [f64],
    pub root: Root,
}

impl Work for Relax<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const FUSED: bool>(self) -> f64 {
        match self.root {
            Root::Exact => self.pass::<FUSED, true>(),
            Root::Newton => self.pass::<FUSED, false>(),
        }
    }
}

impl Relax<'_> {
    #[inline(always)]
    fn pass<const FUSED: bool, const EXACT: bool>(self) -> f64 {
        let Relax { sticks, points, inverse_mass, .. } = self;
        let rest = if EXACT { &sticks.lengths } else { &sticks.squares };
        let mut worst = 0.0_f64;
        let (runs, bundles) = (sticks.runs.len(), sticks.bundles.len());
        for k in 0..runs + bundles {
            worst = worst.max(if k < runs {
                sticks.runs[k].relax::<FUSED, EXACT>(points, inverse_mass, rest)
            } else {
                sticks.bundles[k - runs].relax::<FUSED, EXACT>(points, inverse_mass, rest)
            });
        }
        worst
    }
}
