//! Mimic joints: `<equality><joint>`.

use super::element::{Attribute, Element, shortened};
use super::unmodelled::UnmodelledElements;
use crate::model::companion::Unmodelled;
use crate::model::coupling::{Coupling, CouplingError, can_be_coupled};
use crate::model::{JointId, Model};
use aplomb_language::diagnostic::FileError;

/// Coefficients of the polynomial in the leader's value that a coupling may have in MJCF, and their defaults.
const POLYNOMIAL: [f64; 5] = [0.0, 1.0, 0.0, 0.0, 0.0];

/// Reads the active couplings into the model, and returns the errors. `is_given` is true for joints of the file, even
/// rejected ones; `driven` for those with their own actuator.
pub(super) fn read<'a>(
    equalities: impl Iterator<Item = Element<'a>>,
    model: &mut Model,
    found: &mut UnmodelledElements,
    is_given: impl Fn(&str) -> bool,
    driven: impl Fn(usize) -> bool,
) -> Vec<FileError> {
    let (mut written, mut elements, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for element in equalities {
        match coupling(&element, model, found, &is_given) {
            Ok(Some(coupling)) => {
                written.push(coupling);
                elements.push(element);
            }
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        let wrong = model.couple(&written, driven);
        errors.extend(
            wrong.into_iter().map(|(index, why)| said(&why, &written[index], elements[index], model)),
        );
    }
    errors
}

/// `None` for a coupling that is ignored, or whose error has been reported.
fn coupling(
    element: &Element,
    model: &Model,
    found: &mut UnmodelledElements,
    is_given: impl Fn(&str) -> bool,
) -> Result<Option<Coupling>, FileError> {
    let follower = joint(element.required("joint1")?, model, &is_given)?;
    let leader = element.own("joint2").map(|leader| joint(leader, model, &is_given)).transpose()?;
    let mut polynomial = POLYNOMIAL;
    if let Some(given) = element.own("polycoef") {
        polynomial.iter_mut().zip(given.numbers(1..=5)?).for_each(|(known, given)| *known = given);
    }
    let (Some(follower), true) = (follower, leader != Some(None)) else { return Ok(None) };
    let leader = leader.flatten();
    let [offset, ratio, higher @ ..] = polynomial;
    if leader.is_some() && higher != [0.0; 3] {
        found.add(Unmodelled::Equality, element, "a coupling of joints of higher order than linear");
        return Ok(None);
    }
    let is_single = |joint: &JointId| can_be_coupled(&model.joints[joint.0].kind);
    if let Some(wrong) = [Some(follower), leader].into_iter().flatten().find(|joint| !is_single(joint)) {
        let name = shortened(&model.joints[wrong.0].name);
        found.add(Unmodelled::Equality, element, &format!("a coupling to `{name}`, no hinge or slide,"));
        return Ok(None);
    }
    Ok(Some(Coupling { follower, leader, offset, ratio, line: element.line() }))
}

/// The joint with that name; `None` if its error has been reported.
fn joint(
    attribute: Attribute,
    model: &Model,
    is_given: impl Fn(&str) -> bool,
) -> Result<Option<JointId>, FileError> {
    let known = model.joint(attribute.value);
    if known.is_some() || is_given(attribute.value) {
        return Ok(known);
    }
    let wrong = shortened(attribute.value);
    let error = attribute.error(format!("unknown joint `{wrong}`"));
    Err(error.suggest(&wrong, model.joints.iter().map(|joint| joint.name.as_str())))
}

fn said(why: &CouplingError, coupling: &Coupling, element: Element, model: &Model) -> FileError {
    let name = |joint: JointId| format!("`{}`", shortened(&model.joints[joint.0].name));
    let follower = name(coupling.follower);
    match why {
        CouplingError::Twice => element.error(format!("{follower} follows a joint already")),
        CouplingError::Circle(joints) => {
            let way: Vec<String> = joints.iter().map(|joint| name(*joint)).collect();
            element.error(format!("joints are coupled in a circle: {}", way.join(" follows ")))
        }
        CouplingError::Apart { leader: [at, _], follower: [low, high] } if coupling.leader.is_none() => {
            element
                .error(format!("{follower} is held at {at:.4}, outside of its range, {low:.4} to {high:.4}"))
        }
        CouplingError::Apart { leader: [low, high], follower: [least, most] } => {
            let leader = coupling.leader.map_or(String::new(), name);
            let message = format!("{follower} cannot follow {leader} and be within its range");
            element.error(message).help(format!(
                "{leader} goes from {low:.4} to {high:.4}, and would have to be within {least:.4} to {most:.4} for \
                 {follower}"
            ))
        }
    }
}
