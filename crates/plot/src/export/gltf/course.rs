//! Motions as channels of a glTF animation.

use super::buffer::GltfFile;
use gltf::json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf::json::scene::{Node, UnitQuaternion};
use gltf::json::validation::Checked::Valid;
use gltf::json::{Accessor, Animation, Index};
use nalgebra::Isometry3;

/// Distance, m, or change of rotation from the first value within which a motion has no channel.
const STILL: f64 = 1e-7;

/// The animation of a run under construction.
pub(super) struct Courses {
    times: Vec<[f32; 1]>,
    /// Accessor of the times; `None` until something moves.
    input: Option<Index<Accessor>>,
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
}

impl Courses {
    /// An animation with frames at these times, s.
    pub(super) fn new(times: Vec<[f32; 1]>) -> Self {
        Courses { times, input: None, channels: Vec::new(), samplers: Vec::new() }
    }

    /// Sets the first pose of a node and adds the channels of its motion.
    pub(super) fn follow(
        &mut self,
        file: &mut GltfFile,
        node: Index<Node>,
        course: &[Option<Isometry3<f64>>],
    ) {
        let Some(first) = course.iter().flatten().next() else {
            file.root.nodes[node.value()].scale = Some([0.0; 3]);
            return;
        };
        // An absent object keeps its last pose, scaled to zero.
        let mut last = *first;
        let mut places = Vec::with_capacity(course.len());
        for place in course {
            let mut next = place.unwrap_or(last);
            if next.rotation.coords.dot(&last.rotation.coords) < 0.0 {
                // q and −q are the same rotation; the nearer one interpolates without a full turn.
                next.rotation = nalgebra::UnitQuaternion::new_unchecked(-next.rotation.into_inner());
            }
            places.push(next);
            last = next;
        }
        let translations: Vec<[f32; 3]> =
            places.iter().map(|place| place.translation.vector.map(|x| x as f32).into()).collect();
        let rotations: Vec<[f32; 4]> =
            places.iter().map(|place| place.rotation.coords.map(|x| x as f32).into()).collect();
        let there: Vec<[f32; 3]> =
            course.iter().map(|place| [f32::from(u8::from(place.is_some())); 3]).collect();
        let own = &mut file.root.nodes[node.value()];
        own.translation = Some(translations[0]);
        own.rotation = Some(UnitQuaternion(rotations[0]));
        if there[0] != [1.0; 3] {
            own.scale = Some(there[0]);
        }
        let shifts = |place: &Isometry3<f64>| (place.translation.vector - first.translation.vector).amax();
        let turns = |place: &Isometry3<f64>| (place.rotation.coords - places[0].rotation.coords).amax();
        if places.iter().any(|place| shifts(place) > STILL) {
            self.channel(file, node, Property::Translation, &translations, Interpolation::Linear);
        }
        if places.iter().any(|place| turns(place) > STILL) {
            self.channel(file, node, Property::Rotation, &rotations, Interpolation::Linear);
        }
        if there.iter().any(|now| *now != there[0]) {
            self.channel(file, node, Property::Scale, &there, Interpolation::Step);
        }
    }

    fn channel<const N: usize>(
        &mut self,
        file: &mut GltfFile,
        node: Index<Node>,
        property: Property,
        values: &[[f32; N]],
        interpolation: Interpolation,
    ) {
        let input = *self.input.get_or_insert_with(|| file.numbers(&self.times, None));
        self.channels.push(Channel {
            sampler: Index::new(self.samplers.len() as u32),
            target: Target { extensions: None, extras: Default::default(), node, path: Valid(property) },
            extensions: None,
            extras: Default::default(),
        });
        self.samplers.push(Sampler {
            extensions: None,
            extras: Default::default(),
            input,
            interpolation: Valid(interpolation),
            output: file.numbers(values, None),
        });
    }

    /// The animation; `None` if nothing moves.
    pub(super) fn finish(self, name: String) -> Option<Animation> {
        (!self.channels.is_empty()).then(|| Animation {
            extensions: None,
            extras: Default::default(),
            channels: self.channels,
            name: Some(name),
            samplers: self.samplers,
        })
    }
}
