//! Criteria of a scene, evaluated during the run.

use crate::event::{EventKind, EventSpec};
use crate::{Criterion, SceneFiles};
use aplomb_body::contact::grip::Hold;
use aplomb_body::model::Model;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors};
use aplomb_language::expression::{
    Condition, ConditionField, Lookup, Meaning, Names, NearMiss, NearestDeciding,
};
use aplomb_world::controller::quantity::{Around, ModelNames, SceneryNames, WorldNames};
use aplomb_world::controller::{ControllerSpec, OF_MACHINE, hint_of_state};

/// A bound criterion of the scene with its present result.
pub struct BoundCriterion {
    /// Name in the scene.
    pub name: String,
    /// Index of the character that it is about.
    pub of: usize,
    /// Frames in which the condition has to hold.
    pub kind: CriterionKind,
    /// The condition, with its names resolved.
    pub condition: Condition,
    /// Time at which `always` was first violated or `once` first held, s.
    pub at: Option<f64>,
    /// Whether the criterion is met so far.
    pub holds: bool,
    /// Margin by which it is met so far, negative if it is violated ([`Condition::slack`]): for `always` the
    /// smallest of all frames, for `once` the largest, for `at_end` that of the last. `None` unless requested
    /// ([`Run::measure_margins`](super::Run::measure_margins)).
    pub margin: Option<f64>,
    /// The deciding comparison if it is not met: for `always` in the frame that violated it, for `once` in the
    /// frames that were nearest to meeting it, for `at_end` in the last one. `None` while it is met, and for
    /// `at_end` before the end.
    pub decided: Option<NearestDeciding>,
}

impl BoundCriterion {
    /// The deciding comparison with its values if the criterion is not met; `None` if it is.
    pub fn miss(&self) -> Option<NearMiss> {
        let decided = self.decided.filter(|_| !self.holds)?;
        self.condition.miss(decided, None, &|_| None)
    }
}

/// Frames in which the condition of a criterion must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CriterionKind {
    /// In every frame.
    Always,
    /// In the last frame.
    AtEnd,
    /// In at least one frame.
    Once,
}

/// Evaluates the criteria of the character with this index in the present frame; returns false if one of kind
/// `always` does not hold.
pub(crate) fn judge(criteria: &mut [BoundCriterion], of: usize, now: &dyn Lookup) -> bool {
    let mut upright = true;
    for criterion in criteria.iter_mut().filter(|criterion| criterion.of == of) {
        let holds = criterion.condition.value(now);
        criterion.holds = match criterion.kind {
            CriterionKind::Always => criterion.holds && holds,
            CriterionKind::AtEnd => holds,
            CriterionKind::Once => criterion.holds || holds,
        };
        if let Some(margin) = &mut criterion.margin {
            let slack = criterion.condition.slack(now);
            *margin = match criterion.kind {
                CriterionKind::Always => margin.min(slack),
                CriterionKind::AtEnd => slack,
                CriterionKind::Once => margin.max(slack),
            };
        }
        let decisive = match criterion.kind {
            CriterionKind::Always => !holds,
            CriterionKind::Once => holds,
            CriterionKind::AtEnd => false,
        };
        match criterion.kind {
            CriterionKind::Always if !holds && criterion.at.is_none() => {
                criterion.decided = Some(criterion.condition.deciding(now).into());
            }
            CriterionKind::Once if !criterion.holds => {
                criterion.decided = Some(criterion.condition.nearest(now, criterion.decided));
            }
            _ => {}
        }
        if decisive && criterion.at.is_none() {
            criterion.at = Some(now.time());
        }
        upright &= criterion.kind != CriterionKind::Always || holds;
    }
    upright
}

/// Records the deciding comparison of each criterion that the last frame does not meet.
pub(crate) fn judge_end(criteria: &mut [BoundCriterion], of: usize, now: &dyn Lookup) {
    let unmet = |criterion: &&mut BoundCriterion| {
        criterion.of == of && criterion.kind == CriterionKind::AtEnd && !criterion.holds
    };
    for criterion in criteria.iter_mut().filter(unmet) {
        criterion.decided = Some(criterion.condition.deciding(now).into());
    }
}

/// Binds the conditions of all criteria: the scene's in its order, then those of each character. `bodies`: models of
/// the characters.
pub(crate) fn bind_criteria(
    files: &SceneFiles,
    bodies: &[Model],
    holds: &[Hold],
) -> Result<Vec<BoundCriterion>, FileErrors> {
    let mut errors = Vec::new();
    let mut bound = Vec::new();
    let mut bind = |of: usize, name: String, criterion: &Criterion| {
        let kind = match criterion {
            Criterion::Always(_) => CriterionKind::Always,
            Criterion::AtEnd(_) => CriterionKind::AtEnd,
            Criterion::Once(_) => CriterionKind::Once,
        };
        match bind_condition(files, bodies, holds, of, criterion.condition()) {
            Ok(condition) => {
                let holds = kind == CriterionKind::Always;
                let (at, margin, decided) = (None, None, None);
                bound.push(BoundCriterion { name, of, kind, condition, at, holds, margin, decided });
            }
            Err(error) => errors.push(error),
        }
    };
    for (name, criterion) in &files.scene.success {
        bind(0, name.get_ref().clone(), criterion);
    }
    for (of, (character, spec)) in files.scene.characters.iter().enumerate().take(bodies.len()) {
        for (name, criterion) in &spec.success {
            bind(of, format!("{}.{}", character.get_ref(), name.get_ref()), criterion);
        }
    }
    if errors.is_empty() { Ok(bound) } else { Err(errors.into()) }
}

/// Binds a condition of the scene that refers to the character with this index.
///
/// # Errors
/// If the condition uses an unavailable name, or has another mistake.
pub(super) fn bind_condition(
    files: &SceneFiles,
    bodies: &[Model],
    holds: &[Hold],
    of: usize,
    condition: &ConditionField,
) -> Result<Condition, FileError> {
    let (objects, surfaces) = (files.scene.object_names(), files.surfaces());
    let characters = files.scene.character_names();
    let around = Around { holds, objects: &objects, surfaces: &surfaces, characters: &characters };
    let nobody = Model::empty();
    let names = WorldNames { model: ModelNames(bodies.get(of).unwrap_or(&nobody)), around };
    let scenery = SceneryNames(&names);
    let names: &dyn Names = if bodies.is_empty() { &scenery } else { &names };
    // The states of a replacing controller differ.
    let replaces = |(name, event): (&Spanned<String>, &EventSpec)| {
        event.kind == EventKind::Replace && event.whom(files, name).is_ok_and(|whom| whom == of)
    };
    let is_replaced = files.scene.events.iter().any(replaces);
    let machine = files.characters.get(of).map(|character| &character.controller).filter(|_| !is_replaced);
    let machine = machine.map(|controller| &controller.spec);
    condition.bind(&files.scene_source, &OfCriteria { world: names, machine })
}

/// The names that criteria may use: those of the world, and states of the character's controller.
struct OfCriteria<'a> {
    world: &'a dyn Names,
    machine: Option<&'a ControllerSpec>,
}

impl Names for OfCriteria<'_> {
    fn meaning(&self, name: &str) -> Option<Meaning> {
        let of_state = || self.machine.and_then(|machine| machine.meaning_of_state(name));
        self.world.meaning(name).or_else(of_state)
    }

    fn known(&self) -> Vec<String> {
        let states = self.machine.into_iter().flat_map(|machine| machine.state_names().map(str::to_owned));
        let asked = OF_MACHINE.iter().filter(|_| self.machine.is_some()).map(|(name, ..)| name.to_string());
        self.world.known().into_iter().chain(asked).chain(states).collect()
    }

    fn not_a_state(&self, name: &str) -> Option<String> {
        self.machine?.not_a_state(name)
    }

    fn hint(&self, name: &str) -> Option<String> {
        let of_machine = OF_MACHINE.iter().any(|(known, ..)| *known == name);
        let hint = || format!("`{name}` is not available if an event replaces the controller");
        let of_state = || hint_of_state(name, self.machine?.states.keys().next()?.get_ref());
        let of_include = || self.machine?.hint_of_include(name);
        self.world.hint(name).or_else(|| of_machine.then(hint)).or_else(of_state).or_else(of_include)
    }
}

#[cfg(test)]
mod tests {
    use crate::Run;
    use aplomb_language::diagnostic::{FileErrors, Source};
    use aplomb_trace::Frame;
    use aplomb_world::StepError;
    use std::fs;

    const TWO_STATES: &str = "start = \"first\"\n\
        [states.first]\nuntil = \"time > 0.095\"\nto = [\"second\"]\n\
        [states.second]\n";

    /// A body that stays in its first state for 0.1 s, evaluated with these criteria.
    fn judged(model: &str, criteria: &str) -> (Run, Vec<Frame>) {
        let folder = tempfile::tempdir().unwrap();
        let scene = format!(
            "duration = 0.25\n[characters.a]\nmodel = \"{model}\"\ncontroller = \"two.toml\"\n[success]\n{criteria}"
        );
        let file = folder.path().join("scene.toml");
        fs::write(folder.path().join("two.toml"), TWO_STATES).unwrap();
        fs::write(&file, scene).unwrap();
        let mut run = Run::bind(&crate::load(file.to_str().unwrap(), &[]).unwrap()).unwrap();
        let mut frames = Vec::new();
        let last = run.finish::<StepError>(|_, result| {
            frames.push(result.frame());
            Ok(())
        });
        frames.push(last.unwrap());
        (run, frames)
    }

    #[test]
    fn criteria_see_the_time_in_the_state_on_the_clock_of_the_controller() {
        for model in ["adult", "child"] {
            let (run, frames) = judged(
                model,
                "grows = { once = \"state_time > 0.055\" }\n\
                 begins_anew = { always = \"state_time < 0.21\" }\n\
                 at_last = { at_end = \"state_time > 0.14\" }",
            );
            assert!(run.criteria.iter().all(|criterion| criterion.holds), "{model}");
            let second = run.character().snapshot.scales.time();
            let first = frames.iter().find(|frame| frame.state_time > 0.055 * second).unwrap();
            assert_eq!(run.criteria[0].at, Some(first.time), "{model}");
            assert_eq!(frames.last().unwrap().state, "second");
        }
    }

    #[test]
    fn a_criterion_that_is_not_met_tells_its_value_and_the_nearest_miss() {
        let (run, _) = judged(
            "adult",
            "soon = { once = \"time > 0.3 or touches(head)\" }\n\
             late = { at_end = \"time > 0.5 and time < 1\" }\n\
             brief = { always = \"time < 0.2\" }\n\
             fine = { once = \"time > 0.1\" }",
        );
        let told: Vec<Option<String>> =
            run.criteria.iter().map(|criterion| criterion.miss().map(|miss| miss.to_string())).collect();
        let expected = [
            Some(
                "time > 0.3 or touches(head): nearest time = 0.2, touches(head) = false at 0.20 s".to_owned(),
            ),
            Some("time > 0.5: nearest 0.2 at 0.20 s, where the rest held".to_owned()),
            Some("time < 0.2: nearest 0.2 at 0.20 s".to_owned()),
            None,
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn criteria_speak_of_states() {
        let (run, _) = judged(
            "adult",
            "came = { once = \"present_state == second\" }\n\
             from = { at_end = \"previous_state == first and visits(second) == 1\" }\n\
             never = { once = \"visits(second) > 1\" }",
        );
        let holds: Vec<bool> = run.criteria.iter().map(|criterion| criterion.holds).collect();
        assert_eq!((holds, run.criteria[0].at.is_some()), (vec![true, true, false], true));
    }

    #[test]
    fn a_criterion_says_by_how_much_it_is_met_where_it_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("two.toml"), TWO_STATES).unwrap();
        let file = folder.path().join("scene.toml");
        let part = |apart: f64| apart / (1.0 + apart.abs());
        // The last record is at 0.25 s.
        let cases = [
            ("always = \"time < 0.5\"", part(0.25)),
            ("always = \"time < 0.5 and time > -0.1\"", part(0.1)),
            ("always = \"time < 0.5 or true\"", 1.0),
            ("once = \"time > 0.1\"", part(0.15)),
            ("once = \"time >= 1\"", part(-0.75)),
            ("at_end = \"not time < 0.2\"", part(0.05)),
            ("at_end = \"time > 0.75 if contacts == 99 else time > 1.25\"", part(-1.0)),
            ("at_end = \"time == 0.5\"", part(-0.25)),
            ("at_end = \"sqrt(0 - 1) > 0\"", -1.0),
        ];
        for (criterion, margin) in cases {
            let scene = format!(
                "duration = 0.25\n[characters.a]\nmodel = \"adult\"\ncontroller = \"two.toml\"\n\
                 [success]\njudged = {{ {criterion} }}"
            );
            fs::write(&file, scene).unwrap();
            let mut run = Run::bind(&crate::load(file.to_str().unwrap(), &[]).unwrap()).unwrap();
            assert_eq!(run.criteria[0].margin, None);
            run.measure_margins();
            run.finish::<StepError>(|_, _| Ok(())).unwrap();
            let found = run.criteria[0].margin.unwrap();
            assert!((found - margin).abs() < 1e-9, "{criterion}: {found}, not {margin}");
            assert_eq!(run.criteria[0].holds, margin > 0.0, "{criterion}");
        }
    }

    fn bound(criterion: &str) -> Result<Run, FileErrors> {
        const NOBODY: &str = "duration = 1\n[passive.ball]\nkind = \"articulated\"\nmodel = \"ball\"\n\
            [holds.at]\nhere = { position = [0, 0, 1] }\n[success]\n";
        let text = format!("{NOBODY}judged = {{ always = \"{criterion}\" }}");
        Run::bind(&crate::load_text(&Source::new("scene.toml", &text)).unwrap())
    }

    #[test]
    fn who_asks_the_ground_as_an_object_is_told_what_asks_of_surfaces() {
        let help = |criterion: &str| {
            let text = format!(
                "duration = 1\n[characters.a]\nmodel = \"adult\"\ncontroller = \"balance\"\n[success]\nx = \
                 {{ once = \"{criterion}\" }}"
            );
            let files = crate::load_text(&Source::new("scene.toml", &text)).unwrap();
            let errors = Run::bind(&files).err().expect(criterion);
            format!("{:#}", errors[0])
        };
        for wrong in ["touches_object(chest, ground)", "touches_object(chest, floor)"] {
            let said = help(wrong);
            assert!(said.contains("`touches_surface(body, "), "{said}");
        }
        let said = help("norm(force_from(chest, ground)) > 1");
        assert!(said.contains("used as `force_from(body, passive object or character)`"), "{said}");
    }

    #[test]
    fn where_nobody_acts_criteria_speak_of_the_ground_of_holds_and_of_objects_alone() {
        for fine in
            ["height(ball) > ground_height", "norm(velocity(ball)) < time + 1", "position(here).z == 1"]
        {
            assert!(bound(fine).is_ok(), "{fine}");
        }
        let none = ["com.z > 0", "state_time > 1", "swing_angle > 0", "grip_count == 0", "contacts == 0"];
        for wrong in none.into_iter().chain(["support_margin(position(ball)) > 0", "mass > 1"]) {
            let errors = bound(wrong).err().expect(wrong);
            let help = errors[0].help.clone().unwrap_or_default();
            assert!(help.contains("this scene has no"), "{wrong}: {help}");
        }
    }
}
