//! Reads and writes files. The extensions `.gz`, `.xz` and `.bz2` select compression, and `.lzma` does for files that are
//! read. Files are written atomically.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use bzip2::read::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use gordian_encodings::tick;
use lzma_rust2::{LzmaReader, XzOptions, XzReader, XzWriter};
use tempfile::{NamedTempFile, TempPath};

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
    /// LZMA, the format before xz, which is only read.
    Lzma,
}

impl Compression {
    /// Returns the compression that the extension of a path selects.
    #[must_use]
    pub(crate) fn of(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz") => Self::Gz,
            Some("xz") => Self::Xz,
            Some("bz2") => Self::Bz2,
            Some("lzma") => Self::Lzma,
            _ => Self::None,
        }
    }
}

/// The compression level, which is the default of the `xz` tool.
const XZ_PRESET: u32 = 6;

/// Creates a file. Calls `write` to produce the content, and stores it as described at [`NewFile`].
///
/// # Errors
/// Returns an error if the file can't be created or written.
pub(crate) fn write<R>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<R>) -> io::Result<R> {
    let mut file = NewFile::create(path)?;
    let result = write(&mut file)?;
    file.finish()?;
    Ok(result)
}

/// A file that is being written. The extension of the file selects the compression. This type writes all files that the
/// user names, except benchmark results, which are appended to a file.
///
/// The data goes to a temporary file in the same directory, and [`NewFile::finish`] renames it. If a `NewFile` is
/// dropped before `finish` is called, an existing file keeps its content. Devices, pipes, links, and files in a
/// directory that is not writable are written in place.
pub(crate) struct NewFile {
    encoder: Encoder,
    /// The final path, and the temporary file that is renamed to it at the end.
    unfinished: Option<(PathBuf, TempPath, Registration)>,
}

impl NewFile {
    /// Creates the file.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let (file, unfinished) = match unfinished(path)? {
            None => (File::create(path)?, None),
            Some(unfinished) => {
                let registration = Registration::file(unfinished.path());
                let (file, temporary) = unfinished.into_parts();
                (file, Some((path.to_owned(), temporary, registration)))
            }
        };
        let encoder = match Compression::of(path) {
            Compression::None | Compression::Lzma => Encoder::None(file),
            Compression::Gz => Encoder::Gz(GzEncoder::new(file, flate2::Compression::default())),
            Compression::Xz => Encoder::Xz(Box::new(XzWriter::new(file, XzOptions::with_preset(XZ_PRESET))?)),
            Compression::Bz2 => Encoder::Bz2(BzEncoder::new(file, bzip2::Compression::default())),
        };
        Ok(Self { encoder, unfinished })
    }

    /// Completes the compressed data, and renames the temporary file to its final path.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.encoder {
            Encoder::None(_) => {}
            Encoder::Gz(encoder) => drop(encoder.finish()?),
            Encoder::Xz(encoder) => drop(encoder.finish()?),
            Encoder::Bz2(encoder) => drop(encoder.finish()?),
        }
        match self.unfinished {
            None => Ok(()),
            Some((path, temporary, _)) => temporary.persist(path).map_err(|error| error.error),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encoder.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.inner().flush()
    }
}

/// The writer that compresses the data of a file.
enum Encoder {
    None(File),
    Gz(GzEncoder<File>),
    Xz(Box<XzWriter<File>>),
    Bz2(BzEncoder<File>),
}

impl Encoder {
    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::None(file) => file,
            Self::Gz(encoder) => encoder,
            Self::Xz(encoder) => encoder,
            Self::Bz2(encoder) => encoder,
        }
    }
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

/// A reader that counts its bytes as work, so that a limit can stop the reading.
pub(crate) struct Ticking<R>(pub(crate) R);

impl<R: Read> Read for Ticking<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        tick(length as u64 / BYTES_PER_TICK);
        Ok(length)
    }
}

/// The number of bytes that count as one unit of work. A literal in a file takes about as many.
const BYTES_PER_TICK: u64 = 8;

/// The maximum memory of a decompressor in kibibytes.
const MOST_KIBIBYTES: u32 = 1 << 20;

/// Opens a file for reading and decompresses it according to its extension. The path `-` is standard input. The bytes
/// count as [work](Ticking).
///
/// # Errors
/// Returns an error if the file can't be opened.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(Ticking(reader(path)?)))
}

/// Opens a file as [`open`] does, but the bytes do not count as work.
///
/// # Errors
/// Returns an error if the file can't be opened.
pub(crate) fn reader(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = BufReader::new(File::open(path)?);
    Ok(match Compression::of(path) {
        Compression::None => Box::new(file),
        Compression::Gz => Box::new(MultiGzDecoder::new(file)),
        Compression::Xz => Box::new(XzReader::new(file, true)),
        Compression::Bz2 => Box::new(MultiBzDecoder::new(file)),
        Compression::Lzma => Box::new(LzmaReader::new_mem_limit(file, MOST_KIBIBYTES, None)?),
    })
}
