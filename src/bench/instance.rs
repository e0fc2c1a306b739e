//! The boards of a bench.

use std::collections::HashMap;
use std::path::Path;

use crate::format::{self, Source, Syntax, pzpr};
use crate::puzzle::{self, Kind, Options, Puzzle};

/// A board of a bench.
#[derive(Debug, Clone)]
pub struct Instance {
    /// The path or the address, as a run is given it.
    pub name: String,
    /// The kind of puzzle.
    pub kind: &'static Kind,
    /// See [`digest`]: the board is known by it, wherever it lies.
    pub content: String,
    /// The cells of a board that is a rectangle.
    pub cells: Option<u64>,
}

/// What was found where boards were looked for.
#[derive(Debug, Default)]
pub struct Found {
    /// The boards, in the order of the paths; folders in the order of names.
    pub instances: Vec<Instance>,
    /// Files in folders that are no boards.
    pub others: Vec<String>,
    /// Files with the same content as one before, with that one's name.
    pub again: Vec<(String, String)>,
}

/// Why there is no bench.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// Something can't be read.
    #[error("{path}: {error}")]
    File {
        /// What.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// What was named itself is no board.
    #[error(transparent)]
    Board(#[from] format::InputError),
}

/// Looks for boards: each path is a file, an address, or a folder, in which every file that is a board counts.
///
/// # Errors
/// If a path can't be read, or is a file and no board.
pub fn find(paths: &[String], kind: Option<&'static Kind>, options: &Options) -> Result<Found, FindError> {
    let mut found = Found::default();
    let mut seen = HashMap::new();
    for path in paths {
        if !Path::new(path).is_dir() {
            let instance = open(path, kind, options)?;
            found.take(instance, &mut seen);
            continue;
        }
        let mut files = Vec::new();
        files_below(Path::new(path), &mut files)?;
        for file in files {
            match open(&file, kind, options) {
                Ok(instance) => found.take(instance, &mut seen),
                Err(FindError::Board(_)) => found.others.push(file),
                Err(error @ FindError::File { .. }) => return Err(error),
            }
        }
    }
    Ok(found)
}

impl Found {
    fn take(&mut self, instance: Instance, seen: &mut HashMap<String, String>) {
        if let Some(first) = seen.get(&instance.content) {
            self.again.push((instance.name, first.clone()));
            return;
        }
        seen.insert(instance.content.clone(), instance.name.clone());
        self.instances.push(instance);
    }
}

/// All files in a folder and the folders in it, by name; hidden ones are left out.
fn files_below(folder: &Path, files: &mut Vec<String>) -> Result<(), FindError> {
    let failed = |error| FindError::File { path: folder.display().to_string(), error };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, files)?;
        } else {
            files.push(path.display().to_string());
        }
    }
    Ok(())
}

fn open(name: &str, kind: Option<&'static Kind>, options: &Options) -> Result<Instance, FindError> {
    let (source, hint) = match std::fs::read(name) {
        Ok(bytes) => (Source::from_bytes(name, bytes)?, None),
        Err(_) if pzpr::is_address(name) => (Source::new(name, name), Some(Syntax::Address)),
        Err(error) => return Err(FindError::File { path: name.to_owned(), error }),
    };
    let puzzle = puzzle::open(&format::read(&source, hint)?, kind, options)?;
    let content = digest(source.text());
    Ok(Instance { name: name.to_owned(), kind: puzzle.kind(), content, cells: cells(&*puzzle) })
}

/// The cells of a board that is drawn as a rectangle of tokens.
fn cells(puzzle: &dyn Puzzle) -> Option<u64> {
    let drawn = puzzle.draw(None).text(false);
    let mut rows = drawn.lines().map(|line| line.split_whitespace().count());
    let first = rows.next()?;
    let equal = rows.clone().count() > 0 && rows.all(|row| row == first);
    equal.then(|| (first * drawn.lines().count()) as u64)
}

/// 32 hexadecimal digits that stand for a text: FNV-1a with 128 bits (G. Fowler, L. C. Noll, K.-P. Vo).
///
/// Two boards that somebody made to have the same digest are taken for one; that is all.
#[must_use]
pub fn digest(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = text.bytes().fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_fnv() {
        // From the test vectors of draft-eastlake-fnv.
        assert_eq!(digest(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(digest("a"), "d228cb696f1a8caf78912b704e4a8964");
        assert_eq!(digest("foobar"), "343e1662793c64bf6f0d3597ba446f18");
    }

    #[test]
    fn folders_are_searched_and_equal_boards_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("b")).unwrap();
        std::fs::write(path("b/two.txt"), "rooks\n. .\n. .\n").unwrap();
        std::fs::write(path("a.txt"), "nurikabe\n1 .\n").unwrap();
        std::fs::write(path("c.txt"), "rooks\n. .\n. .\n").unwrap();
        std::fs::write(path("README"), "no board").unwrap();
        let root = folder.path().display().to_string();
        let found = find(std::slice::from_ref(&root), None, &Options::default()).unwrap();
        let names: Vec<_> =
            found.instances.iter().map(|instance| instance.name[root.len() + 1..].to_owned()).collect();
        assert_eq!(names, ["a.txt", "b/two.txt"]);
        assert_eq!(found.instances[1].cells, Some(4));
        assert_eq!((found.others.len(), found.again.len()), (1, 1));
        assert!(matches!(
            find(&[path("README").display().to_string()], None, &Options::default()),
            Err(FindError::Board(_))
        ));
    }
}
