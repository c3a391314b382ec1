//! One macro: kinds of entries in files ⇄ behaviour. A kind is one file and one line in a list.

/// Makes the enum that files are read into (`{ kind = { … } }`, externally tagged, so that errors keep their
/// place), its `bind` to behaviour, and `list`, the names with their doc lines for `aplomb list`.
#[macro_export]
macro_rules! kinds {
    (
        $(#[$meta:meta])*
        pub enum $Name:ident: $Binder:ty => $Behaviour:ty {
            $(#[doc = $doc:literal] $key:literal $Variant:ident($Spec:ty),)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub enum $Name {
            $(#[doc = $doc] #[serde(rename = $key)] $Variant($Spec),)*
        }

        impl $Name {
            /// Resolves every name that the file uses and returns the behaviour.
            ///
            /// # Errors
            ///
            /// If a name is unknown, a type is wrong, or a value lies outside its range.
            pub fn bind(
                &self,
                binder: &$Binder,
            ) -> Result<Box<$Behaviour>, $crate::diagnostic::FileError> {
                match self {
                    $($Name::$Variant(spec) => Ok(Box::new(spec.bind(binder)?)),)*
                }
            }

            /// Name in files and one-sentence description of each kind.
            pub fn list() -> &'static [(&'static str, &'static str)] {
                &[$(($key, $doc)),*]
            }
        }
    };
}

pub use kinds;
