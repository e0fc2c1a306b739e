//! Reads formulas in DIMACS CNF and WCNF clause by clause, and the [output of solvers](solver_output).
//!
//! Both WCNF formats are supported: the format of 2022, with `h` for hard clauses and no header, and the earlier
//! format, with the header `p wcnf VARIABLES CLAUSES TOP`.

mod projection;
pub mod solver_output;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use crate::source::{counted, quote};

use projection::{Projection, SHOW};

/// The maximum number of variables in a formula. A limit is needed because solvers allocate memory for all variables up
/// to the largest variable number.
pub const MAX_VARIABLES: u32 = 100_000_000;

/// An error that occurs while a formula is read.
#[derive(Debug, thiserror::Error)]
pub enum FormulaError {
    /// The file can't be read.
    #[error("{name}: {error}")]
    File {
        /// The name of the file.
        name: String,
        /// The error from the operating system.
        error: io::Error,
    },
    /// The file is not a valid formula.
    #[error("{name}:{line}:{column}: expected {expected}, found {found}")]
    Malformed {
        /// The name of the file.
        name: String,
        /// The line, counted from 1.
        line: u64,
        /// The column in bytes, counted from 1.
        column: u64,
        /// The expected input.
        expected: String,
        /// The actual input.
        found: String,
    },
}

/// The format of a formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaFormat {
    /// DIMACS CNF, which has only hard clauses.
    Cnf,
    /// WCNF, which has hard and soft clauses.
    Wcnf,
}

/// A clause of a formula. Each variable occurs at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DimacsClause<'a> {
    /// The literals in DIMACS notation, sorted by variable: 3 is the third variable, and -3 is its negation.
    pub literals: &'a [i32],
    /// The cost of violating a soft clause, or `None` for a hard clause.
    pub weight: Option<u64>,
    /// The number of the line on which the clause starts.
    pub line: u64,
}

/// What a formula contains besides its clauses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimacsFormula {
    /// The number of variables.
    pub variables: u32,
    /// The variables onto which models are projected when they are counted, or `None` for all variables. Lines such as
    /// `c p show 1 2 3 0`, or `c ind 1 2 3 0`, list them.
    pub projection: Option<Vec<u32>>,
}

/// Reads a formula, and calls `each` with every clause that is not a tautology.
///
/// # Errors
/// Returns an error if the input can't be read or is malformed.
pub fn read(
    name: &str,
    format: FormulaFormat,
    input: impl Read,
    mut each: impl FnMut(DimacsClause<'_>),
) -> Result<DimacsFormula, FormulaError> {
    let mut words = Words::new(name, input);
    words.byte_order_mark()?;
    let header = words.header(format)?;
    let (mut greatest, mut clauses) = (0_u32, 0_u64);
    let mut clause = Vec::new();
    while let Some(word) = words.next()? {
        if word == "%" && format == FormulaFormat::Cnf {
            words.end_of_satlib()?;
            break;
        }
        let (line, weight) = (words.place.0, words.weight(format, header.as_ref(), &word)?);
        clause.clear();
        let mut word = if format == FormulaFormat::Wcnf { words.next()? } else { Some(word) };
        loop {
            let Some(text) = word else { return Err(words.error("0, the end of the clause", "")) };
            let lit =
                words.literal(&text, header.as_ref().map_or(MAX_VARIABLES, |header| header.variables))?;
            let Some(lit) = lit else { break };
            greatest = greatest.max(lit.unsigned_abs());
            // Duplicates are removed before the vector grows, so repeated literals take no memory.
            if clause.len() == clause.capacity() {
                normalise(&mut clause);
            }
            clause.push(lit);
            word = words.next()?;
        }
        clauses += 1;
        if let Some(header) = header.as_ref().filter(|header| clauses > header.clauses) {
            let expected = format!("{}, as the header says", counted(header.clauses, "clause"));
            return Err(words.error(&expected, "one more clause"));
        }
        normalise(&mut clause);
        if clause.windows(2).all(|pair| pair[0].unsigned_abs() != pair[1].unsigned_abs()) {
            each(DimacsClause { literals: &clause, weight, line });
        }
    }
    let variables = match header {
        None => greatest,
        Some(header) if header.clauses == clauses => header.variables,
        Some(header) => {
            let expected = format!("{}, as the header says", counted(header.clauses, "clause"));
            return Err(words.error(&expected, &counted(clauses, "clause")));
        }
    };
    let projection = words.shown.take().map(|shown| shown.up_to(variables)).transpose();
    let projection = projection.map_err(|(word, place)| {
        words.place = place;
        words.error(&format!("a variable from 1 to {variables}, or 0"), &word)
    })?;
    Ok(DimacsFormula { variables, projection })
}

/// Sorts the literals by variable, positive literals first, and removes duplicates.
fn normalise(clause: &mut Vec<i32>) {
    clause.sort_unstable_by_key(|literal| (literal.unsigned_abs(), *literal < 0));
    clause.dedup();
}

struct Header {
    variables: u32,
    clauses: u64,
    /// The minimum weight of a hard clause, according to the header.
    top: Option<u64>,
}

/// A reader that returns the words of a file with their positions, without comments.
struct Words<'n, R> {
    name: &'n str,
    input: BufReader<R>,
    /// The line and column of the next byte, counted from 1.
    next: (u64, u64),
    /// The line and column of the last word, counted from 1.
    place: (u64, u64),
    /// The variables for projected counting, if there is a line that lists them.
    shown: Option<Projection>,
}

impl<'n, R: Read> Words<'n, R> {
    fn new(name: &'n str, input: R) -> Self {
        Self { name, input: BufReader::new(input), next: (1, 1), place: (1, 1), shown: None }
    }

    fn error(&self, expected: &str, found: &str) -> FormulaError {
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
    fn byte_order_mark(&mut self) -> Result<(), FormulaError> {
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
    fn end_of_satlib(&mut self) -> Result<(), FormulaError> {
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
        let mut starts = SHOW.to_vec();
        let (mut word, mut place, mut words) = (String::new(), self.next, 0);
        loop {
            let byte = self.peek()?.filter(|&byte| byte != b'\n');
            if let Some(byte) = byte.filter(|byte| !byte.is_ascii_whitespace()) {
                if word.is_empty() {
                    place = self.next;
                }
                // Longer words are neither keywords nor numbers.
                if !starts.is_empty() && word.len() < 12 {
                    word.push(byte.into());
                }
            } else if !word.is_empty() {
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
    fn next(&mut self) -> Result<Option<String>, FormulaError> {
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
    fn header(&mut self, format: FormulaFormat) -> Result<Option<Header>, FormulaError> {
        let name = if format == FormulaFormat::Cnf { "cnf" } else { "wcnf" };
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
            return Err(self.error(&format!("the header `p cnf VARIABLES CLAUSES` ({other})"), &word));
        }
        for expected in ["p", name] {
            let word = self.next()?.unwrap_or_default();
            if word != expected {
                let other = match &word[..] {
                    "cnf" => " (`gordian sat` reads CNF)",
                    "wcnf" => " (`gordian opt` reads WCNF)",
                    _ => "",
                };
                return Err(self.error(&format!("`{expected}`{other}"), &word));
            }
        }
        let variables = self.number("the number of variables", u64::from(MAX_VARIABLES))?;
        let variables = u32::try_from(variables).unwrap_or(MAX_VARIABLES);
        let clauses = self.number("the number of clauses", u64::MAX)?;
        let top = if format == FormulaFormat::Wcnf && self.more_on_line()? {
            Some(self.number("the weight of hard clauses", u64::MAX)?)
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

    fn number(&mut self, what: &str, most: u64) -> Result<u64, FormulaError> {
        let word = self.next()?.unwrap_or_default();
        let number = word.parse().ok().filter(|&number| number <= most);
        number.ok_or_else(|| {
            let most = if most == u64::MAX { String::new() } else { format!(", at most {most}") };
            self.error(&format!("{what}{most}"), &word)
        })
    }

    /// Returns the weight of the clause that starts with the given word, or `None` for a hard clause.
    fn weight(
        &self,
        format: FormulaFormat,
        header: Option<&Header>,
        word: &str,
    ) -> Result<Option<u64>, FormulaError> {
        match (format, header) {
            (FormulaFormat::Cnf, _) => Ok(None),
            (FormulaFormat::Wcnf, None) if word == "h" => Ok(None),
            (FormulaFormat::Wcnf, _) => {
                let weight: u64 = word.parse().map_err(|_| {
                    let expected = if header.is_some() {
                        "the weight of a clause"
                    } else {
                        "`h` or the weight of a clause"
                    };
                    self.error(expected, word)
                })?;
                let top = header.and_then(|header| header.top);
                Ok(Some(weight).filter(|&weight| top.is_none_or(|top| weight < top)))
            }
        }
    }

    /// Parses a literal. Returns `None` for the number 0, which ends a clause.
    fn literal(&self, word: &str, variables: u32) -> Result<Option<i32>, FormulaError> {
        let number: i64 =
            word.parse().map_err(|_| self.error("a literal or 0, the end of the clause", word))?;
        let literal = i32::try_from(number).ok().filter(|literal| literal.unsigned_abs() <= variables);
        let literal =
            literal.ok_or_else(|| self.error(&format!("a literal of a variable up to {variables}"), word))?;
        Ok(Some(literal).filter(|&literal| literal != 0))
    }
}

impl fmt::Display for FormulaFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Cnf { "cnf" } else { "wcnf" })
    }
}

#[cfg(test)]
mod tests;
