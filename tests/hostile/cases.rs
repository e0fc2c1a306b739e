//! Tests with hostile inputs that were written by hand.

use std::fs;
use std::io::Write;

use flate2::write::GzEncoder;
use gordian::dimacs::{self, FormulaFormat as Formula};
use gordian::format::Source;
use gordian::read::{self, Board, ReadOptions};

use super::targets::TARGETS;
use super::{alone, failure, memory_of};

#[path = "../support/mod.rs"]
mod support;

use support::{gordian, stderr, stdout};

/// Asserts that the input is rejected with the given message, and that reading it exceeds neither the memory limit nor
/// the time limit.
#[track_caller]
fn refused(input: &str, message: &str) {
    let shown: String = input.chars().take(40).collect();
    let target = TARGETS.iter().find(|target| target.name == "recognised").expect("a target");
    if let Err(why) = failure(target, input.as_bytes()) {
        panic!("{shown}: {why}");
    }
    let output = gordian(&["solve", "-"], input);
    let error = stderr(&output);
    assert!(error.contains(message), "{shown}: expected {message} in\n{error}");
    assert!(error.len() < 5000, "{shown}: a report of {} bytes", error.len());
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{shown}");
}

#[test]
fn declared_sizes_without_data() {
    let _alone = alone();
    let most = "at most 1000000";
    refused(
        "N = 1000000;\ninput_grid = array2d(1..1000000, 1..1000000, []);\n",
        "2:46: expected 1000000 x 1000000 values",
    );
    refused("N = 1000000;\ninput_grid = array2d(1..N, 1..9999999999999999999999, [1]);\n", "a shorter range");
    refused("length = 1000000;\ninit = [||];\n", "a 1000000 x 1000000 matrix for `init`, found 0 rows");
    refused(
        "X = 1000000000; Y = 1000000000; N = 1;\nend_points_start_x = [1]; end_points_start_y = [1];\nend_points_end_x = [5]; end_points_end_y = [5];\n",
        most,
    );
    refused("{\"n\": 1000000000, \"m\": 4000000000, \"points\": [[1, 1, 5, 5]]}", most);
    refused("https://puzz.link/p?nurikabe/4294967296/4294967296/z\n", "a board of at most 1000000 squares");
    refused("https://puzz.link/p?nurikabe/99999999999999999999999999/1/z\n", "the number of columns");
    refused("https://puzz.link/p?nurikabe/1000/1000/z\n", "cells for 999980 more squares");
    refused(
        "n = 1000000000; num_edges = 1; start = 1; target = 2; graph = [|1, 2|];\n",
        "a number of nodes from 1 to",
    );
    refused("num_digits = 1000000000;\nmultiplier = 11;\n", "a number of digits from 1 to 1000");
    refused(
        "nines\nn_digits = 1000000000\nmax_digits_after_mult = 4\nmultiplicator_range = 2..11\nnum_to_check = 9\n",
        "a number of digits from 1 to 1000",
    );
    refused(
        "nines\nn_digits = 2\nmax_digits_after_mult = 4\nmultiplicator_range = 1..1000000000000\nnum_to_check = 9\n",
        "a range of at most 10000 numbers",
    );
    refused("exponents = [1000000000, 4];\n", "exponents from 1 to 64");
    refused("exponents = 1..1000000000;\n", "a range of at most 10000 numbers");
    refused("exponents = [3, 4]; base = 1000000000;\n", "a base from 2 to 25");
    refused("r = 1; s = 1000000000; n = 1; m = 2; schema = [|0, 0|]; S = {6};\n", "1:12: expected");
}

#[test]
fn numbers_of_a_million_digits() {
    let _alone = alone();
    let nines = "9".repeat(1_000_000);
    refused(&format!("num_digits = {nines};\nmultiplier = 11;\n"), "found a number of 1000000 digits");
    refused(&format!("cards\nn_cards = -{nines}\n"), "found a number of 1000000 digits");
    refused(&format!("letting squareType be [[{nines}]]\n"), "found a number of 1000000 digits");
    refused(&format!("{{\"n\": {nines}}}"), "found a number of 1000000 digits");
    refused(&format!("nurikabe\n. {nines}\n"), "2:3: expected");
    refused(&format!("https://puzz.link/p?nurikabe/{nines}/5/\n"), "the number of columns");
    for (board, solution) in [
        ("nines/document-001.dzn", format!("{{\"number\": \"{nines}\"}}")),
        ("nines/document-001.dzn", format!("number = {nines}\n")),
        ("powers/document-000.dzn", format!("{{\"n\": \"{nines}\", \"powers\": [1, 2]}}")),
    ] {
        let output = gordian(&["check", &format!("instances/{board}"), "-"], &solution);
        let error = stderr(&output);
        assert!(error.contains("expected a number of at most 100000 digits"), "{error}");
        assert_eq!(output.status.code(), Some(2));
    }
    // The longest number that a solution may contain. The checker rejects the solution without computing powers of
    // this number.
    let solution = format!("{{\"n\": \"{}\", \"powers\": [1, 2]}}", &nines[..100_000]);
    let output = gordian(&["check", "instances/powers/document-000.dzn", "-"], &solution);
    assert!(stdout(&output).contains(" are not the powers of "), "{}", stdout(&output));
    assert!(stdout(&output).len() < 2000 && output.status.code() == Some(1));
}

#[test]
fn a_million_nested_brackets() {
    let _alone = alone();
    let deep = "at most 64 brackets inside each other";
    for (before, bracket) in [
        ("n = ", "["),
        ("n = ", "[|"),
        ("n = ", "{"),
        ("n = ", "array1d(1..1,["),
        ("letting n be ", "["),
        ("{\"n\": ", "["),
        ("{\"n\": ", "{\"n\":"),
        ("cards\nn_cards = ", "["),
    ] {
        let deep_input = before.to_owned() + &bracket.repeat(1_000_000);
        let input = if before == "n = " { "m = 1;\n".to_owned() + &deep_input } else { deep_input };
        refused(&input, if bracket == "array1d(1..1,[" { "inside each other" } else { deep });
    }
    // In rows of tokens, brackets are not nested values, so the error concerns the first token.
    refused(&("rooks\n".to_owned() + &"[".repeat(1_000_000)), "2:1: expected `.`, `#` or a clue");
}

#[test]
fn invalid_and_unusual_characters() {
    let _alone = alone();
    refused(
        "nurikabe\n. \0 .\n",
        "2:3: expected a number from 1 to 999999999 or `?` for `clue`, found `\\u{0}`",
    );
    refused("rooks\n. \u{1b}[31mx\n", "found `\\u{1b}[31mx`");
    // A lone carriage return is not a line break.
    refused("nurikabe\r. 1\r", "1:10: expected an option `name=value`, found `.`");
    refused(&"\0".repeat(1_000_000), "the puzzle type on the first line");
    for text in [
        "\u{feff}nurikabe\n1 .\n",
        "nurikabe\r\n1 .\r\n",
        "\u{feff}\r\n% c\r\nnurikabe\r\n\r\n1 .",
        "nurikabe\n1 .\n\n\n",
    ] {
        let output = gordian(&["solve", "-"], text);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "1 0\n"), "{text:?}");
    }
    for (bytes, place) in [
        (&b"nurikabe\n. \xff .\n"[..], "2:3: expected text in UTF-8, found the byte 0xff"),
        (b"\xff\xfen\0", "1:1: expected text in UTF-8, found the byte 0xff"),
        (b"rooks\n\xc3", "2:1: expected text in UTF-8, found the byte 0xc3"),
        (b"rooks\n\xed\xa0\x80", "2:1: expected text in UTF-8, found the byte 0xed"),
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("board.txt");
        fs::write(&path, bytes).expect("a file");
        let output = gordian(&["solve", path.to_str().expect("UTF-8")], "");
        assert!(stderr(&output).contains(place), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn long_lines() {
    let _alone = alone();
    // The error's column number exceeds the maximum width that Rust's formatter supports.
    let long = format!("rooks\n. .\n{}x\n. .\n", ". ".repeat(200_000));
    refused(&long, "3:5: expected 2 cells as in the first row, found 200001 cells");
    refused(
        &format!("rooks\n{}x\n", ". ".repeat(200_000)),
        "2:400001: expected `.`, `#` or a clue from 0 to 4, found `x`",
    );
    refused(&format!("rooks\n{}\n", "x".repeat(1_000_000)), "2:1: expected `.`");
    refused(&format!("rooks {}=3\n.\n", "a".repeat(1_000_000)), "1:7: expected an option of `rooks`");
    refused(&format!("{}\n.\n", "a".repeat(1_000_000)), "1:1: expected a puzzle type");
    let names: Vec<String> = (0..20_000).map(|number| format!("a{number} = {number};")).collect();
    refused(&names.join("\n"), "1:1: expected the data of a puzzle, found the name `a0`");
    let option = format!("zero-clues={}", "x".repeat(100_000));
    let output = gordian(&["solve", "-", "--option", &option], "rooks\n.\n");
    assert!(stderr(&output).contains("`zero-clues`, found `xxx") && stderr(&output).len() < 5000);
    assert_eq!(output.status.code(), Some(2));
}

/// Builds the model of a small board. Building the model must succeed for all data that a reader accepts.
fn formulate(source: &Source) {
    let Ok(Board { puzzle, .. }) = read::board(source, &ReadOptions::default()) else { return };
    let objective = puzzle.puzzle_type().objectives.first();
    drop(puzzle.formulate(&objective.into()));
    drop(puzzle.symmetry());
}

#[test]
fn small_boards_are_formulated() {
    let _alone = alone();
    for text in [
        "nurikabe\n999999999 ? .\n",
        "smallest\nnum_digits = 1000\nmultiplier = 1000000000000000000000000000000\n",
        "nines\nn_digits = 1000\nmax_digits_after_mult = 2000\nmultiplicator_range = {1000000000000000000}\nnum_to_check = 0\n",
        "age\nborn_year = 1000000000000000000000000000000\nfraction = 1000000000000000000000000000000\nlen_born_year = 30\n",
        "cards\nn_cards = 1000000000000000000000000000000\nn_red = 0\nleft_split = 0\n",
        "powers\nexponents = [1]\nmax_n = 170141183460469231731687303715884105727\n",
        "numcross\nr = 0\ns = 1000000\nschema = [| 0, 0 |]\nS = {1000000000000}\n",
        "magic-triangle\nstarting_conf = [0, 0, 0, 0, 0, 0, 0, 0, 0]\nsum = 1\n",
        "labyrinth\nn = 1000\nnum_edges = 0\nstart = 1\ntarget = 1000\ngraph = [||]\n",
    ] {
        let memory = memory_of(|| formulate(&Source::new("board", text)));
        assert!(memory < 1 << 30, "{memory} bytes for {text}");
    }
}

#[test]
fn endless_formulas() {
    let _alone = alone();
    let read = |format, start: &str, again: u8| {
        let input =
            std::io::Read::chain(start.as_bytes(), std::io::Read::take(std::io::repeat(again), 1 << 27));
        let mut message = String::new();
        let memory = memory_of(|| {
            message = dimacs::read("f", format, input, |_| {})
                .map_or_else(|error| error.to_string(), |_| String::new());
        });
        assert!(memory < 1 << 20, "{memory} bytes for {start}");
        message
    };
    assert_eq!(read(Formula::Cnf, "p cnf 1 1\n1 0\nc ", b'x'), "");
    assert_eq!(read(Formula::Cnf, "p cnf 1 1\n1 0\nc p show ", b' '), "");
    assert_eq!(read(Formula::Cnf, "p cnf 1 1\n1 0\n", b'\n'), "");
    assert_eq!(read(Formula::Wcnf, "c ", b' '), "");
    assert!(read(Formula::Cnf, "p cnf 1 1\n", b'1').contains("expected a literal or 0"));
    assert!(read(Formula::Wcnf, "", b'7').contains("expected `h` or the weight of a clause"));
    assert!(read(Formula::Cnf, "p cnf 1 1\n1 ", b'\0').contains("found `\\u{0}"));
    let mut directory = tempfile::NamedTempFile::with_suffix(".cnf.gz").expect("a file");
    let mut bomb = GzEncoder::new(&mut directory, flate2::Compression::best());
    bomb.write_all(b"p cnf 1 1\n").expect("a compressed file");
    let more = b"1 1 1 1 -1 1 1 1 ".repeat(1 << 16);
    (0..50).for_each(|_| bomb.write_all(&more).expect("a compressed file"));
    bomb.finish().expect("a compressed file");
    let output = gordian(&["sat", directory.path().to_str().expect("UTF-8")], "");
    assert!(stderr(&output).contains("expected 0, the end of the clause"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn formulas_with_few_variables_and_large_numbers() {
    let _alone = alone();
    let mut file = tempfile::NamedTempFile::with_suffix(".wcnf").expect("a file");
    let name = file.path().to_str().expect("UTF-8").to_owned();
    file.write_all(b"h 9999999 5000000 0\n1 -9999999 0\n2 -5000000 0\n").expect("a file");
    let output = gordian(&["opt", &name, "--memory", "500M"], "");
    let lines = stdout(&output);
    assert_eq!(output.status.code(), Some(30), "{}", stderr(&output));
    let values = lines.lines().find_map(|line| line.strip_prefix("v ")).expect("values");
    assert_eq!((values.len(), values.find('1')), (9_999_999, Some(9_999_998)), "the cheaper one of the two");
    assert!(lines.contains("\no 1\n"));
    fs::write(&name, "p cnf 9999999 3\n9999999 5000000 0\n-9999999 0\n-1 9999999 0\n").expect("a file");
    let output = gordian(&["sat", &name, "--memory", "500M"], "");
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    for word in [" 5000000 ", " -9999999 0\n", "v -1 "] {
        assert!(stdout(&output).contains(word), "{word}");
    }
}

#[test]
fn an_endless_solution() {
    let _alone = alone();
    let file = tempfile::NamedTempFile::with_suffix(".gz").expect("a file");
    let mut bomb = GzEncoder::new(file.reopen().expect("the file"), flate2::Compression::best());
    let blank = vec![b'\n'; 1 << 20];
    (0..257).for_each(|_| bomb.write_all(&blank).expect("a compressed file"));
    bomb.finish().expect("a compressed file");
    let output =
        gordian(&["decode", "instances/nines/document-001.dzn", file.path().to_str().expect("UTF-8")], "");
    assert!(stderr(&output).contains("expected at most 268435456 bytes"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn files_of_other_types() {
    let _alone = alone();
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().to_str().expect("UTF-8");
    let board = "instances/nines/document-001.dzn";
    for arguments in [
        &["check", board, path][..],
        &["decode", board, path],
        &["export", path],
        &["sat", path],
        &["opt", path],
        &["export", board, "-o", path],
        &["export", board, "-o", "/no-such-directory/board.cnf"],
        &["export", board, "--sidecar", path],
        &["sat", "no-such-file.cnf"],
    ] {
        let output = gordian(arguments, "");
        assert!(stderr(&output).starts_with("gordian: "), "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    }
    // The files are truncated, or are uncompressed despite their extension.
    for (name, bytes) in
        [("a.cnf.gz", &b"p cnf 1 1\n1 0\n"[..]), ("b.cnf.xz", b"\xfd7zXZ\0"), ("c.cnf.bz2", b"BZh9")]
    {
        let path = directory.path().join(name);
        fs::write(&path, bytes).expect("a file");
        let output = gordian(&["sat", path.to_str().expect("UTF-8")], "");
        assert!(
            stderr(&output).starts_with("gordian: ") && stderr(&output).contains(name),
            "{}",
            stderr(&output)
        );
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}
