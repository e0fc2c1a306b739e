//! The reader of texts inside XML elements: lists of integers, variables and expressions, tuples, and conditions.

use std::ops::Range;
use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::element::MAX_DEPTH;
use super::error::{ReadError, Result, error, quoting};
use super::expr::{Expr, Op};
use super::variables::{Index, Variables};
use crate::instance::BOUNDS;

/// The arguments of a group or slide, which replace `%0`, `%1` and `%...` in its template.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Arguments<'a> {
    /// All arguments of the group; `None` outside groups.
    pub(super) all: Option<&'a [Expr]>,
    /// The number of arguments that the template refers to by index. In the template, `%...` stands for the remaining
    /// arguments.
    pub(super) indexed: usize,
}

/// A condition `(op,operand)`, which compares a value with the operand.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) op: Op,
    pub(super) operand: Expr,
}

impl Condition {
    /// Returns a Boolean expression that is true if and only if a value satisfies the condition.
    pub(super) fn of(&self, value: Expr) -> Expr {
        Expr::binary(self.op, value, self.operand.clone())
    }
}

/// A reader of the text of an XML element, from left to right.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    /// The offset of the text in the document.
    start: usize,
    pub(super) at: usize,
    pub(super) variables: &'a Variables,
    arguments: Arguments<'a>,
    depth: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(
        text: &'a str,
        start: usize,
        variables: &'a Variables,
        arguments: Arguments<'a>,
    ) -> Self {
        Self { text, start, at: 0, variables, arguments, depth: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips blanks. Returns whether the scanner has reached the end of the text.
    pub(super) fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    pub(super) fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub(super) fn expect(&mut self, c: char) -> Result<()> {
        self.skip_blanks();
        if self.eat(c) { Ok(()) } else { Err(self.unexpected(&format!("`{c}`"))) }
    }

    pub(super) fn span(&self, from: usize) -> Range<usize> {
        self.start + from..self.start + self.at
    }

    /// Returns an error about the word at the current position.
    pub(super) fn unexpected(&self, expected: &str) -> ReadError {
        let rest = self.rest();
        let after = rest.char_indices().skip(1).find(|&(_, c)| c.is_whitespace() || ",()[]".contains(c));
        let word = &rest[..after.map_or(rest.len(), |(end, _)| end)];
        let place = self.start + self.at;
        if word.is_empty() {
            error(place..place, "the end of the text", expected)
        } else {
            quoting(place..place + word.len(), word, expected)
        }
    }

    pub(super) fn while_matches(&mut self, matches: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !matches(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Reads an integer, or returns `None` if the next characters are not an integer.
    pub(super) fn integer(&mut self) -> Result<Option<Value>> {
        let from = self.at;
        if !self.eat('-') {
            self.eat('+');
        }
        if self.while_matches(|c| c.is_ascii_digit()).is_empty() {
            self.at = from;
            return Ok(None);
        }
        let word = &self.text[from..self.at];
        let number = word
            .parse()
            .map_err(|_| quoting(self.span(from), word, "an integer between -2^127 and 2^127 - 1"))?;
        Ok(Some(number))
    }

    pub(super) fn some_integer(&mut self) -> Result<Value> {
        self.integer()?.ok_or_else(|| self.unexpected("an integer"))
    }

    /// Reads the rest of an interval after its first value: `..` and the last value. If there is no `..`, returns
    /// `None`.
    fn interval(&mut self, first: Value) -> Result<Option<Domain>> {
        if !self.rest().starts_with("..") {
            return Ok(None);
        }
        self.at += 2;
        Ok(Some(Domain::interval(first, self.some_integer()?)))
    }

    /// Reads the values of a domain: integers and intervals. Infinite bounds of intervals are `None`.
    pub(super) fn domain(&mut self) -> Result<Vec<(Option<Value>, Option<Value>)>> {
        let mut intervals = Vec::new();
        while !self.at_end() {
            let first = self.bound("-infinity")?;
            let last = if self.rest().starts_with("..") {
                self.at += 2;
                self.bound("+infinity")?
            } else if first.is_some() {
                first
            } else {
                return Err(self.unexpected("`..`"));
            };
            intervals.push((first, last));
            self.end_of_word("an integer or an interval")?;
        }
        Ok(intervals)
    }

    fn bound(&mut self, infinity: &str) -> Result<Option<Value>> {
        if self.rest().starts_with(infinity) {
            self.at += infinity.len();
            return Ok(None);
        }
        let message = "an integer, or an interval of integers such as `1..9`";
        let from = self.at;
        match self.integer()? {
            Some(Value::MIN | Value::MAX) => Err(quoting(self.span(from), &self.text[from..self.at], BOUNDS)),
            value => value.map(Some).ok_or_else(|| self.unexpected(message)),
        }
    }

    fn end_of_word(&self, expected: &str) -> Result<()> {
        match self.peek() {
            Some(c) if !c.is_whitespace() => Err(self.unexpected(expected)),
            _ => Ok(()),
        }
    }

    /// Reads integer constants. The wildcard `*` becomes `None`.
    pub(super) fn constants(&mut self) -> Result<Vec<Option<Value>>> {
        let (mut constants, mut items) = (Vec::new(), Vec::new());
        while !self.at_end() {
            let from = self.at;
            if self.eat('*') {
                for _ in 0..self.repetitions()? {
                    constants.push(None);
                }
            } else {
                self.item(&mut items)?;
                for item in items.drain(..) {
                    let Expr::Int(value) = item else {
                        return Err(quoting(self.span(from), &self.text[from..self.at], "an integer or `*`"));
                    };
                    constants.push(Some(value));
                }
            }
            self.end_of_word("a blank")?;
        }
        Ok(constants)
    }

    /// Reads the number of repetitions after an integer, or returns 1 if there is none: `3x4` is short for `3 3 3 3`.
    fn repetitions(&mut self) -> Result<usize> {
        let from = self.at;
        if !self.eat('x') {
            return Ok(1);
        }
        let Some(count) = self.integer()?.and_then(|count| usize::try_from(count).ok()) else {
            return Err(self.unexpected("a number of repetitions"));
        };
        self.variables.expand(count, self.span(from))?;
        Ok(count)
    }

    /// Reads expressions that are separated by blanks, and expands short forms such as `x[]` and `%...`.
    pub(super) fn items(&mut self) -> Result<Vec<Expr>> {
        let mut items = Vec::new();
        while !self.at_end() {
            self.item(&mut items)?;
            self.end_of_word("a blank")?;
        }
        Ok(items)
    }

    /// Reads one expression, which must extend to the end of the text.
    pub(super) fn whole(&mut self) -> Result<Expr> {
        self.skip_blanks();
        let expr = self.expr()?;
        if self.at_end() { Ok(expr) } else { Err(self.unexpected("the end of the expression")) }
    }

    /// Reads a single expression. An abbreviation for several expressions is an error.
    pub(super) fn expr(&mut self) -> Result<Expr> {
        self.skip_blanks();
        let from = self.at;
        let mut items = Vec::new();
        self.item(&mut items)?;
        match items.pop() {
            Some(expr) if items.is_empty() => Ok(expr),
            _ => Err(quoting(self.span(from), &self.text[from..self.at], "a single value")),
        }
    }

    /// Reads the next expression, expands it, and appends the result to `items`.
    pub(super) fn item(&mut self, items: &mut Vec<Expr>) -> Result<()> {
        let from = self.at;
        if let Some(value) = self.integer()? {
            if let Some(interval) = self.interval(value)? {
                items.push(Expr::Set(Arc::new(interval)));
            } else {
                for _ in 0..self.repetitions()? {
                    items.push(Expr::Int(value));
                }
            }
            return Ok(());
        }
        if self.eat('%') {
            return self.argument(from, items);
        }
        let name = self.while_matches(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() {
            return Err(self.unexpected("an integer, a variable or an expression"));
        }
        match self.peek() {
            Some('(') => items.push(self.apply(name, from)?),
            Some('[') => {
                let mut indices = Vec::new();
                while self.eat('[') {
                    indices.push(self.index()?);
                }
                self.variables.elements(name, &indices, self.span(from), items)?;
            }
            _ => items.push(Expr::Var(self.variables.single(name, self.span(from))?)),
        }
        Ok(())
    }

    /// Reads the indices in a reference to array elements, such as `x[0..2][]`.
    pub(super) fn reference(&mut self, name: &str) -> Result<(Vec<Index>, Range<usize>)> {
        self.skip_blanks();
        let from = self.at;
        if self.while_matches(|c| c.is_alphanumeric() || c == '_') != name {
            self.at = from;
            return Err(self.unexpected(&format!("`{name}` with indices")));
        }
        let mut indices = Vec::new();
        while self.eat('[') {
            indices.push(self.index()?);
        }
        Ok((indices, self.span(from)))
    }

    /// Reads an array index and the closing bracket after it.
    fn index(&mut self) -> Result<Index> {
        self.skip_blanks();
        if self.eat(']') {
            return Ok(Index::All);
        }
        let first = self.some_integer()?;
        let index = match self.interval(first)? {
            Some(interval) if interval.is_empty() => return Err(self.unexpected("a non-empty interval")),
            Some(interval) => Index::Interval(interval.min(), interval.max()),
            None => Index::One(first),
        };
        self.expect(']')?;
        Ok(index)
    }

    /// Reads the rest of a parameter such as `%0` or `%...` after the percent sign.
    fn argument(&mut self, from: usize, items: &mut Vec<Expr>) -> Result<()> {
        let dots = self.rest().starts_with("...");
        let index = if dots {
            self.at += 3;
            None
        } else {
            Some(self.some_integer()?)
        };
        let span = self.span(from);
        let word = &self.text[from..self.at];
        let Some(all) = self.arguments.all else {
            return Err(quoting(span, word, "arguments only in a group or a slide"));
        };
        if let Some(index) = index {
            let argument = usize::try_from(index).ok().and_then(|index| all.get(index));
            let expected = || format!("an index below the number of arguments, {}", all.len());
            items.push(argument.ok_or_else(|| quoting(span, word, expected()))?.clone());
        } else {
            let rest = all.get(self.arguments.indexed..).unwrap_or_default();
            self.variables.expand(rest.len(), span)?;
            items.extend_from_slice(rest);
        }
        Ok(())
    }

    /// Reads expressions that are separated by commas, and the character `end` after them.
    pub(super) fn operands(&mut self, end: char) -> Result<Vec<Expr>> {
        let mut operands = Vec::new();
        self.skip_blanks();
        if self.eat(end) {
            return Ok(operands);
        }
        loop {
            self.skip_blanks();
            self.item(&mut operands)?;
            self.skip_blanks();
            if !self.eat(',') {
                self.expect(end)?;
                return Ok(operands);
            }
        }
    }

    /// Reads an operator's operands, with their parentheses.
    fn apply(&mut self, name: &str, from: usize) -> Result<Expr> {
        let Some((op, least, most)) = Op::find(name) else {
            return Err(quoting(self.span(from), name, "an operator of XCSP3-core"));
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} nested operators");
            return Err(quoting(self.span(from), name, expected));
        }
        self.expect('(')?;
        let operands = self.operands(')')?;
        self.depth -= 1;
        if operands.len() < least || operands.len() > most {
            let found = format!("{} operands of `{name}`", operands.len());
            let expected = if least == most { format!("{least}") } else { format!("at least {least}") };
            return Err(error(self.span(from), found, expected));
        }
        Ok(if op == Op::Set { set(operands) } else { Expr::Apply(op, operands) })
    }
}

/// Returns the set that consists of the operands. If all operands are constants or intervals, the result is a set of
/// constants.
pub(super) fn set(operands: Vec<Expr>) -> Expr {
    let constant = |operand: &Expr| match operand {
        Expr::Int(value) => Some(vec![(*value, *value)]),
        Expr::Set(values) => Some(values.intervals().collect()),
        _ => None,
    };
    match operands.iter().map(constant).collect::<Option<Vec<_>>>() {
        Some(intervals) => Expr::Set(Arc::new(Domain::from_intervals(intervals.into_iter().flatten()))),
        None => Expr::Apply(Op::Set, operands),
    }
}
