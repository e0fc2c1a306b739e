//! Random constraints, each as a text and a predicate.

use gordian_encodings::Value;

/// A sequence of random choices. proptest shrinks the choices towards 0.
pub(super) struct Choices<'a>(pub(super) &'a [u32]);

impl Choices<'_> {
    /// Returns a random number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first as usize % n
    }

    pub(super) fn from(&mut self, first: Value, last: Value) -> Value {
        first + self.below((last - first + 1) as usize) as Value
    }

    pub(super) fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub(super) fn pick<'b, T>(&mut self, of: &'b [T]) -> &'b T {
        &of[self.below(of.len())]
    }

    /// Returns a list of `n` random numbers.
    pub(super) fn numbers(&mut self, n: usize, first: Value, last: Value) -> Vec<Value> {
        (0..n).map(|_| self.from(first, last)).collect()
    }
}

/// A predicate on the values of the array `x`.
pub(super) type Meaning = Box<dyn Fn(&[Value]) -> bool>;

/// A function that returns the value of an expression, or `None` if it is undefined.
pub(super) type Function = Box<dyn Fn(&[Value]) -> Option<Value>>;

/// A predicate on a value and the values of the array `x`.
pub(super) type Predicate = Box<dyn Fn(Value, &[Value]) -> bool>;

/// Returns a random variable or constant, with its text.
pub(super) fn operand(choices: &mut Choices, n: usize) -> (String, Function) {
    if choices.flip() {
        let i = choices.below(n);
        (format!("x[{i}]"), Box::new(move |v| Some(v[i])))
    } else {
        let k = choices.from(-2, 4);
        (k.to_string(), Box::new(move |_| Some(k)))
    }
}

pub(super) fn compares(op: &str, a: Value, b: Value) -> bool {
    match op {
        "lt" => a < b,
        "le" => a <= b,
        "ge" => a >= b,
        "gt" => a > b,
        "ne" => a != b,
        _ => a == b,
    }
}

pub(super) const COMPARISONS: [&str; 6] = ["eq", "le", "lt", "ge", "gt", "ne"];

/// Returns a random condition, as its text and its predicate.
pub(super) fn condition(choices: &mut Choices, n: usize) -> (String, Predicate) {
    match choices.below(4) {
        0 | 1 => {
            let op = *choices.pick(&COMPARISONS);
            let (text, value) = operand(choices, n);
            (format!("({op},{text})"), Box::new(move |a, v| compares(op, a, value(v).unwrap())))
        }
        2 => {
            let first = choices.from(-1, 3);
            let last = first + choices.from(0, 3);
            (format!("(in,{first}..{last})"), Box::new(move |a, _| (first..=last).contains(&a)))
        }
        _ => {
            let set = choices.numbers(3, -1, 5);
            let text = join(&set, ",");
            (format!("(notin,{{{text}}})"), Box::new(move |a, _| !set.contains(&a)))
        }
    }
}

pub(super) fn join<T: ToString>(items: &[T], between: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

fn apply(op: &str, operands: &[(String, Function)]) -> String {
    let texts: Vec<&str> = operands.iter().map(|operand| &operand.0[..]).collect();
    format!("{op}({})", texts.join(","))
}

/// The operators of integer expressions.
const INTEGER: [&str; 16] = [
    "add", "sub", "mul", "min", "max", "dist", "neg", "abs", "sqr", "pow", "div", "mod", "if", "bool", "add",
    "leaf",
];

/// Returns a random integer expression.
pub(super) fn integer(choices: &mut Choices, n: usize, depth: usize) -> (String, Function) {
    if depth == 0 {
        return operand(choices, n);
    }
    let op = *choices.pick(&INTEGER);
    let depth = depth - 1;
    match op {
        "leaf" => operand(choices, n),
        "bool" => {
            let (text, meaning) = boolean(choices, n, depth);
            (text, Box::new(move |v| Some(Value::from(meaning(v)))))
        }
        "if" => {
            let (condition, holds) = boolean(choices, n, depth);
            let (yes, no) = (integer(choices, n, depth), integer(choices, n, depth));
            let text = format!("if({condition},{},{})", yes.0, no.0);
            (text, Box::new(move |v| if holds(v) { yes.1(v) } else { no.1(v) }))
        }
        "pow" => {
            let (base, k) = (integer(choices, n, depth), choices.from(0, 3));
            (format!("pow({},{k})", base.0), Box::new(move |v| Some(base.1(v)?.pow(k as u32))))
        }
        "neg" | "abs" | "sqr" => {
            let of = integer(choices, n, depth);
            let text = format!("{op}({})", of.0);
            (
                text,
                Box::new(move |v| {
                    let a = of.1(v)?;
                    Some(match op {
                        "neg" => -a,
                        "abs" => a.abs(),
                        _ => a * a,
                    })
                }),
            )
        }
        _ => {
            let count = if ["sub", "dist", "div", "mod"].contains(&op) { 2 } else { 1 + choices.below(3) };
            let operands: Vec<_> = (0..count).map(|_| integer(choices, n, depth)).collect();
            let text = apply(op, &operands);
            (
                text,
                Box::new(move |v| {
                    let values = operands.iter().map(|of| of.1(v)).collect::<Option<Vec<Value>>>()?;
                    let all = values.iter().copied();
                    match op {
                        "add" => Some(all.sum()),
                        "mul" => Some(all.product()),
                        "min" => all.min(),
                        "max" => all.max(),
                        "sub" => Some(values[0] - values[1]),
                        "dist" => Some((values[0] - values[1]).abs()),
                        "div" => values[0].checked_div(values[1]),
                        _ => values[0].checked_rem(values[1]),
                    }
                }),
            )
        }
    }
}

/// Returns a random Boolean expression.
pub(super) fn boolean(choices: &mut Choices, n: usize, depth: usize) -> (String, Meaning) {
    const OPS: [&str; 10] = ["compare", "compare", "not", "and", "or", "xor", "iff", "imp", "in", "eq"];
    let op = if depth == 0 { "compare" } else { *choices.pick(&OPS) };
    let depth = depth.saturating_sub(1);
    match op {
        "compare" => {
            let op = *choices.pick(&COMPARISONS);
            let (left, right) = (integer(choices, n, depth), integer(choices, n, depth));
            (
                format!("{op}({},{})", left.0, right.0),
                Box::new(move |v| left.1(v).zip(right.1(v)).is_some_and(|(a, b)| compares(op, a, b))),
            )
        }
        "eq" => {
            let operands: Vec<_> = (0..3).map(|_| integer(choices, n, depth)).collect();
            (
                apply("eq", &operands),
                Box::new(move |v| {
                    let values = operands.iter().map(|of| of.1(v)).collect::<Option<Vec<_>>>();
                    values.is_some_and(|values| values.iter().all(|&a| a == values[0]))
                }),
            )
        }
        "in" => {
            let of = integer(choices, n, depth);
            let set = choices.numbers(2, -1, 4);
            let name = if choices.flip() { "in" } else { "notin" };
            let text = format!("{name}({},set({}))", of.0, join(&set, ","));
            (text, Box::new(move |v| of.1(v).is_some_and(|a| set.contains(&a) == (name == "in"))))
        }
        _ => {
            let count = match op {
                "not" => 1,
                "imp" => 2,
                _ => 2 + choices.below(2),
            };
            let operands: Vec<_> = (0..count).map(|_| boolean(choices, n, depth)).collect();
            let texts: Vec<&str> = operands.iter().map(|operand| &operand.0[..]).collect();
            (
                format!("{op}({})", texts.join(",")),
                Box::new(move |v| {
                    let values: Vec<bool> = operands.iter().map(|of| of.1(v)).collect();
                    match op {
                        "not" => !values[0],
                        "and" => values.iter().all(|&a| a),
                        "or" => values.iter().any(|&a| a),
                        "imp" => !values[0] || values[1],
                        "xor" => values.iter().filter(|&&a| a).count() % 2 == 1,
                        _ => values.iter().all(|&a| a == values[0]),
                    }
                }),
            )
        }
    }
}
