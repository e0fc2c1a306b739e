use super::*;
use crate::format::DataValue;

fn document(text: &str) -> TextDocument {
    read(&Source::new("board", text)).unwrap()
}

fn error(text: &str) -> String {
    read(&Source::new("board", text)).unwrap_err().to_string()
}

fn grid_error(text: &str) -> String {
    document(text).grid(|_| Ok(())).unwrap_err().to_string()
}

fn rows(document: &TextDocument) -> Vec<Vec<&str>> {
    let row = |row: &'_ Row| row.cells.len();
    assert!(document.rows.iter().map(row).all(|length| length > 0));
    document.rows.iter().map(|row| row.cells.iter().map(|cell| cell.value.as_str()).collect()).collect()
}

#[test]
fn a_board_has_a_type_options_and_rows() {
    let text = "% comment\n\n numberlink cells=all touch=no % more\r\n1 . 22%x\r\n\t. ? #\n%\n";
    let document = document(text);
    assert_eq!(
        document.puzzle_type.as_ref().map(|puzzle_type| puzzle_type.value.as_str()),
        Some("numberlink")
    );
    assert_eq!(document.option("cells").map(|value| value.value.as_str()), Some("all"));
    assert_eq!(document.option("touch").map(|value| document.source.slice(value.span)), Some("no"));
    assert_eq!(document.option("sum"), None);
    assert_eq!(rows(&document), [["1", ".", "22"], [".", "?", "#"]]);
    assert_eq!(document.grid(|_| Ok(())).unwrap().rows(), 2);
    let cell = &document.rows[1].cells[1];
    assert_eq!(document.source.position(cell.span.start).to_string(), "5:4");
    assert_eq!(document.source.slice(document.rows[1].span), ". ? #");
}

#[test]
fn the_puzzle_type_may_be_omitted_or_stand_alone() {
    let bare = document(". 1\n2 .");
    assert!(bare.puzzle_type.is_none());
    assert_eq!(rows(&bare), [[".", "1"], ["2", "."]]);
    let alone = document("max-triangle");
    assert_eq!(alone.puzzle_type.map(|puzzle_type| puzzle_type.value), Some("max-triangle".to_owned()));
    let values = document("n = 5\nnines\n");
    assert!(values.puzzle_type.is_none());
    assert_eq!(values.rows.len(), 1);
}

#[test]
fn named_values_are_a_record() {
    let text = "labyrinth\nn = 3 % nodes\nstart=1;\ntarget = 3 ;\ngraph = [| 1, 2 % an edge\n | 2, 3 |] \nm = 1..2\n. 1\n";
    let document = document(text);
    let record = &document.record;
    assert_eq!(record.integer("n").unwrap().value, 3);
    assert_eq!(record.integer("start").unwrap().value, 1);
    assert_eq!(record.integer("target").unwrap().value, 3);
    assert_eq!(record.matrix("graph").unwrap().len(), 2);
    assert_eq!(record.get("m").unwrap().value, DataValue::Range(1, 2));
    assert_eq!(rows(&document), [[".", "1"]]);
    let missing = record.integer("cost").unwrap_err().to_string();
    assert_eq!(missing, "board:9:1: expected `cost = ...`, found the end of the file");
}

#[test]
fn only_options_may_follow_the_puzzle_type() {
    let error = |text: &str| {
        let document =
            read(&Source::new("board", text)).expect("an unknown puzzle type is not an error of the parser");
        document.options.expect_err("no options").to_string()
    };
    assert_eq!(error("amaze sum\n"), "board:1:7: expected an option `name=value`, found `sum`");
    assert_eq!(error("%\namaze a=1  a=2"), "board:2:12: expected the option `a` once, found a second one");
    assert_eq!(error("amaze a=1 =1"), "board:1:11: expected the name of an option, found `=1`");
    assert_eq!(error("amaze a="), "board:1:9: expected a value for the option `a`, found nothing");
}

#[test]
fn values_end_with_their_line() {
    assert_eq!(error("a = 1 2"), "board:1:7: expected the end of the line, found `2`");
    assert_eq!(error("a = 1;b = 2"), "board:1:7: expected the end of the line, found `b`");
    assert_eq!(error("a = 1\na = 2"), "board:2:1: expected one value for `a`, found a second one");
    assert_eq!(error("a =\n. 1"), "board:2:1: expected a value, found `.`");
    assert_eq!(error("a = [1\n"), "board:2:1: expected `,` or `]`, found the end of the file");
}

#[test]
fn a_grid_has_rows_of_one_length() {
    assert_eq!(
        grid_error("rooks\n. . .\n. .  % short\n"),
        "board:3:4: expected 3 cells as in the first row, found 2 cells"
    );
    assert_eq!(grid_error(". #\n. . 1 2"), "board:2:5: expected 2 cells as in the first row, found 4 cells");
    assert_eq!(grid_error(".\n. ."), "board:2:3: expected 1 cell as in the first row, found 2 cells");
    assert_eq!(grid_error("rooks\n"), "board:2:1: expected a row of the board, found the end of the file");
}
