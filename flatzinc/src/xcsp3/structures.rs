//! The reader of texts with parentheses: tuples, matrices, tables, transitions and conditions.

use gordian_encodings::Value;

use super::error::{Result, quoting};
use super::expr::{Expr, Op};
use super::text::{Condition, Scanner, set};

impl<'a> Scanner<'a> {
    /// Reads a matrix: rows `(1,2)(3,4)`, or an array with two dimensions such as `x[][]`.
    pub(super) fn matrix(&mut self) -> Result<Vec<Vec<Expr>>> {
        if self.at_end() || self.peek() == Some('(') {
            return self.tuples();
        }
        let from = self.at;
        let mut items = Vec::new();
        self.item(&mut items)?;
        let word = &self.text[from..self.at];
        let name = word.split('[').next().unwrap_or_default();
        self.at = from;
        let (indices, span) = self.reference(name)?;
        match self.variables.shape(name, &indices) {
            Some((rows, columns)) if columns > 0 && rows * columns == items.len() && self.at_end() => {
                Ok(items.chunks(columns).map(<[Expr]>::to_vec).collect())
            }
            _ => Err(quoting(span, word, "a single reference to two dimensions of an array")),
        }
    }

    /// Reads tuples `(1,2)(3,4)` of expressions.
    pub(super) fn tuples(&mut self) -> Result<Vec<Vec<Expr>>> {
        let mut tuples = Vec::new();
        while !self.at_end() {
            self.expect('(')?;
            tuples.push(self.operands(')')?);
        }
        Ok(tuples)
    }

    /// Reads the rows of a table with the given number of columns. The wildcard `*` becomes `None`.
    pub(super) fn table(&mut self, columns: usize) -> Result<Vec<Option<Value>>> {
        let mut entries = Vec::new();
        while !self.at_end() {
            self.expect('(')?;
            for column in 0..columns {
                if column > 0 {
                    self.expect(',')?;
                }
                self.skip_blanks();
                let value = if self.eat('*') { None } else { self.integer()? };
                if value.is_none() && !self.text[..self.at].ends_with('*') {
                    return Err(self.unexpected("an integer or `*`"));
                }
                entries.push(value);
            }
            self.skip_blanks();
            if !self.eat(')') {
                return Err(self.unexpected(&format!("`)` after {columns} values")));
            }
        }
        Ok(entries)
    }

    /// Reads the transitions of an automaton, such as `(a,0,b)`.
    pub(super) fn transitions(&mut self) -> Result<Vec<(&'a str, Value, &'a str)>> {
        let mut transitions = Vec::new();
        while !self.at_end() {
            self.expect('(')?;
            let from = self.state()?;
            self.expect(',')?;
            self.skip_blanks();
            let label = self.some_integer()?;
            self.expect(',')?;
            transitions.push((from, label, self.state()?));
            self.expect(')')?;
        }
        Ok(transitions)
    }

    /// Reads the name of a state of an automaton.
    pub(super) fn state(&mut self) -> Result<&'a str> {
        self.skip_blanks();
        match self.while_matches(|c| !c.is_whitespace() && !"(),".contains(c)) {
            "" => Err(self.unexpected("the name of a state")),
            name => Ok(name),
        }
    }

    /// Reads conditions such as `(le,5)` or `(in,{1,3})`.
    pub(super) fn conditions(&mut self) -> Result<Vec<Condition>> {
        let mut conditions = Vec::new();
        while !self.at_end() {
            self.expect('(')?;
            self.skip_blanks();
            let from = self.at;
            let name = self.while_matches(|c| c.is_ascii_alphabetic());
            let op = Op::find(name).map(|row| row.0);
            let op = op.filter(|op| op.is_comparison() || matches!(op, Op::In | Op::NotIn));
            let Some(op) = op else {
                let expected = "one of lt, le, ge, gt, ne, eq, in, notin";
                return Err(quoting(self.span(from), name, expected));
            };
            self.expect(',')?;
            self.skip_blanks();
            let from = self.at;
            let operand = if self.eat('{') { self.braces()? } else { self.expr()? };
            if matches!(operand, Expr::Set(_)) != matches!(op, Op::In | Op::NotIn) {
                let expected = format!("an operand that fits `{name}`");
                return Err(quoting(self.span(from), &self.text[from..self.at], expected));
            }
            self.expect(')')?;
            conditions.push(Condition { op, operand });
        }
        Ok(conditions)
    }

    fn braces(&mut self) -> Result<Expr> {
        match set(self.operands('}')?) {
            constant @ Expr::Set(_) => Ok(constant),
            _ => Err(self.unexpected("a set of integers before this")),
        }
    }
}
