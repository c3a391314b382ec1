//! A finite-difference test of the quantities behind every objective: the linearisation of each quantity of the next
//! frame has the right derivative.

use aplomb::dynamics::momentum;
use aplomb::dynamics::{BiasVelocity, Kinematics};
use aplomb::math::affine::Affine;
use aplomb::math::rotation;
use aplomb::model::{BodyId, state};
use aplomb::predict::{ExternalForce, Layout, Linearisation, Prediction};
use aplomb::scene::Run as SceneRun;
use aplomb::snapshot::Snapshot;
use nalgebra::{Matrix3, Rotation3, Vector3};

/// A character in motion with contacts, a few frames into a push.
fn in_motion() -> SceneRun {
    after_frames("scenes/balance_push.toml", &["events.push.at=0.02".into()])
}

/// A character that hangs from a bar.
fn hanging() -> SceneRun {
    after_frames("scenes/swing_rest.toml", &[])
}

fn after_frames(scene: &str, overrides: &[String]) -> SceneRun {
    let files = aplomb::scene::load(scene, overrides).unwrap();
    let mut simulation = SceneRun::bind(&files).unwrap();
    for _ in 0..12 {
        assert!(simulation.step().unwrap().is_some());
    }
    simulation
}

/// A function that measures numbers of a configuration.
type Measure<'a> = &'a dyn Fn(&Kinematics, &[f64]) -> Vec<f64>;

/// Compares `affine` with `measure` of the configuration q ⊕ dt v⁺ at small v⁺.
fn assert_derivative(simulation: &SceneRun, affine: &Affine<'_>, measure: Measure<'_>) {
    let now = &simulation.character().snapshot;
    for (row, value) in measure(&now.kinematics, &now.state.q).iter().enumerate() {
        assert!((affine.constant(row) - value).abs() < 1e-12, "constant of row {row}");
    }
    assert_slope(simulation, affine, simulation.world.settings().dt, measure);
}

/// Compares the coefficients of `affine` with the change of `measure` with each coordinate, times `scale`.
fn assert_slope(simulation: &SceneRun, affine: &Affine<'_>, scale: f64, measure: Measure<'_>) {
    let model = &simulation.character().model;
    let now = &simulation.character().snapshot;
    assert_eq!(measure(&now.kinematics, &now.state.q).len(), affine.rows());
    let step = 1e-6;
    let (mut kinematics, mut q) = (now.kinematics.clone(), now.state.q.clone());
    for j in 0..model.nv {
        let mut measure_at = |sign: f64| {
            let mut displacement = vec![0.0; model.nv];
            displacement[j] = sign * step;
            state::integrate(model, &now.state.q, &displacement, &mut q);
            kinematics.update(model, &q, &now.state.v);
            measure(&kinematics, &q)
        };
        let (ahead, behind) = (measure_at(1.0), measure_at(-1.0));
        for row in 0..affine.rows() {
            let difference = (ahead[row] - behind[row]) / (2.0 * step) * scale;
            let exact = affine.coefficients(row).get(j).copied().unwrap_or(0.0);
            assert!(
                (difference - exact).abs() < 1e-6 * scale,
                "row {row}, coordinate {}: {exact} but {difference}",
                model.dof_names[j]
            );
        }
    }
}

/// The linearisation of the current frame of the simulation.
fn linearise(simulation: &mut SceneRun, bias: BiasVelocity) -> Linearisation {
    let character = simulation.character_mut();
    character.snapshot.update(&character.model);
    let mut linearisation = Linearisation::new(&character.model);
    let previous = character.previous_velocity.clone();
    linearisation.update(&character.model, &character.snapshot, &[], bias, &previous, Layout::new(4));
    linearisation
}

#[test]
fn a_frame_that_is_laid_out_again_after_a_correction_is_linearised_as_if_anew() {
    let mut simulation = in_motion();
    for bias in [BiasVelocity::Backward, BiasVelocity::Extrapolated, BiasVelocity::Midpoint] {
        let mut linearisation = linearise(&mut simulation, BiasVelocity::Backward);
        let character = simulation.character_mut();
        let (model, previous) = (&character.model, character.previous_velocity.clone());
        let mut snapshot = character.snapshot.clone();
        let first = snapshot.contacts.touches[0];
        snapshot.contacts.touches[0].point.x += 0.01;
        snapshot.contacts.touches[1].body = first.body;
        snapshot.contacts.touches.pop();
        let again = Layout { afresh: false, ..Layout::new(4) };
        linearisation.update(model, &snapshot, &[], bias, &previous, again);
        let mut anew = Linearisation::new(model);
        anew.update(model, &snapshot, &[], bias, &previous, Layout::new(4));
        let [again, anew] = [&linearisation, &anew].map(|frame| Prediction::new(model, &snapshot, frame));
        for k in 0..model.nv {
            assert_eq!(again.torque_row(k), anew.torque_row(k), "{bias:?}, {k}");
        }
        for touch in 0..snapshot.contacts.touches.len() {
            let [again, anew] = [&again, &anew].map(|next| next.gap_rate(touch));
            assert_eq!(again.all_coefficients(), anew.all_coefficients(), "{bias:?}, {touch}");
        }
    }
}

#[test]
fn positions_and_orientations_of_the_next_frame_have_the_derivatives_they_claim() {
    let mut simulation = in_motion();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let hand = model.body("left_hand").unwrap();
    let chest = model.body("chest").unwrap();
    let local = Vector3::new(0.02, -0.01, -0.1);

    assert_derivative(&simulation, &next.com(), &|kinematics, _| {
        momentum::com(kinematics).as_slice().to_vec()
    });
    let point = snapshot.kinematics.point(hand, &local);
    assert_derivative(&simulation, &next.point(hand, &point), &|kinematics, _| {
        kinematics.point(hand, &local).as_slice().to_vec()
    });
    let axis = Vector3::new(0.3, 0.5, 0.8).normalize();
    assert_derivative(&simulation, &next.direction(chest, &axis), &|kinematics, _| {
        (kinematics.rotation[chest.0] * axis).as_slice().to_vec()
    });
    let target: Matrix3<f64> = rotation::from_roll_pitch_yaw(&Vector3::new(0.4, -0.8, 1.1));
    assert_derivative(&simulation, &next.turn_from(hand, &target), &|kinematics, _| {
        rotation::log(&(kinematics.rotation[hand.0] * target.transpose())).as_slice().to_vec()
    });
    for (index, touch) in snapshot.contacts.touches.iter().enumerate() {
        let local = local_point(snapshot, touch.body, &touch.point);
        assert_derivative(&simulation, &next.touch_point(index), &|kinematics, _| {
            kinematics.point(touch.body, &local).as_slice().to_vec()
        });
    }
    let knee = &model.joints[model.joint("left_knee").unwrap().0];
    let angle = |_: &Kinematics, q: &[f64]| vec![q[knee.q_index] - 0.5];
    let displacement = angle(&snapshot.kinematics, &snapshot.state.q)[0];
    let coordinates = [(knee.v_index, displacement)].into_iter();
    assert_derivative(&simulation, &next.coordinates(coordinates), &angle);
}

/// A world point in the axes of a body.
fn local_point(snapshot: &Snapshot, body: BodyId, point: &Vector3<f64>) -> Vector3<f64> {
    let kinematics = &snapshot.kinematics;
    kinematics.rotation[body.0].transpose() * (point - kinematics.position[body.0])
}

#[test]
fn velocities_of_the_next_frame_are_the_rates_of_what_moves() {
    let mut simulation = in_motion();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let no_constant = |affine: &Affine<'_>| {
        let constants = (0..affine.rows()).map(|row| affine.constant(row));
        assert!(constants.into_iter().all(|constant| constant.abs() < 1e-12));
    };

    let com = next.com_velocity();
    no_constant(&com);
    assert_slope(&simulation, &com, 1.0, &|kinematics, _| momentum::com(kinematics).as_slice().to_vec());

    let knee = &model.joints[model.joint("left_knee").unwrap().0];
    let rate = next.rates([knee.v_index].into_iter());
    no_constant(&rate);
    assert_slope(&simulation, &rate, 1.0, &|_, q| vec![q[knee.q_index]]);

    let bodies = ["left_hand", "chest"].map(|name| model.body(name).unwrap());
    let local = [Vector3::new(0.02, -0.01, -0.1), Vector3::new(-0.1, 0.05, 0.2)];
    let points = [0, 1].map(|k| snapshot.kinematics.point(bodies[k], &local[k]));
    let normal = Vector3::new(0.5, -0.3, 0.7).normalize();
    let apart = next.separation_rate(bodies, &points, &normal);
    no_constant(&apart);
    assert_slope(&simulation, &apart, 1.0, &|kinematics, _| {
        let [first, second] = [0, 1].map(|k| kinematics.point(bodies[k], &local[k]));
        vec![normal.dot(&(second - first))]
    });

    assert!(!snapshot.contacts.touches.is_empty());
    let v = &snapshot.state.v;
    for (index, touch) in snapshot.contacts.touches.iter().enumerate() {
        let local = local_point(snapshot, touch.body, &touch.point);
        assert_slope(&simulation, &next.gap_rate(index), 1.0, &|kinematics, _| {
            vec![touch.next_normal.dot(&kinematics.point(touch.body, &local))]
        });
        let point = next.touch_point(index);
        for axis in 0..3 {
            let velocity = point.linear(axis, v) / simulation.world.settings().dt;
            assert!((next.touch_velocity(index, v)[axis] - velocity).abs() < 1e-12);
        }
    }
}

#[test]
fn the_site_of_a_grip_moves_to_second_order_as_its_rate_says() {
    let mut simulation = hanging();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let (v, dt) = (&snapshot.state.v, simulation.world.settings().dt);
    let displacement: Vec<f64> = v.iter().map(|v| v * dt).collect();
    let mut q = snapshot.state.q.clone();
    state::integrate(model, &snapshot.state.q, &displacement, &mut q);
    let mut kinematics = snapshot.kinematics.clone();
    kinematics.update(model, &q, v);
    assert_eq!(snapshot.grips.list.len(), 2, "both hands hold on");
    for (index, grip) in snapshot.grips.list.iter().enumerate() {
        let local = local_point(snapshot, grip.body, &grip.point);
        let rate = next.grip_rate(index);
        assert_slope(&simulation, &rate, 1.0, &|kinematics, _| {
            kinematics.point(grip.body, &local).as_slice().to_vec()
        });
        let way = kinematics.point(grip.body, &local) - grip.point;
        for axis in 0..3 {
            let row = rate.value(axis, v) * dt;
            assert!((way[axis] - row).abs() < 1e-6, "axis {axis}: {} but {row} m", way[axis]);
            assert!((next.grip_velocity(index, v)[axis] - rate.linear(axis, v)).abs() < 1e-12);
        }
    }
}

#[test]
fn forces_of_the_next_frame_are_those_that_the_root_feels() {
    let mut simulation = in_motion();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let unit = snapshot.scales.contact_force();
    let pressed = next.normal_force(|_| true);
    let left = next.normal_force(|touch| model.bodies[touch.body.0].name.starts_with("left"));
    let root = next.torque(2);
    for (k, column) in next.contact_columns().iter().enumerate() {
        let unknown = next.contact_unknown(k);
        let touch = &snapshot.contacts.touches[column.touch];
        assert_eq!(touch.normal, Vector3::z(), "the ground is level");
        let felt = -root.coefficients(0)[unknown];
        let force = pressed.coefficients(0)[unknown] * unit;
        assert!(felt > 0.0 && (force - felt).abs() < 1e-9 * felt, "{force} N, but the root feels {felt} N");
        let is_left = model.bodies[touch.body.0].name.starts_with("left");
        let of_left = if is_left { pressed.coefficients(0)[unknown] } else { 0.0 };
        assert_eq!(left.coefficients(0)[unknown], of_left);
    }

    let mut simulation = hanging();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let unit = snapshot.scales.contact_force();
    let forces = [0, 1].map(|grip| next.grip_force(grip));
    for axis in 0..3 {
        let root = next.torque(axis);
        for k in 0..next.grip_columns().len() {
            let unknown = next.grip_unknown(k);
            let force: f64 = forces.iter().map(|force| force.coefficients(axis)[unknown] * unit).sum();
            let felt = -root.coefficients(0)[unknown];
            assert!((force - felt).abs() < 1e-9 * unit, "axis {axis}: {force} N, felt {felt} N");
        }
    }
}

#[test]
fn an_orientation_error_changes_with_its_target_as_it_claims() {
    let mut simulation = in_motion();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let hand = model.body("left_hand").unwrap();
    let target: Matrix3<f64> = rotation::from_roll_pitch_yaw(&Vector3::new(0.4, -0.8, 1.1));
    let map = next.target_turn(hand, &target);
    let step = 1e-6;
    for axis in 0..3 {
        let error = |sign: f64| {
            let turn = Rotation3::new(Vector3::ith(axis, sign * step));
            let turned = turn.matrix() * target;
            rotation::log(&(snapshot.kinematics.rotation[hand.0] * turned.transpose()))
        };
        let slope = (error(1.0) - error(-1.0)) / (2.0 * step);
        assert!((slope + map.column(axis)).norm() < 1e-8, "axis {axis}");
    }
}

#[test]
fn the_gap_of_the_next_frame_is_exact_to_second_order() {
    let mut simulation = in_motion();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let dt = simulation.world.settings().dt;
    // Move on with the present velocity: all points in contact must land where their rows say.
    let displacement: Vec<f64> = snapshot.state.v.iter().map(|v| v * dt).collect();
    let mut q = snapshot.state.q.clone();
    state::integrate(model, &snapshot.state.q, &displacement, &mut q);
    let mut kinematics = snapshot.kinematics.clone();
    kinematics.update(model, &q, &snapshot.state.v);
    assert!(!snapshot.contacts.touches.is_empty());
    for (index, touch) in snapshot.contacts.touches.iter().enumerate() {
        let local = snapshot.kinematics.rotation[touch.body.0].transpose()
            * (touch.point - snapshot.kinematics.position[touch.body.0]);
        let landed = kinematics.point(touch.body, &local).z;
        let row = next.gap_rate(index).value(0, &snapshot.state.v) * dt;
        assert!((landed - row).abs() < 5e-8, "{} lands at {landed}, its row says {row}", touch.slot);
    }
}

#[test]
fn the_equations_of_motion_are_those_of_inverse_dynamics() {
    let mut simulation = in_motion();
    for bias in [BiasVelocity::Backward, BiasVelocity::Midpoint] {
        let linearisation = linearise(&mut simulation, bias);
        let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
        let next = Prediction::new(model, snapshot, &linearisation);
        let dt = simulation.world.settings().dt;
        // A small change of velocity and some contact force.
        let mut x: Vec<f64> =
            snapshot.state.v.iter().enumerate().map(|(k, v)| v + 1e-4 * (k as f64).sin()).collect();
        x.extend((0..next.contact_columns().len()).map(|k| 0.1 + 0.01 * k as f64));
        x.resize(next.unknowns(), 0.0);
        let acceleration: Vec<f64> = (0..model.nv).map(|k| (x[k] - snapshot.state.v[k]) / dt).collect();
        let mut external = vec![aplomb::math::spatial::Force::default(); model.bodies.len()];
        for (k, column) in next.contact_columns().iter().enumerate() {
            let touch = &snapshot.contacts.touches[column.touch];
            let force = column.direction * (x[model.nv + k] * snapshot.scales.contact_force());
            external[touch.body.0] +=
                aplomb::math::spatial::Force { moment: touch.point.cross(&force), force };
        }
        let mut kinematics = snapshot.kinematics.clone();
        if bias == BiasVelocity::Midpoint {
            let middle: Vec<f64> = (0..model.nv).map(|k| 0.5 * (x[k] + snapshot.state.v[k])).collect();
            kinematics.update_velocity(model, &middle);
        }
        let mut inverse = aplomb::dynamics::InverseDynamics::new(model);
        let mut torque = vec![0.0; model.nv];
        inverse.inverse_dynamics(
            model,
            &kinematics,
            &acceleration,
            &snapshot.gravity,
            &external,
            &mut torque,
        );
        for (k, torque) in torque.iter().enumerate() {
            let row = next.torque(k).value(0, &x);
            assert!((row - torque).abs() < 1e-6, "{bias:?}, {}: {row}, {torque}", model.dof_names[k]);
        }
    }
}

#[test]
fn an_external_force_enters_the_equations_of_motion_at_its_point() {
    let mut simulation = in_motion();
    let character = simulation.character_mut();
    character.snapshot.update(&character.model);
    let chest = character.model.body("chest").unwrap();
    let point = character.snapshot.kinematics.point(chest, &Vector3::new(0.1, 0.0, 0.2));
    let force = Vector3::new(30.0, -20.0, 10.0);
    let push = ExternalForce { body: chest, point, force, torque: Vector3::new(2.0, 5.0, -3.0) };
    let constants =
        |character: &aplomb::world::character::Character, external: &[ExternalForce]| -> Vec<f64> {
            let mut linearisation = Linearisation::new(&character.model);
            let v = character.previous_velocity.clone();
            let snapshot = &character.snapshot;
            linearisation.update(
                &character.model,
                snapshot,
                external,
                BiasVelocity::Backward,
                &v,
                Layout::new(4),
            );
            let next = Prediction::new(&character.model, snapshot, &linearisation);
            (0..character.model.nv).map(|k| next.torque(k).constant(0)).collect()
        };
    let (free, pushed) = (constants(character, &[]), constants(character, &[push]));
    for k in 0..3 {
        assert!((free[k] - pushed[k] - push.force[k]).abs() < 1e-9);
    }
}

#[test]
fn springs_and_dampers_of_the_model_take_load_off_the_actuators() {
    let text = r#"<mujoco><compiler angle="radian"/><worldbody><body name="arm" pos="0 0 1">
        <joint name="hinge" axis="0 1 0" stiffness="3" springref="0.2" damping="0.5"/>
        <inertial pos="0 0 -0.5" mass="1" diaginertia="0.01 0.01 0.01"/>
        </body></worldbody></mujoco>"#;
    let model =
        aplomb::model::mjcf::read(&aplomb::language::diagnostic::Source::new("arm.xml", text)).unwrap();
    let state = aplomb::model::state::State { q: vec![0.7], v: vec![0.4], time: 0.0 };
    let scales = aplomb::model::scales::Scales::new(&model, 0.01);
    let contacts = aplomb::contact::Contacts::new(&model, Vec::new(), 1.0);
    let mut snapshot = Snapshot::new(&model, scales, Vector3::zeros(), contacts, state);
    snapshot.update(&model);
    let mut linearisation = Linearisation::new(&model);
    linearisation.update(&model, &snapshot, &[], BiasVelocity::Backward, &[0.4], Layout::new(4));
    let next = Prediction::new(&model, &snapshot, &linearisation);
    // At constant speed without gravity, the joint torque only balances the spring and the damper.
    let torque = next.torque(0).value(0, &[0.4]);
    assert!((torque - (3.0 * 0.5 + 0.5 * 0.4)).abs() < 1e-12, "{torque}");
}

#[test]
fn angular_momentum_is_linear_in_the_velocity_and_that_of_the_present_one_where_nothing_changes() {
    let mut simulation = in_motion();
    let linearisation = linearise(&mut simulation, BiasVelocity::Backward);
    let (model, snapshot) = (&simulation.character().model, &simulation.character().snapshot);
    let next = Prediction::new(model, snapshot, &linearisation);
    let mut velocity = vec![0.0; next.unknowns()];
    velocity[..model.nv].copy_from_slice(&snapshot.state.v);
    let (affine, now) = (next.angular_momentum(), momentum::centroidal_momentum(&snapshot.kinematics).moment);
    assert!(now.norm() > 0.1, "it moves: {now:?} N m s");
    for row in 0..3 {
        assert!((affine.value(row, &velocity) - now[row]).abs() < 1e-10, "row {row}");
    }
}
