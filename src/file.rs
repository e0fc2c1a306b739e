//! Reads and writes files. The extensions `.gz`, `.xz` and `.bz2` select compression. Files are written atomically.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use bzip2::read::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use tempfile::NamedTempFile;

use crate::process::cleanup::Registration;

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// No compression.
    None,
    /// gzip.
    Gz,
    /// xz.
    Xz,
    /// bzip2.
    Bz2,
}

impl Compression {
    /// Returns the compression that the extension of a path selects.
    #[must_use]
    pub(crate) fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gz,
            Some("xz") => Self::Xz,
            Some("bz2") => Self::Bz2,
            _ => Self::None,
        }
    }
}

/// The compression level, which is the default of the `xz` tool.
const XZ_PRESET: u32 = 6;

/// Creates a file. The function `write` writes the content of the file, and the extension of the file selects the
/// compression. This function writes all files that a user names, except result files of benchmarks, to which results
/// are appended.
///
/// The data is written to a temporary file in the same directory, which is renamed at the end. If writing fails,
/// panics or is cancelled, an existing file does not change. A file that is not a regular file, such as a device, a
/// pipe or a link, is written in place. A file in a directory that is not writable is also written in place.
///
/// # Errors
/// Returns an error if the file can't be created or written.
pub(crate) fn write<R>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<R>) -> io::Result<R> {
    let compression = Compression::of(path);
    let Some(mut unfinished) = unfinished(path)? else {
        return fill(&mut File::create(path)?, compression, write);
    };
    let _registration = Registration::file(unfinished.path());
    let result = fill(unfinished.as_file_mut(), compression, write)?;
    unfinished.persist(path).map_err(|error| error.error)?;
    Ok(result)
}

/// Creates a temporary file that will replace `path`. Returns `None` if the file must be written in place.
fn unfinished(path: &Path) -> io::Result<Option<NamedTempFile>> {
    let before = match path.symlink_metadata() {
        Ok(before) if !before.is_file() => return Ok(None),
        Ok(before) => {
            // A read-only file must not be replaced.
            File::options().write(true).open(path)?;
            Some(before)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let directory =
        path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let created = tempfile::Builder::new()
        .prefix(".gordian-")
        .suffix(".part")
        .make_in(directory, |path| File::create_new(path));
    match (created, before) {
        (Ok(unfinished), before) => {
            if let Some(before) = before {
                unfinished.as_file().set_permissions(before.permissions())?;
            }
            Ok(Some(unfinished))
        }
        (Err(error), Some(_)) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        (Err(error), _) => Err(error),
    }
}

/// Calls `write` with a writer that compresses the data and writes it to the file.
fn fill<R>(
    file: &mut File,
    compression: Compression,
    write: impl FnOnce(&mut dyn Write) -> io::Result<R>,
) -> io::Result<R> {
    match compression {
        Compression::None => write(file),
        Compression::Gz => {
            let mut encoder = GzEncoder::new(file, flate2::Compression::default());
            let result = write(&mut encoder)?;
            encoder.finish().map(|_| result)
        }
        Compression::Xz => {
            let mut encoder = XzWriter::new(file, XzOptions::with_preset(XZ_PRESET))?;
            let result = write(&mut encoder)?;
            encoder.finish().map(|_| result)
        }
        Compression::Bz2 => {
            let mut encoder = BzEncoder::new(file, bzip2::Compression::default());
            let result = write(&mut encoder)?;
            encoder.finish().map(|_| result)
        }
    }
}

/// Opens a file for reading and decompresses it according to its extension. The path `-` is standard input.
///
/// # Errors
/// Returns an error if the file can't be opened.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = BufReader::new(File::open(path)?);
    Ok(match Compression::of(path) {
        Compression::None => Box::new(file),
        Compression::Gz => Box::new(MultiGzDecoder::new(file)),
        Compression::Xz => Box::new(XzReader::new(file, true)),
        Compression::Bz2 => Box::new(MultiBzDecoder::new(file)),
    })
}
