//! A small made-up trace for tests: a foot with a knee, pushed once, with every kind of record.

#![allow(clippy::disallowed_methods, reason = "only tests read its numbers")]

use super::{
    CheckName, Commanded, ConflictRow, Contact, ContactKind, External, Followed, Frame, FrameEvent, Header,
    Holdable, ImpactCause, LimitSide, Measured, Obstacle, Outcome, PassiveHeader, PassiveSolid, PassiveState,
    PassiveTouch, Place, RelaxedRow, RowOf, SelfContact, SolidShape, SourceText, Trace,
};

pub const DT: f64 = 0.01;

pub fn trace(frames: usize) -> Trace {
    let frames = (0..frames).map(|index| frame(index, index + 1 == frames)).collect();
    Trace { header: header(), frames, parts: Vec::new(), torn: None }
}

pub fn header() -> Header {
    let names = |all: &[&str]| all.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    Header {
        version: "0.0.0".into(),
        scene: "hop".into(),
        title: "A foot is pushed".into(),
        dt: DT,
        duration: 1.0,
        gravity: [0.0, 0.0, -9.81],
        solver: "clarabel".into(),
        bias_velocity: "extrapolated".into(),
        character: "foot".into(),
        others: Vec::new(),
        bodies: names(&["foot", "shin"]),
        configuration_names: names(&[
            "root.x", "root.y", "root.z", "root.qw", "root.qx", "root.qy", "root.qz", "knee",
        ]),
        configuration_units: names(&["m", "m", "m", "1", "1", "1", "1", "rad"]),
        coordinate_names: names(&["root.x", "root.y", "root.z", "root.wx", "root.wy", "root.wz", "knee"]),
        coordinate_units: names(&["m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s", "rad/s"]),
        mass: 4.5,
        com_height: 0.3,
        coupled: Vec::new(),
        rough: Vec::new(),
        torque_limits: vec![None, None, None, None, None, None, Some([-100.0, 80.0])],
        objectives: names(&["upright", "keep « the » \"height\""]),
        followed: vec![Followed { objective: "upright".into(), unit: "rad".into() }],
        commands: vec![Commanded { name: "turn".into(), unit: "rad/s".into() }],
        bound: vec!["hurried".into(), "landing.x".into()],
        measured: vec![
            Measured { objective: "upright".into(), part: String::new(), unit: "rad".into() },
            Measured { objective: "keep « the » \"height\"".into(), part: "z".into(), unit: "m".into() },
        ],
        states: names(&["balance", "fall"]),
        obstacles: vec![obstacle("step", false), obstacle("lift", true)],
        holds: vec![trapeze()],
        overrides: names(&["events.push.impulse=[0, 24, 0]"]),
        ground_friction: 0.8,
        passive: vec![ball()],
        texts: vec![
            SourceText::new("model", "foot.xml", MODEL),
            SourceText::new("scene", "hop.toml", "dt = 0.01\n"),
        ],
    }
}

fn obstacle(name: &str, moves: bool) -> Obstacle {
    Obstacle {
        name: name.into(),
        half_lengths: Some([0.2, 0.3, 0.05]),
        field: None,
        solid: None,
        position: [1.0, 0.0, 0.05],
        orientation: [1.0, 0.0, 0.0, 0.0],
        friction: 0.7,
        moves,
    }
}

fn trapeze() -> Holdable {
    Holdable {
        name: "trapeze".into(),
        ends: vec![[0.0, -0.5, 2.0], [0.0, 0.5, 2.0]],
        radius: 0.015,
        normal: [0.0, 0.0, 1.0],
        moves: true,
    }
}

fn ball() -> PassiveHeader {
    PassiveHeader {
        name: "ball".into(),
        kind: "articulated".into(),
        mass: 0.4,
        parts: vec!["ball".into()],
        solids: vec![PassiveSolid {
            part: 0,
            shape: SolidShape::Sphere { radius: 0.1 },
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
        }],
        segments: Vec::new(),
    }
}

/// Text of the model in the example's header.
pub const MODEL: &str = r#"<mujoco model="foot">
  <compiler angle="radian"/>
  <worldbody>
    <geom name="ground" type="plane" size="5 5 0.1" friction="0.8"/>
    <body name="foot" pos="0 0 0.05">
      <freejoint name="root"/>
      <inertial pos="0 0 0" mass="1.5" diaginertia="0.01 0.01 0.01"/>
      <geom name="sole" type="box" size="0.1 0.05 0.05"/>
      <body name="shin" pos="0 0 0.05">
        <joint name="knee" type="hinge" axis="0 1 0" range="-1 1"/>
        <inertial pos="0 0 0.2" mass="3" diaginertia="0.05 0.05 0.01"/>
        <geom name="shin" type="capsule" size="0.04 0.15" pos="0 0 0.2"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"#;

/// A frame with long decimals and awkward values, so that a round trip is a meaningful test.
fn frame(index: usize, last: bool) -> Frame {
    if last { state(index) } else { solved(index) }
}

fn wave(index: usize, phase: f64) -> f64 {
    (0.37 * index as f64 + phase).sin() / 3.0
}

/// The fields of a frame before it is solved.
fn state(index: usize) -> Frame {
    let wave = |phase: f64| wave(index, phase);
    Frame {
        index: index as u64,
        time: index as f64 * DT,
        q: vec![wave(0.1), wave(0.2), 0.05, 1.0, 0.0, -0.0, 5e-324, wave(0.3)],
        v: (0..7).map(|coordinate| wave(coordinate as f64)).collect(),
        bias_velocity: if index < 2 { "backward" } else { "extrapolated" }.into(),
        state: "balance".into(),
        state_time: index as f64 * DT,
        roles: vec![("swing_foot".into(), "foot".into())],
        moving: vec![Place {
            position: [1.0, 0.0, 0.05 + 0.1 * wave(0.4)],
            orientation: [1.0, 0.0, 0.0, 0.0],
            present: index < 3,
        }],
        moving_holds: vec![[wave(2.1), 0.0, 0.0]],
        com: [wave(0.5), wave(0.6), 0.2],
        com_velocity: [wave(0.7), 1.0 / 3.0, 1e300],
        capture_point: [wave(0.8), wave(0.9)],
        support_polygon: vec![[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]],
        kinetic_energy: 0.1,
        potential_energy: 4.5 * 9.81 * 0.2,
        passive: vec![passive(index)],
        ..Frame::default()
    }
}

fn passive(index: usize) -> PassiveState {
    let wave = |phase: f64| wave(index, phase);
    PassiveState {
        positions: vec![[1.0, wave(1.6), 0.1]],
        orientations: vec![[1.0, 0.0, 0.0, 0.0]],
        velocities: vec![[wave(1.7), 0.0, 0.0]],
        angular_velocities: vec![[0.0, wave(1.8), 0.0]],
        com: [1.0, wave(1.6), 0.1],
        com_velocity: [wave(1.7), 0.0, 0.0],
        kinetic_energy: 0.2,
        potential_energy: 0.4 * 9.81 * 0.1,
        stretch: wave(2.0).abs(),
        iterations: 3,
        residual: wave(1.9).abs(),
        failed: false,
        touches: vec![PassiveTouch {
            part: 0,
            other: "ground".into(),
            point: [1.0, wave(1.6), 0.0],
            normal: [0.0, 0.0, 1.0],
            force: [0.0, 0.0, 3.924],
        }],
    }
}

/// A contact of a corner of the foot.
fn contact(corner: usize, force: [f64; 3]) -> Contact {
    Contact {
        name: format!("foot.sole.{corner}"),
        body: "foot".into(),
        surface: "ground".into(),
        point: [0.1, 0.05, 0.0],
        normal: [0.0, 0.0, 1.0],
        force,
        friction: 0.8,
        kind: if corner == 0 { ContactKind::Static } else { ContactKind::Dynamic },
        gap: -1e-5,
    }
}

fn solved(index: usize) -> Frame {
    let wave = |phase: f64| wave(index, phase);
    Frame {
        events: vec!["push".into()],
        outcome: match index % 3 {
            0 => Outcome::Solved,
            1 => Outcome::Relaxed {
                rows: vec![RelaxedRow { label: "foot.sole.0 gap".into(), unit: "m".into(), amount: 2e-4 }],
            },
            _ => Outcome::Failed { reason: "infeasible".into(), rows: vec!["knee limit".into()] },
        },
        contacts: vec![contact(0, [1.0, wave(1.1), 22.0]), contact(1, [0.0; 3])],
        external: vec![External {
            name: "push".into(),
            body: "shin".into(),
            point: [0.0, 0.0, 0.3],
            force: [0.0, 160.0, 0.0],
            torque: [0.0, 0.0, wave(1.2)],
        }],
        self_contacts: vec![SelfContact {
            body: "shin".into(),
            other: "foot".into(),
            point: [0.0, 0.1, 0.3],
            other_point: [0.0, 0.1, 0.302],
            force: [0.0, 0.0, wave(1.7) * 100.0 - 200.0],
        }],
        torque: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, wave(1.3) * 30.0],
        stop_reaction: vec![0.0; 7],
        costs: vec![wave(1.4).abs(), 0.0],
        commands: vec![Some(wave(0.3))],
        bound: vec![Some(1.0), None],
        weights: vec![0.01, 100.0],
        distances: vec![index.is_multiple_of(2).then(|| wave(1.6).abs())],
        targets: vec![Some(0.0), index.is_multiple_of(2).then_some(0.25)],
        actuals: vec![Some(wave(2.2).abs()), index.is_multiple_of(2).then(|| wave(2.3))],
        centre_of_pressure: Some([wave(1.5), 0.01]),
        iterations: 11,
        parted: 1,
        turned: 2,
        conflict: vec![ConflictRow {
            label: "knee limit".into(),
            of: RowOf::JointRange,
            side: LimitSide::AtMost,
            unit: "rad/s".into(),
            give: 0.25,
            file: "leg.xml".into(),
            line: 12,
        }],
        solve_events: vec![
            FrameEvent::Impact { because: ImpactCause::Contacts },
            FrameEvent::CapReached { check: CheckName::FrictionDirection },
        ],
        ..state(index)
    }
}
