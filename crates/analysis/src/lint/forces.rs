//! Forces that are requested of contacts.

use super::look::LintContext;
use super::rule::{Rule, RuleFindings, rule};
use aplomb_body::model::scales::Scales;

pub(super) const RULES: &[Rule] = &[
    rule!(
        "untouchable-body",
        "A `contact_wrench` is about a body that nothing can touch.",
        "Contact forces act on shapes and grip forces on sites. If a body and its descendants have neither, \
         there is never a force, and the objective is never active.",
        Some(untouchable)
    ),
    rule!(
        "outlying-force",
        "A `contact_wrench` asks for more than 20 times the weight.",
        "Forces are in N and torques in N m; in a landing they reach a few times the weight, and the weight \
         times the height. An unreachable target outweighs all other objectives.",
        Some(outlying)
    ),
];

/// Force above which a request is excessive, in weights; torques in weights times heights of the COM.
const MOST: f64 = 20.0;

fn untouchable(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let model = look.model;
    for wrench in controller.entries().filter_map(|entry| entry.of.get_ref().contact_wrench()) {
        let Some(body) = model.body(wrench.body().text()) else { continue };
        let touches = model
            .geoms
            .iter()
            .any(|geom| geom.collides && geom.body.is_some_and(|own| model.is_within(own, body)));
        let holds = model.sites.iter().any(|site| site.body.is_some_and(|own| model.is_within(own, body)));
        if !touches && !holds {
            let message =
                format!("nothing can touch `{}`: it has no shape that collides", wrench.body().text());
            let help = "name a body with shapes; `aplomb list bodies` has those of a character";
            found.say(controller.source, wrench.body().span(), message, help);
        }
    }
}

fn outlying(look: &LintContext<'_>, found: &mut RuleFindings) {
    let Some(controller) = &look.controller else { return };
    let scales = Scales::new(look.model, look.dt);
    let weight = scales.weight();
    for wrench in controller.entries().filter_map(|entry| entry.of.get_ref().contact_wrench()) {
        let fields = [
            ("force", wrench.force(), weight, "N", "the weight"),
            (
                "torque",
                wrench.torque(),
                weight * scales.height,
                "N m",
                "the weight times the height of the COM",
            ),
        ];
        for (what, field, unit, name, of) in fields {
            let Some(written) = field.map(|field| field.written_as(controller.source)) else { continue };
            let sizes = look.points(&written).into_iter().map(|[x, y, z]| x.hypot(y).hypot(z));
            let most = sizes.fold(0.0, f64::max);
            if unit > 0.0 && most > MOST * unit {
                let message = format!("a {what} of {most:.0} {name} is {:.0} times {of}", most / unit);
                let help = format!("{of} is {unit:.0} {name}");
                found.say(controller.source, written.span.clone(), message, help);
            }
        }
    }
}
