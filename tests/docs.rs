//! The documents agree with the tables of the program, with the examples and with each other.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use gordian::puzzle::KINDS;
use gordian_encodings::MEANINGS;

#[path = "../examples/add_a_puzzle.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example has a main function, and says what would be public")]
mod add_a_puzzle;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Markdown files of the repository that people read: those at the root, and those in `docs/`.
fn documents() -> Vec<PathBuf> {
    let mut folders = vec![root().join("docs"), root().join("docs/puzzles"), root().join("docs/encodings")];
    folders.push(root().to_owned());
    let mut found = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The targets of the links in a text that are not addresses.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#'))
}

#[test]
fn links_lead_somewhere() {
    let mut followed = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for link in links(&text) {
            let target = document.parent().expect("a folder").join(link.split('#').next().expect("a part"));
            assert!(target.exists(), "{}: {link}", document.display());
            followed += 1;
        }
    }
    assert!(followed > 30, "{followed} links");
}

#[test]
fn the_summary_has_every_page() {
    let summary = read("docs/SUMMARY.md");
    let listed: BTreeSet<_> = links(&summary).map(|link| root().join("docs").join(link)).collect();
    let docs = root().join("docs");
    for document in documents().into_iter().filter(|document| document.starts_with(&docs)) {
        let own = document.ends_with("SUMMARY.md");
        assert!(own || listed.contains(&document), "{} is not in the summary", document.display());
    }
}

#[test]
fn every_puzzle_has_a_page_with_what_the_program_says_of_it() {
    for kind in KINDS {
        let page = read(format!("docs/puzzles/{}.md", kind.name));
        assert!(page.starts_with(&format!("# {}\n", kind.name)), "{}", kind.name);
        // What it prints is compared by the test of all console blocks.
        assert!(page.contains(&format!("```console\n$ gordian puzzle {}\n", kind.name)), "{}", kind.name);
        for heading in ["## Model and encoding", "## Known results", "## Limits"] {
            assert!(page.contains(heading), "{}: no {heading}", kind.name);
        }
    }
    let pages = fs::read_dir(root().join("docs/puzzles")).expect("a folder").count();
    assert_eq!(pages, KINDS.len() + 1, "a page of no kind beside the one of all");
}

#[test]
fn every_technique_has_a_line_with_its_strength_and_count() {
    let mut rows = BTreeSet::new();
    for entry in fs::read_dir(root().join("docs/encodings")).expect("a folder") {
        let mut meaning = String::new();
        for line in fs::read_to_string(entry.expect("an entry").path()).expect("a page").lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                heading.clone_into(&mut meaning);
            }
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            if let [technique, _, strength, count, when] = cells[..]
                && technique.starts_with('`')
            {
                assert!(!when.is_empty(), "{line}");
                let row = (meaning.clone(), technique.trim_matches('`').to_owned(), strength.to_owned());
                assert!(rows.insert((row, count.to_owned())), "twice: {line}");
            }
        }
    }
    let mut known = BTreeSet::new();
    for meaning in MEANINGS {
        for technique in (meaning.techniques)() {
            let (strength, count) = (technique.strength.name(), technique.count.name());
            let row = (meaning.name.to_owned(), technique.name.to_owned(), strength.to_owned());
            known.insert((row, count.to_owned()));
        }
    }
    let missing: Vec<_> = known.difference(&rows).collect();
    let wrong: Vec<_> = rows.difference(&known).collect();
    assert!(
        missing.is_empty() && wrong.is_empty(),
        "not in the docs: {missing:?}; not in the table: {wrong:?}"
    );
}

#[test]
fn the_worked_example_is_the_example_and_works() {
    let page = read("docs/add-a-puzzle.md");
    let example = read("examples/add_a_puzzle.rs");
    // The page shows it in pieces, in order, with nothing left out but blank lines.
    let mut shown = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == "```rust" {
            shown.extend(lines.by_ref().take_while(|line| *line != "```").map(|line| line.to_owned() + "\n"));
        }
    }
    let dense =
        |text: &str| text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(dense(&shown), dense(&example));

    let answers = add_a_puzzle::answers("latin\n1 . .\n. . 1\n. . .\n").expect("a board");
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers.contains(&"1 2 3\n2 3 1\n3 1 2\n".to_owned()), "{answers:?}");
    assert_eq!(add_a_puzzle::answers("latin\n1 1\n. .\n").expect("a board").len(), 0);
    assert_eq!(add_a_puzzle::answers("latin\n. . .\n. . .\n. . .\n").expect("a board").len(), 12);
    let wrong = add_a_puzzle::answers("latin\n3 .\n. .\n").expect_err("no 3 in a square of 2");
    assert_eq!(wrong.to_string(), "board:2:1: expected `.` or a number from 1 to 2, found `3`");
}
