//! Characters that hold on to each other.

use aplomb::controller::ControllerFile;
use aplomb::model::Model;
use aplomb::scene::{self, Run};
use aplomb::trace::Frame;
use aplomb::world::character::CharacterOptions;
use aplomb::world::{CharacterId, StartPose, StepError, World, Wrench};

const MEETING: [f64; 3] = [0.1, -0.45, 0.75];

/// An adult and a child that holds its hand.
fn hand_in_hand() -> (World, CharacterId, CharacterId) {
    let mut world = World::builder().build().unwrap();
    let balance = ControllerFile::shipped("balance").unwrap();
    let named = |name: &str| CharacterOptions { name: name.into(), ..CharacterOptions::default() };
    let pose = StartPose::standing().reaching("right_palm", MEETING);
    let model = Model::shipped("adult").unwrap();
    let adult = world.add_character_with(model, balance.clone(), pose, named("adult")).unwrap();
    world.add_hold_on("hand", adult, "right_palm").unwrap();
    let pose = StartPose::standing().at(0.1, -0.8).reaching("left_palm", MEETING);
    let model = Model::shipped("child").unwrap();
    let child = world.add_character_with(model, balance, pose, named("child")).unwrap();
    world.hold_on(child, "left_palm", "hand").unwrap();
    (world, adult, child)
}

fn push(world: &mut World, child: CharacterId, force: f64) {
    world.push(child, "chest", Wrench::force([force, 0.0, 0.0]), 0.15).unwrap();
}

fn run(overrides: &[&str]) -> (Run, Vec<Frame>) {
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    let mut run = Run::bind(&scene::load("hold_hands", &overrides).unwrap()).unwrap();
    let mut frames = Vec::new();
    run.finish::<StepError>(|_, result| {
        frames.push(result.frame());
        Ok(())
    })
    .unwrap();
    (run, frames)
}

#[test]
fn a_child_falls_alone_and_stands_holding_an_adult() {
    let (held, _) = run(&[]);
    assert!(held.criteria.iter().all(|criterion| criterion.holds));
    let (alone, _) = run(&["characters.child.hold_on={}"]);
    let upright = alone.criteria.iter().find(|criterion| criterion.name == "upright").unwrap();
    assert!(!upright.holds && upright.at.unwrap() < 2.0);
    let adult = alone.criteria.iter().find(|criterion| criterion.name == "adult.upright").unwrap();
    assert!(adult.holds, "nobody pulls at the adult");
}

#[test]
fn what_one_hand_gives_the_other_receives() {
    let (mut world, adult, child) = hand_in_hand();
    push(&mut world, child, 80.0);
    let (mut most, mut off) = (0.0_f64, 0.0_f64);
    for _ in 0..150 {
        world.step().unwrap();
        let record = |id| &world.result(id).frame;
        let given = record(child).contacts.iter().find(|contact| contact.surface == "hand").unwrap();
        let received = record(adult).external.iter().find(|force| force.name == "child").unwrap();
        for axis in 0..3 {
            most = most.max(given.force[axis].abs());
            off = off.max((given.force[axis] + received.force[axis]).abs());
        }
        assert!(given.gap < 2e-3, "the hands are {} m apart", given.gap);
    }
    assert!(most > 20.0 && off <= 1e-12 * most, "{off} N of {most} N");
}

/// Both momenta of a body change by the forces on it; their sum over both bodies changes by external forces alone.
#[test]
fn nothing_but_the_ground_gravity_and_pushes_changes_the_momentum_of_both_together() {
    let (mut world, adult, child) = hand_in_hand();
    push(&mut world, child, 40.0);
    let (dt, mut worst) = (world.settings().dt, 0.0_f64);
    let mut before: Option<([f64; 3], [f64; 3])> = None;
    for _ in 0..120 {
        world.step().unwrap();
        let (mut momentum, mut force) = ([0.0; 3], [0.0; 3]);
        for id in [adult, child] {
            let scales = world.sensed(Some(id)).1.scales;
            let frame = &world.result(id).frame;
            let contacts = frame.contacts.iter().filter(|contact| contact.surface != "hand");
            let pushes = frame.external.iter().filter(|external| external.name != "child");
            let forces = contacts.map(|contact| contact.force).chain(pushes.map(|push| push.force));
            forces.for_each(|one| (0..3).for_each(|axis| force[axis] += one[axis]));
            force[2] -= scales.weight();
            (0..3).for_each(|axis| momentum[axis] += scales.mass * frame.com_velocity[axis]);
        }
        if let Some((old, acting)) = before {
            let off = (0..3).map(|axis| (momentum[axis] - old[axis] - dt * acting[axis]).abs());
            worst = off.fold(worst, f64::max);
        }
        before = Some((momentum, force));
    }
    // The COM moves on a curve within a frame; its mean velocity is not that at the ends.
    assert!(worst < 0.05, "{worst} N s in a frame of both, of 40 N s in all");
}

#[test]
fn an_island_goes_on_from_a_checkpoint_to_the_bit_and_on_any_number_of_threads() {
    let (mut world, adult, child) = hand_in_hand();
    push(&mut world, child, 80.0);
    for _ in 0..40 {
        world.step().unwrap();
    }
    let checkpoint = world.checkpoint();
    let states = |world: &mut World| {
        for _ in 0..30 {
            world.step().unwrap();
        }
        [adult, child].map(|id| world.state(id).q.clone())
    };
    let first = states(&mut world);
    world.restore(&checkpoint).unwrap();
    assert_eq!(states(&mut world), first);
    world.restore(&checkpoint).unwrap();
    world.set_parallel(true);
    assert_eq!(states(&mut world), first);
}

#[test]
fn a_grip_that_bears_too_much_breaks_and_both_go_on_alone() {
    let (_, frames) = run(&["characters.child.grip.force=15"]);
    let breaks = frames.iter().find(|frame| frame.events.iter().any(|event| event.contains("breaks off")));
    let at = breaks.expect("it breaks").time;
    let after = frames.iter().find(|frame| frame.time > at + 0.1).expect("and the run goes on");
    assert!(after.contacts.iter().all(|contact| contact.surface != "hand"));
}

#[test]
fn the_record_of_the_first_shows_where_the_other_is() {
    let files = scene::load("hold_hands", &[]).unwrap();
    let mut run = Run::bind(&files).unwrap();
    let header = scene::header(&files, &run);
    let [adult] = &*header.passive else { panic!("{:?}", header.passive.len()) };
    assert_eq!((&*adult.name, &*adult.kind), ("adult", "character"));
    run.step().unwrap();
    let frame = run.frame();
    let state = &frame.passive[0];
    let hand = adult.parts.iter().position(|part| part == "right_hand").unwrap();
    let [x, y, z] = state.positions[hand];
    let off = ((x - 0.1).powi(2) + (y + 0.45).powi(2) + (z - 0.75).powi(2)).sqrt();
    assert!(off < 0.15, "the hand's frame is {off} m from where the hands meet");
    assert!(state.com[2] > 0.8);
}

fn mistakes(change: impl Fn(&str) -> String) -> String {
    let text = aplomb::language::files::find(aplomb::language::files::Folder::Scenes, "hold_hands", None);
    let source = text.unwrap().source;
    let changed = change(&source.text).replace("../", "");
    assert_ne!(changed, source.text.replace("../", ""));
    let source = aplomb::language::diagnostic::Source::new("scene.toml", &changed);
    let errors = match scene::load_text(&source) {
        Ok(files) => Run::bind(&files).err().expect("a mistake").iter().map(ToString::to_string).collect(),
        Err(error) => vec![error.to_string()],
    };
    errors.join("\n")
}

#[test]
fn mistakes_about_whom_one_holds_are_told_at_their_place() {
    for (from, to, told) in [
        ("on = \"adult\"", "on = \"adlut\"", "no passive object and no character `adlut`"),
        ("at = \"right_palm\"", "at = \"rigth_palm\"", "the body of `adult` has no site `rigth_palm`"),
        ("at = \"right_palm\"\n", "\n", "the hold `hand` on `adult` has no position"),
        ("left_palm = \"hand\"", "left_palm = \"hnad\"", "no hold `hnad`"),
        ("left_palm = \"hand\"", "left_plam = \"hand\"", "no site `left_plam`"),
        ("character = \"child\"", "character = \"chidl\"", "no character `chidl`"),
    ] {
        let said = mistakes(|text| text.replacen(from, to, 1));
        assert!(said.contains(told), "{to}: {said}");
        assert!(said.contains("scene.toml:"), "{to}: {said}");
    }
}
