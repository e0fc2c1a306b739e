use super::*;
use crate::format::dzn;

fn record(text: &str) -> Record {
    dzn::read(&Source::new("data", text)).unwrap()
}

fn message<T: std::fmt::Debug>(result: Result<T, InputError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn the_error_for_a_missing_name_points_to_the_end() {
    let record = record("n = 5;\n");
    let expected = "data:2:1: expected `init = ...`, found the end of the file";
    assert_eq!(message(record.integer("init")), expected);
    assert_eq!(message(record.matrix("init")), expected);
    assert_eq!(message(record.matrix_of("init", 1, 1)), expected);
    assert_eq!(message(record.integers("init")), expected);
    assert_eq!(message(record.text("init")), expected);
    assert_eq!(record.error_missing("init").to_string(), expected);
    assert_eq!(record.optional_integer("init").unwrap(), None);
    assert_eq!(record.optional_text("init").unwrap(), None);
    assert_eq!(record.optional_boolean("init").unwrap(), None);
}

#[test]
fn a_value_of_another_type_is_named() {
    let record = record("n = [5];\nt = 5; s = \"x\"; i = [1, true]; m = [[1], 2]; k = [[1], [false]];");
    assert_eq!(message(record.integer("n")), "data:1:5: expected a number for `n`, found an array");
    assert_eq!(message(record.optional_integer("s")), "data:2:12: expected a number for `s`, found a text");
    assert_eq!(message(record.text("t")), "data:2:5: expected a text for `t`, found `5`");
    assert_eq!(
        message(record.optional_boolean("t")),
        "data:2:5: expected `true` or `false` for `t`, found `5`"
    );
    assert_eq!(message(record.integers("i")), "data:2:25: expected a number in `i`, found `true`");
    assert_eq!(message(record.integers("t")), "data:2:5: expected numbers for `t`, found `5`");
    assert_eq!(message(record.matrix("t")), "data:2:5: expected a matrix for `t`, found `5`");
    assert_eq!(message(record.matrix("m")), "data:2:42: expected an array for row 2 of `m`, found `2`");
    assert_eq!(message(record.matrix("k")), "data:2:57: expected a number in row 2 of `k`, found `false`");
}

#[test]
fn matrices_have_rows_of_one_length() {
    let record = record("short = [| 1, 2\n | 3 |];\nlong = [| 1, 2\n | 3, 4, 5 |];");
    assert_eq!(
        message(record.matrix("short")),
        "data:2:4: expected 2 values in row 2 of `short` as in row 1, found 1 value"
    );
    assert_eq!(
        message(record.matrix("long")),
        "data:4:10: expected 2 values in row 2 of `long` as in row 1, found 3 values"
    );
    assert_eq!(
        message(record.matrix_of("long", 2, 2)),
        "data:4:4: expected a 2 x 2 matrix for `long`, found 3 values in row 2"
    );
    assert_eq!(
        message(record.matrix_of("long", 5, 2)),
        "data:3:8: expected a 5 x 2 matrix for `long`, found 2 rows"
    );
}

#[test]
fn ranges_are_limited_when_listed() {
    let record = record("a = 1..0; b = -1..1; c = 0..9999; d = 0..10000; e = 5..-5;");
    let numbers = |name| record.integers(name).unwrap().iter().map(|number| number.value).collect::<Vec<_>>();
    assert_eq!(numbers("a"), []);
    assert_eq!(numbers("b"), [-1, 0, 1]);
    assert_eq!(numbers("c").len(), 10_000);
    assert_eq!(numbers("e"), []);
    assert_eq!(
        message(record.integers("d")),
        "data:1:39: expected a range of at most 10000 numbers, found `0..10000`"
    );
    let widest = dzn::read(&Source::new("data", format!("a = {}..{};", i128::MIN, i128::MAX))).unwrap();
    assert!(widest.integers("a").is_err());
    let reversed = dzn::read(&Source::new("data", format!("a = {}..{};", i128::MAX, i128::MIN))).unwrap();
    assert_eq!(reversed.integers("a").unwrap(), []);
}

#[test]
fn errors_for_unknown_names_suggest_the_nearest() {
    let record = record("n = 5; inti = 6;");
    assert!(record.only(&["n", "inti"]).is_ok());
    let error = record.only(&["n", "init"]).unwrap_err();
    assert_eq!(error.to_string(), "data:1:8: expected one of `n`, `init`, found `inti`");
    assert_eq!(error.help(), None, "two replacements in four letters are too many");
    let error = record.only(&["n", "int"]).unwrap_err();
    assert_eq!(error.help(), Some("did you mean `int`?"));
    assert_eq!(message(record.only(&["inti"])), "data:1:1: expected `inti`, found `n`");
    assert_eq!(message(record.only(&[])), "data:1:1: expected no named value, found `n`");
}
