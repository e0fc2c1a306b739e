//! Files that may be compressed, which their names say: `.gz`, `.xz`, `.bz2`.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use bzip2::read::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
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
    pub fn of(path: &Path) -> Self {
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

/// Makes a file and lets `write` fill it, compressed as its name says.
///
/// # Errors
/// If the file can't be made or written.
pub fn write<R>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<R>) -> io::Result<R> {
    let mut file = File::create(path)?;
    match Compression::of(path) {
        Compression::None => write(&mut file),
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
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
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
