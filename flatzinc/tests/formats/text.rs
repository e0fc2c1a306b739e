//! Tests the reader of FlatZinc text: each item of the grammar and each error.

use gordian_encodings::{Domain, Value};
use gordian_flatzinc::instance::{Annotation, Argument, Goal, Instance, Operand, VarDomain, VarId};
use gordian_flatzinc::text;

#[track_caller]
fn read(text: &str) -> Instance {
    text::read(text).unwrap_or_else(|error| panic!("{}: {error}", &text[error.span.start..]))
}

/// Reads an instance that consists of the given items and `solve satisfy`.
#[track_caller]
fn items(text: &str) -> Instance {
    read(&format!("{text}\nsolve satisfy;"))
}

fn int(value: Value) -> Operand {
    Operand::Int(value)
}

fn set(values: &[Value]) -> Operand {
    Operand::Set(Domain::from_values(values.iter().copied()).into())
}

fn var(id: u32) -> Operand {
    Operand::Var(VarId(id))
}

fn name(text: &str) -> Annotation {
    Annotation::Name(text.into())
}

/// Returns the arguments of the only constraint of an instance.
#[track_caller]
fn arguments(instance: &Instance) -> Vec<Argument> {
    assert_eq!(instance.constraints.len(), 1);
    instance.constraints[0].arguments.clone()
}

#[test]
fn domains_of_variables() {
    let instance = items(
        "var 1..9: a; var {5, 1} union 3..3 union 0..-1: b; var -5..5: c; var int: d; var bool: e;\
         var 1..0: f; var {}: g; var 2..2: h = 2; var 0x1F..0o100: _i1;",
    );
    let domains: Vec<_> = instance.variables.iter().map(|variable| variable.domain.clone()).collect();
    let interval = |first, last| VarDomain::Int(Domain::interval(first, last));
    assert_eq!(
        domains,
        [
            interval(1, 9),
            VarDomain::Int(Domain::from_values([1, 3, 5])),
            interval(-5, 5),
            VarDomain::Unbounded,
            VarDomain::Bool,
            interval(1, 0),
            interval(1, 0),
            interval(2, 2),
            interval(31, 64),
        ]
    );
    assert_eq!(instance.variables[7].value, Some(int(2)));
    assert_eq!(&*instance.variables[8].name, "_i1");
    assert_eq!(instance.goal, Goal::Satisfy);
}

#[test]
fn right_hand_sides() {
    let instance = items(
        "int: n = 7; var int: x; var bool: b; var 1..5: y = x; var int: z = n; var bool: c = b; var bool: d = true;",
    );
    let values: Vec<_> = instance.variables.iter().map(|variable| variable.value.clone()).collect();
    let expected = [None, None, Some(var(0)), Some(int(7)), Some(var(1)), Some(Operand::Bool(true))];
    assert_eq!(values, expected);
}

#[test]
fn integers_of_128_bits() {
    let instance = items(
        "constraint c(170141183460469231731687303715884105727, -170141183460469231731687303715884105728,\
         -0x80000000000000000000000000000000, -0o17, 007);",
    );
    let expected = [Value::MAX, Value::MIN, Value::MIN, -15, 7].map(|value| Argument::One(int(value)));
    assert_eq!(arguments(&instance), expected);
}

#[test]
fn parameters_are_replaced_by_their_values() {
    let instance = items(
        "bool: t = true; int: n = -3; set of int: s = {4, 2}; set of int: r = 1..3; set of int: none = 1..0;\
         float: pi = 3.14; float: e = 1e-5; array [1..2] of float: fs = [1.5, -2.0E+3]; float: whole = 2;\
         array [1..3] of int: ns = [1, n, 3]; array [1..2] of bool: ts = [t, false];\
         array [1..2] of set of int: sets = [{}, 1..2]; array[1..0] of int: empty = [];\
         constraint c(t, n, s, r, none, ns, ts, sets, empty, ns[3], {7}, [n, 5,], []);",
    );
    let array = |elements: &[Operand]| Argument::Array(elements.into());
    let expected = [
        Argument::One(Operand::Bool(true)),
        Argument::One(int(-3)),
        Argument::One(set(&[2, 4])),
        Argument::One(set(&[1, 2, 3])),
        Argument::One(set(&[])),
        array(&[int(1), int(-3), int(3)]),
        array(&[Operand::Bool(true), Operand::Bool(false)]),
        array(&[set(&[]), set(&[1, 2])]),
        array(&[]),
        Argument::One(int(3)),
        Argument::One(set(&[7])),
        array(&[int(-3), int(5)]),
        array(&[]),
    ];
    assert_eq!(arguments(&instance), expected);
}

#[test]
fn arrays_are_shared() {
    let instance = items(
        "var bool: b; array [1..2] of var bool: bs :: output_array([1..2]) = [b, true]; constraint c(bs); constraint c(bs) :: a(bs);",
    );
    let Argument::Array(first) = &instance.constraints[0].arguments[0] else { panic!("an array") };
    let Argument::Array(second) = &instance.constraints[1].arguments[0] else { panic!("an array") };
    let Annotation::Call(_, arguments) = &instance.constraints[1].annotations[0] else { panic!("a call") };
    let Annotation::Operands(third) = &arguments[0] else { panic!("an array") };
    for other in [second, third, &instance.output[0].elements] {
        assert!(std::sync::Arc::ptr_eq(first, other));
    }
}

#[test]
fn output() {
    let instance = items(
        "var 1..3: x :: output_var; var bool: b::is_defined_var::output_var; var int: hidden;\
         array [1..6] of var int: a :: output_array([1..2, 0..2]) = [x, 1, x, hidden, 5, 6];\
         array [1..0] of var int: empty :: output_array([1..0]) = [];\
         array [1..1] of var bool: bs :: output_array([{7}]) = [b];",
    );
    let printed: Vec<_> = instance
        .output
        .iter()
        .map(|output| (&*output.name, output.is_bool, output.dimensions.clone(), output.elements.len()))
        .collect();
    assert_eq!(
        printed,
        [
            ("x", false, None, 1),
            ("b", true, None, 1),
            ("a", false, Some(vec![(1, 2), (0, 2)]), 6),
            ("empty", false, Some(vec![(1, 0)]), 0),
            ("bs", true, Some(vec![(7, 7)]), 1),
        ]
    );
    assert_eq!(instance.output[0].elements[..], [var(0)]);
    assert_eq!(instance.variables[1].annotations, [name("is_defined_var")]);
}

#[test]
fn domains_of_elements_are_constraints() {
    let instance = items(
        "var 1..4: x; var int: y; var 0..9: z; var {}: none;\
         array [1..6] of var 1..5: a = [x, y, 3, 7, z, none];",
    );
    let restricted: Vec<_> = instance.constraints.iter().map(|call| call.arguments.clone()).collect();
    let within = |operand| vec![Argument::One(operand), Argument::One(set(&[1, 2, 3, 4, 5]))];
    assert_eq!(restricted, [within(var(1)), within(int(7)), within(var(2))]);
    assert!(instance.constraints.iter().all(|call| &*call.name == "set_in"));
}

#[test]
fn annotations() {
    let instance = items(
        r#"var int: x; float: p = 0.5; array [1..1] of var int: xs = [x];
        constraint c(x) :: domain :: a(x, xs, other, p, 1, -2.5, {1, 2}, 0.5..1.5, true, "t\"\\\n\t\x41\101", b(c(1)))
            :: d([], [1, x], [x, other], xs[1], [[]]) :: mzn_path("größe;1|2") :: "text";"#,
    );
    let operand = Annotation::Operand;
    let call = |name: &str, arguments| Annotation::Call(name.into(), arguments);
    let operands = |elements: &[Operand]| Annotation::Operands(elements.into());
    assert_eq!(
        instance.constraints[0].annotations,
        [
            name("domain"),
            call(
                "a",
                vec![
                    operand(var(0)),
                    operands(&[var(0)]),
                    name("other"),
                    name("p"),
                    operand(int(1)),
                    Annotation::Float("-2.5".into()),
                    operand(set(&[1, 2])),
                    Annotation::Float("0.5..1.5".into()),
                    operand(Operand::Bool(true)),
                    Annotation::Text("t\"\\\n\tAA".into()),
                    call("b", vec![call("c", vec![operand(int(1))])]),
                ]
            ),
            call(
                "d",
                vec![
                    operands(&[]),
                    operands(&[int(1), var(0)]),
                    Annotation::Array(vec![operand(var(0)), name("other")]),
                    operand(var(0)),
                    Annotation::Array(vec![operands(&[])]),
                ]
            ),
            call("mzn_path", vec![Annotation::Text("größe;1|2".into())]),
            Annotation::Text("text".into()),
        ]
    );
}

#[test]
fn goals() {
    let goal = |solve: &str| read(&format!("var int: x; array [1..2] of var int: a = [3, x]; {solve};")).goal;
    assert_eq!(goal("solve satisfy"), Goal::Satisfy);
    assert_eq!(goal("solve minimize x"), Goal::Minimise(var(0)));
    assert_eq!(goal("solve maximize a[2]"), Goal::Maximise(var(0)));
    assert_eq!(goal("solve :: s(a) maximize 4"), Goal::Maximise(int(4)));
    assert_eq!(read("var int: x; solve :: f(x) :: g satisfy;").search.len(), 2);
}

#[test]
fn predicates_comments_and_blanks() {
    let text = "\u{feff}% comment ; \" [\n predicate p(var int: x, array [int] of var 1..3: y, set of 1..2: s, {1, 2}: t,\r\n\
         1.0..2.0: f, array [1..5] of var set of {1}: v, array [int] of bool: b :: a, float: g:: c(1)) :: d;predicate q();\n\
         var%\n1\t..\t2%\n:x;constraint p(x)%\n;solve satisfy;% end";
    let instance = read(text);
    assert_eq!((instance.variables.len(), instance.constraints.len()), (1, 1));
    assert_eq!(Some(instance.constraints[0].place.0), text.find("constraint p"));
}

/// Asserts that reading fails with the given message at the position of the `^`, which is not part of the input.
#[track_caller]
fn refused(marked: &str, message: &str) {
    let at = marked.find('^').expect("a mark");
    let error = text::read(&marked.replace('^', "")).expect_err("an error");
    assert_eq!((error.span.start, error.to_string().as_str()), (at, message));
}

#[test]
fn errors_of_names() {
    refused("var 1..2: x; var bool: ^x;", "expected a new name, found `x`, which is declared already");
    refused(
        "int: x = 1; array [1..0] of int: ^x = [];",
        "expected a new name, found `x`, which is declared already",
    );
    refused("constraint c(^y);", "expected a declared name, found `y`");
    refused("var int: x = ^y; var int: y;", "expected a declared name, found `y`");
    refused("var int: x = ^x;", "expected a declared name, found `x`");
    refused("solve maximize ^y;", "expected a declared name, found `y`");
    refused(
        "predicate p(); predicate ^p();",
        "expected a new predicate, found `p`, which is declared already",
    );
    refused("var int: ^3;", "expected a name, found `3`");
    refused("var int: ^true;", "expected a name, found `true`");
    refused("var int: gr^öße;", "expected `;`, found `öße`");
}

#[test]
fn errors_of_types() {
    let integer = "expected an integer, found";
    let kind = "expected a Boolean or integer variable (";
    refused(
        "var ^set of 1..3: x;",
        &format!("{kind}`include \"nosets.mzn\"` replaces set variables), found `set of 1..3`"),
    );
    refused("var ^float: x;", &format!("{kind}floating-point variables are not supported), found `float`"));
    refused(
        "var ^0.5..1.5: x;",
        &format!("{kind}floating-point variables are not supported), found `0.5..1.5`"),
    );
    refused(
        "array [1..1] of var ^float: x = [1.5];",
        "expected Boolean or integer variables (floating-point variables are not supported), found `float`",
    );
    let no_float =
        "expected an integer, Boolean or set of integers (floating-point numbers are not supported), found";
    refused("float: pi = 3.14; constraint c(^pi);", &format!("{no_float} `pi`"));
    refused("array [1..1] of float: f = [3.14]; constraint c(^f);", &format!("{no_float} `f`"));
    refused("constraint c(^3.14);", &format!("{no_float} `3.14`"));
    refused("constraint c([1, ^{1.5}]);", &format!("{no_float} `{{1.5}}`"));
    refused("var int: x = ^true;", &format!("{integer} `true`"));
    refused("var bool: b; var int: x = ^b;", &format!("{integer} `b`"));
    refused("var bool: b = ^1;", "expected a Boolean, found `1`");
    refused("set of int: s = ^1;", "expected a set of integers, found `1`");
    refused("var bool: b; solve minimize ^b;", &format!("{integer} `b`"));
    refused("array [1..2] of var int: a = [1, ^{2}];", &format!("{integer} `{{2}}`"));
    let bounds = "expected bounds from -2^127 + 1 to 2^127 - 2, found `x` with other bounds";
    refused("var -170141183460469231731687303715884105728..0: ^x;", bounds);
    refused("var {1, 170141183460469231731687303715884105727}: ^x;", bounds);
    refused("var int: x; array [1..1] of int: a = [^x];", "expected a constant, found `x`");
    refused("var int: x; int: n = ^x;", "expected a constant, found `x`");
    refused("float: f = ^1..2;", "expected a floating-point number, found `1..2`");
    refused(
        "array [1..0] of int: a = []; constraint c([^a]);",
        "expected an element, not an array, found `a`",
    );
    refused("array [1..1] of int: a = ^1;", "expected an array, found `1`");
}

#[test]
fn errors_of_arrays() {
    refused("array [1..3] of int: a = ^[1, 2];", "expected an array of length 3, found length 2");
    refused("array [1..1] of float: a = ^[1.5, 2.5];", "expected an array of length 1, found length 2");
    refused("array [^0..1] of int: a = [1, 2];", "expected an index set `1..n`, found `0`");
    refused("array [^int] of int: a = [1, 2];", "expected an index set `1..n`, found `int`");
    refused(
        "array [1..2] of int: a = [1, 2]; constraint c(a[^3]);",
        "expected an index from 1 to 2, found `3`",
    );
    refused(
        "array [1..2] of int: a = [1, 2]; constraint c(a[^0]);",
        "expected an index from 1 to 2, found `0`",
    );
    refused(
        "array [1..2] of int: a = [1, 2]; constraint c(a[^-170141183460469231731687303715884105728]);",
        "expected an index from 1 to 2, found `-170141183460469231731687303715884105728`",
    );
    let sets = "expected index sets of 2 elements, found index sets of";
    refused("array [1..2] of var int: a ^:: output_array([1..3]) = [1, 2];", &format!("{sets} 3 elements"));
    refused(
        "array [1..2] of var int: a ^:: output_array([1..170141183460469231731687303715884105727, 1..2]) = [1, 2];",
        &format!("{sets} more elements"),
    );
    refused(
        "array [1..2] of var int: a :: ^output_array([{1, 3}]) = [1, 2];",
        "expected `output_array` with an array of index sets, found `output_array([{1, 3}])`",
    );
}

#[test]
fn errors_of_syntax() {
    refused("^", "expected a declaration, `constraint` or `solve`, found the end of the file");
    refused("^minimize x;", "expected a declaration, `constraint` or `solve`, found `minimize`");
    refused("^\u{1b}[31m", "expected a declaration, `constraint` or `solve`, found `\\u{1b}`");
    refused("var ^integer: x;", "expected `bool`, `int`, `float`, `set of` or a domain, found `integer`");
    refused("var 3^: x;", "expected `..`, found `:`");
    refused("var 1..^: x;", "expected a number, found `:`");
    refused("var {1, ^x}: x;", "expected a number, found `x`");
    refused("var {1 ^2}: x;", "expected `,` or `}`, found `2`");
    refused("var int ^x;", "expected `:`, found `x`");
    refused("var int: x ^", "expected `;`, found the end of the file");
    refused("array [1..2] ^int: a = [1, 2];", "expected `of`, found `int`");
    refused("constraint c(1^;", "expected `,` or `)`, found `;`");
    refused("constraint c(^;", "expected a value, found `;`");
    refused("constraint c(^\"s\");", "expected a value, found `\"`");
    refused("constraint c() :: ^1;", "expected an annotation, found `1`");
    refused(
        "constraint c() :: a(\"x^\n\");",
        "expected `\"` at the end of the string, found the end of the line",
    );
    refused("solve ^maximise x;", "expected `satisfy`, `minimize` or `maximize`, found `maximise`");
    refused("solve satisfy; ^var int: x;", "expected the end of the file, found `var`");
    refused("constraint c(^1x);", "expected a number, found `1x`");
    refused("constraint c(^0x);", "expected a number, found `0x`");
    refused("constraint c(^0o8);", "expected a number, found `0o8`");
    refused("constraint c(1^.);", "expected `,` or `)`, found `.`");
    refused("constraint c(^-);", "expected a number, found `-`");
    refused(
        "constraint c(^170141183460469231731687303715884105728);",
        "expected an integer of at most 128 bits, found a number of 39 digits",
    );
    refused(
        "constraint c(^-0x80000000000000000000000000000001);",
        "expected an integer of at most 128 bits, found a number of 32 digits",
    );
    refused(r#"constraint c() :: a("12^\y");"#, "expected an escape such as `\\n`, found `\\`");
    refused("var 1..2 union ^3: x;", "expected a set of integers, found `3`");
    let deep = format!("constraint c() :: a({}", "[".repeat(100_000));
    let error = text::read(&deep).expect_err("an error");
    assert_eq!(error.to_string(), "expected at most 64 brackets inside each other, found `[`");
    let long = text::read(&"y".repeat(100_000)).expect_err("an error");
    assert!(long.to_string().len() < 200);
}
