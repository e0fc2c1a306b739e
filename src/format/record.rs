//! Named values, independent of their syntax.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::syntax::Syntax;
use crate::rules::Invalid;
use crate::source::{InputError, Source, Span, Spanned, counted, quote};

/// The maximum number of integers in a range that [`Record::integers`] lists.
const LONGEST_RANGE: usize = 10_000;

/// A value from the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataValue {
    /// A whole number.
    Integer(i128),
    /// A number with a fraction or an exponent, as written in the source. Only JSON has such numbers.
    Decimal(String),
    /// `true` or `false`.
    Boolean(bool),
    /// `null`, the absence of a value. Only JSON has it.
    Null,
    /// A string in quotes.
    Text(String),
    /// A list. A matrix is a list of lists.
    Array(Vec<Spanned<DataValue>>),
    /// A range: the integers from the first bound to the second.
    Range(i128, i128),
    /// A set, with its elements in the order of the source.
    Set(Vec<Spanned<DataValue>>),
    /// Nested named values. Only JSON has nested named values.
    Object(Vec<NamedValue>),
}

impl DataValue {
    /// Returns a description of the value for an error message.
    #[must_use]
    pub fn description(&self) -> String {
        match self {
            Self::Integer(number) => quote(&number.to_string()),
            Self::Decimal(written) => quote(written),
            Self::Boolean(truth) => quote(&truth.to_string()),
            Self::Null => "`null`".to_owned(),
            Self::Text(_) => "a text".to_owned(),
            Self::Array(_) => "an array".to_owned(),
            Self::Range(..) => "a range".to_owned(),
            Self::Set(_) => "a set".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// A name and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue {
    /// The name.
    pub name: Spanned<String>,
    /// The value.
    pub value: Spanned<DataValue>,
}

/// The named values of a source in dzn, param or JSON, or on the `name = value` lines of the native text format.
#[derive(Debug, Clone)]
pub struct Record {
    /// The source that contains the values.
    pub source: Source,
    /// The syntax of the source.
    pub syntax: Syntax,
    /// The values, in the order of the source.
    pub entries: Vec<NamedValue>,
    names: HashSet<String>,
}

impl Record {
    /// Creates a record without values.
    #[must_use]
    pub fn new(source: &Source, syntax: Syntax) -> Self {
        Self { source: source.clone(), syntax, entries: Vec::new(), names: HashSet::new() }
    }

    /// Adds a value.
    ///
    /// # Errors
    /// Returns an error if the record already has a value with the same name.
    pub fn insert(&mut self, entry: NamedValue) -> Result<(), InputError> {
        if !self.names.insert(entry.name.value.clone()) {
            let expected = format!("one value for {}", quote(&entry.name.value));
            let span = entry.name.span;
            return Err(InputError::new(&self.source, span, expected, "a second one"));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Returns the value called `name`, or `None` if it is missing.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Spanned<DataValue>> {
        self.entries.iter().find(|entry| entry.name.value == name).map(|entry| &entry.value)
    }

    /// Returns the error for a missing value called `name`. The error points to the end of the source.
    #[must_use]
    pub fn error_missing(&self, name: &str) -> InputError {
        let expected = match self.syntax {
            Syntax::Param => format!("`letting {name} be ...`"),
            Syntax::Json => format!("`\"{name}\": ...`"),
            _ => format!("`{name} = ...`"),
        };
        InputError::new(&self.source, self.source.end(), expected, "the end of the file")
    }

    /// Returns the value called `name`.
    ///
    /// # Errors
    /// Returns an error if the value is missing.
    pub fn required(&self, name: &str) -> Result<&Spanned<DataValue>, InputError> {
        self.get(name).ok_or_else(|| self.error_missing(name))
    }

    /// Returns the integer called `name`.
    ///
    /// # Errors
    /// Returns an error if the value is missing or not an integer.
    pub fn integer(&self, name: &str) -> Result<Spanned<i128>, InputError> {
        self.to_integer(self.required(name)?, || format!("a number for `{name}`"))
    }

    /// Returns the integer called `name`, or `None` if it is missing.
    ///
    /// # Errors
    /// Returns an error if the value is not an integer.
    pub fn optional_integer(&self, name: &str) -> Result<Option<Spanned<i128>>, InputError> {
        self.get(name).map(|_| self.integer(name)).transpose()
    }

    /// Returns the integer called `name`, which must be within `bounds`. The argument `what` describes the integer in
    /// error messages.
    ///
    /// # Errors
    /// Returns an error if the value is missing, not an integer or out of bounds.
    pub fn integer_in(
        &self,
        name: &str,
        what: &str,
        bounds: RangeInclusive<i128>,
    ) -> Result<i128, InputError> {
        let given = self.integer(name)?;
        if bounds.contains(&given.value) {
            return Ok(given.value);
        }
        let expected = format!("{what} from {} to {}", bounds.start(), bounds.end());
        Err(InputError::at(&self.source, &given, expected))
    }

    /// Returns the string called `name`.
    ///
    /// # Errors
    /// Returns an error if the value is missing or not a string.
    pub fn text(&self, name: &str) -> Result<Spanned<&str>, InputError> {
        let given = self.required(name)?;
        match &given.value {
            DataValue::Text(text) => Ok(Spanned::new(text, given.span)),
            _ => Err(self.unfit(given, format!("a text for `{name}`"))),
        }
    }

    /// Returns the string called `name`, or `None` if it is missing.
    ///
    /// # Errors
    /// Returns an error if the value is not a string.
    pub fn optional_text(&self, name: &str) -> Result<Option<Spanned<&str>>, InputError> {
        self.get(name).map(|_| self.text(name)).transpose()
    }

    /// Returns the Boolean called `name`, or `None` if it is missing.
    ///
    /// # Errors
    /// Returns an error if the value is neither `true` nor `false`.
    pub fn optional_boolean(&self, name: &str) -> Result<Option<Spanned<bool>>, InputError> {
        let Some(given) = self.get(name) else {
            return Ok(None);
        };
        match given.value {
            DataValue::Boolean(truth) => Ok(Some(Spanned::new(truth, given.span))),
            _ => Err(self.unfit(given, format!("`true` or `false` for `{name}`"))),
        }
    }

    /// Returns the integers in the array, range or set called `name`, in the order of the source.
    ///
    /// # Errors
    /// Returns an error if the value is missing, if it contains anything but integers, or if it is a range of more
    /// than 10 000 integers.
    pub fn integers(&self, name: &str) -> Result<Vec<Spanned<i128>>, InputError> {
        let given = self.required(name)?;
        match &given.value {
            DataValue::Array(items) | DataValue::Set(items) => {
                items.iter().map(|item| self.to_integer(item, || format!("a number in `{name}`"))).collect()
            }
            &DataValue::Range(low, high) => {
                // Without a limit, a short input could exhaust the memory.
                let most = i128::try_from(LONGEST_RANGE).unwrap_or(i128::MAX);
                let distance = high.checked_sub(low);
                if low <= high && distance.is_none_or(|distance| distance >= most) {
                    let expected = format!("a range of at most {LONGEST_RANGE} numbers");
                    let found = quote(&format!("{low}..{high}"));
                    return Err(InputError::new(&self.source, given.span, expected, found));
                }
                Ok((low..=high).map(|number| Spanned::new(number, given.span)).collect())
            }
            _ => Err(self.unfit(given, format!("numbers for `{name}`"))),
        }
    }

    /// Returns the rows of the matrix called `name`. All rows must have the same length.
    ///
    /// # Errors
    /// Returns an error if the value is missing, is not a matrix of integers, or has rows of different lengths.
    pub fn matrix(&self, name: &str) -> Result<Vec<Vec<Spanned<i128>>>, InputError> {
        let (_, rows) = self.rows(name)?;
        let columns = rows.first().map_or(0, |(row, _)| row.len());
        for (number, (row, span)) in (1..).zip(&rows) {
            self.check_length(row, *span, columns, || {
                format!("{} in row {number} of `{name}` as in row 1", counted(columns, "value"))
            })?;
        }
        self.numbers(name, &rows)
    }

    /// Returns the matrix called `name`, which must have `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// Returns an error if the value is missing, is not a matrix of integers, or has a different size.
    pub fn matrix_of(
        &self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Vec<Vec<Spanned<i128>>>, InputError> {
        let (span, given) = self.rows(name)?;
        let expected = || format!("a {rows} x {columns} matrix for `{name}`");
        if given.len() != rows {
            return Err(InputError::new(&self.source, span, expected(), counted(given.len(), "row")));
        }
        for (number, (row, span)) in (1..).zip(&given) {
            if row.len() != columns {
                let found = format!("{} in row {number}", counted(row.len(), "value"));
                return Err(InputError::new(&self.source, *span, expected(), found));
            }
        }
        self.numbers(name, &given)
    }

    /// Checks that all names in the record are among the given `names`.
    ///
    /// # Errors
    /// Returns an error that points to the first name that is not among `names`, and suggests the most similar name.
    pub fn only(&self, names: &[&str]) -> Result<(), InputError> {
        let Some(entry) = self.entries.iter().find(|entry| !names.contains(&entry.name.value.as_str()))
        else {
            return Ok(());
        };
        let expected = match names {
            [] => "no named value".to_owned(),
            [name] => quote(name),
            _ => format!("one of {}", names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")),
        };
        let error = InputError::at(&self.source, &entry.name, expected);
        Err(error.with_suggestion(&entry.name.value, names))
    }

    /// Converts an error about invalid puzzle data to an input error that points to the invalid value, or to the
    /// invalid element if the value is a list.
    pub(crate) fn refused(&self, invalid: &Invalid) -> InputError {
        let span = match (self.get(invalid.name), invalid.index) {
            (Some(given), index) => match &given.value {
                DataValue::Array(items) | DataValue::Set(items) => {
                    index.and_then(|index| items.get(index)).map_or(given.span, |item| item.span)
                }
                _ => given.span,
            },
            (None, _) => self.source.start(),
        };
        InputError::new(&self.source, span, invalid.expected.as_str(), invalid.found.as_str())
    }

    fn unfit(&self, given: &Spanned<DataValue>, expected: String) -> InputError {
        InputError::new(&self.source, given.span, expected, given.value.description())
    }

    fn to_integer(
        &self,
        given: &Spanned<DataValue>,
        expected: impl Fn() -> String,
    ) -> Result<Spanned<i128>, InputError> {
        match given.value {
            DataValue::Integer(number) => Ok(Spanned::new(number, given.span)),
            _ => Err(self.unfit(given, expected())),
        }
    }

    /// Returns the span and the rows of the matrix called `name`. The values in the rows are not checked.
    fn rows(&self, name: &str) -> Result<(Span, Vec<MatrixRow<'_>>), InputError> {
        let given = self.required(name)?;
        let DataValue::Array(items) = &given.value else {
            return Err(self.unfit(given, format!("a matrix for `{name}`")));
        };
        let mut rows = Vec::with_capacity(items.len());
        for (number, item) in (1_usize..).zip(items) {
            let DataValue::Array(row) = &item.value else {
                return Err(self.unfit(item, format!("an array for row {number} of `{name}`")));
            };
            rows.push((row.as_slice(), item.span));
        }
        Ok((given.span, rows))
    }

    fn check_length(
        &self,
        row: &[Spanned<DataValue>],
        span: Span,
        length: usize,
        expected: impl Fn() -> String,
    ) -> Result<(), InputError> {
        if row.len() == length {
            return Ok(());
        }
        // If a row is too long, the error points to the surplus values at its end.
        let start = row.get(length).map_or(span.start, |surplus| surplus.span.start);
        let span = Span::new(start, span.end);
        Err(InputError::new(&self.source, span, expected(), counted(row.len(), "value")))
    }

    fn numbers(&self, name: &str, rows: &[MatrixRow<'_>]) -> Result<Vec<Vec<Spanned<i128>>>, InputError> {
        let numbers = |(number, (row, _)): (usize, &MatrixRow<'_>)| {
            row.iter()
                .map(|item| self.to_integer(item, || format!("a number in row {number} of `{name}`")))
                .collect()
        };
        (1..).zip(rows).map(numbers).collect()
    }
}

type MatrixRow<'a> = (&'a [Spanned<DataValue>], Span);

#[cfg(test)]
mod tests;
