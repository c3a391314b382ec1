//! Collision detection: which solids touch, where and how deep. Geometry only.

mod field;
mod plane;
mod solid;
mod sweep;

pub(crate) use solid::{CollisionSolid, SolidOwner};

use aplomb_math::geometry::{Manifold, Shape};
use nalgebra::Vector3;

/// A contact point of two solids, touching or nearly so.
#[doc(alias = "contact point")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Indices of the two solids and of the contact's feature; constant from step to step.
    pub(crate) key: [u32; 3],
    /// Contact point, world, m; midway between the two surfaces.
    pub point: Vector3<f64>,
    /// Unit normal, from the second solid into the first.
    pub(crate) normal: Vector3<f64>,
    /// Distance of the surfaces at that point, m; negative if they overlap.
    #[doc(alias = "penetration depth")]
    pub(crate) gap: f64,
}

/// All solids, with their contact points.
#[doc(alias = "broad phase")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Collision {
    pub(super) solids: Vec<CollisionSolid>,
    planes: Vec<usize>,
    fields: Vec<usize>,
    sweep: sweep::SweepAndPrune,
    manifold: Manifold,
    /// Pairs that may overlap, smaller index first; sorted.
    ignored: Vec<[usize; 2]>,
    /// Pairs of systems that pass through each other: an object and the character that holds it.
    pub(super) passing: Vec<[usize; 2]>,
    touches: Vec<Touch>,
}

impl Collision {
    /// Adds a solid and gives its index.
    pub(crate) fn add(&mut self, solid: CollisionSolid) -> usize {
        let index = self.solids.len();
        match solid.shape {
            Shape::Plane => self.planes.push(index),
            Shape::Field(_) => self.fields.push(index),
            _ => self.sweep.add(index),
        }
        self.solids.push(solid);
        index
    }

    /// Allows two solids to overlap from now on.
    pub(crate) fn ignore(&mut self, a: usize, b: usize) {
        let pair = [a.min(b), a.max(b)];
        if let Err(at) = self.ignored.binary_search(&pair) {
            self.ignored.insert(at, pair);
        }
    }

    /// The solid of index `index`.
    pub(crate) fn solid(&self, index: u32) -> &CollisionSolid {
        &self.solids[index as usize]
    }

    /// Contact points with a gap up to `margin`, as of the last update; sorted by key.
    pub(crate) fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Finds all contact points with a gap up to `margin` (m). The solids must have their present poses.
    /// Bodies of one tree are included if `self_contact` is set.
    pub(crate) fn update(&mut self, margin: f64, self_contact: bool) {
        let Collision { solids, planes, fields, sweep, manifold, ignored, passing, touches } = self;
        let passes = |a: usize, b: usize| {
            let systems = [a, b].map(|solid| solids[solid].owner.body().map(|(system, _)| system));
            passing.iter().any(|pair| pair.iter().all(|system| systems.contains(&Some(*system))))
        };
        touches.clear();
        let mut push = |[a, b]: [usize; 2], feature: u32, point, normal, gap| {
            touches.push(Touch { key: [a as u32, b as u32, feature], point, normal, gap });
        };
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
                        push([index, floor], feature, point, normal, gap);
                    });
                }
            }
        }
        for &ground in fields.iter() {
            let Shape::Field(heights) = &solids[ground].shape else { continue };
            for (index, solid) in solids.iter().enumerate() {
                if solid.reach.is_finite() && may_touch(index, ground) {
                    field::touch(solid, &solids[ground], heights, margin, |feature, point, normal, gap| {
                        push([index, ground], feature, point, normal, gap);
                    });
                }
            }
        }
        sweep.pairs(solids, margin, |a, b| {
            if may_touch(a, b) {
                let [one, other] = [a, b].map(|solid| solids[solid].placed());
                manifold.touch(one, other, margin, |feature, point, normal, gap| {
                    push([a, b], feature, point, normal, gap);
                });
            }
        });
        touches.sort_unstable_by_key(|touch| touch.key);
    }
}
