//! Renders a picture: shadows, ground, solids, overlays.

use super::gl::{self, Area, FlatTriangles, Gl, GpuTriangles, Program, ShadowMap, Stream, VertexAttribute};
use super::mesh::{Detail, PrimitiveMesh};
use crate::camera::Camera;
use crate::stage::{Primitive, ScenePicture, Solid};
use bytemuck::{Pod, Zeroable};
use eframe::glow;
use glam::{Mat4, Vec3, camera};
use std::mem::size_of;
use std::ops::Range;

/// A solid as instance attributes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Instance {
    /// Origin and half-length.
    place: [f32; 4],
    turn: [f32; 4],
    size: [f32; 4],
    colour: [f32; 4],
}

const ATTRIBUTES: [VertexAttribute; 4] = [
    VertexAttribute { place: 3, numbers: 4, offset: 0 },
    VertexAttribute { place: 4, numbers: 4, offset: 4 },
    VertexAttribute { place: 5, numbers: 4, offset: 8 },
    VertexAttribute { place: 6, numbers: 4, offset: 12 },
];

/// Groups of solids that are drawn together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DrawLayer {
    Solids,
    Ghosts,
    Overlays,
    /// Translucent overlays.
    Glass,
}

/// A picture as data for the graphics card.
#[derive(Default)]
pub struct Drawing {
    instances: Vec<Instance>,
    solids: Vec<(Primitive, Range<usize>)>,
    ghosts: Vec<(Primitive, Range<usize>)>,
    overlays: Vec<(Primitive, Range<usize>)>,
    glass: Vec<(Primitive, Range<usize>)>,
    /// Position and colour of the vertices of flat triangles.
    areas: Vec<[f32; 7]>,
    ground: Option<f32>,
    focus: Vec3,
    /// Half-width of the region with shadows, m.
    reach: f32,
}

impl Drawing {
    pub fn of(picture: &ScenePicture, reach: f32) -> Self {
        let mut drawing =
            Drawing { ground: picture.ground, focus: picture.focus, reach, ..Drawing::default() };
        for layer in [DrawLayer::Solids, DrawLayer::Ghosts, DrawLayer::Overlays, DrawLayer::Glass] {
            let (solids, is_glass) = match layer {
                DrawLayer::Solids => (&picture.solids, None),
                DrawLayer::Ghosts => (&picture.ghosts, None),
                DrawLayer::Overlays => (&picture.overlays, Some(false)),
                DrawLayer::Glass => (&picture.overlays, Some(true)),
            };
            for primitive in Primitive::ALL {
                let start = drawing.instances.len();
                let here = solids.iter().filter(|solid| solid.primitive == primitive);
                let here = here.filter(|solid| is_glass.is_none_or(|glass| glass == (solid.colour[3] < 1.0)));
                drawing.instances.extend(here.map(Instance::of));
                let range = start..drawing.instances.len();
                if !range.is_empty() {
                    drawing.layer_mut(layer).push((primitive, range));
                }
            }
        }
        for (corners, colour) in &picture.areas {
            for k in 1..corners.len().saturating_sub(1) {
                drawing.areas.extend([0, k, k + 1].map(|corner| {
                    let ([x, y, z], [r, g, b, a]) = (corners[corner].to_array(), *colour);
                    [x, y, z, r, g, b, a]
                }));
            }
        }
        drawing
    }

    fn layer_mut(&mut self, layer: DrawLayer) -> &mut Vec<(Primitive, Range<usize>)> {
        match layer {
            DrawLayer::Solids => &mut self.solids,
            DrawLayer::Ghosts => &mut self.ghosts,
            DrawLayer::Overlays => &mut self.overlays,
            DrawLayer::Glass => &mut self.glass,
        }
    }
}

impl Instance {
    fn of(solid: &Solid) -> Self {
        Instance {
            place: solid.position.extend(solid.half_length).into(),
            turn: solid.rotation.into(),
            size: solid.size.extend(0.0).into(),
            colour: solid.colour,
        }
    }
}

/// Programs, meshes and buffers on the graphics card.
pub struct Renderer {
    solid: Program,
    shadow: Program,
    ground: Program,
    flat: Program,
    shapes: Vec<(Primitive, GpuTriangles)>,
    /// Coarser meshes for shadows.
    shades: Vec<(Primitive, GpuTriangles)>,
    instances: Stream,
    areas: FlatTriangles,
    map: ShadowMap,
    /// Radius of the shadow filter, texels.
    softness: i32,
    /// Draw calls of the previous picture.
    pub draw_calls: usize,
}

/// Side of the shadow map, pixels.
const SHADOW_SIZE: i32 = 1024;
/// Direction to the light.
const SUN: Vec3 = Vec3::new(-0.35, -0.5, 0.9);
/// Background colour.
const SKY: [f32; 3] = [0.90, 0.925, 0.945];
/// Half-width of the ground as a share of the distance from the target.
const GROUND: f32 = 12.0;

impl Renderer {
    /// A renderer with soft shadows, or with shadows simple enough for a processor.
    ///
    /// # Errors
    /// Features that the graphics card lacks.
    pub fn new(gl: &Gl, is_soft: bool) -> Result<Self, String> {
        let shapes = |detail| {
            let shape =
                |primitive| Ok((primitive, GpuTriangles::of(gl, &PrimitiveMesh::of(primitive, detail))?));
            Primitive::ALL.into_iter().map(shape).collect::<Result<_, String>>()
        };
        let text = |parts: &[&str]| parts.concat();
        let lit = text(&[include_str!("shaders/light.glsl"), include_str!("shaders/solid.frag")]);
        let floor = text(&[include_str!("shaders/light.glsl"), include_str!("shaders/ground.frag")]);
        let solid = include_str!("shaders/solid.vert");
        Ok(Renderer {
            solid: Program::new(gl, solid, &lit)?,
            shadow: Program::new(gl, solid, include_str!("shaders/nothing.frag"))?,
            ground: Program::new(gl, include_str!("shaders/flat.vert"), &floor)?,
            flat: Program::new(gl, include_str!("shaders/flat.vert"), include_str!("shaders/flat.frag"))?,
            shapes: shapes(Detail::Fine)?,
            shades: shapes(Detail::Coarse)?,
            instances: Stream::new(gl)?,
            areas: FlatTriangles::new(gl)?,
            map: ShadowMap::new(gl, SHADOW_SIZE)?,
            softness: i32::from(is_soft),
            draw_calls: 0,
        })
    }

    /// Renders into an area of the window.
    pub fn draw(
        &mut self,
        gl: &Gl,
        drawing: &Drawing,
        camera: &Camera,
        frame: Option<glow::Framebuffer>,
        [view, clip]: [Area; 2],
    ) {
        self.draw_calls = 0;
        self.instances.write(gl, bytemuck::cast_slice(&drawing.instances));
        let sun = sun(drawing);
        self.map.begin(gl);
        self.shadow.begin(gl);
        self.shadow.set_matrix(gl, "view", sun);
        gl::hide_insides(gl, true);
        self.draw_calls += shapes(gl, &self.shades, &self.instances, &drawing.solids);

        gl::begin_window(gl, frame, view, clip, SKY);
        let matrix = camera.matrix(view[2] as f32 / view[3].max(1) as f32);
        self.map.read(gl);
        for program in [&self.ground, &self.solid] {
            program.begin(gl);
            program.set_matrix(gl, "view", matrix);
            program.set_matrix(gl, "sun_view", sun);
            program.set_vector(gl, "sun", SUN.normalize());
            program.set_vector(gl, "eye", camera.eye());
            program.set_vector(gl, "sky", SKY.into());
            program.set_number(gl, "far", GROUND * camera.distance);
            program.set_number(gl, "texel", 1.0 / self.map.size as f32);
            program.set_whole(gl, "softness", self.softness);
        }
        self.solid.set_number(gl, "shadowed", 1.0);
        self.shapes(gl, &drawing.solids);
        gl::hide_insides(gl, false);
        if let Some(height) = drawing.ground {
            self.ground.begin(gl);
            self.triangles(gl, &square(camera, height));
        }
        gl::set_layer(gl, [0.0, 1.0], true);
        self.flat.begin(gl);
        self.flat.set_matrix(gl, "view", matrix);
        self.triangles(gl, &drawing.areas);
        gl::hide_insides(gl, true);
        self.solid.begin(gl);
        self.solid.set_number(gl, "shadowed", 0.0);
        self.shapes(gl, &drawing.ghosts);
        // In front of all solids, with depth among each other.
        gl::set_layer(gl, [0.0, 0.01], false);
        self.shapes(gl, &drawing.overlays);
        gl::set_layer(gl, [0.0, 0.01], true);
        self.shapes(gl, &drawing.glass);
        gl::end_window(gl);
    }

    fn shapes(&mut self, gl: &Gl, ranges: &[(Primitive, Range<usize>)]) {
        self.draw_calls += shapes(gl, &self.shapes, &self.instances, ranges);
    }

    fn triangles(&mut self, gl: &Gl, corners: &[[f32; 7]]) {
        if !corners.is_empty() {
            self.areas.draw(gl, corners);
            self.draw_calls += 1;
        }
    }

    /// Deletes everything on the graphics card.
    pub fn delete(&self, gl: &Gl) {
        [&self.solid, &self.shadow, &self.ground, &self.flat].iter().for_each(|program| program.delete(gl));
        self.shapes.iter().chain(&self.shades).for_each(|(_, triangles)| triangles.delete(gl));
        self.instances.delete(gl);
        self.areas.delete(gl);
        self.map.delete(gl);
    }
}

/// Draws ranges of instances with their meshes; returns the number of draw calls.
fn shapes(
    gl: &Gl,
    shapes: &[(Primitive, GpuTriangles)],
    instances: &Stream,
    ranges: &[(Primitive, Range<usize>)],
) -> usize {
    for (primitive, range) in ranges {
        for (_, triangles) in shapes.iter().filter(|(own, _)| own == primitive) {
            triangles.draw(gl, instances, &ATTRIBUTES, size_of::<Instance>(), range);
        }
    }
    ranges.len()
}

/// Matrix from the world to the shadow map.
fn sun(drawing: &Drawing) -> Mat4 {
    let reach = drawing.reach;
    let lens = camera::rh::proj::opengl::orthographic(-reach, reach, -reach, reach, 0.0, 6.0 * reach);
    let eye = drawing.focus + SUN.normalize() * 3.0 * reach;
    lens * camera::rh::view::look_at_mat4(eye, drawing.focus, Vec3::Z)
}

/// The ground around the target.
fn square(camera: &Camera, height: f32) -> [[f32; 7]; 6] {
    let half = GROUND * camera.distance;
    let [x, y] = [camera.target.x, camera.target.y];
    let corner = |a: f32, b: f32| [x + a * half, y + b * half, height, 0.0, 0.0, 0.0, 1.0];
    let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    [a, b, c, a, c, d]
}
