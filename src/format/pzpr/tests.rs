use proptest::prelude::*;

use super::address::END;
use super::*;
use crate::format::{Source, Syntax};

fn address(text: &str) -> Address {
    read(&Source::new("address", text)).unwrap()
}

fn error(text: &str) -> String {
    read(&Source::new("address", text)).unwrap_err().to_string()
}

/// Formats the board with one character for each square: `.` for an empty square, and `?` for an unknown clue.
fn board(cells: &[Vec<Option<AddressClue>>]) -> Vec<String> {
    let square = |cell: &Option<AddressClue>| match cell {
        None => ".".to_owned(),
        Some(AddressClue::Unknown) => "?".to_owned(),
        Some(AddressClue::Number(number)) => number.to_string(),
    };
    cells.iter().map(|row| row.iter().map(square).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn addresses_of_all_hosts() {
    let texts = [
        "https://puzz.link/p?nurikabe/3/2/2g.h1",
        "  http://pzv.jp/p.html?nurikabe/3/2/2g.h1\r\n",
        "pzprxs.vercel.app/p?nurikabe/3/2/2g.h1",
        "% a comment\n\nhttps://puzz.link/p?nurikabe_edit/3/2/2g.h1/\n",
        "https://puzz.link/p?type=player&nurikabe/3/2/2g.h1",
        "https://puzz.link/p?nurikabe%2F3%2f2%2F2g%2Eh1",
        "https://puzz.link/p?nurikabe//3/2/2g.h1",
        "nurikabe/3/2/2g.h1",
        "nurikabe_edit//3/2/2g.h1/",
    ];
    for text in texts {
        let address = address(text);
        assert_eq!(address.puzzle_type.value, "nurikabe", "{text}");
        assert_eq!((address.columns.value, address.rows.value), (3, 2));
        assert_eq!(address.body.value, "2g.h1");
        assert_eq!(board(&address.number16().unwrap()), ["2 . ?", ". . 1"]);
    }
    let address = address(texts[0]);
    let slices = [address.puzzle_type.span, address.columns.span, address.rows.span, address.body.span];
    assert_eq!(slices.map(|span| address.source.slice(span)), ["nurikabe", "3", "2", "2g.h1"]);
}

#[test]
fn errors_of_addresses() {
    let cases = [
        (
            "https://puzz.link/p",
            "address:1:20: expected `?` and the puzzle type, found the end of the address",
        ),
        ("https://puzz.link/p?", "address:1:21: expected the puzzle type, found the end of the address"),
        ("a/p?problem=5/5/5/i", "address:1:5: expected the puzzle type, found `problem=5`"),
        ("nurikabe", "address:1:9: expected `?` and the puzzle type, found the end of the address"),
        ("nurikabe/5/5/i x", "address:1:16: expected the end of the address, found `x`"),
        ("a/p?nurikabe", "address:1:13: expected the number of columns, found the end of the address"),
        ("a/p?nurikabe/x5/5/i", "address:1:14: expected the number of columns, found `x5`"),
        ("a/p?nurikabe/+5/5/i", "address:1:14: expected the number of columns, found `+5`"),
        ("a/p?nurikabe/5", "address:1:15: expected the number of rows, found the end of the address"),
        ("a/p?nurikabe/0/5/i", "address:1:14: expected the number of columns, found `0`"),
        ("a/p?nurikabe/5/0/i", "address:1:16: expected the number of rows, found `0`"),
        (
            "a/p?nurikabe/1001/1000/i",
            "address:1:14: expected a board of at most 1000000 squares, found `1001/1000`",
        ),
        ("a/p?nurikabe/5/5/i x", "address:1:20: expected the end of the address, found `x`"),
        ("a/p?nurikabe/5/5/i\n\nb/p?", "address:3:1: expected one address, found `b`"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
    for text in ["a/p?nurikabe/b/5/5/i", "a/p?nurikabe/ob/5/5/i", "a/p?nurikabe/v:x1/5/5/i"] {
        let variant = address(text).number16().unwrap_err();
        assert_eq!(variant.expected(), "the number of columns", "{text}");
        assert!(variant.help().unwrap().contains("variant"), "{text}");
    }
    assert_eq!(address("a/p?numlin/e/5/4/i").columns.value, 5);
    assert!(address("a/p?numlin/e/1/1/1").number16().is_ok());
    let huge = format!("a/p?nurikabe/{0}/{0}/i", usize::MAX);
    assert!(error(&huge).contains("expected a board of at most 1000000 squares"));
}

#[test]
fn numbers_of_all_lengths() {
    let address = address("a/p?numlin/4/3/0f-10-ff+100+FFF=000%000%25010*0000$00000.");
    let cells = address.number16().unwrap();
    let expected = ["0 15 16 255", "256 4095 4096 8192", "8208 12240 77776 ?"];
    assert_eq!(board(&cells), expected);
}

#[test]
fn errors_of_numbers() {
    let message = |body: &str| address(&format!("a/p?b/3/2/{body}")).number16().unwrap_err().to_string();
    let cases = [
        ("i", "address:1:12: expected cells for 3 more squares, found the end of the address"),
        ("k", "address:1:12: expected cells for 1 more square, found the end of the address"),
        ("", "address:1:11: expected cells for 6 more squares, found the end of the address"),
        ("12345678", "address:1:17: expected the end of the address, found `7`"),
        ("l/", "address:1:12: expected the end of the address, found the end of the address"),
        ("l/1", "address:1:12: expected the end of the address, found `/`"),
        ("1z", "address:1:12: expected cells for 5 more squares, found `z`, which is 20 empty squares"),
        ("1G", "address:1:12: expected a square, found `G`"),
        ("1ä", "address:1:12: expected a square, found `ä`"),
        ("-1", "address:1:13: expected 2 hexadecimal digits behind `-`, found the end of the address"),
        ("-1g", "address:1:13: expected 2 hexadecimal digits behind `-`, found `g`"),
        ("%2B12g", "address:1:16: expected 3 hexadecimal digits behind `+`, found `g`"),
    ];
    for (body, expected) in cases {
        if body == "l/" {
            // A trailing slash is ignored.
            assert!(address("a/p?b/3/2/l/").number16().is_ok());
            continue;
        }
        assert_eq!(message(body), expected, "{body}");
    }
}

#[test]
fn blocks_and_clues_up_to_four() {
    // The letter after the last clue encodes empty squares beyond the end of the board.
    let cells = address("a/p?lightup/4/3/.g06kc").four_cell().unwrap();
    assert_eq!(board(&cells), ["? . 0 1", ". . . .", ". . 2 ."]);
    let message = |body: &str| address(&format!("a/p?b/3/1/{body}")).four_cell().unwrap_err().to_string();
    assert_eq!(message("5"), "address:1:12: expected cells for 1 more square, found the end of the address");
    assert_eq!(message("a1"), "address:1:12: expected the end of the address, found `1`");
    assert_eq!(message("f"), "address:1:11: expected a square, found `f`");
    assert_eq!(
        message("1i"),
        "address:1:12: expected cells for 2 more squares, found `i`, which is 3 empty squares"
    );
}

#[test]
fn encoders_write_as_pzpr_does() {
    let one = |clue| vec![vec![Some(clue)]];
    assert_eq!(encode_four_cell(&one(AddressClue::Number(3))).as_deref(), Some("d"));
    assert_eq!(encode_four_cell(&one(AddressClue::Number(5))), None);
    assert_eq!(encode_number16(&one(AddressClue::Number(1_126_351))).as_deref(), Some("$fffff"));
    assert_eq!(encode_number16(&one(AddressClue::Number(1_126_352))), None);
    assert_eq!(encode_number16(&one(AddressClue::Number(8192 + 0x2b0))).as_deref(), Some("%252b0"));
    assert_eq!(encode_number16(&[vec![None; 21]]).as_deref(), Some("zg"));
    for body in ["g6.1akcaz", "zzzza", "h.i60d.g"] {
        // Any width is possible, because a run of empty squares can continue in the next row.
        let squares = (1..200).find_map(|width| {
            let address = address(&format!("a/p?lightup/{width}/1/{body}"));
            address.four_cell().ok()
        });
        assert_eq!(encode_four_cell(&squares.unwrap()).as_deref(), Some(body));
    }
}

#[test]
fn reading_an_address_gives_an_address() {
    for address in [
        "puzz.link/p?nurikabe/1/1/1",
        "nurikabe/1/1/1",
        "mashu/1/1/0",
        "nurikabe/b/1/1/1",
        "unknowntype/1/1/1",
    ] {
        let source = Source::new("address", address);
        assert_eq!(crate::read::syntax(&source), Syntax::Address, "{address}");
    }
    for text in ["unknowntype/1", "nurikabe/1/x", "nurikabe/1", "nurikabe", "nurikabe/1/1/1 2"] {
        assert_eq!(crate::read::syntax(&Source::new("text", text)), Syntax::Text, "{text}");
    }
}

fn boards(largest: u32) -> impl Strategy<Value = Vec<Vec<Option<AddressClue>>>> {
    (1..9_usize, 1..9_usize).prop_flat_map(move |(rows, columns)| {
        let cell = prop_oneof![
            4 => Just(None),
            1 => Just(Some(AddressClue::Unknown)),
            2 => (0..=largest.min(20)).prop_map(|number| Some(AddressClue::Number(number))),
            1 => (0..=largest).prop_map(|number| Some(AddressClue::Number(number))),
            1 => (0..=largest.min(13_000)).prop_map(|number| Some(AddressClue::Number(number))),
        ];
        proptest::collection::vec(proptest::collection::vec(cell, columns), rows)
    })
}

fn sized(board: &[Vec<Option<AddressClue>>], body: &str) -> Address {
    address(&format!("puzz.link/p?b/{}/{}/{body}", board[0].len(), board.len()))
}

proptest! {
    #[test]
    fn numbers_are_read_back(board in boards(1_126_351)) {
        let body = encode_number16(&board).unwrap();
        prop_assert_eq!(sized(&board, &body).number16().unwrap(), board);
    }

    #[test]
    fn blocks_are_read_back(board in boards(4)) {
        let body = encode_four_cell(&board).unwrap();
        prop_assert_eq!(sized(&board, &body).four_cell().unwrap(), board);
    }

    #[test]
    fn shorter_and_longer_bodies_are_errors(board in boards(15)) {
        let body = encode_number16(&board).unwrap();
        prop_assert!(sized(&board, &body[..body.len() - 1]).number16().is_err());
        let error = sized(&board, &format!("{body}1")).number16().unwrap_err();
        prop_assert_eq!((error.expected(), error.found()), (END, "`1`"));
    }
}

#[test]
fn every_number_is_read_back() {
    let board: Vec<_> =
        (0..1000).map(|row| (0..14).map(|n| Some(AddressClue::Number(row * 14 + n))).collect()).collect();
    let body = encode_number16(&board).unwrap();
    assert_eq!(sized(&board, &body).number16().unwrap(), board);
}

/// Decodes a body with `count` squares.
fn decoded<T>(
    body: &str,
    count: usize,
    read: impl FnOnce(&mut BodyReader<'_>, usize) -> Result<T, crate::format::InputError>,
) -> T {
    let address = address(&format!("a/p?b/{count}/1/{body}/"));
    let mut reader = BodyReader::new(&address);
    let decoded = read(&mut reader, count).unwrap();
    reader.finish().unwrap();
    decoded
}

#[test]
fn bodies_with_black_cells_pots_and_lengths_are_written_as_they_are_read() {
    for (scheme, body, count) in [
        (black_cells::Scheme::Kakuru, "1.a+_Zk+0", 10),
        (black_cells::Scheme::WallLogic, "1-2f+.g0h", 8),
        (black_cells::Scheme::Tateyoko, "xo2s-10.n3i4", 12),
    ] {
        let squares = decoded(body, count, |reader, count| black_cells::read(scheme, reader, count));
        assert_eq!(black_cells::write(scheme, squares).as_deref(), Some(body));
    }
    let squares = decoded("1-10.i2g10hj3", 8, pots::read);
    assert_eq!(pots::write(squares).as_deref(), Some("1-10.i2g10hj3"));
    for (scheme, body, count) in [
        (lengths::Scheme::Lohkous, "12a3b", 3),
        (lengths::Scheme::Lohkous, "a1", 2),
        (lengths::Scheme::Lohkous, "1z2", 27),
        (lengths::Scheme::RailPool, "b2k0bc5", 2),
        (lengths::Scheme::RailPool, "1m", 3),
    ] {
        let squares = decoded(body, count, |reader, count| lengths::read(scheme, reader, count));
        let written = lengths::write(scheme, &squares).unwrap();
        assert_eq!(written.trim_end_matches('/'), body);
    }
    let numbers =
        decoded("b2k0bc5", 2, |reader, count| lengths::read(lengths::Scheme::RailPool, reader, count));
    let number = AddressClue::Number;
    assert_eq!(numbers, [vec![number(12)], vec![AddressClue::Unknown, number(125)]]);
    assert_eq!(steps::write(&decoded("2z1", 40, steps::read)), "2z1");
    assert_eq!(steps::write(&decoded("03", 4, steps::read)), "03");
}

#[test]
fn shapes_are_written_as_they_are_read() {
    for body in ["/1/33bk", "//t", "/0", "/2/12o/11g"] {
        let pieces = decoded(body, 9, |reader, _| bank::read(reader, bank::SHAPES));
        let written = bank::write(&pieces, bank::SHAPES);
        assert_eq!(written.as_deref(), Some(if body == "/0" { "//z" } else { body }));
    }
    let plus = decoded("/1/33bk", 9, |reader, _| bank::read(reader, bank::SHAPES));
    assert!(plus[0].turned().iter().all(|turned| *turned == plus[0]));
    // Another order of turned tetrominoes is the same set of shapes.
    let turned = decoded("/5/32f/22u/23f/41u/32q", 9, |reader, _| bank::read(reader, bank::SHAPES));
    assert_eq!(turned[0].turned().len(), 8);
}
