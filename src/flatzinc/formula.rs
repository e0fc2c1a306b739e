//! Formulas in CNF, KNF and WCNF as instances of constraint models.
//!
//! Variable n of the formula is the Boolean variable `xn`. If the formula lists variables for projected counting, only these
//! are output variables, so models that agree on them are one solution.

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;
use gordian_flatzinc::Instance;
use gordian_flatzinc::formula::{FormulaBuilder, FormulaLit, MAX_UNUSED, TooLarge};
use gordian_flatzinc::instance::{Place, VarId};

use crate::dimacs::{self, DimacsClause, FormulaError, FormulaFormat};
use crate::format::{InputError, Source, Span};

/// A reader that collects the variables and constraints of a formula.
struct Collected<'s> {
    source: &'s Source,
    builder: FormulaBuilder,
    /// The variables so far. Variables are created in ascending order.
    variables: Vec<VarId>,
    /// The line of the first constraint with numbers that are too large.
    too_large: Option<u64>,
}

impl Collected<'_> {
    /// Returns the literals of a constraint. Creates all variables up to the largest one. Returns `None` if there
    /// are too many.
    fn lits(&mut self, numbers: &[i32]) -> Option<Vec<FormulaLit>> {
        let greatest = numbers.iter().map(|number| number.unsigned_abs()).max().unwrap_or(0) as usize;
        self.grow(greatest)?;
        let lit = |&number: &i32| FormulaLit {
            variable: self.variables[number.unsigned_abs() as usize - 1],
            is_positive: number > 0,
        };
        Some(numbers.iter().map(lit).collect())
    }

    /// Creates the variables up to the given number. Returns `None` if there are too many.
    fn grow(&mut self, greatest: usize) -> Option<()> {
        if greatest > self.source.text().len() + MAX_UNUSED {
            return None;
        }
        for number in self.variables.len()..greatest {
            self.variables.push(self.builder.variable(format!("x{}", number + 1)));
        }
        Some(())
    }

    fn add(&mut self, read: DimacsClause<'_>) -> Result<(), TooLarge> {
        let Some(lits) = self.lits(read.literals) else { return Ok(()) };
        // Two constraints on one line have the same place.
        let line = usize::try_from(read.line).unwrap_or(usize::MAX);
        self.builder.at(Place(self.source.line_start(line)), None);
        match (read.bound, read.weight) {
            (Some(bound), _) => {
                // A larger bound than the number of literals is equally unsatisfiable.
                let bound = Value::from(bound).min(Value::from(lits.len() as u64) + 1);
                self.builder.compare(lits.into_iter().map(|lit| (1, lit)), Comparison::AtLeast, bound)
            }
            (None, None) => {
                self.builder.clause(&lits);
                Ok(())
            }
            (None, Some(weight)) => {
                self.builder.soft_clause(&lits, Value::try_from(weight).map_err(|_| TooLarge)?)
            }
        }
    }
}

/// Reads a formula as an instance. The objective of WCNF is to minimise the total weight of the violated soft clauses.
///
/// # Errors
/// Returns an error if the text is malformed, if it asks for weighted counting, or if numbers are too large.
pub(super) fn read(source: &Source, format: FormulaFormat) -> Result<Instance, InputError> {
    let mut collected =
        Collected { source, builder: FormulaBuilder::default(), variables: Vec::new(), too_large: None };
    let read = dimacs::read(source.name(), format, source.text().as_bytes(), |read| {
        if collected.add(read).is_err() {
            collected.too_large = collected.too_large.or(Some(read.line));
        }
    });
    let formula = read.map_err(|error| input_error(source, error))?;
    if let Some(place) = formula.weights {
        return Err(input_error(source, dimacs::weighted(source.name().to_owned(), place)));
    }
    let large = |line: u64| {
        let start = source.line_start(usize::try_from(line).unwrap_or(usize::MAX));
        let expected = "numbers whose sum is at most 2^120";
        InputError::new(source, Span::new(start, start), expected, TooLarge.to_string())
    };
    if let Some(line) = collected.too_large {
        return Err(large(line));
    }
    if collected.grow(formula.variables as usize).is_none() {
        let most = source.text().len() + MAX_UNUSED;
        let expected = format!("at most {most} variables in a file of this size");
        let found = format!("{} variables", formula.variables);
        let error = InputError::new(source, source.start(), expected, found);
        return Err(error.with_help("`gordian sat` and `gordian opt` solve such formulas"));
    }
    let Collected { mut builder, variables, .. } = collected;
    builder.at(Place(0), None);
    let shown: Vec<VarId> = match formula.projection {
        Some(shown) => shown.into_iter().map(|number| variables[number as usize - 1]).collect(),
        None => variables,
    };
    match format {
        FormulaFormat::Cnf | FormulaFormat::Knf => Ok(builder.satisfy(&shown)),
        FormulaFormat::Wcnf => builder.minimise_cost(&shown).map_err(|_| large(1)),
    }
}

/// Gives an error of the reader the location in the source.
fn input_error(source: &Source, error: FormulaError) -> InputError {
    match error {
        FormulaError::File { error, .. } => {
            InputError::new(source, source.end(), "a formula", error.to_string())
        }
        FormulaError::Malformed { line, column, expected, found, .. } => {
            let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
            let start = source.line_start(number(line)).saturating_add(number(column) - 1);
            let start = start.min(source.text().len());
            let rest = source.text().get(start..).unwrap_or_default();
            let end = start + rest.find(char::is_whitespace).unwrap_or(rest.len());
            InputError::new(source, Span::new(start, end), expected, found)
        }
    }
}
