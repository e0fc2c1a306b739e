//! Reads formulas in DIMACS CNF and WCNF clause by clause, and the [output of solvers](solver_output).
//!
//! Both WCNF formats are supported: that of 2022, with `h` for hard clauses and no header, and the earlier one, with
//! the header `p wcnf VARIABLES CLAUSES TOP`.
//!
//! This file has over 400 lines because it contains the reader for both formats and its tests.

pub mod solver_output;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use crate::source::{counted, quote};

/// The largest number of variables in a formula. Solvers allocate memory for every variable up to the largest.
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
    /// The literals, sorted by variable. 3 is the third variable, and -3 is its negation.
    pub literals: &'a [i32],
    /// The cost of falsifying a soft clause, or `None` for a hard clause.
    pub weight: Option<u64>,
    /// The line on which the clause starts.
    pub line: u64,
}

/// Reads a formula and calls `each` with every clause that is not a tautology. Returns the number of variables.
///
/// # Errors
/// Returns an error if the input can't be read or is malformed.
pub fn read(
    name: &str,
    format: FormulaFormat,
    input: impl Read,
    mut each: impl FnMut(DimacsClause<'_>),
) -> Result<u32, FormulaError> {
    let mut words = Words::new(name, input);
    let header = words.header(format)?;
    let (mut greatest, mut clauses) = (0_u32, 0_u64);
    let mut clause = Vec::new();
    while let Some(word) = words.next()? {
        if word.starts_with('%') {
            // Files of SATLIB end with a line `%` and a line `0`, which is not a clause.
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
            // Remove duplicates before the vector grows, so that repeated literals take no memory.
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
    match header {
        None => Ok(greatest),
        Some(header) if header.clauses == clauses => Ok(header.variables),
        Some(header) => {
            let expected = format!("{}, as the header says", counted(header.clauses, "clause"));
            Err(words.error(&expected, &counted(clauses, "clause")))
        }
    }
}

/// Sorts the literals by variable, the positive one first, and removes duplicates.
fn normalise(clause: &mut Vec<i32>) {
    clause.sort_unstable_by_key(|literal| (literal.unsigned_abs(), *literal < 0));
    clause.dedup();
}

struct Header {
    variables: u32,
    clauses: u64,
    /// Clauses of at least this weight are hard.
    top: Option<u64>,
}

/// The words of a file with their positions, without comments.
struct Words<'n, R> {
    name: &'n str,
    input: BufReader<R>,
    /// The line and column of the next byte, counted from 1.
    next: (u64, u64),
    /// The line and column of the last word, counted from 1.
    place: (u64, u64),
}

impl<'n, R: Read> Words<'n, R> {
    fn new(name: &'n str, input: R) -> Self {
        Self { name, input: BufReader::new(input), next: (1, 1), place: (1, 1) }
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

    /// Consumes a byte that [`Self::peek`] returned.
    fn pass(&mut self, byte: u8) {
        self.input.consume(1);
        self.next = if byte == b'\n' { (self.next.0 + 1, 1) } else { (self.next.0, self.next.1 + 1) };
    }

    /// Skips whitespace and comments. Returns the first byte after them without consuming it.
    fn start(&mut self) -> Result<Option<u8>, FormulaError> {
        while let Some(byte) = self.peek()? {
            if self.next.1 == 1 && byte == b'c' {
                // A `c` in the first column always starts a comment.
                while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
                    self.pass(byte);
                }
            } else if byte.is_ascii_whitespace() {
                self.pass(byte);
            } else {
                return Ok(Some(byte));
            }
        }
        Ok(None)
    }

    /// Returns the next word that is not part of a comment. If the word is longer than any valid word, returns only
    /// its beginning.
    fn next(&mut self) -> Result<Option<String>, FormulaError> {
        const LONGEST: usize = 64;
        self.start()?;
        self.place = self.next;
        let mut word = Vec::new();
        while let Some(byte) = self.peek()?.filter(|byte| !byte.is_ascii_whitespace()) {
            if word.len() > LONGEST {
                // The `?` makes the truncated word invalid in every context.
                word.push(b'?');
                break;
            }
            word.push(byte);
            self.pass(byte);
        }
        Ok((!word.is_empty()).then(|| String::from_utf8_lossy(&word).into_owned()))
    }

    /// Reads the header, which starts with `p`. In WCNF files it is optional.
    fn header(&mut self, format: FormulaFormat) -> Result<Option<Header>, FormulaError> {
        let name = if format == FormulaFormat::Cnf { "cnf" } else { "wcnf" };
        if self.start()? != Some(b'p') {
            if format == FormulaFormat::Wcnf {
                return Ok(None);
            }
            let word = self.next()?.unwrap_or_default();
            return Err(self.error("the header `p cnf VARIABLES CLAUSES`", &word));
        }
        for expected in ["p", name] {
            let word = self.next()?.unwrap_or_default();
            if word != expected {
                return Err(self.error(&format!("`{expected}`"), &word));
            }
        }
        let variables = self.number("the number of variables", u64::from(MAX_VARIABLES))? as u32;
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

    /// Returns the weight of the clause that starts with this word.
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

    /// Parses a literal. Returns `None` for the 0 that ends a clause.
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Clauses = Vec<(Vec<i32>, Option<u64>)>;

    fn clauses(format: FormulaFormat, text: &str) -> Result<(u32, Clauses), String> {
        let mut clauses = Vec::new();
        let each = |read: DimacsClause<'_>| {
            clauses.push((read.literals.to_vec(), read.weight));
        };
        let variables = read("f", format, text.as_bytes(), each).map_err(|error| error.to_string())?;
        Ok((variables, clauses))
    }

    #[test]
    fn formulas() {
        let cnf = clauses(
            FormulaFormat::Cnf,
            "c a comment\np cnf 4 4\n1 -2 0 3\nc in between\n 0\n2 -2 0\r\n0\n%\n0\n",
        )
        .unwrap();
        assert_eq!(cnf, (4, vec![(vec![1, -2], None), (vec![3], None), (vec![], None)]));
        let new = clauses(FormulaFormat::Wcnf, "c new\nh 1 2 0\n3 -1 0\n1 -2 5 -2 0\n").unwrap();
        assert_eq!(new, (5, vec![(vec![1, 2], None), (vec![-1], Some(3)), (vec![-2, 5], Some(1))]));
        let old = clauses(FormulaFormat::Wcnf, "p wcnf 2 2 10\n10 1 2 0\n3 -1 0\n").unwrap();
        assert_eq!(old, (2, vec![(vec![1, 2], None), (vec![-1], Some(3))]));
        assert_eq!(clauses(FormulaFormat::Wcnf, "").unwrap(), (0, vec![]));
        assert_eq!(clauses(FormulaFormat::Cnf, "p cnf 0 0").unwrap(), (0, vec![]));
    }

    #[test]
    fn errors_have_positions() {
        let error = |format, text| clauses(format, text).unwrap_err();
        assert_eq!(
            error(FormulaFormat::Cnf, "c\n1 2 0\n"),
            "f:2:1: expected the header `p cnf VARIABLES CLAUSES`, found `1`"
        );
        assert_eq!(error(FormulaFormat::Cnf, "p wcnf 1 1\n"), "f:1:3: expected `cnf`, found `wcnf`");
        assert_eq!(
            error(FormulaFormat::Cnf, "p cnf 2 1\n1 -3 0\n"),
            "f:2:3: expected a literal of a variable up to 2, found `-3`"
        );
        assert_eq!(
            error(FormulaFormat::Cnf, "p cnf 2 1\n1 x 0\n"),
            "f:2:3: expected a literal or 0, the end of the clause, found `x`"
        );
        assert_eq!(
            error(FormulaFormat::Cnf, "p cnf 2 1\n1 2\n"),
            "f:3:1: expected 0, the end of the clause, found the end of the file"
        );
        assert_eq!(
            error(FormulaFormat::Cnf, "p cnf 2 2\n1 2 0\n"),
            "f:3:1: expected 2 clauses, as the header says, found 1 clause"
        );
        assert_eq!(
            error(FormulaFormat::Cnf, "p cnf 1 1\n1 0\n-1 0\n1 0\n"),
            "f:3:4: expected 1 clause, as the header says, found one more clause"
        );
        assert!(
            error(FormulaFormat::Cnf, "p cnf 4000000000 1\n")
                .contains("the number of variables, at most 100000000")
        );
        assert!(
            error(FormulaFormat::Cnf, "p cnf 1\n")
                .contains("the number of clauses, found the end of the file")
        );
        assert!(error(FormulaFormat::Cnf, "p cnf 1 1 1\n").contains("the end of the header"));
        assert!(
            error(FormulaFormat::Wcnf, "1.5 2 0\n").contains("`h` or the weight of a clause, found `1.5`")
        );
        assert!(error(FormulaFormat::Wcnf, "h 2").contains("0, the end of the clause"));
        assert!(error(FormulaFormat::Cnf, "").contains("found the end of the file"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn reading_never_panics(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("p"), Just("cnf"), Just("wcnf"), Just("h"), Just("0"), Just("\n"), Just("c"), Just("%"),
                    Just("-"), Just("1"), Just("-2"), Just("99999999999999999999"), Just("-9223372036854775808"),
                    Just("2147483647"), Just("\u{fffd}"), Just("p cnf 3 2\n"), Just("p wcnf 3 2 7\n"),
                ],
                0..20,
            ),
            bytes in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            for format in [FormulaFormat::Cnf, FormulaFormat::Wcnf] {
                let _ = clauses(format, &words.join(" "));
                let _ = read("f", format, &bytes[..], |_| {});
            }
        }
    }
}
