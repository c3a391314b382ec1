//! Worlds without files: commands during the run, checkpoints, several characters, threads.

use aplomb::contact::Pose;
use aplomb::contact::grip::{Hold, HoldShape};
use aplomb::controller::{ControllerFile, NextRead};
use aplomb::math::extent::FARTHEST;
use aplomb::model::Model;
use aplomb::passive::{Passive, PassiveError, PassiveSettings};
use aplomb::scene::{self, Run as SceneRun};
use aplomb::trace::{Frame, WorldFrame, is_part_of};
use aplomb::world::character::CharacterOptions;
use aplomb::world::start::StartPoseError;
use aplomb::world::{
    CharacterId, Ground, Obstacle, StartPose, StepError, World, WorldBuilder, WorldError, Wrench,
};
use nalgebra::{UnitQuaternion, Vector3};
use std::collections::BTreeSet;

fn model(name: &str) -> Model {
    Model::shipped(name).unwrap()
}

fn controller(name: &str) -> ControllerFile {
    ControllerFile::shipped(name).unwrap()
}

/// An adult that balances, alone in a world.
fn balancing(builder: WorldBuilder) -> (World, CharacterId) {
    let mut world = builder.build().unwrap();
    let hero = world.add_character(model("adult"), controller("balance"), StartPose::standing()).unwrap();
    (world, hero)
}

fn steps(world: &mut World, count: usize) -> Vec<Vec<Frame>> {
    let ids: Vec<CharacterId> = world.characters().collect();
    let step = |_| {
        world.step().unwrap();
        ids.iter().map(|id| world.results(Some(*id)).frame()).collect()
    };
    (0..count).map(step).collect()
}

#[test]
fn a_world_can_go_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<World>();
}

#[test]
fn a_world_built_in_code_is_that_of_the_scene_file_to_the_bit() {
    let overrides = ["duration=1.5".to_string()];
    let files = scene::load("balance_push", &overrides).unwrap();
    let event = files.scene.events.get("push").unwrap();
    let impulse = Vector3::from(*event.impulse.as_ref().unwrap().get_ref());
    let (at, duration) = (event.earliest(), *event.duration.as_ref().unwrap().get_ref());
    let mut run = SceneRun::bind(&files).unwrap();
    let (mut world, hero) =
        balancing(World::builder().ground(Ground::flat(*files.scene.ground.friction.get_ref())));
    while !run.is_over() {
        if world.frame_index() == (at / 0.01).round() as u64 {
            let force = impulse / ((duration / 0.01).round() * 0.01);
            world.push(hero, "chest", Wrench::force(force.into()), duration).unwrap();
        }
        world.step().unwrap();
        let ours = &world.result(hero).frame;
        let theirs = run.step().unwrap().unwrap().frame();
        assert_eq!((&ours.q, &ours.v, &ours.torque), (&theirs.q, &theirs.v, &theirs.torque));
    }
}

/// Restores a checkpoint in the middle of a scene and continues: the frames are identical to the bit.
fn assert_continues(name: &str, before: usize, after: usize) {
    let mut run = SceneRun::bind(&scene::load(name, &[]).unwrap()).unwrap();
    let go = |run: &mut SceneRun, count: usize| -> Vec<Frame> {
        (0..count).map(|_| run.step().unwrap().expect("it goes on").frame()).collect()
    };
    go(&mut run, before);
    let moment = run.world.checkpoint();
    let first = go(&mut run, after);
    for _ in 0..2 {
        run.world.restore(&moment).unwrap();
        assert_eq!(run.world.frame_index(), moment.frame_index());
        let again = go(&mut run, after);
        for (first, again) in first.iter().zip(&again) {
            assert!(first == again, "{name} at {} s", first.time);
        }
    }
}

#[test]
fn a_checkpoint_of_a_push_with_steps_continues_to_the_bit() {
    assert_continues("step_push", 60, 120);
}

#[test]
fn a_checkpoint_of_a_climb_continues_to_the_bit() {
    assert_continues("climb", 230, 150);
}

#[test]
fn a_checkpoint_of_a_swing_on_a_rope_continues_to_the_bit() {
    assert_continues("rope_swing", 100, 60);
}

#[test]
fn a_checkpoint_within_a_fall_of_a_ragdoll_continues_to_the_bit() {
    assert_continues("fall_limp", 150, 60);
}

#[test]
fn a_checkpoint_before_a_thrown_ball_hits_continues_to_the_bit() {
    assert_continues("throw_ball", 40, 80);
}

#[test]
fn a_checkpoint_of_a_shaking_floor_continues_to_the_bit() {
    assert_continues("shaking_floor", 120, 80);
}

#[test]
fn a_checkpoint_without_a_character_continues_to_the_bit() {
    assert_continues("stack", 50, 60);
}

#[test]
fn a_checkpoint_of_another_world_is_refused() {
    let (world, _) = balancing(World::builder());
    let mut empty = World::builder().build().unwrap();
    assert!(matches!(empty.restore(&world.checkpoint()), Err(WorldError::Foreign(_))));
    let mut child = World::builder().build().unwrap();
    child.add_character(model("child"), controller("one_foot"), StartPose::standing()).unwrap();
    let wall = Obstacle::block("wall", [0.1, 1.0, 1.0], [1.0, 0.0, 1.0]);
    let (other, _) = balancing(World::builder().obstacle(wall));
    assert!(matches!(child.restore(&other.checkpoint()), Err(WorldError::Foreign(_))));
}

/// Characters with these names and positions, a platform that is moved, and a ball that falls on each head.
fn heads_and_balls(names: &[(&str, f64)], balls: &[f64]) -> World {
    let deck = Obstacle::block("platform", [0.2, 0.2, 0.01], [5.0, 0.0, 0.01]);
    let mut world = World::builder().obstacle(deck).build().unwrap();
    for (name, x) in names {
        let options = CharacterOptions { name: (*name).into(), ..CharacterOptions::default() };
        let pose = StartPose::standing().at(*x, 0.0);
        world.add_character_with(model("adult"), controller("balance"), pose, options).unwrap();
    }
    world.show_others(true);
    for (number, x) in balls.iter().enumerate() {
        let ball = Passive::articulated(Model::sphere("ball", 0.1, 0.1)).at(Vector3::new(*x, 0.0, 2.0));
        world.add_passive(&format!("ball {number}"), ball).unwrap();
    }
    world
}

/// Moves the platform and steps, and returns the records of the world.
fn records_of_world(world: &mut World, count: usize) -> Vec<WorldFrame> {
    let deck = world.find_obstacle("platform").unwrap();
    let step = |_| {
        let position = Vector3::new(5.0 + 0.1 * (world.time() + 0.01), 0.0, 0.01);
        let pose = Pose { position, orientation: UnitQuaternion::identity() };
        world.move_obstacle(deck, pose).unwrap();
        world.step().unwrap();
        world.world_result().frame.clone()
    };
    (0..count).map(step).collect()
}

#[test]
fn the_world_has_one_record_whichever_character_comes_first() {
    let orders = [[("left", 0.0), ("right", 2.0)], [("right", 2.0), ("left", 0.0)]];
    let [mut one, mut other] = orders.map(|order| heads_and_balls(&order, &[0.0, 2.0]));
    let [ours, theirs] = [&mut one, &mut other].map(|world| records_of_world(world, 60));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.passive, theirs.passive, "at {} s", ours.time);
        assert_eq!((&ours.moving, &ours.events, ours.index), (&theirs.moving, &theirs.events, theirs.index));
        assert!(ours.bodies.iter().eq(theirs.bodies.iter().rev()), "at {} s", ours.time);
    }
    let touched = |object: usize| {
        let touches = ours.iter().flat_map(|frame| &frame.passive[object].touches);
        touches.map(|touch| touch.other.clone()).collect::<BTreeSet<_>>()
    };
    for (object, name) in [(0, "left"), (1, "right")] {
        let touched = touched(object);
        assert!(!touched.is_empty() && touched.iter().all(|other| is_part_of(other, name)), "{touched:?}");
    }
}

#[test]
fn the_trace_of_each_character_has_the_record_of_the_world() {
    let mut world = heads_and_balls(&[("left", 0.0), ("right", 2.0)], &[0.0, 2.0]);
    records_of_world(&mut world, 30);
    let ids: Vec<CharacterId> = world.characters().collect();
    let standing = [0, 1].map(|id| world.standing_frame(Some(ids[id])));
    let last = [0, 1].map(|id| world.results(Some(ids[id])).frame());
    for [left, right] in [&standing, &last] {
        // First the other character, then the balls.
        assert_eq!([left.passive.len(), right.passive.len()], [3, 3]);
        assert_eq!((left.passive[0].com, right.passive[0].com), (right.com, left.com));
        assert_eq!((&left.moving, left.time), (&right.moving, right.time));
        for (left, right) in left.passive[1..].iter().zip(&right.passive[1..]) {
            assert_eq!((&left.positions, left.kinetic_energy), (&right.positions, right.kinetic_energy));
        }
    }
    for id in ids {
        let (name, names) = (&world.character(id).name, world.passive_records(Some(id)));
        let names: Vec<&str> = names.iter().map(|record| record.name.as_str()).collect();
        let other = if name == "left" { "right" } else { "left" };
        assert_eq!(names, [other, "ball 0", "ball 1"]);
    }
}

#[test]
fn own_bodies_have_no_name_before_theirs_in_the_trace_of_a_character() {
    let mut world = heads_and_balls(&[("left", 0.0), ("right", 2.0)], &[0.0, 2.0]);
    let mut seen = [BTreeSet::new(), BTreeSet::new()];
    for _ in 0..60 {
        records_of_world(&mut world, 1);
        for (id, seen) in world.characters().zip(&mut seen) {
            let frame = world.results(Some(id)).frame();
            let touches = frame.passive.iter().flat_map(|object| &object.touches);
            seen.extend(touches.map(|touch| touch.other.clone()));
        }
    }
    let model = &world.character(CharacterId(0)).model;
    for (seen, other) in seen.iter().zip(["right", "left"]) {
        let (of_other, own): (Vec<_>, Vec<_>) = seen.iter().partition(|name| is_part_of(name, other));
        assert!(!of_other.is_empty() && !own.is_empty(), "{seen:?}");
        assert!(own.iter().all(|name| model.body(name).is_some()), "{own:?}");
    }
}

#[test]
fn passive_objects_are_recorded_alike_with_and_without_characters() {
    let mut alone = heads_and_balls(&[], &[0.0]);
    let mut watched = heads_and_balls(&[("far", 10.0)], &[0.0]);
    let [ours, theirs] = [&mut alone, &mut watched].map(|world| records_of_world(world, 80));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!((&ours.passive, &ours.moving), (&theirs.passive, &theirs.moving), "at {} s", ours.time);
    }
    assert!(ours.iter().any(|frame| frame.passive[0].touches.iter().any(|touch| touch.other == "ground")));
    let frame = alone.results(None).frame();
    assert_eq!((frame.index, &frame.passive), (79, &ours[79].passive));
    assert!(frame.q.is_empty() && frame.contacts.is_empty());
}

/// `count` characters side by side, each pushed differently.
fn crowd(count: usize, parallel: bool) -> World {
    let mut world = World::builder().parallel(parallel).build().unwrap();
    for k in 0..count {
        let pose = StartPose::standing().at(0.0, 1.5 * k as f64);
        let id = world.add_character(model("adult"), controller("step_recovery"), pose).unwrap();
        let force = [100.0, -150.0, 200.0][k % 3];
        world.push(id, "chest", Wrench::force([force, 30.0 * k as f64, 0.0]), 0.15).unwrap();
    }
    world
}

#[test]
fn characters_of_one_world_move_as_each_does_alone() {
    let mut together = crowd(3, false);
    let frames = steps(&mut together, 100);
    for k in 0..3 {
        let mut alone = World::builder().build().unwrap();
        let pose = StartPose::standing().at(0.0, 1.5 * k as f64);
        let id = alone.add_character(model("adult"), controller("step_recovery"), pose).unwrap();
        let force = [100.0, -150.0, 200.0][k];
        alone.push(id, "chest", Wrench::force([force, 30.0 * k as f64, 0.0]), 0.15).unwrap();
        for (frame, together) in steps(&mut alone, 100).iter().zip(&frames) {
            assert_eq!(frame[0], together[k]);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let expected = steps(&mut crowd(5, false), 80);
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| steps(&mut crowd(5, true), 80));
        assert!(found == expected, "{threads} threads");
    }
    // Parallel worlds, each of which computes its characters in parallel.
    use rayon::prelude::*;
    let nested: Vec<_> = (0..3).into_par_iter().map(|_| steps(&mut crowd(5, true), 80)).collect();
    assert!(nested.iter().all(|found| *found == expected), "nested");
}

#[test]
fn a_parameter_set_while_it_runs_is_that_of_the_file() {
    let text = |height: f64| {
        format!(
            "start = \"stand\"\n[parameters]\nstature = {height}\n[states.stand]\n\
             [[states.stand.objectives]]\nname = \"over\"\nweight = 20\nresponse = 0.35\nof = {{ com_over_support = {{}} }}\n\
             [[states.stand.objectives]]\nname = \"height\"\nweight = 20\nresponse = 0.3\nof = {{ com_height = {{ target = \"stature * standing_height\" }} }}\n\
             [[states.stand.objectives]]\nname = \"pose\"\nweight = 0.02\nresponse = 0.5\nof = {{ pose = {{}} }}\n"
        )
    };
    let of = |height: f64| ControllerFile::parse("own.toml", &text(height)).unwrap();
    let mut world = World::builder().build().unwrap();
    let hero = world.add_character(model("adult"), of(0.98), StartPose::standing()).unwrap();
    steps(&mut world, 100);
    let standing = world.character(hero).snapshot.scales.height;
    world.set_parameter(hero, "stature", 0.85).unwrap();
    let frames = steps(&mut world, 200);
    assert!((frames[199][0].com[2] - 0.85 * standing).abs() < 0.01, "{:?}", frames[199][0].com);
    assert_eq!(frames[199][0].state, "stand");
    assert!((frames[199][0].state_time - 2.99).abs() < 1e-9, "the state goes on");
    let error = world.set_parameter(hero, "statur", 0.9).unwrap_err();
    assert_eq!(error.to_string(), "there is no parameter `statur`; known: stature");
}

#[test]
fn a_parameter_that_nothing_reads_any_more_is_noted_when_it_is_set() {
    let mut world = World::builder().build().unwrap();
    let hero = world.add_character(model("adult"), controller("walk"), StartPose::standing()).unwrap();
    // The walk reads its stride as its first state begins, its height in each frame, and `faster` at each step.
    world.set_parameter(hero, "stride", 0.5).unwrap();
    assert!(world.unread_values().is_empty(), "the first state has not begun");
    let before = world.checkpoint();
    steps(&mut world, 20);
    let told = |world: &World| world.unread_values().iter().map(ToString::to_string).collect::<Vec<_>>();
    world.set_parameter(hero, "stride", 0.48).unwrap();
    world.set_parameter(hero, "high", 0.98).unwrap();
    world.set_value(hero, "parameters.faster", "0.2").unwrap();
    let expected = [
        "`parameters.stride`, set at 0.20 s in state `stand`, changes nothing: no state that can follow reads it",
        "`parameters.faster`, set at 0.20 s in state `stand`, is read next when `swing` is entered",
    ];
    assert_eq!(told(&world), expected);
    assert_eq!(world.next_read(hero, "parameters.high"), Some(NextRead::Now));
    world.restore(&before).unwrap();
    assert!(world.unread_values().is_empty(), "a checkpoint has none of what came after it");
}

#[test]
fn a_controller_that_takes_over_goes_on_in_the_state_of_the_same_name() {
    let mut world = World::builder().build().unwrap();
    let hero = world.add_character(model("adult"), controller("one_foot"), StartPose::standing()).unwrap();
    steps(&mut world, 150);
    let machine = &world.character(hero).machine;
    let (state, entered) = (machine.state_name().clone(), machine.time_in_state(world.time()));
    world.replace_controller(hero, controller("one_foot")).unwrap();
    let machine = &world.character(hero).machine;
    assert_eq!((machine.state_name(), machine.time_in_state(world.time())), (&state, entered));
    world.replace_controller(hero, controller("balance")).unwrap();
    let frames = steps(&mut world, 2);
    assert_eq!(frames[0][0].state, "balance", "there is no `{state}`: it begins anew");
    let error = ControllerFile::parse("bad.toml", "start = \"a\"\n[states.a]\nuntil = \"no_such\"\n")
        .map(|bad| world.replace_controller(hero, bad));
    assert!(matches!(error, Ok(Err(WorldError::Character(_)))), "{error:?}");
    steps(&mut world, 50);
}

#[test]
fn taking_over_from_oneself_changes_nothing() {
    let (mut world, hero) = balancing(World::builder());
    let (mut plain, _) = balancing(World::builder());
    steps(&mut world, 30);
    steps(&mut plain, 30);
    world.replace_controller(hero, controller("balance")).unwrap();
    assert_eq!(steps(&mut world, 50), steps(&mut plain, 50));
}

#[test]
fn a_checkpoint_goes_back_behind_a_change_of_controller() {
    let (mut world, hero) = balancing(World::builder());
    steps(&mut world, 20);
    let moment = world.checkpoint();
    let first = steps(&mut world, 40);
    world.restore(&moment).unwrap();
    world.replace_controller(hero, controller("limp")).unwrap();
    assert_ne!(steps(&mut world, 40), first);
    world.restore(&moment).unwrap();
    assert_eq!(steps(&mut world, 40), first);
}

#[test]
fn an_objective_that_is_disabled_costs_nothing_until_it_is_enabled() {
    let (mut world, hero) = balancing(World::builder());
    let name = "com height";
    let cost = world.character(hero).objectives.iter().position(|cost| cost == name).unwrap();
    world.enable_objective(hero, name, false).unwrap();
    assert!(steps(&mut world, 20).iter().all(|frame| frame[0].costs[cost] == 0.0));
    world.enable_objective(hero, "balance.com height", true).unwrap();
    assert!(steps(&mut world, 20).iter().any(|frame| frame[0].costs[cost] > 0.0));
    let error = world.enable_objective(hero, "com heigt", true).unwrap_err();
    assert!(matches!(error, WorldError::UnknownName(_)), "{error}");
}

#[test]
fn who_is_teleported_stands_where_it_was_put_as_if_it_had_begun_there() {
    let (mut world, hero) = balancing(World::builder());
    let start = world.state(hero).clone();
    steps(&mut world, 100);
    let mut q = start.q.clone();
    q[0] += 3.0;
    world.teleport(hero, &q, &start.v).unwrap();
    let frames = steps(&mut world, 100);
    assert!((frames[99][0].com[0] - 3.0).abs() < 0.1 && frames[99][0].com[2] > 0.85);
    assert!(matches!(world.teleport(hero, &q[1..], &start.v), Err(WorldError::Foreign(_))));
    q[2] = f64::NAN;
    assert!(matches!(world.teleport(hero, &q, &start.v), Err(WorldError::BadValue(_))));
}

#[test]
fn a_platform_that_is_moved_carries_a_character_and_a_crate() {
    let top = 0.02;
    let deck = Obstacle::block("deck", [2.0, 2.0, 0.5 * top], [0.0, 0.0, 0.5 * top]);
    let mut world = World::builder().obstacle(deck).build().unwrap();
    let pose = StartPose::standing().above_ground(top);
    let hero = world.add_character(model("adult"), controller("balance"), pose).unwrap();
    let laden = Passive::articulated(model("crate")).at(Vector3::new(1.0, 0.0, top + 0.2));
    let laden = world.add_passive("crate", laden).unwrap();
    let deck = world.find_obstacle("deck").unwrap();
    steps(&mut world, 100);
    let (com, place) = (world.result(hero).frame.com[0], world.passive().whole(laden).com.x);
    let feet = |world: &World| world.result(hero).frame.contacts[0].point[0];
    let foot = feet(&world);
    for k in 1..=200 {
        let x = 0.1 * (1.0 - (std::f64::consts::PI * f64::from(k) / 200.0).cos());
        let position = Vector3::new(x, 0.0, 0.5 * top);
        world.move_obstacle(deck, Pose { position, orientation: UnitQuaternion::identity() }).unwrap();
        world.step().unwrap();
    }
    steps(&mut world, 200);
    assert!(world.result(hero).frame.com[2] > 0.85, "it stands");
    let moved = [
        world.result(hero).frame.com[0] - com,
        feet(&world) - foot,
        world.passive().whole(laden).com.x - place,
    ];
    for way in moved {
        assert!((way - 0.2).abs() < 0.01, "carried along by {moved:?} m of 0.2");
    }
}

#[test]
fn a_ball_thrown_in_while_the_world_runs_pushes_who_it_hits() {
    let (mut world, hero) = balancing(World::builder());
    steps(&mut world, 50);
    let ball = Passive::articulated(model("ball"))
        .at(Vector3::new(0.6, 0.0, 1.25))
        .thrown(Vector3::new(-3.0, 0.0, 0.5), Vector3::zeros());
    world.add_passive("ball", ball).unwrap();
    let frames = steps(&mut world, 60);
    let hit = frames.iter().flat_map(|frame| &frame[0].external).find(|force| force.name == "ball");
    assert!(hit.is_some_and(|force| force.force[0] < 0.0), "{hit:?}");
    let again = Passive::articulated(model("ball"));
    assert!(matches!(world.add_passive("ball", again), Err(WorldError::PassiveObject(_))));
    let _ = hero;
}

#[test]
fn what_cannot_be_is_told_by_type() {
    let wrong = World::builder().step(1.0).build();
    assert!(matches!(wrong, Err(WorldError::BadValue(_))));
    let default = PassiveSettings::default();
    for settings in [
        PassiveSettings { dt: 0.0, ..default },
        PassiveSettings { residual: -1.0, ..default },
        PassiveSettings { limit_restitution: 1.5, ..default },
    ] {
        let wrong = World::builder().passive_settings(settings).build();
        assert!(matches!(wrong, Err(WorldError::BadValue(_))), "{settings:?}");
    }
    assert!(matches!(World::builder().solver("newton").build(), Err(WorldError::Solver(_))));
    let block = || Obstacle::block("box", [0.1; 3], [1.0, 0.0, 0.1]);
    let twice = World::builder().obstacle(block()).obstacle(block()).build();
    assert!(matches!(twice, Err(WorldError::NameTaken(name)) if name == "box"));
    let (mut world, hero) = balancing(World::builder());
    let error = world.push(hero, "chets", Wrench::force([1.0, 0.0, 0.0]), 0.1).unwrap_err();
    assert!(error.to_string().starts_with("there is no body `chets`"), "{error}");
    let knee = StartPose::standing().joint("left_knee", 9.0);
    let bent = world.add_character(model("adult"), controller("balance"), knee);
    assert!(matches!(bent, Err(WorldError::StartPose(errors)) if errors.len() == 1));
    let climber = world.add_character(model("ball"), controller("climb"), StartPose::standing());
    assert!(matches!(climber, Err(WorldError::Character(_))));
    assert_eq!(world.characters().len(), 1);
}

#[test]
fn what_is_put_too_far_from_the_origin_is_refused() {
    let near = 0.999 * FARTHEST;
    let far = 1.001 * FARTHEST;
    let block = |x: f64| World::builder().obstacle(Obstacle::block("box", [0.1; 3], [x, 0.0, 0.1]));
    let hold = |x: f64| Hold::new("knob", HoldShape::Point(Vector3::new(x, 0.0, 2.0)), None);
    assert!(block(near).hold(hold(near)).ground(Ground::flat(1.0).at(near)).build().is_ok());
    let refused = [
        (block(far), "box"),
        (World::builder().hold(hold(-far)), "knob"),
        (World::builder().ground(Ground::flat(1.0).at(-far)), "ground"),
    ];
    for (builder, what) in refused {
        let error = builder.build().err();
        assert!(matches!(&error, Some(WorldError::TooFar { name, .. }) if name == what), "{error:?}");
    }

    let (mut world, hero) = balancing(block(1.0));
    for x in [far, f64::NAN] {
        let pose = StartPose::standing().at(x, 0.0);
        let error = world.add_character(model("adult"), controller("balance"), pose).unwrap_err();
        let WorldError::StartPose(errors) = &error else { panic!("{error}") };
        assert!(matches!(errors[..], [StartPoseError::TooFar { .. }]), "{errors:?}");
    }
    let ball = Passive::articulated(model("ball")).at(Vector3::new(0.0, 0.0, far));
    assert!(matches!(
        world.add_passive("ball", ball),
        Err(WorldError::PassiveObject(PassiveError::TooFar { distance })) if distance > FARTHEST
    ));
    assert_eq!(world.passive().objects.len(), 0);
    let mut q = world.state(hero).q.clone();
    q[1] = far;
    let still = vec![0.0; world.state(hero).v.len()];
    assert!(matches!(world.teleport(hero, &q, &still), Err(WorldError::TooFar { .. })));
    let pose = Pose { position: Vector3::new(0.0, far, 0.0), orientation: UnitQuaternion::identity() };
    let id = world.find_obstacle("box").unwrap();
    assert!(matches!(world.move_obstacle(id, pose), Err(WorldError::TooFar { name, .. }) if name == "box"));
}

#[test]
fn who_travels_too_far_ends_the_run_with_a_name_and_a_distance() {
    let (mut world, hero) = balancing(World::builder());
    let (mut q, mut v) = (world.state(hero).q.clone(), world.state(hero).v.clone());
    (q[0], q[2], v[0]) = (FARTHEST - 3.0, 50.0, 100.0);
    world.teleport(hero, &q, &v).unwrap();
    let error = (0..100).find_map(|_| world.step().err()).expect("it flies out of the world");
    let StepError::TooFar { name, distance, time } = &error else { panic!("{error}") };
    assert_eq!(name, "character");
    assert!((FARTHEST..FARTHEST + 2.0).contains(distance), "{distance} m");
    assert!((0.02..0.05).contains(time), "{time} s");
    let before = (world.frame_index(), world.state(hero).clone());
    assert_eq!(world.step(), Err(error));
    assert_eq!(before, (world.frame_index(), world.state(hero).clone()), "nothing moved");
}

#[test]
fn an_object_that_is_thrown_too_far_ends_the_run_with_its_name() {
    let (mut world, _) = balancing(World::builder());
    let ball = Passive::articulated(model("ball"))
        .at(Vector3::new(FARTHEST - 1.0, 0.0, 20.0))
        .thrown(Vector3::new(50.0, 0.0, 0.0), Vector3::zeros());
    world.add_passive("ball", ball).unwrap();
    let error = (0..10).find_map(|_| world.step().err());
    assert!(matches!(&error, Some(StepError::TooFar { name, .. }) if name == "ball"), "{error:?}");
}
