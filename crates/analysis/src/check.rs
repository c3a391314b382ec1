//! Findings about a file, without running it.

use super::lint::{self, LintContext};
use aplomb_body::model::{Model, mjcf};
use aplomb_language::diagnostic::{FileError, FileErrors, Source, Warning, keep_unless_allowed, nearest};
use aplomb_language::files::{self, Folder, Located, NotFound, Override};
#[cfg(feature = "runs")]
use aplomb_plot::plot::{PlotError, PlotSpec, figure};
use aplomb_scene::{Examined, Run, SceneFiles, trials, unknown_bodies};
#[cfg(feature = "runs")]
use aplomb_trace::Trace;
use aplomb_world::character::{CharacterError, CharacterOptions};
use aplomb_world::controller::{self, ControllerFile};
use aplomb_world::{StartPose, World, WorldError};
use std::path::Path;

/// A finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A mistake that prevents the use of the file.
    Mistake(FileError),
    /// A valid setting that is probably not intended.
    Warning(Warning),
    /// The file does not exist.
    Missing(NotFound),
}

impl Finding {
    /// Whether this is a warning rather than a mistake.
    pub fn is_warning(&self) -> bool {
        matches!(self, Finding::Warning(_))
    }
}

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scene file (TOML).
    Scene,
    /// A controller file (TOML).
    Controller,
    /// A plot file (TOML).
    Plot,
    /// A character or passive model (MJCF).
    Model,
}

impl Kind {
    /// Folders of shipped files of each kind, in the order in which a name is searched.
    const FOLDERS: [(Kind, Folder); 5] = [
        (Kind::Scene, Folder::Scenes),
        (Kind::Controller, Folder::Controllers),
        (Kind::Plot, Folder::Plots),
        (Kind::Model, Folder::Characters),
        (Kind::Model, Folder::Passive),
    ];

    /// Determines the kind from the file's extension, then from its contents, then from its folder; default: a scene.
    pub fn of(path: &Path, text: &str) -> Kind {
        if files::ends_in(path, &["xml", "mjcf", "urdf"]) || text.trim_start().starts_with('<') {
            return Kind::Model;
        }
        let by_folder = || Kind::told_by_folder(path).map(|(kind, _)| kind);
        Kind::told_by_keys(text).or_else(by_folder).unwrap_or(Kind::Scene)
    }

    fn told_by_keys(text: &str) -> Option<Kind> {
        let table: toml::Table = text.parse().ok()?;
        Kind::by_keys(|keys| keys.iter().any(|key| table.contains_key(*key)))
    }

    /// The kind of a file by its top-level keys; `has`: whether it has one of the given keys.
    pub fn by_keys(has: impl Fn(&[&str]) -> bool) -> Option<Kind> {
        if has(&["panels"]) {
            Some(Kind::Plot)
        } else if has(&["states", "start"]) {
            Some(Kind::Controller)
        } else if has(&["characters", "duration", "events", "success", "ground"]) {
            Some(Kind::Scene)
        } else {
            None
        }
    }

    fn told_by_folder(path: &Path) -> Option<(Kind, Folder)> {
        let parent = path.parent()?.components().next_back()?;
        Kind::FOLDERS.into_iter().find(|(_, folder)| parent.as_os_str() == folder.name())
    }
}

/// Finds a file by path, or a shipped one by its name (scenes before controllers, plots and bodies), and
/// determines its kind.
///
/// # Errors
///
/// If neither a file nor a shipped file has this name, or it cannot be read.
pub fn find(reference: &str) -> Result<(Kind, Located), NotFound> {
    if Path::new(reference).is_file() {
        let located = files::find(Folder::Scenes, reference, None)?;
        if located.source.text.trim().is_empty() {
            return Err(NotFound { message: format!("`{reference}` is empty"), help: None });
        }
        return Ok((Kind::of(Path::new(reference), &located.source.text), located));
    }
    for (_, folder) in Kind::FOLDERS {
        if let Ok(located) = files::find(folder, reference, None) {
            return Ok((Kind::of(Path::new(&*located.source.name), &located.source.text), located));
        }
    }
    let by_folder = Kind::told_by_folder(Path::new(reference));
    // A path that is neither a file nor a directory is rejected when it is read.
    let is_special = Path::new(reference).exists() && !Path::new(reference).is_dir();
    let Some((kind, folder)) = by_folder.or(is_special.then_some(Kind::FOLDERS[0])) else {
        return Err(of_no_kind(reference));
    };
    files::find(folder, reference, None).map(|located| (kind, located))
}

/// The message about a reference that is not a file and whose kind is unknown.
fn of_no_kind(reference: &str) -> NotFound {
    let path = Path::new(reference);
    if path.is_dir() {
        return NotFound { message: format!("`{reference}` is a directory, not a file"), help: None };
    }
    let shipped: Vec<String> = Kind::FOLDERS.iter().flat_map(|(_, folder)| files::shipped(*folder)).collect();
    let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
    let near = nearest(&stem, shipped.iter().map(String::as_str));
    let ships = || near.map(|name| format!("did you mean `{name}`, which ships?"));
    // An existing file of this name with another extension.
    let beside = ["toml", "xml", "urdf", "mjcf"].into_iter().map(|ending| path.with_extension(ending));
    let beside = beside.into_iter().find(|path| path.is_file());
    let help = beside.map(|path| format!("did you mean `{}`?", path.display())).or_else(ships);
    let list = || "`aplomb list` shows what ships".to_owned();
    NotFound { message: format!("there is no file `{reference}`"), help: help.or_else(|| Some(list())) }
}

/// Checks a scene with all its references, and `PATH=VALUE` overrides.
pub fn scene(reference: &str, overrides: &[String]) -> Vec<Finding> {
    let examined = match aplomb_scene::examine(reference, overrides) {
        Ok(examined) => examined,
        Err(missing) => return vec![Finding::Missing(missing)],
    };
    let files = examined.files.clone().filter(|_| overrides.is_empty());
    let found = judged(examined);
    let is_sound = !found.iter().any(|finding| matches!(finding, Finding::Mistake(_)));
    let drawn = files.filter(|_| is_sound).map(|files| of_draws(reference, &files)).unwrap_or_default();
    once(found.into_iter().chain(drawn))
}

/// Mistakes at the start of a scene with each drawn value at the ends of its range.
fn of_draws(reference: &str, files: &SceneFiles) -> Vec<Finding> {
    let Some(trials) = &files.scene.trials else { return Vec::new() };
    let begins = |with: &[String]| -> Vec<FileError> {
        let Some(files) = files_of(reference, with) else { return Vec::new() };
        match Run::bind(&files) {
            Ok(mut run) => {
                lint::begins_inside(&files, &mut run).into_iter().map(|Warning(found)| found).collect()
            }
            Err(found) => found.into_iter().collect(),
        }
    };
    // Events happen later, and the ground, the frame and a controller's parameters do not move a character.
    let moves = |item: &str| {
        let of = |folder: &str| item.trim_start().starts_with(folder);
        ["characters.", "obstacles.", "passive."].into_iter().any(of) && !item.contains(".controller.")
    };
    let in_any_case = begins(&[]);
    let found = trials::at_ends(trials, &files.scene_source, |item| {
        if !moves(&item) {
            return Vec::new();
        }
        let mut found = begins(&[item]);
        found.retain(|mistake| in_any_case.iter().all(|other| other.rule != mistake.rule));
        found
    });
    let (warnings, errors): (Vec<_>, Vec<_>) = found.into_iter().partition(|found| found.rule.is_some());
    let mut warnings = warnings.into_iter().map(Warning).collect();
    keep_unless_allowed(&mut warnings, &files.scene_source, &files.scene.allow);
    mistakes(errors).chain(warnings.into_iter().map(Finding::Warning)).collect()
}

/// [`scene`] for a text instead of the file on disk.
pub fn scene_found(found: Located) -> Vec<Finding> {
    judged(aplomb_scene::examine_found(found))
}

fn judged(examined: Examined) -> Vec<Finding> {
    let Examined { files, mistakes: mut errors, is_sound } = examined;
    let Some(files) = files else { return once(mistakes(errors)) };
    let mut warnings = files.warnings.clone();
    errors.extend(lint::unknown(&files.scene_source, &files.scene.allow));
    for ControllerFile { source, spec, .. } in files.characters.iter().map(|one| &one.controller) {
        errors.extend(lint::unknown(source, &spec.allow));
    }
    if is_sound {
        match Run::bind(&files) {
            Ok(mut run) => {
                warnings.extend(run.warnings());
                warnings.extend(lint::of_run(&files, &mut run));
            }
            Err(found) => errors.extend(found),
        }
    } else {
        errors.extend(files.bodies().map(|bodies| unknown_bodies(&files, &bodies)).unwrap_or_default());
    }
    if !is_sound && files.scene.passive.is_empty() {
        // The scene cannot be built with its numbers, but each character can be checked alone, without names
        // of objects.
        let alone = files.cast().map(|(character, spec)| {
            let model = spec.body(&files.scene_source, &character.model_source)?;
            controller_of(model, character.controller.clone())
        });
        for judged in alone {
            match judged {
                Ok(seen) => warnings.extend(seen),
                Err(found) => errors.extend(found),
            }
        }
    }
    if errors.is_empty() {
        warnings.extend(lint::of_files(&files));
    }
    keep_unless_allowed(&mut warnings, &files.scene_source, &files.scene.allow);
    once(mistakes(errors).chain(warnings.into_iter().map(Finding::Warning)))
}

/// The findings without duplicates: a mistake in a file may be found in several ways.
pub(crate) fn once(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for finding in findings {
        if !all.contains(&finding) {
            all.push(finding);
        }
    }
    all
}

/// Contents of a scene, as far as they can be determined.
pub fn files_of(reference: &str, overrides: &[String]) -> Option<SceneFiles> {
    aplomb_scene::examine(reference, overrides).ok()?.files
}

/// Length of a frame if no scene specifies it, s.
const USUAL_FRAME: f64 = 0.01;

/// Checks a controller with the names of one body, and the overrides that apply to controllers.
pub fn controller(source: &Source, model: &Source, overrides: &[Override]) -> Vec<Finding> {
    let of_controllers = |item: &&Override| item.target.is_controller();
    let overrides: Vec<Override> = overrides.iter().filter(of_controllers).cloned().collect();
    let (source, spec, mut errors) = controller::read_all(source.clone(), &overrides);
    let Some(spec) = spec else { return once(mistakes(errors)) };
    let mut warnings = controller::check(&spec, &source).warnings;
    errors.extend(lint::unknown(&source, &spec.allow));
    match mjcf::read(model) {
        Ok(model) => {
            warnings.extend(controller::warnings_with(&spec, &source, &model));
            let controller = lint::LintedController::new(&spec, &source);
            let look = LintContext {
                controller: Some(controller),
                scene: None,
                character: None,
                model: &model,
                dt: USUAL_FRAME,
            };
            let linted = lint::look(&look);
            match controller_of(model, ControllerFile { source, spec, overrides }) {
                Ok(seen) if errors.is_empty() => warnings.extend(seen.into_iter().chain(linted)),
                Ok(seen) => warnings.extend(seen),
                Err(found) => errors.extend(found),
            }
        }
        Err(found) => errors.extend(found),
    }
    once(mistakes(errors).chain(warnings.into_iter().map(Finding::Warning)))
}

/// Binds a controller to a body in a world that contains only the objects that the controller needs.
///
/// # Errors
/// If the controller cannot be bound.
fn controller_of(model: Model, controller: ControllerFile) -> Result<Vec<Warning>, FileErrors> {
    let source = controller.source.clone();
    let needs = &controller.spec.needs;
    let objects = needs.passive.iter().map(|name| name.get_ref().as_str().into()).collect();
    let options = CharacterOptions { objects, ..CharacterOptions::default() };
    let added = World::builder().stand_ins(needs).build().and_then(|mut world| {
        let id = world.add_character_with(model, controller, StartPose::standing(), options)?;
        Ok(world.character(id).warnings())
    });
    added.map_err(|error| match error {
        WorldError::Character(CharacterError::Controller(errors)) => errors,
        error => FileError::new(&source, 0..0, error.to_string()).into(),
    })
}

/// Checks a body, read with these options in addition to those of its companion file.
pub fn model(source: &Source, options: &mjcf::Options) -> Vec<Finding> {
    match mjcf::read_with(source, options) {
        Err(errors) => mistakes(errors).collect(),
        Ok(reading) => {
            let linted = lint::of_body(&reading.model, source);
            once(reading.warnings.into_iter().chain(linted).map(Finding::Warning))
        }
    }
}

/// Checks a plot with the channels of a run of `stand` with one body. Missing channels are warnings, because other
/// runs may have them.
#[cfg(feature = "runs")]
pub fn plot(source: &Source, model: &Source) -> Vec<Finding> {
    let Ok(mut files) = aplomb_scene::load("stand", &[]) else { return Vec::new() };
    for character in &mut files.characters {
        character.model_source = model.clone();
    }
    plot_of(source, &files)
}

/// Checks a plot with the channels of runs of this scene.
#[cfg(feature = "runs")]
pub fn plot_of(source: &Source, scene: &SceneFiles) -> Vec<Finding> {
    let plot = match PlotSpec::read_all(source) {
        Ok(plot) => plot,
        Err(errors) => return once(mistakes(errors)),
    };
    let Ok(mut run) = Run::bind(scene) else { return Vec::new() };
    let header = aplomb_scene::header(scene, &run);
    let trace = Trace { header, frames: vec![run.last_frame()], parts: Vec::new(), torn: None };
    let Err(PlotError::File(errors)) = figure::draw(&trace, &plot) else { return Vec::new() };
    let of_scene = |error: FileError| {
        let message = error.message.replacen("the trace", &format!("a run of `{}`", scene.name), 1);
        let others = "a run of another scene may have it: `aplomb check SCENE PLOT` looks at those of SCENE";
        let help = error.help.clone().unwrap_or_else(|| others.to_string());
        Finding::Warning(Warning(FileError { message, ..error }.help(help)))
    };
    errors.into_iter().map(of_scene).collect()
}

fn mistakes(errors: impl IntoIterator<Item = FileError>) -> impl Iterator<Item = Finding> {
    errors.into_iter().map(Finding::Mistake)
}
