//! Tests that the reader of FlatZinc JSON returns the same instances as the reader of FlatZinc text, and that it
//! reports each error.

use gordian_encodings::{Domain, Value};
use gordian_flatzinc::instance::{Argument, Instance, Operand, Place, VarDomain};
use gordian_flatzinc::{json, text};

#[track_caller]
fn read(input: &str) -> Instance {
    json::read(input).unwrap_or_else(|error| panic!("{}: {error}", &input[error.span.start..]))
}

fn without_places(mut instance: Instance) -> Instance {
    instance.variables.iter_mut().for_each(|variable| variable.place = Place(0));
    instance.constraints.iter_mut().for_each(|call| call.place = Place(0));
    instance
}

#[track_caller]
fn same(input: &str, as_text: &str) {
    let expected = text::read(as_text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(without_places(read(input)), without_places(expected));
}

#[test]
fn the_same_model_in_both_formats() {
    same(
        r#"{
  "variables": {
    "x" : { "type" : "int", "domain" : [[1, 9]], "defined" : true },
    "y" : { "type" : "int", "domain" : [[1, 1], [3, 3], [5, 7]] },
    "u" : { "type" : "int", "introduced": true, "ann" : [{ "id" : "mzn_path", "args" : [{ "string" : "a\"b\\c\n\u0041\ud83d\ude00" }]}, "mip"] },
    "b" : { "type" : "bool" },
    "c" : { "type" : "bool", "rhs" : "b" },
    "d" : { "type" : "bool", "domain" : [true, true] },
    "e" : { "type" : "int", "domain" : [[2, 2]], "rhs" : 2 },
    "none" : { "type" : "int", "domain" : [] }
  },
  "arrays": {
    "ns" : { "a": [1, -1, 3] },
    "fs" : { "a": [1, 2.5] },
    "xs" : { "a": ["x", 4, "y"], "ann" : ["ignored"] },
    "bs" : { "a": [true, "b"] },
    "sets" : { "a": [{ "set" : [[1, 2], [4, 4]] }, { "set" : [] }] },
    "empty" : { "a": [] }
  },
  "constraints": [
    { "id" : "int_lin_le", "args" : ["ns", ["x", "y", "u"], -1]},
    { "id" : "set_in_reif", "args" : ["x", { "set" : [[1, 2], [4, 4]]}, "b"], "ann" : ["domain"], "defines" : "b"},
    { "id" : "c", "args" : ["xs", [], "bs", "sets", "empty", true, 170141183460469231731687303715884105727]}
  ],
  "output": ["x", "d", "xs", "bs"],
  "solve": { "method" : "maximize", "objective" : "u",
    "ann" : [{ "id" : "int_search", "args" : ["xs", "first_fail", [1, "indomain_min"], 2.5, {"id" : "f", "args" : ["fs"]}, {"set" : [[1, 3]]}, false]}] },
  "version": "1.0"
}"#,
        r#"
        var 1..9: x :: output_var :: is_defined_var;
        var {1, 3, 5, 6, 7}: y;
        var int: u :: var_is_introduced :: mzn_path("a\"b\\c\nA😀") :: mip;
        var bool: b;
        var bool: c = b;
        var bool: d :: output_var = true;
        var 2..2: e = 2;
        var 1..0: none;
        array [1..3] of int: ns = [1, -1, 3];
        array [1..2] of float: fs = [1.0, 2.5];
        array [1..3] of var int: xs :: output_array([1..3]) = [x, 4, y];
        array [1..2] of var bool: bs :: output_array([1..2]) = [true, b];
        array [1..2] of set of int: sets = [{1, 2, 4}, {}];
        array [1..0] of int: empty = [];
        constraint int_lin_le(ns, [x, y, u], -1);
        constraint set_in_reif(x, {1, 2, 4}, b) :: domain :: defines_var(b);
        constraint c(xs, [], bs, sets, empty, true, 170141183460469231731687303715884105727);
        solve :: int_search(xs, first_fail, [1, indomain_min], 2.5, f(fs), 1..3, false) maximize u;
        "#,
    );
}

#[test]
fn members_in_any_order() {
    same(
        r#"{"solve": {"objective": "x", "method": "minimize"}, "output": ["a"], "constraints": [{"args": ["x"], "id": "c"}],
        "arrays": {"a": {"a": ["x"]}}, "other": [null, {"x": [{}], "y": 1e5}], "variables": {"x": {"domain": [[0, 1]], "type": "int"}}}"#,
        "var 0..1: x; array [1..1] of var int: a :: output_array([1..1]) = [x]; constraint c(x); solve minimize x;",
    );
    same(r#"{"variables": {}, "constraints": [], "solve": {"method": "satisfy"}}"#, "solve satisfy;");
}

#[test]
fn huge_ranges() {
    let instance = read(
        r#"{"variables": {"x": {"type": "int", "domain": [[-170141183460469231731687303715884105727, 0], [7, 170141183460469231731687303715884105726]]}},
        "constraints": [], "solve": {"method": "satisfy"}}"#,
    );
    let domain = Domain::from_intervals([(Value::MIN + 1, 0), (7, Value::MAX - 1)]);
    assert_eq!(instance.variables[0].domain, VarDomain::Int(domain));
    for domain in
        ["[-170141183460469231731687303715884105728, 0]", "[7, 170141183460469231731687303715884105727]"]
    {
        refused(
            &format!(r#"{{"variables": {{^"x": {{"type": "int", "domain": [{domain}]}}}}}}"#),
            "expected bounds from -2^127 + 1 to 2^127 - 2, found `x` with other bounds",
        );
    }
}

#[test]
fn places_and_sharing() {
    let input = r#"{"variables": {"x": {"type": "int"}}, "arrays": {"a": {"a": ["x"]}},
        "constraints": [{"id": "c", "args": ["a", "a"]}], "solve": {"method": "satisfy"}}"#;
    let instance = read(input);
    assert_eq!(Some(instance.variables[0].place.0), input.find("\"x\""));
    assert_eq!(Some(instance.constraints[0].place.0), input.find("{\"id\""));
    let [Argument::Array(first), Argument::Array(second)] = &instance.constraints[0].arguments[..] else {
        panic!("two arrays")
    };
    assert!(std::sync::Arc::ptr_eq(first, second) && matches!(first[0], Operand::Var(_)));
}

/// Asserts that reading fails with the given message at the position of the `^`, which is not part of the input.
#[track_caller]
fn refused(marked: &str, message: &str) {
    let at = marked.find('^').expect("a mark");
    let error = json::read(&marked.replace('^', "")).expect_err("an error");
    assert_eq!((error.span.start, error.to_string().as_str()), (at, message), "{marked}");
}

/// Asserts that reading fails for an instance with the given variables, arrays and constraints.
#[track_caller]
fn refused_parts(variables: &str, arrays: &str, constraints: &str, message: &str) {
    refused(
        &format!(
            r#"{{"variables": {{{variables}}}, "arrays": {{{arrays}}}, "constraints": [{constraints}], "solve": {{"method": "satisfy"}}}}"#
        ),
        message,
    );
}

#[test]
fn errors_of_syntax() {
    refused("^", "expected `{`, found the end of the file");
    refused("^[]", "expected `{`, found `[`");
    refused("{} ^x", "expected the end of the file, found `x`");
    refused("{}^", "expected a member \"variables\", found the end of the file");
    refused(r#"{"variables": {}}^"#, "expected a member \"constraints\", found the end of the file");
    refused(
        r#"{"variables": {}, "constraints": []}^"#,
        "expected a member \"solve\", found the end of the file",
    );
    refused(r#"{"variables": {}, ^"variables": {}}"#, "expected a new member, found `variables` again");
    refused(r#"{"variables" ^{}}"#, "expected `:`, found `{`");
    refused(r#"{"a": [1, ^]}"#, "expected a value, found `]`");
    refused(r#"{"a": 1, ^}"#, "expected a string, found `}`");
    refused(r#"{"a": [1 ^2]}"#, "expected `,` or `]`, found `2`");
    refused(r#"{"a": ^0x10}"#, "expected a number, found `0x10`");
    refused(r#"{"a": ^% comment"#, "expected a value, found `%`");
    refused("{\"a^\n\": 1}", "expected `\"` at the end of the string, found the end of the line");
    refused("{\"a^", "expected `\"` at the end of the string, found the end of the file");
    refused(r#"{"a^\x": 1}"#, "expected an escape such as `\\n`, found `\\`");
    refused(r#"{"a^\ud800": 1}"#, "expected an escape such as `\\n`, found `\\`");
    refused(r#"{"version": ^"2.0"}"#, "expected version \"1.0\", found `2.0`");
    let error = json::read(&"{\"a\":".repeat(100_000)).expect_err("an error");
    assert_eq!(error.to_string(), "expected at most 64 brackets inside each other, found `\"`");
}

#[test]
fn errors_of_declarations() {
    let x = r#""x": {"type": "int"}"#;
    let variables = |variables: &str, message: &str| refused_parts(variables, "", "", message);
    variables(&format!("{x}, ^{x}"), "expected a new name, found `x`, which is declared already");
    variables(r#"^"1": {"type": "int"}"#, "expected a name, found `1`");
    variables(r#"^"true": {"type": "int"}"#, "expected a name, found `true`");
    variables(r#"^"x": {}"#, "expected a variable with a \"type\", found `x`");
    variables(r#""x": {"type": ^"integer"}"#, "expected a type \"bool\" or \"int\", found `integer`");
    variables(
        r#""x": {"type": ^"float"}"#,
        "expected a Boolean or integer variable (floating-point variables are not supported), found `float`",
    );
    variables(
        r#""x": {"type": ^"set of int"}"#,
        "expected a Boolean or integer variable (`include \"nosets.mzn\"` replaces set variables), found `set of int`",
    );
    variables(
        r#""x": {"type": "int", "domain": [^[1, 2, 3]]}"#,
        "expected a range of two integers, found `[1, 2, 3]`",
    );
    variables(r#""x": {"type": "int", "domain": [[1, ^2.5]]}"#, "expected an integer, found `2.5`");
    variables(r#""x": {"type": "int", "domain": [^1]}"#, "expected `[`, found `1`");
    variables(r#""x": {"type": "int", "rhs": ^true}"#, "expected an integer, found `true`");
    variables(
        r#""x": {"type": "int", "rhs": ^"y"}, "y": {"type": "int"}"#,
        "expected a declared name, found `y`",
    );
    variables(r#""x": {"type": "int", "ann": [^1]}"#, "expected `{`, found `1`");
    variables(
        r#""x": {"type": "int", "ann": [^{"set": []}]}"#,
        "expected an annotation, found `{\"set\": []}`",
    );
    variables(r#""x": {"type": "int", "ann": [^{}]}"#, "expected an object with an \"id\", found `{`");
    let arrays = |arrays: &str, message: &str| refused_parts(x, arrays, "", message);
    arrays(r#"^"x": {"a": []}"#, "expected a new name, found `x`, which is declared already");
    arrays(r#"^"a": {}"#, "expected an array with elements \"a\", found `a`");
    arrays(r#""a": {"a": [^"b"]}, "b": {"a": []}"#, "expected a declared name, found `b`");
    arrays(r#""b": {"a": []}, "a": {"a": [^"b"]}"#, "expected an element, not an array, found `\"b\"`");
}

#[test]
fn errors_of_constraints() {
    let x = r#""x": {"type": "int"}"#;
    let constraints =
        |constraints: &str, message: &str| refused_parts(x, r#""f": {"a": [0.5]}"#, constraints, message);
    constraints("^{}", "expected a constraint with an \"id\", found `{`");
    constraints(r#"{"id": ^"a b"}"#, "expected a name, found `a b`");
    constraints(r#"{"id": "c", "args": [^"y"]}"#, "expected a declared name, found `y`");
    let no_float =
        "expected an integer, Boolean or set of integers (floating-point numbers are not supported), found";
    constraints(r#"{"id": "c", "args": [^"f"]}"#, &format!("{no_float} `f`"));
    constraints(r#"{"id": "c", "args": [[^1.5]]}"#, &format!("{no_float} `1.5`"));
    constraints(
        r#"{"id": "c", "args": [^{"string": "s"}]}"#,
        "expected an integer, Boolean or set of integers, found `{`",
    );
    constraints(r#"{"id": "c", "args": [^null]}"#, "expected a value, found `null`");
    constraints(
        r#"{"id": "c", "args": [^-170141183460469231731687303715884105729]}"#,
        "expected an integer of at most 128 bits, found a number of 39 digits",
    );
}

#[test]
fn errors_of_goal_and_output() {
    let rest = |rest: &str, message: &str| {
        refused(
            &format!(r#"{{"variables": {{"b": {{"type": "bool"}}}}, "constraints": [], {rest}}}"#),
            message,
        );
    };
    rest(r#""solve": ^{}"#, "expected an object with a \"method\", found `{`");
    rest(r#""solve": {"method": ^"max"}"#, "expected \"satisfy\", \"minimize\" or \"maximize\", found `max`");
    rest(r#""solve": {"method": ^"minimize"}"#, "expected an object with an \"objective\", found `minimize`");
    rest(r#""solve": {"method": "minimize", "objective": ^"b"}"#, "expected an integer, found `\"b\"`");
    rest(r#""output": [^"y"], "solve": {}"#, "expected a declared name, found `y`");
    rest(r#""output": ["b", ^"b"], "solve": {}"#, "expected a new name, found `b` again");
}
