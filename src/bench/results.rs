//! Reads and writes result files. A result file has one JSON object on each line. A line is appended when a run ends.
//!
//! A line is complete if it ends with a line break. A process that is killed while it writes may leave an incomplete
//! last line. When the file is opened again, this line is removed, and its run is repeated.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::agreement;
use super::record::{Ending, Key, RunRecord};

/// An error while reading or writing results.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The file can't be read or written.
    #[error("{path}: {error}")]
    File {
        /// The name of the file.
        path: String,
        /// The error from the operating system.
        error: std::io::Error,
    },
    /// A line is not a valid result.
    #[error("{path}, line {line}: not a result of `gordian bench`: {error}")]
    Line {
        /// The name of the file.
        path: String,
        /// The line number, starting at 1.
        line: usize,
        /// The error from the JSON parser.
        error: serde_json::Error,
    },
    /// Another process is writing to the file.
    #[error("{path}: another benchmark is writing to this file")]
    InUse {
        /// The name of the file.
        path: String,
    },
    /// Two results of the same run contradict each other.
    #[error("{0}")]
    Contradiction(String),
}

/// Reads a file of results. An incomplete last line is ignored.
///
/// # Errors
/// Returns an error if the file can't be read, or a complete line is not a valid result.
pub fn read(path: &Path) -> Result<Vec<RunRecord>, ResultsError> {
    let text = std::fs::read(path).map_err(|error| at(path, error))?;
    parse(path, &text).map(|(records, _)| records)
}

fn at(path: &Path, error: std::io::Error) -> ResultsError {
    ResultsError::File { path: path.display().to_string(), error }
}

/// Parses result lines. Returns the results, and the number of bytes up to the end of the last complete line.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Vec<RunRecord>, u64), ResultsError> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut records = Vec::new();
    for (number, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let record = serde_json::from_slice(line).map_err(|error| ResultsError::Line {
            path: path.display().to_string(),
            line: number + 1,
            error,
        })?;
        records.push(record);
    }
    Ok((records, whole as u64))
}

/// A result file that is open for appending. The file is locked to prevent other processes from appending at the same
/// time.
#[derive(Debug)]
pub struct Results {
    path: String,
    file: File,
    #[cfg(unix)]
    _lock: Option<nix::fcntl::Flock<File>>,
}

impl Results {
    /// Opens or creates a result file, and reads its results. If the file is a device or a pipe, it is neither read
    /// nor locked.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`read`], or if another process has locked the file.
    pub fn open(path: &Path) -> Result<(Self, Vec<RunRecord>), ResultsError> {
        let name = path.display().to_string();
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            let file = OpenOptions::new().write(true).open(path).map_err(|error| at(path, error))?;
            return Ok((
                Self {
                    path: name,
                    file,
                    #[cfg(unix)]
                    _lock: None,
                },
                Vec::new(),
            ));
        }
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(|error| at(path, error))?;
        #[cfg(unix)]
        let lock = {
            use nix::fcntl::{Flock, FlockArg};
            let file = file.try_clone().map_err(|error| at(path, error))?;
            Flock::lock(file, FlockArg::LockExclusiveNonblock).map_err(|(_, error)| match error {
                nix::errno::Errno::EWOULDBLOCK => ResultsError::InUse { path: name.clone() },
                error => at(path, error.into()),
            })?
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| at(path, error))?;
        let (records, whole) = parse(path, &bytes)?;
        file.set_len(whole).map_err(|error| at(path, error))?;
        file.seek(SeekFrom::End(0)).map_err(|error| at(path, error))?;
        let results = Self {
            path: name,
            file,
            #[cfg(unix)]
            _lock: Some(lock),
        };
        Ok((results, records))
    }

    /// Appends a result. The result is passed to the operating system immediately, so it survives a crash of this
    /// process.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn append(&mut self, record: &RunRecord) -> Result<(), ResultsError> {
        self.file.write_all(record.line().as_bytes()).map_err(|error| at(Path::new(&self.path), error))
    }
}

/// Merges the results of several files in order, and keeps one result for each run.
///
/// # Errors
/// Returns an error if two results of the same run contradict each other.
pub fn merge(files: Vec<Vec<RunRecord>>) -> Result<Vec<RunRecord>, ResultsError> {
    let mut merged: Vec<RunRecord> = Vec::new();
    let mut seen: HashMap<Key, usize> = HashMap::new();
    for record in files.into_iter().flatten() {
        let place = *seen.entry(record.key()).or_insert(merged.len());
        let Some(before) = merged.get_mut(place) else {
            merged.push(record);
            continue;
        };
        if let Some(reason) = agreement::contradiction(before, &record) {
            return Err(ResultsError::Contradiction(format!("{}: {reason}", record.instance)));
        }
        // If a run is recorded several times, the first definite result is kept, or else the first that is not a failure.
        let is_failed = |record: &RunRecord| record.ending == Ending::Failed;
        if (record.answered() && !before.answered()) || (is_failed(before) && !is_failed(&record)) {
            *before = record;
        }
    }
    Ok(merged)
}

#[cfg(test)]
mod tests;
