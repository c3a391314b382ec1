//! Mistakes in `[trials]` that its types cannot catch, as far as the draws alone allow.

use super::MOST_TRIALS;
use super::amount::Amount;
use super::spec::{DirectionSpec, Directions, DrawSpec, NormalSpec, TrialsSpec};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source};

/// Every mistake in the numbers of the draws.
pub(crate) fn check(spec: &TrialsSpec, source: &Source) -> Vec<FileError> {
    let mut check = TrialsChecker { source, errors: Vec::new() };
    if !(1..=MOST_TRIALS).contains(spec.count.get_ref()) {
        check.say(&spec.count, format!("`count` must be 1 to {MOST_TRIALS}, not {}", spec.count.get_ref()));
    }
    if let Some(rate) = spec.rate.as_ref().filter(|rate| !(0.0..=1.0).contains(rate.get_ref())) {
        let given = rate.get_ref();
        let mistake = FileError::new(source, rate.span(), format!("`rate` must be 0 to 1, not {given}"));
        check.errors.push(match (1.0..=100.0).contains(given) {
            true => mistake.help(format!("{given} % is `{}`", given / 100.0)),
            false => mistake,
        });
    }
    spec.draw.values().for_each(|draw| check.draw(draw));
    check.same(spec);
    check.errors
}

struct TrialsChecker<'a> {
    source: &'a Source,
    errors: Vec<FileError>,
}

impl TrialsChecker<'_> {
    fn say<T>(&mut self, at: &Spanned<T>, message: impl Into<String>) {
        self.errors.push(FileError::new(self.source, at.span(), message));
    }

    fn draw(&mut self, draw: &DrawSpec) {
        match draw {
            DrawSpec::Uniform(range) => self.range(range),
            DrawSpec::LogUniform(range) => {
                let low = range.get_ref()[0].min(range.get_ref()[1]);
                if low <= 0.0 {
                    let message = format!("bounds of `log_uniform` must be more than 0, not {low}");
                    self.errors.push(
                        FileError::new(self.source, range.span(), message)
                            .help("`uniform` takes any two numbers"),
                    );
                } else {
                    self.range(range);
                }
            }
            DrawSpec::Integer(range) => self.range(range),
            DrawSpec::Normal(normal) => self.normal(normal),
            DrawSpec::Choice(choices) if choices.get_ref().is_empty() => {
                self.say(choices, "the list of choices is empty");
            }
            DrawSpec::Choice(_) | DrawSpec::SameAs(_) => {}
            DrawSpec::Direction(direction) => self.direction(direction),
        }
    }

    /// Rejects a draw that equals a key which is not drawn, or a draw that itself equals another.
    fn same(&mut self, spec: &TrialsSpec) {
        for draw in spec.draw.values() {
            let DrawSpec::SameAs(other) = draw else { continue };
            let name = other.get_ref();
            match spec.draw.get(name.as_str()) {
                None => {
                    let mistake = FileError::new(self.source, other.span(), format!("`{name}` is not drawn"));
                    let known = spec.draw.keys().map(|key| key.get_ref().as_str());
                    self.errors.push(mistake.suggest(name, known));
                }
                Some(DrawSpec::SameAs(first)) => {
                    let message = format!("`{name}` is itself the same as another draw");
                    let mistake = FileError::new(self.source, other.span(), message);
                    self.errors.push(mistake.help(format!("write `\"{}\"`", first.get_ref())));
                }
                Some(_) => {}
            }
        }
    }

    /// Rejects a range whose ends are in the wrong order.
    fn range<T: PartialOrd + Copy + std::fmt::Display>(&mut self, range: &Spanned<[T; 2]>) {
        let [low, high] = *range.get_ref();
        if low > high {
            let message = format!("this range is reversed: {low} is more than {high}");
            let mistake = FileError::new(self.source, range.span(), message);
            self.errors.push(mistake.help(format!("write `[{high}, {low}]`")));
        }
    }

    fn normal(&mut self, normal: &NormalSpec) {
        let mean = *normal.mean.get_ref();
        if *normal.deviation.get_ref() <= 0.0 {
            self.say(&normal.deviation, "`deviation` must be more than 0");
        }
        if let Some(low) = normal.low.as_ref().filter(|low| *low.get_ref() > mean) {
            self.say(low, format!("`low` must be at most the mean, {mean}"));
        }
        if let Some(high) = normal.high.as_ref().filter(|high| *high.get_ref() < mean) {
            self.say(high, format!("`high` must be at least the mean, {mean}"));
        }
        if let (Some(low), Some(high)) = (&normal.low, &normal.high)
            && low.get_ref() == high.get_ref()
        {
            self.say(high, "`low` and `high` are equal, so there is nothing to draw");
        }
    }

    fn direction(&mut self, direction: &DirectionSpec) {
        if let Amount::Drawn(draw) = &direction.length {
            self.draw(draw);
        }
        let Some(bearing) = &direction.bearing else { return };
        if direction.over == Directions::Sphere {
            self.say(bearing, "`bearing` is only for horizontal directions");
        }
        self.range(bearing);
        if let Some(angle) = bearing.get_ref().iter().find(|angle| angle.abs() > 6.3) {
            let mistake =
                FileError::new(self.source, bearing.span(), format!("{angle} rad is more than a turn"));
            self.errors.push(mistake.help(format!("{angle}° are {:.3} rad", angle.to_radians())));
        }
    }
}
