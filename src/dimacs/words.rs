//! The words of a formula, with their positions and without comments.

use std::io::{self, BufRead, BufReader, Read};

use super::projection::{Projection, SHOW};
use super::{FormulaError, FormulaFormat, MAX_VARIABLES, MAX_WEIGHT};
use crate::source::quote;

/// The header of a formula.
pub(super) struct Header {
    pub(super) variables: u32,
    pub(super) clauses: u64,
    /// The minimum weight of a hard clause, according to the header.
    top: Option<u128>,
}

/// A reader that returns the words of a file with their positions, without comments.
pub(super) struct Words<'n, R> {
    name: &'n str,
    input: BufReader<R>,
    /// The line and column of the next byte, counted from 1.
    next: (u64, u64),
    /// The line and column of the last word, counted from 1.
    pub(super) place: (u64, u64),
    /// The variables for projected counting, if there is a line that lists them.
    pub(super) shown: Option<Projection>,
    /// True if the line `c t mc` states that models are counted without projection.
    pub(super) counts_all: bool,
    /// The line and column of the first weight for weighted counting.
    pub(super) weights: Option<(u64, u64)>,
}

/// The beginnings of comments that announce or state weights for weighted counting.
const WEIGHTS: [&[&str]; 3] = [&["c", "t", "wmc"], &["c", "t", "pwmc"], &["c", "p", "weight"]];

impl<'n, R: Read> Words<'n, R> {
    pub(super) fn new(name: &'n str, input: R) -> Self {
        Self {
            name,
            input: BufReader::new(input),
            next: (1, 1),
            place: (1, 1),
            shown: None,
            counts_all: false,
            weights: None,
        }
    }

    pub(super) fn error(&self, expected: &str, found: &str) -> FormulaError {
        const SHOWN: usize = 40;
        let found = match found {
            "" => "the end of the file".to_owned(),
            found if found.chars().count() > SHOWN => {
                quote(&format!("{}...", found.chars().take(SHOWN).collect::<String>()))
            }
            found if found.contains(' ') => found.to_owned(),
            found => quote(found),
        };
        FormulaError::Malformed {
            name: self.name.to_owned(),
            line: self.place.0,
            column: self.place.1,
            expected: expected.to_owned(),
            found,
        }
    }

    /// Returns the next byte without consuming it, or `None` at the end of the file.
    fn peek(&mut self) -> Result<Option<u8>, FormulaError> {
        if let Some(&byte) = self.input.buffer().first() {
            return Ok(Some(byte));
        }
        loop {
            match self.input.fill_buf() {
                Ok(bytes) => return Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(FormulaError::File { name: self.name.to_owned(), error }),
            }
        }
    }

    /// Consumes the byte that [`Self::peek`] returned.
    fn pass(&mut self, byte: u8) {
        self.input.consume(1);
        self.next = if byte == b'\n' { (self.next.0 + 1, 1) } else { (self.next.0, self.next.1 + 1) };
    }

    /// Skips a byte order mark at the start of the file.
    pub(super) fn byte_order_mark(&mut self) -> Result<(), FormulaError> {
        if self.peek()? == Some(0xef) {
            for byte in [0xef, 0xbb, 0xbf] {
                if self.peek()? != Some(byte) {
                    return Err(self.error("text in UTF-8", "another byte order mark"));
                }
                self.pass(byte);
            }
            self.next = (1, 1);
        }
        Ok(())
    }

    /// Reads the end of a SATLIB file after the line `%`: the line `0`, which is not a clause.
    pub(super) fn end_of_satlib(&mut self) -> Result<(), FormulaError> {
        match self.next()? {
            Some(word) if word != "0" => return Err(self.error("`0` after `%`", &word)),
            _ => {}
        }
        match self.next()? {
            Some(word) => Err(self.error("the end of the file after `%`", &word)),
            None => Ok(()),
        }
    }

    /// Skips whitespace and comments. Returns the first byte after whitespace and comments, without consuming it.
    fn start(&mut self) -> Result<Option<u8>, FormulaError> {
        while let Some(byte) = self.peek()? {
            if self.next.1 == 1 && byte == b'c' {
                // A `c` in the first column always starts a comment.
                self.comment()?;
            } else if byte.is_ascii_whitespace() {
                self.pass(byte);
            } else {
                return Ok(Some(byte));
            }
        }
        Ok(None)
    }

    /// Skips a comment up to the end of the line, and keeps the words of a line that lists variables.
    fn comment(&mut self) -> Result<(), FormulaError> {
        /// The number of words that tell what a comment states.
        const FIRST: usize = 3;
        let mut starts = SHOW.to_vec();
        let (mut word, mut place, mut words) = (String::new(), self.next, 0);
        let begin = self.next;
        // The first words of the comment.
        let mut first: Vec<String> = Vec::new();
        loop {
            let byte = self.peek()?.filter(|&byte| byte != b'\n');
            if let Some(byte) = byte.filter(|byte| !byte.is_ascii_whitespace()) {
                if word.is_empty() {
                    place = self.next;
                }
                // Longer words are neither keywords nor numbers.
                if (!starts.is_empty() || words < FIRST) && word.len() < 12 {
                    word.push(byte.into());
                }
            } else if !word.is_empty() {
                if words < FIRST {
                    first.push(word.clone());
                }
                if words + 1 == FIRST {
                    self.counts_all |= first == ["c", "t", "mc"];
                    if self.weights.is_none() && WEIGHTS.iter().any(|start| first == *start) {
                        self.weights = Some(begin);
                    }
                }
                starts.retain(|start| start.get(words).is_none_or(|expected| *expected == word));
                words += 1;
                if starts.iter().any(|start| words == start.len()) {
                    self.shown.get_or_insert_default();
                } else if starts.iter().any(|start| words > start.len()) {
                    self.shown.get_or_insert_default().push(&word, place);
                }
                word.clear();
            }
            let Some(byte) = byte else { return Ok(()) };
            self.pass(byte);
        }
    }

    /// Returns the next word outside comments. If the word is longer than any valid word, returns only its beginning.
    pub(super) fn next(&mut self) -> Result<Option<String>, FormulaError> {
        const LONGEST: usize = 64;
        self.start()?;
        self.place = self.next;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if word.len() > LONGEST {
                // The appended `?` ensures that no parser accepts the truncated word.
                word.push(b'?');
                break;
            }
            word.push(byte);
            self.pass(byte);
        }
        Ok((!word.is_empty()).then(|| String::from_utf8_lossy(&word).into_owned()))
    }

    /// Reads the header line, which starts with `p`. In WCNF files the header is optional.
    pub(super) fn header(&mut self, format: FormulaFormat) -> Result<Option<Header>, FormulaError> {
        let name = format.name();
        if self.start()? != Some(b'p') {
            if format == FormulaFormat::Wcnf {
                return Ok(None);
            }
            let word = self.next()?.unwrap_or_default();
            let other = if word == "h" {
                "`gordian opt` reads WCNF"
            } else {
                "`gordian solve` reads boards and models"
            };
            return Err(self.error(&format!("the header `p {name} VARIABLES CLAUSES` ({other})"), &word));
        }
        for expected in ["p", name] {
            let word = self.next()?.unwrap_or_default();
            if word != expected {
                let other = match &word[..] {
                    "cnf" => " (`gordian sat` reads CNF)",
                    "wcnf" => " (`gordian opt` reads WCNF)",
                    "knf" => " (`gordian solve` reads KNF)",
                    _ => "",
                };
                return Err(self.error(&format!("`{expected}`{other}"), &word));
            }
        }
        let variables = self.number("the number of variables", u64::from(MAX_VARIABLES))?;
        let variables = u32::try_from(variables).unwrap_or(MAX_VARIABLES);
        let clauses = self.number("the number of clauses", u64::MAX)?;
        let top = if format == FormulaFormat::Wcnf && self.more_on_line()? {
            let word = self.next()?.unwrap_or_default();
            Some(
                word.parse()
                    .map_err(|_| self.error("the weight of hard clauses, at most 2^128 - 1", &word))?,
            )
        } else {
            None
        };
        if self.more_on_line()? {
            let word = self.next()?.unwrap_or_default();
            return Err(self.error("the end of the header", &word));
        }
        Ok(Some(Header { variables, clauses, top }))
    }

    fn more_on_line(&mut self) -> Result<bool, FormulaError> {
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            if !byte.is_ascii_whitespace() {
                return Ok(true);
            }
            self.pass(byte);
        }
        Ok(false)
    }

    pub(super) fn number(&mut self, what: &str, most: u64) -> Result<u64, FormulaError> {
        let word = self.next()?.unwrap_or_default();
        let number = word.parse().ok().filter(|&number| number <= most);
        number.ok_or_else(|| {
            let most = if most == u64::MAX { String::new() } else { format!(", at most {most}") };
            self.error(&format!("{what}{most}"), &word)
        })
    }

    /// Returns the weight of the clause that starts with the given word, or `None` for a hard clause.
    pub(super) fn weight(
        &self,
        format: FormulaFormat,
        header: Option<&Header>,
        word: &str,
    ) -> Result<Option<u128>, FormulaError> {
        match (format, header) {
            (FormulaFormat::Cnf | FormulaFormat::Knf, _) => Ok(None),
            (FormulaFormat::Wcnf, None) if word == "h" => Ok(None),
            (FormulaFormat::Wcnf, _) => {
                let wrong = || {
                    let expected = if header.is_some() {
                        "the weight of a clause"
                    } else {
                        "`h` or the weight of a clause"
                    };
                    self.error(expected, word)
                };
                let weight: u128 = word.parse().map_err(|_| wrong())?;
                let top = header.and_then(|header| header.top);
                if top.is_some_and(|top| weight >= top) {
                    return Ok(None);
                }
                if weight > MAX_WEIGHT {
                    return Err(self.error("the weight of a clause, at most 2^80", word));
                }
                Ok(Some(weight))
            }
        }
    }

    /// Parses a literal. Returns `None` for the number 0, which ends a clause.
    pub(super) fn literal(&self, word: &str, variables: u32) -> Result<Option<i32>, FormulaError> {
        let number: i64 =
            word.parse().map_err(|_| self.error("a literal or 0, the end of the clause", word))?;
        let literal = i32::try_from(number).ok().filter(|literal| literal.unsigned_abs() <= variables);
        let literal =
            literal.ok_or_else(|| self.error(&format!("a literal of a variable up to {variables}"), word))?;
        Ok(Some(literal).filter(|&literal| literal != 0))
    }
}
