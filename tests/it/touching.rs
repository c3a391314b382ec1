//! Characters that touch: those that are near each other have one problem, in which the forces between them are equal
//! and opposite.

use aplomb::controller::ControllerFile;
use aplomb::dynamics::BiasVelocity;
use aplomb::geometry::{PlacedShape, closest};
use aplomb::model::Model;
use aplomb::scene::{self, Run};
use aplomb::trace::Frame;
use aplomb::world::{CharacterId, StartPose, StepError, World, Wrench};
use nalgebra::{Rotation3, UnitQuaternion, Vector3};

/// Two adults side by side, with their centres `apart` m from each other; `friction` applies to their contacts.
fn pair(friction: Option<f64>, apart: f64) -> (World, [CharacterId; 2]) {
    let builder = World::builder();
    let builder = match friction {
        Some(friction) => builder.friction_between_characters(friction),
        None => builder,
    };
    let mut world = builder.build().unwrap();
    let ids = [0.0, apart].map(|y| {
        let balance = ControllerFile::shipped("balance").unwrap();
        world
            .add_character(Model::shipped("adult").unwrap(), balance, StartPose::standing().at(0.0, y))
            .unwrap()
    });
    (world, ids)
}

/// Pushes a character in the direction of +y for 0.1 s with this impulse, N s.
fn push(world: &mut World, id: CharacterId, impulse: f64) {
    world.push(id, "chest", Wrench::force([0.0, impulse / 0.1, 0.0]), 0.1).unwrap();
}

/// Sum of the forces that the character `by` exerts in this frame, N.
fn given(world: &World, to: CharacterId, by: &str) -> Vector3<f64> {
    let external = &world.result(to).frame.external;
    external.iter().filter(|force| force.name == by).map(|force| Vector3::from(force.force)).sum()
}

/// Distance of the nearest shapes of two characters, m; negative where they overlap.
fn distance(world: &World, ids: [CharacterId; 2]) -> f64 {
    let shapes = ids.map(|id| {
        let (model, snapshot) = world.sensed(Some(id));
        let kinematics = &snapshot.kinematics;
        let placed = model.geoms.iter().filter(|geom| geom.collides).filter_map(|geom| {
            let body = geom.body?;
            let turn = Rotation3::from_matrix_unchecked(kinematics.rotation[body.0]);
            let orientation = UnitQuaternion::from_rotation_matrix(&turn) * geom.orientation;
            Some(PlacedShape {
                shape: geom.shape.clone(),
                centre: kinematics.point(body, &geom.position),
                orientation,
            })
        });
        placed.collect::<Vec<_>>()
    });
    let [first, second] = shapes;
    let pairs = first.iter().flat_map(|one| second.iter().map(move |other| [one.clone(), other.clone()]));
    pairs.filter_map(|pair| closest(&pair, 1.0)).map(|near| near.distance).fold(f64::INFINITY, f64::min)
}

#[test]
fn what_one_gives_the_other_receives() {
    let (mut world, [first, second]) = pair(Some(0.5), 0.62);
    push(&mut world, first, 40.0);
    let mut most: f64 = 0.0;
    for _ in 0..60 {
        world.step().unwrap();
        let forces = [given(&world, first, "character 2"), given(&world, second, "character")];
        let off = (forces[0] + forces[1]).norm();
        assert!(off <= 1e-12 * forces[0].norm(), "{forces:?} at {} s", world.time());
        most = most.max(forces[0].norm());
    }
    assert!(most > 50.0, "they never met: {most} N at most");
}

#[test]
fn those_who_touch_do_not_enter_each_other() {
    for impulse in [35.0, 60.0] {
        let (mut world, ids) = pair(Some(0.5), 0.62);
        push(&mut world, ids[0], impulse);
        let mut least = f64::INFINITY;
        for _ in 0..100 {
            world.step().unwrap();
            world.observe();
            least = least.min(distance(&world, ids));
        }
        // Limbs that rotate relative to each other may penetrate by this much within a frame.
        assert!(least > -0.01 && least < 0.002, "{impulse} N s: {least} m");
    }
    let (mut world, ids) = pair(None, 0.62);
    push(&mut world, ids[0], 60.0);
    let mut least = f64::INFINITY;
    for _ in 0..60 {
        world.step().unwrap();
        world.observe();
        least = least.min(distance(&world, ids));
    }
    assert!(least < -0.03, "without friction between them they pass through each other: {least} m");
}

#[test]
fn those_who_are_far_apart_move_as_if_nobody_could_touch() {
    let run = |friction: Option<f64>| {
        let (mut world, ids) = pair(friction, 3.0);
        push(&mut world, ids[0], 15.0);
        let mut states = Vec::new();
        for _ in 0..40 {
            world.step().unwrap();
            states.push(ids.map(|id| world.state(id).q.clone()));
        }
        states
    };
    assert_eq!(run(None), run(Some(0.5)));
}

#[test]
fn side_by_side_and_one_after_another_are_the_same_to_the_bit() {
    let run = |parallel: bool| {
        let (mut world, ids) = pair(Some(0.5), 0.62);
        world.set_parallel(parallel);
        push(&mut world, ids[0], 50.0);
        let kept = world.checkpoint();
        let mut rounds = Vec::new();
        for _ in 0..2 {
            world.restore(&kept).unwrap();
            for _ in 0..40 {
                world.step().unwrap();
            }
            rounds.push(ids.map(|id| (world.state(id).q.clone(), world.state(id).v.clone())));
        }
        assert_eq!(rounds[0], rounds[1], "from a checkpoint");
        rounds.remove(0)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn momentum_of_two_in_flight_changes_by_gravity_alone() {
    let builder = World::builder().friction_between_characters(0.5).bias_velocity(BiasVelocity::Momentum);
    let mut world = builder.build().unwrap();
    let limp = || ControllerFile::shipped("limp").unwrap();
    let ids = [0.0, 0.62].map(|y| {
        let pose = StartPose::standing().at(0.0, y).above_ground(3.0);
        world.add_character(Model::shipped("adult").unwrap(), limp(), pose).unwrap()
    });
    let (q, mut v) = (world.state(ids[0]).q.clone(), world.state(ids[0]).v.clone());
    // Moving towards the other at 2 m/s, and turning.
    (v[1], v[5]) = (2.0, 1.0);
    world.teleport(ids[0], &q, &v).unwrap();
    let moment = |world: &mut World| {
        world.observe();
        ids.map(|id| world.sensed(Some(id)).1)
            .map(|now| now.com * now.scales.mass)
            .iter()
            .sum::<Vector3<f64>>()
    };
    let mass: f64 = ids.map(|id| world.sensed(Some(id)).1.scales.mass).iter().sum();
    let gravity = Vector3::z() * (-9.81 * mass * 0.01);
    let mut before = [moment(&mut world); 3];
    let mut most: f64 = 0.0;
    for frame in 0..40 {
        world.step().unwrap();
        before = [before[1], before[2], moment(&mut world)];
        // The momentum of a frame belongs to the step from one configuration to the next.
        let change = ((before[2] - before[1]) - (before[1] - before[0])) / 0.01;
        assert!(frame == 0 || (change - gravity).norm() < 1e-6 * mass, "{change:?} N s in frame {frame}");
        most = most.max(given(&world, ids[0], "character 2").norm());
    }
    assert!(most > 100.0, "they met: {most} N");
}

fn summary(overrides: &[&str]) -> (Vec<(String, bool)>, Vec<Frame>) {
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    let mut run = Run::bind(&scene::load("lean_on_friend", &overrides).unwrap()).unwrap();
    let mut frames = Vec::new();
    run.finish::<StepError>(|_, result| {
        frames.push(result.frame());
        Ok(())
    })
    .unwrap();
    (run.criteria.iter().map(|criterion| (criterion.name.clone(), criterion.holds)).collect(), frames)
}

#[test]
fn who_is_pushed_falls_alone_and_not_against_one_who_stands_behind() {
    let all = |criteria: &[(String, bool)]| criteria.iter().all(|(_, holds)| *holds);
    let (beside, frames) = summary(&[]);
    assert!(all(&beside), "{beside:?}");
    let leans = |frame: &Frame| frame.external.iter().any(|force| force.name == "friend");
    assert!(frames.iter().any(leans));
    let (away, _) = summary(&["characters.friend.position=[0, 2]"]);
    assert!(!all(&away), "nobody is there to lean on");
}
