//! Many worlds of a scene: each behaves as it would alone, whatever happens to the others.

use aplomb::controller::ControllerFile;
use aplomb::math::extent::FARTHEST;
use aplomb::model::Model;
use aplomb::scene::{self, Run, SceneFiles, WorldOutcome, Worlds, WorldsError};
use aplomb::world::{StartPose, StepError, World, WorldError, Wrench};

/// Pushes of 0, 45 and 190 N s to the left: the last one fells the body.
fn pushes() -> Vec<Vec<String>> {
    let push = |impulse: f64| vec![format!("events.push.impulse=[0, {impulse}, 0]"), "duration=2".into()];
    [0.0, 45.0, 190.0].map(push).into()
}

fn step_push(sets: &[String]) -> SceneFiles {
    scene::load("step_push", sets).unwrap()
}

fn row(all: &[f64], world: usize, width: usize) -> Vec<u64> {
    all[world * width..][..width].iter().map(|number| number.to_bits()).collect()
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn each_of_many_worlds_is_what_it_is_alone_for_any_number_of_threads() {
    let sets = pushes();
    let mut alone: Vec<Run> = sets.iter().map(|sets| Run::bind(&step_push(sets)).unwrap()).collect();
    let files = step_push(&[]);
    let mut many: Vec<(usize, Worlds)> =
        [1, 2, 3].map(|threads| (threads, Worlds::varied(&files, &sets).unwrap())).into();
    for frame in 0..210 {
        for run in alone.iter_mut().filter(|run| !run.is_over()) {
            run.step().unwrap();
        }
        for (threads, worlds) in &mut many {
            let running = worlds.step(*threads).unwrap();
            let (nq, nv) = (worlds.nq(), worlds.nv());
            for (world, run) in alone.iter_mut().enumerate() {
                run.world.observe();
                let hero = run.hero().unwrap();
                let (state, about) = (run.world.state(hero), format!("{frame} {world} {threads}"));
                assert_eq!(row(worlds.q(), world, nq), bits(&state.q), "{about}");
                assert_eq!(row(worlds.v(), world, nv), bits(&state.v), "{about}");
                let torque = &run.world.result(hero).frame.torque;
                assert_eq!(row(worlds.torque(), world, nv), bits(torque), "{about}");
                assert_eq!(row(worlds.com(), world, 3), bits(run.character().snapshot.com.as_slice()));
            }
            assert_eq!(running, worlds.running());
        }
    }
    let names: Vec<&str> = many[0].1.outcomes().map(WorldOutcome::name).collect();
    assert_eq!(names, ["finished", "finished", "violated"]);
    let Some(WorldOutcome::Violated { criterion, time }) = many[1].1.outcome(2) else { panic!("{names:?}") };
    assert_eq!(alone[2].criteria[*criterion].at, Some(*time));
    assert_eq!(alone[2].world.time(), many[1].1.get(2).unwrap().world.time());
}

#[test]
fn frames_that_are_asked_for_at_once_are_those_of_single_steps() {
    let files = scene::load("balance_push", &["duration=0.4".into()]).unwrap();
    let [mut singly, mut at_once] = [(); 2].map(|()| Worlds::new(&files, 3).unwrap());
    for worlds in [&mut singly, &mut at_once] {
        let run = worlds.get_mut(1).unwrap();
        let hero = run.hero().unwrap();
        run.world.push(hero, "chest", Wrench::force([0.0, 100.0, 0.0]), 0.1).unwrap();
    }
    let places = [singly.q().as_ptr(), singly.torque().as_ptr()];
    while singly.step(1).unwrap() > 0 {}
    assert_eq!(at_once.step_frames(1000, 2).unwrap(), 0);
    assert_eq!(bits(singly.q()), bits(at_once.q()));
    assert_eq!(places, [singly.q().as_ptr(), singly.torque().as_ptr()], "the arrays stay where they are");
    let nq = singly.nq();
    assert_eq!(row(singly.q(), 0, nq), row(singly.q(), 2, nq));
    assert_ne!(row(singly.q(), 0, nq), row(singly.q(), 1, nq), "it was pushed");
}

#[test]
fn a_world_that_fails_is_an_outcome_and_the_others_go_on() {
    let files = scene::load("stand", &["duration=0.3".into(), "success={}".into()]).unwrap();
    let [mut worlds, mut whole] = [(); 2].map(|()| Worlds::new(&files, 3).unwrap());
    let run = worlds.get_mut(1).unwrap();
    let hero = run.hero().unwrap();
    let (mut q, mut v) = (run.world.state(hero).q.clone(), run.world.state(hero).v.clone());
    (q[0], q[2], v[0]) = (FARTHEST - 3.0, 50.0, 100.0);
    run.world.teleport(hero, &q, &v).unwrap();
    for threads in [2, 1] {
        worlds.step_frames(15, threads).unwrap();
    }
    whole.step_frames(30, 1).unwrap();
    let failed = worlds.outcome(1).unwrap();
    assert!(matches!(failed, WorldOutcome::Failed(StepError::TooFar { .. })), "{failed:?}");
    for world in [0, 2] {
        assert_eq!(worlds.outcome(world), Some(&WorldOutcome::Finished));
        assert_eq!(row(worlds.q(), world, worlds.nq()), row(whole.q(), world, whole.nq()));
    }
    worlds.reset(1).unwrap();
    assert_eq!(worlds.outcome(1), Some(&WorldOutcome::Running));
    assert_eq!(worlds.step_frames(30, 2).unwrap(), 0);
    assert_eq!(bits(worlds.q()), bits(whole.q()), "after a reset it is as if nothing had been");
}

#[test]
fn worlds_are_told_parameters_and_go_back_to_their_beginnings_and_to_checkpoints() {
    let sets = ["duration=1".into(), "events.push.at=0.1".into(), "events.push.impulse=[0, 45, 0]".into()];
    let files = scene::load("step_push", &sets).unwrap();
    let mut worlds = Worlds::new(&files, 3).unwrap();
    let start = bits(worlds.q());
    worlds.set_parameter("outward", &[0.03, 0.055, 0.08]).unwrap();
    worlds.step_frames(50, 2).unwrap();
    let middle = worlds.checkpoint(2).unwrap();
    worlds.step_frames(50, 2).unwrap();
    let (end, nq) = (bits(worlds.q()), worlds.nq());
    assert!((0..2).all(|world| row(worlds.q(), world, nq) != row(worlds.q(), world + 1, nq)));
    worlds.restore(2, &middle).unwrap();
    assert_eq!(middle.frame_index(), 50);
    worlds.step_frames(50, 1).unwrap();
    assert_eq!(bits(worlds.q()), end);
    (0..3).for_each(|world| worlds.reset(world).unwrap());
    assert_eq!(bits(worlds.q()), start);
    assert!(worlds.torque().iter().all(|torque| *torque == 0.0), "no frame has been yet");
    // Parameters were restored as well.
    worlds.step_frames(100, 2).unwrap();
    let rows: Vec<_> = (0..3).map(|world| row(worlds.q(), world, nq)).collect();
    assert!(rows.iter().all(|row| *row == rows[1]) && rows[1] == end[nq..2 * nq], "0.055 is the file's");
}

#[test]
fn what_is_wrong_with_many_worlds_is_an_error() {
    let files = scene::load("stand", &[]).unwrap();
    let mut worlds = Worlds::new(&files, 2).unwrap();
    assert!(matches!(worlds.set_parameter("x", &[1.0]), Err(WorldsError::Count { found: 1, count: 2 })));
    let unknown = worlds.set_parameter("nothing", &[1.0, 2.0]).unwrap_err();
    assert!(matches!(unknown, WorldsError::World { world: 0, reason: WorldError::UnknownName(_) }));
    assert!(matches!(worlds.reset(2), Err(WorldsError::NoWorld { world: 2, count: 2 })));
    assert!(worlds.get(2).is_none() && worlds.get_mut(2).is_none() && worlds.outcome(2).is_none());
    let others = scene::load("step_quadruped", &[]).unwrap();
    let shape = Worlds::of_each([&files, &others]).err().expect("other bodies");
    assert!(matches!(shape, WorldsError::Shape { world: 1, .. }), "{shape}");
    let other = Worlds::new(&others, 1).unwrap().checkpoint(0).unwrap();
    let wrong = Worlds::varied(&files, &[vec![], vec!["durtion=1".into()]]).err().expect("no such key");
    assert!(matches!(wrong, WorldsError::File { world: 1, .. }), "{wrong}");
    let foreign = worlds.restore(0, &other).unwrap_err();
    assert!(matches!(foreign, WorldsError::World { reason: WorldError::Foreign(_), .. }), "{foreign}");
    assert_eq!(worlds.step_frames(2, 2).unwrap(), 2);

    let mut none = Worlds::new(&files, 0).unwrap();
    assert!(none.is_empty() && none.step(2).unwrap() == 0 && none.q().is_empty());
}

#[test]
fn worlds_made_by_a_program_are_stepped_together() {
    let run = |x: f64| {
        let mut world = World::builder().build().unwrap();
        let (model, controller) =
            (Model::shipped("child").unwrap(), ControllerFile::shipped("balance").unwrap());
        world.add_character(model, controller, StartPose::standing().at(x, 0.0)).unwrap();
        Run { world, criteria: Vec::new(), frames: 5 }
    };
    let mut worlds = Worlds::of_runs(vec![run(0.0), run(1.0)]).unwrap();
    assert_eq!((worlds.step_frames(3, 2).unwrap(), worlds.len()), (2, 2));
    assert!((worlds.com()[3] - worlds.com()[0] - 1.0).abs() < 1e-3);
    assert_eq!(worlds.step_frames(3, 2).unwrap(), 0);
    assert!(worlds.outcomes().all(|outcome| *outcome == WorldOutcome::Finished));
    // Without characters, rows are empty.
    let empty = Run { world: World::builder().build().unwrap(), criteria: Vec::new(), frames: 2 };
    let mut empty = Worlds::of_runs(vec![empty]).unwrap();
    assert_eq!((empty.nq(), empty.step_frames(9, 1).unwrap(), empty.q().len()), (0, 0, 0));
}
