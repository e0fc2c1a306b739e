//! Tests of malformed and unsupported input: the error message, and the part of the input that it points to.

use gordian_flatzinc::xcsp3;

#[track_caller]
fn refuses(text: &str, at: &str, message: &str) {
    let error = xcsp3::read(text).expect_err("an error");
    assert!(text[error.span.clone()].starts_with(at), "{error} at {:?}", &text[error.span.start..]);
    assert_eq!(error.to_string(), message);
}

#[track_caller]
fn refuses_constraint(constraint: &str, at: &str, message: &str) {
    refuses(&super::instance(3, constraint), at, message);
}

#[track_caller]
fn refuses_variable(declaration: &str, at: &str, message: &str) {
    let text = format!("<instance type=\"CSP\"><variables>{declaration}</variables></instance>");
    refuses(&text, at, message);
}

#[test]
fn documents() {
    refuses("", "", "expected an XML document, found `the document does not have a root node`");
    refuses("<a/>", "<a", "expected `<instance>`, found `<a>`");
    refuses(
        "<instance><variables/></instance>",
        "<instance",
        "expected the attribute `type` with `CSP` or `COP`, found `<instance>`",
    );
    refuses(
        "<instance type=\"CSP\"><objectives/></instance>",
        "<objectives",
        "expected no objectives in a CSP, found `<objectives>`",
    );
    let unclosed = "<instance type=\"CSP\">\n  <variables>";
    let error = xcsp3::read(unclosed).expect_err("an error");
    assert_eq!(error.expected, "an XML document");
    refuses(
        "<instance type=\"COP\"><objectives><minimize type=\"lex\"> 1 </minimize></objectives></instance>",
        "type=\"lex\"",
        "expected one of expression, sum, product, minimum, maximum, nValues, found `lex`",
    );
    refuses(
        "<instance type=\"COP\"><objectives><minimize> 1 </minimize><minimize> 2 </minimize></objectives></instance>",
        "<minimize",
        "expected a single objective, found `<minimize>`",
    );
}

#[test]
fn parts_of_documents() {
    let cop = |objectives: &str| {
        format!(
            "<instance type=\"COP\"><variables><var id=\"a\"> 1 2 </var></variables>{objectives}</instance>"
        )
    };
    let minimize = "<objectives><minimize> a </minimize></objectives>";
    let maximize = "<objectives><maximize> a </maximize></objectives>";
    refuses(
        &cop(&format!("{minimize}{maximize}")),
        "<objectives",
        "expected only one `<objectives>` in `<instance>`, found `<objectives>`",
    );
    refuses(
        &cop("<objectives/>"),
        "<objectives",
        "expected `<minimize>` or `<maximize>` in this element, found `<objectives>`",
    );
    refuses(
        &cop("<objectives><minimize type=\"sum\"><list> a </list><list> a </list></minimize></objectives>"),
        "<list",
        "expected only one `<list>` in `<minimize>`, found `<list>`",
    );
    refuses(
        &cop("<objectives><minimize type=\"sum\"><list startIndex=\"1\"> a </list></minimize></objectives>"),
        "startIndex",
        "expected an attribute of `<list>` that is supported, found the attribute `startIndex`",
    );
    refuses(
        "<instance type=\"CSP\"><variables> a </variables></instance>",
        " a ",
        "expected an element, found `a`",
    );
    // With `as`, 200 nested blocks would contain 2^200 constraints.
    refuses_constraint(
        "<block id=\"b\"> <block as=\"b\"/> <block as=\"b\"/> </block>",
        "<block",
        "expected at most 200 nested elements, found `<block>`",
    );
    let double = |i| format!("<block id=\"b{}\"> <block as=\"b{i}\"/> <block as=\"b{i}\"/> </block>", i + 1);
    let doubled: String = (0..40).map(double).collect();
    let doubled = format!("<block id=\"b0\"> <allEqual> x[] </allEqual> </block> {doubled}");
    refuses_constraint(&doubled, "<", "expected a smaller instance, found 64 elements in short form");
    refuses_constraint(
        "<allDifferent id=\"c\"> x[] </allDifferent> <allDifferent as=\"c\"> x[0] </allDifferent>",
        "as=",
        "expected no content in an element with the attribute `as`, found `c`",
    );
    refuses_constraint(
        "<allEqual id=\"c\"> x[0] </allEqual> <allEqual id=\"c\"> x[1] </allEqual> <allEqual as=\"c\"/>",
        "as=",
        "expected the `id` of one element, found `c`",
    );
}

#[test]
fn declarations() {
    refuses_variable(
        "<array id=\"a\" size=\"[3]\"><domain for=\"a[0]\"> 1 </domain><domain for=\"a[]\"> 2 </domain></array>",
        "a[]",
        "expected one domain, found two domains of `a[0]`",
    );
    refuses_variable(
        "<array id=\"a\" size=\"[3]\"><domain for=\"others\"> 1 </domain><domain for=\"others\"> 2 </domain></array>",
        "for=\"others\"",
        "expected `others` only once, found `others`",
    );
    refuses_variable(
        "<var id=\"a\" type=\"symbolic\"> b </var>",
        "type",
        "expected variables of type `integer`, found `symbolic`",
    );
    for bound in ["-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"] {
        refuses_variable(
            &format!("<var id=\"a\"> {bound} </var>"),
            bound,
            &format!("expected bounds from -2^127 + 1 to 2^127 - 2, found `{bound}`"),
        );
    }
    refuses_variable("<var id=\"a\"/>", "<var", "expected a domain: integers and intervals, found `<var>`");
    refuses_variable(
        "<var id=\"a\"> 1..x </var>",
        "x",
        "expected an integer, or an interval of integers such as `1..9`, found `x`",
    );
    refuses_variable("<var> 1 </var>", "<var", "expected an attribute `id`, found `<var>`");
    refuses_variable(
        "<var id=\"a\"> 1 </var><var id=\"a\"> 1 </var>",
        "id",
        "expected an identifier that is not used twice, found `a`",
    );
    refuses_variable("<var id=\"a\" as=\"b\"/>", "as", "expected the `id` of one element, found `b`");
    refuses_variable(
        "<var id=\"a\" as=\"a\"/>",
        "as",
        "expected an element that does not refer to itself, found `a`",
    );
    refuses_variable(
        "<array id=\"a\" size=\"[1000][1001]\"> 1 </array>",
        "size",
        "expected at most 1000000 variables, found `[1000][1001]`",
    );
    refuses_variable(
        "<array id=\"a\" size=\"3\"> 1 </array>",
        "size",
        "expected the attribute `size` with sizes such as `[3][4]`, found `3`",
    );
    refuses_variable(
        "<array id=\"a\" size=\"[3]\"><domain for=\"a[3]\"> 1 </domain></array>",
        "a[3]",
        "expected an index from 0, below 3, found the index 3",
    );
    refuses_variable(
        "<var id=\"a\"> 340282366920938463463374607431768211456 </var>",
        "3402",
        "expected an integer between -2^127 and 2^127 - 1, found `340282366920938463463374607431768211456`",
    );
}

#[test]
fn references() {
    refuses_constraint(
        "<allDifferent> y[] </allDifferent>",
        "y[]",
        "expected the name of an array, found `y`",
    );
    refuses_constraint(
        "<allDifferent> x </allDifferent>",
        "x",
        "expected indices after the name of an array, found `x`",
    );
    refuses_constraint(
        "<allDifferent> x[][] </allDifferent>",
        "x[][]",
        "expected 1, one for each dimension, found 2 indices",
    );
    refuses_constraint(
        "<allDifferent> x[2..5] </allDifferent>",
        "x[2..5]",
        "expected an index from 0, below 3, found the index 5",
    );
    refuses_constraint(
        "<allDifferent> %0 </allDifferent>",
        "%0",
        "expected arguments only in a group or a slide, found `%0`",
    );
    refuses_constraint(
        "<group> <allDifferent> %0 %1 %2 %7 </allDifferent> <args> x[] </args> </group>",
        "%7",
        "expected an index below the number of arguments, 3, found `%7`",
    );
    // The total size of expanded short forms is limited.
    let many = "<allDifferent> 1x7000000 1x7000000 </allDifferent>";
    refuses_constraint(many, "x7000000", "expected a smaller instance, found 7000000 elements in short form");
}

#[test]
fn expressions() {
    let intension = |text: &str, at: &str, message: &str| {
        refuses_constraint(&format!("<intension> {text} </intension>"), at, message);
    };
    intension("eq(x[0],1", "", "expected `)`, found the end of the text");
    intension("sin(x[0])", "sin", "expected an operator of XCSP3-core, found `sin`");
    intension("eq(x[0])", "eq(x[0])", "expected at least 2, found 1 operands of `eq`");
    intension(
        "x[0]",
        "<intension",
        "expected a Boolean one, with the values 0 and 1, found an integer expression",
    );
    intension("eq(x[0],1..3)", "<intension", "expected an integer, found a set");
    intension(
        "eq(pow(2,x[0]),1)",
        "<intension",
        "expected an exponent of at least 0, found an exponent that may be negative",
    );
    intension("eq(x[0],1) or", "or", "expected the end of the expression, found `or`");
    let big = "170141183460469231731687303715884105727";
    intension(
        &format!("eq(add(x[0],{big},{big}),0)"),
        "<intension",
        "expected smaller numbers, found a constant that exceeds 128 bits",
    );
    let deep = format!("{}x[0]{}", "neg(".repeat(300), ")".repeat(300));
    intension(&format!("eq({deep},0)"), "neg", "expected at most 200 nested operators, found `neg`");
}

#[test]
fn constraints() {
    refuses_constraint(
        "<stretch/>",
        "<stretch",
        "expected a constraint that is supported, found `<stretch>`",
    );
    refuses_constraint(
        "<sum> <list> x[] </list> <cost> 1 </cost> </sum>",
        "<cost",
        "expected an element of `<sum>` that is supported, found `<cost>`",
    );
    refuses_constraint(
        "<intension reifiedBy=\"x[0]\"> eq(x[1],1) </intension>",
        "reifiedBy",
        "expected an attribute of `<intension>` that is supported, found the attribute `reifiedBy`",
    );
    refuses_constraint(
        "<sum> <list> x[] </list> </sum>",
        "<sum",
        "expected `<condition>` in this element, found `<sum>`",
    );
    refuses_constraint(
        "<sum> <list> x[] </list> <condition> (eq,1..2) </condition> </sum>",
        "1..2",
        "expected an operand that fits `eq`, found `1..2`",
    );
    refuses_constraint(
        "<sum> <list> x[] </list> <condition> (almost,1) </condition> </sum>",
        "almost",
        "expected one of lt, le, ge, gt, ne, eq, in, notin, found `almost`",
    );
    refuses_constraint(
        "<extension> <list> x[0..1] </list> <supports> (1,2)(3) </supports> </extension>",
        ")",
        "expected `,`, found `)`",
    );
    refuses_constraint(
        "<extension> <list> x[0..1] </list> <supports> (1,ge(2)) </supports> </extension>",
        "ge",
        "expected an integer or `*`, found `ge`",
    );
    refuses_constraint(
        "<instantiation> <list> x[] </list> <values> 1 2 </values> </instantiation>",
        "<values",
        "expected 3 values, one for each variable, found `<values>`",
    );
    refuses_constraint(
        "<cumulative> <origins> x[] </origins> <lengths> x[] </lengths> <heights> 1x3 </heights>\
         <condition> (le,2) </condition> </cumulative>",
        "<lengths",
        "expected values of at least 0 in this element, found `<lengths>`",
    );
    refuses_constraint(
        "<group> <allEqual> x[] </allEqual> <sum/> </group>",
        "<sum",
        "expected `<args>`, found `<sum>`",
    );
    refuses_constraint("<sum> text <list> x[] </list> </sum>", " text", "expected an element, found `text`");
    let nested = format!("{}{}", "<block>".repeat(300), "</block>".repeat(300));
    refuses_constraint(&nested, "<block", "expected at most 200 nested elements, found `<block>`");
}

#[test]
fn unread_parts() {
    refuses_constraint("<clause/>", "<clause", "expected `<list>` in this element, found `<clause>`");
    refuses_constraint(
        "<element> <list> x[] </list> <index> 0 </index> </element>",
        "<element",
        "expected `<value>` or `<condition>` in this element, found `<element>`",
    );
    refuses_constraint(
        "<element> <list> x[] </list> <value> 1 </value> <condition> (eq,1) </condition> </element>",
        "<condition",
        "expected only one of `<value>` or `<condition>` in `<element>`, found `<condition>`",
    );
    refuses_constraint(
        "<sum> <list> x[] </list> <condition> (le,1) </condition> <list> x[] </list> </sum>",
        "<list",
        "expected only one `<list>` in `<sum>`, found `<list>`",
    );
    refuses_constraint(
        "<circuit startIndex=\"1\"> <list> x[] </list> </circuit>",
        "startIndex",
        "expected an attribute of `<circuit>` that is supported, found the attribute `startIndex`",
    );
    refuses_constraint(
        "<ordered case=\"increasing\"> <list> x[] </list> <operator> lt </operator> </ordered>",
        "<operator",
        "expected either `<operator>` or the attribute `case`, found `<operator>`",
    );
    refuses_constraint(
        "<ordered> <list> x[] </list> <operator> lt le </operator> </ordered>",
        "<operator",
        "expected one of lt, le, ge, gt in this element, found `<operator>`",
    );
    refuses_constraint(
        "<ordered> <list> x[] </list> <lengths> 1 1 1 </lengths> <operator> lt </operator> </ordered>",
        "<lengths",
        "expected a length for each item except the last, found `<lengths>`",
    );
    refuses_constraint(
        "<precedence covered=\"true\"> <list> x[] </list> <values covered=\"false\"> 1 </values> </precedence>",
        "covered=\"false\"",
        "expected the attribute `covered` only once, found `false`",
    );
    refuses_constraint(
        "<knapsack> <list> x[] </list> <profits> 1x3 </profits> <limit> 1 </limit> <weights> 1x3 </weights>\
         <condition> (ge,1) </condition> </knapsack>",
        "<limit",
        "expected `<weights>` or `<profits>` before this element, found `<limit>`",
    );
    refuses_constraint(
        "<allEqual> <list> x[] </list> <list> x[0] </list> </allEqual>",
        "<allEqual",
        "expected lists of the same length, found `<allEqual>`",
    );
    refuses_constraint(
        "<group> <intension> eq(%1,1) </intension> <args> x[0] x[1] </args> </group>",
        "<args",
        "expected a template that uses each argument, found 2 arguments and a template without `%0`",
    );
    refuses_constraint(
        "<slide> <list collect=\"2\"> x[] </list> <intension> eq(%0,1) </intension> </slide>",
        "<slide",
        "expected a template that uses each argument, found 2 arguments and a template without `%1`",
    );
    refuses_constraint(
        "<slide> <list offset=\"0\"> x[] </list> <intension> eq(%0,1) </intension> </slide>",
        "offset",
        "expected a positive integer, found `0`",
    );
    refuses_constraint("<block> x[0] </block>", " x[0]", "expected an element, found `x[0]`");
}
