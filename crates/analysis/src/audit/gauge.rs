//! Gauges: a measured quantity, its bound, and the place of its largest value.

use aplomb_trace::Frame;
use serde::Serialize;

/// Frame, time and subject of a measured value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spot {
    /// Number of the frame.
    pub frame: u64,
    /// Time, s.
    pub time: f64,
    /// Subject: a coordinate, a contact, a body.
    pub what: String,
    /// The value there.
    pub value: f64,
}

/// A quantity with an upper bound.
#[derive(Clone, Debug)]
pub(crate) struct Gauge {
    quantity: &'static str,
    unit: &'static str,
    allowed: f64,
    looks: u64,
    beyond: u64,
    worst: Option<Spot>,
    first_beyond: Option<Spot>,
}

/// Result of a gauge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GaugeResult {
    /// The check that measured it.
    pub check: String,
    /// The measured quantity.
    pub quantity: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Upper bound.
    pub allowed: f64,
    /// Largest value, and its place.
    pub worst: Option<Spot>,
    /// Whether no value exceeded the bound.
    pub held: bool,
    /// Number of measurements.
    pub looks: u64,
    /// Number of measurements beyond the bound.
    pub beyond: u64,
    /// Place of the first measurement beyond the bound.
    pub first_beyond: Option<Spot>,
}

impl Gauge {
    /// A gauge of a quantity with its unit and upper bound.
    pub(crate) fn new(quantity: &'static str, unit: &'static str, allowed: f64) -> Self {
        Gauge { quantity, unit, allowed, looks: 0, beyond: 0, worst: None, first_beyond: None }
    }

    /// Adds a value of a frame. NaN is beyond every bound, and a negative value counts as 0: a force that pushes
    /// does not pull.
    pub(crate) fn read(&mut self, value: f64, frame: &Frame, what: impl FnOnce() -> String) {
        self.looks += 1;
        // The added zero removes the sign of a negative zero.
        let value = if value.is_nan() { f64::INFINITY } else { value.max(0.0) + 0.0 };
        let is_within = value <= self.allowed;
        let is_worst = self.worst.as_ref().is_none_or(|worst| value > worst.value);
        let is_first = !is_within && self.first_beyond.is_none();
        self.beyond += u64::from(!is_within);
        if is_worst || is_first {
            let spot = Spot { frame: frame.index, time: frame.time, what: what(), value };
            if is_first {
                self.first_beyond = Some(spot.clone());
            }
            if is_worst {
                self.worst = Some(spot);
            }
        }
    }

    /// Result for the check of this name.
    pub(crate) fn measure(&self, check: &str) -> GaugeResult {
        GaugeResult {
            check: check.into(),
            quantity: self.quantity,
            unit: self.unit,
            allowed: self.allowed,
            worst: self.worst.clone(),
            held: self.beyond == 0,
            looks: self.looks,
            beyond: self.beyond,
            first_beyond: self.first_beyond.clone(),
        }
    }
}
