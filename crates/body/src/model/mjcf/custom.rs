//! Numbers of a file for programs: `<custom><numeric>`. Those called `pad:BODY` are pads; others are of other programs.

use super::element::{Element, shortened};
use crate::model::Model;
use crate::model::pad::{PAD, Pad};
use crate::model::warning::Ignored;
use aplomb_language::diagnostic::FileError;

/// Gives bodies their pads, and adds the numbers of other programs to `ignored`.
///
/// # Errors
/// Bodies that the model does not have or that are named twice, and impossible pads.
pub(super) fn read(numeric: Element<'_>, model: &mut Model, ignored: &mut Ignored) -> Result<(), FileError> {
    let Some(name) = numeric.own("name").filter(|name| name.value.starts_with(PAD)) else {
        ignored.add("<numeric>".into(), numeric.tag_span());
        return Ok(());
    };
    let body = &name.value[PAD.len()..];
    let Some(padded) = model.bodies.iter().position(|known| known.name == body) else {
        let wrong = shortened(body);
        let error = name.error(format!("unknown body `{wrong}`"));
        return Err(error.suggest(&wrong, model.bodies.iter().map(|body| body.name.as_str())));
    };
    let data = numeric.required("data")?;
    let numbers = data.numbers(2..=2).map_err(|error| error.help("a pad has a depth (m) and a time (s)"))?;
    let pad = Pad::new(numbers[0], numbers[1]).map_err(|why| data.error(why))?;
    if model.bodies[padded].pad.replace(pad).is_some() {
        return Err(name.error(format!("the pad of `{}` is given twice", shortened(body))));
    }
    Ok(())
}
