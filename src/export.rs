//! Formulas as files for other solvers, and the way back from what these print.
//!
//! An [`Export`] is a model with all that decides its formula: encodings, format, and whether its models are to be
//! counted. The formula itself is nowhere in memory. The encoder is deterministic, so it runs twice: the first run counts
//! what headers must tell and takes the names of variables ([`Survey`]), the second writes. A third run checks a solution
//! against every constraint of the file ([`Export::check`]).

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
use text::Text;

/// A format of formulas, a row in [`FORMATS`].
#[derive(Debug)]
pub struct Format {
    /// The word on the command line.
    pub name: &'static str,
    /// How names of such files end.
    pub extension: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// What becomes of an objective.
    pub objective: ObjectiveAs,
    /// Whether linear constraints stay as they are.
    sums: bool,
    /// What comment lines begin with.
    comment: &'static str,
    /// Writes what stands before the comments.
    head: fn(&Survey, &mut Text<'_>),
    /// Writes what stands between the comments and the constraints.
    begin: fn(&Survey, &mut Text<'_>),
    /// Makes the writer of constraints.
    writer: for<'t, 'w> fn(&'t mut Text<'w>) -> Box<dyn Target + 't>,
    /// Writes what stands after the constraints.
    end: fn(&Survey, &mut Text<'_>),
}

impl Format {
    /// Whether linear constraints stay as they are. Elsewhere the variables are those that a solver in the process gets.
    #[must_use]
    pub fn keeps_sums(&self) -> bool {
        self.sums
    }
}

/// What a format does with an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectiveAs {
    /// Nothing: it has no place for one.
    Nothing,
    /// It says what to minimise.
    Cost,
    /// It asks bound after bound.
    Questions,
}

/// All formats.
pub static FORMATS: &[&Format] = &[&dimacs::DIMACS, &wcnf::WCNF, &opb::OPB, &icnf::ICNF];

/// The format with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

/// Where an encoding goes that becomes a file.
trait Target: Collect {
    /// A question under assumptions, after all clauses so far.
    fn question(&mut self, about: &str, assumptions: &[Lit]);
}

/// A formula that can be written, with its description.
#[derive(Debug)]
pub struct Export {
    model: Model,
    encodings: Encodings,
    format: &'static Format,
    survey: Survey,
}

/// What an encoding comes to.
#[derive(Debug)]
pub struct Survey {
    /// Variables.
    pub variables: u32,
    /// Clauses, or inequalities.
    pub constraints: u64,
    /// By meaning.
    pub sizes: Sizes,
    /// Meaning, encoding, and for how many constraints it was used.
    pub encodings: Vec<(&'static str, &'static str, u64)>,
    /// What is minimised.
    pub cost: Option<Cost>,
    /// The variables that are the solution, in ascending order.
    pub solution: Vec<Lit>,
    /// The variables with names, in ascending order.
    pub labels: Vec<about::Label>,
}

/// An objective as a cost to be minimised: of each literal that holds, its weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Whether the objective itself is to be minimised.
    pub sense: Sense,
    /// Weights and literals.
    pub weights: Vec<(usize, Lit)>,
    /// The objective is `offset + unit * cost`.
    pub offset: Value,
    /// See [`Cost::offset`].
    pub unit: Value,
}

/// At most so many questions are asked about an objective.
const MOST_QUESTIONS: Value = 1_000;

impl Export {
    /// Encodes the model once, to learn what its formula comes to. The choice of encodings counts but for
    /// [`Encodings::deferring`]: a formula in a file is complete.
    ///
    /// # Errors
    /// If the model has an objective whose weights are too great for the format.
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

    /// What the formula comes to.
    #[must_use]
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The choice of encodings.
    #[must_use]
    pub fn encodings(&self) -> &Encodings {
        &self.encodings
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Writes the file. Returns the number of bytes.
    ///
    /// # Errors
    /// If `out` does not take it.
    ///
    /// # Panics
    /// If the encoder makes another formula than the first time, which would be a bug of it.
    pub fn write(&self, about: &About<'_>, out: &mut dyn std::io::Write) -> std::io::Result<u64> {
        let mut text = Text::new(out);
        (self.format.head)(&self.survey, &mut text);
        about.write(self, self.format.comment, &mut text);
        (self.format.begin)(&self.survey, &mut text);
        // Too great it is not: the first pass went through.
        let _ = pass(&self.model, &self.encodings, self.format, &mut *(self.format.writer)(&mut text));
        assert_eq!(text.constraints(), self.survey.constraints, "the encoder is deterministic");
        (self.format.end)(&self.survey, &mut text);
        text.finish()
    }

    /// Checks values of the variables against every constraint of the file. What has no value is false.
    ///
    /// # Errors
    /// The first constraint that is broken.
    ///
    /// # Panics
    /// As [`Export::write`].
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

/// Encodes everything once. `target` is told of all variables in the end.
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
    if format.objective == ObjectiveAs::Questions {
        match objective.zip(cost.as_ref()) {
            None => target.question("is there a solution?", &[]),
            Some((objective, cost)) => ask(objective, cost, &mut encoded, target)?,
        }
    }
    // Views of integers that only the objective asks for come after the model's own report.
    let variables = encoded.sink(target).variables();
    target.reserve(variables);
    Ok((encoded, cost))
}

/// Asks for ever better values of the objective, from any to the best there could be.
fn ask(
    objective: &Objective,
    cost: &Cost,
    encoded: &mut Encoded,
    target: &mut dyn Target,
) -> Result<(), Overflow> {
    let most: Value = cost.weights.iter().map(|&(weight, _)| weight as Value).sum();
    let mut bounds = ObjectiveBounds::new(objective, &mut encoded.sink(target))?;
    let questions = most.min(MOST_QUESTIONS);
    for number in (0..=questions).rev() {
        let value =
            cost.offset + cost.unit * if questions == most { number } else { number * (most / questions) };
        let assumptions = bounds.at_least_as_good_as(value, &mut encoded.sink(target));
        let least = if objective.sense == Sense::Minimise { "at most" } else { "at least" };
        target.question(&format!("objective {least} {value}?"), &assumptions);
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
        let unit = Value::try_from(sum.unit()).ok().and_then(turn).ok_or(Overflow)?;
        Ok(Self { sense: objective.sense, weights: sum.weights().collect(), offset, unit })
    }

    /// The cost of an assignment.
    pub fn of(&self, holds: impl Fn(Lit) -> bool) -> Value {
        self.weights.iter().filter(|&&(_, lit)| holds(lit)).map(|&(weight, _)| weight as Value).sum()
    }

    /// The value of the objective at this cost; `None` if there is no such number.
    #[must_use]
    pub fn value(&self, cost: Value) -> Option<Value> {
        self.unit.checked_mul(cost)?.checked_add(self.offset)
    }
}

/// Counts what others write.
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

impl Target for Counter {
    fn question(&mut self, _: &str, _: &[Lit]) {}
}
