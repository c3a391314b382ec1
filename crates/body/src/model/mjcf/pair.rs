//! `<pair>`: contacts of shapes regardless of their masks.

use super::defaults::Defaults;
use super::element::Element;
use crate::model::Model;
use crate::model::warning::Ignored;
use aplomb_language::diagnostic::FileError;

/// Lets the shape of a body collide where it is paired with one of the world. A name that no shape of the
/// file has counts as one of the ground, with a note. A pair of two shapes of the character has no effect.
pub(super) fn read<'a>(
    pair: Element<'a>,
    defaults: &'a Defaults<'a>,
    model: &mut Model,
    elsewhere: &mut Ignored,
) -> Result<(), FileError> {
    let pair = defaults.apply_main(pair)?;
    let friction = match pair.attribute("friction") {
        Some(friction) => friction.numbers(1..=5)?.first().copied(),
        None => None,
    };
    let mut geoms = [None; 2];
    for (geom, name) in geoms.iter_mut().zip(["geom1", "geom2"]) {
        let attribute = pair.required(name)?;
        *geom = model.geoms.iter().position(|geom| geom.name == attribute.value);
        if geom.is_none() {
            elsewhere.add(format!("`{}`", attribute.value), attribute.span());
        }
    }
    let is_fixed = |geom: Option<usize>| geom.is_none_or(|geom| model.geoms[geom].body.is_none());
    let moving = match geoms {
        [Some(geom), other] | [other, Some(geom)] if is_fixed(other) && !is_fixed(Some(geom)) => geom,
        _ => return Ok(()),
    };
    model.geoms[moving].collides = true;
    if let Some(friction) = friction {
        model.geoms[moving].friction = friction;
    }
    Ok(())
}
