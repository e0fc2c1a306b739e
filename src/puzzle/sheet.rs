//! Puzzle types that are stated by a rule sheet: everything about them follows from the sheet.
//!
//! The crate `gordian-rules` has the sheets, and evaluates and grounds them. The modules here read a board and a
//! solution, turn the ground rules into a model, draw, and write addresses.

use std::sync::{Arc, LazyLock, OnceLock};

use gordian_encodings::tick;

use super::{
    ClueFormulation, Computed, Editor, FactWords, FieldRow, Formulation, Group, OptionRow, Options, Plain,
    Play, Puzzle, PuzzleType, Query, Read, Reader, Sample, Shape,
};
use crate::backend::Verdict;
use crate::format::pzpr::{Address, NoAddress, WrittenAddress};
use crate::format::text::TextDocument;
use crate::format::{InputError, Record, Source, Span, Syntax};
use crate::render::Scene;
use crate::rules::opb::RulesFormula;
use crate::rules::sheet::{
    self, Assignment, DataSort, Ground, Sheet, SheetBoard, SheetError, SheetRow, Style, Value,
};
use crate::rules::{GRID, Grid, Place, Rules, Solution, Violation};
use crate::search::Config;

mod address;
mod block;
mod certificate;
pub(crate) mod clues;
mod components;
mod draw;
pub(super) mod extension;
mod islands;
mod model;
mod narrow;
mod own;
pub(crate) mod partial;
mod parts;
mod play;
mod record;
mod relations;
mod size;
mod sized;
mod solution;
mod sweep;
mod text;

use islands::ISLAND;
use model::Builder;
pub use own::of_text;
use size::StatedSize;

/// The sheets in `gordian-rules`.
pub(super) static SHEETS: LazyLock<Vec<BuiltIn>> =
    LazyLock::new(|| sheet::SHEETS.iter().map(|row| BuiltIn { row, parsed: OnceLock::new() }).collect());

/// A sheet in `gordian-rules`. It is parsed when its puzzle type is first needed, because a board needs one of a hundred.
#[derive(Debug)]
pub(crate) struct BuiltIn {
    pub(super) row: &'static SheetRow,
    parsed: OnceLock<PuzzleType>,
}

impl BuiltIn {
    pub(super) fn puzzle_type(&self) -> &PuzzleType {
        self.parsed.get_or_init(|| {
            let parsed = Sheet::parse(self.row.text).and_then(|sheet| puzzle_type(sheet, self.row.sample));
            parsed.unwrap_or_else(|error| panic!("{}.sheet: {error}", self.row.name))
        })
    }
}

/// The amount of each [`tick`] during the evaluation of a sheet.
const GROUNDED: u64 = 1 << 12;

/// A board of a puzzle type that is stated by a rule sheet.
#[derive(Debug)]
struct SheetPuzzle {
    puzzle_type: &'static PuzzleType,
    board: Arc<SheetBoard>,
    /// The instances of the rules, which also the formulations without implied rules use.
    ground: Arc<Ground>,
}

/// What a formulation lists of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lists {
    Nothing,
    Parts,
    /// The parts and the facts.
    Facts,
}

impl Lists {
    /// Returns what the formulation for a query lists.
    fn of(query: &Query) -> Self {
        if query.has_parts() { Self::Parts } else { Self::Nothing }
    }
}

impl SheetPuzzle {
    /// Creates a puzzle. `source` is the text of the board, for errors.
    fn boxed(puzzle_type: &'static PuzzleType, board: SheetBoard, source: &Source) -> Read {
        // A sheet can be from an unknown author and take very long, so a cancelled query also ends its evaluation.
        let poll = || {
            tick(GROUNDED);
            false
        };
        let ground = board.ground(true, &poll).map_err(|error| {
            let expected = "a board for which the rules can be stated";
            InputError::new(source, source.start(), expected, error.to_string())
        })?;
        if let Some((shown, piece)) = repeated_piece(&board, &ground) {
            let name = &board.sheet().vars[shown].name;
            let expected = format!("a board on which the sets of `{name}` have different cells");
            let cells: Vec<String> =
                piece.iter().map(|cell| format!("r{}c{}", cell.row + 1, cell.column + 1)).collect();
            let found = format!("two sets with {}", cells.join(", "));
            let help = "solutions show which cells a piece has, not their order; the sheet can list each set \
                        once, for example with `sorted`";
            return Err(InputError::new(source, source.start(), expected, found).with_help(help));
        }
        Ok(Box::new(Self { puzzle_type, board: Arc::new(board), ground: Arc::new(ground) }))
    }

    /// Returns the formulation whose model was built.
    fn formulation(&self, mut builder: Builder<'_>, lists: Lists) -> Formulation {
        let parts = if lists >= Lists::Parts { builder.parts() } else { Vec::new() };
        let facts = if lists >= Lists::Facts { builder.facts(true) } else { Vec::new() };
        let projection = builder.projection();
        let Builder { plain, vars, .. } = builder;
        let mut model = plain.model;
        model.project(projection);
        let (board, ground) = (Arc::clone(&self.board), Arc::clone(&self.ground));
        let decode = move |assignment: &gordian_encodings::Assignment| {
            solution::solution(&board, &parts::decoded(&ground, &vars, board.size(), assignment))
        };
        Formulation { model, parts, facts, decode: Box::new(decode) }
    }

    /// Returns the formulation in which all rules hold.
    fn solvable(&self, lists: Lists) -> Formulation {
        let mut builder = self.builder(lists != Lists::Nothing);
        builder.rules(true);
        self.formulation(builder, lists)
    }

    /// Returns a [narrowed](Builder::narrowed) builder of the model in which all rules hold.
    fn builder(&self, keeps_values: bool) -> Builder<'_> {
        Builder::narrowed(&self.board, sheet_of(self.puzzle_type), &self.ground, keeps_values)
    }

    /// Returns the values of all variables, which include those that a solution does not show. These are in its witness,
    /// or a solver finds them.
    fn completed(&self, solution: &Solution) -> Result<Assignment, Violation> {
        let assignment = solution::assignment(&self.board, solution)?;
        let sheet = self.board.sheet();
        let is_hidden = |family: usize| sheet.shown.iter().all(|shown| shown.var != family);
        let missing: Vec<usize> = (0..assignment.len())
            .filter(|&family| is_hidden(family) && assignment[family].keys().is_empty())
            .filter(|&family| !self.ground.families[family].keys().is_empty())
            .collect();
        if missing.is_empty() {
            return Ok(assignment);
        }
        let mut builder = self.builder(true);
        builder.rules(true);
        for (family, values) in assignment.iter().enumerate() {
            for (place, &value) in values.iter() {
                builder.fix(family, place, value);
            }
        }
        let vars = std::mem::take(&mut builder.vars);
        let config = Config::default();
        let solved = config.session(&builder.plain.model, config.limits()).and_then(|mut session| {
            let verdict = session.satisfy(&[])?;
            Ok((verdict == Verdict::Satisfiable).then(|| session.assignment()))
        });
        let names: Vec<&str> = missing.iter().map(|&family| sheet.vars[family].name.as_str()).collect();
        match solved {
            Ok(Some(found)) => {
                let mut completed = parts::decoded(&self.ground, &vars, self.board.size(), &found);
                for (family, values) in assignment.into_iter().enumerate() {
                    if !missing.contains(&family) {
                        completed[family] = values;
                    }
                }
                Ok(completed)
            }
            Ok(None) => {
                Err(Violation::new(format!("no values of {} satisfy the rules", names.join(" and "))))
            }
            Err(error) => Err(Violation::new(error.to_string())),
        }
    }
}

/// Returns the family and the cells of two pieces that consist of the same cells in another order. A solution does not show
/// which of them is chosen.
fn repeated_piece(board: &SheetBoard, ground: &Ground) -> Option<(usize, Vec<sheet::Cell>)> {
    let shown = board.sheet().shown.iter().filter(|shown| shown.style == Style::Pieces);
    shown.map(|shown| shown.var).find_map(|family| {
        let mut pieces: Vec<Vec<sheet::Cell>> =
            ground.families[family].iter().map(|(key, _)| solution::cells(key)).collect();
        pieces.sort_unstable();
        let repeated = pieces.windows(2).find(|pair| pair[0] == pair[1] && !pair[0].is_empty());
        repeated.map(|pair| (family, pair[0].clone()))
    })
}

fn input_error(source: &Source, error: &SheetError) -> InputError {
    let SheetError { span, expected, found, help } = error;
    let input = InputError::new(source, Span::new(span.start, span.end), expected.clone(), found.clone());
    match help {
        Some(help) => input.with_help(help.clone()),
        None => input,
    }
}

/// Returns the puzzle type of a sheet. Its description lives as long as the program.
///
/// # Errors
/// Returns an error if the sheet names an unknown extension.
fn puzzle_type(sheet: Sheet, sample: &'static str) -> Result<PuzzleType, SheetError> {
    let extensions = extension::of(&sheet)?;
    let sheet = Arc::new(sheet);
    let fields = (0..sheet.shown.len()).flat_map(|shown| field_rows(&sheet, shown)).collect::<Vec<_>>();
    let board: &Computed<_> = {
        let sheet = Arc::clone(&sheet);
        leaked(move || sample_board(&sheet, sample))
    };
    let names = sheet.data.iter().filter(|data| data.sort != DataSort::Option).map(|data| leak(&data.name));
    let mut readers = vec![
        Reader::Text { sample: Sample::Text(sample), read: from_text },
        Reader::Record {
            syntax: Syntax::Json,
            names: names.collect::<Vec<_>>().leak(),
            sample: Sample::Computed(leaked(|| board.as_ref().map(record::write).unwrap_or_default())),
            read: from_record,
        },
    ];
    // The statements for the letters of one address share a reader.
    let is_first =
        |at: &usize| !sheet.addresses[..*at].iter().any(|other| other.names == sheet.addresses[*at].names);
    for address in (0..sheet.addresses.len()).filter(is_first).map(|at| &sheet.addresses[at]) {
        let names = address.names.iter().map(|name| leak(name));
        let names = names.collect::<Vec<_>>().leak();
        let sample = Sample::Computed(leaked(|| {
            let written = board.as_ref().and_then(|board| address::write(board)?.ok());
            written.map(|written| written.address).unwrap_or_default()
        }));
        readers.push(Reader::Address { names, sample, read: from_address });
    }
    readers.extend(extensions.iter().flat_map(|extension| extension.readers).copied());
    let options = [SIZE]
        .into_iter()
        .chain(option_rows(&sheet))
        .chain(extensions.iter().flat_map(|extension| extension.options).copied());
    let aliases = sheet.names[1..].iter().map(|name| leak(name)).collect::<Vec<_>>();
    Ok(PuzzleType {
        name: leak(sheet.name()),
        aliases: aliases.leak(),
        rules: leak(&sheet.about),
        options: options.collect::<Vec<_>>().leak(),
        objectives: &[],
        optimises: false,
        fields: fields.leak(),
        readers: readers.leak(),
        group: group(&sheet),
        sheet: Some(sheet),
    })
}

/// Returns the group of a puzzle type. Lines are more work than what else a solution shows.
fn group(sheet: &Sheet) -> Group {
    let groups = sheet.shown.iter().map(|shown| match shown.style {
        Style::Path | Style::Border | Style::Slant | Style::Bridges => Group::Lines,
        Style::Shaded | Style::Islands => Group::Shading,
        Style::Numbers => Group::Numbers,
        Style::Areas | Style::Pieces => Group::Areas,
        Style::Mark => Group::Objects,
    });
    let groups: Vec<Group> = groups.collect();
    if groups.contains(&Group::Lines) {
        Group::Lines
    } else {
        groups.first().copied().unwrap_or(Group::Other)
    }
}

/// Returns the sample board, if there is one.
fn sample_board(sheet: &Arc<Sheet>, sample: &str) -> Option<SheetBoard> {
    if sample.is_empty() {
        return None;
    }
    let source = Source::new(sheet.name(), sample);
    let read = || {
        let document = crate::format::text::read(&source)?;
        let options = Options::default().over_those_of(&document)?;
        text::read(sheet, &document, &options)
    };
    Some(read().unwrap_or_else(|error| panic!("{error}")))
}

const SIZE: OptionRow = OptionRow {
    name: size::OPTION,
    values: &[],
    summary: "the numbers of rows and columns, as in `10x8`; required if they do not follow from the data",
};

/// Returns the options among the data of a sheet.
fn option_rows(sheet: &Sheet) -> Vec<OptionRow> {
    let options = sheet.data.iter().filter(|data| data.sort == DataSort::Option);
    let row = |data: &sheet::Data| OptionRow {
        name: leak(&data.name),
        values: &["no", block::YES],
        summary: leak(&data.meaning),
    };
    options.map(row).collect()
}

/// Returns a value that is computed when it is first needed, and lives as long as the program.
fn leaked<T>(value: impl FnOnce() -> T + Send + 'static) -> &'static Computed<T> {
    let value: Box<dyn FnOnce() -> T + Send> = Box::new(value);
    &*Box::leak(Box::new(LazyLock::new(value)))
}

fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// Returns the name of the field that contains a shown variable: `grid` for the first variable on cells, otherwise the name
/// of the variable.
fn field_name(sheet: &Sheet, shown: usize) -> &str {
    let is_grid = |shown: &sheet::Shown| !matches!(shown.style, Style::Path | Style::Border | Style::Bridges);
    if sheet.shown.iter().position(is_grid) == Some(shown) {
        GRID
    } else {
        &sheet.vars[sheet.shown[shown].var].name
    }
}

fn field_rows(sheet: &Sheet, shown: usize) -> Vec<FieldRow> {
    let sheet::Shown { var, style, .. } = &sheet.shown[shown];
    let name = &sheet.vars[*var].name;
    let (shape, summary) = match style {
        Style::Shaded | Style::Mark => (Shape::Rows, format!("1 for a cell with {name}, otherwise 0")),
        Style::Slant => (Shape::Rows, "1 for a diagonal from the top left, 0 for one from the top right".to_owned()),
        Style::Numbers => (Shape::Rows, format!("the number {name} of each cell, 0 for none")),
        Style::Areas => (Shape::Rows, "the number of the area of each cell".to_owned()),
        Style::Pieces => (Shape::Rows, "the number of the area of each cell, counted row by row".to_owned()),
        Style::Path => (
            Shape::Rows,
            "the sides through which a line leaves each cell, as the sum of 1 up, 2 right, 4 down, 8 left".to_owned(),
        ),
        Style::Border => (
            Shape::Rows,
            "the directions in which a line leaves each corner of a cell, as the sum of 1 up, 2 right, 4 down, 8 left"
                .to_owned(),
        ),
        Style::Islands => (Shape::Rows, format!("0 for {name}, otherwise the size of the island")),
        Style::Bridges => (Shape::List, format!("the number {name} of each pair of cells, in the order of the sheet")),
    };
    let field = leak(field_name(sheet, shown));
    let row = FieldRow::new(field, shape, leak(&summary));
    match style {
        Style::Shaded | Style::Mark => {
            vec![row.with_words(FactWords { zero: leak(&format!("not-{name}")), other: leak(name) })]
        }
        Style::Islands => {
            let row = row.with_words(FactWords { zero: leak(name), other: ISLAND });
            let unknown = "`+` for a cell of an island whose size the board does not state";
            vec![row, FieldRow::in_backbone(field, Shape::Rows, unknown)]
        }
        _ => vec![row],
    }
}

pub(crate) fn sheet_of(puzzle_type: &'static PuzzleType) -> &'static Arc<Sheet> {
    puzzle_type.sheet.as_ref().expect("the reader of a sheet")
}

fn from_text(document: &TextDocument, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    let board = text::read(sheet_of(puzzle_type), document, options)?;
    SheetPuzzle::boxed(puzzle_type, board, &document.source)
}

/// Returns whether the rows of a text are data of a puzzle type.
pub(crate) fn fits(sheet: &Arc<Sheet>, document: &TextDocument) -> bool {
    text::read(sheet, document, &Options::default()).is_ok()
}

fn from_record(record: &Record, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    let board = record::read(sheet_of(puzzle_type), record, options)?;
    SheetPuzzle::boxed(puzzle_type, board, &record.source)
}

fn from_address(address: &Address, puzzle_type: &'static PuzzleType, options: &Options) -> Read {
    let board = address::read(sheet_of(puzzle_type), address, options)?;
    if let Some(stated) = StatedSize::of_options(options)? {
        stated.check(board.size())?;
    }
    SheetPuzzle::boxed(puzzle_type, board, &address.source)
}

/// Returns the place of a cell as drawings and violations name it.
fn place(cell: sheet::Cell) -> Place {
    Place { row: cell.row.into(), column: cell.column.into() }
}

impl Rules for SheetPuzzle {
    fn check(&self, solution: &Solution) -> Result<(), Violation> {
        let assignment = self.completed(solution)?;
        match self.board.check(&assignment) {
            Ok(None) => Ok(()),
            Ok(Some(breach)) => Err(Violation::new(breach.rule).at(breach.cells.into_iter().map(place))),
            Err(error) => Err(Violation::new(error.to_string())),
        }
    }
}

impl Puzzle for SheetPuzzle {
    fn puzzle_type(&self) -> &'static PuzzleType {
        self.puzzle_type
    }

    fn formulate(&self, query: &Query) -> Formulation {
        self.solvable(Lists::of(query))
    }

    fn formulate_all(&self, _: &Query) -> Formulation {
        self.solvable(Lists::Facts)
    }

    fn formulate_for_sweep(&self, query: &Query) -> Option<Formulation> {
        self.sweep(query)
    }

    fn formulate_for_proof(&self, query: &Query) -> Result<Option<Formulation>, String> {
        self.formulation_of_formula(Lists::of(query)).map(Some)
    }

    fn rules_formula(&self) -> Option<&dyn RulesFormula> {
        Some(self)
    }
    /// Variables of formulas that only have to imply them are not determined by a solution.
    fn one_assignment_per_solution(&self) -> bool {
        false
    }

    fn plain(&self) -> Plain {
        let mut builder = Builder::plain(&self.board, sheet_of(self.puzzle_type), &self.ground);
        builder.rules(false);
        let facts = builder.facts(false);
        let numbers = parts::number_lits(&mut builder);
        let Builder { mut plain, vars, .. } = builder;
        plain.facts_of(facts);
        let (board, ground) = (Arc::clone(&self.board), Arc::clone(&self.ground));
        plain.drawn_by(move |known| {
            let known = parts::known(&ground, &vars, &numbers, board.size(), known);
            draw::scene(&board, Some(&known))
        });
        plain
    }

    fn states(&self, solution: &Solution, place: &str) -> Option<bool> {
        let assignment = solution::assignment(&self.board, solution).ok()?;
        let named = |spot: &&Value| super::plain::is_at(&parts::spot_name(spot), place);
        let shown = self.board.sheet().shown.iter();
        shown.filter(|shown| matches!(shown.style, Style::Path | Style::Border)).find_map(|shown| {
            let values = &assignment[shown.var];
            values.keys().iter().find(named).and_then(|spot| values.get(spot)).map(|&value| value == 1)
        })
    }

    fn clues(&self) -> Option<ClueFormulation<'_>> {
        clues::formulate(&self.board, sheet_of(self.puzzle_type), &self.ground)
    }

    fn has_clues(&self) -> bool {
        !clues::data(sheet_of(self.puzzle_type)).is_empty()
    }

    fn address(&self) -> Result<WrittenAddress, NoAddress> {
        address::write(&self.board).unwrap_or(Err(NoAddress::PuzzleType(self.puzzle_type.name)))
    }

    fn editor(&self) -> Option<Editor> {
        text::editor(&self.board)
    }

    fn native(&self) -> Option<String> {
        Some(text::write(&self.board))
    }

    fn play(&self) -> Option<&dyn Play> {
        Some(self)
    }

    fn draw(&self, solution: Option<&Solution>) -> Scene {
        let assignment = solution.and_then(|solution| solution::assignment(&self.board, solution).ok());
        draw::scene(&self.board, assignment.as_ref())
    }

    fn read_solution(&self, source: &Source) -> Result<Solution, InputError> {
        solution::read(&self.board, source)
    }

    fn read_partial(&self, source: &Source) -> Option<Result<Grid<Option<i128>>, InputError>> {
        solution::read_partial(&self.board, &islands::roots(&self.ground), source)
    }
}

#[cfg(test)]
mod tests;
