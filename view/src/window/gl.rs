//! Wrappers of OpenGL 3.3 calls.

#![expect(unsafe_code, reason = "every call of OpenGL is")]

use super::mesh::{PrimitiveMesh, Vertex};
use eframe::glow::{self, HasContext};
use std::mem::{offset_of, size_of};

/// The context that owns programs and uniforms.
pub type Gl = glow::Context;

/// A shader program.
pub struct Program(glow::Program);

impl Program {
    /// Compiles and links it.
    pub fn new(gl: &Gl, vertex: &str, fragment: &str) -> Result<Self, String> {
        // SAFETY: a context is current whenever the window is created or drawn; this holds for the whole file.
        unsafe {
            let program = gl.create_program()?;
            for (kind, text) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, text);
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    return Err(gl.get_shader_info_log(shader));
                }
                gl.attach_shader(program, shader);
                gl.delete_shader(shader);
            }
            gl.link_program(program);
            if !gl.get_program_link_status(program) {
                return Err(gl.get_program_info_log(program));
            }
            Ok(Program(program))
        }
    }

    /// Uses the program from now on.
    pub fn begin(&self, gl: &Gl) {
        unsafe { gl.use_program(Some(self.0)) }
    }

    pub fn set_matrix(&self, gl: &Gl, name: &str, value: glam::Mat4) {
        unsafe {
            let place = gl.get_uniform_location(self.0, name);
            gl.uniform_matrix_4_f32_slice(place.as_ref(), false, &value.to_cols_array());
        }
    }

    pub fn set_vector(&self, gl: &Gl, name: &str, value: glam::Vec3) {
        unsafe {
            let place = gl.get_uniform_location(self.0, name);
            gl.uniform_3_f32(place.as_ref(), value.x, value.y, value.z);
        }
    }

    pub fn set_number(&self, gl: &Gl, name: &str, value: f32) {
        unsafe {
            let place = gl.get_uniform_location(self.0, name);
            gl.uniform_1_f32(place.as_ref(), value);
        }
    }

    pub fn set_whole(&self, gl: &Gl, name: &str, value: i32) {
        unsafe {
            let place = gl.get_uniform_location(self.0, name);
            gl.uniform_1_i32(place.as_ref(), value);
        }
    }

    pub fn delete(&self, gl: &Gl) {
        unsafe { gl.delete_program(self.0) }
    }
}

/// Triangles on the graphics card.
pub struct GpuTriangles {
    array: glow::VertexArray,
    buffers: Vec<glow::Buffer>,
    count: i32,
}

/// A vertex or instance attribute: its count of numbers and its offset in numbers.
pub struct VertexAttribute {
    pub place: u32,
    pub numbers: i32,
    pub offset: i32,
}

impl GpuTriangles {
    /// The triangles of a mesh, with attributes 0 to 2.
    pub fn of(gl: &Gl, mesh: &PrimitiveMesh) -> Result<Self, String> {
        unsafe {
            let array = gl.create_vertex_array()?;
            gl.bind_vertex_array(Some(array));
            let corners = gl.create_buffer()?;
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(corners));
            gl.buffer_data_u8_slice(
                glow::ARRAY_BUFFER,
                bytemuck::cast_slice(&mesh.vertices),
                glow::STATIC_DRAW,
            );
            let indices = gl.create_buffer()?;
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(indices));
            let bytes = bytemuck::cast_slice(&mesh.indices);
            gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, bytes, glow::STATIC_DRAW);
            let places = [
                (3, offset_of!(Vertex, position)),
                (3, offset_of!(Vertex, normal)),
                (1, offset_of!(Vertex, end)),
            ];
            for (place, (numbers, offset)) in (0..).zip(places) {
                gl.enable_vertex_attrib_array(place);
                let stride = size_of::<Vertex>() as i32;
                gl.vertex_attrib_pointer_f32(place, numbers, glow::FLOAT, false, stride, offset as i32);
            }
            gl.bind_vertex_array(None);
            Ok(GpuTriangles { array, buffers: vec![corners, indices], count: mesh.indices.len() as i32 })
        }
    }

    /// Draws one instance per record of `stride` bytes in a range of a buffer.
    pub fn draw(
        &self,
        gl: &Gl,
        buffer: &Stream,
        attributes: &[VertexAttribute],
        stride: usize,
        range: &std::ops::Range<usize>,
    ) {
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer.0));
            for VertexAttribute { place, numbers, offset } in attributes {
                let start = (range.start * stride + *offset as usize * size_of::<f32>()) as i32;
                gl.enable_vertex_attrib_array(*place);
                gl.vertex_attrib_pointer_f32(*place, *numbers, glow::FLOAT, false, stride as i32, start);
                gl.vertex_attrib_divisor(*place, 1);
            }
            gl.draw_elements_instanced(
                glow::TRIANGLES,
                self.count,
                glow::UNSIGNED_SHORT,
                0,
                range.len() as i32,
            );
            gl.bind_vertex_array(None);
        }
    }

    pub fn delete(&self, gl: &Gl) {
        unsafe {
            gl.delete_vertex_array(self.array);
            self.buffers.iter().for_each(|buffer| gl.delete_buffer(*buffer));
        }
    }
}

/// A buffer that is written for each picture.
pub struct Stream(glow::Buffer);

impl Stream {
    pub fn new(gl: &Gl) -> Result<Self, String> {
        Ok(Stream(unsafe { gl.create_buffer()? }))
    }

    pub fn write(&self, gl: &Gl, bytes: &[u8]) {
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.0));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::STREAM_DRAW);
        }
    }

    pub fn delete(&self, gl: &Gl) {
        unsafe { gl.delete_buffer(self.0) }
    }
}

/// Triangles with a colour at each corner (attributes 0 and 1), written for each picture.
pub struct FlatTriangles {
    array: glow::VertexArray,
    stream: Stream,
}

impl FlatTriangles {
    pub fn new(gl: &Gl) -> Result<Self, String> {
        let stream = Stream::new(gl)?;
        unsafe {
            let array = gl.create_vertex_array()?;
            gl.bind_vertex_array(Some(array));
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(stream.0));
            let stride = size_of::<[f32; 7]>() as i32;
            for (place, numbers, offset) in [(0, 3, 0), (1, 4, size_of::<[f32; 3]>() as i32)] {
                gl.enable_vertex_attrib_array(place);
                gl.vertex_attrib_pointer_f32(place, numbers, glow::FLOAT, false, stride, offset);
            }
            gl.bind_vertex_array(None);
            Ok(FlatTriangles { array, stream })
        }
    }

    pub fn draw(&self, gl: &Gl, corners: &[[f32; 7]]) {
        self.stream.write(gl, bytemuck::cast_slice(corners));
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            gl.draw_arrays(glow::TRIANGLES, 0, corners.len() as i32);
            gl.bind_vertex_array(None);
        }
    }

    pub fn delete(&self, gl: &Gl) {
        unsafe { gl.delete_vertex_array(self.array) }
        self.stream.delete(gl);
    }
}

/// Depth from the light.
pub struct ShadowMap {
    frame: glow::Framebuffer,
    texture: glow::Texture,
    pub size: i32,
}

impl ShadowMap {
    pub fn new(gl: &Gl, size: i32) -> Result<Self, String> {
        unsafe {
            let texture = gl.create_texture()?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            let (inner, outer, kind) = (glow::DEPTH_COMPONENT24, glow::DEPTH_COMPONENT, glow::UNSIGNED_INT);
            let nothing = glow::PixelUnpackData::Slice(None);
            gl.tex_image_2d(glow::TEXTURE_2D, 0, inner as i32, size, size, 0, outer, kind, nothing);
            for (name, value) in [
                (glow::TEXTURE_MIN_FILTER, glow::LINEAR),
                (glow::TEXTURE_MAG_FILTER, glow::LINEAR),
                (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
                (glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE),
                (glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL),
            ] {
                gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            }
            let frame = gl.create_framebuffer()?;
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(frame));
            let depth = glow::DEPTH_ATTACHMENT;
            gl.framebuffer_texture_2d(glow::FRAMEBUFFER, depth, glow::TEXTURE_2D, Some(texture), 0);
            gl.draw_buffers(&[glow::NONE]);
            gl.read_buffer(glow::NONE);
            let is_whole = gl.check_framebuffer_status(glow::FRAMEBUFFER) == glow::FRAMEBUFFER_COMPLETE;
            gl.bind_framebuffer(glow::FRAMEBUFFER, None);
            gl.bind_texture(glow::TEXTURE_2D, None);
            if is_whole {
                Ok(ShadowMap { frame, texture, size })
            } else {
                Err("no shadows on this graphics card".into())
            }
        }
    }

    /// Renders into the map from now on.
    pub fn begin(&self, gl: &Gl) {
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.frame));
            gl.disable(glow::SCISSOR_TEST);
            gl.disable(glow::BLEND);
            gl.enable(glow::DEPTH_TEST);
            gl.depth_mask(true);
            gl.viewport(0, 0, self.size, self.size);
            gl.clear_depth_f32(1.0);
            gl.clear(glow::DEPTH_BUFFER_BIT);
        }
    }

    /// Binds the map as the first texture.
    pub fn read(&self, gl: &Gl) {
        unsafe {
            gl.active_texture(glow::TEXTURE0);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.texture));
        }
    }

    pub fn delete(&self, gl: &Gl) {
        unsafe {
            gl.delete_framebuffer(self.frame);
            gl.delete_texture(self.texture);
        }
    }
}

/// Rectangle of the window, pixels: left, bottom, width, height.
pub type Area = [i32; 4];

/// Renders into this part of the window from now on, and clears it with a colour.
pub fn begin_window(gl: &Gl, frame: Option<glow::Framebuffer>, view: Area, clip: Area, [r, g, b]: [f32; 3]) {
    unsafe {
        gl.bind_framebuffer(glow::FRAMEBUFFER, frame);
        gl.viewport(view[0], view[1], view[2], view[3]);
        gl.enable(glow::SCISSOR_TEST);
        gl.scissor(clip[0], clip[1], clip[2], clip[3]);
        gl.enable(glow::DEPTH_TEST);
        gl.depth_func(glow::LESS);
        gl.depth_mask(true);
        gl.depth_range_f32(0.0, 1.0);
        gl.disable(glow::BLEND);
        gl.clear_color(r, g, b, 1.0);
        gl.clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
    }
}

/// Whether back faces are culled from now on: those of closed shapes are hidden anyway.
pub fn hide_insides(gl: &Gl, is_closed: bool) {
    unsafe {
        if is_closed {
            gl.enable(glow::CULL_FACE);
            gl.cull_face(glow::BACK);
            gl.front_face(glow::CCW);
        } else {
            gl.disable(glow::CULL_FACE);
        }
    }
}

/// Restricts what follows to this share of depths, and sets blending. Blended shapes write no depth.
pub fn set_layer(gl: &Gl, depths: [f32; 2], is_blended: bool) {
    unsafe {
        gl.depth_range_f32(depths[0], depths[1]);
        gl.depth_mask(!is_blended);
        if is_blended {
            gl.enable(glow::BLEND);
            gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
        } else {
            gl.disable(glow::BLEND);
        }
    }
}

/// Restores the settings of the user interface.
pub fn end_window(gl: &Gl) {
    unsafe {
        gl.depth_range_f32(0.0, 1.0);
        gl.depth_mask(true);
        gl.disable(glow::DEPTH_TEST);
        gl.disable(glow::CULL_FACE);
        gl.bind_texture(glow::TEXTURE_2D, None);
        gl.use_program(None);
    }
}
