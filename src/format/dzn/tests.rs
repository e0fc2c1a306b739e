use proptest::prelude::*;

use super::*;

fn record(text: &str) -> Record {
    read(&Source::new("data", text)).unwrap()
}

fn error(text: &str) -> String {
    read(&Source::new("data", text)).unwrap_err().to_string()
}

fn numbers(matrix: &[Vec<Spanned<i128>>]) -> Vec<Vec<i128>> {
    matrix.iter().map(|row| row.iter().map(|number| number.value).collect()).collect()
}

#[test]
fn values_of_every_type() {
    let record = record(
        "% data\nN = 5; /* five ** */ low=-3;up=+4 ;\nyes = true; no=false; mode = \"at-least\";\n\
         k = 2..11; j = -2 .. 3; S = {6, 8,24,}; list = [1,2,3,]; none = []; empty = {};\nlast = 0",
    );
    assert_eq!(record.integer("N").unwrap().value, 5);
    assert_eq!(record.integer("low").unwrap().value, -3);
    assert_eq!(record.integer("up").unwrap().value, 4);
    assert_eq!(record.optional_boolean("yes").unwrap().map(|truth| truth.value), Some(true));
    assert_eq!(record.optional_boolean("no").unwrap().map(|truth| truth.value), Some(false));
    assert_eq!(record.text("mode").unwrap().value, "at-least");
    assert_eq!(record.integers("k").unwrap().len(), 10);
    assert_eq!(record.get("j").unwrap().value, DataValue::Range(-2, 3));
    assert_eq!(record.integers("S").unwrap().len(), 3);
    assert_eq!(record.integers("list").unwrap().len(), 3);
    assert_eq!(record.integers("none").unwrap(), []);
    assert_eq!(record.integers("empty").unwrap(), []);
    assert_eq!(record.integer("last").unwrap().value, 0);
}

#[test]
fn published_matrices() {
    let record = record(
        "init = [|0, 0, 3\n        |1, 0, 0|];\n\
         schema=[ | 0,1  \n          | 0,0  // a comment\n          | ];\n\
         across=[ | 2,1,3,4,\n | 5,2,1,3 |]; a = [||]; b = [| |]; c = [|1|];",
    );
    assert_eq!(numbers(&record.matrix("init").unwrap()), [[0, 0, 3], [1, 0, 0]]);
    assert_eq!(numbers(&record.matrix("schema").unwrap()), [[0, 1], [0, 0]]);
    assert_eq!(numbers(&record.matrix("across").unwrap()), [[2, 1, 3, 4], [5, 2, 1, 3]]);
    assert_eq!(numbers(&record.matrix("c").unwrap()), [[1]]);
    assert!(record.matrix("a").unwrap().is_empty());
    assert!(record.matrix("b").unwrap().is_empty());
}

#[test]
fn index_sets_are_checked() {
    let record = record(
        "n=2; a = array1d(1..2, [7, 8]); b = array2d(1..n, 0..2, [1,2,3,4,5,6]); c = array2d(1..0,1..3,[]);",
    );
    assert_eq!(record.integers("a").unwrap().len(), 2);
    assert_eq!(numbers(&record.matrix("b").unwrap()), [[1, 2, 3], [4, 5, 6]]);
    assert!(record.matrix("c").unwrap().is_empty());
    let sizes = "data:1:23: expected 2 x 2 values, found 3 values";
    assert_eq!(error("a = array2d(1..2,1..2,[1,2,3]);"), sizes);
    assert_eq!(error("a = array1d(1..2,[1]);"), "data:1:18: expected 2 values, found 1 value");
    assert_eq!(
        error("a = array1d(1..m,[1]);"),
        "data:1:16: expected a number or the name of one given before, found `m`"
    );
    assert_eq!(
        error("a = array1d(0..99999999999999999999,[1]);"),
        "data:1:13: expected a shorter range, found `0..99999999999999999999`"
    );
    let widest = format!("a = array2d({0}..{1},{0}..{1},[1]);", i128::MIN, i128::MAX);
    assert!(error(&widest).starts_with("data:1:13: expected a shorter range, found"));
    let many = format!("a = array2d(1..{0},1..{0},[1]);", u64::MAX);
    assert!(error(&many).ends_with("values, found 1 value"));
}

#[test]
fn errors_have_a_position_and_a_description() {
    let cases = [
        ("n = ;", "data:1:5: expected a value, found `;`"),
        ("n 5;", "data:1:3: expected `=`, found `5`"),
        ("n = 5\nm = 6", "data:2:1: expected `;`, found `m`"),
        ("n = 5;\n  7 = 6", "data:2:3: expected a name, found `7`"),
        ("n = 5; n = 6;", "data:1:8: expected one value for `n`, found a second one"),
        ("a = [1, 2", "data:1:10: expected `,` or `]`, found the end of the file"),
        ("a = [1 2]", "data:1:8: expected `,` or `]`, found `2`"),
        ("a = [1,,2]", "data:1:8: expected a value, found `,`"),
        ("a = [| 1, 2 | | 3 |]", "data:1:15: expected a value, found `|`"),
        ("a = [| 1, 2 ]", "data:1:13: expected `,` or `|`, found `]`"),
        ("a = {1, 2]", "data:1:10: expected `,` or `}`, found `]`"),
        ("a = 1.5;", "data:1:5: expected a whole number, found `1.5`"),
        ("a = 12ab;", "data:1:5: expected a whole number, found `12ab`"),
        ("a = 1..;", "data:1:8: expected a number, found `;`"),
        ("a = \"x\n\";", "data:1:7: expected `\"` at the end of the text, found the end of the line"),
        ("a = \"\\q\";", "data:1:7: expected an escape such as `\\n`, found `q`"),
        ("a = b;", "data:1:5: expected a value, found `b`"),
        ("n = 5; /* open", "data:1:8: expected `*/` at the end of the comment, found the end of the file"),
        ("ä = 5;", "data:1:1: expected a name, found `ä`"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn numbers_beyond_128_bits_are_errors() {
    let text = format!("a = {}; b = {}; c = -0{};", i128::MAX, i128::MIN, "0".repeat(60));
    let record = record(&text);
    assert_eq!(record.integer("a").unwrap().value, i128::MAX);
    assert_eq!(record.integer("b").unwrap().value, i128::MIN);
    assert_eq!(record.integer("c").unwrap().value, 0);
    let message = "data:1:5: expected a number of at most 38 digits, found a number of 50 digits";
    assert_eq!(error(&format!("a = -{};", "7".repeat(50))), message);
}

#[test]
fn spans_cover_the_values() {
    let record = record("init = [| 1, 22 | 3, 4 |] ; k = 2 .. 3;");
    let slice = |span| record.source.slice(span);
    assert_eq!(slice(record.get("init").unwrap().span), "[| 1, 22 | 3, 4 |]");
    assert_eq!(slice(record.get("k").unwrap().span), "2 .. 3");
    assert_eq!(slice(record.matrix("init").unwrap()[0][1].span), "22");
    let DataValue::Array(rows) = &record.get("init").unwrap().value else { panic!("a matrix") };
    assert_eq!(slice(rows[1].span), "3, 4");
}

/// Formats a value without its positions in the source.
fn write(value: &DataValue) -> String {
    let list = |items: &[Spanned<DataValue>]| {
        items.iter().map(|item| write(&item.value)).collect::<Vec<_>>().join(", ")
    };
    match value {
        DataValue::Integer(number) => number.to_string(),
        DataValue::Boolean(truth) => truth.to_string(),
        DataValue::Text(text) => format!("\"{text}\""),
        DataValue::Array(items) => format!("[{}]", list(items)),
        DataValue::Range(low, high) => format!("{low}..{high}"),
        DataValue::Set(items) => format!("{{{}}}", list(items)),
        DataValue::Object(_) | DataValue::Decimal(_) | DataValue::Null => panic!("dzn has no such values"),
    }
}

fn values() -> impl Strategy<Value = DataValue> {
    let leaf = prop_oneof![
        any::<i128>().prop_map(DataValue::Integer),
        any::<bool>().prop_map(DataValue::Boolean),
        "[ a-zäö%/;]{0,6}".prop_map(DataValue::Text),
        any::<(i128, i128)>().prop_map(|(low, high)| DataValue::Range(low, high)),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        let items =
            proptest::collection::vec(inner.prop_map(|value| Spanned::new(value, Span::default())), 0..5);
        prop_oneof![items.clone().prop_map(DataValue::Array), items.prop_map(DataValue::Set)]
    })
}

proptest! {
    #[test]
    fn written_values_are_read_back(values in proptest::collection::vec(values(), 1..4)) {
        let items = (0..).zip(&values).map(|(n, value)| format!("v{n} = {};\n", write(value)));
        let text = items.collect::<Vec<_>>().concat();
        let record = record(&text);
        for (entry, value) in record.entries.iter().zip(&values) {
            prop_assert_eq!(write(&entry.value.value), write(value));
            prop_assert_eq!(record.source.slice(entry.value.span), write(value));
        }
        prop_assert_eq!(record.entries.len(), values.len());
    }
}
