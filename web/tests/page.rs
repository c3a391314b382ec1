//! Requests of a page and their answers.

use aplomb_web::answer::answer;
use aplomb_web::finding::PageFinding;
use aplomb_web::numbers;
use aplomb_web::record;
use aplomb_web::session::PageSession;
use serde_json::{Value, json};

/// A page without a scene.
#[derive(Default)]
struct Page(Option<PageSession>);

impl Page {
    fn open(scene: &str) -> Self {
        let mut page = Page::default();
        page.ask(json!({"open": {"scene": scene}})).unwrap();
        page
    }

    fn ask(&mut self, request: Value) -> Result<Value, Vec<PageFinding>> {
        answer(&mut self.0, serde_json::from_value(request).unwrap())
    }

    fn step(&mut self, frames: usize) {
        let session = self.0.as_mut().unwrap();
        (0..frames).for_each(|_| session.step().unwrap());
    }

    fn look(&self) -> Vec<f64> {
        let mut all = Vec::new();
        numbers::write(self.0.as_ref().unwrap(), &mut all);
        all
    }

    fn com(&self) -> [f64; 3] {
        self.0.as_ref().unwrap().frame().com
    }
}

#[test]
fn every_scene_is_listed_with_its_title() {
    let scenes = Page::default().ask(json!("scenes")).unwrap();
    let all = scenes.as_array().unwrap();
    assert!(all.len() > 60);
    assert!(all.iter().all(|scene| scene["title"] != scene["name"]), "{all:?}");
    assert!(all.contains(&json!({"name": "balance_push", "title": "A push at the chest"})));
}

#[test]
fn an_open_scene_is_described_and_goes_on() {
    let mut page = Page::default();
    assert_eq!(page.ask(json!("mind")).unwrap_err()[0].message, "no scene is open");
    let described = page.ask(json!({"open": {"scene": "drive", "overrides": ["events={}"]}})).unwrap();
    assert_eq!(described["header"]["texts"], json!([]));
    assert_eq!(described["has_events"], false);
    assert_eq!(described["controller"]["file"], "drive.toml");
    let commands = described["controller"]["commands"].as_array().unwrap();
    let names: Vec<&str> = commands.iter().map(|command| command["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["walk_velocity", "turn"]);
    let bodies = described["centres"].as_array().unwrap().len();
    assert_eq!(page.look()[3], bodies as f64);
    page.step(10);
    let numbers = page.look();
    assert_eq!(numbers[..2], [0.09, 10.0], "the last frame, and the number of the next");
    assert!(page.ask(json!("mind")).unwrap()["state"].as_str().unwrap().starts_with("stand"));
}

#[test]
fn a_mistake_has_its_place_and_the_controller_before_goes_on() {
    let mut page = Page::open("stand");
    page.step(5);
    let text = page.ask(json!("controller")).unwrap()["text"].as_str().unwrap().to_owned();
    let line = 1 + text.lines().position(|line| line.starts_with("weight")).unwrap();
    let wrong = text.replacen("\nweight", "\nwieght", 1);
    let found = page.ask(json!({"check": {"text": wrong}})).unwrap();
    assert_eq!(found[0]["severity"], "error");
    assert_eq!((&found[0]["line"], &found[0]["end_column"]), (&json!(line), &json!(7)));
    assert_eq!(found[0]["help"], "did you mean `weight`?");
    let refused = page.ask(json!({"replace": {"text": wrong}})).unwrap_err();
    assert_eq!(refused[0].line, line);
    page.step(5);
    assert_eq!(page.ask(json!({"check": {"text": text}})).unwrap(), json!([]));
    // A rule of `aplomb check` that needs the body.
    let odd = text.replacen("weight = 200.0", "weight = 0.0", 1);
    let warned = page.ask(json!({"check": {"text": odd}})).unwrap();
    assert_eq!(warned[0]["severity"], "warning", "{warned}");
    assert_ne!(warned[0]["rule"], "");
    page.ask(json!({"replace": {"text": odd}})).unwrap();
    page.step(5);
    // Names that the body does not have are found when the controller is replaced.
    let other = text.replacen("body = \"chest\"", "body = \"chset\"", 1);
    assert!(page.ask(json!({"replace": {"text": other}})).unwrap_err()[0].line > 0);
}

#[test]
fn hands_push_pull_and_throw() {
    let mut page = Page::open("stand");
    page.step(20);
    let before = page.com();
    let chest = json!({"body": [0, 2]});
    let pull = json!({"target": chest, "local": [0, 0, 0.1], "anchor": [0.4, 0, 1.4], "stiffness": 400, "damping": 60});
    page.ask(json!({"pull": pull})).unwrap();
    page.step(20);
    assert!(page.com()[0] > before[0] + 0.005);
    assert_eq!(page.look()[page.look().len() - 7], 1.0, "it pulls");
    page.ask(json!("release")).unwrap();
    page.ask(json!({"push": {"target": chest, "force": [0, 100, 0], "duration": 0.1}})).unwrap();
    page.ask(json!({"press": {"target": chest, "force": [0, 5, 0]}})).unwrap();
    page.step(10);
    page.ask(json!({"press": {"target": chest, "force": [0, 0, 0]}})).unwrap();
    assert!(page.com()[1] > before[1] + 0.002);
    let throw = json!({"mass": 2, "radius": 0.1, "position": [2, 0, 1.2], "velocity": [-5, 0, 2]});
    page.ask(json!({"throw": throw})).unwrap();
    page.ask(json!({"throw": throw})).unwrap();
    assert_eq!(page.ask(json!("objects")).unwrap().as_array().unwrap().len(), 2);
    page.step(30);
    assert!(page.com()[2] > 0.8, "it stands");
    let nobody = json!({"push": {"target": {"body": [3, 0]}, "force": [0, 0, 0], "duration": 1}});
    assert!(page.ask(nobody).is_err());
    assert!(page.ask(json!({"set": {"name": "no such", "value": 1}})).is_err());
    assert!(page.ask(json!({"command": {"name": "turn", "value": [1]}})).is_err());
}

#[test]
fn what_was_kept_goes_on_with_the_same_numbers() {
    let mut page = Page::open("step_push");
    page.step(60);
    let kept = page.ask(json!("keep")).unwrap();
    page.ask(json!({"push": {"target": {"body": [0, 2]}, "force": [50, 0, 0], "duration": 0.1}})).unwrap();
    page.step(40);
    let there = page.look();
    page.ask(json!({"restore": kept})).unwrap();
    page.ask(json!({"push": {"target": {"body": [0, 2]}, "force": [50, 0, 0], "duration": 0.1}})).unwrap();
    page.step(40);
    assert_eq!(page.look(), there);
    page.ask(json!({"forget": kept})).unwrap();
    assert!(page.ask(json!({"restore": kept})).is_err());
}

#[test]
fn records_are_whole_and_end_with_the_run() {
    let mut page = Page::default();
    page.ask(json!({"open": {"scene": "bounce", "overrides": ["duration=0.03"]}})).unwrap();
    let session = page.0.as_mut().unwrap();
    let mut records = 0;
    while let Some(text) = record::next(session).unwrap() {
        let value: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(value["index"], records);
        assert_ne!(record::digest(&text), record::digest(b""));
        records += 1;
    }
    assert!(records > 0);
}

#[test]
fn what_the_forces_of_the_next_frame_are_for_is_told_and_changes_nothing() {
    let mut page = Page::open("stand");
    page.step(30);
    let before = page.look();
    let told = page.ask(json!("forces")).unwrap();
    assert_eq!(page.look(), before);
    let body = told.as_array().unwrap().iter().max_by(|a, b| {
        let up = |body: &Value| body["force"][2].as_f64().unwrap();
        up(a).total_cmp(&up(b))
    });
    let body = body.unwrap();
    assert!(body["force"][2].as_f64().unwrap() > 100.0, "{body}");
    let parts = body["parts"].as_array().unwrap();
    assert_eq!(parts[0]["name"], "equations of motion");
    assert!(parts.iter().any(|part| part["place"].as_str().is_some_and(|place| place.contains(".toml:"))));
    let others = Page::open("rope_swing").ask(json!("forces")).unwrap();
    assert!(others.is_array(), "{others}");
}

#[test]
fn futures_are_told_and_change_nothing() {
    let (mut page, mut other) = (Page::open("step_push"), Page::open("step_push"));
    for page in [&mut page, &mut other] {
        page.step(60);
    }
    let before = page.look();
    let chest = json!({"body": [0, 2]});
    let after = |page: &mut Page, force: f64| {
        let push = json!({"target": chest, "force": [force, 0, 0], "duration": 0.1});
        page.ask(json!({"future": {"seconds": 3.0, "push": push}})).unwrap()
    };
    assert_eq!(after(&mut page, 0.0), Value::Null, "it stands");
    let falls = after(&mut page, 3000.0).as_f64().expect("it falls");
    assert!(falls > 0.1 && falls < 3.0, "{falls}");
    let known = page.ask(json!("controller")).unwrap()["parameters"][0][0].clone();
    let set = json!({"future": {"seconds": 0.2, "set": {"name": known, "value": 0.1}}});
    assert_eq!(page.ask(set).unwrap(), Value::Null);
    let unknown = json!({"future": {"seconds": 1, "set": {"name": "no such", "value": 1}}});
    assert!(page.ask(unknown).is_err());
    assert_eq!(page.look(), before);
    page.step(40);
    other.step(40);
    assert_eq!(page.look(), other.look(), "the same bits");
}
