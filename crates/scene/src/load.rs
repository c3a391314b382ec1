//! Loading of a scene with everything it refers to, checked as far as the files alone allow.

use super::check::{Checked, check};
use super::check_events;
use super::overrides::reader_of;
use super::spec::{CharacterSpec, FORMAT, SceneSpec};
use super::terrain;
use super::trials;
use aplomb_body::contact::Surface;
use aplomb_body::model::{JointKind, Model, mjcf};
use aplomb_language::Spanned;
use aplomb_language::diagnostic::{FileError, FileErrors, Kept, Source, Warning};
use aplomb_language::files::{self, Folder, Located, Locator, NotFound, Override};
use aplomb_trace::{Header, SourceText};
use aplomb_world::controller::{self, ControllerFile};
use std::cell::RefCell;
use std::path::PathBuf;

/// The texts of a scene and their specifications.
#[derive(Clone, Debug)]
pub struct SceneFiles {
    /// The scene file's name without folders and extension.
    pub name: String,
    /// The `PATH=VALUE` arguments, in order.
    pub overrides: Vec<String>,
    /// The scene's text with overlays; spans in `scene` refer to it.
    pub scene_source: Source,
    /// Specification of the scene.
    pub scene: SceneSpec,
    /// The characters, in the scene's order.
    pub characters: Vec<CharacterFiles>,
    /// Warnings about valid parts of the controller and the scene.
    pub warnings: Vec<Warning>,
    /// The model files of each passive object, in the scene's order.
    pub passive_sources: Vec<Vec<Source>>,
    /// Stairs and uneven ground of the scene, in its order.
    pub terrain: Vec<Surface>,
    /// The pictures from which ground was generated, as text.
    pub pictures: Vec<Source>,
    /// Controllers of `replace` events, in the scene's order.
    pub successors: Vec<ControllerFile>,
    /// Where the scene's file was found.
    pub locator: Locator,
    /// All files on disk that were read, the scene's own first.
    pub paths: Vec<PathBuf>,
}

/// The files of a character of a scene.
#[derive(Clone, Debug)]
pub struct CharacterFiles {
    /// Its name in the scene.
    pub name: String,
    /// Text of the model file.
    pub model_source: Source,
    /// The controller, with overrides applied.
    pub controller: ControllerFile,
}

impl SceneFiles {
    /// Surfaces that characters touch: those of the world, then those of passive objects that characters
    /// push.
    pub(crate) fn surfaces_of_characters(&self) -> Vec<Surface> {
        let mut surfaces = self.surfaces();
        surfaces.extend(self.scene.surfaces_of_objects(&self.scene_source, &self.passive_models().0));
        surfaces
    }

    /// The bodies in the model files of each passive object, except unreadable ones, and the mistakes in these.
    pub fn passive_models(&self) -> (Vec<Vec<Model>>, Vec<FileError>) {
        let mut mistakes = Vec::new();
        let mut read = |source: &Source| mjcf::read(source).map_err(|wrong| mistakes.extend(wrong)).ok();
        let of_object = |sources: &Vec<Source>| sources.iter().filter_map(&mut read).collect();
        (self.passive_sources.iter().map(of_object).collect(), mistakes)
    }

    /// The ground first, then the obstacles in file order, each with its motion and the events that affect
    /// it, then the terrain.
    pub fn surfaces(&self) -> Vec<Surface> {
        let mut surfaces = self.scene.surfaces();
        surfaces.extend(self.terrain.iter().cloned());
        surfaces
    }

    /// The characters with their specifications, in the scene's order.
    pub fn cast(&self) -> impl Iterator<Item = (&CharacterFiles, &CharacterSpec)> {
        let spec = |character: &CharacterFiles| self.scene.characters.get(character.name.as_str());
        self.characters.iter().filter_map(move |character| Some((character, spec(character)?)))
    }

    /// The bodies of the characters, in their order, with the roles that the scene assigns to their parts.
    ///
    /// # Errors
    /// Mistakes in the files of models, and unknown roles and parts.
    pub fn bodies(&self) -> Result<Vec<Model>, FileErrors> {
        self.cast().map(|(character, spec)| spec.body(&self.scene_source, &character.model_source)).collect()
    }
}

/// Why a scene cannot be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The scene does not exist.
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

/// Kind of a picture of heights among the texts of a trace.
pub(super) const PICTURE: &str = "picture";

/// Loads a scene by path or shipped name, with `PATH=VALUE` overrides.
///
/// # Errors
///
/// If a file is not found, or any file of the scene has a mistake.
pub fn load(reference: &str, overrides: &[String]) -> Result<SceneFiles, LoadError> {
    examine(reference, overrides)?.whole()
}

/// Loads a scene like [`load`], and collects all mistakes.
///
/// # Errors
/// If the scene does not exist.
pub fn examine(reference: &str, overrides: &[String]) -> Result<Examined, NotFound> {
    let found = files::find(Folder::Scenes, reference, None)?;
    let shadowed = files::shadowed(Folder::Scenes, reference, &found.locator);
    let mut examined = read(found, overrides, &[], Draws::Checked);
    if let (Some(message), Some(files)) = (shadowed, &mut examined.files) {
        let found = FileError::new(&files.scene_source, 0..0, message).label("this file");
        let help = format!("write `{reference}.toml` to say so, or use another name");
        files.warnings.insert(0, Warning(found.help(help)));
    }
    Ok(examined)
}

/// [`examine`] for a scene that has been found and read.
pub fn examine_found(found: Located) -> Examined {
    read(found, &[], &[], Draws::Checked)
}

/// The readable part of a scene, and all mistakes in its files.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// `None` if mistakes left a part unknown.
    pub files: Option<SceneFiles>,
    /// Mistakes of every file, in the order in which they were read.
    pub mistakes: Vec<FileError>,
    /// Whether a world can be built with the numbers and names of the scene.
    pub is_sound: bool,
}

impl Examined {
    fn failed(mistake: FileError) -> Self {
        Examined { mistakes: vec![mistake], ..Examined::default() }
    }

    fn whole(self) -> Result<SceneFiles, LoadError> {
        match self.files {
            Some(files) if self.mistakes.is_empty() => Ok(files),
            _ => Err(LoadError::Mistakes(self.mistakes.into())),
        }
    }
}

/// Loads a scene that is not a file; its references are resolved among the shipped files, then on disk.
///
/// # Errors
///
/// If a file it refers to is not found, or any file of the scene has a mistake.
pub fn load_text(source: &Source) -> Result<SceneFiles, LoadError> {
    let locator = Locator::Embedded(source.name.to_string());
    read(Located { source: source.clone(), locator }, &[], &[], Draws::Checked).whole()
}

/// The specification in the text of a scene, with `PATH=VALUE` overrides; `None` if it cannot be parsed.
pub fn spec_of(source: &Source, overrides: &[String]) -> Option<SceneSpec> {
    let parsed: Result<Vec<Override>, FileError> =
        overrides.iter().map(|argument| Override::parse(argument)).collect();
    let for_scene: Vec<Override> =
        parsed.ok()?.into_iter().filter(|item| !item.target.is_controller()).collect();
    let document = files::read_all::<SceneSpec>(&mut source.clone(), &for_scene, &FORMAT);
    document.value.filter(|_| document.mistakes.is_empty())
}

/// Loads the scene of a trace from the texts that the trace keeps, with its overrides and `more` after them.
/// References outside these texts (a controller that an override names) are resolved among the shipped files,
/// then on disk.
///
/// # Errors
///
/// If the trace has no scene's text, or any of the texts has a mistake under the overrides.
pub fn load_kept(header: &Header, more: &[String]) -> Result<SceneFiles, LoadError> {
    load_texts(header, more, Draws::Checked)
}

/// [`load_kept`] for one trial: the scene's draws are known to be valid.
///
/// # Errors
/// As for [`load_kept`].
pub fn load_trial(header: &Header, more: &[String]) -> Result<SceneFiles, LoadError> {
    load_texts(header, more, Draws::Known)
}

/// Whether to check that the scene accepts the values drawn by its `[trials]`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draws {
    Checked,
    Known,
}

fn load_texts(header: &Header, more: &[String], draws: Draws) -> Result<SceneFiles, LoadError> {
    let Some(text) = header.text("scene") else {
        let message = "the trace does not keep the text of its scene".to_string();
        return Err(LoadError::NotFound(NotFound { message, help: None }));
    };
    let source = Source::new(&text.name, &text.text);
    let locator = Locator::Embedded(text.name.clone());
    let overrides: Vec<String> = header.overrides.iter().chain(more).cloned().collect();
    read(Located { source, locator }, &overrides, &header.texts, draws).whole()
}

/// The text with the name used in a reference, among those that a trace contains.
fn kept_text(kept: &[SourceText], folder: Folder, reference: &str) -> Option<Source> {
    let kind = match folder {
        Folder::Characters => "model",
        Folder::Controllers => "controller",
        Folder::Passive => "thing",
        Folder::Scenes | Folder::Plots => return None,
    };
    let name = SourceText::new(kind, reference, "").name;
    let with_ending = format!("{name}.{}", folder.extension());
    let is_meant = |text: &&SourceText| text.kind == kind && (text.name == name || text.name == with_ending);
    let found = kept.iter().find(is_meant)?;
    let includes = kept.iter().filter_map(|text| {
        let label = text.label_in(&found.name)?.to_owned();
        let name = label.rsplit(": ").next().unwrap_or(&label);
        Some(Kept { source: Source::new(name, &text.text), label })
    });
    Some(Source::new(&found.name, &found.text).with_kept(includes.collect()))
}

fn read(located: Located, overrides: &[String], kept: &[SourceText], draws: Draws) -> Examined {
    let parsed: Result<Vec<Override>, FileError> =
        overrides.iter().map(|argument| Override::parse(argument)).collect();
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(mistake) => return Examined::failed(mistake),
    };
    let (for_controller, for_scene): (Vec<_>, Vec<_>) =
        parsed.into_iter().partition(|item| item.target.is_controller());

    let mut scene_source = located.source.clone();
    let document = files::read_all::<SceneSpec>(&mut scene_source, &for_scene, &FORMAT);
    let mut mistakes = document.mistakes;
    let Some(scene) = document.value else { return Examined { mistakes, ..Examined::default() } };
    let Checked { errors: of_scene, is_sound } = check(&scene, &scene_source);
    let of_terrain = terrain::check(&scene, &scene_source);
    let is_sound = is_sound && of_terrain.is_empty();
    mistakes.extend(of_scene.into_iter().chain(of_terrain));
    if let (Some(spec), Draws::Checked) = (&scene.trials, draws) {
        let of_draws = trials::check(spec, &scene_source);
        // Drawn values are tried only in a scene without mistakes. An override may remove the drawn key
        // (`--set events={}`): then there is no draw to try.
        let is_as_written = overrides.iter().all(|argument| argument.trim_start().starts_with("trials"));
        let is_right = is_as_written && mistakes.is_empty() && of_draws.is_empty();
        mistakes.extend(of_draws);
        if is_right {
            mistakes.extend(trials::mistakes(spec, &scene_source, |item| {
                with_drawn(&located, overrides, &for_scene, kept, item)
            }));
        }
    }
    let names: Vec<&str> = scene.characters.keys().map(|name| name.get_ref().as_str()).collect();
    mistakes.extend(for_controller.iter().filter_map(|item| reader_of(item, &names).err()));
    let references = References::new(&located, &scene_source, kept, mistakes);
    references.read(scene, overrides, &for_controller, is_sound)
}

/// The references of a scene, while it is read.
struct References<'a> {
    located: &'a Located,
    scene_source: &'a Source,
    kept: &'a [SourceText],
    mistakes: Vec<FileError>,
    warnings: Vec<Warning>,
    /// Warnings of files that take precedence over others of the same name.
    shadowed: Vec<Warning>,
    /// Files on disk that the scene names, itself first.
    paths: Vec<PathBuf>,
    /// Files on disk that controllers include.
    included: Vec<PathBuf>,
    /// Whether an object that the scene needs is missing.
    is_missing: bool,
}

impl<'a> References<'a> {
    fn new(
        located: &'a Located,
        scene_source: &'a Source,
        kept: &'a [SourceText],
        mistakes: Vec<FileError>,
    ) -> Self {
        References {
            located,
            scene_source,
            kept,
            mistakes,
            warnings: Vec::new(),
            shadowed: Vec::new(),
            paths: located.locator.path().into_iter().collect(),
            included: Vec::new(),
            is_missing: false,
        }
    }

    fn read(
        mut self,
        scene: SceneSpec,
        overrides: &[String],
        for_controller: &[Override],
        is_sound: bool,
    ) -> Examined {
        // Numbers out of range do not define ground.
        let (terrain, pictures) = if is_sound { self.ground(&scene) } else { Default::default() };
        let passive_sources = self.passive_sources(&scene);
        let characters = self.characters(&scene, for_controller);
        let successors = self.successors(&scene);
        self.warnings.extend(check_events::late(&scene, self.scene_source));
        self.warnings.splice(0..0, self.shadowed);
        let files = SceneFiles {
            name: self.located.locator.stem(),
            overrides: overrides.to_vec(),
            characters,
            scene_source: self.scene_source.clone(),
            scene,
            warnings: self.warnings,
            passive_sources,
            terrain,
            pictures,
            successors,
            locator: self.located.locator.clone(),
            paths: [self.paths, self.included].concat(),
        };
        let (is_missing, mistakes) = (self.is_missing, self.mistakes);
        Examined { files: Some(files).filter(|_| !is_missing), mistakes, is_sound }
    }

    /// The text that a reference names.
    fn refer(&mut self, folder: Folder, reference: &Spanned<String>) -> Result<Source, FileError> {
        if let Some(text) = kept_text(self.kept, folder, reference.get_ref()) {
            return Ok(text);
        }
        let span = reference.span();
        let found =
            files::find_from(folder, reference.get_ref(), self.located, self.scene_source, span.clone())?;
        self.paths.extend(found.locator.path());
        if let Some(message) = files::shadowed(folder, reference.get_ref(), &found.locator) {
            let found = FileError::new(self.scene_source, span, message);
            let help = format!("write `{reference}.{}` to say so", folder.extension());
            self.shadowed.push(Warning(found.help(help)));
        }
        Ok(found.source)
    }

    /// Stairs and uneven ground, and the pictures from which they are generated.
    fn ground(&mut self, scene: &SceneSpec) -> (Vec<Surface>, Vec<Source>) {
        let References { located, scene_source, kept, .. } = *self;
        let paths = RefCell::new(Vec::new());
        let (ground, pictures, wrong) = terrain::make(scene, scene_source, |reference| {
            let name = SourceText::new(PICTURE, reference.get_ref(), "").name;
            if let Some(text) = kept.iter().find(|text| text.kind == PICTURE && text.name == name) {
                return Ok(Source::new(&text.name, &text.text));
            }
            let beside = located.locator.path().filter(|_| !scene_source.is_overlaid(reference.span()));
            let (found, path) = terrain::read_picture(reference, beside.as_deref(), scene_source)?;
            paths.borrow_mut().push(path);
            Ok(found)
        });
        self.paths.append(&mut paths.into_inner());
        self.is_missing |= !wrong.is_empty();
        self.mistakes.extend(wrong);
        (ground, pictures)
    }

    /// The model files of each passive object.
    fn passive_sources(&mut self, scene: &SceneSpec) -> Vec<Vec<Source>> {
        let mut all = Vec::new();
        for object in scene.passive.values() {
            let mut sources = Vec::new();
            for reference in object.models() {
                // The body of a ragdoll may be that of a character.
                let found = self.refer(Folder::Passive, reference);
                let found =
                    found.or_else(|missing| self.refer(Folder::Characters, reference).map_err(|_| missing));
                match found {
                    Ok(source) => sources.push(source),
                    Err(missing) => {
                        self.is_missing = true;
                        self.mistakes.push(missing);
                    }
                }
            }
            all.push(sources);
        }
        all
    }

    fn characters(&mut self, scene: &SceneSpec, for_controller: &[Override]) -> Vec<CharacterFiles> {
        let names: Vec<&str> = scene.characters.keys().map(|name| name.get_ref().as_str()).collect();
        let mut characters = Vec::new();
        for (number, (name, spec)) in scene.characters.iter().enumerate() {
            let own = for_controller.iter().filter(|item| reader_of(item, &names) == Ok(number));
            characters.extend(self.character(name, spec, &own.cloned().collect::<Vec<_>>()));
        }
        self.is_missing |= characters.len() < scene.characters.len();
        characters
    }

    fn character(
        &mut self,
        name: &Spanned<String>,
        spec: &CharacterSpec,
        overrides: &[Override],
    ) -> Option<CharacterFiles> {
        let model = self.refer(Folder::Characters, &spec.model);
        let model = model.map_err(|mistake| self.mistakes.push(mistake));
        let controller = self.refer(Folder::Controllers, &spec.controller);
        let controller = controller.map_err(|mistake| self.mistakes.push(mistake));
        let controller = controller.map(|found| self.controller(found, overrides));
        let model_source = model.ok()?;
        // Mistakes in the body are reported where it is bound.
        let reading = mjcf::read_with(&model_source, &spec.reading()).ok();
        let body = reading.map(|mut reading| {
            self.warnings.extend(reading.warnings);
            self.warnings.extend(unused_height(spec, self.scene_source, &reading.model));
            // Mistakes in roles and pads are reported there too.
            _ = spec.assign(self.scene_source, &mut reading.model);
            reading.model
        });
        let controller = controller.ok()??;
        if let Some(body) = &body {
            self.warnings.extend(controller::warnings_with(&controller.spec, &controller.source, body));
        }
        Some(CharacterFiles { name: name.get_ref().clone(), model_source, controller })
    }

    /// A controller, as far as it can be parsed.
    fn controller(&mut self, found: Source, overrides: &[Override]) -> Option<ControllerFile> {
        let (source, spec, wrong) = controller::read_all(found, overrides);
        self.included.extend(paths_of(&source));
        self.mistakes.extend(wrong);
        let spec = spec?;
        let found = controller::check(&spec, &source);
        self.mistakes.extend(found.errors);
        self.warnings.extend(found.warnings);
        Some(ControllerFile { source, spec, overrides: overrides.to_vec() })
    }

    /// Controllers by which events replace others.
    fn successors(&mut self, scene: &SceneSpec) -> Vec<ControllerFile> {
        let mut successors = Vec::new();
        for reference in scene.events.values().filter_map(|event| event.controller.as_ref()) {
            let successor = match self.refer(Folder::Controllers, reference) {
                Ok(found) => self.controller(found, &[]),
                Err(mistake) => {
                    self.mistakes.push(mistake);
                    None
                }
            };
            self.is_missing |= successor.is_none();
            successors.extend(successor);
        }
        successors
    }
}

/// Mistakes of a scene that occur only with a drawn value. Values of controllers and references require
/// reading all files.
fn with_drawn(
    located: &Located,
    overrides: &[String],
    for_scene: &[Override],
    kept: &[SourceText],
    item: Override,
) -> Vec<FileError> {
    if item.target.is_controller() || item.value_text().starts_with(['"', '\'']) {
        let with = |more: &[String]| {
            let overrides = [overrides, more].concat();
            read(located.clone(), &overrides, kept, Draws::Known).mistakes
        };
        let without = with(&[]);
        let mut mistakes = with(&[item.argument]);
        mistakes.retain(|mistake| without.iter().all(|other| other.message != mistake.message));
        return mistakes;
    }
    let mut source = located.source.clone();
    let items: Vec<Override> = for_scene.iter().cloned().chain([item]).collect();
    let document = files::read_all::<SceneSpec>(&mut source, &items, &FORMAT);
    let mut mistakes = document.mistakes;
    if let Some(scene) = document.value {
        mistakes.extend(check(&scene, &source).errors);
        mistakes.extend(terrain::check(&scene, &source));
    }
    mistakes
}

/// The files on disk that a controller includes.
fn paths_of(controller: &Source) -> Vec<PathBuf> {
    controller.included().filter_map(|kept| Some(kept.source.path?.to_path_buf())).collect()
}

/// A warning about a height, which has no effect on a body fixed to the world.
fn unused_height(spec: &CharacterSpec, source: &Source, body: &Model) -> Option<Warning> {
    let height = spec.height.as_ref()?;
    if body.joints.iter().any(|joint| joint.kind == JointKind::Free) {
        return None;
    }
    let mistake = FileError::new(source, height.span(), "`height` is not used: this body has no free joint");
    Some(Warning(mistake.help("the body file says where it is fixed to the world").rule("unused-height")))
}
