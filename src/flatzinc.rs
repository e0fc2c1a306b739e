//! Instances of constraint models in FlatZinc, XCSP3 or a format of formulas. All puzzle queries and commands support such
//! instances.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use gordian_encodings::{Sense, Value};
use gordian_flatzinc::instance::{Argument, Call, Goal, Instance, Operand, Output, Place, VarId};
use gordian_flatzinc::{Problem, TranslateError, Translation, holds};

use crate::format::{InputError, Source, counted};
use crate::puzzle::{Formulation, ObjectiveRow, Part, Puzzle, PuzzleType, Query, StageOutcome, Stages};
use crate::query::{self, Silent};
use crate::render::{Line, Role, Scene, Text};
use crate::rules::opb::RulesFormula;
use crate::rules::{Field, Rules, Solution, Violation};
use crate::search::Config;

mod assume;
mod certificate;
mod formula;
mod parts;
mod read;
mod restart;
mod solution_format;
mod why;

use assume::{is_assumption, with_assumptions};
pub(crate) use read::{guess, input_error, read};
pub use restart::{RestartError, Restarted};
pub use solution_format::SolutionFormat;
pub use why::{NamedConstraints, WhyNone};

/// The name of the puzzle type for instances of constraint models.
pub const NAME: &str = "model";

/// The puzzle type for instances without an objective.
pub static SATISFY: PuzzleType = puzzle_type(&[]);
/// The puzzle type for instances that minimise an objective.
pub static MINIMISE: PuzzleType = puzzle_type(&[objective("minimise", Sense::Minimise)]);
/// The puzzle type for instances that maximise an objective.
pub static MAXIMISE: PuzzleType = puzzle_type(&[objective("maximise", Sense::Maximise)]);

const fn puzzle_type(objectives: &'static [ObjectiveRow]) -> PuzzleType {
    PuzzleType {
        name: NAME,
        aliases: &[],
        rules: "Satisfy the constraints of the model.",
        options: &[],
        objectives,
        optimises: true,
        fields: &[],
        readers: &[],
        sheet: None,
        group: crate::puzzle::Group::Other,
    }
}

const fn objective(name: &'static str, sense: Sense) -> ObjectiveRow {
    ObjectiveRow { name, sense, summary: "the objective of the model" }
}

/// The exponents k of the bounds `2^k` that are tried in turn for unbounded variables. `MiniZinc` values have 64
/// bits, so larger bounds are not needed.
const EXPONENTS: RangeInclusive<u32> = 4..=62;
/// A FlatZinc instance that has been presolved and is ready for queries.
#[derive(Debug)]
pub struct Flat {
    instance: Arc<Instance>,
    /// The instance after presolve.
    pub(crate) problem: Problem,
    /// True if the search follows the model's search annotations.
    annotated: bool,
    /// The original instance, if it contains assumptions. The field `instance` contains them as constraints.
    assuming: Option<Arc<Instance>>,
    /// The translation that [`Flat::new`] created to detect errors. The first formulation uses this translation instead
    /// of creating another one.
    first: Mutex<Option<Translation>>,
    /// The format in which solutions are printed.
    format: SolutionFormat,
}

impl Flat {
    /// Presolves and translates an instance.
    ///
    /// # Errors
    /// Returns an error if a constraint is not supported, or if numbers exceed 128 bits.
    pub fn new(instance: Arc<Instance>) -> Result<Self, TranslateError> {
        let assuming = instance.constraints.iter().any(is_assumption).then(|| Arc::clone(&instance));
        let instance = if assuming.is_some() { Arc::new(with_assumptions(&instance)) } else { instance };
        let problem = Problem::new(&instance)?;
        let first = if problem.open().is_empty() {
            Some(problem.translate()?)
        } else {
            // The translation is discarded; it only detects errors.
            problem.stage(*EXPONENTS.start())?;
            None
        };
        let format = SolutionFormat::default();
        Ok(Self { instance, problem, annotated: false, assuming, first: Mutex::new(first), format })
    }

    /// Makes the search follow the search annotations of the model.
    #[must_use]
    pub fn annotated(self) -> Self {
        Self { annotated: true, ..self }
    }

    /// Sets the format in which solutions are printed. The default is that of FlatZinc solvers.
    #[must_use]
    pub fn in_format(self, format: SolutionFormat) -> Self {
        Self { format, ..self }
    }

    /// Returns the instance of the constraint model.
    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Returns the instance as a satisfaction problem with the additional constraint `objective = value`.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Flat::new`].
    pub fn with_objective(&self, value: Value) -> Result<Self, TranslateError> {
        let mut instance = (*self.instance).clone();
        if let Goal::Minimise(operand) | Goal::Maximise(operand) = &instance.goal {
            let call = equal("int_eq", operand.clone(), Operand::Int(value));
            instance.constraints.push(call);
        }
        instance.goal = Goal::Satisfy;
        Self::new(Arc::new(instance))
    }

    /// Returns the objective value of a solution. The solution must include the values of all variables (a witness).
    fn objective_value(&self, solution: &Solution) -> Option<Value> {
        match &self.instance.goal {
            Goal::Satisfy => None,
            Goal::Minimise(Operand::Var(variable)) | Goal::Maximise(Operand::Var(variable)) => {
                solution.witness()?.get(variable.0 as usize).copied()
            }
            Goal::Minimise(operand) | Goal::Maximise(operand) => operand.constant(),
        }
    }

    /// Returns the value of each output variable in a solution.
    fn output_values(&self, solution: &Solution) -> HashMap<VarId, Value> {
        let mut known = HashMap::new();
        let fields = by_name(solution);
        for output in &self.instance.output {
            let field = fields.get(&*output.name);
            let values = field.and_then(|field| numbers(field)).unwrap_or_default();
            for (operand, &value) in output.elements.iter().zip(values) {
                if let Operand::Var(variable) = operand {
                    known.insert(*variable, value);
                }
            }
        }
        known
    }

    /// Adds a witness to a solution: searches for values of all variables, given the values of the output variables.
    fn completed(&self, solution: &Solution) -> Result<Solution, Violation> {
        let mut instance = (*self.instance).clone();
        instance.goal = Goal::Satisfy;
        let fields = by_name(solution);
        for output in &self.instance.output {
            let values = elements(output, &fields)?;
            for (operand, &value) in output.elements.iter().zip(values) {
                let call = if output.is_bool {
                    equal("bool_eq", operand.clone(), Operand::Bool(value == 1))
                } else {
                    equal("int_eq", operand.clone(), Operand::Int(value))
                };
                instance.constraints.push(call);
            }
        }
        let none = || Violation::new("the model has no solution with these values");
        let fixed = Self::new(Arc::new(instance)).map_err(|error| Violation::new(error.to_string()))?;
        let outcome = query::run(&fixed, Query::Satisfy, &Config::default(), &mut Silent);
        outcome.map_err(|error| Violation::new(error.to_string()))?.solution.ok_or_else(none)
    }

    /// Returns the formulation of a query, based on the given translation. If `all` is true, the formulation includes
    /// all variables and all parts, even if the query does not need them.
    fn formulation(&self, mut translation: Translation, query: &Query, all: bool) -> Formulation {
        if self.annotated {
            translation.prefer(&self.instance);
        }
        translation.branch(&self.instance);
        translation.decide(&self.instance);
        translation.name(&self.instance);
        if query.needs_every_solution() {
            translation.project(&self.instance, false);
        }
        if all || query.objective().is_none() {
            translation.define_all();
        }
        if query.objective().is_none() {
            translation.model.remove_objective();
        }
        // The relaxation of the objective is valid only if no unbounded variable is restricted to a finite window.
        if translation.model.assumed().is_empty() {
            translation.model.relax();
        }
        let has_parts = all || matches!(query, Query::Backbone | Query::CountValues);
        let parts = if has_parts { self.parts(&mut translation, false) } else { Vec::new() };
        self.decoded(translation, parts)
    }

    /// Returns the formulation with the model of a translation.
    fn decoded(&self, translation: Translation, parts: Vec<Part>) -> Formulation {
        let Translation { model, decoder, .. } = translation;
        let instance = Arc::clone(&self.instance);
        Formulation {
            model,
            decode: Box::new(move |assignment| decode(&instance, decoder.values(assignment))),
            parts,
            facts: Vec::new(),
        }
    }

    /// Returns the formulations of a query, in solving order. If `all` is true, each formulation includes all
    /// variables and all parts.
    fn stages_with<'a>(&'a self, query: &'a Query, all: bool) -> Stages<'a> {
        let mut exponents = EXPONENTS.step_by(2);
        let mut problem = Cow::Borrowed(&self.problem);
        let (mut last, mut ended) = (None, false);
        Box::new(move |before| {
            if ended {
                return None;
            }
            if let (Query::Optimise(_), StageOutcome::One(best)) = (query, before)
                && let Some(value) = self.objective_value(best)
                && last.replace(value) != Some(value)
            {
                problem = Cow::Owned(self.problem.better_than(value));
                exponents = EXPONENTS.step_by(2);
            }
            if let (Query::Optimise(_), None) = (query, last)
                && let Some(bounded) = problem.bounded(&self.instance)
            {
                problem = Cow::Owned(bounded);
            }
            if problem.open().is_empty() {
                ended = true;
                let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
                let translation = match first.filter(|_| matches!(problem, Cow::Borrowed(_))) {
                    Some(translation) => translation,
                    None => problem.translate().ok()?,
                };
                return Some(self.formulation(translation, query, all));
            }
            let exponent = exponents.next()?;
            let stage = match query {
                Query::Satisfy => problem.stage_for_one(exponent),
                _ => problem.stage(exponent),
            };
            let mut translation = stage.ok()?;
            translation.model.assume(translation.windows());
            Some(self.formulation(translation, query, all))
        })
    }
}

/// Returns the first formulation. If variables are unbounded, the first formulation restricts them to finite windows.
fn first(mut stages: Stages<'_>) -> Formulation {
    stages(&StageOutcome::None).expect("`Flat::new` has translated the first formulation")
}

/// Returns a constraint that makes two operands equal.
fn equal(name: &str, a: Operand, b: Operand) -> Call {
    let arguments = vec![Argument::One(a), Argument::One(b)];
    Call { name: name.into(), arguments, annotations: Vec::new(), place: Place::default() }
}

/// Returns the solution with the values of the output variables. The witness of the solution contains the values of
/// all variables.
fn decode(instance: &Instance, values: Vec<Value>) -> Solution {
    let mut solution = Solution::new();
    for output in &instance.output {
        let Some(elements) = output_elements(output, &values) else { continue };
        let field = match (&output.dimensions, &elements[..]) {
            (None, &[value]) => Field::Number(value),
            _ => Field::Numbers(elements),
        };
        solution = solution.with(output.name.to_string(), field);
    }
    solution.with_witness(values)
}

/// Returns the values of an output variable or output array, given the values of all variables. Returns `None` if a
/// value is a set.
fn output_elements(output: &Output, values: &[Value]) -> Option<Vec<Value>> {
    let value = |operand: &Operand| match operand {
        Operand::Var(variable) => values.get(variable.0 as usize).copied(),
        operand => operand.constant(),
    };
    output.elements.iter().map(value).collect()
}

/// Returns the numbers of a field of a solution, in row-major order if the field is a grid.
fn numbers(field: &Field) -> Option<&[Value]> {
    match field {
        Field::Number(value) => Some(std::slice::from_ref(value)),
        Field::Numbers(values) => Some(values),
        Field::Grid(grid) => Some(grid.cells()),
        Field::Natural(_) | Field::Naturals(_) | Field::Pairs(_) => None,
    }
}

/// The fields of a solution by name. [`Solution::get`] takes linear time, which is too long for instances with many output
/// variables.
type Fields<'s> = HashMap<&'s str, &'s Field>;

/// Returns the fields of a solution by name.
fn by_name(solution: &Solution) -> Fields<'_> {
    let mut fields = HashMap::new();
    for (name, field) in solution.fields() {
        fields.entry(name).or_insert(field);
    }
    fields
}

/// Returns the values of an output variable or output array in a solution.
fn elements<'s>(output: &Output, fields: &Fields<'s>) -> Result<&'s [Value], Violation> {
    let field = fields.get(&*output.name);
    let field =
        field.ok_or_else(|| Violation::new(format!("the solution has no value of `{}`", output.name)))?;
    let values = numbers(field)
        .ok_or_else(|| Violation::new(format!("`{}` has numbers that exceed 128 bits", output.name)))?;
    if values.len() != output.elements.len() {
        let (found, expected) = (values.len(), output.elements.len());
        return Err(Violation::new(format!("`{}` has {found} values instead of {expected}", output.name)));
    }
    if output.is_bool
        && let Some(value) = values.iter().find(|value| !matches!(value, 0 | 1))
    {
        return Err(Violation::new(format!("`{}` has the value {value}, which is not 0 or 1", output.name)));
    }
    Ok(values)
}

impl Rules for Flat {
    /// Checks every constraint of the instance, without using the formula. If the solution has no witness, a search
    /// completes it.
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let completed;
        let solution = if solution.witness().is_some() {
            solution
        } else {
            completed = self.completed(solution)?;
            &completed
        };
        let values = solution.witness().unwrap_or_default();
        holds(&self.instance, values).map_err(|violation| Violation::new(violation.to_string()))?;
        let fields = by_name(solution);
        for output in &self.instance.output {
            let Some(expected) = output_elements(output, values) else { continue };
            if elements(output, &fields)? != expected {
                let reason =
                    format!("the values of `{}` differ from the values of its variables", output.name);
                return Err(Violation::new(reason));
            }
        }
        Ok(())
    }
}

impl Puzzle for Flat {
    fn puzzle_type(&self) -> &'static PuzzleType {
        match self.instance.goal {
            Goal::Satisfy => &SATISFY,
            Goal::Minimise(_) => &MINIMISE,
            Goal::Maximise(_) => &MAXIMISE,
        }
    }

    fn formulate(&self, query: &Query) -> Formulation {
        first(self.stages(query))
    }

    fn formulate_all(&self, query: &Query) -> Formulation {
        first(self.stages_with(query, true))
    }

    fn stages<'a>(&'a self, query: &'a Query) -> Stages<'a> {
        self.stages_with(query, false)
    }

    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        let mut translation = Translation::for_proof(&self.instance, None)?;
        if query.needs_every_solution() {
            translation.project(&self.instance, true);
        }
        if query.objective().is_none() {
            translation.model.remove_objective();
        }
        let is_backbone = *query == Query::Backbone;
        let parts = if is_backbone { self.parts(&mut translation, true) } else { Vec::new() };
        Ok(Some(self.decoded(translation, parts)))
    }

    fn formulate_better(&self, _: &Query, value: Value, _: bool) -> Result<Option<Formulation>, String> {
        let translation = Translation::for_proof(&self.instance, Some(value))?;
        Ok(Some(self.decoded(translation, Vec::new())))
    }

    fn one_assignment_per_solution(&self) -> bool {
        false
    }

    fn unbounded(&self) -> Vec<String> {
        let name = |variable: &VarId| self.instance.variables[variable.0 as usize].name.to_string();
        self.problem.open().iter().map(name).collect()
    }

    /// Outputs with sets are not fields of solutions.
    fn has_field(&self, name: &str) -> bool {
        let is_set = |operand: &Operand| matches!(operand, Operand::Set(_));
        let mut outputs = self.instance.output.iter().filter(|output| !output.elements.iter().any(is_set));
        outputs.any(|output| &*output.name == name)
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }

    fn has_status_lines(&self) -> bool {
        self.format.has_status_lines()
    }

    /// Draws the solution in the format of [`Flat::in_format`]. Without a solution, the drawing describes the
    /// instance.
    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let line = |text: &str, role| Text::new(text, role);
        let Some(solution) = solution else {
            let instance = &self.instance;
            let text = format!(
                "{}, {}, {}",
                counted(instance.variables.len(), "variable"),
                counted(instance.constraints.len(), "constraint"),
                self.puzzle_type().objectives.first().map_or("satisfy", |row| row.name)
            );
            return Scene::default().with_lines([Line::Data(line(&text, Role::Plain))]);
        };
        let values = self.output_values(solution);
        let value = |variable: VarId| values.get(&variable).copied().unwrap_or_default();
        let text = self.format.write(&self.instance, value);
        let rows = text.lines().filter(|row| !row.starts_with('-'));
        Scene::default().with_lines(rows.map(|row| Line::Solution(line(row, Role::Plain))))
    }

    /// Reads a solution in the format of [`Flat::in_format`].
    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        self.format.read(&self.instance, source)
    }
}
