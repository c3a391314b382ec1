//! Passive objects.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use aplomb_passive::PassiveSpec;

pub const RULES: &[Rule] = &[rule!(
    "idle-restitution",
    "An object that characters push has a `restitution`, with which it does not bounce off them.",
    "It bounces off the ground and other objects. Contacts with characters that push it are unknowns of their frames, in which nothing bounces.",
    Some(idle_restitution)
)];

fn idle_restitution(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(scene) = &look.scene else { return };
    for (name, object) in &scene.spec.passive {
        if let PassiveSpec::Articulated(object) = object
            && object.pushed_by_characters
            && *object.restitution.get_ref() > 0.0
        {
            let message = format!("`{name}` does not bounce off characters: they push it");
            let help = "leave out `pushed_by_characters` for a ball that hits them, or `allow = [\"idle-restitution\"]` \
                        where it is to bounce off the ground";
            found.say(scene.source, object.restitution.span(), message, help);
        }
    }
}
