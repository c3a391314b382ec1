//! Stances that cannot support the body.

use super::look::{LintContext, LintedController};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_body::model::BodyId;
use aplomb_language::Spanned;
use aplomb_language::expression::BodyField;
use aplomb_world::controller::{Drive, StateSpec};

pub(super) const RULES: &[Rule] = &[
    rule!(
        "nothing-bears",
        "A state releases all contacts that support the body, and has no grips.",
        "No contact can carry load, so the body falls as long as the state lasts. Use `release_while` to limit \
         the release.",
        Some(nothing_bears)
    ),
    rule!(
        "frictionless-ground",
        "A character stands on ground without friction.",
        "Feet can only push straight up, so the controller cannot stop the body from tipping or drifting. Ice \
         has a friction coefficient of 0.05.",
        Some(frictionless)
    ),
    rule!(
        "gravity-not-down",
        "Gravity does not point down, is zero under a character, or is in other units than m/s².",
        "z is up: the earth has [0, 0, -9.81]. Without gravity feet do not stay on the ground, and quantities of \
         balance mean nothing. With [0, -9.81, 0] everything falls sideways; 981 is in cm/s².",
        Some(gravity)
    ),
    rule!(
        "grip-of-released",
        "A state grips with a body that it releases.",
        "A released body loses its grip in every frame, so the hold is never gripped.",
        None
    ),
    rule!(
        "nothing-to-grip",
        "A controller grips holds, and the scene has none.",
        "`nearest_hold` finds none, so no hand ever grips. Holds are defined in the scene by `[bars.NAME]` and \
         `[holds]`.",
        Some(nothing_to_grip)
    ),
];

fn nothing_bears(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let model = look.model;
    for (name, state) in controller.states() {
        // Outer states release too; a body that is released only for a while supports later.
        let releasing = || controller.spec.levels(state).filter(|level| level.release_while.is_none());
        let lets_all_go = state.drive == Drive::Torques && !holds(controller, state);
        if !lets_all_go || model.roles.feet.is_empty() {
            continue;
        }
        let body = |field: &BodyField| model.body(&field.written(controller.source).expression()?.name()?);
        let whole: Vec<BodyId> = releasing().flat_map(|level| &level.release).filter_map(body).collect();
        let alone: Vec<BodyId> =
            releasing().flat_map(|level| &level.release_parts).filter_map(body).collect();
        // `release_parts` releases a body without its descendants.
        let is_released =
            |body: BodyId| alone.contains(&body) || whole.iter().any(|above| model.is_within(body, *above));
        let all_of = |foot: &BodyId| {
            let touching = model.geoms.iter().filter(|geom| geom.collides).filter_map(|geom| geom.body);
            touching.filter(|body| model.is_within(*body, *foot)).all(is_released)
        };
        if model.roles.feet.iter().all(all_of)
            && let Some(field) =
                releasing().find_map(|level| level.release.first().or(level.release_parts.first()))
        {
            let message = format!("no contact supports the body in state `{name}`: it releases all feet");
            let help = "keep one, or limit the release with `release_while`";
            found.say(controller.source, field.span(), message, help);
        }
    }
}

/// Whether this state or an earlier one has a grip.
fn holds(controller: &LintedController<'_>, state: &StateSpec) -> bool {
    let takes = |state: &StateSpec| !state.grip.is_empty() || !state.stand.is_empty();
    takes(state) || controller.spec.states.values().any(takes)
}

fn frictionless(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(scene), Some(controller)) = (&look.scene, &look.controller) else { return };
    let friction = &scene.spec.ground.friction;
    let stands = controller.entries().any(|entry| controller.says(entry).kind == "com_over_support");
    let held = !scene.spec.bars.is_empty() || scene.spec.holds.is_some();
    if *friction.get_ref() == 0.0 && stands && !held {
        let message = "a character cannot balance on ground without friction";
        found.say(scene.source, friction.span(), message, "ice has 0.05");
    }
}

/// Largest gravity that is probably intended, m/s²: that of Jupiter.
const MOST_GRAVITY: f64 = 25.0;
/// Cosine of the largest angle between gravity and the vertical that is probably intended, about 45°.
const LEAST_COSINE: f64 = 0.7;

fn gravity(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    let gravity = &scene.spec.gravity;
    let [x, y, z] = *gravity.get_ref();
    let size = x.hypot(y).hypot(z);
    let message = if size > MOST_GRAVITY {
        format!("gravity of {size} m/s² is too large")
    } else if size > 0.0 && z > -LEAST_COSINE * size {
        let up = if z > LEAST_COSINE * size { "up" } else { "to a side" };
        format!("gravity points {up}: z is up")
    } else if size == 0.0 && !scene.spec.characters.is_empty() {
        "there is no gravity: contacts carry no weight, and the capture point is undefined".into()
    } else {
        return;
    };
    found.say(scene.source, gravity.span(), message, "that of the earth is `[0, 0, -9.81]`, in m/s²");
}

fn nothing_to_grip(look: &LintContext<'_>, found: &mut RuleFindings) {
    let (Some(scene), Some(controller)) = (&look.scene, &look.controller) else { return };
    if !scene.spec.bars.is_empty() || scene.spec.holds.is_some() {
        return;
    }
    let first: Option<&Spanned<String>> =
        controller.spec.states.values().flat_map(|state| state.grip.keys().chain(state.stand.keys())).next();
    if let (Some(site), Some((name, _))) = (first, scene.spec.characters.first()) {
        let file = &controller.source.name;
        let message = format!("`{site}` finds nothing to hold on to in this scene ({file})");
        found.say(
            scene.source,
            name.span(),
            message,
            "add a bar (`[bars.NAME]`) or `[holds]`, or use another controller",
        );
    }
}
