//! Which solids touch, where and how deep. Geometry alone: what follows from it is decided elsewhere.

mod field;
mod plane;
mod solid;
mod sweep;

pub use solid::{Owner, Solid};

use aplomb_math::geometry::{Manifold, Shape};
use nalgebra::Vector3;

/// A point at which two solids touch or nearly do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The two solids and the feature by which they touch; the same from step to step.
    pub key: [u32; 3],
    /// World, m; midway between the two surfaces.
    pub point: Vector3<f64>,
    /// Unit, from the second solid into the first.
    pub normal: Vector3<f64>,
    /// Distance of the surfaces there, negative if they overlap, m.
    pub gap: f64,
}

/// All solids and what touches.
#[derive(Clone, Debug, Default)]
pub struct Collision {
    pub(super) solids: Vec<Solid>,
    planes: Vec<usize>,
    fields: Vec<usize>,
    sweep: sweep::Sweep,
    manifold: Manifold,
    /// Pairs that may overlap, smaller index first; sorted.
    ignored: Vec<[usize; 2]>,
    /// Pairs of systems that pass through each other: an object and who holds it.
    pub(super) passing: Vec<[usize; 2]>,
    touches: Vec<Touch>,
}

impl Collision {
    /// Adds a solid and gives its index.
    pub fn add(&mut self, solid: Solid) -> usize {
        let index = self.solids.len();
        match solid.shape {
            Shape::Plane => self.planes.push(index),
            Shape::Field(_) => self.fields.push(index),
            _ => self.sweep.add(index),
        }
        self.solids.push(solid);
        index
    }

    /// Lets two solids overlap from now on.
    pub fn ignore(&mut self, a: usize, b: usize) {
        let pair = [a.min(b), a.max(b)];
        if let Err(at) = self.ignored.binary_search(&pair) {
            self.ignored.insert(at, pair);
        }
    }

    /// The solid of index `index`.
    pub fn solid(&self, index: u32) -> &Solid {
        &self.solids[index as usize]
    }

    /// Points with a gap up to `margin`, as last found; sorted by key.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Finds all points with a gap up to `margin` (m). The solids must have been placed.
    /// Bodies of one tree count if there is `self_contact`.
    pub fn update(&mut self, margin: f64, self_contact: bool) {
        let Collision { solids, planes, fields, sweep, manifold, ignored, passing, touches } = self;
        let passes = |a: usize, b: usize| {
            let systems = [a, b].map(|solid| solids[solid].owner.body().map(|(system, _)| system));
            passing.iter().any(|pair| pair.iter().all(|system| systems.contains(&Some(*system))))
        };
        touches.clear();
        let may_touch = |a: usize, b: usize| {
            solids[a].present
                && solids[b].present
                && solids[a].owner.can_touch(&solids[b].owner, self_contact)
                && ignored.binary_search(&[a.min(b), a.max(b)]).is_err()
                && (passing.is_empty() || !passes(a, b))
        };
        for &floor in planes.iter() {
            let (point, normal) = solids[floor].plane();
            for (index, solid) in solids.iter().enumerate() {
                let near = normal.dot(&(solid.position - point)) <= solid.reach + margin;
                if near && solid.shape != Shape::Plane && may_touch(index, floor) {
                    plane::touch(solid, &point, &normal, margin, |feature, point, gap| {
                        touches.push(Touch {
                            key: [index as u32, floor as u32, feature],
                            point,
                            normal,
                            gap,
                        });
                    });
                }
            }
        }
        for &ground in fields.iter() {
            let Shape::Field(heights) = &solids[ground].shape else { continue };
            for (index, solid) in solids.iter().enumerate() {
                if solid.reach.is_finite() && may_touch(index, ground) {
                    field::touch(solid, &solids[ground], heights, margin, |feature, point, normal, gap| {
                        touches.push(Touch {
                            key: [index as u32, ground as u32, feature],
                            point,
                            normal,
                            gap,
                        });
                    });
                }
            }
        }
        sweep.pairs(solids, margin, |a, b| {
            if may_touch(a, b) {
                manifold.touch(
                    solids[a].placed(),
                    solids[b].placed(),
                    margin,
                    |feature, point, normal, gap| {
                        touches.push(Touch { key: [a as u32, b as u32, feature], point, normal, gap });
                    },
                );
            }
        });
        touches.sort_unstable_by_key(|touch| touch.key);
    }
}
