//! Pads: soft outer layers of bodies, such as heel pads and the soles of shoes.

#[cfg(feature = "files")]
use super::{BodyId, Model};
#[cfg(feature = "files")]
use aplomb_language::{
    Spanned,
    diagnostic::{FileError, Source},
};
use aplomb_math::elementary;
#[cfg(feature = "files")]
use indexmap::IndexMap;
#[cfg(feature = "files")]
use std::collections::BTreeMap;

/// A soft layer outside the shapes of a body. A surface in it slows the body without throwing it back: at the distance
/// g from the shape, the gap closes at most as fast as g/T. What comes down faster is slowed to that by the contact
/// force: landings at up to δ/T, δ being the depth, take some frames at any time step, faster ones lose the excess in
/// the first. Where the body stands, the layer is fully compressed.
///
/// Heel pads of runners are compressed by 9 mm (De Clercq et al. 1994, *The mechanical characteristics of the human
/// heel pad during foot strike in running*, J. Biomech. 27), soles of running shoes by about as much.
#[doc(alias = "compliant contact")]
#[doc(alias = "soft contact")]
#[doc(alias = "shoe")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pad {
    /// Thickness by which it can be compressed, m.
    pub depth: f64,
    /// Time constant T of its compression, s.
    pub time: f64,
}

/// Beginning of the names of the numbers (`<custom><numeric>`) of MJCF files that describe the pad of a body: its depth
/// (m) and time (s).
pub(crate) const PAD: &str = "pad:";

/// Greatest depth of a pad, m: more is no layer but a shape.
pub(crate) const MOST_DEPTH: f64 = 0.04;
/// Greatest time constant, s: a body would stand for a while on a slower pad before that is compressed.
pub(crate) const MOST_TIME: f64 = 0.1;

impl Pad {
    /// A pad of positive depth and time.
    ///
    /// # Errors
    /// What is wrong with the numbers.
    pub fn new(depth: f64, time: f64) -> Result<Pad, String> {
        if !(depth > 0.0 && depth <= MOST_DEPTH) {
            return Err(format!("the depth of a pad is more than 0 and at most {MOST_DEPTH} m, not {depth}"));
        }
        if !(time > 0.0 && time <= MOST_TIME) {
            return Err(format!("the time of a pad is more than 0 and at most {MOST_TIME} s, not {time}"));
        }
        Ok(Pad { depth, time })
    }

    /// Least gap `dt` seconds after the gap was `gap`, m: the solution of dg/dt ≥ −g/T within the pad. 0 for a point
    /// at the surface, or in it.
    pub fn least_gap(&self, gap: f64, dt: f64) -> f64 {
        gap.clamp(0.0, self.depth) * elementary::exp(-dt / self.time)
    }
}

/// The soft layer outside the shapes of a body.
#[cfg(feature = "files")]
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PadSpec {
    /// Thickness by which it can be compressed, m, at most 0.04; 0: no pad.
    pub depth: f64,
    /// Time constant of its compression, s, at most 0.1: at a distance of g from the shape, a surface comes nearer at
    /// most as fast as g divided by it.
    pub time: f64,
}

/// Gives bodies, by name or role, and their descendants the pads of a file, whatever their order: that of a body goes
/// before that of one it hangs on. A depth of 0 takes a pad away. Returns unknown bodies, impossible pads, and bodies
/// that are named twice.
#[cfg(feature = "files")]
pub fn give(
    model: &mut Model,
    source: &Source,
    pads: &IndexMap<Spanned<String>, Spanned<PadSpec>>,
) -> Vec<FileError> {
    let (mut errors, mut given) = (Vec::new(), BTreeMap::new());
    for (name, spec) in pads {
        let PadSpec { depth, time } = *spec.get_ref();
        let pad = if depth == 0.0 { Ok(None) } else { Pad::new(depth, time).map(Some) };
        match (pad, model.body(name.get_ref())) {
            (Ok(pad), Some(body)) => {
                if given.insert(body, pad).is_some() {
                    let message = format!("`{}` already has a pad, by another of its names", name.get_ref());
                    errors.push(FileError::new(source, name.span(), message));
                }
            }
            (Err(why), _) => {
                let error = FileError::new(source, spec.span(), why);
                errors.push(if depth < 0.0 { error.help("a depth of 0 is no pad") } else { error });
            }
            (Ok(_), None) => {
                let message = format!("no body or role of a body is called `{}`", name.get_ref());
                let names = model.bodies.iter().map(|body| body.name.as_str());
                errors.push(FileError::new(source, name.span(), message).suggest(name.get_ref(), names));
            }
        }
    }
    // Bodies come before those that hang on them.
    given.into_iter().for_each(|(body, pad)| put(model, body, pad));
    errors
}

/// Gives a body and its descendants a pad, or none.
#[cfg(feature = "files")]
fn put(model: &mut Model, body: BodyId, pad: Option<Pad>) {
    let mut is_padded = vec![false; model.bodies.len()];
    for (index, part) in model.bodies.iter_mut().enumerate() {
        // Parents come before their children.
        is_padded[index] = index == body.0 || part.parent.is_some_and(|parent| is_padded[parent.0]);
        if is_padded[index] {
            part.pad = pad;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_half_steps_are_one_whole_step_within_the_pad() {
        let pad = Pad::new(0.015, 0.03).unwrap();
        for gap in [0.001, 0.007, 0.015] {
            let halves = pad.least_gap(pad.least_gap(gap, 0.005), 0.005);
            assert!((halves - pad.least_gap(gap, 0.01)).abs() < 1e-15);
            let rate = (pad.least_gap(gap, 1e-6) - gap) / 1e-6;
            assert!((rate + gap / 0.03).abs() < 1e-3 * gap / 0.03, "{rate}");
        }
    }

    #[test]
    fn points_beyond_a_pad_reach_it_and_points_in_the_surface_are_not_lifted() {
        let pad = Pad::new(0.015, 0.03).unwrap();
        assert_eq!(pad.least_gap(0.2, 0.01), pad.least_gap(0.015, 0.01));
        assert_eq!(pad.least_gap(-0.002, 0.01), 0.0);
        assert!(Pad::new(0.0, 0.03).is_err() && Pad::new(0.2, 0.03).is_err());
        assert!(Pad::new(0.01, 0.0).is_err() && Pad::new(f64::NAN, 0.03).is_err());
    }
}
