//! The text of solutions: blocks of tokens, one for each variable that is shown.
//!
//! Marks in cells and lines through cells share a block if no cell has both. A cell without a mark shows its clue.
//!
//! The file has over 400 lines because writing and reading share one context.

use std::collections::HashMap;
use std::sync::Arc;

use super::{cells, field_name, grid_size};
use crate::format::text::{Row, rows};
use crate::format::{InputError, Source, Spanned, counted, quote};
use crate::puzzle::sheet::block::{NOTHING, Rows, narrow};
use crate::puzzle::sheet::islands::{LAND, Roots, areas};
use crate::puzzle::sheet::text::tokens;
use crate::render::{Block, Role, SIDE_TOKENS};
use crate::rules::sheet::{
    Cell, PlaceMap, Scheme, Sheet, SheetBoard, Shown, Size, Spot, Style, Value, VariablePlaces,
};
use crate::rules::{Field, GRID, Grid, Solution};

/// The token of a shaded cell.
const SHADED: &str = "#";
/// The tokens of a diagonal from the top right, and of one from the top left.
pub(super) const SLANTS: [&str; 2] = ["/", "\\"];
/// The token of a cell of sea.
pub(super) const SEA: &str = "0";
/// A cell of an island whose size is not in the text.
const ANY_SIZE: i128 = -1;
/// The tokens of one and two bridges across, and down.
const BRIDGES: [[&str; 2]; 2] = [["─", "═"], ["│", "║"]];

/// A block: the variables that it shows, as indices of [`Sheet::shown`].
#[derive(Debug, Clone, Copy)]
enum Part {
    Cells(usize),
    /// Marks in cells, and lines through the other cells.
    Both {
        marks: usize,
        path: usize,
    },
    Bridges(usize),
}

/// Returns the token of a mark: the symbol of the sheet, or the first letter of the variable's name.
pub(in crate::puzzle::sheet) fn mark(sheet: &Sheet, shown: &Shown) -> String {
    if shown.style == Style::Shaded {
        return SHADED.to_owned();
    }
    let is_token = |symbol: &&String| {
        !symbol.is_empty()
            && !symbol.contains(char::is_whitespace)
            && !symbol.contains(['%', '.', '?', '*', '='])
    };
    let letter = || sheet.vars[shown.var].name.chars().take(1).collect();
    shown.symbol.as_ref().filter(is_token).cloned().unwrap_or_else(letter)
}

/// The parts of a solution's text, with and without a block for marks and lines.
fn parts(sheet: &Sheet, merged: bool) -> Vec<Part> {
    let find = |fits: fn(Style) -> bool| sheet.shown.iter().position(|shown| fits(shown.style));
    let both =
        find(|style| matches!(style, Style::Shaded | Style::Mark)).zip(find(|style| style == Style::Path));
    let mut parts = Vec::new();
    for (index, shown) in sheet.shown.iter().enumerate() {
        match both.filter(|_| merged) {
            Some((marks, path)) if index == marks.min(path) => parts.push(Part::Both { marks, path }),
            Some((marks, path)) if index == marks.max(path) => {}
            _ if shown.style == Style::Bridges => parts.push(Part::Bridges(index)),
            _ => parts.push(Part::Cells(index)),
        }
    }
    parts
}

/// What tokens depend on, apart from the solution.
struct Context<'a> {
    sheet: &'a Sheet,
    size: Size,
    /// The tokens of the clues in cells.
    clues: Option<Rows<String>>,
    variables: Arc<[VariablePlaces]>,
}

impl<'a> Context<'a> {
    fn new(board: &'a SheetBoard) -> Self {
        let sheet = board.sheet();
        let clues = sheet.blocks.iter().find(|block| matches!(block.scheme, Scheme::Grid | Scheme::Sums));
        Self {
            sheet,
            size: board.size(),
            clues: clues.map(|block| tokens(board, block)),
            variables: board
                .variables()
                .unwrap_or_else(|_| sheet.vars.iter().map(|_| PlaceMap::new(board.size())).collect()),
        }
    }

    /// Returns the token of a cell on the board without a solution.
    fn given(&self, cell: usize) -> Option<&String> {
        let columns = usize::from(self.size.columns);
        self.clues.as_ref()?.get(cell / columns)?.get(cell % columns)
    }

    /// Returns the token of the clue in a cell, unless it could be a mark of one of the styles.
    fn clue(&self, cell: usize, shown: &[&Shown]) -> Option<&str> {
        let token = self.given(cell)?.as_str();
        let is_mark = |shown: &&&Shown| match shown.style {
            Style::Shaded | Style::Mark => token == mark(self.sheet, shown),
            Style::Slant => SLANTS.contains(&token),
            Style::Path => SIDE_TOKENS.contains(&token),
            _ => true,
        };
        let may_be_mark = |shown: &&&Shown| self.has_variable(cell, shown) && is_mark(shown);
        (token != NOTHING && !shown.iter().any(|shown| may_be_mark(&shown))).then_some(token)
    }

    /// Returns whether a cell can have a mark of a style.
    fn has_variable(&self, cell: usize, shown: &Shown) -> bool {
        let columns = usize::from(self.size.columns);
        let place = Spot::Cell(Cell { row: narrow(cell / columns), column: narrow(cell % columns) });
        match shown.style {
            Style::Path | Style::Border | Style::Pieces | Style::Bridges => true,
            _ => self.variables[shown.var].get(&place.into()).is_some(),
        }
    }

    /// Returns the token of a value in a cell or at a corner; `None` if the cell has no mark.
    fn token(&self, shown: &Shown, cell: usize, value: i128) -> Option<String> {
        let slant = |value: i128| SLANTS[usize::from(value != 0)].to_owned();
        match shown.style {
            Style::Border => Some(side_token(value)),
            _ if !self.has_variable(cell, shown) => (value != 0).then(|| value.to_string()),
            Style::Shaded | Style::Mark => (value != 0).then(|| mark(self.sheet, shown)),
            Style::Slant => Some(slant(value)),
            Style::Path => (value != 0).then(|| side_token(value)),
            Style::Pieces => (value != 0).then(|| value.to_string()),
            Style::Numbers | Style::Areas | Style::Bridges | Style::Islands => Some(value.to_string()),
        }
    }

    /// Returns the value of a token in a cell or at a corner, or what was expected.
    fn value(&self, shown: &Shown, cell: usize, token: &str) -> Result<i128, String> {
        let side =
            SIDE_TOKENS.iter().position(|known| *known == token).and_then(|side| i128::try_from(side).ok());
        let clue = if shown.style == Style::Border { None } else { self.clue(cell, &[shown]) };
        let words = |words: &[String]| {
            let words = words.iter().cloned().chain([NOTHING.to_owned()]).chain(clue.map(str::to_owned));
            words.map(|word| quote(&word)).collect::<Vec<_>>().join(" or ")
        };
        let variable = shown.style == Style::Border || self.has_variable(cell, shown);
        let is_line = matches!(shown.style, Style::Path | Style::Border);
        if let Some(side) = side.filter(|_| is_line) {
            return Ok(side);
        }
        let is_blank = matches!(shown.style, Style::Shaded | Style::Mark | Style::Pieces) || !variable;
        if clue == Some(token) || !is_line && is_blank && token == NOTHING {
            return Ok(0);
        }
        match shown.style {
            Style::Path | Style::Border => Err(format!("one of {}", SIDE_TOKENS.join(" "))),
            _ if !variable => Err(words(&[])),
            Style::Shaded | Style::Mark => {
                let mark = mark(self.sheet, shown);
                if token == mark { Ok(1) } else { Err(words(&[mark])) }
            }
            Style::Slant => {
                let slant = SLANTS.iter().position(|slant| *slant == token);
                slant
                    .and_then(|slant| i128::try_from(slant).ok())
                    .ok_or_else(|| SLANTS.map(quote).join(" or "))
            }
            // The type excludes negative numbers, such as the one for any size.
            Style::Islands => token
                .parse::<u64>()
                .map(i128::from)
                .or_else(
                    |error| if [NOTHING, LAND, "?"].contains(&token) { Ok(ANY_SIZE) } else { Err(error) },
                )
                .map_err(|_| {
                    format!("`{SEA}`, the size of the island, or `{LAND}` for an island of any size")
                }),
            Style::Numbers | Style::Areas | Style::Pieces | Style::Bridges => {
                token.parse().map_err(|_| "a number".to_owned())
            }
        }
    }

    /// Fills in the sizes of islands that are not in the text.
    fn with_sizes(&self, mut grid: Grid<i128>) -> Grid<i128> {
        let index =
            |cell: Cell| usize::from(cell.row) * usize::from(self.size.columns) + usize::from(cell.column);
        for island in areas(self.size, |cell| grid[index(cell)] != 0) {
            for &cell in &island {
                let size = &mut grid.cells_mut()[index(cell)];
                if *size == ANY_SIZE {
                    *size = island.len() as i128;
                }
            }
        }
        grid
    }
}

fn side_token(value: i128) -> String {
    usize::try_from(value)
        .ok()
        .and_then(|sides| SIDE_TOKENS.get(sides))
        .map_or_else(|| value.to_string(), ToString::to_string)
}

/// Returns the blocks of a solution's text.
pub(in crate::puzzle::sheet) fn write(board: &SheetBoard, solution: &Solution) -> Vec<Block> {
    let context = Context::new(board);
    let sheet = board.sheet();
    let field = |index: usize| solution.get(field_name(sheet, index));
    let grid = |index: usize| if let Some(Field::Grid(grid)) = field(index) { Some(grid) } else { None };
    let overlap = parts(sheet, true).iter().any(|part| match part {
        Part::Both { marks, path } => match (grid(*marks), grid(*path)) {
            (Some(marks), Some(path)) => {
                marks.cells().iter().zip(path.cells()).any(|(a, b)| *a != 0 && *b != 0)
            }
            _ => true,
        },
        _ => false,
    });
    let block = |part: &Part| match *part {
        Part::Bridges(index) => match field(index) {
            Some(Field::Numbers(numbers)) => bridges(&context, index, numbers),
            _ => Vec::new(),
        },
        Part::Cells(index) => {
            grid(index).map_or(Vec::new(), |grid| cell_rows(&context, &[(&sheet.shown[index], grid)]))
        }
        Part::Both { marks, path } => {
            let shown = [marks, path].map(|index| grid(index).map(|grid| (&sheet.shown[index], grid)));
            cell_rows(&context, &shown.into_iter().flatten().collect::<Vec<_>>())
        }
    };
    parts(sheet, !overlap).iter().map(block).collect()
}

/// Returns the rows of cells or corners: the token of the first value that has one, or the clue.
fn cell_rows(context: &Context<'_>, shown: &[(&Shown, &Grid<i128>)]) -> Block {
    let Some((first, grid)) = shown.first() else { return Vec::new() };
    let styles: Vec<&Shown> = shown.iter().map(|(shown, _)| *shown).collect();
    let token = |cell: usize| {
        if let Some(token) = shown.iter().find_map(|(shown, grid)| context.token(shown, cell, grid[cell])) {
            let given = context.given(cell).filter(|given| *given != NOTHING);
            let role = match first.style {
                Style::Numbers if given == Some(&token) => Role::Given,
                Style::Islands if given.is_some() => Role::Given,
                Style::Islands => {
                    if token == SEA {
                        Role::Ground
                    } else {
                        Role::Plain
                    }
                }
                _ if token == NOTHING => Role::Ground,
                _ => Role::Mark,
            };
            return (token, role);
        }
        let clue = if first.style == Style::Border { None } else { context.clue(cell, &styles) };
        clue.map_or_else(|| (NOTHING.to_owned(), Role::Ground), |clue| (clue.to_owned(), Role::Given))
    };
    (0..grid.rows())
        .map(|row| (0..grid.columns()).map(|column| token(grid.index(row, column))).collect())
        .collect()
}

/// Returns the pairs of cells that bridges join, with the cells between them and whether they are in one column. `None` for a
/// pair that is not in one line.
fn spans(context: &Context<'_>, index: usize) -> Vec<Option<(Vec<usize>, usize)>> {
    let columns = usize::from(context.size.columns);
    let span = |key: &Value| {
        let cells: Vec<usize> = cells(key)
            .into_iter()
            .map(|cell| usize::from(cell.row) * columns + usize::from(cell.column))
            .collect();
        let [a, b] = cells[..] else { return None };
        if a / columns == b / columns {
            Some(((a + 1..b).collect(), 0))
        } else if a % columns == b % columns {
            Some(((a + columns..b).step_by(columns).collect(), 1))
        } else {
            None
        }
    };
    context.variables[context.sheet.shown[index].var].keys().iter().map(span).collect()
}

/// Returns the rows of cells with bridges between them, or a line of numbers if the cells can't show them.
fn bridges(context: &Context<'_>, index: usize, numbers: &[i128]) -> Block {
    if let Some(drawn) = drawn_bridges(context, index, numbers) {
        return drawn;
    }
    let name = context.sheet.vars[context.sheet.shown[index].var].name.clone();
    let words = [name, "=".to_owned()].into_iter().map(|word| (word, Role::Plain));
    vec![words.chain(numbers.iter().map(|number| (number.to_string(), Role::Mark))).collect()]
}

fn drawn_bridges(context: &Context<'_>, index: usize, numbers: &[i128]) -> Option<Block> {
    let (rows, columns) = grid_size(context.size, Style::Bridges);
    let mut drawn: HashMap<usize, &str> = HashMap::new();
    for (span, &number) in spans(context, index).into_iter().zip(numbers).filter(|(_, number)| **number != 0)
    {
        let (between, axis) = span.filter(|(between, _)| !between.is_empty())?;
        let token = usize::try_from(number - 1).ok().and_then(|at| BRIDGES[axis].get(at))?;
        for cell in between {
            if drawn.insert(cell, token).is_some() {
                return None;
            }
        }
    }
    let token = |cell: usize| match (drawn.get(&cell), context.clue(cell, &[])) {
        (Some(token), _) => ((*token).to_owned(), Role::Mark),
        (None, Some(clue)) => (clue.to_owned(), Role::Given),
        (None, None) => (NOTHING.to_owned(), Role::Ground),
    };
    Some((0..rows).map(|row| (0..columns).map(|column| token(row * columns + column)).collect()).collect())
}

/// Reads a solution from the text that [`write`] returns.
pub(in crate::puzzle::sheet) fn read(board: &SheetBoard, source: &Source) -> Result<Solution, InputError> {
    let context = Context::new(board);
    let sheet = board.sheet();
    let found = rows(source);
    let height = |parts: &[Part]| -> usize { parts.iter().map(|part| part.rows(&context)).sum() };
    let merged = parts(sheet, true);
    let parts = if found.len() <= height(&merged) { merged } else { parts(sheet, false) };
    let mut reading = Reading { context, source, rows: &found };
    let mut fields: Vec<Option<Field>> = vec![None; sheet.shown.len()];
    for part in parts {
        match part {
            Part::Cells(index) => {
                let shown = &sheet.shown[index];
                let grid =
                    reading.grid(shown.style, |context, cell, token| context.value(shown, cell, token))?;
                let is_islands = shown.style == Style::Islands;
                fields[index] =
                    Some(Field::Grid(if is_islands { reading.context.with_sizes(grid) } else { grid }));
            }
            Part::Both { marks, path } => {
                let [marked, drawn] = [marks, path].map(|index| &sheet.shown[index]);
                let pairs = reading.grid(Style::Path, |context, cell, token| {
                    match context.value(drawn, cell, token) {
                        Ok(sides) => Ok((0, sides)),
                        Err(_) => context.value(marked, cell, token).map(|mark| (mark, 0)),
                    }
                })?;
                fields[marks] = Some(Field::Grid(pairs.map(|pair| pair.0)));
                fields[path] = Some(Field::Grid(pairs.map(|pair| pair.1)));
            }
            Part::Bridges(index) => fields[index] = Some(Field::Numbers(reading.bridges(index)?)),
        }
    }
    if let Some(row) = reading.rows.first() {
        let found = quote(source.slice(row.span));
        return Err(InputError::new(source, row.span, "the end of the solution", found));
    }
    let fields = fields.into_iter().enumerate();
    Ok(fields.fold(Solution::new(), |solution, (index, field)| match field {
        Some(field) => solution.with(field_name(sheet, index).to_owned(), field),
        None => solution,
    }))
}

impl Part {
    fn rows(self, context: &Context<'_>) -> usize {
        match self {
            Self::Cells(index) => grid_size(context.size, context.sheet.shown[index].style).0,
            Self::Both { .. } | Self::Bridges(_) => grid_size(context.size, Style::Path).0,
        }
    }
}

/// The rows that have not been read yet.
struct Reading<'a> {
    context: Context<'a>,
    source: &'a Source,
    rows: &'a [Row],
}

impl<'a> Reading<'a> {
    /// Reads the rows of a grid.
    fn grid<T>(
        &mut self,
        style: Style,
        value: impl Fn(&Context<'_>, usize, &str) -> Result<T, String>,
    ) -> Result<Grid<T>, InputError> {
        let (rows, columns) = grid_size(self.context.size, style);
        let mut cells = Vec::with_capacity(rows * columns);
        for token in self.tokens(rows, columns)? {
            let value = value(&self.context, cells.len(), &token.value);
            cells.push(value.map_err(|expected| InputError::at(self.source, token, expected))?);
        }
        Ok(Grid::new(rows, columns, cells))
    }

    /// Takes the tokens of some rows.
    fn tokens(&mut self, rows: usize, columns: usize) -> Result<Vec<&'a Spanned<String>>, InputError> {
        let Some((taken, rest)) = self.rows.split_at_checked(rows) else {
            let expected = format!("{}, as on the board", counted(rows, "row"));
            return Err(InputError::new(
                self.source,
                self.source.end(),
                expected,
                counted(self.rows.len(), "row"),
            ));
        };
        if let Some(row) = taken.iter().find(|row| row.cells.len() != columns) {
            let expected = format!("{}, as on the board", counted(columns, "cell"));
            return Err(InputError::new(self.source, row.span, expected, counted(row.cells.len(), "cell")));
        }
        self.rows = rest;
        Ok(taken.iter().flat_map(|row| &row.cells).collect())
    }

    fn bridges(&mut self, index: usize) -> Result<Vec<i128>, InputError> {
        let name = &self.context.sheet.vars[self.context.sheet.shown[index].var].name;
        if let Some((row, rest)) = self.rows.split_first()
            && let [first, equals, numbers @ ..] = &row.cells[..]
            && (&first.value, equals.value.as_str()) == (name, "=")
        {
            self.rows = rest;
            let number = |token: &Spanned<String>| {
                token.value.parse().map_err(|_| InputError::at(self.source, token, "a number"))
            };
            return numbers.iter().map(number).collect();
        }
        let (rows, columns) = grid_size(self.context.size, Style::Bridges);
        let tokens = self.tokens(rows, columns)?;
        let number = |span: Option<(Vec<usize>, usize)>| {
            let (between, axis) = span?;
            let token = &tokens[*between.first()?].value;
            let at = BRIDGES[axis].iter().position(|bridge| bridge == token)?;
            let whole = between.iter().all(|&cell| tokens[cell].value == *token);
            i128::try_from(at + 1).ok().filter(|_| whole)
        };
        let numbers: Vec<i128> =
            spans(&self.context, index).into_iter().map(|span| number(span).unwrap_or(0)).collect();
        let drawn = drawn_bridges(&self.context, index, &numbers).unwrap_or_default();
        let wrong = drawn.iter().flatten().zip(&tokens).find(|((drawn, _), token)| *drawn != token.value);
        match wrong {
            Some(((drawn, _), token)) => Err(InputError::at(self.source, token, quote(drawn))),
            None => Ok(numbers),
        }
    }
}

/// Reads a partly filled board, if the solution consists of one grid of cells with values of their own.
pub(in crate::puzzle::sheet) fn read_partial(
    board: &SheetBoard,
    roots: &Roots,
    source: &Source,
) -> Option<Result<Grid<Option<i128>>, InputError>> {
    let sheet = board.sheet();
    let [shown] = &sheet.shown[..] else { return None };
    if field_name(sheet, 0) != GRID || shown.style == Style::Pieces {
        return None;
    }
    let context = Context::new(board);
    let (rows, columns) = grid_size(context.size, shown.style);
    let value = |cell: usize, token: &str| {
        let value = || context.value(shown, cell, token);
        if shown.style != Style::Islands {
            return value().map(Some);
        }
        let place = Cell { row: narrow(cell / columns), column: narrow(cell % columns) };
        match (token, roots.get(&place)) {
            (NOTHING, _) => Ok(None),
            (LAND, _) => value().map(Some),
            (_, Some(&Some(size))) if value() != Ok(size.into()) => {
                Err(format!("`{size}`, the clue of the cell"))
            }
            (SEA, Some(None)) => {
                Err(format!("`{LAND}` or the size of the island, because the cell has a clue"))
            }
            _ => value().map(Some),
        }
    };
    Some(crate::solution::partial_grid_from_text(source, rows, columns, value))
}
