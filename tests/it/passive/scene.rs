//! Passive objects in scenes.

use aplomb::language::diagnostic::Source;
use aplomb::math::spatial::Force;
use aplomb::passive::PassiveWorld;
use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, LoadError, SceneFiles};
use aplomb::trace::{self, Frame, Trace};
use nalgebra::Vector3;

pub fn files(text: &str) -> SceneFiles {
    scene::load_text(&Source::new("a scene of the tests", text)).unwrap_or_else(|error| panic!("{error:?}"))
}

pub fn run(files: &SceneFiles) -> (SceneRun, Trace) {
    let mut simulation = SceneRun::bind(files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let header = aplomb::scene::header(files, &simulation);
    let mut frames = Vec::new();
    let last = simulation.finish(|_, stepped| {
        frames.push(stepped.frame());
        Ok::<(), aplomb::world::StepError>(())
    });
    frames.push(last.expect("usable numbers"));
    (simulation, Trace { header, frames, parts: Vec::new(), torn: None })
}

pub fn message(text: &str) -> String {
    match scene::load_text(&Source::new("wrong.toml", text)) {
        Err(LoadError::Mistakes(errors)) => {
            errors.iter().map(|error| format!("{} {}", error.location(), error.message)).collect()
        }
        Err(other) => other.to_string(),
        Ok(files) => match SceneRun::bind(&files) {
            Err(errors) => {
                errors.iter().map(|error| format!("{} {}", error.location(), error.message)).collect()
            }
            Ok(_) => panic!("no mistake in {text}"),
        },
    }
}

const BALL_AND_NOBODY: &str = "\
duration = 1
[passive.ball]
kind = \"articulated\"
model = \"ball\"
position = [0, 0, 1]
restitution = 0.5
";

#[test]
fn a_scene_needs_nobody_who_acts() {
    let (simulation, trace) = run(&files(BALL_AND_NOBODY));
    assert_eq!(trace.frames.len(), 101);
    assert!(simulation.is_over() && !trace.header.has_character());
    let height = |frame: &Frame| frame.passive[0].com[2];
    // It falls 0.89 m in 0.426 s, and rises to a quarter of that height.
    let fallen = &trace.frames[40];
    assert!((height(fallen) - (1.0 - 0.5 * 9.81 * fallen.time.powi(2))).abs() < 1e-9);
    let highest = trace.frames[45..].iter().map(height).fold(0.0, f64::max);
    assert!((highest - 0.11 - 0.89 / 4.0).abs() < 2e-3, "rises to {highest}");
    let mut bytes = Vec::new();
    let mut writer = trace::TraceWriter::new(&mut bytes, &trace.header).expect("a sound header");
    trace.frames.iter().for_each(|frame| writer.write(frame).expect("a sound frame"));
    writer.finish().expect("written");
    assert_eq!(trace::read_bytes(&bytes).expect("readable"), trace);
    aplomb::view::plot::strip::pose_strip(&trace, 4).expect("a picture");
    let folder = tempfile::tempdir().expect("a folder");
    for format in aplomb::view::export::ExportFormat::ALL {
        let exported = aplomb::view::export::export(&trace, folder.path(), format);
        // Without a character there is no skeleton, and no joint.
        use aplomb::view::export::ExportFormat::{Bvh, Npz};
        assert_eq!(exported.is_err(), [Bvh, Npz].contains(&format), "{exported:?}");
    }
    let scene = std::fs::read_to_string(folder.path().join("scene.xml")).expect("a scene");
    assert!(scene.contains("<body name=\"ball.ball\" mocap=\"true\" pos=\"0 0 1\">"), "{scene}");
}

#[test]
fn the_same_scene_gives_the_same_frames() {
    let text = BALL_AND_NOBODY.to_string()
        + "[passive.crate]\nkind = \"articulated\"\nmodel = \"crate\"\nposition = [0.15, 0.05, 0.5]\nrotation = [0.4, 0.2, 0]\n";
    let [first, second] = [0, 1].map(|_| run(&files(&text)).1.frames);
    assert_eq!(first, second);
}

/// A floating ragdoll without gravity, and a ball that flies at its chest.
const HIT: &str = "\
duration = 0.3
gravity = [0, 0, 0]
[characters.adult]
model = \"adult\"
controller = \"limp\"
height = 1
[passive_settings]
residual = 1e-9
[passive.ball]
kind = \"articulated\"
model = \"medicine_ball\"
position = [1, 0.1, 2.3]
velocity = [-6, 0, 0]
restitution = 0.5
";

fn momentum(passive: &PassiveWorld) -> Force {
    passive.systems[0].momentum(passive.objects[0].parts.clone())
}

#[test]
fn what_a_ball_loses_in_a_hit_the_character_gets() {
    let files = files(HIT);
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let (mut given, mut lost) = (Force::default(), Force::default());
    let mut hits = 0;
    let mut first_velocity = None;
    while !simulation.is_over() {
        let before = momentum(simulation.world.passive());
        simulation.step().expect("usable numbers");
        lost += before - momentum(simulation.world.passive());
        let frame = simulation.frame();
        first_velocity.get_or_insert(frame.com_velocity);
        for external in &frame.external {
            assert_eq!((external.name.as_str(), &frame.events[..]), ("ball", &["ball".into()][..]));
            let (point, force) = (Vector3::from(external.point), Vector3::from(external.force));
            let impulse = Force::at_point(&point, force, external.torque.into());
            given += Force {
                moment: impulse.moment * simulation.world.settings().dt,
                force: impulse.force * simulation.world.settings().dt,
            };
            hits += 1;
        }
    }
    assert!(hits > 0 && given.force.norm() > 10.0, "{hits} hits, {given:?}");
    assert!((given.force - lost.force).norm() < 1e-9 * given.force.norm(), "{given:?} {lost:?}");
    assert!((given.moment - lost.moment).norm() < 1e-9 * given.moment.norm(), "{given:?} {lost:?}");
    let velocity = Vector3::from(simulation.last_frame().com_velocity);
    let gained =
        (velocity - Vector3::from(first_velocity.expect("a frame"))) * simulation.character().model.mass();
    assert!((gained - given.force).norm() < 0.01 * given.force.norm(), "{gained} of {}", given.force);
}

#[test]
fn friction_on_ice_is_that_of_the_ice() {
    let text = "\
duration = 1
ground.friction = 0.1
[passive.crate]
kind = \"articulated\"
model = \"crate\"
position = [0, 0, 0.1]
velocity = [2, 0, 0]
";
    let (_, trace) = run(&files(text));
    let slid = trace.frames[100].passive[0].com[0];
    assert!((slid - (2.0 - 0.5 * 0.1 * 9.81)).abs() < 0.01, "slid {slid} m");
}

#[test]
fn the_kind_of_a_passive_object_may_stand_after_its_other_keys() {
    let text =
        "duration = 0.1\n[passive.ball]\nmodel = \"ball\"\nposition = [0, 0, 1]\nkind = \"articulated\"\n";
    let (_, trace) = run(&files(text));
    assert_eq!(trace.header.passive[0].kind, "articulated");
}

#[test]
fn mistakes_in_passive_objects_are_told_with_their_place() {
    let with = |rest: &str| message(&format!("duration = 1\n[passive.ball]\n{rest}"));
    let nothing = with("model = \"ball\"");
    assert!(nothing.contains("wrong.toml:2:1") && nothing.contains("missing key `kind`"), "{nothing}");
    let late = with("velocty = [1, 0, 0]\nmodel = \"ball\"\nkind = \"articulated\"");
    assert!(late.contains("wrong.toml:3:1") && late.contains("unknown key `velocty`"), "{late}");
    let unknown = with("kind = \"articulatd\"\nmodel = \"ball\"");
    assert!(unknown.contains("wrong.toml:3:8") && unknown.contains("not one of the choices"), "{unknown}");
    let key = with("kind = \"articulated\"\nmodel = \"ball\"\nvelocty = [1, 0, 0]");
    assert!(key.contains("wrong.toml:5:1") && key.contains("unknown key `velocty`"), "{key}");
    let missing = with("kind = \"articulated\"\nmodel = \"bal\"");
    assert!(
        missing.contains("wrong.toml:4:9") && missing.contains("there is no passive object `bal`"),
        "{missing}"
    );
    let bounce = with("kind = \"articulated\"\nmodel = \"ball\"\nrestitution = 1.5");
    assert!(bounce.contains("wrong.toml:5:15") && bounce.contains("from 0 to 1"), "{bounce}");
    let hung = with("kind = \"articulated\"\nmodel = \"pendulum\"\nvelocity = [1, 0, 0]");
    assert!(hung.contains("wrong.toml:5:12") && hung.contains("cannot have an initial velocity"), "{hung}");
    let joint = with("kind = \"articulated\"\nmodel = \"pendulum\"\npose = { pivt = 1 }");
    assert!(joint.contains("there is no joint `pivt`"), "{joint}");
    assert!(message("duration = 1").contains("a character or a passive object"));
}

#[test]
fn a_push_needs_somebody_and_what_happens_to_the_world_does_not() {
    let shove = "[events.shove]\nat = 0.1\nduration = 0.1\nbody = \"chest\"\nimpulse = [1, 0, 0]\n";
    let said = message(&format!("{BALL_AND_NOBODY}{shove}"));
    assert!(said.contains("there is no character for this push"), "{said}");
    files(&format!("{BALL_AND_NOBODY}[events.gone]\nkind = \"vanish\"\nobstacle = \"ground\"\nat = 0.5\n"));
}
