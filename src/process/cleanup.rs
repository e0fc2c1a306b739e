//! Removes temporary files and kills child processes when the program exits.

use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// A resource that must be cleaned up when the program exits.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Resource {
    File(PathBuf),
    /// A child process that leads a process group.
    Process(u32),
}

static RESOURCES: Mutex<Vec<Resource>> = Mutex::new(Vec::new());

fn resources() -> MutexGuard<'static, Vec<Resource>> {
    // A poisoned lock is ignored, because no code panics while the list is inconsistent.
    RESOURCES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The registration of a resource for [`clean_up`]. The registration ends when the value is dropped.
#[derive(Debug)]
pub(crate) struct Registration(Resource);

impl Registration {
    pub(crate) fn file(path: &Path) -> Self {
        Self::new(Resource::File(path.to_owned()))
    }

    /// Registers a child process that leads a process group.
    pub(super) fn process(id: u32) -> Self {
        Self::new(Resource::Process(id))
    }

    fn new(resource: Resource) -> Self {
        resources().push(resource.clone());
        Self(resource)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut resources = resources();
        if let Some(at) = resources.iter().position(|other| *other == self.0) {
            resources.swap_remove(at);
        }
    }
}

/// A temporary file. The file is removed when the value is dropped, and by [`clean_up`].
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: NamedTempFile,
    _registration: Registration,
}

impl TemporaryFile {
    /// Creates an empty file whose name ends with `suffix`.
    pub(crate) fn new(suffix: &str) -> io::Result<Self> {
        let file = tempfile::Builder::new().prefix("gordian-").suffix(suffix).tempfile()?;
        let registration = Registration::file(file.path());
        Ok(Self { file, _registration: registration })
    }
}

impl Deref for TemporaryFile {
    type Target = NamedTempFile;

    fn deref(&self) -> &NamedTempFile {
        &self.file
    }
}

impl DerefMut for TemporaryFile {
    fn deref_mut(&mut self) -> &mut NamedTempFile {
        &mut self.file
    }
}

/// Kills all registered processes and removes all registered files. The program calls `clean_up` immediately before
/// it exits.
#[cfg(feature = "tool")]
pub(crate) fn clean_up() {
    for resource in resources().drain(..) {
        match resource {
            Resource::File(path) => {
                // Errors are ignored, because the program is about to exit.
                let _ = std::fs::remove_file(path);
            }
            Resource::Process(id) => super::tree::kill_tree(id),
        }
    }
}
