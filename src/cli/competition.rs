//! `gordian sat` and `gordian opt`: solve formulas. Input and output use the formats of the SAT, MaxSAT and
//! pseudo-Boolean competitions.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use clap::Args;
use gordian_counting::components::{self, Options};
use gordian_encodings::constraint::Clause;
use gordian_encodings::{Assignment, Cnf, Collect, Lit, Model, Objective, Sense, Value};
use num_bigint::BigUint;

pub(super) mod model;
mod renumbered;

use renumbered::Renumbered;

use super::config::{ConfigArgs, LimitArgs};
use super::exit::ExitStatus;
use super::input;
use super::report::Failure;
use super::strategy::StrategyArgs;
use super::watch::{Limited, SoFar, Watch};
use crate::backend::drat::Drat;
use crate::backend::{self, Verdict};
use crate::dimacs::{self, DimacsClause, DimacsFormula, FormulaError, FormulaFormat};
use crate::file::{self, NewFile};
use crate::flatzinc::{self, Flat, SolutionFormat};
use crate::format::Syntax;
use crate::puzzle::Puzzle;
use crate::query::{QueryError, count};
use crate::read::Formula;
use crate::search::Config;

/// Solve a CNF formula, with the output and exit codes of the SAT competitions.
///
/// With `--count`, count its models, with the output of the model counting competitions.
///
/// Exit code 10: satisfiable; 20: unsatisfiable; 0: stopped by a limit; 2: the file can't be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian sat formula.cnf
  gordian export board.txt | gordian sat - --solver varisat
  gordian sat formula.cnf --proof proof.drat
  gordian sat formula.cnf --count")]
pub(super) struct Sat {
    /// The formula in DIMACS CNF: a file, decompressed if its name ends in .gz, .xz, .bz2 or .lzma, or `-` for
    /// standard input
    file: PathBuf,
    /// Write a proof in the DRAT format, compressed if its name ends in .gz, .xz or .bz2. If the formula is
    /// satisfiable or the solver is stopped, no file is written
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Count the models. Models that agree on the variables in lines `c p show 1 2 3 0` count as one
    #[arg(long, conflicts_with = "proof")]
    count: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Solve a formula in WCNF or OPB, with the output and exit codes of the MaxSAT evaluations and the pseudo-Boolean
/// competitions.
///
/// Exit code 30: optimum found; 10: satisfiable, optimum unknown; 20: unsatisfiable; 0: stopped by a limit; 2: the
/// file can't be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  gordian opt formula.wcnf
  gordian opt formula.opb --timeout 60")]
pub(super) struct Opt {
    /// The formula in WCNF, OPB or WBO: a file, decompressed if its name ends in .gz, .xz, .bz2 or .lzma, or `-` for
    /// standard input
    file: PathBuf,
    #[command(flatten)]
    strategy: StrategyArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

fn read(
    path: &Path,
    format: FormulaFormat,
    each: impl FnMut(DimacsClause<'_>),
) -> Result<DimacsFormula, Failure> {
    Ok(dimacs::read(&path.display().to_string(), format, open(path)?, each)?)
}

fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let name = path.display().to_string();
    Ok(file::open(path).map_err(|error| FormulaError::File { name, error })?)
}

/// Returns the bytes at the beginning of a file, which remain to be read.
fn beginning<'b>(name: &str, input: &'b mut impl BufRead) -> Result<&'b [u8], FormulaError> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FormulaError::File { name: name.to_owned(), error }),
            Ok(_) => break,
        }
    }
    // The buffer is not empty, or the file has ended, so the bytes are not read again.
    input.fill_buf().map_err(|error| FormulaError::File { name: name.to_owned(), error })
}

/// Returns whether the name of a file, or its beginning, is that of a pseudo-Boolean formula.
fn is_pseudo_boolean(path: &Path, beginning: &[u8]) -> bool {
    if let Some(syntax) = path.to_str().and_then(Syntax::of_name) {
        return syntax == Syntax::Opb;
    }
    let text = String::from_utf8_lossy(beginning);
    // Only OPB has comments that start with `*`.
    text.trim_start().starts_with('*')
        || Formula::guess(&text).is_some_and(|(formula, _)| formula == Formula::Opb)
}

/// Returns the literal with the given DIMACS number, which must not be 0.
fn lit(number: i32) -> Lit {
    Lit::new(number.unsigned_abs() - 1, number < 0)
}

/// The output if a limit ends the process before the solver has a result.
fn unknown() -> SoFar {
    SoFar { status: ExitStatus::Answered, ..SoFar::out("s UNKNOWN\n") }
}

impl Limited for Sat {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        unknown()
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        self.config.encodings_unused()?;
        let config = self.config.chosen(&watch.limits())?;
        if self.count {
            return self.print_count(&config, watch);
        }
        let solver = &config.solver;
        let mut backend = config.backend(config.limits())?;
        let (numbers, mut clause) = (Rc::new(RefCell::new(Renumbered::default())), Vec::new());
        let proof = match &self.proof {
            None => None,
            Some(path) => {
                let numbers = Rc::clone(&numbers);
                let out =
                    BufWriter::with_capacity(BUFFER, NewFile::create(path).map_err(Failure::file(path))?);
                let drat = Drat::new(out, move |lit| numbers.borrow().original(lit));
                let drat = Rc::new(RefCell::new(drat.cancel_on_failure(config.cancel.clone())));
                if !backend.log_proof(Box::new(Rc::clone(&drat))) {
                    let names = backend::SOLVERS.iter().filter(|solver| solver.proofs);
                    let names: Vec<_> = names.map(|solver| &*solver.name).collect();
                    return Err(Failure::Usage(format!(
                        "--proof: {} does not log proofs; use --solver with one of {}",
                        solver.name,
                        names.join(", ")
                    )));
                }
                Some((path, drat))
            }
        };
        let formula = read(&self.file, FormulaFormat::Cnf, |read| {
            clause.clear();
            let mut numbers = numbers.borrow_mut();
            clause.extend(read.literals.iter().map(|&literal| numbers.take(lit(literal))));
            drop(numbers);
            backend.clause(&clause);
        })?;
        let verdict = backend.solve(&[])?;
        if let Some((path, drat)) = &proof {
            drat.borrow_mut().check().map_err(Failure::file(path))?;
        }
        let mut out = watch.plain();
        writeln!(out, "c gordian {} with {}", env!("CARGO_PKG_VERSION"), solver.name)?;
        let (line, status) = match verdict {
            Verdict::Satisfiable => ("s SATISFIABLE", ExitStatus::Satisfiable),
            Verdict::Unsatisfiable => ("s UNSATISFIABLE", ExitStatus::Unsatisfiable),
            Verdict::Stopped => ("s UNKNOWN", ExitStatus::Answered),
        };
        if verdict == Verdict::Unsatisfiable
            && let Some((path, drat)) = proof
        {
            drop(backend);
            if let Some(drat) = Rc::into_inner(drat) {
                let finish = |file: BufWriter<NewFile>| file.into_inner()?.finish();
                drat.into_inner().finish().and_then(finish).map_err(Failure::file(path))?;
            }
            watch.result(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
            return Ok(watch.ended(status));
        }
        watch.result(|| {
            writeln!(out, "{line}")?;
            if verdict == Verdict::Satisfiable {
                // If the solver reports no value for a variable, both values are possible.
                let numbers = numbers.borrow();
                let value = |lit| numbers.get(lit).and_then(|lit| backend.value(lit));
                print_values(&mut out, formula.variables, |lit| value(lit) == Some(true))?;
            }
            out.flush()
        })?;
        Ok(watch.ended(status))
    }
}

impl Sat {
    /// Counts the models by decomposition into components. The counter does not need a solver.
    fn print_count(&self, config: &Config, watch: &Watch) -> Result<ExitStatus, Failure> {
        let (mut cnf, mut clause) = (Cnf::default(), Vec::new());
        let formula = read(&self.file, FormulaFormat::Cnf, |read| {
            clause.clear();
            clause.extend(read.literals.iter().copied().map(lit));
            cnf.clause(&clause);
        })?;
        cnf.reserve(formula.variables);
        if let Some(place) = formula.weights {
            return Err(dimacs::weighted(self.file.display().to_string(), place).into());
        }
        let projection = formula
            .projection
            .map(|variables| variables.into_iter().map(|variable| Lit::positive(variable - 1)).collect());
        let kind = if projection.is_some() { "pmc" } else { "mc" };
        let options = Options { cache: count::memory(config), projection };
        let count = components::count(&cnf, &options, &mut |_| ());
        let (line, status) = if count == BigUint::ZERO {
            ("s UNSATISFIABLE", ExitStatus::Unsatisfiable)
        } else {
            ("s SATISFIABLE", ExitStatus::Satisfiable)
        };
        let mut out = watch.plain();
        watch.result(|| {
            writeln!(out, "c gordian {}", env!("CARGO_PKG_VERSION"))?;
            writeln!(out, "{line}\nc s type {kind}\nc s exact arb int {count}")?;
            out.flush()
        })?;
        Ok(watch.ended(status))
    }
}

/// The buffer size in bytes for writing proofs.
const BUFFER: usize = 1 << 16;
/// The line for a solution that is not proven optimal.
const SATISFIABLE: &str = "s SATISFIABLE";

/// Prints `v` lines with a value for every variable of the formula, including variables that occur in no clause.
fn print_values(out: &mut impl Write, variables: u32, holds: impl Fn(Lit) -> bool) -> std::io::Result<()> {
    const WIDTH: usize = 78;
    let (mut line, mut word) = ("v".to_owned(), String::new());
    let lits = (0..variables).map(|index| Lit::new(index, !holds(Lit::positive(index))));
    for number in lits.map(Lit::to_ipasir).chain([0]) {
        word.clear();
        // Writing to a string never fails.
        let _ = write!(word, "{number}");
        if line.len() + word.len() >= WIDTH {
            writeln!(out, "{line}")?;
            "v".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(&word);
    }
    writeln!(out, "{line}")
}

/// Returns the lines `s` and `v` of a solution. The assignment is that of the formula with renumbered variables.
fn solution(line: &str, variables: u32, numbers: &Renumbered, assignment: &Assignment) -> String {
    let holds = |index| numbers.get(Lit::positive(index)).is_some_and(|lit| assignment.lit(lit));
    let values = (0..variables).map(|index| if holds(index) { '1' } else { '0' });
    format!("{line}\nv {}\n", values.collect::<String>())
}

impl Limited for Opt {
    fn limits(&self) -> LimitArgs {
        self.config.limits
    }

    fn nothing(&self) -> SoFar {
        unknown()
    }

    fn run(&self, watch: &Watch) -> Result<ExitStatus, Failure> {
        let config = self.config.chosen(&watch.limits())?;
        let config = Config { strategy: self.strategy.chosen()?, ..config };
        let name = self.file.display().to_string();
        let mut input = BufReader::new(open(&self.file)?);
        if is_pseudo_boolean(&self.file, beginning(&name, &mut input)?) {
            let source = input::source_from(&name, input)?;
            let instance = flatzinc::read(&source, Syntax::Opb)?;
            let flat = Flat::new(instance.into()).map_err(|error| flatzinc::input_error(&source, &error))?;
            let flat = flat.in_format(SolutionFormat::PseudoBoolean);
            return model::solve(flat, &config, watch, |flat, solution, _, _| {
                flat.draw(Some(solution)).text(false)
            });
        }
        let solver = &config.solver;
        let mut model = Model::new();
        let mut clauses: Vec<(Vec<Lit>, Option<u128>)> = Vec::new();
        let mut numbers = Renumbered::default();
        let formula = dimacs::read(&name, FormulaFormat::Wcnf, input, |read| {
            let clause = read.literals.iter().map(|&literal| numbers.take(lit(literal))).collect();
            clauses.push((clause, read.weight));
        })?;
        let variables = formula.variables;
        for _ in 0..numbers.count(variables) {
            model.boolean();
        }
        let mut costs: Vec<(Value, Lit)> = Vec::new();
        let mut constant: Value = 0;
        for (mut clause, weight) in clauses {
            // The reader limits the weights.
            match (weight.map(u128::cast_signed), &clause[..]) {
                (None, _) => model.post(Clause::new(clause)),
                (Some(weight), []) => constant += weight,
                (Some(weight), &[lit]) => costs.push((weight, !lit)),
                (Some(weight), _) => {
                    let broken = model.boolean();
                    clause.push(broken);
                    costs.push((weight, broken));
                    model.post(Clause::new(clause));
                }
            }
        }
        let objective = Objective { constant, ..Objective::new(Sense::Minimise, costs) };
        let mut session = config.session(&model, config.limits())?;
        let mut out = watch.plain();
        writeln!(out, "c gordian {} with {}", env!("CARGO_PKG_VERSION"), solver.name)?;
        let mut failed = None;
        let numbers = Arc::new(numbers);
        let improved = session.optimise(&objective, config.strategy, |moved| {
            if let (Some(assignment), Some(value)) = (moved.improved, moved.gap.best) {
                let (numbers, assignment) = (Arc::clone(&numbers), assignment.clone());
                watch.keep(move || {
                    let lines = solution(SATISFIABLE, variables, &numbers, &assignment);
                    SoFar { status: ExitStatus::Satisfiable, ..SoFar::out(lines) }
                });
                let written = writeln!(out, "o {value}").and_then(|()| out.flush());
                failed = failed.take().or(written.err());
            }
        });
        let optimum = improved.map_err(QueryError::from)?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        let (line, ending) = match (&optimum.best, optimum.proven) {
            (Some(_), true) => ("s OPTIMUM FOUND", ExitStatus::Optimum),
            (Some(_), false) => (SATISFIABLE, ExitStatus::Satisfiable),
            (None, true) => ("s UNSATISFIABLE", ExitStatus::Unsatisfiable),
            (None, false) => ("s UNKNOWN", ExitStatus::Answered),
        };
        watch.result(|| {
            match &optimum.best {
                Some((assignment, _)) => {
                    write!(out, "{}", solution(line, variables, &numbers, assignment))?;
                }
                None => writeln!(out, "{line}")?,
            }
            out.flush()
        })?;
        Ok(watch.ended(ending))
    }
}
