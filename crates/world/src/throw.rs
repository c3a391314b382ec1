//! A ball that is thrown while the world runs.

use nalgebra::Vector3;

/// A ball that comes flying. It does not bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throw {
    /// kg
    pub mass: f64,
    /// m
    pub radius: f64,
    /// Of its centre, world axes, m.
    pub position: Vector3<f64>,
    /// World axes, m/s.
    pub velocity: Vector3<f64>,
}
