//! Files that are written as a whole or not at all, and may be compressed, which their names say: `.gz`, `.xz`, `.bz2`.

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

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// Not at all.
    None,
    /// gzip.
    Gz,
    /// xz.
    Xz,
    /// bzip2.
    Bz2,
}

impl Compression {
    /// As the name of a file says.
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

/// The levels that xz and the others take by default.
const XZ_PRESET: u32 = 6;

/// Makes a file and lets `write` fill it, compressed as its name says. Whatever this program writes to a file that a
/// person names goes this way, but for the results of a bench, which are appended one by one.
///
/// The file is there when all of it is: it is written under another name beside, and takes its own in the end. So what was
/// there before stays there if that fails, or if `write` panics or is given up. What is no plain file, such as a device, a
/// pipe or a link, and what lies in a folder where no file can be made, is written in place.
///
/// # Errors
/// If the file can't be made or written.
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

/// A new file beside this one, to take its place; `None` if this one is to be written in place.
fn unfinished(path: &Path) -> io::Result<Option<NamedTempFile>> {
    let before = match path.symlink_metadata() {
        Ok(before) if !before.is_file() => return Ok(None),
        Ok(before) => {
            // Who may not write a file must not replace it.
            File::options().write(true).open(path)?;
            Some(before)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = tempfile::Builder::new()
        .prefix(".gordian-")
        .suffix(".part")
        .make_in(folder, |path| File::create_new(path));
    match (made, before) {
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

/// Lets `write` fill a file, through a compressor.
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

/// Opens a file to be read, decompressed as its name says; `-` is standard input.
///
/// # Errors
/// If it can't be opened.
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
