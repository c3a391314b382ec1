//! The characters of a world besides the first, and those that a program adds.

use aplomb::cli::Failure;
use aplomb::model::Model;
use aplomb::scene::Run;
use aplomb::trace::Frame;
use aplomb::world::{CharacterId, World, WorldError};
use std::sync::Arc;

/// Adds characters to the world of a scene before it runs. It is called again at every reset, and must add
/// the same.
pub type Company = Arc<dyn Fn(&mut World) -> Result<(), WorldError> + Send + Sync>;

/// State of a character besides the first in a frame.
#[derive(Clone, Debug)]
pub struct AddedCharacter {
    /// Name of the character.
    pub name: Arc<str>,
    /// Model of the character.
    pub model: Arc<Model>,
    /// Configuration.
    pub q: Vec<f64>,
    /// Points and forces of its contacts and grips, m and N, world axes.
    pub forces: Vec<[[f64; 3]; 2]>,
}

/// Names and models of the characters besides the first.
pub type Cast = Vec<(Arc<str>, Arc<Model>)>;

/// Adds a program's characters to a world, and returns names and models of all characters besides the first.
pub fn join(run: &mut Run, company: Option<&Company>) -> Result<Cast, Failure> {
    if let Some(company) = company {
        let refused = |error: WorldError| Failure::Usage { message: error.to_string(), help: None };
        company(&mut run.world).map_err(refused)?;
    }
    let all = run.world.characters().skip(1).map(|id| run.world.character(id));
    Ok(all.map(|character| (character.name.as_str().into(), Arc::new(character.model.clone()))).collect())
}

/// The characters besides the first in a frame; `record` returns the record of each.
pub fn others(cast: &Cast, mut record: impl FnMut(CharacterId) -> Frame) -> Arc<[AddedCharacter]> {
    let each = cast.iter().zip(1..).map(|((name, model), number)| {
        let frame = record(CharacterId(number));
        let forces = frame.contacts.iter().map(|contact| [contact.point, contact.force]).collect();
        AddedCharacter { name: name.clone(), model: model.clone(), q: frame.q, forces }
    });
    each.collect()
}
