//! Passive objects created by programs, and characters added later.

use aplomb::contact::{Surface, SurfaceShape};
use aplomb::language::diagnostic::Source;
use aplomb::model::{Model, mjcf};
use aplomb::passive::{
    Environment, HitSource, KinematicCharacter, ObjectPush, PartId, Passive, PassiveError, PassiveSettings,
    PassiveWorld,
};
use nalgebra::{UnitQuaternion, Vector3};

const BALL: &str = r#"<mujoco><worldbody><body name="ball" pos="0 0 0.5"><freejoint name="root"/>
    <geom name="ball" type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>"#;
const DOOR: &str = r#"<mujoco><compiler angle="radian"/><worldbody><body name="door"><joint name="hinge" type="hinge" axis="0 0 1" range="-1 1"/>
    <geom name="leaf" type="box" size="0.4 0.02 1" pos="0.4 0 1" mass="10"/></body></worldbody></mujoco>"#;
const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

pub(super) fn model(text: &str) -> Model {
    mjcf::read(&Source::new("model.xml", text)).unwrap_or_else(|error| panic!("{error:?}"))
}

fn ground() -> Surface {
    Surface::new("ground", SurfaceShape::HalfSpace, Vector3::zeros(), UnitQuaternion::identity(), 0.8)
}

#[test]
fn objects_of_every_kind_come_into_a_world_that_runs() {
    let (settings, surfaces) = (PassiveSettings::default(), [ground()]);
    let around = Environment { surfaces: &surfaces, ..Environment::empty(GRAVITY, &settings) };
    let mut world = PassiveWorld::new(&around);
    let ball = world.add("ball", Passive::articulated(model(BALL)), &around).unwrap();
    (0..20).for_each(|_| world.step(0.01));
    let up = Vector3::z();
    let second =
        world.add("second", Passive::articulated(model(BALL)).at(2.0 * Vector3::x()), &around).unwrap();
    let points = vec![2.0 * up, 2.0 * up + Vector3::x()];
    let chain = world.add("chain", Passive::chain(points, 10, 0.5), &around).unwrap();
    let rope = Passive::rope([3.0 * up, 3.0 * up + Vector3::x()], 20, 0.2).unwrap();
    let rope = world.add("rope", rope, &around).unwrap();
    let cloth =
        Passive::cloth(4.0 * up, [Vector3::x(), Vector3::y()], [5, 6], 0.3, &[[0, 0], [0, 5]]).unwrap();
    let cloth = world.add("cloth", cloth, &around).unwrap();
    assert_eq!(world.systems.len(), 4, "articulated objects share a system");
    let before = [second, chain, rope, cloth].map(|object| world.whole(object).com.z);
    let mut lowest = before;
    for _ in 0..300 {
        world.step(0.01);
        for (lowest, object) in lowest.iter_mut().zip([second, chain, rope, cloth]) {
            *lowest = lowest.min(world.whole(object).com.z);
        }
    }
    for ((lowest, before), object) in lowest.iter().zip(before).zip([second, chain, rope, cloth]) {
        assert!(*lowest < before - 0.1, "{} does not fall", world.objects[object].name);
    }
    for object in [ball, second] {
        assert!((world.whole(object).com.z - 0.1).abs() < 1e-3, "it lies on the ground");
    }
    assert!(world.part_name(world.objects[cloth].system, aplomb::passive::PartId(0)).starts_with("cloth."));
}

#[test]
fn an_object_thrown_at_a_character_hits_the_one_in_its_way() {
    let (settings, person) = (PassiveSettings::default(), model(BALL));
    let q = |x: f64| vec![x, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0];
    let (first, second) = (q(1.0), q(-1.0));
    let character = |q| KinematicCharacter { model: &person, q, may_be_dynamic: true };
    let characters = [character(&first), character(&second)];
    let alone =
        Environment { characters: &characters[..1], ..Environment::empty(Vector3::zeros(), &settings) };
    let both = Environment { characters: &characters, ..alone };
    let mut world = PassiveWorld::new(&alone);
    let ball = Passive::articulated(model(BALL)).thrown(-2.0 * Vector3::x(), Vector3::zeros());
    let ball = world.add("ball", ball, &alone).unwrap();
    assert_eq!(world.add_character(&characters[1], &both), 1);
    let mass = world.whole(ball).mass;
    let before = world.whole(ball).com_velocity;
    let mut received = Vector3::zeros();
    for _ in 0..60 {
        world.set_pose(0, &first, &[0.0; 6]);
        world.set_pose(1, &second, &[0.0; 6]);
        world.step(0.01);
        for (source, hit) in world.hits() {
            assert_eq!((source, hit.character), (HitSource::Object(ball), 1));
            received += hit.impulse.force;
        }
    }
    let lost = mass * (before - world.whole(ball).com_velocity);
    assert!(received.norm() > 0.1 && (received - lost).norm() < 1e-9, "{received} {lost}");
}

#[test]
fn a_ragdoll_falls_on_another_character_and_both_receive_the_same() {
    let (settings, person) = (PassiveSettings::default(), model(BALL));
    let (below, above) = (vec![0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0], vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let character = |q| KinematicCharacter { model: &person, q, may_be_dynamic: true };
    let characters = [character(&below), character(&above)];
    let around = Environment { characters: &characters, ..Environment::empty(GRAVITY, &settings) };
    let mut world = PassiveWorld::new(&around);
    assert!(world.make_dynamic(1, 0.0));
    assert!(world.ragdoll(0).is_none());
    let mut impulse = 0.0;
    for _ in 0..100 {
        world.set_pose(0, &below, &[0.0; 6]);
        world.step(0.01);
        for (source, hit) in world.hits().filter(|(_, hit)| hit.character == 0) {
            assert_eq!(source, HitSource::Character(1));
            impulse += hit.impulse.force.z;
        }
    }
    let fallen = world.ragdoll(1).expect("a ragdoll");
    assert!((fallen.q[2] - 0.7).abs() < 1e-3, "it lies on the other: {}", fallen.q[2]);
    // The impulse of its weight over the second, less its remaining momentum.
    assert!((impulse + 9.81 + fallen.v[2]).abs() < 1e-6, "{impulse}");
    world.make_kinematic(1);
    assert!(world.ragdoll(1).is_none());
}

#[test]
fn mistakes_are_told_and_add_nothing() {
    let settings = PassiveSettings::default();
    let around = Environment::empty(GRAVITY, &settings);
    let mut world = PassiveWorld::new(&around);
    let door = || Passive::articulated(model(DOOR));
    let cases = [
        (door().joint("handle", 0.1), PassiveError::UnknownJoint { joint: "handle".into() }),
        (
            door().joint("hinge", 2.0),
            PassiveError::JointRange { joint: "hinge".into(), value: 2.0, low: -1.0, high: 1.0 },
        ),
        (door().thrown(Vector3::x(), Vector3::zeros()), PassiveError::HangsOnWorld),
        (door().at(Vector3::new(f64::NAN, 0.0, 0.0)), PassiveError::NotFinite),
        (door().restitution(2.0), PassiveError::OutOfRange { what: "restitution", value: 2.0 }),
    ];
    for (object, error) in cases {
        assert_eq!(world.add("door", object, &around), Err(error));
    }
    let chain = Passive::chain(vec![Vector3::zeros()], 10, 1.0);
    assert_eq!(world.add("chain", chain, &around), Err(PassiveError::Points));
    assert!(world.is_empty());
    let door = world.add("door", door().joint("hinge", 0.5).rate("hinge", -1.0), &around).unwrap();
    assert_eq!(
        world.add("door", Passive::chain(Vec::new(), 1, 1.0), &around),
        Err(PassiveError::NameTaken { name: "door".into() })
    );
    world.step(0.01);
    assert!((world.whole(door).mass - 10.0).abs() < 1e-9);
}

#[test]
fn what_is_switched_keeps_its_number_when_objects_are_added() {
    let settings = PassiveSettings::default();
    let around = Environment::empty(GRAVITY, &settings);
    let mut world = PassiveWorld::new(&around);
    let sprung = r#"<mujoco><worldbody><body name="arm"><joint name="hinge" type="hinge" axis="0 1 0" stiffness="9"/>
        <geom type="capsule" fromto="0 0 0 1 0 0" size="0.05" mass="1"/></body></worldbody></mujoco>"#;
    let first = world.add("first", Passive::articulated(model(sprung)), &around).unwrap();
    let all = world.switches(first).into_iter().find(|switch| switch.name == "all").expect("its springs");
    let beside = sprung.replace("name=\"arm\"", "name=\"arm\" pos=\"0 1 0\"");
    let second = world.add("second", Passive::articulated(model(&beside)), &around).unwrap();
    assert!(world.switches(first).contains(&all), "{:?} {all:?}", world.switches(first));
    world.turn(world.objects[first].system, all.number, false);
    assert!(world.switches(first).is_empty(), "{:?}", world.switches(first));
    assert_eq!(world.switches(second).len(), 2, "{:?}", world.switches(second));
    (0..20).for_each(|_| world.step(0.01));
    assert!(world.whole(first).com.z < world.whole(second).com.z - 0.01);
}

#[test]
fn a_clone_of_a_ball_on_a_cloth_that_is_pushed_goes_on_with_the_same_numbers() {
    let settings = PassiveSettings::default();
    let around = Environment::empty(GRAVITY, &settings);
    let mut world = PassiveWorld::new(&around);
    let sides = [Vector3::x(), Vector3::y()];
    let corner = Vector3::new(-0.5, -0.5, 0.0);
    let corners = [[0, 0], [0, 10], [10, 0], [10, 10]];
    let cloth = Passive::cloth(corner, sides, [11, 11], 1.0, &corners).unwrap();
    world.add("cloth", cloth, &around).unwrap();
    let ball = Passive::articulated(model(BALL)).at(0.3 * Vector3::z());
    let ball = world.add("ball", ball, &around).unwrap();
    let (system, part) = (world.objects[ball].system, PartId(world.objects[ball].parts.start));
    let force = Vector3::new(0.0, 0.3, 0.0);
    let frame = |world: &mut PassiveWorld| {
        world.clear_pushes();
        world.push_object(ObjectPush { system, part, local: Vector3::zeros(), force });
        world.step(0.01);
    };
    (0..40).for_each(|_| frame(&mut world));
    let mut twin = world.clone();
    for _ in 0..30 {
        frame(&mut world);
        frame(&mut twin);
    }
    let (whole, copy) = (world.whole(ball), twin.whole(ball));
    assert_eq!(whole, copy);
    assert!(whole.com.z > -1.0 && whole.com.y > 0.0, "the cloth holds it, the push moves it: {whole:?}");
}
