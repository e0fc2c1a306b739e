//! Solutions as fields, and as assignments of the sheet's variables.

use std::collections::{BTreeMap, HashMap};

use super::block::{NOTHING, narrow};
use super::islands::areas;
use super::{field_name, place};
use crate::format::counted;
use crate::puzzle::Tokens;
use crate::render::{DOWN, LEFT, RIGHT, UP};
use crate::rules::sheet::{
    Assignment, Axis, Cell, Direction, PlaceMap, Sheet, SheetBoard, Shown, Size, Spot, Style, Value,
    VariablePlaces,
};
use crate::rules::{Field, Grid, Place, Solution, Violation};

mod text;

use text::SEA;
pub(super) use text::{mark, read, read_partial, write};

/// The bits of the directions in which a line leaves a cell or a corner.
pub(super) const BITS: [(Direction, u8); 4] =
    [(Direction::North, UP), (Direction::East, RIGHT), (Direction::South, DOWN), (Direction::West, LEFT)];

/// Returns the solution that shows an assignment of all variables. Each map of the assignment lists its places in the order of
/// [`SheetBoard::variables`]. The values of variables that are not shown are the witness.
pub(super) fn solution(board: &SheetBoard, assignment: &Assignment) -> Solution {
    let sheet = board.sheet();
    let mut solution = Solution::new();
    for (index, Shown { var, style, .. }) in sheet.shown.iter().enumerate() {
        let field = field(board.size(), *style, &assignment[*var]);
        solution = solution.with(field_name(sheet, index).to_owned(), field);
    }
    let hidden: Vec<i128> =
        hidden(sheet).flat_map(|var| assignment[var].iter().map(|(_, &value)| value.into())).collect();
    if hidden.is_empty() { solution } else { solution.with_witness(hidden) }
}

/// Returns the indices of the families that are not part of solutions.
fn hidden(sheet: &Sheet) -> impl Iterator<Item = usize> {
    (0..sheet.vars.len()).filter(|var| sheet.shown.iter().all(|shown| shown.var != *var))
}

/// Returns the size of the grid that shows variables of a style: one row and one column more than cells for corners.
pub(super) fn grid_size(size: Size, style: Style) -> (usize, usize) {
    let more = usize::from(style == Style::Border);
    (usize::from(size.rows) + more, usize::from(size.columns) + more)
}

/// Returns the field that shows the values of a family.
pub(super) fn field(size: Size, style: Style, values: &PlaceMap<i64>) -> Field {
    let (rows, columns) = grid_size(size, style);
    let mut grid = Grid::new(rows, columns, vec![0; rows * columns]);
    let at = |Cell { row, column }: Cell| usize::from(row) * columns + usize::from(column);
    match style {
        Style::Bridges => return Field::Numbers(values.iter().map(|(_, &value)| value.into()).collect()),
        Style::Pieces => {
            let chosen = values.iter().filter(|(_, value)| **value != 0);
            let mut pieces: Vec<Vec<Cell>> =
                chosen.map(|(key, _)| cells(key)).filter(|cells| !cells.is_empty()).collect();
            pieces.sort();
            for (number, piece) in (1..).zip(pieces) {
                for cell in piece {
                    grid.cells_mut()[at(cell)] = number;
                }
            }
        }
        Style::Path | Style::Border => {
            for (key, _) in values.iter().filter(|(_, value)| **value != 0) {
                for (end, bit) in ends(size, key) {
                    grid.cells_mut()[at(end)] |= i128::from(bit);
                }
            }
        }
        Style::Islands => {
            for island in areas(size, |cell| values.get(&Spot::Cell(cell).into()) == Some(&0)) {
                for &cell in &island {
                    grid.cells_mut()[at(cell)] = island.len() as i128;
                }
            }
        }
        Style::Shaded | Style::Mark | Style::Numbers | Style::Areas | Style::Slant => {
            for (key, &value) in values.iter() {
                if let Value::Place(Spot::Cell(cell)) = key {
                    grid.cells_mut()[at(*cell)] = value.into();
                }
            }
        }
    }
    Field::Grid(grid)
}

/// Returns the cells of a set, in ascending order.
pub(super) fn cells(key: &Value) -> Vec<Cell> {
    let places = key.places().into_iter();
    let mut cells: Vec<Cell> =
        places.filter_map(|place| if let Spot::Cell(cell) = place { Some(cell) } else { None }).collect();
    cells.sort_unstable();
    cells
}

/// Returns the ends of a link or a side, each with the bit of the direction to the other end.
fn ends(size: Size, edge: &Value) -> Vec<(Cell, u8)> {
    let Value::Place(edge @ (Spot::Link(_, axis) | Spot::Side(_, axis))) = edge else { return Vec::new() };
    let bits = match axis {
        Axis::Across => [RIGHT, LEFT],
        Axis::Down => [DOWN, UP],
    };
    let ends = size.ends(*edge).into_iter().flatten().zip(bits);
    ends.filter_map(|(end, bit)| match end {
        Spot::Cell(cell) | Spot::Corner(cell) => Some((cell, bit)),
        _ => None,
    })
    .collect()
}

/// Returns the values of the variables that the solution shows, and of the others if it has a witness. The map of a
/// family that is not known is empty.
pub(super) fn assignment(board: &SheetBoard, solution: &Solution) -> Result<Assignment, Violation> {
    let sheet = board.sheet();
    let variables = board.variables().map_err(|error| Violation::new(error.to_string()))?;
    let mut assignment: Assignment = sheet.vars.iter().map(|_| PlaceMap::new(board.size())).collect();
    for (index, Shown { var, style, .. }) in sheet.shown.iter().enumerate() {
        let name = field_name(sheet, index);
        let family = Family {
            size: board.size(),
            name: &sheet.vars[*var].name,
            style: *style,
            places: &variables[*var],
        };
        assignment[*var] = family.values(solution.get(name), name)?;
    }
    let count: usize = hidden(sheet).map(|var| variables[var].keys().len()).sum();
    if let Some(witness) = solution.witness().filter(|witness| witness.len() == count) {
        let mut values = witness.iter();
        for var in hidden(sheet) {
            for (key, &value) in variables[var].keys().iter().zip(values.by_ref()) {
                assignment[var].insert(key.clone(), narrowed(value, &[])?);
            }
        }
    }
    Ok(assignment)
}

fn narrowed(value: i128, places: &[Place]) -> Result<i64, Violation> {
    i64::try_from(value).map_err(|_| Violation::new("a number within 64 bits").at(places.iter().copied()))
}

/// A family of variables that a field shows.
struct Family<'a> {
    size: Size,
    name: &'a str,
    style: Style,
    places: &'a VariablePlaces,
}

impl Family<'_> {
    /// Returns the values that a field shows.
    fn values(&self, field: Option<&Field>, name: &str) -> Result<PlaceMap<i64>, Violation> {
        let (rows, columns) = grid_size(self.size, self.style);
        match field {
            Some(Field::Numbers(numbers)) if self.style == Style::Bridges => self.of_list(numbers),
            Some(Field::Number(number)) if self.style == Style::Bridges => self.of_list(&[*number]),
            Some(Field::Grid(grid)) if self.style != Style::Bridges => {
                if (grid.rows(), grid.columns()) != (rows, columns) {
                    return Err(Violation::new(format!(
                        "`{name}` has {} rows and {} columns, the board {rows} and {columns}",
                        grid.rows(),
                        grid.columns()
                    )));
                }
                let values =
                    if self.style == Style::Pieces { self.of_pieces(grid)? } else { self.of_grid(grid)? };
                Ok(values)
            }
            _ => {
                let what = if self.style == Style::Bridges { "list" } else { "grid" };
                Err(Violation::new(format!("the solution has no {what} `{name}`")))
            }
        }
    }

    fn of_list(&self, numbers: &[i128]) -> Result<PlaceMap<i64>, Violation> {
        let keys = self.places.keys();
        if numbers.len() != keys.len() {
            let (found, expected) = (numbers.len(), keys.len());
            return Err(Violation::new(format!("`{}` has {found} numbers, the board {expected}", self.name)));
        }
        let mut values = PlaceMap::new(self.size);
        for (key, &number) in keys.iter().zip(numbers) {
            let places: Vec<Place> = cells(key).into_iter().map(place).collect();
            values.insert(key.clone(), narrowed(number, &places)?);
        }
        Ok(values)
    }

    fn of_grid(&self, grid: &Grid<i128>) -> Result<PlaceMap<i64>, Violation> {
        let mut values = PlaceMap::new(self.size);
        for key in self.places.keys() {
            let value = match key {
                Value::Place(Spot::Cell(cell)) if self.style == Style::Islands => {
                    i64::from(grid[index(grid, *cell)] == 0)
                }
                Value::Place(Spot::Cell(cell)) => narrowed(grid[index(grid, *cell)], &[place(*cell)])?,
                edge => {
                    let is_line = |(end, bit): (Cell, u8)| grid[index(grid, end)] & i128::from(bit) != 0;
                    ends(self.size, edge).into_iter().all(is_line).into()
                }
            };
            values.insert(key.clone(), value);
        }
        // What no variable stands for is wrong: a value in a cell without a variable, or a line that ends nowhere.
        let Field::Grid(shown) = field(self.size, self.style, &values) else { return Ok(values) };
        match (0..grid.len()).find(|&cell| shown[cell] != grid[cell]) {
            None => Ok(values),
            Some(cell) => {
                let Place { row, column } = grid.place(cell);
                let last = |side: u16, at: usize| at.min(usize::from(side) - 1);
                let at = Place { row: last(self.size.rows, row), column: last(self.size.columns, column) };
                let rule = match self.style {
                    Style::Islands if shown[cell] != 0 => {
                        let size = counted(usize::try_from(shown[cell]).unwrap_or(0), "cell");
                        let rule = format!("the number {} on an island of {size}", grid[cell]);
                        return Err(Violation::new(rule).at([at]));
                    }
                    Style::Path => "a line leads from a cell to a neighbour",
                    Style::Border => "a line leads from a corner to the next one",
                    _ => return Err(Violation::new(format!("the places of {}", self.name)).at([at])),
                };
                Err(Violation::new(rule).at([at]))
            }
        }
    }

    fn of_pieces(&self, grid: &Grid<i128>) -> Result<PlaceMap<i64>, Violation> {
        let mut pieces: BTreeMap<i128, Vec<Cell>> = BTreeMap::new();
        for (cell, &number) in grid.cells().iter().enumerate().filter(|(_, number)| **number != 0) {
            let Place { row, column } = grid.place(cell);
            pieces.entry(number).or_default().push(Cell { row: narrow(row), column: narrow(column) });
        }
        let mut values = PlaceMap::new(self.size);
        let mut known: HashMap<Vec<Cell>, &Value> = HashMap::new();
        for key in self.places.keys() {
            known.entry(cells(key)).or_insert(key);
            values.insert(key.clone(), 0);
        }
        for piece in pieces.into_values() {
            let Some(&key) = known.get(&piece) else {
                let rule = format!("each area is one that {} can choose", self.name);
                return Err(Violation::new(rule).at(piece.into_iter().map(place)));
            };
            values.insert(key.clone(), 1);
        }
        Ok(values)
    }
}

fn index(grid: &Grid<i128>, Cell { row, column }: Cell) -> usize {
    grid.index(row.into(), column.into())
}

/// Returns the tokens that a cell may have in the text of a solution.
pub(super) fn marks(board: &SheetBoard) -> Tokens {
    let sheet = board.sheet();
    let mut tokens = Tokens::only(&[NOTHING]);
    let [shown] = &sheet.shown[..] else { return tokens };
    match shown.style {
        Style::Shaded | Style::Mark => tokens.words.push(mark(sheet, shown)),
        Style::Slant => tokens.words.extend(text::SLANTS.map(str::to_owned)),
        Style::Islands => tokens.words.push(SEA.to_owned()),
        Style::Numbers | Style::Areas | Style::Pieces => tokens.numbers = true,
        Style::Path | Style::Border | Style::Bridges => {}
    }
    tokens
}
