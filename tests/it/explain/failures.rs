//! Deliberate failures: scenes in which one thing is wrong, and known.

use aplomb::analysis::explain::FailureKind;
use aplomb::scene::{self, Run, SceneFiles};
use aplomb::world::StepError;
use std::fs;

/// The kinds of failures that are made, in the order of their seeds.
pub const KINDS: [FailureKind; 6] = [
    FailureKind::Slipped,
    FailureKind::PushedTooHard,
    FailureKind::TorqueLimit,
    FailureKind::ConflictingGoals,
    FailureKind::WrongTarget,
    FailureKind::WrongExit,
];

const BALANCE: &str = include_str!("../../../controllers/balance.toml");
const STEPS: &str = include_str!("../../../controllers/step_recovery.toml");
const LIMP: &str = include_str!("../../../controllers/limp.toml");
const ADULT: &str = include_str!("../../../characters/adult.xml");

/// The SplitMix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A uniform number, rounded to two decimal places.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (100.0 * (low + share * (high - low))).round() / 100.0
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.next() % list.len() as u64) as usize]
    }
}

/// A scene in which one thing is wrong.
#[derive(Clone)]
pub struct Failure {
    pub kind: FailureKind,
    /// Description of the fault.
    pub about: String,
    wrong: Texts,
    /// The same scene without the fault.
    right: Texts,
}

#[derive(Clone)]
struct Texts {
    controller: String,
    model: String,
    friction: f64,
    push: Option<[f64; 2]>,
    duration: f64,
}

impl Texts {
    /// The scene as files, loaded from a folder that is then removed.
    fn files(&self) -> SceneFiles {
        let folder = tempfile::tempdir().unwrap();
        let Texts { controller, model, friction, push, duration } = self;
        let mut scene = format!(
            "duration = {duration}\n[ground]\nfriction = {friction:?}\n[characters.adult]\nmodel = \"model.xml\"\n\
             controller = \"controller.toml\"\n"
        );
        if let Some([x, y]) = push {
            scene += &format!(
                "[events.push]\nat = 0.3\nduration = 0.15\nbody = \"chest\"\nimpulse = [{x:?}, {y:?}, 0.0]\n"
            );
        }
        scene += "[success]\nupright = { always = \"com_height > 0.75 * standing_height\" }\n";
        fs::write(folder.path().join("controller.toml"), controller).unwrap();
        fs::write(folder.path().join("model.xml"), model).unwrap();
        let path = folder.path().join("scene.toml");
        fs::write(&path, scene).unwrap();
        scene::load(path.to_str().unwrap(), &[]).unwrap_or_else(|error| panic!("{error:?}"))
    }

    fn holds(&self) -> bool {
        let files = self.files();
        let mut run = Run::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
        run.finish::<StepError>(|_, _| Ok(())).unwrap();
        run.criteria.iter().all(|criterion| criterion.holds)
    }
}

fn pushed(random: &mut Random, least: f64, most: f64) -> [f64; 2] {
    let strength = random.between(least, most);
    let angle = random.between(0.0, 360.0).to_radians();
    [(100.0 * strength * angle.cos()).round() / 100.0, (100.0 * strength * angle.sin()).round() / 100.0]
}

/// The body with this share of its ankle strength.
fn weak(share: f64) -> String {
    let scaled = |line: &str| -> String {
        if !line.contains("_ankle_") {
            return line.to_string();
        }
        let start = line.find("actuatorfrcrange=\"").unwrap() + "actuatorfrcrange=\"".len();
        let end = start + line[start..].find('"').unwrap();
        let limits: Vec<String> = line[start..end]
            .split(' ')
            .map(|limit| format!("{:.3}", share * limit.parse::<f64>().unwrap()))
            .collect();
        format!("{}{}{}", &line[..start], limits.join(" "), &line[end..])
    };
    ADULT.lines().map(scaled).collect::<Vec<_>>().join("\n")
}

fn objective(name: &str, rest: &str, of: &str) -> String {
    format!("\n[[states.balance.objectives]]\nname = \"{name}\"\n{rest}\nof = {of}\n")
}

impl Failure {
    /// A random scene of this kind, which may or may not fail.
    fn drawn(kind: FailureKind, random: &mut Random) -> Failure {
        let right = Texts {
            controller: BALANCE.into(),
            model: ADULT.into(),
            friction: 1.0,
            push: None,
            duration: 2.5,
        };
        let (about, wrong, right) = match kind {
            FailureKind::Slipped => {
                let steps = random.one_of(&[false, true]);
                let controller = if steps { STEPS } else { BALANCE };
                let push = Some(if steps { pushed(random, 20.0, 36.0) } else { pushed(random, 10.0, 24.0) });
                let right = Texts { controller: controller.into(), push, ..right };
                let friction = random.between(0.02, 0.12);
                (format!("friction {friction}"), Texts { friction, ..right.clone() }, right)
            }
            FailureKind::PushedTooHard => {
                let steps = random.one_of(&[false, true]);
                let controller = if steps { STEPS } else { BALANCE };
                let push = if steps { pushed(random, 80.0, 130.0) } else { pushed(random, 36.0, 70.0) };
                let right =
                    Texts { controller: controller.into(), push: Some(push.map(|part| 0.2 * part)), ..right };
                (format!("push {push:?}"), Texts { push: Some(push), ..right.clone() }, right)
            }
            FailureKind::TorqueLimit => {
                let right = Texts { push: Some(pushed(random, 8.0, 20.0)), ..right };
                let share = random.between(0.02, 0.35);
                (format!("ankles × {share}"), Texts { model: weak(share), ..right.clone() }, right)
            }
            FailureKind::ConflictingGoals => {
                let pair = random.one_of(&[0, 1, 2]);
                let (low, high) = (random.between(0.30, 0.55), random.between(0.90, 0.98));
                let side = random.one_of(&[-1.0, 1.0]);
                let far = side * random.between(0.45, 0.8);
                let goals = |terms: &str| -> String {
                    let (a, b) = match pair {
                        0 => (
                            format!("{{ com_height = {{ target = \"{low} * standing_height\" }} }}"),
                            format!("{{ com_height = {{ target = \"{high} * standing_height\" }} }}"),
                        ),
                        1 => (
                            format!("{{ com_position = {{ target = [{far}, 0, 0], horizontal = true }} }}"),
                            format!(
                                "{{ com_position = {{ target = [{}, 0, 0], horizontal = true }} }}",
                                0.1 * far
                            ),
                        ),
                        _ => (
                            format!("{{ com_position = {{ target = [0, {far}, 0], horizontal = true }} }}"),
                            format!(
                                "{{ com_position = {{ target = [0, {}, 0], horizontal = true }} }}",
                                0.1 * far
                            ),
                        ),
                    };
                    let terms = format!("weight = 0.01\nresponse = 0.3\n{terms}");
                    objective("this", &terms, &a) + &objective("that", &terms, &b)
                };
                let about = format!("hard goals of pair {pair}: {low}, {high}, {far}");
                let with = |terms: &str| BALANCE.to_string() + &goals(terms);
                let wrong = Texts { controller: with("hard = true"), ..right.clone() };
                (about, wrong, Texts { controller: with("hard = false"), ..right })
            }
            FailureKind::WrongTarget => {
                let (x, y) = (random.between(-0.5, 0.5), random.between(-0.6, 0.6));
                let weight = random.between(60.0, 400.0);
                let goal = objective(
                    "hips there",
                    &format!("weight = {weight}\nresponse = 0.3"),
                    &format!("{{ com_position = {{ target = [{x}, {y}, 0], horizontal = true }} }}"),
                );
                let wrong = Texts { controller: BALANCE.to_string() + &goal, ..right.clone() };
                (format!("target {x}, {y} with weight {weight}"), wrong, right)
            }
            _ => {
                let time = random.between(0.2, 0.9);
                let after = random.one_of(&["rest", "limp"]);
                let right = Texts { push: Some(pushed(random, 4.0, 12.0)), ..right };
                let head = "[states.balance]\n";
                let exit = format!("{head}until = \"time > {time}\"\nto = [\"{after}\"]\n");
                let soft = LIMP.split("[states.limp]").nth(1).unwrap();
                let soft =
                    soft.replace("states.limp.", "states.rest.").replace("weight = 0.05", "weight = 0.01");
                let states = format!("\n[states.limp]\ndrive = \"limp\"\n\n[states.rest]{soft}");
                let controller = BALANCE.replace(head, &exit) + &states;
                (format!("to `{after}` at {time} s"), Texts { controller, ..right.clone() }, right)
            }
        };
        Failure { kind, about, wrong, right }
    }

    /// The failure of this kind and number: the first random scene that fails, and does not fail without the fault.
    pub fn new(kind: FailureKind, number: u64) -> Failure {
        let place = KINDS.iter().position(|known| *known == kind).unwrap() as u64;
        let mut random = Random(1000 * place + number);
        for _ in 0..60 {
            let drawn = Failure::drawn(kind, &mut random);
            if !drawn.wrong.holds() && drawn.right.holds() {
                return drawn;
            }
        }
        panic!("no failure of {kind:?} in 60 draws");
    }

    pub fn files(&self) -> SceneFiles {
        self.wrong.files()
    }
}
