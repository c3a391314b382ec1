//! Sets a value in a document that is written back.

use super::overrides::Override;
use toml::{Table, Value};

impl Override {
    /// Sets the value in a table at its path; missing tables are created.
    ///
    /// # Errors
    /// As text: a path through a value or to a missing element of a list, or a value that is not TOML.
    pub fn put(&self, table: &mut Table) -> Result<(), String> {
        let text = self.value_text();
        let value = match format!("value = {text}").parse::<Table>() {
            Ok(mut document) => document.remove("value").unwrap_or(Value::String(text.into())),
            // A bare word is a string.
            Err(_) => Value::String(text.into()),
        };
        let Some(((last, _), parents)) = self.path.split_last() else { return Ok(()) };
        let Some(((first, _), parents)) = parents.split_first() else {
            table.insert(last.clone(), value);
            return Ok(());
        };
        let empty = || Value::Table(Table::new());
        let mut place = table.entry(first.clone()).or_insert_with(empty);
        for (key, _) in parents {
            place = match place {
                Value::Table(table) => table.entry(key.clone()).or_insert_with(empty),
                Value::Array(list) => element(list, key)?,
                _ => return Err(format!("`{key}` leads through a value")),
            };
        }
        match place {
            Value::Table(table) => {
                table.insert(last.clone(), value);
            }
            Value::Array(list) => *element(list, last)? = value,
            _ => return Err(format!("`{last}` leads through a value")),
        }
        Ok(())
    }
}

/// The element of a list by name or index.
fn element<'l>(list: &'l mut [Value], key: &str) -> Result<&'l mut Value, String> {
    let named = list.iter().position(|element| element.get("name").and_then(Value::as_str) == Some(key));
    let index = named.or_else(|| key.parse().ok());
    index.and_then(|index| list.get_mut(index)).ok_or_else(|| format!("the list has no `{key}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_where_overrides_put_them() {
        let mut table: Table = "a = [1, 2]\n[b.c]\nd = 1\n[[e]]\nname = \"f\"\n".parse().unwrap();
        for set in ["a.1=5", "b.c.d=[1, 2]", "e.f.g=true", "h.i=word", "j=1"] {
            Override::parse(set).unwrap().put(&mut table).unwrap();
        }
        let wanted =
            "a = [1, 5]\nj = 1\n[b.c]\nd = [1, 2]\n[[e]]\nname = \"f\"\ng = true\n[h]\ni = \"word\"\n";
        assert_eq!(table, wanted.parse::<Table>().unwrap());
        for wrong in ["a.7=1", "a.b=1", "j.k=1", "j.k.l=1"] {
            assert!(Override::parse(wrong).unwrap().put(&mut table).is_err(), "{wrong}");
        }
    }
}
