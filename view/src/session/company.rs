//! Characters that a program adds to the world of a scene, which has one at most.

use aplomb::cli::Failure;
use aplomb::model::Model;
use aplomb::scene::Run;
use aplomb::trace::Frame;
use aplomb::world::{CharacterId, World, WorldError};
use std::sync::Arc;

/// What a program adds to the world of a scene before it runs: characters, and whatever else a world takes. It is called
/// again where the scene begins anew, and must add the same.
pub type Company = Arc<dyn Fn(&mut World) -> Result<(), WorldError> + Send + Sync>;

/// A character beside the scene's own, as a frame left it.
#[derive(Clone, Debug)]
pub struct Other {
    /// What it is called.
    pub name: Arc<str>,
    /// Its body.
    pub model: Arc<Model>,
    /// Its configuration.
    pub q: Vec<f64>,
    /// Where forces act on it at contacts and grips, m, and these forces, N; world axes.
    pub forces: Vec<[[f64; 3]; 2]>,
}

/// Names and bodies of the characters beside the scene's own.
pub type Cast = Vec<(Arc<str>, Arc<Model>)>;

/// Lets the company into a world, and says who came.
pub fn join(run: &mut Run, company: Option<&Company>) -> Result<Cast, Failure> {
    if let Some(company) = company {
        let refused = |error: WorldError| Failure::Usage { message: error.to_string(), help: None };
        company(&mut run.world).map_err(refused)?;
    }
    let all = run.world.characters().skip(1).map(|id| run.world.character(id));
    Ok(all.map(|character| (character.name.as_str().into(), Arc::new(character.model.clone()))).collect())
}

/// Those beside the scene's own, given the record of each.
pub fn others(cast: &Cast, mut record: impl FnMut(CharacterId) -> Frame) -> Arc<[Other]> {
    let each = cast.iter().zip(1..).map(|((name, model), number)| {
        let frame = record(CharacterId(number));
        let forces = frame.contacts.iter().map(|contact| [contact.point, contact.force]).collect();
        Other { name: name.clone(), model: model.clone(), q: frame.q, forces }
    });
    each.collect()
}
