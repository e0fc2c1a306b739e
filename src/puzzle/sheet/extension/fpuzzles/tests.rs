use crate::format::{InputError, Source};
use crate::read::{ReadOptions, board};

/// Returns a board of 4x4 cells with further entries.
fn json(entries: &str) -> String {
    let empty = "[{}, {}, {}, {}]";
    let first = "[{\"value\": 1, \"given\": true}, {\"value\": 2}, {}, {}]";
    format!("{{\"size\": 4, \"title\": \"t\", \"grid\": [{first}, {empty}, {empty}, {empty}], {entries}}}")
}

fn native(entries: &str) -> String {
    let read = board(&Source::new("board.json", json(entries)), &ReadOptions::default());
    let text = read.unwrap_or_else(|error| panic!("{}", InputError::from(error))).puzzle.native().unwrap();
    text.lines().filter(|line| line.chars().any(|c| !matches!(c, '.' | ' '))).collect::<Vec<_>>().join("|")
}

#[test]
fn constraints_become_blocks() {
    let cases = [
        ("\"antiking\": true, \"diagonal+\": true", "mixedsudoku rising_diagonal=yes antiking=yes|1 . . ."),
        ("\"antiking\": false, \"text\": [{\"value\": \"x\"}], \"arrow\": []", "mixedsudoku|1 . . ."),
        (
            "\"killercage\": [{\"cells\": [\"R2C2\", \"R1C2\"], \"value\": \"5\"}, {\"cells\": [\"R4C4\"]}]",
            "mixedsudoku|cage:|# a # #|# a # #|# # # #|# # # b|total:|. 5 . .|given:|1 . . .",
        ),
        (
            "\"thermometer\": [{\"lines\": [[\"R1C1\", \"R2C2\"], [\"R1C1\", \"R2C1\"]]}]",
            "mixedsudoku|thermo:|a1b1    .    .    .|  b2   a2    .    .|given:|1 . . .",
        ),
        (
            "\"arrow\": [{\"cells\": [\"R4C4\"], \"lines\": [[\"R4C4\", \"R3C3\", \"R2C3\"]]}]",
            "mixedsudoku|arrow:| .  . a3  .| .  . a2  .| .  .  . a1|given:|1 . . .",
        ),
        (
            "\"xv\": [{\"cells\": [\"R1C2\", \"R1C1\"], \"value\": \"V\"}], \"ratio\": [{\"cells\": [\"R3C1\", \"R4C1\"]}], \
             \"negative\": [\"xv\"]",
            "mixedsudoku all_sums=yes|ratio:|2 . . .|sums:|v . .|given:|1 . . .",
        ),
        (
            "\"littlekillersum\": [{\"cell\": \"R0C1\", \"direction\": \"DR\", \"value\": \"7\"}, \
             {\"cell\": \"R0C4\", \"direction\": \"DL\", \"value\": \"6\"}]",
            "mixedsudoku|falling:|. 7 . .|rising:|6 . . .|given:|1 . . .",
        ),
        (
            "\"sandwichsum\": [{\"cell\": \"R0C2\", \"value\": \"5\"}, {\"cell\": \"R3C0\", \"value\": 0}]",
            "mixedsudoku|column_sandwich:|. 5 . .|row_sandwich:|. . 0 .|given:|1 . . .",
        ),
        (
            "\"skyscraper\": [{\"cell\": \"R5C2\", \"value\": 2}, {\"cell\": \"R3C0\", \"value\": 3}]",
            "mixedsudoku|skyscraper:|. 2 . .|. . 3 .|given:|1 . . .",
        ),
        (
            "\"even\": [{\"cell\": \"R2C2\"}], \"maximum\": [{\"cell\": \"R3C3\"}]",
            "mixedsudoku|parity:|. e . .|extreme:|  .   . max   .|given:|1 . . .",
        ),
        (
            "\"clone\": [{\"cells\": [\"R1C2\"], \"cloneCells\": [\"R3C4\"]}]",
            "mixedsudoku|palindrome:| . a1  .  .| .  .  . a2|given:|1 . . .",
        ),
    ];
    for (entries, text) in cases {
        assert_eq!(native(entries), text, "{entries}");
    }
}

#[test]
fn regions_other_than_boxes_are_kept() {
    let row = |regions: [u8; 4]| {
        let cells: Vec<String> = regions.iter().map(|region| format!("{{\"region\": {region}}}")).collect();
        format!("[{}]", cells.join(", "))
    };
    let grid = [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]].map(row).join(", ");
    let text = format!("{{\"size\": 4, \"grid\": [{grid}]}}");
    let read = board(&Source::new("board.json", text), &ReadOptions::default());
    let text = read.unwrap_or_else(|error| panic!("{}", InputError::from(error))).puzzle.native().unwrap();
    assert!(text.starts_with("mixedsudoku\nregion:\na a a a\nb b b b\nc c d d\nc c d d\n"), "{text}");
}

#[test]
fn what_is_not_known_is_an_error_with_its_place() {
    let cases = [
        (
            "\"quadruple\": [{\"cells\": [\"R1C1\"], \"values\": [1]}]",
            "expected a constraint that the sheet knows, found `quadruple`",
        ),
        ("\"arrow\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"lines\": []}]", "expected one cell"),
        ("\"even\": [{\"cell\": \"R5C1\"}]", "expected a cell of the board"),
        ("\"even\": [{\"cell\": \"5\"}]", "expected a cell such as `R1C9`, found `5`"),
        (
            "\"xv\": [{\"cells\": [\"R1C2\", \"R2C1\"], \"value\": \"V\"}]",
            "expected two cells that share a side",
        ),
        (
            "\"xv\": [{\"cells\": [\"R1C2\", \"R1C1\"], \"value\": \"z\"}]",
            "expected `x` or `v` for `sums`, found",
        ),
        (
            "\"whispers\": [{\"lines\": [[\"R1C1\"]], \"value\": \"3\"}]",
            "expected 2, the usual difference, found 3",
        ),
        ("\"antiking\": 1", "expected true or false, found `1`"),
        (
            "\"extraregion\": [{\"cells\": [\"R1C1\"]}, {\"cells\": [\"R1C1\"]}]",
            "expected only one entry of this kind at a place",
        ),
    ];
    for (entries, message) in cases {
        let error = board(&Source::new("board.json", json(entries)), &ReadOptions::default()).unwrap_err();
        let error = InputError::from(error).to_string();
        assert!(error.contains(message) && error.starts_with("board.json:1:"), "{entries}: {error}");
    }
}
