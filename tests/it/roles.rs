//! Bodies of other projects: roles of parts given in scenes, roles that a controller lacks on them, and shipped
//! controllers on all bodies.

use aplomb::controller::ControllerFile;
use aplomb::language::diagnostic::Source;
use aplomb::language::files::{Folder, shipped};
use aplomb::model::Model;
use aplomb::scene::{self, Run};
use aplomb::world::character::{CharacterError, CharacterOptions};
use aplomb::world::{StartPose, StepError, World, WorldError};

/// A shipped body with meaningless names for every body, joint and site.
fn nameless(name: &str) -> Model {
    let model = Model::shipped(name).unwrap();
    let mut text = std::fs::read_to_string(format!("characters/{name}.xml")).unwrap();
    let parts = [
        ("body", model.bodies.iter().map(|body| &body.name).collect::<Vec<_>>()),
        ("joint", model.joints.iter().map(|joint| &joint.name).collect()),
        ("site", model.sites.iter().map(|site| &site.name).collect()),
    ];
    for (tag, names) in parts {
        for (index, name) in names.into_iter().enumerate() {
            text = text.replace(&format!("<{tag} name=\"{name}\""), &format!("<{tag} name=\"{tag}{index}\""));
        }
    }
    text = text.replace("geom name=\"", "geom name=\"geom_");
    Model::parse("nameless.xml", &text).unwrap()
}

/// The mistakes of a controller on a body.
fn mistakes(model: Model, controller: &str) -> Vec<String> {
    let controller = ControllerFile::shipped(controller).unwrap();
    let needs = &controller.spec.needs;
    let objects = needs.passive.iter().map(|name| name.get_ref().as_str().into()).collect();
    let options = CharacterOptions { objects, ..CharacterOptions::default() };
    let mut world = World::builder().stand_ins(needs).build().unwrap();
    match world.add_character_with(model, controller, StartPose::standing(), options) {
        Ok(_) => Vec::new(),
        Err(WorldError::Character(CharacterError::Controller(errors))) => {
            errors.iter().map(ToString::to_string).collect()
        }
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn every_shipped_controller_runs_on_a_body_whose_names_say_nothing() {
    for controller in shipped(Folder::Controllers) {
        // They name joints and parts of the adult: forearms, an abdomen, heels and single joints have no roles.
        if ["get_up", "get_up_from_fall", "fall_and_get_up", "walk_on", "protective_fall", "step_or_fall"]
            .contains(&controller.as_str())
        {
            continue;
        }
        let body = if ["stand_quadruped", "step_quadruped", "trot_in_place"].contains(&controller.as_str()) {
            "quadruped"
        } else {
            "adult"
        };
        assert_eq!(mistakes(nameless(body), &controller), [""; 0], "{controller}");
    }
}

#[test]
fn a_body_moves_the_same_whatever_its_parts_are_called() {
    let end = |model: Model| {
        let mut world = World::builder().build().unwrap();
        let controller = ControllerFile::shipped("one_foot").unwrap();
        let hero = world.add_character(model, controller, StartPose::standing()).unwrap();
        let mut states = Vec::new();
        for _ in 0..250 {
            world.step().unwrap();
            states.push(world.result(hero).frame.state.clone());
        }
        (world.character(hero).snapshot.state.q.clone(), states)
    };
    let (own, states) = end(Model::shipped("adult").unwrap());
    assert!(states.iter().any(|state| state == "hold"), "it comes to stand on one foot: {states:?}");
    assert_eq!(end(nameless("adult")), (own, states));
}

#[test]
fn all_that_a_controller_needs_and_a_body_lacks_is_said_in_one_message() {
    let said = mistakes(Model::shipped("quadruped").unwrap(), "climb");
    let [message] = said.as_slice() else { panic!("{said:?}") };
    for role in ["left_upper_arm", "right_upper_arm", "left_palm", "right_palm"] {
        assert!(message.contains(&format!("`{role}`")), "{message}");
    }
    assert!(message.contains("`quadruped` has no"), "{message}");
    assert!(!message.contains("left_thigh"), "it has thighs: {message}");
    assert!(message.starts_with("controllers/climb.toml:"), "{message}");
    let said = mistakes(Model::shipped("adult").unwrap(), "trot_in_place");
    let [message] = said.as_slice() else { panic!("{said:?}") };
    let feet = ["left_front_sole", "right_front_sole", "left_hind_sole", "right_hind_sole"];
    assert!(feet.iter().all(|foot| message.contains(foot)), "{message}");
}

#[test]
fn what_is_wrong_besides_roles_that_are_missing_is_said_too() {
    let text = "start = \"a\"\n[states.a]\nuntil = \"height(left_palm) > hight\"\nto = [\"a\"]\n";
    let controller = ControllerFile::parse("own.toml", text).unwrap();
    let mut world = World::builder().build().unwrap();
    let added = world.add_character(Model::shipped("quadruped").unwrap(), controller, StartPose::standing());
    let Err(WorldError::Character(CharacterError::Controller(errors))) = added else {
        panic!("it was added")
    };
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("no `left_palm`") && said[1].contains("`hight`"), "{said:?}");
}

/// A scene with an adult, with these lines in its table.
fn scene_with(lines: &str) -> Source {
    let text = format!("duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n{lines}");
    Source::new("own.toml", text)
}

#[test]
fn a_scene_says_what_the_parts_of_a_body_are() {
    let source = scene_with(
        "[characters.a.roles]\nchest = \"abdomen\"\n[characters.a.role_joints]\narms = [\"left_elbow\"]\n\
         lower_back_y = [\"-chest_y\"]\n\
         [characters.a.role_points]\nleft_palm = { body = \"left_forearm\", at = [0, 0, -0.2] }\n",
    );
    let run = Run::bind(&scene::load_text(&source).unwrap()).unwrap();
    let hero = run.world.characters().next().unwrap();
    let model = &run.world.character(hero).model;
    let named = |name: &str| model.bodies.iter().position(|body| body.name == name);
    assert_eq!(model.body("chest").map(|body| body.0), named("abdomen"));
    assert_eq!(model.joints_of("arms"), Some(vec![model.joint("left_elbow").unwrap()]));
    assert_eq!(model.hinge("lower_back_y"), Some((model.joint("chest_y").unwrap(), -1.0)));
    let palm = &model.sites[model.site("left_palm").unwrap()];
    assert_eq!((palm.body.map(|body| body.0), palm.position.z), (named("left_forearm"), -0.2));
}

#[test]
fn mistakes_in_the_roles_of_a_scene_are_said_where_they_stand() {
    let source = scene_with(
        "[characters.a.roles]\nchst = \"abdomen\"\nhead = \"heed\"\n[characters.a.role_joints]\n\
         left_knee = [\"left_knee\", \"right_knee\"]\n",
    );
    let Err(errors) = Run::bind(&scene::load_text(&source).unwrap()) else { panic!("it is bound") };
    let said: Vec<String> = errors.iter().map(|error| format!("{error:#}")).collect();
    let expected = [
        "own.toml:6:1: there is no role `chst`\nhelp: did you mean `chest`?",
        "own.toml:7:8: there is no body `heed`\nhelp: did you mean `head`?",
        "own.toml:9:1: `left_knee` is one joint, not 2",
    ];
    assert_eq!(said, expected);
}

/// The names of the criteria of a scene that do not hold, and the states of all frames.
fn judged(name: &str, overrides: &[String]) -> (Vec<String>, Vec<String>) {
    let mut run = Run::bind(&scene::load(name, overrides).unwrap()).unwrap();
    let mut states = Vec::new();
    run.finish::<StepError>(|_, stepped| {
        states.push(stepped.frame().state.clone());
        Ok(())
    })
    .unwrap();
    let broken = run.criteria.iter().filter(|criterion| !criterion.holds);
    (broken.map(|criterion| criterion.name.to_string()).collect(), states)
}

#[test]
fn a_quadruped_takes_pushes_from_four_sides_without_a_step() {
    for impulse in ["[6.5, 0, 0]", "[-6.5, 0, 0]", "[0, 6.5, 0]", "[0, -6.5, 0]"] {
        let (broken, _) = judged("stand_quadruped", &[format!("events.push.impulse={impulse}")]);
        assert_eq!(broken, [""; 0], "{impulse}");
    }
    // A push that no stance withstands is lost, and the criteria report it.
    let (broken, _) = judged("stand_quadruped", &["events.push.impulse=[0, 40, 0]".into()]);
    assert!(broken.contains(&"settled".to_string()), "{broken:?}");
}

#[test]
fn a_quadruped_trots_on_the_spot_and_takes_a_push() {
    for impulse in ["[0, 4, 0]", "[0, -4, 0]", "[4, 0, 0]"] {
        let (broken, states) = judged("trot_in_place", &[format!("events.push.impulse={impulse}")]);
        assert_eq!(broken, [""; 0], "{impulse}");
        assert_eq!(states.last().map(String::as_str), Some("swing"));
    }
}

#[test]
fn a_quadruped_steps_where_standing_would_not_do_and_comes_to_rest_in_its_stance() {
    for impulse in ["[0, 20, 0]", "[0, -20, 0]", "[25, 0, 0]"] {
        let push = [format!("events.push.impulse={impulse}")];
        let (broken, states) = judged("step_quadruped", &push);
        assert_eq!(broken, [""; 0], "{impulse}");
        assert!(states.iter().any(|state| state == "swing"), "{impulse}");
        assert_eq!(states.last().map(String::as_str), Some("balance"), "{impulse}");
    }
    let standing = [r#"characters.quadruped.controller="stand_quadruped""#.to_string()];
    let (broken, _) = judged("step_quadruped", &standing);
    assert!(broken.contains(&"settled".to_string()), "{broken:?}");
}

#[test]
fn roles_are_drawn_on_the_body_as_picture_and_as_thumbnail() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |name: &str, more: &[&str]| {
        let file = folder.path().join(name);
        let mut arguments = vec!["roles", "adult", "--picture", file.to_str().unwrap()];
        arguments.extend(more);
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_aplomb")).args(arguments).output().unwrap();
        (done.status.code(), file)
    };
    let (code, file) = draw("adult.svg", &[]);
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(code, Some(0));
    for role in ["left_foot", "right_hand", "pelvis", "left_toe_tip"] {
        assert!(text.contains(role), "{role} is written beside the body");
    }
    let (code, file) = draw("adult.png", &["--thumbnail"]);
    let picture = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(file).unwrap()));
    let picture = picture.read_info().unwrap();
    assert_eq!((code, picture.info().width, picture.info().height), (Some(0), 120, 120));
    assert_eq!(draw("adult.jpeg", &[]).0, Some(2));
}
