//! Numbers far beyond the plausible range of their quantity.

use super::conditions::{compared, each, parts};
use super::look::{Lexicon, LintContext};
use super::rule::{Rule, RuleFindings, rule};
use aplomb_body::model::scales::Scales;
use aplomb_language::Spanned;
use aplomb_language::diagnostic::Source;
use aplomb_language::expression::{Syntax, SyntaxNode, Unit, WrittenValue};

pub(super) const RULES: &[Rule] = &[rule!(
    "implausible-value",
    "A number of a condition or of a scene is far beyond what its quantity comes to.",
    "Lengths are in m, times in s, forces in N, and shares are of 1, not percent. The limits are wide: 20 times the \
     weight on a part, friction of 5, 50 times the standing height, 100 m/s, and times longer than the scene (in \
     controllers, than 5 minutes).",
    Some(implausible)
)];

/// Largest share of the weight on a part, and largest coefficient of friction (rubber on rubber has about 2).
const LOAD: f64 = 20.0;
const FRICTION: f64 = 5.0;
/// Largest height in heights of the body, and largest speed, m/s.
const HEIGHTS: f64 = 50.0;
const SPEED: f64 = 100.0;
/// Longest time of a controller, s.
const LONG: f64 = 300.0;

fn implausible(look: &LintContext<'_>, found: &mut RuleFindings) {
    let lexicon = look.lexicon();
    // Without a character heights are those of objects.
    let height = Scales::new(look.model, look.dt).height.max(1.0);
    let limits = Limits { height: HEIGHTS * height, time: LONG };
    let mut judge = |source: &Source, written: &WrittenValue, node: &SyntaxNode, limits: &Limits| {
        for (quantity, number, value) in parts(node).into_iter().filter_map(compared) {
            if let Some((message, help)) = limits.beyond(quantity, value, &lexicon) {
                found.say(source, written.place(number), message, help);
            }
        }
    };
    each(look, |source, written, node| judge(source, written, node, &limits));
    let Some(scene) = &look.scene else { return };
    let limits = Limits { time: *scene.spec.duration.get_ref(), ..limits };
    for condition in scene.spec.conditions() {
        let written = condition.written_as(scene.source);
        if let Some(node) = written.expression() {
            judge(scene.source, &written, node, &limits);
        }
    }
    let obstacles = scene.spec.obstacles.values().filter_map(|obstacle| obstacle.friction.as_ref());
    let others = [&scene.spec.ground.friction].into_iter().chain(&scene.spec.friction_between_characters);
    for friction in others.chain(obstacles) {
        too_rough(scene.source, friction, found);
    }
}

fn too_rough(source: &Source, friction: &Spanned<f64>, found: &mut RuleFindings) {
    let value = *friction.get_ref();
    if value > FRICTION {
        let message = format!("a coefficient of friction of {value}: nothing is that rough");
        found.say(source, friction.span(), message, percent(value, "most surfaces have 0.3 to 1.2"));
    }
}

/// Help for a number that is probably in percent.
fn percent(value: f64, usual: &str) -> String {
    if value <= 100.0 { format!("{usual}; {value} % is {}", value / 100.0) } else { usual.to_string() }
}

/// Largest plausible values: heights, m, and times, s.
struct Limits {
    height: f64,
    time: f64,
}

impl Limits {
    /// The message for a number that is implausible for the quantity it is compared with, and what may be meant.
    fn beyond(&self, quantity: &SyntaxNode, value: f64, lexicon: &Lexicon<'_>) -> Option<(String, String)> {
        let unit = Unit::infer(quantity, lexicon).0?;
        let name = match &quantity.syntax {
            Syntax::Call { name, .. } => name.clone(),
            _ => quantity.name()?,
        };
        // In a file with includes `state_time` is that of a level: `.state_time`.
        let name = name.trim_start_matches('.').to_owned();
        let size = value.abs();
        if name == "load" && size > LOAD {
            let help = percent(value, "`load` is a share of the weight: 1 is all of it");
            return Some((format!("no part bears {value} times the weight"), help));
        }
        if name.contains("height") && unit == Unit::METRE && size > self.height {
            let help = format!("lengths are in m: {value} mm are {}", value / 1000.0);
            return Some((format!("`{name}` does not come to {value} m"), help));
        }
        // Times of a run have their own rules.
        if unit == Unit::SECOND && name != "time" && size > self.time {
            let help = format!("times are in s: {value} ms are {}", value / 1000.0);
            return Some((format!("`{name}` does not come to {value} s"), help));
        }
        if unit == Unit::SPEED && size > SPEED {
            let help = format!("speeds are in m/s: {value} mm/s are {}", value / 1000.0);
            return Some((format!("`{name}` does not come to {value} m/s"), help));
        }
        None
    }
}
