use super::*;

fn record(text: &str) -> Record {
    read(&Source::new("data", text)).unwrap()
}

fn error(text: &str) -> String {
    read(&Source::new("data", text)).unwrap_err().to_string()
}

#[test]
fn a_board_of_rooks() {
    let record = record(
        "language ESSENCE' 1.0\n$ the size\nletting n be 2\nletting m=-3 $ negative\n\
         letting squareType be [ [0, 1; int(1..2)],\n [2, 0;int(1..n)] ; int(1..n)]\nletting yes be true letting k be int(2..11)\n\
         letting e be [;int(1..0)] letting f be [] letting g be [1,2;bool] letting h be [1;int(5..)] letting i be [1;int]",
    );
    assert_eq!(record.integer("n").unwrap().value, 2);
    assert_eq!(record.integer("m").unwrap().value, -3);
    let matrix = record.matrix_of("squareType", 2, 2).unwrap();
    assert_eq!(matrix[1][0].value, 2);
    assert_eq!(record.source.slice(matrix[1][0].span), "2");
    assert_eq!(record.optional_boolean("yes").unwrap().map(|truth| truth.value), Some(true));
    assert_eq!(record.get("k").unwrap().value, DataValue::Range(2, 11));
    assert!(record.integers("e").unwrap().is_empty());
    assert_eq!(record.entries.len(), 10);
}

#[test]
fn errors_have_a_position_and_a_description() {
    let cases = [
        ("lettin n be 5", "data:1:1: expected `letting`, found `lettin`"),
        ("5", "data:1:1: expected `letting`, found `5`"),
        ("letting n 5", "data:1:11: expected `be`, found `5`"),
        ("letting n bee 5", "data:1:11: expected `be`, found `bee`"),
        ("letting 5 be 5", "data:1:9: expected a name, found `5`"),
        ("letting n be\n", "data:2:1: expected a value, found the end of the file"),
        ("letting n be x", "data:1:14: expected a value, found `x`"),
        ("letting n be int", "data:1:14: expected a domain with two bounds, found `int`"),
        ("letting n be [1,2", "data:1:18: expected `,` or `]`, found the end of the file"),
        ("letting n be [1,]", "data:1:17: expected a value, found `]`"),
        ("letting n be [1;x]", "data:1:17: expected `int` or `bool`, found `x`"),
        (
            "letting n be [1;int(1..2)]",
            "data:1:14: expected 2 values as the index domain says, found 1 value",
        ),
        (
            "letting n be [1;int(1..k)]",
            "data:1:24: expected a number or the name of one given before, found `k`",
        ),
        ("letting n be [1;int(1..1]", "data:1:25: expected `)`, found `]`"),
        ("letting n be 1\nlanguage ESSENCE' 1.0", "data:2:1: expected `letting`, found `language`"),
        ("language EPRIME 1.0", "data:1:10: expected `ESSENCE`, found `EPRIME`"),
        ("letting n be 1\nletting n be 1", "data:2:9: expected one value for `n`, found a second one"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
    let missing = record("letting n be 1").integer("m").unwrap_err().to_string();
    assert_eq!(missing, "data:1:15: expected `letting m be ...`, found the end of the file");
}
