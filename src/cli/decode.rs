//! `gordian decode`: turns the output of another solver for an exported formula into a solution.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use gordian_encodings::{Assignment, Lit};

use super::config::LimitArgs;
use super::exit::ExitStatus;
use super::formula::{Chosen, FormulaArgs, Made};
use super::found::Found;
use super::input::{self, subject};
use super::json::{Json, WRONG, write_json};
use super::look::{Look, Looks, Pictures, Shown};
use super::outcome::{Printer, ProgressReports};
use super::report::Failure;
use super::watch::{Limited, SoFar, Watch};
use crate::backend::{SOLVERS, Verdict};
use crate::dimacs::solver_output::{self, SolverOutput, SolverStatus, UnknownLines};
use crate::dimacs::{self, DimacsClause, FormulaFormat};
use crate::export::{Broken, FORMATS, ObjectiveAs};
use crate::file;
use crate::format::{InputError, Source, counted};
use crate::puzzle::Puzzle;
use crate::query::{Outcome, QueryError, Status};

/// Turn the output of another solver into a solution.
///
/// Pass the board and the options that were used for `gordian export`. The solver's output may have `s` and `v`
/// lines, only literals, one digit for each variable, or literals such as `x1`. The values are checked against every
/// clause, and the solution against the rules. Variables without a value are false; if this violates a clause, a
/// solver finds their values.
///
/// Exit code 0: a solution was decoded; 1: the solver reported that there is no solution, or its values are wrong; 2:
/// the output can't be read; 3: the solver did not reach a verdict, or a limit stopped the command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian export board.txt | gordian sat - | gordian decode board.txt -
  gordian export rooks.txt --objective fewest -o rooks.wcnf
  gordian opt rooks.wcnf | gordian decode rooks.txt - --format wcnf --objective fewest")]
pub(super) struct Decode {
    #[command(flatten)]
    formula: FormulaArgs,
    /// The output of the solver: a file, or `-` for standard input
    output: String,
    /// The formula file that the solver read, to detect values that belong to another board
    #[arg(long, value_name = "FILE")]
    formula_file: Option<PathBuf>,
    #[command(flatten)]
    looks: Looks,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Limited for Decode {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn nothing(&self) -> SoFar {
        Found::default().so_far(self.formula.board.name(), self.json, Look::Plain)
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        if self.formula.board.name() == "-" && self.output == "-" {
            return Err(Failure::Usage("board and output can't both be standard input".to_owned()));
        }
        let pictures = self.looks.pictures().map(Pictures::beside_output).transpose()?;
        let puzzle = self.formula.read(&watch.limits())?;
        let name = self.formula_file.as_deref().and_then(Path::to_str);
        let chosen = self.formula.chosen(&*puzzle, name)?;
        let made = chosen.make(&*puzzle)?;
        let source = input::source(&self.output)?;
        let output = solver_output::read(&source, made.export.survey().variables, UnknownLines::Skip)?;
        let mut outcome = Outcome::default();
        match output.status {
            Some(SolverStatus::Unsatisfiable) => outcome.status = Status::None,
            Some(SolverStatus::Unknown) if !output.has_values() => {}
            _ => match self.assignment(&chosen, &made, &output, &source, &*puzzle)? {
                Ok(assignment) => fill(&mut outcome, &*puzzle, &made, &output, &assignment)?,
                Err(reason) => {
                    let status = watch.result(|| self.wrong(&*puzzle, &reason, &mut watch.out()))?;
                    return Ok(watch.ended(status));
                }
            },
        }
        let mut printer = Printer {
            source: self.formula.board.name(),
            json: self.json,
            among_others: false,
            progress: ProgressReports::Never,
            shown: Shown::of(self.looks.on_stdout(), pictures, self.formula.board.name(), None),
            found: Found::default(),
            out: &mut watch.out(),
            err: &mut anstream::stderr(),
        };
        watch.result(|| printer.decoded(&*puzzle, &outcome))?;
        printer.picture(&*puzzle, &outcome)?;
        Ok(watch.ended(outcome.status.ending()))
    }
}

impl Decode {
    /// Returns the assignment in a solver's output, or the reason why it is not a model of the formula.
    fn assignment(
        &self,
        chosen: &Chosen,
        made: &Made,
        output: &SolverOutput,
        source: &Source,
        puzzle: &dyn Puzzle,
    ) -> Result<Result<Assignment, String>, Failure> {
        let survey = made.export.survey();
        if !output.has_values() && survey.variables > 0 {
            let expected =
                if output.status.is_some() { "values of variables" } else { "a verdict or values" };
            let error = InputError::new(source, source.end(), expected, "none");
            return Err(error.with_help("solvers print them on `v` lines, some only with an option").into());
        }
        let beyond = output.greatest > u64::from(survey.variables);
        let broken = match made.export.check(&output.values) {
            Ok(assignment) if !beyond => return Ok(Ok(assignment)),
            Ok(_) => None,
            Err(broken) if broken.open && !beyond => match complete(made, output)? {
                Some(assignment) => {
                    eprintln!(
                        "gordian: the output has no value for {}; a solver found the missing values",
                        counted(output.unassigned(), "variable")
                    );
                    return Ok(Ok(assignment));
                }
                None => Some(broken),
            },
            Err(broken) => Some(broken),
        };
        let reason = match (other_options(chosen, source, puzzle)?, self.of_file(source)?) {
            (Some(other), _) => {
                format!("a model, but of this {} with other options: {other}", subject(puzzle))
            }
            (None, Some(true)) => format!(
                "a model of the formula in that file, which is of another {} or other options",
                subject(puzzle)
            ),
            (None, file) => {
                let mut reason = if beyond {
                    let (greatest, variables) = (output.greatest, survey.variables);
                    format!(
                        "variable {greatest} has a value, but this formula has {variables} variables: it is of another {} or other options",
                        subject(puzzle)
                    )
                } else {
                    "not a model of this formula".to_owned()
                };
                if let Some(broken) = broken {
                    reason += &of_broken(&broken, made);
                }
                reason + if file == Some(false) { "; nor a model of the formula in that file" } else { "" }
            }
        };
        Ok(Err(reason))
    }

    /// Checks the solver's output against the formula file. Returns whether the output satisfies the formula, or `None`
    /// if the option `--formula-file` is not given.
    fn of_file(&self, source: &Source) -> Result<Option<bool>, Failure> {
        let Some(path) = &self.formula_file else { return Ok(None) };
        let name = path.display().to_string();
        let format = if name.contains(".wcnf") { FormulaFormat::Wcnf } else { FormulaFormat::Cnf };
        let mut greatest = 0;
        let mut clauses: Vec<Vec<i32>> = Vec::new();
        let file = file::open(path).map_err(Failure::file(path))?;
        let formula = dimacs::read(&name, format, file, |read: DimacsClause<'_>| {
            greatest = greatest.max(read.literals.last().map_or(0, |literal| literal.unsigned_abs()));
            if read.weight.is_none() {
                clauses.push(read.literals.to_vec());
            }
        })?;
        let variables = formula.variables;
        let output = solver_output::read(source, variables.max(greatest), UnknownLines::Skip)?;
        let holds = |&literal: &i32| {
            output.values[literal.unsigned_abs() as usize - 1].unwrap_or(false) == (literal > 0)
        };
        let beyond = output.greatest > u64::from(variables.max(greatest));
        Ok(Some(!beyond && clauses.iter().all(|clause| clause.iter().any(holds))))
    }

    fn wrong(&self, puzzle: &dyn Puzzle, reason: &str, out: &mut dyn Write) -> Result<ExitStatus, Failure> {
        if self.json {
            let (puzzle, source) = (Some(puzzle.puzzle_type().name), self.formula.board.name());
            write_json(
                out,
                &Json { puzzle, source, status: WRONG, reason: Some(reason.to_owned()), ..Json::default() },
            )?;
        } else {
            writeln!(out, "wrong: {reason}")?;
        }
        out.flush()?;
        Ok(ExitStatus::NoSolution)
    }
}

/// Searches for other options of `gordian export` that yield a formula which the solver's output satisfies. Returns
/// these options, or `None` if there are none.
fn other_options(chosen: &Chosen, source: &Source, puzzle: &dyn Puzzle) -> Result<Option<String>, Failure> {
    for &format in FORMATS {
        let rows = puzzle
            .puzzle_type()
            .objectives
            .iter()
            .map(Some)
            .filter(|_| format.objective != ObjectiveAs::Nothing);
        for objective in std::iter::once(None).chain(rows) {
            for counting in [false, true].into_iter().filter(|&counting| !counting || objective.is_none()) {
                let other = Chosen { format, objective, counting, ..chosen.clone() };
                let export = other.make(puzzle)?.export;
                let output = solver_output::read(source, export.survey().variables, UnknownLines::Skip)?;
                // The output must contain a value for every variable of the formula, and for no other variables.
                let fits =
                    output.greatest == u64::from(export.survey().variables) && output.unassigned() == 0;
                if fits && export.check(&output.values).is_ok() {
                    return Ok(Some(other.words()));
                }
            }
        }
    }
    Ok(None)
}

fn of_broken(broken: &Broken, made: &Made) -> String {
    let named = broken.with_names(&made.export.survey().labels);
    let open = if broken.open { ", whatever the values of the unassigned variables" } else { "" };
    format!(": constraint {} is violated: {broken} ({named}){open}", broken.number)
}

/// Finds values for the variables without a value, using a built-in solver. Returns `None` if no such values satisfy
/// the formula.
fn complete(made: &Made, output: &SolverOutput) -> Result<Option<Assignment>, Failure> {
    let mut backend = SOLVERS[0].make()?;
    let model = made.export.model();
    let encoded = model.encode(made.export.encodings(), &mut *backend);
    // If linear constraints were exported without being encoded, the exported formula and the built-in solver's formula
    // have different auxiliary variables. Only the variables of the model occur in both formulas.
    let same = if made.export.format().keeps_sums() { model.variables() } else { u32::MAX };
    let given = (0..same).zip(&output.values);
    let given: Vec<Lit> = given.filter_map(|(index, value)| Some(Lit::new(index, !(*value)?))).collect();
    let verdict = backend.solve(&given)?;
    Ok((verdict == Verdict::Satisfiable).then(|| encoded.assignment(|lit| backend.value(lit))))
}

/// Checks the decoded solution against the rules. Stores the solution and its objective value in `outcome`.
fn fill(
    outcome: &mut Outcome,
    puzzle: &dyn Puzzle,
    made: &Made,
    output: &SolverOutput,
    assignment: &Assignment,
) -> Result<(), Failure> {
    let solution = (made.decode)(assignment);
    puzzle.check(&solution).map_err(QueryError::WrongSolution)?;
    outcome.solution = Some(solution);
    outcome.status = Status::Solved;
    if let (Some(row), Some(objective), Some(cost)) =
        (made.objective, made.export.model().objective(), &made.export.survey().cost)
    {
        let value = objective.value(assignment);
        // A solution with cost 0 is optimal, even if the solver does not optimise.
        let proven = output.status == Some(SolverStatus::Optimum) || cost.value(0) == Some(value);
        let bound = if proven { Some(value) } else { cost.value(0) };
        outcome.objective = bound.map(|bound| (row, value, bound));
        if proven {
            outcome.status = Status::Optimal;
        }
    }
    Ok(())
}
