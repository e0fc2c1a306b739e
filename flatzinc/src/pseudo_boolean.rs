//! Pseudo-Boolean formulas: OPB and WBO, the formats of the pseudo-Boolean competitions.
//!
//! A formula has linear constraints over literals, as in `+2 x1 -3 ~x2 >= -1 ;`, and optionally an objective, as in
//! `min: 1 x1 2 x2 ;`. Instead of a literal, a term may have a product of literals, as in `5 x1 ~x2`. In WBO, the line
//! `soft: TOP ;` announces soft constraints such as `[3] 1 x1 1 x2 >= 1 ;`, which cost 3 if they are violated. The cost must
//! be less than `TOP`, if this number is given.
//!
//! The reader also accepts `<=`, `max:`, and names of constraints, as in `@rule 1 x1 >= 1 ;`.
//!
//! Paper: Roussel, Manquinho: [Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
//! Solvers](https://www.cril.univ-artois.fr/PB24/OPBgeneral.pdf), 2012.

use std::collections::HashMap;
use std::ops::Range;

use gordian_encodings::constraint::Comparison;
use gordian_encodings::{Sense, Value, tick};

use crate::cursor::{ReadError, quote};
use crate::formula::{FormulaBuilder, FormulaLit, MAX_UNUSED};
use crate::instance::{Instance, Place, VarId};

/// The expected input where a sum is too large.
const SMALLER: &str = "numbers whose absolute values add up to at most 2^120";

/// Reads a formula in OPB or WBO.
///
/// # Errors
/// Returns an error if the text is malformed, or if numbers are too large.
pub fn read(text: &str) -> Result<Instance, ReadError> {
    let mut reader = Reader {
        text,
        at: 0,
        end: 0,
        header: None,
        builder: FormulaBuilder::default(),
        names: HashMap::new(),
        order: Vec::new(),
        objective: None,
        soft: None,
    };
    reader.skip();
    while reader.peek().is_some() {
        reader.statement()?;
    }
    reader.finish()
}

/// The terms of a sum.
type Terms = Vec<(Value, FormulaLit)>;

/// The line `soft: TOP ;`.
struct Soft {
    span: Range<usize>,
    top: Option<Value>,
}

struct Reader<'a> {
    text: &'a str,
    /// The offset of the next token.
    at: usize,
    /// The offset of the end of the last token.
    end: usize,
    /// The number of variables that the header declares, and its location.
    header: Option<(usize, Range<usize>)>,
    builder: FormulaBuilder,
    names: HashMap<&'a str, VarId>,
    /// The variables in the order of their first occurrences.
    order: Vec<(&'a str, VarId)>,
    objective: Option<(Sense, Terms, Range<usize>)>,
    soft: Option<Soft>,
}

/// Returns whether a byte may be part of a name. Names start with a letter or `_`.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_[]{}^@.#,-".contains(&byte) || !byte.is_ascii()
}

impl<'a> Reader<'a> {
    fn bytes(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().first().copied()
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            match self.peek() {
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b'*') => {
                    let rest = self.bytes();
                    let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                    self.comment(self.at..self.at + length);
                    self.at += length;
                }
                _ => return,
            }
        }
    }

    /// Reads the number of variables if the comment is the header, as in `* #variable= 3 #constraint= 2`.
    fn comment(&mut self, span: Range<usize>) {
        tick(span.len() as u64 / 8);
        let words = self.text[span.clone()].strip_prefix('*').map(str::trim_start);
        let Some(rest) = words.and_then(|words| words.strip_prefix("#variable=")) else { return };
        let number = rest.split_whitespace().next().unwrap_or_default();
        if self.header.is_none()
            && let Ok(number) = number.parse()
        {
            let start = span.end - rest.trim_start().len();
            self.header = Some((number, start..start + number.to_string().len()));
        }
    }

    /// Consumes `length` bytes, then white space and comments.
    fn advance(&mut self, length: usize) {
        tick(1);
        self.at += length;
        self.end = self.at;
        self.skip();
    }

    /// Returns an error whose location is the next word.
    fn error(&self, expected: impl Into<String>) -> ReadError {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else {
            return ReadError::new(self.at..self.at, expected.into(), "the end of the file");
        };
        let is_end = |c: char| c.is_whitespace() || ";[]".contains(c);
        let length = match rest.find(is_end).unwrap_or(rest.len()) {
            0 => first.len_utf8(),
            length => length,
        };
        ReadError::new(self.at..self.at + length, expected.into(), quote(&rest[..length]))
    }

    fn accept(&mut self, token: &str) -> bool {
        let accepted = self.bytes().starts_with(token.as_bytes());
        if accepted {
            self.advance(token.len());
        }
        accepted
    }

    fn require(&mut self, token: &str, expected: &str) -> Result<(), ReadError> {
        if self.accept(token) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Consumes `word` and the colon that follows.
    fn accept_keyword(&mut self, word: &str) -> bool {
        let Some(rest) = self.bytes().strip_prefix(word.as_bytes()) else { return false };
        let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let accepted = rest.get(space) == Some(&b':');
        if accepted {
            self.advance(word.len() + space + 1);
        }
        accepted
    }

    fn name(&mut self) -> Option<&'a str> {
        let rest = self.bytes();
        let starts =
            rest.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii());
        let length = rest.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(rest.len());
        let name = starts.then(|| &self.text[self.at..self.at + length])?;
        self.advance(length);
        Some(name)
    }

    fn is_integer(&self) -> bool {
        matches!(self.peek(), Some(b'+' | b'-' | b'0'..=b'9'))
    }

    fn integer(&mut self, expected: &str) -> Result<Value, ReadError> {
        let rest = self.bytes();
        let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b";]<>=~*".contains(byte);
        if digits == 0 || !rest.get(sign + digits).is_none_or(ends) {
            return Err(self.error(expected));
        }
        let written = &self.text[self.at..self.at + sign + digits];
        let Ok(value) = written.parse() else {
            let found = format!("a number of {digits} digits");
            return Err(ReadError::new(self.at..self.at + written.len(), SMALLER, found));
        };
        self.advance(written.len());
        Ok(value)
    }

    fn variable(&mut self, name: &'a str) -> VarId {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let variable = self.builder.variable(name);
        self.names.insert(name, variable);
        self.order.push((name, variable));
        variable
    }

    /// Reads a literal, if the next token is one.
    fn literal(&mut self) -> Result<Option<FormulaLit>, ReadError> {
        let is_positive = !self.accept("~");
        match self.name() {
            Some(name) => Ok(Some(FormulaLit { variable: self.variable(name), is_positive })),
            None if is_positive => Ok(None),
            None => Err(self.error("a variable after `~`")),
        }
    }

    /// Reads terms: a coefficient and one literal, or a product of several literals, each.
    fn terms(&mut self) -> Result<Terms, ReadError> {
        let mut terms = Vec::new();
        while self.is_integer() {
            let factor = self.integer("a coefficient")?;
            let Some(first) = self.literal()? else {
                return Err(self.error("a literal such as `x1` or `~x1` after the coefficient"));
            };
            let mut next = self.literal()?;
            if next.is_none() {
                terms.push((factor, first));
                continue;
            }
            let mut product = vec![first];
            while let Some(lit) = next {
                product.push(lit);
                next = self.literal()?;
            }
            if let Some(lit) = self.builder.product(product) {
                terms.push((factor, lit));
            }
        }
        Ok(terms)
    }

    fn statement(&mut self) -> Result<(), ReadError> {
        let start = self.at;
        for (word, sense) in [("min", Sense::Minimise), ("max", Sense::Maximise)] {
            if self.accept_keyword(word) {
                if self.objective.is_some() {
                    return Err(ReadError::new(start..self.end, "one objective", "another one"));
                }
                self.builder.at(Place(start), None);
                let terms = self.terms()?;
                self.require(";", "a term such as `2 x1`, or `;`")?;
                self.objective = Some((sense, terms, start..self.end));
                return Ok(());
            }
        }
        if self.accept_keyword("soft") {
            if self.soft.is_some() {
                return Err(ReadError::new(start..self.end, "one line `soft: TOP ;`", "another one"));
            }
            let expected = "the number that limits the cost, or `;`";
            let top = if self.accept(";") { None } else { Some(self.integer(expected)?) };
            if top.is_some() {
                self.require(";", "`;`")?;
            }
            self.soft = Some(Soft { span: start..self.end, top });
            return Ok(());
        }
        let mut label = None;
        if self.accept("@") {
            label = Some(self.name().ok_or_else(|| self.error("the name of a constraint after `@`"))?);
        }
        self.builder.at(Place(start), label);
        let weight = if self.accept("[") {
            let expected = "the weight of a soft constraint, from 1";
            let at = self.at;
            let weight = self.integer(expected)?;
            if weight < 1 {
                return Err(ReadError::new(at..self.end, expected, quote(&self.text[at..self.end])));
            }
            self.require("]", "`]`")?;
            if self.soft.is_none() {
                return Err(ReadError::new(
                    start..self.end,
                    "a line `soft: ;` or `soft: TOP ;` before soft constraints",
                    "a soft constraint",
                ));
            }
            Some(weight)
        } else {
            None
        };
        let has_terms = self.is_integer();
        let terms = self.terms()?;
        let comparison = if self.accept(">=") {
            Comparison::AtLeast
        } else if self.accept("<=") {
            Comparison::AtMost
        } else if self.accept("=") {
            Comparison::Equal
        } else if has_terms {
            return Err(self.error("a term such as `2 x1`, or `>=`, `=` or `<=`"));
        } else {
            return Err(self.error("a constraint such as `1 x1 2 ~x2 >= 2 ;`, or `min:`, `max:` or `soft:`"));
        };
        let bound = self.integer("the number on the right side")?;
        self.require(";", "`;` at the end of the constraint")?;
        let added = match weight {
            None => self.builder.compare(terms, comparison, bound),
            Some(weight) => self.builder.soft_compare(terms, comparison, bound, weight),
        };
        added.map_err(|error| ReadError::new(start..self.end, SMALLER, error.to_string()))
    }

    /// Returns the variables to show: x1 to xN, if the header declares N variables and they all have such names, and
    /// the variables in the order of their occurrence otherwise.
    fn shown(&mut self) -> Result<Vec<VarId>, ReadError> {
        let number = |name: &str| {
            let digits = name.strip_prefix('x')?;
            let number: usize = digits.parse().ok()?;
            (number.to_string() == digits).then_some(number)
        };
        let numbered: Option<Vec<(usize, VarId)>> =
            self.order.iter().map(|&(name, variable)| Some((number(name)?, variable))).collect();
        let Some(mut numbered) = numbered else {
            return Ok(self.order.iter().map(|&(_, variable)| variable).collect());
        };
        numbered.sort_unstable();
        let greatest = numbered.last().map_or(0, |last| last.0);
        let first = numbered.first().map_or(1, |first| first.0);
        if let Some((declared, span)) =
            self.header.clone().filter(|(declared, _)| first > 0 && greatest <= *declared)
        {
            let most = self.text.len() + MAX_UNUSED;
            if declared > most {
                let expected = format!("at most {most} variables in a file of this size");
                return Err(ReadError::new(span, expected, format!("{declared} variables")));
            }
            let mut known = numbered.into_iter().peekable();
            let builder = &mut self.builder;
            let all = (1..=declared).map(|number| match known.next_if(|known| known.0 == number) {
                Some((_, variable)) => variable,
                None => builder.variable(format!("x{number}")),
            });
            return Ok(all.collect());
        }
        Ok(numbered.into_iter().map(|(_, variable)| variable).collect())
    }

    fn finish(mut self) -> Result<Instance, ReadError> {
        let shown = self.shown()?;
        let large = |span: Range<usize>| {
            move |error: crate::formula::TooLarge| ReadError::new(span, SMALLER, error.to_string())
        };
        match (self.objective, self.soft) {
            (Some((.., span)), Some(_)) => {
                Err(ReadError::new(span, "no objective in a file with soft constraints", "an objective"))
            }
            (Some((sense, terms, span)), None) => {
                self.builder.at(Place(span.start), None);
                self.builder.optimise(sense, terms, &shown).map_err(large(span))
            }
            (None, Some(Soft { span, top })) => {
                self.builder.at(Place(span.start), None);
                if let Some(top) = top {
                    self.builder.cost_below(top).map_err(large(span.clone()))?;
                }
                self.builder.minimise_cost(&shown).map_err(large(span))
            }
            (None, None) => Ok(self.builder.satisfy(&shown)),
        }
    }
}
