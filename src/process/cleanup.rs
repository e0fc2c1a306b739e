//! Kills child processes and removes temporary files when the program exits.

use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, TempDir};

/// A resource that must be cleaned up when the program exits. The order of the variants is the order of the cleanup:
/// after the processes are killed, they create no more files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Resource {
    /// A child process that leads a process group.
    Process(u32),
    File(PathBuf),
    /// A directory, which is removed with its contents.
    Directory(PathBuf),
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

/// A temporary directory. It is removed with its contents when the value is dropped, and by [`clean_up`].
#[derive(Debug)]
pub(crate) struct TemporaryDirectory {
    directory: TempDir,
    _registration: Registration,
}

impl TemporaryDirectory {
    /// Creates an empty directory.
    pub(crate) fn new() -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("gordian-").tempdir()?;
        let registration = Registration::new(Resource::Directory(directory.path().to_owned()));
        Ok(Self { directory, _registration: registration })
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
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

/// Kills all registered processes, and then removes all registered files and directories. The program calls `clean_up`
/// immediately before it exits.
#[cfg(feature = "tool")]
pub(crate) fn clean_up() {
    let mut resources = resources();
    resources.sort();
    for resource in resources.drain(..) {
        // Errors are ignored, because the program is about to exit.
        match resource {
            Resource::Process(id) => super::tree::kill_tree(id),
            Resource::File(path) => drop(std::fs::remove_file(path)),
            Resource::Directory(path) => drop(std::fs::remove_dir_all(path)),
        }
    }
}
