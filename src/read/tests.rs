use proptest::prelude::*;

use super::*;
use crate::format::Position;

const ALL: [Syntax; 5] = [Syntax::Text, Syntax::Dzn, Syntax::Param, Syntax::Json, Syntax::Address];

fn guess(text: &str) -> Syntax {
    syntax(&Source::new("standard input", text))
}

#[test]
fn the_extension_takes_precedence_over_the_content() {
    let of = |name: &str| syntax(&Source::new(name, "{"));
    assert_eq!(of("a/b.dzn"), Syntax::Dzn);
    assert_eq!(of("b.param"), Syntax::Param);
    assert_eq!(of("b.TXT"), Syntax::Text);
    assert_eq!(of("b.url"), Syntax::Address);
    assert_eq!(of("b.json"), Syntax::Json);
    assert_eq!(of("a.d/b"), Syntax::Json);
    assert_eq!(of("b.data"), Syntax::Json);
}

#[test]
fn the_syntax_is_guessed_from_the_content() {
    assert_eq!(guess("% source\n\nhttps://puzz.link/p?nurikabe/1/1/1\n"), Syntax::Address);
    assert_eq!(guess(" puzz.link/p?nurikabe/1/1/1"), Syntax::Address);
    assert_eq!(guess("pzv.jp/p.html?lightup/3/3/i"), Syntax::Address);
    assert_eq!(guess("$ size\nletting n be 5"), Syntax::Param);
    assert_eq!(guess("language ESSENCE' 1.0\nletting n be 5"), Syntax::Param);
    assert_eq!(guess("\n{\"n\": 5}"), Syntax::Json);
    assert_eq!(guess("n = 5;"), Syntax::Dzn);
    assert_eq!(guess("init = [| 1, 2\n | 3, 4 |];\n"), Syntax::Dzn);
    assert_eq!(guess("/* size */ n = 5"), Syntax::Dzn);
    assert_eq!(guess("n = 5 % no;\n"), Syntax::Text);
    assert_eq!(guess("nurikabe\n. ?/1 .\n"), Syntax::Text);
    assert_eq!(guess("powers\nmode = \"exactly\"\n"), Syntax::Text);
    assert_eq!(guess("letters\nA B"), Syntax::Text);
    assert_eq!(guess(""), Syntax::Text);
}

#[test]
fn empty_input_is_an_error_in_every_syntax() {
    for syntax in ALL {
        for (text, place) in [("", "1:1"), (" \n", "2:1"), ("\r\n\r\n", "3:1")] {
            let options = ReadOptions { syntax: Some(syntax), ..ReadOptions::default() };
            let error = board(&Source::new("board", text), &options).unwrap_err();
            let expected = format!("board:{place}: expected a board, found the end of the file");
            assert_eq!(error.to_string(), expected, "{syntax:?}");
            assert!(matches!(error, ReadError::NotABoard(_)));
        }
    }
    for text in ["% only a comment", "  % two\n% comments\n"] {
        let error = board(&Source::new("board", text), &ReadOptions::default()).unwrap_err();
        let error = InputError::from(error);
        assert_eq!((error.expected(), error.found()), ("a board", "the end of the file"));
    }
}

#[test]
fn other_files_are_distinguished_from_wrong_boards() {
    let meant = |name: &str, text: &str, puzzle_type| {
        let options = ReadOptions { puzzle_type, ..ReadOptions::default() };
        matches!(board(&Source::new(name, text), &options).unwrap_err(), ReadError::Wrong(_))
    };
    let amaze = puzzle::find("amaze");
    for (name, text, puzzle_type, expected) in [
        ("README.md", "# Boards\n", None, false),
        ("notes", "Handwritten boards.\n", None, false),
        ("notes", "[1", None, false),
        ("a.json", "{\"status\": \"solved\"}", None, false),
        ("a.json", "{\"status\": \"solved\"}", amaze, false),
        ("a", "{\"n\": 1", None, false),
        ("a.json", "[1", None, true),
        ("a.json", "{\"n\": 1", None, true),
        ("a.json", "{\"n\": 1}", None, true),
        ("a.json", "{\"n\": 1}", amaze, true),
        ("a", "roks\n.\n", None, true),
        ("a", "rooks\nx\n", None, true),
        ("a", "puzz.link/p?chess/1/1/1", None, true),
    ] {
        assert_eq!(meant(name, text, puzzle_type), expected, "{name} {text}");
    }
}

#[test]
fn candidates_are_all_types_that_accept_the_data() {
    let source = Source::new("a.json", r#"{"n": 1, "m": 2, "points": [[[1, 1], [1, 2]]]}"#);
    for (wanted, taken) in [(None, "amaze"), (Some("amaze"), "amaze"), (Some("numberlink"), "numberlink")] {
        let puzzle_type = wanted.and_then(puzzle::find);
        let board = board(&source, &ReadOptions { puzzle_type, ..ReadOptions::default() }).unwrap();
        let names: Vec<_> = board.candidates.iter().map(|candidate| candidate.name).collect();
        assert_eq!((board.puzzle.puzzle_type().name, names), (taken, vec!["amaze", "numberlink"]));
    }
}

#[test]
fn nesting_is_limited_in_every_syntax() {
    let fails = |syntax, before: &str, open: &str, column: usize| {
        let text = format!("{before}{}", open.repeat(100_000));
        let error = parse(&Source::new("board", text), syntax, None).err().expect("too many brackets");
        assert_eq!(error.expected(), "at most 64 brackets inside each other");
        assert_eq!(error.position(), Position { line: 1, column });
    };
    fails(Syntax::Dzn, "a=", "[", 67);
    fails(Syntax::Dzn, "a=", "{", 67);
    fails(Syntax::Dzn, "a=", "[|", 3 + 64);
    fails(Syntax::Dzn, "a=", "array1d(1..1,[", 3 + 32 * 14 + 7);
    fails(Syntax::Text, "a=", "[", 67);
    fails(Syntax::Param, "letting a be ", "[", 78);
    fails(Syntax::Json, "{\"a\":", "[", 69);
    fails(Syntax::Json, "", "{\"a\":", 64 * 5 + 1);
}

#[test]
fn long_inputs_take_linear_time() {
    let size = 400_000;
    let many = |item: fn(usize) -> String| (0..size / 4).map(item).collect::<String>();
    let inputs = [
        (Syntax::Dzn, format!("a = [{}];", "1,".repeat(size))),
        (Syntax::Dzn, "/*".repeat(size)),
        (Syntax::Dzn, format!("/{}", "*".repeat(size))),
        (Syntax::Dzn, many(|n| format!("a{n}={n};"))),
        (Syntax::Param, many(|n| format!("letting a{n} be {n}\n"))),
        (Syntax::Json, format!("{{\"a\":[{}1]}}", "[],".repeat(size))),
        (Syntax::Text, many(|n| format!("a{n}=[{n}\n]\n"))),
        (Syntax::Text, format!("a={}", " ".repeat(size))),
        (Syntax::Address, format!("a/p?b/1000/1000/{}", "z".repeat(size))),
        (Syntax::Dzn, "9".repeat(size)),
        (Syntax::Dzn, format!("a={}", "9".repeat(size))),
    ];
    let start = std::time::Instant::now();
    for (syntax, text) in inputs {
        let document = parse(&Source::new("board", text), syntax, None);
        if let Ok(Document::Address(address)) = document {
            assert!(address.number16().is_err());
        }
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Generates texts from typical fragments, because parsers reject random characters too early.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,3}",
        "-?[0-9]{1,40}",
        proptest::sample::select(vec![
            " ",
            "\n",
            "\r\n",
            "=",
            ";",
            ",",
            "[",
            "]",
            "[|",
            "|]",
            "|",
            "{",
            "}",
            "(",
            ")",
            "..",
            "%",
            "$",
            "/*",
            "*/",
            "//",
            "\"",
            "\\u12",
            "\\ud800",
            ":",
            "letting ",
            " be ",
            "language ESSENCE' 1.0",
            "int",
            "array1d(",
            "array2d(",
            "1..2",
            "true",
            "https://",
            "puzz.link/p?nurikabe/3/3/",
            "%2",
            "%25",
            "ä",
            "\u{feff}",
            "/",
            "?",
            "g",
            "+",
            "\u{1f600}",
            "a=",
        ])
        .prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Reads a text in every syntax, and formats the errors.
fn read_all(text: &str) {
    let source = Source::new("board", text);
    for syntax in ALL {
        match parse(&source, syntax, None) {
            Ok(Document::Record(record)) => {
                for entry in &record.entries {
                    assert!(source.text().get(entry.value.span.start..entry.value.span.end).is_some());
                    let name = &entry.name.value;
                    drop((
                        record.matrix(name),
                        record.integers(name),
                        record.integer(name),
                        record.text(name),
                    ));
                    drop((record.matrix_of(name, 2, 2), record.only(&["init"])));
                }
            }
            Ok(Document::Text(text)) => drop(text.grid(|_| Ok(()))),
            Ok(Document::Instance(_)) => {}
            Ok(Document::Address(address)) => {
                for error in [address.number16().err(), address.four_cell().err()].into_iter().flatten() {
                    assert!(source.text().get(error.span().start..error.span().end).is_some(), "{error}");
                }
            }
            Err(error) => {
                let span = error.span();
                assert!(source.text().get(span.start..span.end).is_some(), "{error} {span:?}");
                assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn no_text_like_data_makes_a_reader_panic(text in pieces()) {
        read_all(&text);
    }

    #[test]
    fn no_bytes_make_a_source_panic(bytes in any::<Vec<u8>>()) {
        match Source::from_bytes("board", bytes) {
            Ok(source) => read_all(source.text()),
            Err(error) => prop_assert_eq!(error.expected(), "text in UTF-8"),
        }
    }
}

/// Returns a sheet with the name of a built-in puzzle type. A clue counts the shaded cells of `counted`.
fn own_sheet(counted: &str) -> &'static PuzzleType {
    let text = format!(
        "puzzle mosaic\ndata grid clue: 0..9\nvar s on cells\nsolution s shaded\naddress kinmosaic: number16 clue\n\
         rule \"count\" for c in clue: count(x in {counted}(c): s(x)) = clue(c)\n"
    );
    puzzle::sheet::of_text(&Source::new("own.sheet", text)).unwrap()
}

#[test]
fn an_own_sheet_reads_its_boards_in_each_format() {
    let types = [own_sheet("neighbours"), own_sheet("around")];
    assert!(std::ptr::eq(types[0], own_sheet("neighbours")));
    for text in [
        "mosaic\n2 2\n2 2\n",
        "2 2\n2 2\n",
        r#"{"clue": [[2, 2], [2, 2]]}"#,
        r#"{"puzzle": "mosaic", "clue": [[2, 2], [2, 2]]}"#,
        "https://puzz.link/p?kinmosaic/2/2/2222",
        "kinmosaic/2/2/2222",
    ] {
        let source = Source::new("board", text);
        for puzzle_type in types {
            let board = board(&source, &ReadOptions::of_type(puzzle_type)).unwrap();
            assert!(std::ptr::eq(board.puzzle.puzzle_type(), puzzle_type), "{text}");
            assert!(board.candidates.iter().any(|candidate| std::ptr::eq(*candidate, puzzle_type)), "{text}");
        }
    }
    // Without the sheet, the address is not known, and the text is a board of the built-in type.
    let options = ReadOptions::default();
    board(&Source::new("board", "kinmosaic/2/2/2222"), &options).unwrap_err();
    let board = board(&Source::new("board", "mosaic\n2 2\n2 2\n"), &options).unwrap();
    assert_eq!(board.puzzle.puzzle_type().aliases, ["fill_a_pix"]);
}
