//! Boards and solutions of all sheets are written and read back; errors name the place.

use std::collections::HashSet;
use std::sync::Arc;

use fastrand::Rng;

use super::super::tests::random_board;
use super::super::{SHEETS, address, draw, record, solution};
use super::*;
use crate::format::{pzpr, text};
use crate::puzzle::{Options, find};
use crate::read::{ReadOptions, board as read_board};
use crate::rules::Solution;
use crate::rules::sheet::{AddressPart, AddressScheme, Assignment, DataValues, PlaceMap, Size, Style};

const SIZES: [(u16, u16); 6] = [(1, 1), (1, 4), (2, 3), (4, 4), (5, 3), (7, 12)];

fn sheets() -> impl Iterator<Item = &'static Arc<Sheet>> {
    SHEETS.iter().filter_map(|sheet| sheet.puzzle_type().sheet.as_ref())
}

fn random_boards(each: usize) -> impl Iterator<Item = SheetBoard> {
    let mut random = Rng::with_seed(11);
    sheets().flat_map(move |sheet| {
        let boards = (0..each).map(|_| {
            let (rows, columns) = *random.choice(&SIZES).unwrap();
            random_board(sheet, Size { rows, columns }, &mut random)
        });
        boards.collect::<Vec<_>>()
    })
}

fn read_text(sheet: &Arc<Sheet>, text: &str) -> Result<SheetBoard, InputError> {
    let document = text::read(&Source::new("board", text))?;
    let options = Options::default().over_those_of(&document)?;
    read(sheet, &document, &options)
}

/// Returns the board without values that its sheet does not allow, which the random boards of sheets without a list of values
/// can contain.
fn is_possible(board: &SheetBoard) -> bool {
    read_text(board.sheet(), &write(board)).is_ok()
}

/// A board is read without listing its possible values, for which the expression is decomposed.
#[test]
fn possible_values_are_those_of_the_list() {
    let mut lists = 0;
    for board in random_boards(1) {
        for (data, row) in board.sheet().data.iter().enumerate() {
            let (Ok(Some(list)), Ok(None)) = (board.possible(data), board.most_possible(data)) else {
                continue;
            };
            let numbers = (-1..20).chain([100_000, 1_000_000]).map(Value::Number);
            let symbols = ["?", "n", "#", "w", "x"].map(Value::symbol);
            for value in numbers.chain(symbols).chain([Value::None]) {
                let is_listed = list.items().contains(&value);
                let name = (board.sheet().name(), &row.name, &value);
                assert_eq!(board.is_possible(data, &value), Ok(is_listed), "{name:?}");
            }
            lists += 1;
        }
    }
    assert!(lists > sheets().count());
}

#[test]
fn text_and_json_are_read_back() {
    let mut tried = HashSet::new();
    for board in random_boards(30).filter(is_possible) {
        let sheet = board.sheet();
        let text = write(&board);
        let again = read_text(sheet, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.size(), board.size(), "{text}");
        assert_eq!(write(&again), text);
        let json = record::write(&board);
        let document = crate::format::json::read(&Source::new("json", json.as_str())).unwrap();
        let again = record::read(sheet, &document, &Options::default())
            .unwrap_or_else(|error| panic!("{error}\n{json}"));
        assert_eq!(write(&again), text, "{json}");
        tried.insert(sheet.name().to_owned());
    }
    assert_eq!(tried.len(), sheets().count());
}

#[test]
fn addresses_are_read_back() {
    let mut tried = HashSet::new();
    // Random boards of kakuro have open cells in the first row, which addresses can't express.
    let samples = SHEETS.iter().map(|sheet| {
        let puzzle_type = sheet.puzzle_type();
        read_text(puzzle_type.sheet.as_ref().unwrap(), puzzle_type.readers[0].sample()).unwrap()
    });
    // The places of shapes have no meaning, and random shapes can leave no room beside each other.
    let lists_shapes = |board: &SheetBoard| {
        let mut parts = board.sheet().addresses.iter().flat_map(|address| &address.parts);
        parts.any(|part| part.scheme == AddressScheme::PieceBank)
    };
    let random = random_boards(60).filter(|board| !lists_shapes(board));
    for board in samples.chain(random).filter(is_possible) {
        let Some(Ok(written)) = address::write(&board) else { continue };
        let parsed = pzpr::read(&Source::new("address", written.address.as_str())).unwrap();
        let again = address::read(board.sheet(), &parsed, &Options::default())
            .unwrap_or_else(|error| panic!("{error}\n{}", written.address));
        if !lists_shapes(&board) {
            assert_eq!(write(&again).replace(' ', ""), moved(&board).replace(' ', ""), "{}", written.address);
        }
        assert_eq!(address::write(&again).unwrap(), Ok(written));
        tried.insert(board.sheet().name().to_owned());
    }
    let with_addresses = sheets().filter(|sheet| !sheet.addresses.is_empty());
    for sheet in with_addresses {
        assert!(tried.contains(sheet.name()), "{} has no address", sheet.name());
    }
}

#[test]
fn addresses_that_lose_something_are_refused() {
    let cases = [
        (
            "heyawake/2/2/g0g",
            "address:1:14: expected borders between areas, found a border between r1c1 and r1c2, which are in the same area",
            "",
        ),
        ("mashu/g/2/2/00", "address:1:7: expected the number of columns, found `g`", "only `f` is known"),
        ("bonsan/2/2/j", "address:1:8: expected letters before the size, found `2`", "only `c` is known"),
        (
            "castel/2/2/j",
            "address:1:1: expected a puzzle type that is known in addresses, found `castel`",
            "did you mean `castle`?",
        ),
        ("guidearrow/2/2/110i", "address:1:18: expected directions from 1 to 4, found `0`", ""),
        ("pentominous/2/2/di", "address:1:17: expected numbers below 12, or 12, found `13`", ""),
        ("herugolf/2/2/00gj", "address:1:15: expected numbers, `h` and empty squares, found `g`", ""),
        ("compass/2/2/_1gg", "address:1:16: expected four numbers of a compass, found `g`", ""),
        (
            "slalom/d/2/2/16g/9",
            "address:1:18: expected the number of an empty cell of the board, found `9`",
            "",
        ),
        (
            "reflect/2/2/1",
            "address:1:14: expected 1 hexadecimal digit behind `1`, found the end of the address",
            "",
        ),
        ("evolmino/2/1/00/0", "address:1:16: expected a number of sides, found `/`", ""),
        ("evolmino/3/1/0011", "address:1:15: expected arrows without branches, found two arrows at r1c2", ""),
        (
            "statuepark/2/2/00/1/14u",
            "address:1:18: expected shapes that have room beside each other on the board, found 1 shape",
            "",
        ),
        ("battleship/2/2/jj//q", "address:1:20: expected `c` or `d` or `e`, found `q`", ""),
        (
            "lohkous/2/1/d",
            "address:1:13: expected a letter that ends on the board, found `d`, which is 4 empty squares",
            "",
        ),
        ("uturns/2/1/14", "address:1:12: expected numbers up to 3, found `4`", ""),
        ("kurarin/1/1/-10", "address:1:13: expected numbers up to 15, found another clue", ""),
        (". 3\n3 .\n", "address:1:1: expected the puzzle type on the first line, found `.`", "the rows fit"),
    ];
    for (text, message, help) in cases {
        let error = read_board(&Source::new("address", text), &ReadOptions::default()).unwrap_err();
        let error = InputError::from(error);
        assert_eq!(error.to_string(), message, "{text}");
        assert!(error.help().unwrap_or_default().contains(help), "{text}: {:?}", error.help());
    }
}

#[test]
fn options_are_read_from_text_json_and_addresses() {
    let read = |text: &str, words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let options = Options::from_words(&words).unwrap();
        let board =
            read_board(&Source::new("board", text), &ReadOptions { options, ..ReadOptions::default() });
        board.map_err(InputError::from)
    };
    let rows = "\n. b\n. .\n";
    let json = r#"{"puzzle": "masyu", "pearl": [[null, "b"], [null, null]], "full": true}"#;
    for (text, words, is_full) in [
        (&*format!("masyu full=yes{rows}"), &[][..], true),
        (&format!("masyu{rows}"), &[], false),
        (&format!("masyu full=yes{rows}"), &["full=no"], false),
        (&format!("masyu{rows}"), &["full=yes"], true),
        (json, &[], true),
        (json, &["full=no"], false),
        ("mashu/f/2/2/60", &[], true),
        ("mashu/f/2/2/60", &["full=no"], false),
        ("mashu/2/2/60", &["full=yes"], true),
    ] {
        let board = read(text, words).unwrap().puzzle;
        assert_eq!(board.native().unwrap().starts_with("masyu full=yes\n"), is_full, "{text} {words:?}");
        let letter = if is_full { "/f" } else { "" };
        let address = board.address().unwrap().address;
        assert_eq!(address, format!("https://puzz.link/p?mashu{letter}/2/2/60"), "{text} {words:?}");
    }
    // The order of the letters does not matter.
    let board = read("koburin/mb/2/2/j", &[]).unwrap().puzzle;
    assert!(board.native().unwrap().starts_with("koburin mines=yes\n"), "{}", board.native().unwrap());
    let error = read(&format!("masyu full=1{rows}"), &[]).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "board:1:12: expected no or yes for `full`, found `1`");
    let error = read(&json.replace("true", "1"), &[]).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with("board:1:"), "{error}");
}

/// Returns the text of a board as addresses express it: the number of an area stands in its first cell, and an arrow without a
/// number has the number `?`.
fn moved(board: &SheetBoard) -> String {
    let sheet = board.sheet();
    let mut parts = sheet.addresses.iter().flat_map(|address| &address.parts);
    let special = |part: &&AddressPart| {
        matches!(
            part.scheme,
            AddressScheme::RoomNumber16
                | AddressScheme::ArrowNumber16
                | AddressScheme::Castle
                | AddressScheme::Compass
        )
    };
    let Some(part) = parts.find(special) else { return write(board) };
    let mut values = PlaceMap::new(board.size());
    if part.scheme != AddressScheme::RoomNumber16 {
        for field in &part.data {
            for cell in board.keys(*field).items() {
                let number = board.lookup(part.data[0], cell);
                values.insert(cell.clone(), if number == Value::None { Value::symbol("?") } else { number });
            }
        }
        return write(&board.with_data(part.data[0], DataValues::Map(values)));
    }
    for area in board.keys(part.data[1]).items() {
        let number = area
            .items()
            .iter()
            .map(|cell| board.lookup(part.data[0], cell))
            .find(|value| *value != Value::None);
        if let Some(number) = number {
            values.insert(area.items().iter().min().unwrap().clone(), number);
        }
    }
    write(&board.with_data(part.data[0], DataValues::Map(values)))
}

/// Returns random values of all variables; chosen pieces are disjoint.
fn random_assignment(board: &SheetBoard, random: &mut Rng) -> Assignment {
    let variables = board.variables().unwrap();
    let pieces =
        |var: usize| board.sheet().shown.iter().any(|shown| shown.var == var && shown.style == Style::Pieces);
    let families = variables.iter().enumerate().map(|(var, places)| {
        let mut values = PlaceMap::new(board.size());
        let mut used = HashSet::new();
        for (place, domain) in places.iter() {
            let mut value = random.choice(&domain[..]).copied().unwrap_or_default();
            if pieces(var) && value != 0 && !place.places().iter().all(|cell| !used.contains(cell)) {
                value = 0;
            }
            if value != 0 {
                used.extend(place.places());
            }
            values.insert(place.clone(), value);
        }
        values
    });
    families.collect()
}

fn written(board: &SheetBoard, solution: &Solution) -> String {
    let assignment = solution::assignment(board, solution).unwrap();
    draw::scene(board, Some(&assignment)).text(false)
}

#[test]
fn solutions_are_read_back() {
    let mut random = Rng::with_seed(5);
    for board in random_boards(20).filter(is_possible) {
        let assignment = random_assignment(&board, &mut random);
        let solution = solution::solution(&board, &assignment);
        let again = solution::assignment(&board, &solution).unwrap();
        for (family, known) in assignment.iter().zip(&again) {
            let name = board.sheet().name();
            assert!(family.iter().all(|(place, value)| known.get(place) == Some(value)), "{name}");
        }
        let text = written(&board, &solution);
        let read = solution::read(&board, &Source::new("solution", text.as_str()));
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}\n{}", write(&board)));
        assert_eq!(read, solution, "{text}\n{}", write(&board));
        // Every drawing can be rendered.
        let scene = draw::scene(&board, Some(&assignment));
        for width in [10, 80, 300] {
            assert!(!scene.boxes(width).is_empty());
        }
        assert!(crate::render::picture("", &[(&scene, "")]).contains("</svg>"));
    }
}

#[test]
fn boards_are_drawn_as_they_are_written() {
    for board in random_boards(10).filter(is_possible) {
        let drawn = draw::scene(&board, None).text(false);
        let text = write(&board);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<HashSet<_>>();
        let (_, body) = text.split_once('\n').unwrap();
        assert_eq!(words(&drawn), words(body), "{text}");
    }
}

fn error(text: &str) -> String {
    let error = read_board(&Source::new("board", text), &ReadOptions::default()).expect_err(text);
    InputError::from(error).to_string()
}

#[test]
fn errors_name_the_place() {
    let cases = [
        ("slitherlink\n3 5", "board:2:3: expected a number from 0 to 4 or `?` for `clue`, found `5`"),
        ("slitherlink\n3 x", "board:2:3: expected a number from 0 to 4 or `?` for `clue`, found `x`"),
        (
            "slitherlink\n3 .\n. . .",
            "board:3:1: expected 2 tokens, one for each column, in row 2 of `clue`, found 3 tokens",
        ),
        ("slitherlink", "board:1:12: expected a row of the board, found the end of the file"),
        (
            "slitherlink size=2x\n. .",
            "board:1:18: expected the numbers of rows and columns, at most 1000000 cells, such as `10x8`, found `2x`",
        ),
        (
            "slitherlink size=3x2\n. .\n. .",
            "board:3:4: expected 3 rows on a board of 3 x 2 cells, found 2 rows",
        ),
        (
            "slitherlink size=99999x1\n.",
            "board:1:18: expected the numbers of rows and columns, at most 1000000 cells, such as `10x8`, found `99999x1`",
        ),
        ("kakurasu size=1x1\n0\n1", "board:3:1: expected `0`, which is given for the same line, found `1`"),
        ("slitherlink\nclue = 3\n. .", "board:2:1: expected no named value, found `clue`"),
        (
            "heyawake\na a\nb b\n1 .",
            "board:4:1: expected 2 rows on a board of 1 x 2 cells, 1 for `room`, 1 for `clue`, found 3 rows",
        ),
        (
            "yajilin\n1nn .",
            "board:2:1: expected a number and a letter, either of which can be missing, found `1nn`",
        ),
        ("yajilin\n1x .", "board:2:2: expected `n`, `e`, `s` or `w` for `arrow`, found `x`"),
        (
            "kakuro\n\\ 3",
            "board:2:3: expected `.`, or `DOWN\\ACROSS` with numbers that can be missing, found `3`",
        ),
        ("nonogram\n1\n1\n1", "board:4:2: expected the size of the board, found rows that fit 1x2 and 2x1"),
        (
            "nonogram size=1x2\n1\n1\n1 0",
            "board:4:3: expected another number for `clue`, or only `0` for none, found `0`",
        ),
        ("starbattle\na a\nb b", "board:3:4: expected `stars = ...`, found the end of the file"),
        (
            "starbattle\nstars = 99999999999999999999\na",
            "board:2:9: expected a number within 64 bits, found `99999999999999999999`",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
}

/// A board of the sheet with optional blocks.
const MIXED: &str = "mixedsudoku antiknight=yes
cage:
a a # #
# # # #
# # # #
# # # #

total:
3 . . .
. . . .
. . . .
. . . .

thermo:
a1 .  .    b1
.  a2 .    b2
.  .  a3b4 b3
.  .  .    .

given:
. . . .
. . . .
. . . .
. . . .
";

#[test]
fn optional_blocks_have_labels_in_any_order() {
    let read = |text: &str| read_text(find("mixedsudoku").unwrap().sheet.as_ref().unwrap(), text).unwrap();
    let board = read(MIXED);
    assert_eq!(
        board.keys(board.sheet().data.iter().position(|data| data.name == "thermo").unwrap()).items().len(),
        2
    );
    let (header, body) = MIXED.split_once('\n').unwrap();
    let mut blocks: Vec<&str> = body.split("\n\n").collect();
    blocks.reverse();
    assert_eq!(write(&read(&format!("{header}\n{}", blocks.join("\n")))), write(&board));
    // Without optional blocks, there are no labels.
    let plain = "mixedsudoku\n1 . . .\n. . . .\n. . . .\n. . . .\n";
    assert_eq!(write(&read(plain)), plain);
    assert_eq!(write(&read(&plain.replace("mixedsudoku", "mixedsudoku\ngiven:"))), plain);
}

#[test]
fn errors_in_optional_blocks_name_the_place() {
    let cases = [
        ("thermo:", "termo:", "board:14:1: expected one of `region:`, `cage:`"),
        ("thermo:", "cage:", "board:14:1: expected `cage:` only once, found `cage:`"),
        ("3 . . .\n", "", "board:9:1: expected 4 rows for `total`, found 3 rows"),
        (
            "b2",
            "b1",
            "board:16:12: expected another position: two cells of a chain have the same, found `b1`",
        ),
        ("a2", "a", "board:16:4: expected `.`, or letters with positions such as `a1` or `a1b4`, found `a`"),
        ("given:", "", "board:25:1: expected the block `given:`, found the end of the file"),
    ];
    for (old, new, message) in cases {
        let error = error(&MIXED.replacen(old, new, 1));
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn errors_in_json_name_the_place() {
    let cases = [
        (
            "{\"puzzle\": \"heyawake\", \"room\": [[1, 1]], \"clue\": [[null, true]]}",
            "a number, a symbol in quotes, or `null`",
        ),
        (
            "{\"puzzle\": \"heyawake\", \"room\": [[1, 1]], \"clue\": [[null]]}",
            "2 tokens, one for each column",
        ),
        ("{\"puzzle\": \"heyawake\", \"room\": [[1, 1]]}", "`\"clue\": ...`"),
        (
            "{\"puzzle\": \"nonogram\", \"clue\": [[[1]]]}",
            "a list with a value for each of the 2 blocks of `clue`",
        ),
        ("{\"puzzle\": \"slitherlink\", \"clue\": [[\"a b\"]]}", "a symbol without blanks"),
        ("{\"puzzle\": \"slitherlink\", \"clue\": [[1]], \"size\": \"2x2\"}", "2 rows for `clue`"),
    ];
    for (text, message) in cases {
        let error = error(text);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn wrong_solutions_are_refused_with_their_place() {
    let slitherlink = find("slitherlink").unwrap().sheet.as_ref().unwrap();
    let board = read_text(slitherlink, "slitherlink\n. 3").unwrap();
    let grid = |cells: &[i128]| {
        let grid = crate::rules::Grid::new(2, 3, cells.to_vec());
        Solution::new().with("line", crate::rules::Field::Grid(grid))
    };
    let wrong = solution::assignment(&board, &grid(&[2, 0, 0, 0, 0, 0])).unwrap_err();
    assert_eq!(wrong.rule(), "a line leads from a corner to the next one");
    assert!(solution::assignment(&board, &grid(&[2, 8, 0, 0, 0, 0])).is_ok());
    assert!(solution::assignment(&board, &grid(&[1, 0, 0, 0, 0, 0])).is_err());
    assert!(solution::assignment(&board, &Solution::new()).is_err());
    let read = |text: &str| solution::read(&board, &Source::new("solution", text));
    assert!(read("┌ ─ ┐\n└ ─ ┘").is_ok());
    let error = read("┌ ─ ┐\n└ x ┘").unwrap_err().to_string();
    assert!(error.starts_with("solution:2:3: expected one of . ╵"), "{error}");
    assert!(read("┌ ─ ┐").is_err() && read("┌ ─ ┐\n└ ─ ┘\n. . .").is_err());
}
