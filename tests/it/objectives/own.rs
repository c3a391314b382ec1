//! Goals that a program adds: its own objectives, and shipped kinds with its own numbers. They do not occur in any
//! file.

use super::{BALANCE, Trial, View, bound, files};
use aplomb::model::{BodyId, Model};
use aplomb::objective::{Axes, BodyPoint, Form, Marker, Now, Objective, Order, Residual, Subject, Target};
use aplomb::predict::Prediction;
use aplomb::scene::{self, Run as SceneRun};
use aplomb::trace::{Outcome, Trace};
use aplomb::world::Goal;
use nalgebra::{Point3, Vector3};

/// The body of a site, and its position on it.
fn site(model: &Model, name: &str) -> (BodyId, Vector3<f64>) {
    let site = &model.sites[model.site(name).unwrap()];
    (site.body.unwrap(), site.position)
}

/// r = |p − q| − distance, m, for points p and q of two bodies.
struct Apart {
    points: [(BodyId, Vector3<f64>); 2],
    distance: f64,
}

impl Objective for Apart {
    fn residual<'p>(&self, now: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        let [p, q] = self.points.map(|(body, local)| (body, now.kinematics.point(body, &local)));
        let way = (p.1 - q.1).try_normalize(1e-9)?;
        let difference = next.point(p.0, &p.1) + next.point(q.0, &q.1) * -1.0;
        Some(Residual::position(difference.dot(&way) - self.distance))
    }

    fn follows(&self) -> Option<&'static str> {
        Some("m")
    }

    fn subject(&self, _: &Model) -> Option<Subject> {
        Some(Subject::number("m"))
    }

    fn compare(&self, now: &Now<'_>, pairs: &mut Vec<[f64; 2]>) -> Option<()> {
        let [p, q] = self.points.map(|(body, local)| now.kinematics.point(body, &local));
        pairs.push([self.distance, (p - q).norm()]);
        Some(())
    }

    fn marker(&self, now: &Now<'_>) -> Option<Marker> {
        let [actual, other] = self.points.map(|(body, local)| now.kinematics.point(body, &local));
        let way = (actual - other).try_normalize(1e-9)?;
        Some(Marker { actual, wanted: other + self.distance * way, key: None })
    }
}

#[test]
fn an_objective_written_in_a_program_says_target_actual_value_and_error_as_shipped_ones_do() {
    let files = files(BALANCE, "", &[], 0.3);
    let mut simulation = SceneRun::bind(&files).unwrap_or_else(|errors| panic!("{errors:?}"));
    let model = simulation.character().model.clone();
    let points = ["left_hand_grip", "right_hand_grip"].map(|hand| site(&model, hand));
    let hero = simulation.hero().unwrap();
    let character = simulation.character_mut();
    let form = || Form::Shaped { response: 0.1 };
    character.add_goal(Goal::new("hands", 20.0, form(), Apart { points, distance: 0.4 }));
    character.add_goal(Goal::new("silent", 1e-3, Form::Direct, Rest));
    let header = scene::header(&files, &simulation);
    let numbers = |name: &str| header.measured.iter().filter(|number| number.name() == name).count();
    assert_eq!((numbers("hands"), numbers("silent")), (1, 0));

    let mind = simulation.world.mind(hero, &mut None);
    let goal = |name: &str| mind.goals.iter().find(|goal| goal.name == name).unwrap();
    let aim = goal("hands").aim.as_ref().unwrap();
    let apart = |q: &[f64]| {
        let poses = model.body_poses(q);
        let [left, right] = points.map(|(body, point)| poses[body.0] * Point3::from(point));
        (left - right).norm()
    };
    let now = apart(&simulation.world.state(hero).q);
    assert_eq!((&aim.target[..], aim.unit, aim.key), (&[0.4][..], "m", None));
    assert!((aim.actual[0] - now).abs() < 1e-12 && (aim.error - (now - 0.4).abs()).abs() < 1e-12);
    let [actual, wanted] = aim.point.unwrap();
    assert!(((wanted - actual).norm() - aim.error).abs() < 1e-12);
    assert_eq!(goal("silent").aim, None);

    let mut frames = Vec::new();
    while !simulation.is_over() {
        frames.push(simulation.step().unwrap().unwrap().frame());
    }
    let expected: Vec<f64> = frames.iter().map(|frame| apart(&frame.q)).collect();
    let trace = Trace { header, frames, parts: Vec::new(), torn: None };
    let series = |name: &str| trace.series(name).unwrap_or_else(|| panic!("no channel {name}"));
    let (target, actual, error) = (series("target.hands"), series("actual.hands"), series("error.hands"));
    for (k, distance) in expected.iter().enumerate() {
        assert_eq!(target[k], Some(0.4));
        assert!((actual[k].unwrap() - distance).abs() < 1e-12, "frame {k}");
        assert!((error[k].unwrap().abs() - (distance - 0.4).abs()).abs() < 1e-12, "frame {k}");
    }
    assert!(
        error[0].unwrap().abs() > 2.0 * error[expected.len() - 1].unwrap().abs(),
        "there is something to do"
    );
    assert!(trace.series("target.silent").is_none());
}

#[test]
fn an_objective_written_in_a_program_is_met_and_its_target_may_change_on_the_way() {
    let mut simulation = bound(BALANCE, "", &[], 2.0);
    let model = simulation.character().model.clone();
    let hands = ["left_hand_grip", "right_hand_grip"];
    let points = hands.map(|hand| site(&model, hand));
    let goal = Goal::new("hands", 20.0, Form::Shaped { response: 0.1 }, Apart { points, distance: 0.4 });
    let id = simulation.character_mut().add_goal(goal);
    let cost = simulation.character().objectives.iter().position(|name| name == "hands").unwrap();
    assert!(simulation.character().followed.contains(&(cost, "m")));

    let mut distances = Vec::new();
    while !simulation.is_over() {
        if simulation.world.frame_index() == 100 {
            let goal = simulation.character_mut().goal_mut(id).unwrap();
            assert!(goal.objective_mut::<BodyPoint>().is_none(), "it is of another type");
            goal.objective_mut::<Apart>().unwrap().distance = 0.7;
        }
        assert!(simulation.step().unwrap().is_some());
        let frame = simulation.frame();
        assert!(matches!(frame.outcome, Outcome::Solved), "{:?}", frame.outcome);
        let poses = model.body_poses(&frame.q);
        let [left, right] = points.map(|(body, point)| poses[body.0] * Point3::from(point));
        distances.push((left - right).norm());
        let wanted = if frame.index < 100 { 0.4 } else { 0.7 };
        let reported = frame.distances.last().copied().flatten().unwrap();
        assert!((reported - (distances[distances.len() - 1] - wanted).abs()).abs() < 1e-9);
        assert!(frame.costs[cost] >= 0.0);
    }
    assert!((distances[0] - 0.4).abs() > 0.05, "there is something to do");
    assert!((distances[99] - 0.4).abs() < 0.01, "{} m", distances[99]);
    assert!((distances[199] - 0.7).abs() < 0.01, "{} m", distances[199]);
}

#[test]
fn a_goal_built_in_a_program_moves_the_body_to_the_bit_as_that_of_a_file_does() {
    let target = [0.3, 0.3, 1.1];
    let written = format!(
        "name = \"reach\"\nweight = 30\n\
         of = {{ body_point = {{ point = \"left_hand_grip\", target = {target:?}, horizontal = true }} }}"
    );
    let of_file = Trial::of(&[&written], &[], 1.0);
    let mut of_program = bound(BALANCE, "", &[], 1.0);
    let (body, point) = site(&of_program.character().model, "left_hand_grip");
    let target = Target::fixed(Vector3::from(target));
    let reach = BodyPoint { body, point, target, relative_to: None, axes: Axes::Horizontal };
    of_program.character_mut().add_goal(Goal::new("reach", 30.0, Form::Direct, reach));
    let of_program = Trial::of_bound(of_program);
    assert_eq!(of_file.frames.len(), of_program.frames.len());
    for (a, b) in of_file.frames.iter().zip(&of_program.frames) {
        assert_eq!((&a.q, &a.v, &a.torque, &a.costs), (&b.q, &b.v, &b.torque, &b.costs), "at {} s", a.time);
    }
    let hand = |view: View<'_>| view.site("left_hand_grip");
    assert!((hand(of_file.end()) - hand(of_file.start())).norm() > 0.05, "it does something");
}

#[test]
fn a_goal_that_is_disabled_changes_nothing_and_one_that_is_hard_holds() {
    let point = |simulation: &SceneRun, target| {
        let (body, point) = site(&simulation.character().model, "left_hand_grip");
        BodyPoint { body, point, target: Target::fixed(target), relative_to: None, axes: Axes::All }
    };
    let without = Trial::of(&[], &[], 0.3);
    let start = without.start().site("left_hand_grip");
    let mut disabled = bound(BALANCE, "", &[], 0.3);
    let far = point(&disabled, start + Vector3::new(0.3, 0.0, 0.3));
    let id = disabled.character_mut().add_goal(Goal::new("far", 100.0, Form::Direct, far));
    disabled.character_mut().goal_mut(id).unwrap().enable(false);
    let mut hard = bound(BALANCE, "", &[], 0.3);
    let here = point(&hard, start + Vector3::new(0.02, 0.0, 0.02));
    hard.character_mut().add_goal(Goal::new("here", 1.0, Form::Shaped { response: 0.1 }, here).hard());
    let (disabled, hard) = (Trial::of_bound(disabled), Trial::of_bound(hard));
    assert!(without.frames.iter().zip(&disabled.frames).all(|(a, b)| a.q == b.q));
    assert!(hard.costs("here").into_iter().fold(0.0, f64::max) < 1e-16);
    assert!(without.frames.iter().zip(&hard.frames).any(|(a, b)| a.q != b.q));
}

#[test]
fn a_weight_a_program_gives_that_is_no_weight_is_refused_by_name() {
    let mut simulation = bound(BALANCE, "", &[], 0.1);
    let id = simulation.character_mut().add_goal(Goal::new("odd", 1.0, Form::Direct, Rest));
    let terms = simulation.character_mut().goal_mut(id).and_then(Goal::terms_mut).unwrap();
    terms.weight = -2.0;
    let error = simulation.step().unwrap_err();
    assert_eq!(error.to_string(), "weight of objective `odd` is -2 at t = 0 s");
    let terms = simulation.character_mut().goal_mut(id).and_then(Goal::terms_mut).unwrap();
    (terms.weight, terms.form) = (1.0, Form::Shaped { response: 0.0 });
    let error = simulation.step().unwrap_err();
    assert_eq!(error.to_string(), "response of objective `odd` is 0 at t = 0 s");
}

/// r = ċ⁺, m/s.
struct Rest;

impl Objective for Rest {
    fn residual<'p>(&self, _: &Now<'_>, next: &Prediction<'p>) -> Option<Residual<'p>> {
        Some(Residual::of(next.com_velocity(), Order::Velocity { time_constant: 0.1 }))
    }
}
