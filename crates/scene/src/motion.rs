//! Motions of the ground and obstacles as specified in scene files.

use aplomb_body::contact::{CubicPath, Sinusoid};
use aplomb_language::Spanned;
use nalgebra::Vector6;
use serde::Deserialize;

/// A prescribed motion that starts with the run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum MotionSpec {
    /// A sinusoid that does not end.
    Sine(SineSpec),
    /// Given displacements at given times.
    Keyframes(PathSpec),
}

/// amplitude · sin(2π frequency t + phase), added to the pose in the file.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SineSpec {
    /// Amplitude of the displacement, world axes, m.
    pub(crate) amplitude: Option<Spanned<[f64; 3]>>,
    /// Amplitude of the rotation about its position: roll, pitch and yaw as in `rotation`, rad.
    pub(crate) sway: Option<Spanned<[f64; 3]>>,
    /// Hz
    pub(crate) frequency: Spanned<f64>,
    /// rad
    #[serde(default = "defaults::zero")]
    pub(crate) phase: Spanned<f64>,
}

/// Displacements at given times. Between them the motion is smooth: its velocity is continuous, it is at rest
/// at turning points and at both ends, and it does not overshoot the given values.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PathSpec {
    /// Times, s, increasing.
    pub(crate) times: Spanned<Vec<f64>>,
    /// Displacements from the position in the file, world axes, m, one for each time.
    pub(crate) offsets: Option<Spanned<Vec<[f64; 3]>>>,
    /// Rotations about its position: roll, pitch and yaw as in `rotation`, rad, one for each time.
    pub(crate) turns: Option<Spanned<Vec<[f64; 3]>>>,
}

impl SineSpec {
    /// The sinusoid in the scene.
    pub(crate) fn swing(&self) -> Sinusoid {
        Sinusoid {
            amplitude: six(&self.amplitude, &self.sway),
            frequency: *self.frequency.get_ref(),
            phase: *self.phase.get_ref(),
            window: None,
        }
    }
}

impl PathSpec {
    /// The path in the scene.
    pub(crate) fn path(&self) -> CubicPath {
        let times = self.times.get_ref().clone();
        let at = |list: &Option<Spanned<Vec<[f64; 3]>>>, k: usize| {
            list.as_ref().and_then(|list| list.get_ref().get(k).copied()).unwrap_or_default()
        };
        let value = |k| joined(at(&self.offsets, k), at(&self.turns, k));
        let values = (0..times.len()).map(value).collect();
        CubicPath::new(times, values)
    }
}

/// Displacement and rotation; default: zero.
pub(crate) fn six(
    displacement: &Option<Spanned<[f64; 3]>>,
    turn: &Option<Spanned<[f64; 3]>>,
) -> Vector6<f64> {
    let given = |part: &Option<Spanned<[f64; 3]>>| part.as_ref().map_or([0.0; 3], |part| *part.get_ref());
    joined(given(displacement), given(turn))
}

fn joined([x, y, z]: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Vector6<f64> {
    Vector6::new(x, y, z, roll, pitch, yaw)
}

mod defaults {
    use aplomb_language::Spanned;

    fn given<T>(value: T) -> Spanned<T> {
        Spanned::new(0..0, value)
    }

    pub(super) fn zero() -> Spanned<f64> {
        given(0.0)
    }
}
