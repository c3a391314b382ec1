//! Grips between characters, made by programs.

use super::character::UnknownName;
use super::contents::{CharacterId, World, WorldError};
use aplomb_body::contact::grip::{BodyPoint, Carrier, GripKind, Hold, HoldKind, HoldShape, Want};
use aplomb_body::model::Model;
use aplomb_language::diagnostic::Place;
use nalgebra::Vector3;

/// The point of a character's body at a site of its model, as a hold.
pub fn point_of(model: &Model, character: usize, site: usize) -> Option<Carrier> {
    let site = &model.sites[site];
    Some(Carrier::Character(BodyPoint { character, body: site.body?, local: site.position }))
}

impl World {
    /// Makes a site of a character's body a hold for other characters, under a name that controllers added
    /// later may use.
    ///
    /// # Errors
    /// A name that is already used, and a site that its body does not have.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn add_hold_on(&mut self, name: &str, id: CharacterId, site: &str) -> Result<(), WorldError> {
        if self.scenery.snapshot.grips.holds.iter().any(|hold| *hold.name == *name) {
            return Err(WorldError::NameTaken(name.into()));
        }
        let model = &self.actors[id.0].character.model;
        let carrier = site_of(model, site).and_then(|site| point_of(model, id.0, site));
        let carrier = carrier.ok_or_else(|| unknown_site(model, site))?;
        let mut hold = Hold::new(name, HoldShape::Point(Vector3::zeros()), None);
        (hold.kind, hold.carrier) = (HoldKind::Hand, Some(carrier));
        self.scenery.snapshot.grips.add_hold(&self.scenery.model, hold.clone());
        for actor in &mut self.actors {
            let model = &actor.character.model;
            actor.character.snapshot.grips.add_hold(model, hold.clone());
        }
        self.make_room_for_records();
        self.observed.is_current = false;
        Ok(())
    }

    /// Makes a site of a character's body grip a hold as soon as it is within reach, whatever its controller
    /// requests. A grip that breaks is not made again.
    ///
    /// # Errors
    /// A name that no site of its body or no hold has.
    ///
    /// # Panics
    /// If `id` is of another world.
    pub fn hold_on(&mut self, id: CharacterId, site: &str, hold: &str) -> Result<(), WorldError> {
        let character = &mut self.actors[id.0].character;
        let number = site_of(&character.model, site).ok_or_else(|| unknown_site(&character.model, site))?;
        let grips = &mut character.snapshot.grips;
        let place =
            grips.holds.iter().position(|known| *known.name == *hold).ok_or_else(|| {
                UnknownName::new("hold", hold, grips.holds.iter().map(|known| &*known.name))
            })?;
        let want = Want::new(number, place, GripKind::Grasp, Place::default());
        character.own_grips.push(want.clone());
        grips.want_too(want);
        Ok(())
    }
}

fn site_of(model: &Model, name: &str) -> Option<usize> {
    model.site(name).filter(|site| model.sites[*site].body.is_some())
}

fn unknown_site(model: &Model, name: &str) -> UnknownName {
    let sites = model.sites.iter().map(|site| site.name.as_str());
    UnknownName::new("site", name, sites.chain(model.roles.points().map(|(role, _)| role)))
}
