use super::spec::ControllerSpec;
use crate::diagnostic::{FileError, Source};
pub fn check(_: &ControllerSpec, _: &Source) -> (Vec<FileError>, Vec<FileError>) {
    (vec![], vec![])
}
