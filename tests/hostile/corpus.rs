//! Collects the seeds, from which mutated inputs are created.

use std::fs;
use std::path::Path;

use gordian::puzzle::PUZZLES;

use super::targets::Target;

/// The maximum length of a seed in bytes. Short files cover the same code as long ones, and allow more runs per minute.
const LONGEST: usize = 4096;

/// Returns the seeds of a target: the files in its directories of `seeds/`, the boards in `instances/` with its file
/// extensions, and the sample boards in its format. The argument `root` is the directory of the repository.
pub(super) fn seeds(target: &Target, root: &Path) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for directory in target.seeds {
        files.extend(sorted(&root.join("tests/hostile/seeds").join(directory)));
    }
    for puzzle_type in sorted(&root.join("instances")) {
        let ends = |path: &Path| {
            let name = path.to_str().unwrap_or_default();
            target.endings.iter().any(|ending| name.ends_with(ending))
        };
        if puzzle_type.is_dir() {
            files.extend(sorted(&puzzle_type).into_iter().filter(|path| ends(path)));
        }
    }
    let readers = PUZZLES.iter().flat_map(|puzzle| puzzle.readers);
    let samples =
        readers.filter(|reader| target.seeds.iter().any(|directory| reader.format().ends_with(directory)));
    let read = files.into_iter().map(|path| fs::read(path).expect("a file of the repository"));
    let seeds = read.chain(samples.map(|reader| reader.sample().into()));
    seeds.filter(|seed| seed.len() <= LONGEST).collect()
}

fn sorted(directory: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory of the repository");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}
