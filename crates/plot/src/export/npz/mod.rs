//! A motion as NumPy arrays, in the layout that motion tracking in mjlab and Isaac Lab reads.

mod array;

use super::ExportError;
use super::scene::character;
use aplomb_body::dynamics::Kinematics;
use aplomb_body::model::state::{difference, integrate};
use aplomb_body::model::{JointKind, Model};
use aplomb_trace::{Frame, Trace};
use array::NpyArray;
use nalgebra::{Rotation3, UnitQuaternion};
use std::io::{self, Seek, Write};
use std::ops::RangeInclusive;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Frame rates that can be requested.
const RATES: RangeInclusive<f64> = 0.1..=10_000.0;
/// Distance from a frame, as a share of a frame, below which a time coincides with it.
const ON_FRAME: f64 = 1e-6;

/// A file of named arrays.
pub(super) struct NpzFile(Vec<(&'static str, NpyArray)>);

impl NpzFile {
    /// The motion of the trace with `fps` rows per second; default: the frames of the run.
    pub(super) fn of(trace: &Trace, fps: Option<f64>) -> Result<Self, ExportError> {
        if !trace.header.has_character() {
            return Err(ExportError::NoCharacter);
        }
        if let Some(fps) = fps.filter(|fps| !RATES.contains(fps)) {
            return Err(ExportError::Rate { fps });
        }
        let model = character(&trace.header)?;
        let fits = |frame: &&Frame| frame.q.len() == model.nq && frame.v.len() == model.nv;
        if let Some(frame) = trace.frames.iter().find(|frame| !fits(frame)) {
            return Err(ExportError::Misfit { frame: frame.index });
        }
        let mut motion = MotionArrays::new(&model);
        moments(trace, fps).for_each(|(frame, share)| motion.add(trace, frame, share));
        Ok(NpzFile(motion.arrays(fps.unwrap_or(1.0 / trace.header.dt))))
    }

    /// Writes the arrays as `numpy.savez` does, without compression. The same arrays give the same bytes.
    pub(super) fn write(&self, sink: impl Write + Seek) -> io::Result<()> {
        let mut archive = ZipWriter::new(sink);
        for (name, array) in &self.0 {
            let file = array.file();
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .last_modified_time(DateTime::default())
                .large_file(u32::try_from(file.len()).is_err());
            archive.start_file(format!("{name}.npy"), options)?;
            archive.write_all(&file)?;
        }
        archive.finish()?.flush()
    }
}

/// Times of the rows: the frame at or before each, and the position between it and the next one, from 0 to 1.
fn moments(trace: &Trace, fps: Option<f64>) -> impl Iterator<Item = (usize, f64)> {
    let frames = trace.frames.len();
    let step = fps.map_or(1.0, |fps| 1.0 / (fps * trace.header.dt));
    let moment = move |number: u64| {
        let along = number as f64 * step;
        let frame = (along + ON_FRAME).floor();
        let share = along - frame;
        (frame as usize, if share < ON_FRAME { 0.0 } else { share })
    };
    (0..).map(moment).take_while(move |(frame, share)| frame + usize::from(*share > 0.0) < frames)
}

/// The arrays while they grow, one row per time.
struct MotionArrays<'m> {
    model: &'m Model,
    kinematics: Kinematics,
    rows: usize,
    joint_pos: Vec<f64>,
    joint_vel: Vec<f64>,
    joint_torque: Vec<f64>,
    body_pos: Vec<f64>,
    body_quat: Vec<f64>,
    body_lin_vel: Vec<f64>,
    body_ang_vel: Vec<f64>,
    contact_force: Vec<f64>,
}

impl<'m> MotionArrays<'m> {
    fn new(model: &'m Model) -> Self {
        MotionArrays {
            model,
            kinematics: Kinematics::new(model),
            rows: 0,
            joint_pos: Vec::new(),
            joint_vel: Vec::new(),
            joint_torque: Vec::new(),
            body_pos: Vec::new(),
            body_quat: Vec::new(),
            body_lin_vel: Vec::new(),
            body_ang_vel: Vec::new(),
            contact_force: Vec::new(),
        }
    }

    /// Adds the row at the share `share` between a frame and the next. Forces are those of the frame.
    fn add(&mut self, trace: &Trace, frame: usize, share: f64) {
        let here = &trace.frames[frame];
        let (mut q, mut v) = (here.q.clone(), here.v.clone());
        if share > 0.0 {
            let next = &trace.frames[frame + 1];
            let mut way = vec![0.0; self.model.nv];
            difference(self.model, &here.q, &next.q, &mut way);
            way.iter_mut().for_each(|number| *number *= share);
            integrate(self.model, &here.q, &way, &mut q);
            v.iter_mut().zip(&next.v).for_each(|(own, next)| *own += share * (next - *own));
        }
        self.add_joints(&q, &v, &here.torque);
        self.add_bodies(&q, &v);
        self.add_contacts(here);
        self.rows += 1;
    }

    fn add_joints(&mut self, q: &[f64], v: &[f64], torque: &[f64]) {
        for joint in self.model.joints.iter().filter(|joint| joint.kind != JointKind::Free) {
            let rates = joint.v_index..joint.v_index + joint.kind.nv();
            self.joint_pos.extend_from_slice(&q[joint.q_index..joint.q_index + joint.kind.nq()]);
            self.joint_vel.extend_from_slice(&v[rates.clone()]);
            self.joint_torque.extend(rates.map(|index| torque.get(index).copied().unwrap_or(f64::NAN)));
        }
    }

    fn add_bodies(&mut self, q: &[f64], v: &[f64]) {
        self.kinematics.update_poses(self.model, q);
        self.kinematics.update_velocity(self.model, v);
        for index in 0..self.model.bodies.len() {
            let (position, velocity) = (&self.kinematics.position[index], &self.kinematics.velocity[index]);
            let turn = Rotation3::from_matrix_unchecked(self.kinematics.rotation[index]);
            let turn = UnitQuaternion::from_rotation_matrix(&turn);
            let mut turn = [turn.w, turn.i, turn.j, turn.k];
            // Of the two quaternions of a rotation, the one nearer to the previous one.
            let before = self.body_quat.len().checked_sub(4 * self.model.bodies.len());
            let before = before.map(|start| &self.body_quat[start..start + 4]);
            if before.is_some_and(|before| before.iter().zip(&turn).map(|(a, b)| a * b).sum::<f64>() < 0.0) {
                turn = turn.map(|number| -number);
            }
            self.body_pos.extend(position.iter());
            self.body_quat.extend(turn);
            self.body_lin_vel.extend(velocity.velocity_at(position).iter());
            self.body_ang_vel.extend(velocity.angular.iter());
        }
    }

    /// Sums the contact forces on each body; the last record of a run has none, and its value is NaN.
    fn add_contacts(&mut self, frame: &Frame) {
        let start = self.contact_force.len();
        let known = if frame.torque.is_empty() { f64::NAN } else { 0.0 };
        self.contact_force.resize(start + 3 * self.model.bodies.len(), known);
        let mut add = |body: &str, force: [f64; 3], sign: f64| {
            let Some(index) = self.model.bodies.iter().position(|other| other.name == body) else { return };
            let sum = &mut self.contact_force[start + 3 * index..start + 3 * index + 3];
            sum.iter_mut().zip(force).for_each(|(sum, force)| *sum += sign * force);
        };
        frame.contacts.iter().for_each(|contact| add(&contact.body, contact.force, 1.0));
        for pressed in &frame.self_contacts {
            add(&pressed.body, pressed.force, 1.0);
            add(&pressed.other, pressed.force, -1.0);
        }
    }

    fn arrays(self, fps: f64) -> Vec<(&'static str, NpyArray)> {
        let joints = self.model.joints.iter().filter(|joint| joint.kind != JointKind::Free);
        let (mut positions, mut rates) = (0, 0);
        joints
            .clone()
            .for_each(|joint| (positions, rates) = (positions + joint.kind.nq(), rates + joint.kind.nv()));
        let (rows, bodies) = (self.rows, self.model.bodies.len());
        let array = |row: &[usize], numbers| NpyArray::rows(row, numbers, rows);
        vec![
            ("fps", NpyArray::rows(&[], vec![fps], 1)),
            ("joint_pos", array(&[positions], self.joint_pos)),
            ("joint_vel", array(&[rates], self.joint_vel)),
            ("body_pos_w", array(&[bodies, 3], self.body_pos)),
            ("body_quat_w", array(&[bodies, 4], self.body_quat)),
            ("body_lin_vel_w", array(&[bodies, 3], self.body_lin_vel)),
            ("body_ang_vel_w", array(&[bodies, 3], self.body_ang_vel)),
            ("joint_torque", array(&[rates], self.joint_torque)),
            ("contact_force", array(&[bodies, 3], self.contact_force)),
            ("joint_names", NpyArray::texts(joints.map(|joint| joint.name.clone()).collect())),
            ("body_names", NpyArray::texts(self.model.bodies.iter().map(|body| body.name.clone()).collect())),
        ]
    }
}

#[cfg(test)]
mod tests;
