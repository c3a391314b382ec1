//! Surfaces that a point can be constrained to, as functions that vanish there.

use nalgebra::{Matrix3, UnitVector3, Vector3};

/// A surface f(x) = 0; lengths in m, world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImplicitSurface {
    /// f = n·x − offset
    Plane {
        /// Unit normal, world axes.
        normal: UnitVector3<f64>,
        /// Distance of the plane from the world origin along the normal, m.
        offset: f64,
    },
    /// f = (|x − c|² − r²)/2
    Sphere {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// f = (h·h − r²)/2, with h orthogonal to the axis.
    Cylinder {
        /// A point of the axis, m, world axes.
        center: Vector3<f64>,
        /// Unit direction of the axis, world axes.
        axis: UnitVector3<f64>,
        /// Radius, m.
        radius: f64,
    },
    /// f = ((|h| − R)² + z² − r²)/2, with h orthogonal to the axis and z along it.
    Torus {
        /// Centre, m, world axes.
        center: Vector3<f64>,
        /// Unit direction of the axis of revolution, world axes.
        axis: UnitVector3<f64>,
        /// Radius R of the centre circle of the tube, m.
        ring: f64,
        /// Radius r of the tube, m.
        tube: f64,
    },
}

impl ImplicitSurface {
    /// f, its gradient and its matrix of second derivatives.
    pub fn at(&self, place: &Vector3<f64>) -> (f64, Vector3<f64>, Matrix3<f64>) {
        match self {
            ImplicitSurface::Plane { normal, offset } => {
                (normal.dot(place) - offset, normal.into_inner(), Matrix3::zeros())
            }
            ImplicitSurface::Sphere { center, radius } => {
                let out = place - center;
                (0.5 * (out.norm_squared() - radius * radius), out, Matrix3::identity())
            }
            ImplicitSurface::Cylinder { center, axis, radius } => {
                let across = Matrix3::identity() - axis.into_inner() * axis.transpose();
                let out = across * (place - center);
                (0.5 * (out.norm_squared() - radius * radius), out, across)
            }
            ImplicitSurface::Torus { center, axis, ring, tube } => {
                let along = axis.into_inner() * axis.transpose();
                let offset = place - center;
                let height = axis.dot(&offset);
                let out = offset - height * axis.into_inner();
                let reach = out.norm();
                // On the axis f is not smooth, and no direction outwards is unique.
                let way = out.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
                let beyond = reach - ring;
                let outward = way * way.transpose();
                let around = if reach > 0.0 { beyond / reach } else { 0.0 };
                (
                    0.5 * (beyond * beyond + height * height - tube * tube),
                    beyond * way + height * axis.into_inner(),
                    outward + around * (Matrix3::identity() - along - outward) + along,
                )
            }
        }
    }
}
