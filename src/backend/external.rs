//! SAT solvers that run as external programs. The programs must read DIMACS and print results as in the SAT
//! competitions or as MiniSat does.
//!
//! The formula is stored only in a temporary file, to which clauses are appended. For each call, the header is
//! updated, the assumptions are appended as unit clauses, the program is run, and the unit clauses are removed. An
//! external program therefore supports all operations of a solver, but every call solves the formula from scratch.
//!
//! The output of the program also goes to a temporary file. With files instead of pipes, no thread has to read while
//! the program runs, and a surviving descendant can't keep a pipe open. Every assignment is checked against the
//! formula. If an assignment violates a clause, the call returns an error.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use gordian_encodings::theory::Propagator;
use gordian_encodings::{Collect, FALSE, Lit, TRUE, lit};

use super::{Backend, BackendError, Limits, Solver, Statistics, Verdict};
use crate::dimacs::solver_output::{self, SolverOutput, SolverStatus, UnknownLines};
use crate::dimacs::{self, DimacsClause, FormulaFormat};
use crate::process::cleanup::TemporaryFile;
use crate::process::{self, Finished, ProcessLimits, Termination};
use crate::source::Source;

mod programs;

pub use programs::{CommandLine, PROGRAMS, Program, find};

/// Every header is padded to this length in bytes.
const HEADER: usize = 40;
/// The maximum output size in bytes is `OUTPUT + OUTPUT_PER_VARIABLE * variables`.
const OUTPUT: u64 = 1 << 26;
const OUTPUT_PER_VARIABLE: u64 = 32;

/// A [`Backend`] that runs an external solver.
struct External {
    solver: Solver,
    program: CommandLine,
    /// The temporary file with the formula.
    file: TemporaryFile,
    /// Clauses that are not yet written to the file.
    buffer: Vec<u8>,
    variables: u32,
    clauses: u64,
    limits: Limits,
    seed: u32,
    last: Option<Last>,
    /// The first failure. [`Collect`] can't return errors, so the next solver call returns this failure.
    failure: Option<String>,
}

/// Calls that try to remove an assumption from a core have a timeout: the duration of the original call times this
/// factor, but at least `LEAST_TIMEOUT`.
const TIMEOUT_FACTOR: u32 = 2;
const LEAST_TIMEOUT: Duration = Duration::from_secs(1);

/// The result of the last call. The result is discarded when a clause is added.
struct Last {
    verdict: Verdict,
    took: Duration,
    assumptions: Vec<Lit>,
    values: Vec<Option<bool>>,
}

impl External {
    fn new(solver: Solver, program: CommandLine) -> Result<Self, BackendError> {
        let failed = |error: std::io::Error| BackendError::NoProgram {
            name: solver.name.to_string(),
            reason: format!("can't create a temporary file: {error}"),
        };
        let mut file = TemporaryFile::new(".cnf").map_err(failed)?;
        file.write_all(&header(0, 0)).map_err(failed)?;
        Ok(Self {
            solver,
            program,
            file,
            buffer: Vec::new(),
            variables: 0,
            clauses: 0,
            limits: Limits::default(),
            seed: 0,
            last: None,
            failure: None,
        })
    }

    fn failed(&self, reason: impl Into<String>) -> BackendError {
        BackendError::Program { name: self.solver.name.to_string(), reason: reason.into() }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Runs the program under assumptions. The assumptions must not be constants.
    fn call(
        &mut self,
        assumptions: &[Lit],
        limits: &Limits,
    ) -> Result<(Verdict, Vec<Option<bool>>), BackendError> {
        if let Some(reason) = &self.failure {
            return Err(self.failed(reason.clone()));
        }
        if limits.expired() {
            return Ok((Verdict::Stopped, Vec::new()));
        }
        let used = assumptions.iter().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
        self.variables = self.variables.max(used);
        let in_file =
            |external: &Self, error: std::io::Error| external.failed(format!("temporary file: {error}"));
        let end = self.with_units(assumptions).map_err(|error| in_file(self, error))?;
        let result = self.run(limits).and_then(|finished| self.interpret(&finished));
        self.file.as_file_mut().set_len(end).map_err(|error| in_file(self, error))?;
        result
    }

    /// Runs the program on the file.
    fn run(&self, limits: &Limits) -> Result<Finished, BackendError> {
        let failed = |error: std::io::Error| self.failed(error.to_string());
        let output_file = if self.program.writes_file() { Some(TemporaryFile::new(".out")) } else { None };
        let output_file = output_file.transpose().map_err(failed)?;
        let output_file = output_file.as_ref().map(|file| file.path());
        let command = self.program.command(self.file.path(), output_file, limits.conflicts, self.seed);
        let limits = ProcessLimits {
            cancelled: limits.cancel.as_deref(),
            deadline: limits.deadline,
            cpu: None,
            memory: limits.memory,
            output: self.output_limit(),
        };
        process::run(command, output_file, &limits).map_err(failed)
    }

    /// Returns the maximum number of bytes in the output of the program.
    fn output_limit(&self) -> u64 {
        OUTPUT + OUTPUT_PER_VARIABLE * u64::from(self.variables)
    }

    /// Completes the file for a call: writes the buffered clauses, the assumptions as unit clauses, and the header.
    /// Returns the length of the file without the unit clauses.
    fn with_units(&mut self, units: &[Lit]) -> std::io::Result<u64> {
        self.flush()?;
        let end = self.file.stream_position()?;
        for unit in units {
            writeln!(self.buffer, "{} 0", unit.to_ipasir())?;
        }
        self.flush()?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header(self.variables, self.clauses + units.len() as u64))?;
        self.file.flush()?;
        Ok(end)
    }

    /// Determines the verdict and the assignment from the exit code and the output of the program.
    fn interpret(&self, finished: &Finished) -> Result<(Verdict, Vec<Option<bool>>), BackendError> {
        const SATISFIABLE: i32 = 10;
        const UNSATISFIABLE: i32 = 20;
        let status = match finished.termination {
            Termination::Exited(status) => status,
            Termination::OutputLimit => {
                let most = self.output_limit() >> 20;
                return Err(self.failed(format!("stopped: its output exceeded {most} MiB")));
            }
            Termination::Cancelled | Termination::Timeout | Termination::MemoryLimit => {
                return Ok((Verdict::Stopped, Vec::new()));
            }
        };
        let source = Source::new("its output", String::from_utf8_lossy(&finished.output).into_owned());
        let output = solver_output::read(&source, self.variables, UnknownLines::Skip);
        let by_code = match status.code() {
            Some(SATISFIABLE) => Some(Verdict::Satisfiable),
            Some(UNSATISFIABLE) => Some(Verdict::Unsatisfiable),
            _ => None,
        };
        let how = how(status);
        if by_code.is_none() && !status.success() {
            return Err(self.failed(format!("it {how}{}", last_line(finished))));
        }
        let output = output.map_err(|error| self.failed(error.to_string()))?;
        let by_words = output.status.map(|status| match status {
            SolverStatus::Satisfiable | SolverStatus::Optimum => Verdict::Satisfiable,
            SolverStatus::Unsatisfiable => Verdict::Unsatisfiable,
            SolverStatus::Unknown => Verdict::Stopped,
        });
        match (by_words, by_code) {
            (Some(words), Some(code)) if words != code => {
                Err(self.failed(format!("its output contradicts its exit code: it {how}")))
            }
            (Some(Verdict::Satisfiable), _) | (None, Some(Verdict::Satisfiable)) => {
                self.checked(output).map(|values| (Verdict::Satisfiable, values))
            }
            (Some(verdict), _) | (None, Some(verdict)) => Ok((verdict, Vec::new())),
            (None, None) => {
                Err(self.failed(format!("it {how} without printing a result{}", last_line(finished))))
            }
        }
    }

    /// Returns the values of the variables if they satisfy all clauses in the file.
    fn checked(&self, output: SolverOutput) -> Result<Vec<Option<bool>>, BackendError> {
        if output.greatest == 0 && self.clauses > 0 {
            return Err(self.failed("it reported a satisfiable formula but printed no assignment"));
        }
        if output.greatest > u64::from(self.variables) {
            let (greatest, variables) = (output.greatest, self.variables);
            return Err(self.failed(format!(
                "it assigned variable {greatest}, but the formula has {variables} variables"
            )));
        }
        let values = output.values;
        let holds = |&literal: &i32| values[literal.unsigned_abs() as usize - 1] == Some(literal > 0);
        let mut broken = None;
        let each = |read: DimacsClause<'_>| {
            if broken.is_none() && !read.literals.iter().any(holds) {
                let clause: Vec<String> = read.literals.iter().map(i32::to_string).collect();
                broken = Some(clause.join(" "));
            }
        };
        let file = File::open(self.file.path()).map_err(|error| self.failed(error.to_string()))?;
        dimacs::read("temporary file", FormulaFormat::Cnf, file, each)
            .map_err(|error| self.failed(error.to_string()))?;
        match broken {
            Some(clause) => {
                Err(self.failed(format!("its assignment does not satisfy the clause {clause} 0")))
            }
            None => Ok(values),
        }
    }
}

/// Returns a phrase that describes how a program ended.
fn how(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => format!("was killed ({status})"),
    }
}

/// Returns the last line of standard error, or of standard output if standard error is empty. A colon precedes the
/// line, so that the result can be appended to a message.
fn last_line(finished: &Finished) -> String {
    const SHOWN: usize = 200;
    let output = String::from_utf8_lossy(&finished.output);
    let last = [&finished.errors[..], &output]
        .into_iter()
        .find_map(|text| text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned));
    last.map(|line| format!(": {}", line.chars().take(SHOWN).collect::<String>())).unwrap_or_default()
}

/// Formats a header and pads it to a fixed length. The padding is a comment line, not spaces, because some parsers
/// accept only one space between words.
fn header(variables: u32, clauses: u64) -> Vec<u8> {
    let header = format!("p cnf {variables} {clauses}\n");
    format!("c {:-<width$}\n{header}", "", width = HEADER - header.len()).into_bytes()
}

impl Collect for External {
    fn clause(&mut self, clause: &[Lit]) {
        const CHUNK: usize = 1 << 16;
        self.last = None;
        self.clauses += 1;
        for &lit in clause {
            self.variables = self.variables.max(lit.vidx32() + 1);
            // Writing to memory never fails.
            let _ = write!(self.buffer, "{} ", lit.to_ipasir());
        }
        self.buffer.extend_from_slice(b"0\n");
        if self.buffer.len() >= CHUNK && self.failure.is_none() {
            self.failure = self.flush().err().map(|error| format!("temporary file: {error}"));
        }
    }

    fn reserve(&mut self, variables: u32) {
        self.variables = self.variables.max(variables);
    }
}

impl Backend for External {
    fn solver(&self) -> &Solver {
        &self.solver
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError> {
        self.last = None;
        if assumptions.contains(&FALSE) {
            self.last = Some(Last {
                verdict: Verdict::Unsatisfiable,
                took: Duration::ZERO,
                assumptions: vec![FALSE],
                values: Vec::new(),
            });
            return Ok(Verdict::Unsatisfiable);
        }
        let mut units: Vec<Lit> = assumptions.iter().copied().filter(|&lit| lit != TRUE).collect();
        units.sort_unstable();
        units.dedup();
        let start = Instant::now();
        let (verdict, values) = self.call(&units, &self.limits.clone())?;
        self.last = Some(Last { verdict, took: start.elapsed(), assumptions: units, values });
        Ok(verdict)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let last = self.last.as_ref().filter(|last| last.verdict == Verdict::Satisfiable)?;
        if let Some(value) = lit::constant(lit) {
            return Some(value);
        }
        let value = last.values.get(lit.vidx()).copied().flatten()?;
        Some(value == lit.is_pos())
    }

    /// Finds a core by removing assumptions one at a time, because external solvers do not return cores. A call with
    /// fewer assumptions may take much longer than the original call, so it has a timeout. If the call times out, the
    /// assumption stays in the core.
    fn core(&mut self) -> Vec<Lit> {
        let unsatisfiable = self.last.as_ref().filter(|last| last.verdict == Verdict::Unsatisfiable);
        let Some(last) = unsatisfiable else { return Vec::new() };
        let timeout = (last.took * TIMEOUT_FACTOR).max(LEAST_TIMEOUT);
        let mut core = last.assumptions.clone();
        if core == [FALSE] {
            return core;
        }
        let mut next = 0;
        while next < core.len() {
            let fewer: Vec<Lit> = core.iter().copied().filter(|&lit| lit != core[next]).collect();
            let mut limits = self.limits.clone();
            limits.deadline = limits.deadline.into_iter().chain(Instant::now().checked_add(timeout)).min();
            match self.call(&fewer, &limits) {
                Ok((Verdict::Unsatisfiable, _)) => core = fewer,
                _ => next += 1,
            }
        }
        if let Some(last) = &mut self.last {
            last.assumptions.clone_from(&core);
        }
        core
    }

    fn statistics(&self) -> Statistics {
        Statistics { variables: self.variables, clauses: self.clauses, ..Statistics::default() }
    }

    fn set_limits(&mut self, limits: Limits) -> Result<(), BackendError> {
        if limits.conflicts.is_some() && self.program.conflicts.is_none() {
            return Err(BackendError::NoConflictLimit { name: self.solver.name.to_string() });
        }
        self.limits = limits;
        Ok(())
    }

    fn attach(&mut self, propagator: Box<dyn Propagator>) -> Option<Box<dyn Propagator>> {
        Some(propagator)
    }

    fn phase(&mut self, _: Lit) -> bool {
        false
    }

    fn seed(&mut self, seed: u32) -> bool {
        let possible = self.solver.seeds && self.variables == 0;
        if possible {
            self.seed = seed;
        }
        possible
    }
}

/// Creates a solver that runs an external program.
pub(super) fn make(solver: &Solver, program: &CommandLine) -> Result<Box<dyn Backend>, BackendError> {
    Ok(Box::new(External::new(solver.clone(), program.clone())?))
}

/// Returns whether a program exists. `name` is a path, or the name of a program on the `PATH`.
pub(crate) fn program_exists(program: &str) -> bool {
    if Path::new(program).components().count() > 1 {
        return Path::new(program).is_file();
    }
    let directories = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&directories).any(|directory| {
        let path = directory.join(program);
        path.is_file() || path.with_extension(std::env::consts::EXE_EXTENSION).is_file()
    })
}
