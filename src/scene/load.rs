//! A scene with everything it refers to, read and checked as far as the files alone allow.

use super::check::check;
use super::check_events;
use super::spec::{CharacterSpec, FORMAT, SceneSpec};
use crate::controller::{self, ControllerFile};
use crate::language::diagnostic::{FileError, FileErrors, Source, Warning};
use crate::language::files::{self, Folder, Located, Locator, NotFound, Override, Target};
use crate::model::mjcf;

/// The texts of a scene and what they say.
#[derive(Clone, Debug)]
pub struct SceneFiles {
    /// The scene file's name without folders and extension.
    pub name: String,
    /// The `PATH=VALUE` arguments, in order.
    pub overrides: Vec<String>,
    /// The scene's text with the overrides laid over it; spans in `scene` are spans of it.
    pub scene_source: Source,
    /// What the scene file says.
    pub scene: SceneSpec,
    /// Who acts, if anyone does.
    pub actor: Option<ActorFiles>,
    /// Passages of the controller and the scene that are legal and look wrong.
    pub warnings: Vec<Warning>,
    /// The model files of each passive object, in the scene's order.
    pub passive_sources: Vec<Vec<Source>>,
}

/// What a character of a scene is made of.
#[derive(Clone, Debug)]
pub struct ActorFiles {
    /// Its name in the scene.
    pub name: String,
    /// Text of the model file.
    pub model_source: Source,
    /// With the overrides laid over its text.
    pub controller: ControllerFile,
}

impl SceneFiles {
    /// What the scene says about its character; `None` where nobody acts.
    pub fn character_spec(&self) -> Option<&CharacterSpec> {
        self.scene.characters.get(self.actor.as_ref()?.name.as_str())
    }
}

/// Why a scene cannot be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The scene itself is nowhere.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// There are mistakes in it, or in a file it refers to.
    #[error(transparent)]
    Mistakes(#[from] FileErrors),
}

impl From<FileError> for LoadError {
    fn from(error: FileError) -> Self {
        LoadError::Mistakes(error.into())
    }
}

/// Loads a scene by path or shipped name, with `PATH=VALUE` overrides.
///
/// # Errors
///
/// If a file is not found, or any file of the scene has a mistake.
pub fn load(reference: &str, overrides: &[String]) -> Result<SceneFiles, LoadError> {
    read(files::find(Folder::Scenes, reference, None)?, overrides)
}

/// Loads a scene that is no file; what it refers to is looked for among the shipped files.
///
/// # Errors
///
/// If a file it refers to is not found, or any file of the scene has a mistake.
pub fn load_text(source: &Source) -> Result<SceneFiles, LoadError> {
    let locator = Locator::Embedded(source.name.to_string());
    read(Located { source: source.clone(), locator }, &[])
}

fn read(located: Located, overrides: &[String]) -> Result<SceneFiles, LoadError> {
    let parsed: Result<Vec<Override>, FileError> =
        overrides.iter().map(|argument| Override::parse(argument)).collect();
    let (for_controller, for_scene): (Vec<_>, Vec<_>) =
        parsed?.into_iter().partition(|item| item.target == Target::Controller);

    let mut scene_source = located.source.clone();
    let (scene, old_words): (SceneSpec, _) = files::read(&mut scene_source, &for_scene, &FORMAT)?;
    let mut mistakes = check(&scene, &scene_source);
    let refer = |folder, reference: &crate::language::Spanned<String>| -> Result<Source, FileError> {
        files::find_from(folder, reference.get_ref(), &located, &scene_source, reference.span())
            .map(|found| found.source)
    };
    if scene.characters.is_empty() {
        mistakes.extend(for_controller.iter().map(nobody_reads));
    }
    let mut passive_sources = Vec::new();
    for object in scene.passive.values() {
        let models = object.models().into_iter().map(|reference| {
            // A ragdoll is a character's body.
            refer(Folder::Passive, reference)
                .or_else(|missing| refer(Folder::Characters, reference).map_err(|_| missing))
        });
        let (found, missing): (Vec<_>, Vec<_>) = models.partition(Result::is_ok);
        passive_sources.push(found.into_iter().filter_map(Result::ok).collect());
        mistakes.extend(missing.into_iter().filter_map(Result::err));
    }
    let mut warnings = old_words;
    let actor = scene.characters.first().and_then(|(name, spec)| {
        let model = refer(Folder::Characters, &spec.model);
        let controller = refer(Folder::Controllers, &spec.controller)
            .and_then(|found| controller::read(found, &for_controller));
        match (model, controller) {
            (Ok(model_source), Ok((source, spec))) => {
                let found = controller::check(&spec, &source);
                mistakes.extend(found.errors);
                warnings.extend(found.warnings);
                // What is wrong with the body is found where it is bound.
                let body = mjcf::read_with(&model_source, &mjcf::Options::default());
                warnings.extend(body.into_iter().flat_map(|body| body.warnings));
                let controller = ControllerFile { source, spec };
                Some(ActorFiles { name: name.get_ref().clone(), model_source, controller })
            }
            (model, controller) => {
                mistakes.extend(model.err());
                mistakes.extend(controller.err());
                None
            }
        }
    });
    if !mistakes.is_empty() {
        return Err(LoadError::Mistakes(mistakes.into()));
    }
    warnings.extend(check_events::late(&scene, &scene_source));
    let name = located.locator.stem();
    let overrides = overrides.to_vec();
    Ok(SceneFiles { name, overrides, actor, scene_source, scene, warnings, passive_sources })
}

fn nobody_reads(item: &Override) -> FileError {
    let source = Source::new("--set", &item.argument);
    FileError::new(&source, 0..item.argument.len(), "no controller reads this: nobody acts in this scene")
        .help("a scene's own values are set without `controller.` in front")
}
