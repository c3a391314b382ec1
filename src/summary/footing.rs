//! Steps: how often a foot was lifted and put down again, whatever the controller calls it.

use crate::model::{BodyId, Model};
use crate::trace::{Frame, Outcome};

/// A foot that is off the ground for less than this has not stepped: it rocked. s
const SHORTEST_SWING: f64 = 0.05;

/// A body that stands in the first frame, with the bodies joined to it that stand too (a foot and its toes).
struct Foot {
    bodies: Vec<String>,
    /// Since when none of them touches anything, s.
    lifted: Option<f64>,
}

/// Counts steps from the contacts of each frame.
#[derive(Default)]
pub(super) struct Footing {
    /// Names of the model's bodies and of their parents.
    bodies: Vec<(String, Option<usize>)>,
    /// Known from the first frame on that has contacts.
    feet: Vec<Foot>,
    pub steps: u64,
}

impl Footing {
    pub fn new(model: &Model) -> Self {
        let parent = |parent: BodyId| parent.0;
        let bodies = model.bodies.iter().map(|body| (body.name.clone(), body.parent.map(parent)));
        Footing { bodies: bodies.collect(), feet: Vec::new(), steps: 0 }
    }

    /// Takes in a frame. One without a solution records no contacts, which says nothing.
    pub fn add(&mut self, frame: &Frame) {
        if matches!(frame.outcome, Outcome::Failed { .. }) {
            return;
        }
        if self.feet.is_empty() {
            self.feet = self.standing(frame);
        }
        for foot in &mut self.feet {
            let touches = frame.contacts.iter().any(|contact| foot.bodies.contains(&contact.body));
            if !touches {
                foot.lifted.get_or_insert(frame.time);
            } else if let Some(lifted) = foot.lifted.take()
                && frame.time - lifted > SHORTEST_SWING - 1e-9
            {
                self.steps += 1;
            }
        }
    }

    fn standing(&self, frame: &Frame) -> Vec<Foot> {
        let stands = |body: usize| frame.contacts.iter().any(|contact| contact.body == self.bodies[body].0);
        let mut feet: Vec<(usize, Foot)> = Vec::new();
        for body in (0..self.bodies.len()).filter(|body| stands(*body)) {
            let mut first = body;
            while let Some(parent) = self.bodies[first].1.filter(|parent| stands(*parent)) {
                first = parent;
            }
            let name = self.bodies[body].0.clone();
            match feet.iter_mut().find(|(known, _)| *known == first) {
                Some((_, foot)) => foot.bodies.push(name),
                None => feet.push((first, Foot { bodies: vec![name], lifted: None })),
            }
        }
        feet.into_iter().map(|(_, foot)| foot).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Contact;

    fn footing() -> Footing {
        let bodies = [("pelvis", None), ("foot", Some(0)), ("toes", Some(1)), ("other_foot", Some(0))];
        let bodies = bodies.map(|(name, parent)| (name.to_string(), parent)).to_vec();
        Footing { bodies, ..Footing::default() }
    }

    fn steps(touching: &[&[&str]]) -> u64 {
        let mut footing = footing();
        for (index, bodies) in touching.iter().enumerate() {
            let contact = |body: &&str| Contact { body: (*body).into(), ..Contact::default() };
            let contacts = bodies.iter().map(contact).collect();
            footing.add(&Frame { time: 0.02 * index as f64, contacts, ..Frame::default() });
        }
        footing.steps
    }

    #[test]
    fn a_foot_that_is_put_down_after_a_swing_has_stepped() {
        let both: &[&str] = &["foot", "toes", "other_foot"];
        assert_eq!(steps(&[both, &["foot"], &["foot"], &["foot"], both]), 1);
        assert_eq!(steps(&[both, &["other_foot"], &["other_foot"], &["other_foot"], &["toes"]]), 1);
        assert_eq!(steps(&[both, &[], &[], &[], both]), 2, "a jump lands with both feet");
    }

    #[test]
    fn rocking_rising_on_the_toes_and_a_hand_on_the_floor_are_no_steps() {
        let both: &[&str] = &["foot", "toes", "other_foot"];
        assert_eq!(steps(&[both, &["foot"], &["foot"], both]), 0, "off the ground for 0.04 s");
        let tiptoe: &[&str] = &["toes", "other_foot"];
        assert_eq!(steps(&[both, tiptoe, tiptoe, tiptoe, tiptoe, both]), 0);
        assert_eq!(steps(&[both, both, both, both, &["foot", "toes", "other_foot", "pelvis"]]), 0);
    }
}
