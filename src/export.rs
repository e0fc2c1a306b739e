//! Writes formulas to files for other solvers, and checks the solutions that these solvers find.
//!
//! An [`Export`] consists of a model and the settings that determine its formula, such as the encodings and the
//! format. The formula is never stored in memory. Instead, the encoder runs twice and writes the same formula each
//! time. The first pass collects the counts for the header and the names of the variables ([`Survey`]). The second
//! pass writes the file. [`Export::check`] runs the encoder again to check a solution against every constraint of the
//! file.

use gordian_encodings::sink::Sizes;
use gordian_encodings::{
    Assignment, BoundedSum, Collect, CollectSums, Encoded, Encodings, Lit, Model, Objective, ObjectiveBounds,
    Overflow, Sense, Value, constant,
};

pub mod about;
pub mod check;
mod dimacs;
mod icnf;
mod opb;
pub mod text;
mod wcnf;

pub use about::About;
pub use check::Broken;
use text::FormulaText;

/// A file format of formulas.
#[derive(Debug)]
pub struct Format {
    /// The name of the format on the command line.
    pub name: &'static str,
    /// The file extension, without the dot.
    pub extension: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// How the format represents an objective.
    pub objective: ObjectiveAs,
    /// True if linear constraints are written directly, and false if they are encoded as clauses.
    sums: bool,
    /// The prefix of comment lines in the format.
    comment: &'static str,
    /// A function that writes the text before the comments.
    head: fn(&Survey, &mut FormulaText<'_>),
    /// A function that writes the text between the comments and the constraints.
    begin: fn(&Survey, &mut FormulaText<'_>),
    /// A function that creates the writer for constraints.
    writer: for<'t, 'w> fn(&'t mut FormulaText<'w>) -> Box<dyn Target + 't>,
    /// A function that writes the text after the constraints.
    end: fn(&Survey, &mut FormulaText<'_>),
}

impl Format {
    /// Returns whether linear constraints are written directly. If linear constraints are encoded instead, the file
    /// has the same variables as the formula of a built-in solver.
    #[must_use]
    pub fn keeps_sums(&self) -> bool {
        self.sums
    }
}

/// How a format represents an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectiveAs {
    /// The format has no objectives.
    Nothing,
    /// The objective is written as a cost to minimise.
    Cost,
    /// The objective is written as a sequence of solver calls with increasingly tight bounds.
    Queries,
}

/// All formats.
pub static FORMATS: &[&Format] = &[&dimacs::DIMACS, &wcnf::WCNF, &opb::OPB, &icnf::ICNF];

/// Returns the format with the given name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

/// A receiver of the clauses of an exported model.
trait Target: Collect {
    /// Receives a solver call: the solver must decide whether the clauses received so far are satisfiable under
    /// `assumptions`. Exporters call the method only for formats with solver calls.
    fn query(&mut self, about: &str, assumptions: &[Lit]) {
        let _ = (about, assumptions);
    }
}

/// A model that can be written to a file as a formula.
#[derive(Debug)]
pub struct Export {
    model: Model,
    encodings: Encodings,
    format: &'static Format,
    survey: Survey,
}

/// The counts, names and cost of a formula. The first pass collects them.
#[derive(Debug)]
pub struct Survey {
    /// The number of variables in the formula.
    pub variables: u32,
    /// The number of clauses or inequalities.
    pub constraints: u64,
    /// The size of the formula by constraint type.
    pub sizes: Sizes,
    /// Each encoding that was used: its constraint type, its name, and the number of constraints that use it.
    pub encodings: Vec<(&'static str, &'static str, u64)>,
    /// The cost to minimise, if there is an objective.
    pub cost: Option<Cost>,
    /// The variables that determine the solution, in ascending order.
    pub solution: Vec<Lit>,
    /// The variables with names, in ascending order.
    pub labels: Vec<about::Label>,
}

/// An objective as a cost to minimise: the sum of the weights of the true literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The sense of the original objective: minimise or maximise.
    pub sense: Sense,
    /// The literals of the cost, each with its weight.
    pub weights: Vec<(Value, Lit)>,
    /// The offset. The value of the objective is `offset + unit * cost`.
    pub offset: Value,
    /// The factor `unit` in `offset + unit * cost`.
    pub unit: Value,
}

/// The maximum number of solver calls for an objective.
const MAX_QUERIES: Value = 1_000;

impl Export {
    /// Encodes the model once to create the [`Survey`]. The option [`Encodings::deferring`] has no effect, because a
    /// formula in a file must be complete.
    ///
    /// # Errors
    /// Returns an error if the weights of the objective overflow.
    pub fn new(model: Model, encodings: Encodings, format: &'static Format) -> Result<Self, Overflow> {
        let mut counter = Counter { sums: format.sums, variables: 0, constraints: 0 };
        let (encoded, cost) = pass(&model, &encodings, format, &mut counter)?;
        let mut solution: Vec<Lit> = model
            .projection()
            .iter()
            .filter(|&&lit| constant(lit).is_none())
            .map(|lit| lit.var().pos_lit())
            .collect();
        solution.sort_unstable();
        solution.dedup();
        let survey = Survey {
            variables: counter.variables,
            constraints: counter.constraints,
            sizes: encoded.sizes().clone(),
            encodings: encoded.encodings().to_vec(),
            cost,
            labels: about::labels(&model, &encoded, &solution),
            solution,
        };
        Ok(Self { model, encodings, format, survey })
    }

    /// Returns the counts, names and cost of the formula.
    #[must_use]
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Returns the format.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// Returns the chosen encodings.
    #[must_use]
    pub fn encodings(&self) -> &Encodings {
        &self.encodings
    }

    /// Returns the model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Writes the file and returns its size in bytes.
    ///
    /// # Errors
    /// Returns an error if writing to `out` fails.
    ///
    /// # Panics
    /// Panics if the two passes write different numbers of constraints, which is a bug in the encoder.
    pub fn write(&self, about: &About<'_>, out: &mut dyn std::io::Write) -> std::io::Result<u64> {
        let mut text = FormulaText::new(out);
        (self.format.head)(&self.survey, &mut text);
        about.write(self, self.format.comment, &mut text);
        (self.format.begin)(&self.survey, &mut text);
        // The second pass can't overflow, because the first pass did not.
        let _ = pass(&self.model, &self.encodings, self.format, &mut *(self.format.writer)(&mut text));
        assert_eq!(text.constraints(), self.survey.constraints, "the encoder is deterministic");
        (self.format.end)(&self.survey, &mut text);
        text.finish()
    }

    /// Checks an assignment against every constraint of the file. Variables without a value are treated as false.
    ///
    /// # Errors
    /// Returns a violated constraint, if any.
    ///
    /// # Panics
    /// Panics in the same cases as [`Export::write`].
    pub fn check(&self, values: &[Option<bool>]) -> Result<Assignment, Broken> {
        let mut check = check::Check::new(values, self.format.sums);
        let (encoded, _) =
            pass(&self.model, &self.encodings, self.format, &mut check).expect("the first pass went through");
        match check.into_broken() {
            Some(broken) => Err(broken),
            None => Ok(encoded.assignment(|lit| check::value(values, lit))),
        }
    }
}

/// Encodes the model and the objective once. After encoding, passes the total number of variables to `target`.
fn pass(
    model: &Model,
    encodings: &Encodings,
    format: &Format,
    target: &mut dyn Target,
) -> Result<(Encoded, Option<Cost>), Overflow> {
    let mut encoded = model.encode(encodings, target);
    let objective = model.objective().filter(|_| format.objective != ObjectiveAs::Nothing);
    let cost = match objective {
        None => None,
        Some(objective) => Some(Cost::new(objective, &mut encoded, target)?),
    };
    if format.objective == ObjectiveAs::Queries {
        match objective.zip(cost.as_ref()) {
            None => target.query("is there a solution?", &[]),
            Some((objective, cost)) => write_queries(objective, cost, &mut encoded, target)?,
        }
    }
    // The encoding of the objective may create additional variables.
    let variables = encoded.sink(target).variables();
    target.reserve(variables);
    Ok((encoded, cost))
}

/// Writes a sequence of solver calls with increasingly tight bounds on the objective. The first call allows every
/// value; the last one allows only the best value that the weights permit.
fn write_queries(
    objective: &Objective,
    cost: &Cost,
    encoded: &mut Encoded,
    target: &mut dyn Target,
) -> Result<(), Overflow> {
    let most: Value = cost.weights.iter().map(|&(weight, _)| weight).sum();
    let mut bounds = ObjectiveBounds::new(objective, &mut encoded.sink(target))?;
    let steps = most.min(MAX_QUERIES - 1);
    for step in (0..=steps).rev() {
        // The product of `most` and `step` could overflow.
        let (quotient, remainder) = (most / steps.max(1), most % steps.max(1));
        let value = cost.offset + cost.unit * (quotient * step + remainder * step / steps.max(1));
        let assumptions = bounds.at_least_as_good_as(value, &mut encoded.sink(target));
        let least = if objective.sense == Sense::Minimise { "at most" } else { "at least" };
        target.query(&format!("objective {least} {value}?"), &assumptions);
    }
    Ok(())
}

impl Cost {
    fn new(objective: &Objective, encoded: &mut Encoded, target: &mut dyn Target) -> Result<Self, Overflow> {
        let turn = |weight: Value| match objective.sense {
            Sense::Minimise => Some(weight),
            Sense::Maximise => weight.checked_neg(),
        };
        let terms = objective.terms.iter().map(|&(weight, term)| Some((turn(weight)?, term)));
        let terms = terms.collect::<Option<Vec<_>>>().ok_or(Overflow)?;
        let sum = BoundedSum::new(terms, &mut encoded.sink(target))?;
        let offset =
            turn(sum.least()).and_then(|least| least.checked_add(objective.constant)).ok_or(Overflow)?;
        let weights = sum.weights().map(|(weight, lit)| Some((Value::try_from(weight).ok()?, lit)));
        let weights = weights.collect::<Option<_>>().ok_or(Overflow)?;
        let unit = Value::try_from(sum.unit()).ok().and_then(turn).ok_or(Overflow)?;
        Ok(Self { sense: objective.sense, weights, offset, unit })
    }

    /// Returns the cost of an assignment.
    pub fn of(&self, holds: impl Fn(Lit) -> bool) -> Value {
        self.weights.iter().filter(|&&(_, lit)| holds(lit)).map(|&(weight, _)| weight).sum()
    }

    /// Returns the value of the objective for a cost, or `None` on overflow.
    #[must_use]
    pub fn value(&self, cost: Value) -> Option<Value> {
        self.unit.checked_mul(cost)?.checked_add(self.offset)
    }
}

/// A receiver that counts variables and constraints.
struct Counter {
    sums: bool,
    variables: u32,
    constraints: u64,
}

impl Collect for Counter {
    fn clause(&mut self, _: &[Lit]) {
        self.constraints += 1;
    }

    fn reserve(&mut self, variables: u32) {
        self.variables = self.variables.max(variables);
    }

    fn sums(&mut self) -> Option<&mut dyn CollectSums> {
        if self.sums { Some(self) } else { None }
    }
}

impl CollectSums for Counter {
    fn sum(&mut self, _: &[(Value, Lit)], _: bool, _: Value) {
        self.constraints += 1;
    }
}

impl Target for Counter {}
