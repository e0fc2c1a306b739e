//! The interface to `MiniZinc`: its solver configuration and library, and the compilation of models.
//!
//! `MiniZinc` finds a solver through a configuration file (`.msc`), which contains the paths of the executable and of a
//! library. The predicates in the library replace those in the standard library, and predicates without a body are
//! passed to the solver. The library is embedded in the executable, so the configuration can be installed in any
//! directory.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::backend::Limits;
use crate::process::cleanup::TemporaryDirectory;
use crate::process::{self, ProcessLimits, Termination};
use crate::search::STRATEGIES;

mod library;
mod named;

pub use library::LIBRARY;

/// The name of the configuration file.
const CONFIGURATION: &str = "gordian.msc";
/// The name of the library directory, which is next to the configuration file.
const DIRECTORY: &str = "gordian";

/// Gordian's configuration file and library, installed in a directory where `MiniZinc` looks for solvers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    directory: PathBuf,
}

impl Installation {
    /// Returns the installation in `directory`. The directory may not exist yet.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Returns the installation in the directory that `MiniZinc` searches first: the first directory in
    /// `MZN_SOLVER_PATH`, or otherwise `.minizinc/solvers` in the home directory. Returns `None` if there is no home
    /// directory.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let path = std::env::var_os("MZN_SOLVER_PATH").unwrap_or_default();
        let first = std::env::split_paths(&path).find(|path| !path.as_os_str().is_empty());
        let home = || Some(std::env::home_dir()?.join(".minizinc").join("solvers"));
        first.or_else(home).map(Self::at)
    }

    /// Returns the path of the configuration file.
    #[must_use]
    pub fn configuration(&self) -> PathBuf {
        self.directory.join(CONFIGURATION)
    }

    /// Writes the library and the configuration file. The configuration makes `MiniZinc` run `executable fzn`. The new
    /// installation replaces an earlier installation.
    ///
    /// # Errors
    /// Returns an error if a file can't be written.
    pub fn write(&self, executable: &Path) -> io::Result<()> {
        self.remove()?;
        let library = self.directory.join(DIRECTORY);
        for (name, text) in LIBRARY {
            let path = library.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&library))?;
            fs::write(path, text)?;
        }
        // The configuration file is written last, so it never refers to an incomplete library.
        fs::write(self.configuration(), configuration(executable))
    }

    /// Removes the configuration file and the library. Returns whether the configuration file existed.
    ///
    /// # Errors
    /// Returns an error if a file can't be removed.
    pub fn remove(&self) -> io::Result<bool> {
        let existed = match fs::remove_file(self.configuration()) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        remove_models(&self.directory.join(DIRECTORY))?;
        Ok(existed)
    }
}

/// Removes the `MiniZinc` files in a directory and its subdirectories, and the directories that are empty afterwards.
/// All other files are kept.
fn remove_models(directory: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            remove_models(&path)?;
        } else if path.extension() == Some(OsStr::new("mzn")) {
            fs::remove_file(&path)?;
        }
    }
    match fs::remove_dir(directory) {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error),
        _ => Ok(()),
    }
}

/// Returns the text of the configuration file. `MiniZinc` 2.6 rejects a file with unknown keys.
fn configuration(executable: &Path) -> String {
    let strategies: Vec<_> = STRATEGIES.iter().map(|strategy| strategy.name).collect();
    let strategies = format!("opt:{}", strategies.join(":"));
    let configuration = json!({
        "id": "org.gordian.gordian",
        "name": "Gordian",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Encodes the model into CNF for a CDCL SAT solver",
        "executable": [executable, "fzn"],
        "mznlib": format!("./{DIRECTORY}"),
        "tags": ["cp", "int", "sat"],
        "stdFlags": ["-a", "-i", "-n", "-n-o", "-a-o", "-f", "-s", "-v", "-p", "-r", "-t"],
        "extraFlags": [
            ["--encode", "The encoding for a constraint, as CONSTRAINT=ENCODING", "string", ""],
            ["--strategy", "The optimisation strategy", strategies, STRATEGIES[0].name],
            // The option `--solver` belongs to MiniZinc itself.
            ["--sat-solver", "The SAT solver", "string", ""],
            ["--restart", "The restart sequence of on_restart", "opt:none:constant:linear:luby:geometric", "luby"],
            ["--restart-scale", "The number of conflicts that scales the restart sequence", "int", "250"],
            ["--restart-base", "The base of the geometric restart sequence", "float", "1.5"]
        ],
        "supportsMzn": false,
        "supportsFzn": true,
        "needsSolns2Out": true,
        "needsMznExecutable": false,
        "needsStdlibDir": false,
        "isGUIApplication": false
    });
    format!("{configuration:#}\n")
}

/// The reason why a model could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The program `minizinc` is not on the `PATH`.
    #[error("to read a MiniZinc model, `minizinc` must be on the PATH; see https://www.minizinc.org")]
    NotFound,
    /// The program `minizinc` reported the given errors.
    #[error("minizinc could not compile the model:\n{}", .0.trim_end())]
    Model(String),
    /// A file can't be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A limit was reached.
    #[error("stopped before the model was compiled")]
    Stopped,
}

/// The maximum size of the messages of `minizinc` in bytes.
const MOST_OUTPUT: u64 = 1 << 24;

/// Compiles a model and its data files into FlatZinc with the program `minizinc`. Returns the FlatZinc text and the
/// warnings.
///
/// # Errors
/// Returns an error if `minizinc` is missing or rejects the model, if a file can't be read or written, or if a limit is
/// reached.
pub fn compile(model: &Path, data: &[PathBuf], limits: &Limits) -> Result<(Vec<u8>, String), CompileError> {
    compiled(model, data, &[], limits)
}

/// Works like [`compile`], but the constraint items of the model have names, which contain their places. They become
/// annotations `mzn_constraint_name` of the constraints. The FlatZinc text is not optimised, because optimisation replaces
/// constraints that contradict each other by `false`, without a name.
///
/// The option `--keep-paths` of `minizinc` would state the places, too, but with it `minizinc` 2.6.4 compiles some models
/// that have a solution into FlatZinc without a solution.
///
/// # Errors
/// See [`compile`].
pub fn compile_named(
    model: &Path,
    data: &[PathBuf],
    limits: &Limits,
) -> Result<(Vec<u8>, String), CompileError> {
    let Ok(text) = fs::read_to_string(model) else { return compile(model, data, limits) };
    let absolute = model.canonicalize()?;
    let directory = TemporaryDirectory::new()?;
    let copy = directory.path().join("model.mzn");
    let included_from = absolute.parent().unwrap_or(&absolute);
    fs::write(&copy, named::named(&text, &model.to_string_lossy(), included_from))?;
    match compiled(&copy, data, &["-O0"], limits) {
        Ok((flat, warnings)) => {
            Ok((flat, warnings.replace(&*copy.to_string_lossy(), &absolute.to_string_lossy())))
        }
        // The original model gives the error with the right columns.
        Err(CompileError::Model(_)) => compile(model, data, limits),
        Err(error) => Err(error),
    }
}

fn compiled(
    model: &Path,
    data: &[PathBuf],
    options: &[&str],
    limits: &Limits,
) -> Result<(Vec<u8>, String), CompileError> {
    let directory = TemporaryDirectory::new()?;
    let installation = Installation::at(directory.path());
    installation.write(Path::new("gordian"))?;
    let flat = directory.path().join("model.fzn");
    let mut arguments: Vec<OsString> = vec!["--compile".into(), "--no-output-ozn".into()];
    arguments.extend(options.iter().map(OsString::from));
    arguments.extend(["--solver".into(), installation.configuration().into()]);
    arguments.extend(["--fzn".into(), flat.clone().into(), model.into()]);
    arguments.extend(data.iter().map(|path| path.clone().into()));
    let mut command = Command::new("minizinc");
    command.args(arguments);
    let limits = ProcessLimits {
        cancelled: limits.cancel.as_deref(),
        deadline: limits.deadline,
        cpu: None,
        memory: limits.memory,
        output: MOST_OUTPUT,
    };
    let finished = match process::run(command, None, &limits) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CompileError::NotFound),
        finished => finished?,
    };
    let mut messages = finished.errors;
    match finished.termination {
        Termination::Exited(status) if status.success() => Ok((fs::read(flat)?, messages)),
        // `minizinc` prints some errors, for example for an inconsistent model, to standard output.
        Termination::Exited(_) => {
            messages.push_str(&String::from_utf8_lossy(&finished.output));
            Err(CompileError::Model(messages))
        }
        _ => Err(CompileError::Stopped),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn files(directory: &Path, prefix: &str, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                files(&entry.path(), &format!("{name}/"), found);
            } else {
                found.insert(name);
            }
        }
    }

    #[test]
    fn the_library_contains_every_file_of_its_directory() {
        let mut found = BTreeSet::new();
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/minizinc/library"), "", &mut found);
        let listed: BTreeSet<String> = LIBRARY.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(found, listed);
        assert_eq!(listed.len(), LIBRARY.len());
    }

    #[test]
    fn the_library_declares_the_supported_constraints() {
        // A predicate that is declared without a body is passed to the solver.
        let items = LIBRARY.iter().flat_map(|(_, text)| text.split(';'));
        let declared = items.filter(|item| !item.contains('=')).filter_map(|item| {
            let (_, predicate) = item.split_once("predicate ")?;
            Some(predicate.split('(').next()?.to_owned())
        });
        let declared: BTreeSet<String> = declared.collect();
        let supported: BTreeSet<&str> = gordian_flatzinc::builtins::names().collect();
        for name in &declared {
            let plain = ["_reif", "_imp"].iter().find_map(|suffix| name.strip_suffix(suffix));
            assert!(
                supported.contains(&**name) || plain.is_some_and(|name| supported.contains(name)),
                "{name}"
            );
        }
        for name in supported.iter().filter(|name| name.starts_with("fzn_") || name.starts_with("gordian_")) {
            assert!(declared.contains(*name), "{name}");
        }
    }

    #[test]
    fn an_installation_is_replaced_and_removed() {
        let directory = tempfile::tempdir().unwrap();
        let installation = Installation::at(directory.path().join("solvers"));
        assert!(!installation.remove().unwrap());
        installation.write(Path::new("/bin/gordian")).unwrap();
        let library = directory.path().join("solvers/gordian");
        fs::write(library.join("fzn_old.mzn"), "").unwrap();
        fs::write(library.join("notes.txt"), "").unwrap();
        installation.write(Path::new("/usr/bin/gordian")).unwrap();
        assert!(!library.join("fzn_old.mzn").exists());
        let text = fs::read_to_string(installation.configuration()).unwrap();
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed["executable"], json!(["/usr/bin/gordian", "fzn"]));
        let mut found = BTreeSet::new();
        files(&library, "", &mut found);
        assert_eq!(found.len(), LIBRARY.len() + 1);
        assert!(installation.remove().unwrap());
        assert_eq!(fs::read_dir(&library).unwrap().count(), 1, "a file of the user was removed");
    }
}
