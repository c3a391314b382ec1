//! Contradictions in one state: to release a body, and to grip a hold with it.

use super::machine::{BoundGrip, BoundState, Machine};
use super::scope::role_of;
use super::spec::ControllerSpec;
use aplomb_body::contact::Release;
use aplomb_body::model::{BodyId, Model};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, Source, Warning, keep_unless_allowed};
use aplomb_language::expression::{BodyChoice, Value};

impl Machine {
    /// A warning for each hold that a state grips with a body that it releases, for any value of its roles. A
    /// conditional release is not a contradiction: the hold is gripped afterwards.
    pub(crate) fn clashes(&self, spec: &ControllerSpec, source: &Source, model: &Model) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (state, (written, bound)) in spec.states.values().zip(&self.states).enumerate() {
            let sites = written.grip.keys().chain(written.stand.keys());
            for (site, grip) in sites.zip(&bound.grips) {
                if let Some(body) = self.released_with(state, bound, grip, model) {
                    warnings.push(warning(source, &bound.name, site, &body));
                }
            }
        }
        keep_unless_allowed(&mut warnings, source, &spec.allow);
        warnings
    }

    /// The bodies of a grip that a state releases, by their names in the file.
    fn released_with(
        &self,
        state: usize,
        bound: &BoundState,
        grip: &BoundGrip,
        model: &Model,
    ) -> Option<String> {
        let of_role = |slot: usize| self.values_of_role(state, role_of(slot)?, self.roles.len());
        let sites = grip.site.values(&of_role)?;
        let bodies: Option<Vec<BodyId>> = sites
            .into_iter()
            .map(|site| if let Value::Site(site) = site { model.sites[site].body } else { None })
            .collect();
        let bodies = bodies?;
        let is_released = |choice: &BodyChoice, release: fn(BodyId) -> Release| {
            choice.values(&of_role).is_some_and(|released| {
                released.iter().all(|value| match value {
                    Value::Body(part) => bodies.iter().all(|body| release(*part).is_of(model, *body)),
                    _ => false,
                })
            })
        };
        // A body that is released for a while may grip later.
        let all = || bound.levels.iter().map(|level| &level.releases).filter(|all| all.applicable.is_none());
        let limbs = all().flat_map(|all| &all.limbs).find(|choice| is_released(choice, Release::Limb));
        let part = || all().flat_map(|all| &all.parts).find(|choice| is_released(choice, Release::Part));
        limbs.or_else(part).map(|choice| choice.text().to_string())
    }

    /// Every value that a role can have in a state: those of the state's own binding, or of all others. `None` if it
    /// is unknown. Roles that refer to other roles are followed for this many `steps`.
    fn values_of_role(&self, state: usize, role: usize, steps: usize) -> Option<Vec<Value>> {
        let steps = steps.checked_sub(1)?;
        let bindings = |state: usize| {
            let all = self.states[state].levels.iter().flat_map(|level| &level.bindings.all);
            all.filter(move |(bound, _)| *bound == role)
        };
        let states = match bindings(state).next() {
            Some(_) => state..state + 1,
            None => 0..self.states.len(),
        };
        let mut values = Vec::new();
        for state in states {
            for (_, expression) in bindings(state) {
                values.extend(expression.values(&|slot| self.values_of_role(state, role_of(slot)?, steps))?);
            }
        }
        Some(values)
    }
}

fn warning(source: &Source, state: &str, site: &Spanned<String>, body: &str) -> Warning {
    let message = format!("`{site}` cannot grip here: state `{state}` releases `{body}`");
    let help = "remove one of them, or limit the release with `release_while`";
    Warning(FileError::new(source, site.span(), message).help(help).rule("grip-of-released"))
}
