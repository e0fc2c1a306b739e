use proptest::prelude::*;

use super::*;

fn record(text: &str) -> Record {
    read(&Source::new("data", text)).unwrap()
}

fn error(text: &str) -> String {
    read(&Source::new("data", text)).unwrap_err().to_string()
}

#[test]
fn data_of_an_amaze_board() {
    let record = record(
        "{\"n\": 5, \"m\":-5,\r\n \"points\": [[[3,4],[5,1]],[[2,2],[5,5]]], \"yes\": true, \"o\": {\"a\": []}, \"t\":\"\"}",
    );
    assert_eq!(record.integer("n").unwrap().value, 5);
    assert_eq!(record.integer("m").unwrap().value, -5);
    let points = record.get("points").unwrap();
    assert_eq!(record.source.slice(points.span), "[[[3,4],[5,1]],[[2,2],[5,5]]]");
    let DataValue::Array(pairs) = &points.value else { panic!("an array") };
    assert_eq!(record.source.slice(pairs[1].span), "[[2,2],[5,5]]");
    let DataValue::Object(entries) = &record.get("o").unwrap().value else { panic!("an object") };
    assert_eq!(entries[0].name.value, "a");
    assert_eq!(record.text("t").unwrap().value, "");
    assert!(record.get("x").is_none());
}

#[test]
fn errors_have_a_position_and_a_description() {
    let cases = [
        ("[1]", "data:1:1: expected `{`, found `[`"),
        ("{", "data:1:2: expected a name in double quotes, found the end of the file"),
        ("{n: 5}", "data:1:2: expected a name in double quotes, found `n`"),
        ("{\"n\" 5}", "data:1:6: expected `:`, found `5`"),
        ("{\"n\": }", "data:1:7: expected a value, found `}`"),
        ("{\"n\": nil}", "data:1:7: expected a value, found `nil`"),
        ("{\"n\": 5,}", "data:1:9: expected a name in double quotes, found `}`"),
        ("{\"n\": 5 \"m\": 6}", "data:1:9: expected `,` or `}`, found `\"`"),
        ("{\"n\": [1,]}", "data:1:10: expected a value, found `]`"),
        ("{\"n\": 1.5.2}", "data:1:7: expected a whole number, found `1.5.2`"),
        ("{\"n\": \"\\u12\"}", "data:1:10: expected four hexadecimal digits, found `12`"),
        ("{\"n\": \"\\ud800\"}", "data:1:8: expected a character, found half of a surrogate pair"),
        ("{\"n\": \"x", "data:1:9: expected `\"` at the end of the text, found the end of the file"),
        ("{\"n\": 1, \"n\": 2}", "data:1:10: expected one value for `n`, found a second one"),
        ("{\"o\": {\"n\": 1, \"n\": 2}}", "data:1:16: expected one value for `n`, found a second one"),
        ("{} x", "data:1:4: expected the end of the file, found `x`"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text}");
    }
    let missing = record("{}").integer("m").unwrap_err().to_string();
    assert_eq!(missing, "data:1:3: expected `\"m\": ...`, found the end of the file");
}

/// Converts a value to a `serde_json` value.
fn plain(value: &DataValue) -> serde_json::Value {
    match value {
        DataValue::Integer(number) => serde_json::Value::from(i64::try_from(*number).unwrap()),
        DataValue::Boolean(truth) => (*truth).into(),
        DataValue::Null => serde_json::Value::Null,
        DataValue::Text(text) => text.as_str().into(),
        DataValue::Array(items) => items.iter().map(|item| plain(&item.value)).collect(),
        DataValue::Object(entries) => object_of(entries),
        DataValue::Decimal(written) => serde_json::Value::from(written.parse::<f64>().unwrap()),
        DataValue::Range(..) | DataValue::Set(_) => panic!("JSON has no ranges and sets"),
    }
}

fn object_of(entries: &[NamedValue]) -> serde_json::Value {
    let member = |entry: &NamedValue| (entry.name.value.clone(), plain(&entry.value.value));
    serde_json::Value::Object(entries.iter().map(member).collect())
}

fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<String>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(serde_json::Value::from),
            objects(inner).prop_map(serde_json::Value::Object),
        ]
    })
}

fn objects(
    inner: impl Strategy<Value = serde_json::Value>,
) -> impl Strategy<Value = serde_json::Map<String, serde_json::Value>> {
    proptest::collection::vec((any::<String>(), inner), 0..5)
        .prop_map(|members| members.into_iter().collect())
}

proptest! {
    #[test]
    fn serde_json_agrees_on_its_own_output(members in objects(values()), pretty in any::<bool>()) {
        let object = serde_json::Value::Object(members);
        let text = if pretty { format!("{object:#}") } else { object.to_string() };
        prop_assert_eq!(object_of(&record(&text).entries), object);
    }

    #[test]
    fn serde_json_agrees_on_accepted_texts(text in "\\{\"[a-z\\\\\"u0-9]{0,8}\" ?: ?[-0-9\\[\\],tfrue\"\\\\ ]{0,12}\\}") {
        let Ok(record) = read(&Source::new("data", text.as_str())) else { return Ok(()) };
        // `serde_json` reads `-0` as a floating-point number.
        prop_assume!(!text.contains("-0"));
        // Our parser accepts some signs and leading zeros that `serde_json` rejects.
        if let Ok(object) = serde_json::from_str::<serde_json::Value>(&text) {
            prop_assert_eq!(object_of(&record.entries), object);
        }
    }
}
