//! The bindings of each frame as numbers that traces record.

use super::machine::Machine;
use aplomb_language::expression::{Type, Value};

/// A number of a binding of each frame, as traces list it.
#[derive(Clone, Debug)]
pub struct BindingNumber {
    /// Name of the binding; for a vector with `.x`, `.y` or `.z`.
    pub name: String,
    binding: String,
    axis: usize,
    /// Role of the present controller; `None` if it has none of that name.
    role: Option<usize>,
}

impl Machine {
    /// Adds the numbers of the bindings of each frame that `listed` lacks, and resolves those that it has. Booleans
    /// are 1 and 0; parts, objects and states are not numbers.
    pub(crate) fn list_recorded(&self, listed: &mut Vec<BindingNumber>) {
        for known in listed.iter_mut() {
            known.role = self.roles.iter().position(|role| role.name == known.binding);
        }
        let levels = self.states.iter().flat_map(|state| &state.levels);
        let of_frames = levels.flat_map(|level| &level.bindings.all[level.bindings.on_entry..]);
        for role in of_frames.map(|(role, _)| *role) {
            let binding = &self.roles[role].name;
            let axes: &[&str] = match self.roles[role].kind {
                Type::Number | Type::Boolean => &[""],
                Type::Vector => &[".x", ".y", ".z"],
                _ => &[],
            };
            for (axis, ending) in axes.iter().enumerate() {
                let name = format!("{binding}{ending}");
                if listed.iter().all(|known| known.name != name) {
                    listed.push(BindingNumber { name, binding: binding.clone(), axis, role: Some(role) });
                }
            }
        }
    }

    /// Present value of a listed number; `None` if the state has no such binding, or the value is not a finite
    /// number.
    pub(crate) fn recorded(&self, listed: &BindingNumber) -> Option<f64> {
        let role = listed.role.filter(|role| self.reach[self.current].get(*role) == Some(&true))?;
        let number = match self.values[role] {
            Value::Number(number) => number,
            Value::Boolean(truth) => f64::from(u8::from(truth)),
            Value::Vector(vector) => vector[listed.axis],
            _ => return None,
        };
        Some(number).filter(|number| number.is_finite())
    }
}
