//! Help: every example is run, every sample is a board, and what the documents show is what the program prints.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use gordian::ask::{Means, Silent, Status, Wanted, ask};
use gordian::format::{self, Source, Syntax};
use gordian::puzzle::{self, KINDS, Kind, Options};
use support::{gordian, stderr, stdout};

/// The commands, the program itself first.
fn commands() -> Vec<clap::Command> {
    let program = gordian::cli::command();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    std::iter::once(program).chain(commands).collect()
}

/// The lines under `Examples:` in the help of a command.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// Runs a command line in a shell where `gordian` is the program under test. A part of a pipe that fails, fails it.
fn shell(line: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_gordian")).parent().expect("a folder").to_owned();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program).chain(std::env::split_paths(&paths));
    Command::new("bash")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(paths).expect("paths"))
        .output()
        .expect("bash starts")
}

/// A folder with the files that examples name.
fn folder_of_examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    let board = "nurikabe\n1 . 1\n. . .\n? . 1\n";
    write("board.txt", board);
    write("rooks.txt", "rooks\n. . .\n. 4 .\n. . #\n");
    write("answer.txt", "1 0 1\n0 0 0\n1 0 1\n");
    write("answer.json", "{\"grid\": [[1, 0, 1], [0, 0, 0], [1, 0, 1]]}\n");
    write("addresses.txt", "puzz.link/p?nurikabe/3/3/1g1i1g1\nhttps://puzz.link/p?akari/3/3/j4i.\n");
    write("formula.cnf", "p cnf 2 2\n1 2 0\n-1 2 0\n");
    write("formula.wcnf", "h 1 2 0\n1 -1 0\n1 -2 0\n");
    fs::create_dir(folder.path().join("folder")).expect("a folder");
    fs::create_dir(folder.path().join("boards")).expect("a folder");
    write("boards/board.txt", board);
    write("folder/board.txt", board);
    folder
}

#[test]
fn every_example_in_the_help_runs() {
    for command in commands() {
        if command.get_name() == "help" {
            continue;
        }
        let examples = examples(&command);
        assert!(!examples.is_empty(), "no examples in the help of {}", command.get_name());
        let folder = folder_of_examples();
        for example in examples {
            assert!(example.starts_with("gordian "), "{example}");
            let output = shell(&example, folder.path());
            // The competitions' codes say success in their way.
            let last = example.rsplit(" | ").next().expect("a part");
            let expected: &[i32] = if last.starts_with("gordian sat ") || last.starts_with("gordian opt ") {
                &[10, 30]
            } else {
                &[0]
            };
            let code = output.status.code().expect("no signal");
            assert!(expected.contains(&code), "{example}: {code}\n{}", stderr(&output));
            let silent =
                [" -o ", " > ", " man ", " show board.txt "].iter().any(|word| example.contains(word));
            assert_eq!(output.stdout.is_empty(), silent, "{example} prints a result");
            assert!(!stderr(&output).contains("gordian:"), "{example}: {}", stderr(&output));
        }
    }
}

/// The kind's samples: the syntax and the text of each.
fn samples(kind: &'static Kind) -> Vec<(Syntax, &'static str)> {
    kind.readers.iter().map(|reader| (reader.syntax(), reader.sample())).collect()
}

#[test]
fn every_sample_is_a_board_with_an_answer() {
    for &kind in KINDS {
        for (number, (syntax, sample)) in samples(kind).into_iter().enumerate() {
            let about = format!("sample {number} of {}:\n{sample}", kind.name);
            let source = Source::new("sample", sample);
            assert_eq!(Syntax::of(&source), syntax, "{about}");
            let document = format::read(&source, None).unwrap_or_else(|error| panic!("{error}: {about}"));
            let recognised = puzzle::open(&document, None, &Options::default());
            let recognised = recognised.unwrap_or_else(|error| panic!("{error}: {about}"));
            // Two kinds read the same data: the other one must be named.
            let shared = ["amaze", "numberlink"].contains(&kind.name) && syntax != Syntax::Text;
            assert!(recognised.kind().name == kind.name || shared, "{}: {about}", recognised.kind().name);
            let board = puzzle::open(&document, Some(kind), &Options::default());
            let board = board.unwrap_or_else(|error| panic!("{error}: {about}"));
            let outcome = ask(&*board, Wanted::One.into(), &Means::default(), &mut Silent);
            assert_eq!(outcome.expect("an outcome").status, Status::Solved, "{about}");
            assert!(sample.lines().all(|line| line.len() <= 76), "too wide: {about}");
        }
    }
}

#[test]
fn each_format_of_a_kind_reads_its_own_sample() {
    for kind in KINDS {
        let formats: Vec<_> = samples(kind).into_iter().map(|(_, sample)| sample).collect();
        let distinct: std::collections::BTreeSet<_> = formats.iter().collect();
        assert_eq!(distinct.len(), formats.len(), "{}: the same sample twice", kind.name);
        for reader in kind.readers {
            if let puzzle::Reader::Record { names, sample, .. } = reader {
                assert!(names.iter().all(|name| sample.contains(name)), "{names:?} in {sample}");
            }
        }
    }
}

#[test]
fn the_page_of_a_kind_has_everything() {
    for kind in KINDS {
        let output = gordian(&["puzzle", kind.name], "");
        let page = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        for word in kind.aliases.iter().copied().chain([kind.name, kind.rules]) {
            assert!(page.contains(word), "{word} in\n{page}");
        }
        for row in kind.objectives {
            assert!(page.contains(&format!("--objective {}: ", row.name)), "{page}");
        }
        for row in kind.options {
            for value in row.values {
                assert!(page.contains(&format!("{}={value}", row.name)), "{page}");
            }
        }
        for reader in kind.readers {
            let sample: String =
                reader.sample().lines().map(|line| format!("  {line}\n")).collect::<Vec<_>>().concat();
            let remark = match (kind.name, reader.syntax()) {
                ("numberlink", Syntax::Dzn | Syntax::Json) => {
                    ", with `--puzzle numberlink`; else it is taken for `amaze`"
                }
                (_, Syntax::Address) => "; `gordian show BOARD --url` writes it",
                _ => "",
            };
            assert!(page.contains(&format!("FORMAT {}{remark}\n{sample}", reader.format())), "{page}");
        }
    }
    let rooks = stdout(&gordian(&["puzzle", "akari"], ""));
    assert!(rooks.starts_with("rooks (also akari, lightup)\n"), "{rooks}");
    assert!(rooks.contains("SYMMETRIES"), "{rooks}");
}

#[test]
fn wrong_words_are_told_with_the_right_ones() {
    let told = |line: &str, near: &str| {
        let arguments: Vec<_> = line.split(' ').collect();
        let output = gordian(&arguments, "rooks\n. .\n");
        let message = format!("did you mean `{near}`?");
        assert!(stderr(&output).contains(&message), "{line}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{line}");
    };
    told("puzzle rook", "rooks");
    told("solve - --puzzle nurikaba", "nurikabe");
    told("solve - --solver varisatt", "varisat");
    told("solve - --solver kisat", "kissat");
    told("solve - --encode conectivity=layers", "connectivity");
    told("solve - --encode connectivity=layer", "layers");
    told("solve - --objective fewst", "fewest");
    told("solve - --option zero-clue=yes", "zero-clues");
    told("solve - --option zero-clues=yess", "yes");
    told("solve - --strategy cor", "core");
    told("export - --format dimac", "dimacs");
    told("export - --objective mos --format wcnf", "most");
    let flag = gordian(&["solve", "-", "--uniqe"], "");
    assert!(stderr(&flag).contains("'--unique'"), "{}", stderr(&flag));
    let command = gordian(&["sovle", "-"], "");
    assert!(stderr(&command).contains("'solve'"), "{}", stderr(&command));
}

#[test]
fn completions_know_commands_kinds_and_techniques() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = gordian(&["completions", shell], "");
        let script = stdout(&output);
        assert_eq!(output.status.code(), Some(0));
        // Completions for the other shells have no values.
        let values: &[&str] = match shell {
            "bash" | "zsh" | "fish" => &["nurikabe", "connectivity=layers", "varisat", "fewest", "improving"],
            _ => &[],
        };
        for word in ["solve", "decode", "objective"].iter().chain(values) {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    // The script is one that bash takes, and it completes.
    let folder = tempfile::tempdir().expect("a folder");
    let complete = "source <(gordian completions bash) && COMP_WORDS=(gordian puzzle nur) COMP_CWORD=2 && \
                    _gordian gordian nur puzzle && printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = shell(complete, folder.path());
    assert_eq!(stdout(&output), "nurikabe\n", "{}", stderr(&output));
}

#[test]
fn a_manual_page_for_each_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("deep/man1");
    let output = gordian(&["man", pages.to_str().expect("UTF-8")], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for command in commands() {
        let name = match command.get_name() {
            "gordian" => "gordian.1".to_owned(),
            "help" => continue,
            name => format!("gordian-{name}.1"),
        };
        let page = fs::read_to_string(pages.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples:"), "{name}:\n{page}");
    }
    let one = stdout(&gordian(&["man"], ""));
    assert!(one.contains(".TH gordian 1"), "{one}");
    let blocked = gordian(&["man", "Cargo.toml/man"], "");
    assert!(stderr(&blocked).starts_with("gordian: Cargo.toml/man: "), "{}", stderr(&blocked));
    assert_eq!(blocked.status.code(), Some(2));
}

/// The blocks of code in a Markdown text that are marked with this language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.trim_start().strip_prefix("```") {
            let block: Vec<_> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            if mark.trim() == language {
                blocks.push(block.join("\n"));
            }
        }
    }
    blocks
}

/// The documents: README and all in `docs/`, with their names.
fn documents() -> Vec<(String, String)> {
    fn markdown(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                markdown(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec![root.join("README.md")];
    markdown(&root.join("docs"), &mut paths);
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).expect("a document");
        (path.display().to_string(), text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn the_documents_show_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut shown = 0;
    for (name, text) in documents() {
        for block in blocks(&text, "console") {
            let mut parts = block.split("\n$ ");
            let first = parts.next().expect("a part").strip_prefix("$ ").expect("a command first");
            for part in std::iter::once(first).chain(parts) {
                let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
                let output = shell(&format!("{command} 2>&1"), root);
                assert_eq!(stdout(&output).trim_end(), expected.trim_end(), "{name}: {command}");
                shown += 1;
            }
        }
    }
    assert!(shown >= 2, "README has examples");
}

#[test]
fn the_command_lines_in_the_documents_are_command_lines() {
    let mut read = 0;
    for (name, text) in documents() {
        for line in blocks(&text, "sh").iter().flat_map(|block| block.lines()) {
            let line = line.split(" #").next().expect("a part");
            for part in line.split([';', '|']) {
                let words = shlex::split(part).unwrap_or_else(|| panic!("{name}: {part}"));
                let at = match words.first().map(String::as_str) {
                    Some("gordian") => 0,
                    Some("cargo")
                        if words.get(1).is_some_and(|word| word == "run")
                            && !words.iter().any(|word| word == "--example") =>
                    {
                        words.iter().position(|word| word == "--").unwrap_or_else(|| panic!("{name}: {part}"))
                    }
                    _ => continue,
                };
                let words = words[at..].iter().map(|word| if word == "--" { "gordian" } else { word });
                // A redirection is the shell's.
                let words = words.take_while(|word| !word.starts_with(['<', '>']));
                let parsed = gordian::cli::command().try_get_matches_from(words);
                // Help is an answer, if not to the parser.
                let fault = parsed.err().filter(clap::Error::use_stderr);
                assert!(fault.is_none(), "{name}: {part}: {fault:?}");
                read += 1;
            }
        }
    }
    assert!(read >= 10, "README has command lines");
}
