//! Boards of puzzles in Python.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;

use gordian::backend::BackendError;
use gordian::explain::{Difficulty, Explainer, Next, PageEnd, StepText, call_limits, page, strip};
use gordian::format::{InputError, Source, Spanned, json};
use gordian::make::{self, MakeOptions};
use gordian::puzzle::{self, Options, Puzzle, PuzzleType, Query, sheet};
use gordian::query::{self, FieldValues, Observer, Outcome, QueryError};
use gordian::read::{self, ReadOptions};
use gordian::rules::{Field, Grid, Solution as RulesSolution};
use gordian::{clues, drawing, render, solution};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::model::{content, describe, natural, query_error};
use crate::options::config;
use crate::run::{Event, Job, Message, Reports, caught};
use crate::{BoardError, InternalError, LimitReached, ModelError};

/// Returns the text of an error in an input, with the advice.
fn message(error: &InputError) -> String {
    error.help().map_or_else(|| error.to_string(), |help| format!("{error}; {help}"))
}

/// Returns the exception for an error in an input. It has the attributes `line` and `column`, counted from 1.
fn board_error(py: Python<'_>, error: &InputError) -> PyErr {
    let place = error.position();
    let exception = BoardError::new_err(message(error));
    let value = exception.value(py);
    // An exception always has attributes.
    let _ = value.setattr("line", place.line);
    let _ = value.setattr("column", place.column);
    exception
}

fn backend_error(error: &BackendError) -> PyErr {
    ModelError::new_err(error.to_string())
}

fn find(name: &str) -> PyResult<&'static PuzzleType> {
    let source = Source::word("puzzle type", name);
    let spanned = Spanned::new(name.to_owned(), source.all());
    read::puzzle_type(&source, &spanned).map_err(|error| PyValueError::new_err(message(&error.into())))
}

/// Returns the puzzle type that a name or the text of a rule sheet states.
fn wanted(
    py: Python<'_>,
    puzzle_type: Option<&str>,
    rules: Option<&str>,
) -> PyResult<Option<&'static PuzzleType>> {
    let Some(rules) = rules else { return puzzle_type.map(find).transpose() };
    if puzzle_type.is_some() {
        return Err(PyValueError::new_err(
            "a puzzle type and a rule sheet were given; give only one of them",
        ));
    }
    let stated = caught(|| sheet::of_text(&Source::new("rules", rules)))?;
    stated.map(Some).map_err(|error| board_error(py, &error))
}

/// Reads options of a puzzle type from a dictionary.
fn read_options(
    of: Option<&'static PuzzleType>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<ReadOptions> {
    let mut read = ReadOptions { puzzle_type: of, ..ReadOptions::default() };
    if let Some(options) = options {
        let words: Vec<String> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        read.options =
            Options::from_words(&words).map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(read)
}

/// A board: one instance of a puzzle type.
#[pyclass(frozen, subclass, module = "gordian._core", name = "Board")]
pub(crate) struct PyBoard {
    puzzle: Arc<dyn Puzzle>,
    source: String,
}

/// Sends the solutions of a query.
struct Reporter<'s, T>(&'s SyncSender<Message<RulesSolution, T>>);

impl<T> Observer for Reporter<'_, T> {
    fn solution(
        &mut self,
        _: &dyn Puzzle,
        solution: &RulesSolution,
        _: usize,
        _: Option<u128>,
    ) -> std::io::Result<()> {
        let sent = self.0.send(Message::Report(solution.clone()));
        sent.map_err(|_| std::io::ErrorKind::BrokenPipe.into())
    }
}

/// Returns the fields of a solution as a dictionary: numbers, lists, and grids as lists of rows.
fn fields<'py>(py: Python<'py>, solution: &RulesSolution) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, field) in solution.fields() {
        match field {
            Field::Number(number) => fields.set_item(name, number)?,
            Field::Natural(number) => fields.set_item(name, natural(py, number)?)?,
            Field::Numbers(numbers) => fields.set_item(name, numbers.clone())?,
            Field::Naturals(numbers) => {
                let numbers =
                    numbers.iter().map(|number| natural(py, number)).collect::<PyResult<Vec<_>>>()?;
                fields.set_item(name, numbers)?;
            }
            Field::Pairs(pairs) => fields.set_item(name, pairs.clone())?,
            Field::Grid(grid) => {
                let rows = grid.cells().chunks(grid.columns().max(1)).map(<[i128]>::to_vec);
                fields.set_item(name, rows.collect::<Vec<_>>())?;
            }
        }
    }
    Ok(fields)
}

/// A solution of a board.
#[pyclass(frozen, subclass, module = "gordian._core", name = "BoardSolution")]
pub(crate) struct PyBoardSolution {
    puzzle: Arc<dyn Puzzle>,
    solution: RulesSolution,
}

#[pymethods]
impl PyBoardSolution {
    /// The fields of the solution.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        fields(py, &self.solution)
    }

    /// The solution as text.
    fn text(&self) -> PyResult<String> {
        Ok(caught(|| self.puzzle.draw(Some(&self.solution)).text(false))?)
    }

    /// The board with the solution as SVG.
    fn svg(&self) -> PyResult<String> {
        let title = self.puzzle.puzzle_type().name;
        Ok(caught(|| render::picture(title, &[(&self.puzzle.draw(Some(&self.solution)), "")]))?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().solution == self.solution)
    }
}

impl PyBoard {
    fn of_solution<'py>(
        &self,
        py: Python<'py>,
        solution: Option<&RulesSolution>,
    ) -> PyResult<Option<Bound<'py, PyBoardSolution>>> {
        let solution = solution
            .map(|solution| PyBoardSolution { puzzle: Arc::clone(&self.puzzle), solution: solution.clone() });
        solution.map(|solution| Bound::new(py, solution)).transpose()
    }
}

#[pymethods]
impl PyBoard {
    /// Reads a board from a text or an address.
    #[new]
    #[pyo3(signature = (text, puzzle_type=None, options=None, name="board", rules=None))]
    fn new(
        py: Python<'_>,
        text: String,
        puzzle_type: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
        name: &str,
        rules: Option<&str>,
    ) -> PyResult<Self> {
        let options = read_options(wanted(py, puzzle_type, rules)?, options)?;
        let source = Source::new(name, text.clone());
        let board = py.detach(|| caught(|| read::board(&source, &options)))?;
        let board = board.map_err(|error| board_error(py, &InputError::from(error)))?;
        Ok(Self { puzzle: board.puzzle.into(), source: text })
    }

    /// The name of the puzzle type.
    #[getter]
    fn puzzle_type(&self) -> &'static str {
        self.puzzle.puzzle_type().name
    }

    /// The rules in a few sentences.
    #[getter]
    fn rules(&self) -> &'static str {
        self.puzzle.puzzle_type().rules
    }

    /// The names of the objectives.
    #[getter]
    fn objectives(&self) -> Vec<&'static str> {
        self.puzzle.puzzle_type().objectives.iter().map(|row| row.name).collect()
    }

    /// The board in the native text format, or the text from which it was read.
    #[getter]
    fn source(&self) -> PyResult<String> {
        Ok(caught(|| self.puzzle.native())?.unwrap_or_else(|| self.source.clone()))
    }

    /// The address of the board at puzz.link.
    fn address(&self) -> PyResult<String> {
        let address = caught(|| self.puzzle.address())?;
        address.map(|written| written.address).map_err(|error| ModelError::new_err(error.to_string()))
    }

    /// The board as text.
    fn text(&self) -> PyResult<String> {
        Ok(caught(|| self.puzzle.draw(None).text(false))?)
    }

    /// The board as SVG.
    fn svg(&self) -> PyResult<String> {
        Ok(caught(|| render::picture(self.puzzle_type(), &[(&self.puzzle.draw(None), "")]))?)
    }

    /// Runs a query. Returns its outcome as a dictionary, and the exception that ended it, if any.
    #[pyo3(name = "_query", signature = (query, objective=None, options=None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        objective: Option<&str>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let rows = self.puzzle.puzzle_type().objectives;
        let query = match (query, objective) {
            ("satisfy", _) => Query::Satisfy,
            ("default", _) => self.puzzle.puzzle_type().default_query(),
            ("optimise", Some(name)) => {
                let row = rows.iter().find(|row| row.name == name);
                row.map(Query::Optimise).ok_or_else(|| {
                    let names: Vec<_> = rows.iter().map(|row| row.name).collect();
                    PyValueError::new_err(format!("no objective `{name}`; there are: {}", names.join(", ")))
                })?
            }
            ("count", _) => Query::Count,
            ("count-values", _) => Query::CountValues,
            ("unique", _) => Query::Unique,
            ("backbone", _) => Query::Backbone,
            _ => return Err(PyValueError::new_err(format!("unknown query `{query}`"))),
        };
        let puzzle = Arc::clone(&self.puzzle);
        let job: Job<(), Result<Outcome, QueryError>> =
            Job::start(cancel, move |_| query::run(&*puzzle, query, &config, &mut query::Silent))?;
        let (result, failed) = job.finish(py, |()| Ok(()))?;
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => {
                return Err(query_error(error).unwrap_or_else(|| InternalError::new_err("no outcome")));
            }
        };
        let into = PyDict::new(py);
        describe(&outcome, &into)?;
        if let Some((row, value, bound)) = outcome.objective {
            into.set_item("objective_name", row.name)?;
            into.set_item("objective", value)?;
            into.set_item("bound", bound)?;
        }
        into.set_item("solution", self.of_solution(py, outcome.solution.as_ref())?)?;
        into.set_item("other", self.of_solution(py, outcome.other.as_ref())?)?;
        if let Some(backbone) = &outcome.backbone {
            let known = PyDict::new(py);
            for (name, values) in backbone {
                let FieldValues::Parts { columns, parts } = values else { continue };
                let forced =
                    parts.iter().map(|part| part.forced().map(|value| content(py, &value)).transpose());
                let forced = forced.collect::<PyResult<Vec<_>>>()?;
                known.set_item(name, rows_of(py, *columns, forced)?)?;
            }
            into.set_item("backbone", known)?;
            into.set_item(
                "svg",
                caught(|| {
                    render::picture(self.puzzle_type(), &[(&drawing::backbone(&*self.puzzle, &outcome), "")])
                })?,
            )?;
        }
        if let Some(counts) = &outcome.values {
            let known = PyDict::new(py);
            for (name, counts) in counts {
                let parts = counts.parts.iter().map(|part| {
                    let values = PyDict::new(py);
                    for (value, count) in part {
                        values.set_item(content(py, value)?, natural(py, count)?)?;
                    }
                    Ok(values)
                });
                known.set_item(name, rows_of(py, counts.columns, parts.collect::<PyResult<Vec<_>>>()?)?)?;
            }
            into.set_item("values", known)?;
            let maps = caught(|| drawing::heat_maps(&*self.puzzle, &outcome))?;
            let maps: Vec<_> = maps.iter().map(|(scene, caption)| (scene, &**caption)).collect();
            into.set_item("svg", caught(|| render::picture(self.puzzle_type(), &maps))?)?;
        }
        Ok((into, failed))
    }

    /// Starts a search for all solutions, or draws `sample` solutions at random, and returns an iterator.
    #[pyo3(name = "_start", signature = (options=None, limit=None, sample=None))]
    fn start(
        &self,
        options: Option<&Bound<'_, PyDict>>,
        limit: Option<usize>,
        sample: Option<usize>,
    ) -> PyResult<BoardSolutions> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let puzzle = Arc::clone(&self.puzzle);
        let job = Job::start(cancel, move |sender| {
            let mut reporter = Reporter(sender);
            match sample {
                Some(number) => query::sample(&*puzzle, number, &config, &mut reporter),
                None => query::run(&*puzzle, Query::Enumerate { limit }, &config, &mut reporter),
            }
        })?;
        Ok(BoardSolutions { reports: Reports::new(job), puzzle: Arc::clone(&self.puzzle) })
    }

    /// Returns the steps that solve the board: for each step its lines of text; `complete`, `none` or `stopped`; the
    /// difficulty, a picture and a page. The steps start with `known`, the facts that are filled in. If `limit` is given, at
    /// most this many steps are searched.
    #[pyo3(name = "_steps", signature = (options=None, known=None, limit=None))]
    fn steps<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, PyDict>>,
        known: Option<String>,
        limit: Option<usize>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
        let cancel = Arc::new(AtomicBool::new(false));
        let (config, conflicts) = call_limits(config(options, &cancel)?);
        let unbounded = self.puzzle.unbounded();
        if !unbounded.is_empty() {
            return Err(ModelError::new_err(format!("no bounds are known for {}", unbounded.join(", "))));
        }
        let puzzle = Arc::clone(&self.puzzle);
        let job: Job<(), Result<Explained, ExplainError>> =
            Job::start(cancel, move |_| explain(&*puzzle, &config, conflicts, known, limit))?;
        let (result, failed) = job.finish(py, |()| Ok(()))?;
        let explained = match result {
            Ok(explained) => explained,
            Err(ExplainError::Backend(error)) => return Err(backend_error(&error)),
            Err(ExplainError::Input(error)) => return Err(board_error(py, &error)),
        };
        let into = PyDict::new(py);
        into.set_item("status", explained.status)?;
        into.set_item("steps", explained.steps)?;
        into.set_item("svg", explained.svg)?;
        into.set_item("html", explained.html)?;
        if let Some(difficulty) = explained.difficulty {
            let of = PyDict::new(py);
            of.set_item("effort", difficulty.effort.name())?;
            of.set_item("hardest", difficulty.hardest)?;
            of.set_item("rules", difficulty.rules)?;
            of.set_item("steps", difficulty.steps)?;
            of.set_item("open", difficulty.open)?;
            into.set_item("difficulty", of)?;
        }
        Ok((into, failed))
    }

    /// Returns the reason why a solution is wrong, or `None`. The solution is an object, a list of rows, or a text in the
    /// format of the puzzle type or in JSON.
    #[pyo3(name = "_check")]
    fn check(&self, py: Python<'_>, solution: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let checked = if let Ok(solution) = solution.cast::<PyBoardSolution>() {
            caught(|| self.puzzle.check(&solution.get().solution))?
        } else if let Ok(text) = solution.extract::<String>() {
            let source = Source::new("solution", text);
            let read = caught(|| {
                if source.text().trim_start().starts_with('{') {
                    solution::from_record(&json::read(&source)?)
                } else {
                    self.puzzle.read_solution(&source)
                }
            })?;
            let solution = read.map_err(|error| board_error(py, &error))?;
            caught(|| self.puzzle.check(&solution))?
        } else {
            let rows: Vec<Vec<i128>> = solution.extract()?;
            let columns = rows.first().map_or(0, Vec::len);
            let is_even = rows.iter().all(|row| row.len() == columns);
            let grid = is_even.then(|| Grid::new(rows.len(), columns, rows.concat()));
            let grid = grid.ok_or_else(|| PyValueError::new_err("expected rows of the same length"))?;
            caught(|| self.puzzle.check(&RulesSolution::from_grid(grid)))?
        };
        Ok(checked.err().map(|violation| violation.to_string()))
    }

    /// Returns the clues that can be left out, as text, if the board has clues and one solution.
    #[pyo3(name = "_superfluous", signature = (options=None))]
    fn superfluous<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Vec<String>>> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let puzzle = Arc::clone(&self.puzzle);
        let job: Job<(), Result<Option<Vec<String>>, String>> = Job::start(cancel, move |_| {
            match clues::clues(&*puzzle, &config, &config.limits()).map_err(|error| error.to_string())? {
                clues::Clues::Unique(superfluous) => Ok(Some(superfluous.together)),
                _ => Ok(None),
            }
        })?;
        let (result, failed) = job.finish(py, |()| Ok(()))?;
        match failed {
            Some(failed) => Err(failed),
            None => result.map_err(ModelError::new_err),
        }
    }
}

/// Returns the values of the parts of a field: a list, or a list of rows for a grid.
fn rows_of<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    columns: Option<usize>,
    parts: Vec<T>,
) -> PyResult<Bound<'py, PyList>> {
    let Some(columns) = columns.filter(|&columns| columns > 0) else { return PyList::new(py, parts) };
    let list = PyList::new(py, parts)?;
    let rows = PyList::empty(py);
    for start in (0..list.len()).step_by(columns) {
        rows.append(list.get_slice(start, start + columns))?;
    }
    Ok(rows)
}

struct Explained {
    status: &'static str,
    steps: Vec<Vec<String>>,
    difficulty: Option<Difficulty>,
    svg: Option<String>,
    html: Option<String>,
}

enum ExplainError {
    Backend(BackendError),
    Input(InputError),
}

impl From<BackendError> for ExplainError {
    fn from(error: BackendError) -> Self {
        Self::Backend(error)
    }
}

fn explain(
    puzzle: &dyn Puzzle,
    config: &gordian::search::Config,
    conflicts: u64,
    known: Option<String>,
    limit: Option<usize>,
) -> Result<Explained, ExplainError> {
    let plain = puzzle.plain();
    let given = match known {
        Some(text) => {
            plain.read_known(puzzle, &Source::new("known", text)).map_err(ExplainError::Input)?.lits
        }
        None => Vec::new(),
    };
    let mut explainer = Explainer::new(&plain, config, Some(conflicts))?;
    explainer.set_puzzle(puzzle);
    explainer.know(given.iter().copied());
    let mut steps = Vec::new();
    let status = loop {
        if limit.is_some_and(|limit| steps.len() >= limit) {
            break "limited";
        }
        let next = config.limits().within(|| explainer.next_step());
        match next.unwrap_or(Ok(Next::Stopped))? {
            Next::Done => break "complete",
            Next::Contradiction => break "none",
            Next::Stopped => break "stopped",
            Next::Step(step) => steps.push(step),
        }
    };
    if limit == Some(1)
        && let Some(step) = steps.first_mut()
    {
        // A hint is one argument.
        step.arguments.truncate(1);
    }
    let title = puzzle.puzzle_type().name;
    Ok(Explained {
        status,
        difficulty: (status == "complete").then(|| Difficulty::of(&steps)),
        svg: strip(title, &plain, &given, &steps),
        html: page(title, &plain, &given, &steps, &PageEnd::of(status)),
        steps: steps.iter().map(|step| StepText::of(&plain, step).lines()).collect(),
    })
}

/// The solutions of a board, one after the other.
#[pyclass(frozen, module = "gordian._core")]
pub(crate) struct BoardSolutions {
    reports: Reports<RulesSolution, Result<Outcome, QueryError>>,
    puzzle: Arc<dyn Puzzle>,
}

#[pymethods]
impl BoardSolutions {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyBoardSolution>> {
        let Some(event) = self.reports.next(py)? else { return Ok(None) };
        match event {
            Event::Report(solution) => {
                Ok(Some(PyBoardSolution { puzzle: Arc::clone(&self.puzzle), solution }))
            }
            Event::Done(Ok(outcome)) if outcome.status == query::Status::Stopped => {
                Err(LimitReached::new_err("a limit was reached before all solutions were found"))
            }
            Event::Done(Ok(_)) => Ok(None),
            Event::Done(Err(error)) => {
                Err(query_error(error).unwrap_or_else(|| InternalError::new_err("no outcome")))
            }
        }
    }
}

/// Makes a board with exactly one solution. Returns its text in the native format, and its solution.
#[pyfunction]
#[pyo3(signature = (puzzle_type=None, size=None, seed=1, options=None, board_options=None, symmetry=None, rules=None))]
#[expect(clippy::too_many_arguments, reason = "the arguments of a function in Python")]
pub(crate) fn make_board<'py>(
    py: Python<'py>,
    puzzle_type: Option<&str>,
    size: Option<(usize, usize)>,
    seed: u64,
    options: Option<&Bound<'py, PyDict>>,
    board_options: Option<&Bound<'py, PyDict>>,
    symmetry: Option<&str>,
    rules: Option<&str>,
) -> PyResult<String> {
    let of = wanted(py, puzzle_type, rules)?
        .ok_or_else(|| PyValueError::new_err("neither a puzzle type nor a rule sheet was given"))?;
    let cancel = Arc::new(AtomicBool::new(false));
    let config = config(options, &cancel)?;
    let symmetry = match symmetry {
        None => make::Symmetry::None,
        Some(name) => {
            let known = make::Symmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name);
            known.ok_or_else(|| {
                let names: Vec<_> = make::Symmetry::ALL.into_iter().map(make::Symmetry::name).collect();
                PyValueError::new_err(format!("unknown symmetry `{name}`; there are {}", names.join(", ")))
            })?
        }
    };
    let make_options = MakeOptions {
        puzzle: read_options(Some(of), board_options)?.options,
        symmetry,
        ..MakeOptions::default()
    };
    let size = match size {
        Some(size) => size,
        None => make::Generator::of(of).map_or((10, 10), |generator| generator.size),
    };
    let job: Job<(), Result<make::Outcome, String>> = Job::start(cancel, move |_| {
        let limits = config.limits();
        make::make(of, size, seed, &make_options, &config, &limits, &mut |_| ())
            .map_err(|error| error.to_string())
    })?;
    let (result, failed) = job.finish(py, |()| Ok(()))?;
    if let Some(failed) = failed {
        return Err(failed);
    }
    match result.map_err(ModelError::new_err)? {
        make::Outcome::Made(made) => Ok(made.text),
        make::Outcome::Stopped { .. } => {
            Err(LimitReached::new_err("a limit was reached before a board with one solution was found"))
        }
    }
}

/// Returns the names of all puzzle types.
#[pyfunction]
pub(crate) fn puzzle_types() -> Vec<&'static str> {
    puzzle::all().map(|of| of.name).collect()
}
