//! Values in the text of a TOML file, by their keys; the rest of the text is kept.

use toml_edit::{DocumentMut, Item, Key, Value};

/// Why a value cannot be written into a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The text is not TOML.
    #[error("the file is no TOML: {0}")]
    Text(String),
    /// The keys do not exist in it.
    #[error("the file has no `{0}`")]
    Missing(String),
    /// The value is not TOML.
    #[error("`{0}` is no value")]
    Value(String),
}

/// Text of the value at keys joined by dots.
pub fn value_at(text: &str, path: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let keys = Key::parse(path).ok()?;
    let item = keys.iter().try_fold(document.as_item_mut(), |item, key| enter(item, key.get()))?;
    Some(item.to_string().trim().to_owned())
}

/// The text with these values at these keys. Comments and the rest are kept.
pub fn with_values(text: &str, values: &[(String, String)]) -> Result<String, WriteError> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| WriteError::Text(error.message().to_owned()))?;
    for (path, value) in values {
        let missing = || WriteError::Missing(path.clone());
        let keys = Key::parse(path).map_err(|_| missing())?;
        let (last, parents) = keys.split_last().ok_or_else(missing)?;
        let parent = parents.iter().try_fold(document.as_item_mut(), |item, key| enter(item, key.get()));
        let parent = parent.ok_or_else(missing)?;
        let mut new: Value = value.trim().parse().map_err(|_| WriteError::Value(value.clone()))?;
        match enter(parent, last.get()) {
            Some(Item::Value(old)) => {
                *new.decor_mut() = old.decor().clone();
                *old = new;
            }
            Some(_) => return Err(missing()),
            None => {
                let table = parent.as_table_like_mut().ok_or_else(missing)?;
                table.insert(last.get(), Item::Value(new));
            }
        }
    }
    Ok(document.to_string())
}

/// The item below a key; in an array the element with this `name`, or else with this number.
fn enter<'a>(item: &'a mut Item, key: &str) -> Option<&'a mut Item> {
    match item {
        Item::ArrayOfTables(tables) => {
            let named = tables.iter().position(|table| table.get("name").and_then(Item::as_str) == Some(key));
            let place = named.or_else(|| key.parse().ok())?;
            return item.get_mut(place);
        }
        Item::Value(Value::Array(array)) => {
            let name = |value: &Value| value.as_inline_table()?.get("name")?.as_str().map(str::to_owned);
            let named = array.iter().position(|value| name(value).as_deref() == Some(key));
            let place = named.or_else(|| key.parse().ok())?;
            return item.get_mut(place);
        }
        _ => {}
    }
    // `toml_edit` returns an empty item for a missing key.
    item.get_mut(key).filter(|item| !item.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# What it is.\nstart = \"a\"\n\n[parameters]\ncrouch = 0.9   # m, of the COM\n\n\
        [[objectives]]\nname = \"com height\"\nweight = 10 # much\nof = { com_height = { target = 0.9 } }\n\n\
        [states.a]\nobjectives = [\n    { name = \"rest pose\", weight = 0.1 }, # little\n]\n";

    #[test]
    fn values_are_written_and_everything_else_stays() {
        let values = [
            ("parameters.crouch", "0.875"),
            ("objectives.\"com height\".weight", "12.5"),
            ("objectives.\"com height\".of.com_height.target", "1.0"),
            ("states.a.objectives.\"rest pose\".weight", "0.2"),
        ];
        let values = values.map(|(path, value)| (path.to_owned(), value.to_owned()));
        let written = with_values(TEXT, &values).unwrap();
        let wanted = TEXT
            .replace("crouch = 0.9 ", "crouch = 0.875 ")
            .replace("weight = 10 ", "weight = 12.5 ")
            .replace("target = 0.9", "target = 1.0")
            .replace("weight = 0.1", "weight = 0.2");
        assert_eq!(written, wanted);
        assert_eq!(value_at(&written, "objectives.\"com height\".weight").as_deref(), Some("12.5 # much"));
        assert_eq!(value_at(TEXT, "states.b.doc"), None);
    }

    #[test]
    fn what_has_no_place_is_told() {
        let set = |path: &str, value: &str| with_values(TEXT, &[(path.to_owned(), value.to_owned())]);
        assert_eq!(
            set("states.b.objectives.x.weight", "1"),
            Err(WriteError::Missing("states.b.objectives.x.weight".into()))
        );
        assert_eq!(set("parameters.crouch", "1 2"), Err(WriteError::Value("1 2".into())));
    }
}
