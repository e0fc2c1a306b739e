//! Tests that the documents agree with the program, the examples and each other, and that they show the actual output
//! of the program.
//!
//! This file has over 400 lines because its tests share the parser of the documents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{shell, stderr, stdout};
use gordian_encodings::CONSTRAINTS;
use gordian_encodings::registry::choosable;

#[path = "../../examples/add_a_puzzle.rs"]
#[allow(dead_code, unreachable_pub, reason = "an example has a main function, and says what would be public")]
mod add_a_puzzle;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns all Markdown files of the repository.
fn documents() -> Vec<PathBuf> {
    fn markdown(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // The search skips hidden directories, build output, virtual environments of Python and the generated book.
            let holds = |name: &str| path.join(name).exists();
            let foreign =
                name.starts_with('.') || holds("CACHEDIR.TAG") || holds("pyvenv.cfg") || name == "book";
            if path.is_dir() && !foreign {
                markdown(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    markdown(root(), &mut found);
    found.sort();
    found
}

/// A Markdown text, split into prose and code blocks.
struct Markdown {
    /// All lines that are outside code blocks.
    prose: String,
    /// The language and the text of each code block.
    blocks: Vec<(String, String)>,
}

impl Markdown {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a document");
        let (mut prose, mut blocks) = (String::new(), Vec::new());
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(language) = line.trim_start().strip_prefix("```") {
                let block: Vec<_> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
                blocks.push((language.trim().to_owned(), block.join("\n")));
            } else {
                prose += line;
                prose.push('\n');
            }
        }
        Self { prose, blocks }
    }

    fn blocks(&self, language: &str) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter(move |block| block.0 == language).map(|block| block.1.as_str())
    }

    /// Returns the texts in single backquotes.
    fn quoted(&self) -> impl Iterator<Item = &str> {
        self.prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
    }

    /// Returns the anchors of the headings: lower case, without punctuation, with `-` for spaces.
    fn anchors(&self) -> BTreeSet<String> {
        let headings = self.prose.lines().filter(|line| line.starts_with('#'));
        let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor = |heading: &str| -> String {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            heading.chars().filter(plain).map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        headings.map(anchor).collect()
    }
}

/// Returns the link targets in a text that are not URLs.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn links_resolve() {
    let (mut followed, mut anchors) = (0, 0);
    for document in documents() {
        let text = Markdown::read(&document);
        for link in links(&text.prose) {
            let about = format!("{}: {link}", document.display());
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, at)| (file, Some(at)));
            let target = if file.is_empty() {
                document.clone()
            } else {
                document.parent().expect("a directory").join(file)
            };
            assert!(target.exists(), "{about}");
            followed += 1;
            if let Some(anchor) = anchor {
                assert!(Markdown::read(&target).anchors().contains(anchor), "no such heading: {about}");
                anchors += 1;
            }
            // mdBook rewrites links to all Markdown files, but only those in docs/ are part of the book.
            let docs = root().join("docs");
            let in_book =
                target.canonicalize().expect("a path").starts_with(&docs) && !target.ends_with("README.md");
            let dead =
                document.starts_with(&docs) && target.extension().is_some_and(|end| end == "md") && !in_book;
            assert!(!dead, "dead in the book: {about}");
        }
    }
    assert!(followed > 100 && anchors > 2, "{followed} links, {anchors} to headings");
}

#[test]
fn the_summary_lists_every_page() {
    let summary = read("docs/SUMMARY.md");
    let listed: BTreeSet<_> = links(&summary).map(|link| root().join("docs").join(link)).collect();
    let docs = root().join("docs");
    for document in documents().into_iter().filter(|document| document.starts_with(&docs)) {
        let own = document.ends_with("SUMMARY.md");
        assert!(own || listed.contains(&document), "{} is not in the summary", document.display());
    }
    // In the summary, the text of each link must be the title of the linked page.
    for line in summary.lines().filter_map(|line| line.trim_start().strip_prefix("* [")) {
        let (name, rest) = line.split_once("](").expect("a link");
        let page = read(Path::new("docs").join(rest.trim_end_matches(')')));
        assert!(page.starts_with(&format!("# {name}\n")), "{name}");
    }
}

#[test]
fn the_documentation_of_encodings_states_strength_and_model_count() {
    let mut read = BTreeSet::new();
    for entry in fs::read_dir(root().join("docs/encodings")).expect("a directory") {
        let mut heading = "";
        let page = fs::read_to_string(entry.expect("an entry").path()).expect("a page");
        for line in page.lines() {
            heading = line.strip_prefix("## ").unwrap_or(heading);
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [name, _, strength, count, when] = cells[..] else { continue };
            let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
            // Each table must describe every constraint that its heading names.
            for constraint in
                CONSTRAINTS.iter().filter(|row| heading.split(", ").any(|name| name == row.name))
            {
                let encodings = (constraint.encodings)();
                let encoding = encodings.iter().find(|encoding| encoding.name == name);
                let encoding = encoding.unwrap_or_else(|| panic!("{heading} has no encoding `{name}`"));
                assert_eq!((strength, count), (encoding.strength.name(), encoding.count.name()), "{line}");
                assert!(!when.is_empty(), "{line}");
                read.insert((constraint.name, encoding.name));
            }
        }
    }
    for constraint in choosable() {
        for encoding in (constraint.encodings)() {
            let row = (constraint.name, encoding.name);
            assert!(read.contains(&row), "docs/encodings has no row for {row:?}");
        }
    }
}

#[test]
fn the_worked_example_is_complete_and_works() {
    let page = read("docs/add-a-puzzle.md");
    let example = read("examples/add_a_puzzle.rs");
    // The page must show all pieces of the complete example in order. Blank lines may differ.
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

    let solutions = add_a_puzzle::solutions("latin\n1 . .\n. . 1\n. . .\n").expect("a board");
    assert_eq!(solutions.len(), 2, "{solutions:?}");
    assert!(solutions.contains(&"1 2 3\n2 3 1\n3 1 2\n".to_owned()), "{solutions:?}");
    assert_eq!(add_a_puzzle::solutions("latin\n1 1\n. .\n").expect("a board").len(), 0);
    assert_eq!(add_a_puzzle::solutions("latin\n. . .\n. . .\n. . .\n").expect("a board").len(), 12);
    let wrong = add_a_puzzle::solutions("latin\n3 .\n. .\n").expect_err("no 3 in a square of 2");
    assert_eq!(wrong.to_string(), "board:2:1: expected `.` or a number from 1 to 2, found `3`");
}

#[test]
fn every_code_block_is_tested() {
    for document in documents() {
        for (language, block) in &Markdown::read(&document).blocks {
            let tested = match language.as_str() {
                "console" | "sh" => true,
                // The examples of these pages are tested by the test above, or as doctests.
                "rust" => ["docs/add-a-puzzle.md", "docs/library.md", "encodings/README.md"]
                    .iter()
                    .any(|tested| document.ends_with(tested)),
                // Tests in tests/command/minizinc.rs and python/tests run these pages.
                "python" => ["docs/library.md", "docs/python.md", "README.md", "python/README.md"]
                    .iter()
                    .any(|tested| document.ends_with(tested)),
                "toml" => block.lines().skip(1).all(is_crate_of_this_repository),
                // The tests in tests/repository/architecture.rs compare this page with the sources.
                language if language.starts_with("arrows ") => document.ends_with("docs/architecture.md"),
                // A whole sheet can be parsed. The lines of other examples stand in the sheets of this repository.
                "sheet" if block.starts_with("puzzle ") => gordian_rules::sheet::Sheet::parse(block).is_ok(),
                "sheet" => block.lines().all(|line| {
                    gordian_rules::sheet::SHEETS.iter().any(|row| row.text.lines().any(|known| known == line))
                }),
                _ => false,
            };
            assert!(tested, "{}: {language}:\n{block}", document.display());
        }
    }
    assert!(read("encodings/src/lib.rs").contains("#[doc = include_str!(\"../README.md\")]"));
}

/// Returns whether a line of a manifest names a crate of this repository and its directory.
fn is_crate_of_this_repository(line: &str) -> bool {
    let Some((name, rest)) = line.split_once(" = { path = \"../gordian") else { return false };
    let path = rest.split('"').next().unwrap_or_default().trim_start_matches('/');
    read(Path::new(path).join("Cargo.toml")).contains(&format!("[package]\nname = \"{name}\"\n"))
}

/// Tests that the test programs and the modules in commands exist, such as `--test command schemas::`.
#[test]
fn test_programs_in_commands_exist() {
    let mut seen = 0;
    for document in documents().iter().chain([&root().join(".ci/run"), &root().join("tests/hostile/main.rs")])
    {
        let text = read(document);
        for command in text.split("cargo test").skip(1) {
            let words: Vec<&str> =
                command.split(['`', '\n']).next().expect("a first part").split_whitespace().collect();
            let after = |option| words.iter().skip_while(move |&&word| word != option).skip(1);
            let package = after("-p").next().map_or(".", |name| name.trim_start_matches("gordian-"));
            let mut rest = after("--test");
            let Some(program) = rest.next() else { continue };
            let program = root().join(package).join("tests").join(program);
            assert!(program.join("main.rs").is_file(), "{}: cargo test{command}", document.display());
            if let Some((module, _)) = rest.next().and_then(|filter| filter.split_once("::")) {
                let file = program.join(module).with_extension("rs");
                assert!(file.is_file() || program.join(module).is_dir(), "{}: {module}", document.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 8, "only {seen} commands with --test were found");
}

/// If the environment variable `UPDATE` is 1, updates the output in the documents instead of comparing it.
#[test]
fn the_documents_show_actual_output() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut shown = 0;
    for document in documents() {
        // The pages of the puzzles are generated from READMEs, which this test reads as well.
        if document.parent().is_some_and(|directory| directory.ends_with("docs/puzzles"))
            && !document.ends_with("index.md")
        {
            continue;
        }
        let mut text = fs::read_to_string(&document).expect("a document");
        for block in Markdown::read(&document).blocks("console") {
            let mut parts = block.split("\n$ ");
            let first = parts.next().expect("a part").strip_prefix("$ ").expect("a command first");
            for part in std::iter::once(first).chain(parts) {
                let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
                let output = stdout(&shell(&format!("{command} 2>&1"), root()));
                if update {
                    text = text.replace(&format!("$ {part}"), format!("$ {command}\n{output}").trim_end());
                } else {
                    let name = document.display();
                    assert_eq!(output.trim_end(), expected.trim_end(), "{name}: {command}");
                }
                shown += 1;
            }
        }
        if update {
            fs::write(&document, text).expect("a document");
        }
    }
    assert!(shown >= 30, "{shown} commands");
}

/// The values that replace placeholders in the command lines of the documents.
const STANDS_FOR: &[(&str, &str)] = &[
    ("BOARD", "rooks.txt"),
    ("BOARDS", "boards"),
    ("DIRECTORY", "directory"),
    ("SOLUTION", "solution.txt"),
    ("OUTPUT", "solution.sat"),
    ("NAME", "rooks"),
    ("FILE.cnf", "formula.cnf"),
    ("STATE", "state.txt"),
    ("CERTIFICATE", "certificate"),
    ("...", ""),
];

/// The prefixes of command lines that the test does not run. If such a line contains a gordian command line, the test
/// parses this command line without running it.
const NOT_RUN: &[&str] = &[
    // The following commands build and test this program, or take minutes.
    "cargo build --release",
    "cargo test --release --workspace",
    ".ci/run",
    "HOSTILE_RUNS=100000 cargo test",
    "SETTINGS_MODELS=100000 cargo test",
    "SETTINGS_MODELS=100000 SETTINGS_WITH=",
    "cargo run --release --example compare_strategies",
    // The command needs a C++ compiler.
    "cargo run --release --features cadical",
    // The command takes minutes and several gigabytes.
    "python3 benches/limits.py",
    // The commands need third-party programs.
    "parallel gordian",
    "gordian bench models/ --solver 'chuffed=flatzinc:fzn-chuffed",
    "sbatch",
    "pip install",
    "cd benches/rivals",
    "python3 compare.py",
    "python3 cpsat_board.py",
    "minizinc",
    "savilerow",
    "python3 model.py",
    // The command serves a page until it is interrupted by Ctrl-C.
    "gordian web",
    // The command needs the standard library for WebAssembly.
    "web/build",
    // The command needs minizinc.
    "gordian solve model.mzn",
    // The following commands need a nightly compiler and a C++ compiler.
    "cargo install cargo-fuzz",
    "cargo run --manifest-path fuzz",
    "cd fuzz && cargo +nightly fuzz",
];

/// Creates a directory with the files that the documents use.
fn folder_of_documents() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    };
    let (rooks, nurikabe) = ("rooks\n. . .\n. 4 .\n. . #\n", "nurikabe\n1 . 1\n. . .\n? . 1\n");
    for name in ["rooks.txt", "directory/rooks.txt", "board.txt"] {
        write(name, rooks);
    }
    for name in ["boards/nurikabe.txt", "instances/nurikabe/generated-10x10.txt"] {
        write(name, nurikabe);
    }
    for name in ["model.fzn", "rooks.fzn", "models/model.fzn"] {
        write(name, "var 1..9: x :: output_var;\nconstraint int_lin_le([-2],[x],-7);\nsolve minimize x;\n");
    }
    write(
        "model.xml",
        "<instance format=\"XCSP3\" type=\"COP\"><variables><var id=\"x\">1..9</var></variables><constraints>\
         <intension>ge(x,4)</intension></constraints><objectives><minimize>x</minimize></objectives></instance>\n",
    );
    write("solution.json", "{\"x\": 4}\n");
    write("state.txt", "r1c1=empty\n");
    write("formula.cnf", "p cnf 2 2\n1 2 0\n-1 2 0\n");
    for name in ["formula.opb", "formulas/formula.opb"] {
        write(name, "min: 2 x1 3 x2 ;\n1 x1 1 x2 >= 1 ;\n");
    }
    write("target/empty", "");
    // The certificate claims only that the board has a solution, so verifying it needs no proof checker.
    write("certificate/board.txt", "rooks\n. #\n");
    write("certificate/claim.json", "{\"claim\": \"solution\", \"solutions\": [{\"grid\": [[1, 0]]}]}\n");
    // The script simulates the solver Kissat.
    write("bin/kissat", "#!/bin/sh\ngordian sat \"$@\" || test $? = 10\n");
    let prepared = shell(
        "chmod +x bin/kissat && gordian solve rooks.txt > solution.txt && \
         gordian export rooks.txt -o rooks.cnf && kissat rooks.cnf > solution.sat",
        directory.path(),
    );
    assert!(prepared.status.success(), "{}", stderr(&prepared));
    directory
}

#[test]
fn command_lines_in_the_documents_run() {
    let (mut run, mut left_out) = (0, BTreeSet::new());
    for document in documents() {
        let directory = folder_of_documents();
        for block in Markdown::read(&document).blocks("sh") {
            // A loop is a single command, although it has several lines.
            let commands: Vec<&str> =
                if block.starts_with("for ") { vec![block] } else { block.lines().collect() };
            for command in commands {
                let about = format!("{}: {command}", document.display());
                if let Some(start) = NOT_RUN.iter().find(|start| command.starts_with(**start)) {
                    left_out.insert(start);
                    continue;
                }
                let word = |word: &str| {
                    let meant = STANDS_FOR.iter().find(|(name, _)| *name == word);
                    meant.map_or_else(|| word.to_owned(), |(_, meant)| (*meant).to_owned())
                };
                // In a command line, the text after `#` is a comment.
                let code = command.split(" #").next().expect("a part");
                let words: Vec<String> = code.split(' ').map(word).collect();
                let line = words.join(" ").replace("cargo run --release --", "gordian");
                let home = directory.path().display();
                let output = shell(&format!("export HOME='{home}'\n{line}"), directory.path());
                // If the formula is satisfiable, the exit code of `gordian sat` is 10, and that of `gordian opt` is 30.
                let expected = match line.split(' ').nth(1) {
                    Some("sat") => 10,
                    Some("opt") => 30,
                    _ => 0,
                };
                assert_eq!(output.status.code(), Some(expected), "{about}\n{line}\n{}", stderr(&output));
                run += 1;
            }
        }
    }
    assert!(run > 35, "{run} command lines");
    assert_eq!(left_out.len(), NOT_RUN.len(), "only {left_out:?} are there");
}

#[test]
fn quoted_command_lines_parse() {
    let mut read = 0;
    for document in documents() {
        let text = Markdown::read(&document);
        let lines =
            text.blocks("sh").flat_map(str::lines).map(|line| line.split(" #").next().expect("a part"));
        // A gordian command may start anywhere in a line of a shell script, but only at the start of inline code.
        let lines = lines.filter(|line| !line.starts_with("minizinc ") && !line.starts_with("savilerow "));
        let lines = lines.filter_map(|line| Some(&line[line.find("gordian ")?..]));
        for line in lines.chain(text.quoted().filter(|quoted| quoted.starts_with("gordian "))) {
            // The changelog also contains commands of earlier versions.
            if document.ends_with("CHANGELOG.md") {
                continue;
            }
            let about = format!("{}: {line}", document.display());
            let line = line.split(" | ").next().expect("a part");
            let words = shlex::split(&line.replace("{}", "1")).unwrap_or_else(|| panic!("{about}"));
            let words =
                words.iter().map(String::as_str).take_while(|word| !word.starts_with(['<', '>', ':']));
            let words = words.filter(|word| *word != "...").map(|word| if word == "N" { "1" } else { word });
            let words: Vec<_> = words.collect();
            let parsed = gordian::cli::command().try_get_matches_from(&words);
            // The parser reports a request for help as an error. In running text, commands may lack required
            // arguments.
            let named = |fault: &clap::Error| {
                fault.kind() == clap::error::ErrorKind::MissingRequiredArgument && words.len() < 5
            };
            let fault = parsed.err().filter(|fault| fault.use_stderr() && !named(fault));
            assert!(fault.is_none(), "{about}: {fault:?}");
            read += 1;
        }
    }
    assert!(read > 50, "{read} command lines");
}
