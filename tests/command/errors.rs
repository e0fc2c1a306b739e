//! Tests that every invalid input is rejected with exit code 2. The message must contain the position, the expected
//! text and the actual text.

use crate::support::{gordian, stderr, stdout};
use gordian::make::generators;

/// Runs `solve -` on a text, and expects the error `standard input:PLACE: expected EXPECTED, found FOUND`.
#[track_caller]
fn refused(arguments: &[&str], text: &str, place: &str, expected: &str, found: &str) {
    let output = gordian(&[&["solve", "-"], arguments].concat(), text);
    let error = stderr(&output);
    let message = format!("standard input:{place}: expected {expected}, found {found}\n");
    assert!(error.contains(&message), "expected {message}in\n{error}");
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(stdout(&output), "", "nothing is printed as a solution");
}

const CLUE: &str = "a number from 1 to 999999999 or `?` for `clue`";

#[test]
fn puzzle_types() {
    refused(&[], "nurikabee\n. .\n", "1:1", "a puzzle type", "`nurikabee`");
    // The rest of the first line is parsed only if the puzzle type is valid.
    refused(&[], "nurikabee of mine\n. .\n", "1:1", "a puzzle type", "`nurikabee`");
    refused(&[], "rooks of mine\n. .\n", "1:7", "an option `name=value`", "`of`");
    refused(&[], "% a board\n\n. .\n1 .\n", "3:1", "the puzzle type on the first line", "`.`");
    refused(&["--puzzle", "rooks"], "nurikabe\n1\n", "1:1", "`rooks`, as `--puzzle` says", "`nurikabe`");
    let output = gordian(&["solve", "-", "--puzzle", "rook"], "rooks\n.\n");
    let message = "gordian: --puzzle rook: expected a puzzle type, found `rook`; did you mean `rooks`? `gordian list` \
                shows all puzzle types\n";
    assert_eq!(stderr(&output), message, "a single word has no excerpt");
    assert_eq!(output.status.code(), Some(2));
}

/// Expects that a command ends with exit code 2 and the given message.
#[track_caller]
fn is_wrong(arguments: &[&str], input: &str, message: &str) {
    let output = gordian(arguments, input);
    assert_eq!(stderr(&output), format!("gordian: {message}\n"));
    assert_eq!((&*stdout(&output), output.status.code()), ("", Some(2)));
}

#[test]
fn formulas_are_not_boards() {
    for (text, place, format) in [
        ("c ind 1 2 0\np cnf 4 2\n1 2 0\n3 -4 0\n", "2:1", "CNF"),
        ("p knf 2 1\nk 1 1 2 0\n", "1:1", "KNF"),
        ("p wcnf 1 1 2\n1 1 0\n", "1:1", "WCNF"),
        ("c 2022\nh 1 2 0\n1 -1 0\n", "2:1", "WCNF"),
        ("* #variable= 1 #constraint= 1\n1 x1 >= 1 ;\n", "1:1", "OPB"),
        ("p inccnf\n1 0\n", "1:1", "iCNF"),
    ] {
        let message = format!("{place}: expected a board or a model, found a formula in {format}\n");
        let help = if format == "iCNF" { "other solvers solve it" } else { "`gordian solve` solves it" };
        let model: &[&[&str]] = &[&["fzn", "-"], &["xcsp3", "-"]];
        let all: &[&[&str]] = &[&["solve", "--count", "-"], &["backbone", "-"], &["why", "-"]];
        for arguments in model.iter().chain(all.iter().filter(|_| format == "iCNF")) {
            let output = gordian(arguments, text);
            let error = stderr(&output);
            assert!(error.contains(&message) && error.contains(help), "{arguments:?}: {error}");
            assert_eq!((&*stdout(&output), output.status.code()), ("", Some(2)));
        }
    }
    // With `--puzzle`, a row of a board may look like a clause.
    let output = gordian(&["solve", "-", "--puzzle", "rooks"], "h 1 0\n");
    assert!(!stderr(&output).contains("formula"), "{}", stderr(&output));
}

#[test]
fn puzzle_types_without_a_generator() {
    for name in ["sudoku_of_mine", "labyrinth"] {
        let others = generators().count() - 10;
        let message = format!(
            "`{name}` has no generator; expected one of amaze, numberlink, numcross, rooks, akichi, alter, antiking, \
             antiknight, aqre, aquapelago and {others} others"
        );
        is_wrong(&["make", name], "", &message);
    }
}

/// The command must fail before it generates a board, because no board of this size would be found in reasonable time.
#[test]
fn puzzle_types_without_addresses() {
    for name in ["amaze", "numcross"] {
        let message = format!("--url: no addresses on puzz.link are known for boards of `{name}`");
        is_wrong(&["make", name, "--size", "100x100", "--url"], "", &message);
    }
}

#[test]
fn patterns_of_generated_boards() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("pattern.txt");
    std::fs::write(&path, "x . .\n. x\n").expect("a file");
    let file = path.to_str().expect("a path");
    let error = stderr(&gordian(&["make", "slitherlink", "--pattern", file], ""));
    assert!(error.contains(":2:1: expected 3 tokens as in the first row, found 2 tokens"), "{error}");
    std::fs::write(&path, "x . .\n. x .\n. . x\n").expect("a file");
    is_wrong(
        &["make", "numberlink", "--pattern", file],
        "",
        "the cells with clues of `numberlink` boards can't be chosen",
    );
    let made = stdout(&gordian(&["make", "sudoku", "--pattern", file, "--size", "3x3"], ""));
    assert_eq!(made, "", "the pattern states the size");
}

#[test]
fn rule_sheets_without_a_generator() {
    let directory = tempfile::tempdir().expect("a directory");
    let sheet = directory.path().join("my.sheet");
    let text = "puzzle mine\ndata columns top: 1..height\nvar shaded on set(l in top, c in l: c)\n\
                solution shaded shaded\nrule \"clue\" for l in top: count(c in l: shaded(c)) = top(l)\n";
    std::fs::write(&sheet, text).expect("a file");
    let message =
        "`mine` has no generator for its rule sheet: it can't choose `top`, on which the variables depend";
    let sheet = sheet.to_str().expect("a path");
    let output = gordian(&["make", "--rules", sheet], "");
    assert!(stderr(&output).starts_with(&format!("gordian: {message}; ")), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn puzzle_types_whose_clues_are_needed() {
    let with_clues = "rooks, alter, antiking, antiknight, aqre, aquarium, archipelago, arrowsudoku, ayeheya, balance and 163 others";
    for text in ["numberlink\n1 . 1\n", "lits\na a\na a\n"] {
        let name = text.split('\n').next().expect("a line");
        let message = format!(
            "standard input: the clues of `{name}` can't be left out one by one; those of {with_clues} can"
        );
        is_wrong(&["clues", "-"], text, &message);
    }
}

#[test]
fn errors_point_to_the_end_of_the_line() {
    let output = gordian(&["solve", "https://puzz.link/p?nurikabe"], "");
    let (before, pointer) = (" 1 │ https://puzz.link/p?nurikabe", "╰── expected the number of columns");
    let report = stderr(&output);
    let lines: Vec<_> = report.lines().skip_while(|line| line.trim_end() != before).collect();
    assert!(lines.len() > 3 && lines[2].contains(pointer), "{report}");
    let column = |line: &str, what: char| line.chars().position(|c| c == what);
    assert_eq!(column(lines[1], '▲'), Some(before.chars().count()), "after the last character: {report}");
    // An empty input has no text to show.
    for text in ["", "\n\n"] {
        let report = stderr(&gordian(&["solve", "-"], text));
        assert!(report.contains("found the end of the file") && !report.contains('╭'), "{report}");
    }
}

#[test]
fn solutions_of_another_size() {
    let output = gordian(&["check", "instances/rooks/empty-5x5.param", "-"], "R\n");
    assert!(
        stderr(&output).contains("expected 5 cells, as on the board, found 1 cell\n"),
        "{}",
        stderr(&output)
    );
    let output = gordian(&["check", "instances/rooks/empty-5x5.param", "-"], "");
    assert!(
        stderr(&output).contains("expected 5 rows, as on the board, found 0 rows\n"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn empty_files() {
    for text in ["", "\n\n", "% nothing but a comment\n"] {
        let output = gordian(&["solve", "-"], text);
        assert!(
            stderr(&output).contains("expected a board, found the end of the file"),
            "{}",
            stderr(&output)
        );
        assert_eq!(output.status.code(), Some(2));
    }
    refused(&[], "nurikabe\n", "2:1", "a row of the board", "the end of the file");
}

#[test]
fn rows_and_tokens() {
    refused(
        &[],
        "nurikabe\n. . .\n. .\n",
        "3:1",
        "3 tokens, one for each column, in row 2 of `clue`",
        "2 tokens",
    );
    refused(
        &[],
        "nurikabe\n. .\n. . 3\n",
        "3:1",
        "2 tokens, one for each column, in row 2 of `clue`",
        "3 tokens",
    );
    refused(&[], "nurikabe\n. a1\n", "2:3", CLUE, "`a1`");
    refused(&[], "nurikabe\n. 0\n", "2:3", CLUE, "`0`");
    refused(&[], "nurikabe\n. -3\n", "2:3", CLUE, "`-3`");
    refused(&[], "rooks\n. x\n", "2:3", "`.`, `#` or a clue from 0 to 4", "`x`");
    refused(&[], "rooks\n5 .\n", "2:1", "`.`, `#` or a clue from 0 to 4", "`5`");
}

#[test]
fn options() {
    refused(&[], "nurikabe cells=all\n.\n", "1:10", "an option of `nurikabe`: size, clues", "`cells`");
    refused(&[], "nurikabe clues=3\n.\n", "1:16", "size or size-serial for `clues`", "`3`");
    refused(&[], "nurikabe clues\n.\n", "1:10", "an option `name=value`", "`clues`");
}

#[test]
fn dzn() {
    refused(&[], "length = 3;\n", "2:1", "`init = ...`", "the end of the file");
    refused(&[], "N = 2;\ngrid = [|0,0|0,0|];\n", "3:1", "`input_grid = ...`", "the end of the file");
    refused(&[], "foo = 3;\n", "1:1", "the data of a puzzle", "the name `foo`");
    refused(&[], "length = 3;\ninit = [|0,0|0,0|];\n", "2:8", "a 3 x 3 matrix for `init`", "2 rows");
    refused(&[], "length = 2;\ninit = [|0,0|0|];\n", "2:14", "a 2 x 2 matrix for `init`", "1 value in row 2");
    refused(&[], "length = 1;\ninit = [|-2|];\n", "2:10", CLUE, "`-2`");
    refused(&[], "length = 0;\ninit = [];\n", "1:10", "a number of rows from 1", "`0`");
    refused(&[], "length = 1;\ninit = [|x|];\n", "2:10", "a value", "`x`");
}

#[test]
fn param() {
    let param = |types: &str, clues: &str| {
        format!("language ESSENCE' 1.0\nletting squareType be {types}\nletting clues be {clues}\n")
    };
    let clue_on_empty = param("[[0,1],[2,0]]", "[[0,1],[1,0]]");
    refused(&[], &clue_on_empty, "3:22", "0, since r1c2 is not a clue square", "`1`");
    let clue_missing = param("[[0,1],[2,0]]", "[[0,0],[0,0]]");
    refused(&[], &clue_missing, "3:26", "a clue from 1 to 4 for the clue square r2c1", "`0`");
    let clue_too_great = param("[[0,1],[2,0]]", "[[0,0],[5,0]]");
    refused(&[], &clue_too_great, "3:26", "a clue from 0 to 4 for the clue square r2c1", "`5`");
    let unknown_square = param("[[0,3]]", "[[0,0]]");
    refused(&[], &unknown_square, "2:27", "0 (empty), 1 (block) or 2 (clue)", "`3`");
    let smaller = param("[[0,1],[2,0]]", "[[0,0],[0]]");
    refused(&[], &smaller, "3:25", "a 2 x 2 matrix for `clues`", "1 value in row 2");
    refused(&[], "letting squareType be [[0]]\n", "2:1", "`letting clues be ...`", "the end of the file");
}

#[test]
fn zero_clues_in_param_data_need_an_option() {
    let text = "letting squareType be [[0,2,0]]\nletting clues be [[0,0,0]]\n";
    let output = gordian(&["solve", "-", "--option", "zero-clues=yes"], text);
    assert_eq!(stdout(&output), "no solution: the board is contradictory\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn addresses() {
    let refused = |address: &str, column: &str, expected: &str, found: &str| {
        let output = gordian(&["solve", address], "");
        let message = format!("address:1:{column}: expected {expected}, found {found}\n");
        assert!(stderr(&output).contains(&message), "expected {message}in\n{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    };
    refused(
        "https://puzz.link/p?nurikabe/5/5/g1",
        "36",
        "cells for 23 more squares",
        "the end of the address",
    );
    let over_long = "`z`, which is 20 empty squares";
    refused("https://puzz.link/p?nurikabe/2/2/zzz", "34", "cells for 4 more squares", over_long);
}

#[test]
fn unknown_types_in_addresses() {
    let refused = |address: &str, column: &str, found: &str, help: &str| {
        let output = gordian(&["solve", address], "");
        let message = format!(
            "address:1:{column}: expected a puzzle type that is known in addresses, found `{found}`\n"
        );
        assert!(stderr(&output).contains(&message), "expected {message}in\n{}", stderr(&output));
        assert!(stderr(&output).contains(help), "expected {help} in\n{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    };
    let all = "there are numlin, numberlink, lightup, akari, ";
    refused("https://puzz.link/p?chess/5/5/zzz", "21", "chess", all);
    refused("https://puzz.link/p?tapaloop/v:/5/5/zzz", "21", "tapaloop", all);
    refused("https://puzz.link/p?chess", "21", "chess", all);
    refused(
        "https://puzz.link/p?nurikabbe/x/5/zzz",
        "21",
        "nurikabbe",
        "did you mean `nurikabe` or `nurimaze`?",
    );
    refused("nurikabbe/6/6/m8n8i9u", "1", "nurikabbe", "did you mean `nurikabe` or `nurimaze`?");
    for path in ["files/6/6/a.txt", "nurikabe/a.txt", "nurikabe/6/a.txt"] {
        let message = format!("gordian: {path}: ");
        assert!(stderr(&gordian(&["solve", path], "")).starts_with(&message), "no file and no address");
    }
}

#[test]
fn a_directory_instead_of_a_board() {
    for command in ["backbone", "show", "export"] {
        let output = gordian(&[command, "src"], "");
        assert_eq!(stderr(&output), "gordian: src: expected a file, found a directory\n");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn files_that_cannot_be_read() {
    for arguments in [&["solve", "no-such-file.txt"][..], &["check", "src", "-"], &["export", "src"]] {
        let output = gordian(arguments, "");
        let message = format!("gordian: {}: ", arguments[1]);
        assert!(stderr(&output).starts_with(&message), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn command_lines() {
    let fails = |arguments: &[&str], message: &str| {
        let output = gordian(arguments, "rooks\n.\n");
        assert!(stderr(&output).contains(message), "expected {message} in {}", stderr(&output));
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    };
    fails(&["solve"], "<BOARD>");
    fails(&["solve", "-", "--solver", "batsatt"], "did you mean `batsat`?");
    fails(&["solve", "-", "--encode", "connectivity=layer"], "no encoding `layer`");
    fails(&["solve", "-", "--encode", "layers"], "constraint=encoding");
    for option in ["--seed", "--conflicts", "--limit", "--threads"] {
        fails(&["solve", "-", option, "x"], "expected a whole number, as in `10`");
        fails(&["solve", "-", option, "1.5"], "expected a whole number, as in `10`");
    }
    fails(&["solve", "-", "--seed", "99999999999"], "expected a smaller number");
    fails(&["solve", "-", "--threads", "0"], "expected a number from 1");
    fails(&["solve", "-", "--timeout", "-1"], "expected a number of seconds");
    fails(&["solve", "-", "--solver", "nothing-like-it"], "`picosat` and `external:COMMAND`\n");
    for question in [&["--all"][..], &["--count"], &["--unique"], &["--limit", "2"]] {
        let message = format!("--objective fewest: `{}` is about all solutions", question[0]);
        fails(&[&["solve", "-", "--objective", "fewest"], question].concat(), &message);
        let none = gordian(&[&["solve", "-", "--objective", "none"], question].concat(), "rooks\n.\n");
        assert_eq!((stderr(&none).as_str(), none.status.code()), ("", Some(0)), "{question:?}");
    }
    fails(&["check", "-", "-"], "can't both be standard input");
    if cfg!(not(feature = "cadical")) {
        // The empty search path hides an installed CaDiCaL, which would be used as an external solver.
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gordian"))
            .args(["solve", "instances/rooks/document-3x3.param", "--solver", "cadical"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("PATH", "")
            .output()
            .expect("the program starts");
        assert!(stderr(&output).contains("--features cadical"), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    }
}
