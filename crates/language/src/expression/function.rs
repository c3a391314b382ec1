//! The functions of expressions.
use aplomb_math::elementary::{atan2, cos, exp, log, sin, tan};

/// A function of numbers.
#[derive(Clone, Copy)]
pub(super) enum Function {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Three(fn(f64, f64, f64) -> f64),
    /// Two or more numbers, folded from the left.
    Fold(fn(f64, f64) -> f64),
    /// |v| of a vector.
    Norm,
    /// Scalar product of two vectors.
    Dot,
    /// a + s (b − a) of two numbers or two vectors.
    Lerp,
}

/// Name, syntax, description and implementation of each function.
pub(super) const FUNCTIONS: [(&str, &str, &str, Function); 18] = [
    ("min", "min(a, b, …)", "The smallest.", Function::Fold(least)),
    ("max", "max(a, b, …)", "The largest.", Function::Fold(greatest)),
    ("abs", "abs(x)", "|x|.", Function::One(f64::abs)),
    ("sqrt", "sqrt(x)", "√x.", Function::One(f64::sqrt)),
    ("exp", "exp(x)", "eˣ.", Function::One(exp)),
    ("log", "log(x)", "Natural logarithm of x; not a number below 0.", Function::One(log)),
    ("sin", "sin(x)", "Sine of x in rad.", Function::One(sin)),
    ("cos", "cos(x)", "Cosine of x in rad.", Function::One(cos)),
    ("tan", "tan(x)", "Tangent of x in rad.", Function::One(tan)),
    ("atan2", "atan2(y, x)", "Angle of the point (x, y), rad, from −π to π.", Function::Two(atan2)),
    ("clamp", "clamp(x, low, high)", "min(max(x, low), high).", Function::Three(clamp)),
    ("sign", "sign(x)", "−1, 0 or 1.", Function::One(sign)),
    ("floor", "floor(x)", "The largest whole number that is not above x.", Function::One(f64::floor)),
    ("norm", "norm(v)", "Length √(v · v) of a vector.", Function::Norm),
    ("dot", "dot(v, w)", "Scalar product v · w of two vectors.", Function::Dot),
    ("lerp", "lerp(a, b, s)", "a + s (b − a), of numbers or vectors.", Function::Lerp),
    (
        "bump",
        "bump(s)",
        "16 s² (1 − s)²: 0 at s = 0, 1 at s = ½, 0 at s = 1 with no rate at either end; 0 outside.",
        Function::One(bump),
    ),
    (
        "smoothstep",
        "smoothstep(low, high, x)",
        "s² (3 − 2 s) with s = clamp((x − low)/(high − low), 0, 1): from 0 to 1 with no rate at either end.",
        Function::Three(smoothstep),
    ),
];

/// Functions of expressions, besides quantities: name, syntax, formula.
pub fn list_functions() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FUNCTIONS.iter().map(|(name, usage, formula, _)| (*name, *usage, *formula))
}

/// The smaller number; NaN where either is, which `f64::min` would hide.
fn least(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

/// The larger number; NaN where either is.
fn greatest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

pub(super) fn clamp(x: f64, low: f64, high: f64) -> f64 {
    least(greatest(x, low), high)
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// s² (3 − 2 s) with s = (x − low)/(high − low) held in [0, 1].
pub(super) fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let s = clamp((x - low) / (high - low), 0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

/// 16 s² (1 − s)²: from 0 up to 1 at s = ½ and down again, starting and ending without a rate; 0 outside.
fn bump(s: f64) -> f64 {
    let s = clamp(s, 0.0, 1.0);
    16.0 * (s * (1.0 - s)).powi(2)
}

pub(super) fn lerp(a: f64, b: f64, s: f64) -> f64 {
    a + s * (b - a)
}

pub(super) fn add(a: f64, b: f64) -> f64 {
    a + b
}

pub(super) fn subtract(a: f64, b: f64) -> f64 {
    a - b
}

pub(super) fn multiply(a: f64, b: f64) -> f64 {
    a * b
}

pub(super) fn divide(a: f64, b: f64) -> f64 {
    a / b
}

pub(super) fn negate(a: f64) -> f64 {
    -a
}
