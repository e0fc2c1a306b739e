//! Tests that every example in the help texts runs, and that every sample is a valid board.

use std::fs;

use crate::support::{gordian, shell, stderr, stdout};
use gordian::format::{Source, Syntax};
use gordian::puzzle::{self, PUZZLES, PuzzleType, Query};
use gordian::query::{self, Silent, Status};
use gordian::read::{self, ReadOptions};
use gordian::search::Config;
use gordian_encodings::registry::choosable;

/// Returns all commands, starting with the program itself.
fn commands() -> Vec<clap::Command> {
    let program = gordian::cli::command();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    std::iter::once(program).chain(commands).collect()
}

/// Returns the lines under `Examples:` in the help of a command.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

/// Creates a directory with the files that the examples use.
fn folder_of_examples() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("a file");
    let board = "nurikabe\n1 . 1\n. . .\n? . 1\n";
    write("board.txt", board);
    write("rooks.txt", "rooks\n. . .\n. 4 .\n. . #\n");
    write("impossible.txt", "nurikabe\n1 1\n");
    write("state.txt", "r1c2=sea\n");
    write("wrong.txt", "r1c2=island\n");
    write("solution.txt", "1 0 1\n0 0 0\n1 0 1\n");
    write("solution.json", "{\"grid\": [[1, 0, 1], [0, 0, 0], [1, 0, 1]]}\n");
    write("addresses.txt", "puzz.link/p?nurikabe/3/3/1g1i1g1\nhttps://puzz.link/p?akari/3/3/j4i.\n");
    fs::create_dir(directory.path().join("models")).expect("a directory");
    for name in ["model.fzn", "models/model.fzn"] {
        write(name, "var 1..9: x :: output_var;\nconstraint int_lin_le([-2],[x],-7);\nsolve minimize x;\n");
    }
    write(
        "model.xml",
        "<instance format=\"XCSP3\" type=\"COP\"><variables><var id=\"x\">1..9</var></variables><constraints>\
         <intension>ge(x,4)</intension></constraints><objectives><minimize>x</minimize></objectives></instance>\n",
    );
    write("formula.cnf", "p cnf 2 2\n1 2 0\n-1 2 0\n");
    write("formula.opb", "min: 2 x1 3 x2 ;\n1 x1 1 x2 >= 1 ;\n");
    let slitherlink =
        gordian_rules::sheet::SHEETS.iter().find(|row| row.name == "slitherlink").expect("a sheet");
    write("heart.txt", ".x.x.\nxxxxx\nxxxxx\n.xxx.\n..x..\n");
    write("my.sheet", slitherlink.text);
    write("formula.wcnf", "h 1 2 0\n1 -1 0\n1 -2 0\n");
    fs::create_dir(directory.path().join("directory")).expect("a directory");
    fs::create_dir(directory.path().join("boards")).expect("a directory");
    write("boards/board.txt", board);
    // The certificate claims only that the board has a solution, so verifying it needs no proof checker.
    fs::create_dir(directory.path().join("certificate")).expect("a directory");
    write("certificate/board.txt", board);
    write(
        "certificate/claim.json",
        "{\"claim\": \"solution\", \"solutions\": [{\"grid\": [[1, 0, 1], [0, 0, 0], [1, 0, 1]]}]}\n",
    );
    write("directory/board.txt", board);
    write("my.sheet", include_str!("../../rules/sheets/mosaic.sheet"));
    directory
}

#[test]
fn every_example_in_the_help_runs() {
    for command in commands() {
        if command.get_name() == "help" {
            continue;
        }
        let examples = examples(&command);
        assert!(!examples.is_empty(), "no examples in the help of {}", command.get_name());
        let directory = folder_of_examples();
        for example in examples {
            assert!(example.starts_with("gordian "), "{example}");
            // The page is served until the program is interrupted. The page is not opened in a browser, because there
            // is no desktop.
            let served =
                "env -u DISPLAY -u WAYLAND_DISPLAY timeout --preserve-status --signal INT 5 gordian web";
            let output = shell(&example.replace("gordian web", served), directory.path());
            // The competition commands exit with 10 or 30 on success. All other commands exit with 0.
            let competition =
                ["gordian sat ", "gordian opt ", "gordian xcsp3 "].iter().any(|word| example.contains(word));
            let expected: &[i32] = if competition { &[10, 30] } else { &[0] };
            let code = output.status.code().expect("no signal");
            assert!(expected.contains(&code), "{example}: {code}\n{}", stderr(&output));
            let silent =
                [" -o ", " > ", " man ", " show board.txt "].iter().any(|word| example.contains(word));
            assert_eq!(output.stdout.is_empty(), silent, "{example} prints a result");
            // The message about a certificate goes to standard error, because standard output contains the solution.
            let reports = example.ends_with(" --proof certificate");
            assert_eq!(stderr(&output).contains("gordian:"), reports, "{example}: {}", stderr(&output));
        }
    }
}

/// Returns the syntax and the text of each sample board of a puzzle type.
fn samples(puzzle_type: &'static PuzzleType) -> Vec<(Syntax, &'static str)> {
    puzzle_type.readers.iter().map(|reader| (reader.syntax(), reader.sample())).collect()
}

#[test]
fn every_sample_is_a_board_with_a_solution() {
    for &puzzle_type in PUZZLES {
        for (number, (syntax, sample)) in samples(puzzle_type).into_iter().enumerate() {
            let about = format!("sample {number} of {}:\n{sample}", puzzle_type.name);
            let source = Source::new("sample", sample);
            assert_eq!(read::syntax(&source), syntax, "{about}");
            let recognised = read::board(&source, &ReadOptions::default());
            let recognised = recognised.unwrap_or_else(|error| panic!("{error}: {about}")).puzzle;
            // Two puzzle types share a data format, so `--puzzle` must select one.
            let shared = ["amaze", "numberlink"].contains(&puzzle_type.name) && syntax != Syntax::Text;
            assert!(
                recognised.puzzle_type().name == puzzle_type.name || shared,
                "{}: {about}",
                recognised.puzzle_type().name
            );
            let board = read::board(&source, &ReadOptions::of_type(puzzle_type));
            let board = board.unwrap_or_else(|error| panic!("{error}: {about}")).puzzle;
            let outcome = query::run(&*board, Query::Satisfy, &Config::default(), &mut Silent);
            assert_eq!(outcome.expect("an outcome").status, Status::Solved, "{about}");
            assert!(sample.lines().all(|line| line.len() <= 76), "too wide: {about}");
        }
    }
}

#[test]
fn every_format_of_a_puzzle_type_reads_its_sample() {
    for puzzle_type in PUZZLES {
        let formats: Vec<_> = samples(puzzle_type).into_iter().map(|(_, sample)| sample).collect();
        let distinct: std::collections::BTreeSet<_> = formats.iter().collect();
        assert_eq!(distinct.len(), formats.len(), "{}: the same sample twice", puzzle_type.name);
        for reader in puzzle_type.readers {
            if let puzzle::Reader::Record { names, .. } = reader {
                let sample = reader.sample();
                assert!(names.iter().all(|name| sample.contains(name)), "{names:?} in {sample}");
            }
        }
    }
}

#[test]
fn the_page_of_a_puzzle_type_is_complete() {
    for puzzle_type in PUZZLES {
        let output = gordian(&["puzzle", puzzle_type.name], "");
        let page = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        for word in puzzle_type.aliases.iter().copied().chain([puzzle_type.name, puzzle_type.rules]) {
            assert!(page.contains(word), "{word} in\n{page}");
        }
        for row in puzzle_type.objectives {
            assert!(page.contains(&format!("--objective {}: ", row.name)), "{page}");
        }
        for row in puzzle_type.options {
            for value in row.values {
                assert!(page.contains(&format!("{}={value}", row.name)), "{page}");
            }
        }
        for reader in puzzle_type.readers {
            let sample: String =
                reader.sample().lines().map(|line| format!("  {line}\n")).collect::<Vec<_>>().concat();
            let remark = match (puzzle_type.name, reader.syntax()) {
                ("numberlink", Syntax::Dzn | Syntax::Json) => {
                    ", with `--puzzle numberlink`; otherwise it is read as `amaze`"
                }
                (_, Syntax::Address) => "; `gordian show BOARD --url` writes it",
                _ => "",
            };
            assert!(page.contains(&format!("FORMAT {}{remark}\n{sample}", reader.format())), "{page}");
        }
    }
    let rooks = stdout(&gordian(&["puzzle", "akari"], ""));
    assert!(rooks.starts_with("rooks (also akari, light_up, bijutsukan, 美術館)\n"), "{rooks}");
    assert!(rooks.contains("SYMMETRIES"), "{rooks}");
}

#[test]
fn a_puzzle_type_is_found_by_any_of_its_names() {
    for puzzle_type in puzzle::all() {
        for name in puzzle_type.aliases.iter().copied().chain([puzzle_type.name]) {
            assert_eq!(puzzle::find(name).map(|found| found.name), Some(puzzle_type.name), "{name}");
        }
    }
    let names = [
        ("light up", "rooks"),
        ("LightUp", "rooks"),
        ("美術館", "rooks"),
        ("bijutsukan", "rooks"),
        ("mashu", "masyu"),
    ];
    for (name, expected) in
        names.into_iter().chain([("pearls", "masyu"), ("マシュ", "masyu"), ("slither", "slitherlink")])
    {
        let page = stdout(&gordian(&[&["puzzle"], &name.split(' ').collect::<Vec<_>>()[..]].concat(), ""));
        assert!(page.starts_with(&format!("{expected} (also ")), "{name}: {page}");
    }
}

#[test]
fn puzzle_types_are_listed_by_what_a_solver_does() {
    let all = stdout(&gordian(&["puzzle"], ""));
    let at = |text: &str| all.find(text).unwrap_or_else(|| panic!("no {text} in\n{all}"));
    let order = [
        "Shade cells\n",
        "  nurikabe, ",
        "Draw lines\n",
        "  masyu, ",
        "Write numbers\n",
        "  sudoku, ",
        "Place objects\n",
    ];
    assert!(order.map(at).is_sorted(), "{all}");
    // A part of several names lists the puzzle types with these names.
    let loops = stdout(&gordian(&["puzzle", "loop"], ""));
    assert!(loops.starts_with("Draw lines\n  balance, balance_loop "), "{loops}");
    assert!(loops.lines().count() < 40, "{loops}");
}

#[test]
fn misspelt_names_get_suggestions() {
    let message = |line: &str, near: &str| {
        let arguments: Vec<_> = line.split(' ').collect();
        let output = gordian(&arguments, "rooks\n. .\n");
        let message = format!("did you mean `{near}`?");
        assert!(stderr(&output).contains(&message), "{line}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{line}");
    };
    message("puzzle roks", "rooks");
    message("solve - --puzzle nurikaba", "nurikabe");
    message("solve - --solver varisatt", "varisat");
    message("solve - --solver kisat", "kissat");
    message("solve - --encode conectivity=layers", "connectivity");
    message("solve - --encode connectivity=layer", "layers");
    message("solve - --objective fewst", "fewest");
    message("solve - --option zero-clue=yes", "zero-clues");
    message("solve - --option zero-clues=yess", "yes");
    message("solve - --strategy core-gided", "core-guided");
    message("export - --format dimac", "dimacs");
    message("export - --objective mos --format wcnf", "most");
    let flag = gordian(&["solve", "-", "--uniqe"], "");
    assert!(stderr(&flag).contains("'--unique'"), "{}", stderr(&flag));
    let command = gordian(&["sovle", "-"], "");
    assert!(stderr(&command).contains("'solve'"), "{}", stderr(&command));
}

#[test]
fn the_overview_is_short_and_contains_every_name() {
    let overview = stdout(&gordian(&["list"], ""));
    let width = |line: &str| line.len().max(1).div_ceil(75);
    assert!(overview.lines().map(width).sum::<usize>() <= 58, "{overview}");
    let words: Vec<&str> = overview.split([' ', ',', '\n']).collect();
    let names = puzzle::all().map(|puzzle_type| puzzle_type.name);
    let names = names.chain(choosable().map(|row| row.name));
    for name in names.chain(["masyu", "cdcl", "kissat", "core-guided", "wcnf"]) {
        assert!(words.contains(&name), "{name} in {overview}");
    }
}

#[test]
fn lists_of_one_kind_and_of_one_name() {
    let list = |arguments: &[&str]| {
        let output = gordian(&[&["list"], arguments].concat(), "");
        (stdout(&output) + &stderr(&output), output.status.code())
    };
    let (puzzles, code) = list(&["puzzles"]);
    assert_eq!((puzzles.lines().count() - 1, code), (puzzle::all().count(), Some(0)), "{puzzles}");
    assert!(
        puzzles.contains("  rooks, akari, light_up, bijutsukan, 美術館 text, param, puzz.link address\n"),
        "{puzzles}"
    );
    let (rooks, _) = list(&["puzzles", "akari"]);
    assert!(rooks.lines().count() == 2 && rooks.contains("  rooks, akari"), "{rooks}");
    let (encodings, _) = list(&["encodings"]);
    let (linear, _) = list(&["encodings", "linear"]);
    assert!(
        linear.contains("  linear: a weighted sum") && linear.contains("generalized-totalizer"),
        "{linear}"
    );
    assert!(!linear.contains("pairwise") && encodings.contains("pairwise"), "{linear}");
    for (kind, name, text) in [
        ("solvers", "varisat", "  varisat 0."),
        ("strategies", "core-guided", "  core-guided: "),
        ("formats", "wcnf", "  wcnf (.wcnf): "),
    ] {
        let (shown, code) = list(&[kind, name]);
        assert!(shown.contains(text) && code == Some(0), "{shown}");
        assert!(list(&[kind]).0.contains(text));
    }
    assert_eq!(
        list(&["encodings", "linaer"]),
        (
            "gordian: `linaer` is not among the encodings of a constraint; did you mean `linear`?\n"
                .to_owned(),
            Some(2)
        )
    );
    assert_eq!(list(&["boards"]).1, Some(2));
}

#[test]
fn completions_include_commands_puzzle_types_and_encodings() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = gordian(&["completions", shell], "");
        let script = stdout(&output);
        assert_eq!(output.status.code(), Some(0));
        // Completion scripts for other shells contain no values.
        let values: &[&str] = match shell {
            "bash" | "zsh" | "fish" => &["nurikabe", "connectivity=layers", "varisat", "fewest", "sat-unsat"],
            _ => &[],
        };
        for word in ["solve", "decode", "objective"].iter().chain(values) {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    // Bash must accept the script, and the script must complete names.
    let directory = tempfile::tempdir().expect("a directory");
    let complete = "source <(gordian completions bash) && COMP_WORDS=(gordian puzzle nur) COMP_CWORD=2 && \
                    _gordian gordian nur puzzle && printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = shell(complete, directory.path());
    assert_eq!(
        stdout(&output),
        "nuribou\nnurikabe\nnuriloop\nnurimaze\nnurimisaki\nnuritwin\n",
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_manual_page_for_each_command() {
    let directory = tempfile::tempdir().expect("a directory");
    let pages = directory.path().join("deep/man1");
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
