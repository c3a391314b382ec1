//! The exact messages about mistakes in passive objects: the correct text, the wrong text, and the message.

mod cloth;
mod constrained;
mod particles;
mod rope;

use aplomb::language::diagnostic::{FileError, Source};
use aplomb::language::rendered::Rendered;
use aplomb::scene::Run as SceneRun;
use aplomb::scene::{self, LoadError};
use miette::{GraphicalReportHandler, GraphicalTheme};

/// A mistake: the correct text, the wrong text, and the message.
type Mistake<'a> = (&'a str, &'a str, &'a str);

/// All messages about a scene with one object.
fn said(thing: &str) -> String {
    let text = format!("title = \"T\"\nduration = 1.0\n\n[passive.thing]\n{thing}");
    let errors = match scene::load_text(&Source::new("scene.toml", text)) {
        Err(LoadError::Mistakes(errors)) => errors,
        Err(other) => panic!("{other}"),
        Ok(files) => match SceneRun::bind(&files) {
            Err(errors) => errors,
            Ok(_) => return "nothing".into(),
        },
    };
    errors.iter().map(shown).collect::<Vec<_>>().join("\n")
}

/// The message as shown by a terminal without colour, without empty lines.
fn shown(error: &FileError) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    Rendered::from(error).render(&handler.with_width(100).with_links(false)).trim_end().to_string()
}

fn all_said(thing: &str, mistakes: &[Mistake<'_>]) {
    assert_eq!(said(thing), "nothing");
    for (right, wrong, wanted) in mistakes {
        assert!(thing.contains(right), "{right}");
        let said = said(&thing.replacen(right, wrong, 1));
        assert_eq!(said.trim_start(), wanted.trim_start(), "\n{said}\n");
    }
}
