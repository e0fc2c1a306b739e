//! The targets of the tests. Most readers are tested twice: alone, and together with the code that uses their
//! results.

use gordian::dimacs::solver_output::{self, UnknownLines};
use gordian::dimacs::{self, FormulaFormat};
use gordian::export::{self, Export};
use gordian::format::{InputError, Source, Syntax, dzn, json, param, pzpr, text};
use gordian::puzzle::{PUZZLES, Puzzle};
use gordian::read::{self, ReadOptions};
use gordian::rules::Solution;
use gordian::solution;
use gordian_encodings::{Assignment, Encodings};
use gordian_flatzinc::xcsp3::competition;
use gordian_flatzinc::{Instance, ReadError};

/// A reader under test.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) name: &'static str,
    /// The function that runs the reader on arbitrary bytes. It must not panic.
    pub(super) run: fn(&[u8]),
    /// The memory in bytes that is allowed in addition to the usual limit, for inputs that state the size of a board or
    /// instance as a number.
    pub(super) declared: usize,
    /// True if the target reads boards.
    pub(super) of_boards: bool,
    /// The directories of the target's seeds.
    pub(super) seeds: &'static [&'static str],
    /// The extensions of the instance files that are used as seeds.
    pub(super) endings: &'static [&'static str],
}

const fn boards(
    name: &'static str,
    run: fn(&[u8]),
    seeds: &'static [&'static str],
    endings: &'static [&'static str],
) -> Target {
    Target { name, run, declared: 0, of_boards: true, seeds, endings }
}

const fn others(name: &'static str, run: fn(&[u8]), seeds: &'static [&'static str]) -> Target {
    Target { name, run, declared: 0, of_boards: false, seeds, endings: &[".expected.json"] }
}

/// Allows additional memory for numberlink data, because a short text can declare a large board. A board has at most a
/// million cells of at most 100 bytes each. Large boards are not drawn, because drawings need more memory.
const fn of_any_size(target: Target) -> Target {
    Target { declared: 100_000_000, ..target }
}

pub(super) static TARGETS: &[Target] = &[
    boards("text", |input| reader(input, |source| text::read(source).map(drop)), &["text"], &[".txt"]),
    boards("dzn", |input| reader(input, |source| dzn::read(source).map(drop)), &["dzn"], &[".dzn"]),
    boards("param", |input| reader(input, |source| param::read(source).map(drop)), &["param"], &[".param"]),
    boards(
        "json",
        |input| reader(input, |source| json::read(source).map(drop)),
        &["json", "solution"],
        &[".json"],
    ),
    boards("address", |input| reader(input, |source| pzpr::read(source).map(drop)), &["address"], &[]),
    of_any_size(boards(
        "recognised",
        |input| reader(input, |source| open(source, None)),
        &["text", "dzn", "param", "json", "address"],
        &[".txt", ".dzn", ".param"],
    )),
    boards(
        "text-board",
        |input| reader(input, |source| open(source, Some(Syntax::Text))),
        &["text"],
        &[".txt"],
    ),
    of_any_size(boards(
        "dzn-board",
        |input| reader(input, |source| open(source, Some(Syntax::Dzn))),
        &["dzn"],
        &[".dzn"],
    )),
    boards(
        "param-board",
        |input| reader(input, |source| open(source, Some(Syntax::Param))),
        &["param"],
        &[".param"],
    ),
    of_any_size(boards(
        "json-board",
        |input| reader(input, |source| open(source, Some(Syntax::Json))),
        &["json"],
        &[],
    )),
    boards(
        "address-board",
        |input| reader(input, |source| open(source, Some(Syntax::Address))),
        &["address"],
        &[],
    ),
    others("solution", |input| reader(input, solution), &["solution", "text"]),
    others("output", |input| reader(input, output), &["output", "cnf"]),
    others("decode", |input| reader(input, decode), &["decode", "output"]),
    others("flatzinc", flatzinc, &["flatzinc"]),
    others("flatzinc-json", flatzinc_json, &["flatzinc-json"]),
    // Even a short document can declare a million variables, and refer to them several times.
    Target { declared: 2_000_000_000, ..others("xcsp3", xcsp3, &["xcsp3"]) },
    // The header of a formula may declare 100,000 variables that occur nowhere.
    Target { declared: 300_000_000, ..others("opb", opb, &["opb"]) },
    Target {
        declared: 300_000_000,
        ..others("formula-model", |input| reader(input, formula_model), &["cnf", "knf", "wcnf", "opb"])
    },
    others("knf", |input| formula(FormulaFormat::Knf, input), &["knf"]),
    others("cnf", |input| formula(FormulaFormat::Cnf, input), &["cnf"]),
    others("wcnf", |input| formula(FormulaFormat::Wcnf, input), &["wcnf", "cnf"]),
];

/// Runs a reader. If the reader returns an error, the error must have a position and be printable.
fn reader(input: &[u8], read: impl Fn(&Source) -> Result<(), InputError>) {
    let result = Source::from_bytes("input", input.to_vec()).and_then(|source| read(&source));
    if let Err(error) = result {
        reader_error(&error);
    }
}

/// Asserts that an error has a position and is printable.
fn reader_error(error: &InputError) {
    let (span, position) = (error.span(), error.position());
    assert!(span.start <= span.end && position.line > 0 && position.column > 0, "{error}");
    assert!(span.end <= error.source().text().len(), "{error}: {span:?}");
    let message = error.to_string();
    assert!(message.len() < 10_000 && !message.contains(char::is_control), "{message:?}");
    assert!(!error.expected().is_empty() && !error.found().is_empty(), "{message}");
}

/// Reads a board without specifying its puzzle type. If this fails, tries each puzzle type.
fn open(source: &Source, syntax: Option<Syntax>) -> Result<(), InputError> {
    let options = ReadOptions { syntax, ..ReadOptions::default() };
    // Boards are drawn only if they are written cell by cell, because other boards may be large.
    let drawn = syntax.unwrap_or_else(|| read::syntax(source)) == Syntax::Text;
    let result = read::board(source, &options);
    if result.is_err() {
        for &puzzle_type in PUZZLES {
            let options = ReadOptions { puzzle_type: Some(puzzle_type), ..options.clone() };
            if let Ok(read) = read::board(source, &options) {
                board(&*read.puzzle, drawn);
            }
        }
    }
    board(&*result?.puzzle, drawn);
    Ok(())
}

/// If `drawn` is true, draws a board and reads the drawing.
fn board(puzzle: &dyn Puzzle, drawn: bool) {
    if drawn {
        let drawn = puzzle.draw(None).text(false);
        let _ = puzzle.read_solution(&Source::new("drawn", drawn));
    }
}

/// Reads a solution from JSON or from a drawn board, and checks it on small boards of each puzzle type.
fn solution(source: &Source) -> Result<(), InputError> {
    let from_json = json::read(source).ok().map(|record| solution::from_record(&record));
    let samples = PUZZLES.iter().map(|puzzle| puzzle.readers[0].sample());
    for text in samples.chain(BOARDS.iter().copied()) {
        let board = read::board(&Source::new("board", text), &ReadOptions::default());
        let puzzle = board.expect("a board").puzzle;
        if let Ok(solution) = puzzle.read_solution(source) {
            check(&*puzzle, &solution);
        }
        if let Some(Ok(solution)) = &from_json {
            check(&*puzzle, solution);
        }
    }
    from_json.transpose().map(drop)
}

fn check(puzzle: &dyn Puzzle, solution: &Solution) {
    match puzzle.check(solution) {
        // Drawing a correct solution must succeed.
        Ok(()) => drop(puzzle.draw(Some(solution)).text(false)),
        Err(violation) => assert!(violation.to_string().len() < 10_000, "{violation}"),
    }
}

/// Boards in addition to the sample boards of the puzzle types.
const BOARDS: &[&str] =
    &["powers\nexponents = [2, 64]\nmode = \"at-least\"\n", "numberlink touch=no\n1 . .\n. . 1\n"];

/// Like the command `gordian decode`, decodes solver output for some formulas of small boards. If the output satisfies
/// the formula, the decoded solution must satisfy the rules.
fn decode(source: &Source) -> Result<(), InputError> {
    FORMULAS.with(|formulas| {
        for (puzzle, export, decode) in formulas {
            let output = solver_output::read(source, export.survey().variables, UnknownLines::Skip)?;
            match export.check(&output.values) {
                Ok(assignment) => {
                    let solution = decode(&assignment);
                    let checked = puzzle.check(&solution);
                    assert!(checked.is_ok(), "a model of the formula is not a solution: {checked:?}");
                }
                Err(broken) => assert!(!broken.with_names(&export.survey().labels).is_empty()),
            }
        }
        Ok(())
    })
}

/// A board, its formula, and the function that decodes assignments of the formula.
type Formula = (Box<dyn Puzzle>, Export, Box<dyn Fn(&Assignment) -> Solution + Send + Sync>);

thread_local! {
    /// The formulas are created only once, because they are the same for every input.
    static FORMULAS: Vec<Formula> = [
        ("nurikabe\n1 . .\n. . .\n. . 3\n", "dimacs", false),
        ("rooks\n. # 1\n. . .\n", "wcnf", true),
        ("cards\nn_cards = 52\nn_red = 26\nleft_split = 25\n", "opb", false),
    ].map(|(text, format, best)| {
        let source = Source::new("board", text);
        let puzzle = read::board(&source, &ReadOptions::default()).expect("a board").puzzle;
        let objective = puzzle.puzzle_type().objectives.first().filter(|_| best);
        let formulation = puzzle.formulate(&objective.into());
        let format = export::find(format).expect("a format");
        let export = Export::new(formulation.model, Encodings::auto(), format).expect("small weights");
        (puzzle, export, formulation.decode)
    }).into();
}

fn output(source: &Source) -> Result<(), InputError> {
    let _ = solver_output::read(source, 0, UnknownLines::Skip);
    let skipped = solver_output::read(source, 40, UnknownLines::Skip);
    let refused = solver_output::read(source, 40, UnknownLines::Reject);
    assert!(skipped.is_ok() || refused.is_err(), "an error that unknown lines are no reason for");
    refused.map(|output| assert_eq!(output.values.len(), 40))
}

/// Reads a FlatZinc instance, writes it and reads it again. The two instances must be equal.
fn flatzinc(input: &[u8]) {
    if let Some(instance) = instance(input, gordian_flatzinc::text::read) {
        let written = instance.to_string();
        let again = gordian_flatzinc::text::read(&written);
        assert_eq!(again.map(|instance| instance.to_string()), Ok(written));
    }
}

/// Reads FlatZinc JSON. The instance is not written as text, because the text lists the values of sets with gaps and
/// may be long.
fn flatzinc_json(input: &[u8]) {
    let _ = instance(input, gordian_flatzinc::json::read);
}

/// Reads an XCSP3 instance, and prints a solution of the instance.
fn xcsp3(input: &[u8]) {
    if let Some(instance) = instance(input, gordian_flatzinc::xcsp3::read) {
        let values = vec![0; instance.variables.len()];
        let line = competition::solution_line(&instance, &values, None, false);
        assert!(line.ends_with("</instantiation>"), "{line}");
    }
}

/// Reads a pseudo-Boolean formula. Each constraint must have a value for every assignment.
fn opb(input: &[u8]) {
    if let Some(instance) = instance(input, gordian_flatzinc::pseudo_boolean::read) {
        let values = vec![0; instance.variables.len()];
        let known = |call: &gordian_flatzinc::instance::Call| {
            gordian_flatzinc::builtins::names().any(|name| call.name.starts_with(name))
        };
        assert!(instance.constraints.iter().all(known), "a constraint is unknown");
        let _ = gordian_flatzinc::violated(&instance, &values);
    }
}

/// Reads a formula as a model. If its syntax can't be guessed, tries each syntax.
fn formula_model(source: &Source) -> Result<(), InputError> {
    for syntax in [Syntax::Opb, Syntax::Cnf, Syntax::Knf, Syntax::Wcnf] {
        let options = ReadOptions { syntax: Some(syntax), ..ReadOptions::default() };
        if let Err(error) = read::board(source, &options) {
            reader_error(&error.into());
        }
    }
    read::board(source, &ReadOptions::default()).map(drop).map_err(Into::into)
}

fn instance(input: &[u8], read: fn(&str) -> Result<Instance, ReadError>) -> Option<Instance> {
    let text = std::str::from_utf8(input).ok()?;
    let error = match read(text) {
        Ok(instance) => return Some(instance),
        Err(error) => error,
    };
    assert!(text.get(error.span.clone()).is_some(), "{error}: {:?}", error.span);
    let message = error.to_string();
    assert!(message.len() < 1000 && !message.contains(char::is_control), "{message:?}");
    None
}

fn formula(format: FormulaFormat, input: &[u8]) {
    let mut greatest = 0;
    let read = dimacs::read("input", format, input, |read| {
        assert!(
            read.literals.windows(2).all(|pair| pair[0].unsigned_abs() < pair[1].unsigned_abs()),
            "a variable repeats"
        );
        greatest = read.literals.iter().map(|literal| literal.unsigned_abs()).fold(greatest, u32::max);
    });
    match read {
        Ok(formula) => {
            assert!(greatest <= formula.variables && formula.variables <= dimacs::MAX_VARIABLES);
            let shown = formula.projection.unwrap_or_default();
            assert!(shown.iter().all(|variable| (1..=formula.variables).contains(variable)));
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 1000 && !message.contains(char::is_control), "{message:?}");
        }
    }
}
