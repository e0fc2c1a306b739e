//! The parts of a solution and the facts of explanations, and the way from an assignment of the model to values.

use gordian_encodings::constraint::Clause;
use gordian_encodings::{Assignment, FALSE, Lit, TRUE, constant};

use super::islands::ISLAND;
use super::model::{Builder, Var};
use super::{field_name, place};
use crate::puzzle::plain::part_name;
use crate::puzzle::{Fact, Part};
use crate::rules::Content;
use crate::rules::sheet::{self, Axis, Cell, Direction, Ground, PlaceMap, Sheet, Size, Spot, Style, Value};

/// Returns a short name of a place, such as `r1c2`, `r1c2-r1c3` for a link or a side between two cells, `r1c1-top` for a
/// side at the border, and `+r1c2` for the corner at the top left of a cell. The name has no blanks.
pub(super) fn spot_name(place: &Value) -> String {
    let next =
        |Cell { row, column }: Cell, down: u16, right: u16| Cell { row: row + down, column: column + right };
    match place {
        Value::Place(Spot::Corner(cell)) => format!("+{cell}"),
        Value::Place(Spot::Side(cell @ Cell { row: 0, .. }, Axis::Across)) => format!("{cell}-top"),
        Value::Place(Spot::Side(cell @ Cell { column: 0, .. }, Axis::Down)) => format!("{cell}-left"),
        Value::Place(Spot::Side(Cell { row, column }, Axis::Across)) => {
            let above = Cell { row: row - 1, column: *column };
            format!("{above}-{}", next(above, 1, 0))
        }
        Value::Place(Spot::Side(Cell { row, column }, Axis::Down)) => {
            let left = Cell { row: *row, column: column - 1 };
            format!("{left}-{}", next(left, 0, 1))
        }
        Value::Set(_) => {
            let items = place.items();
            match items {
                [only] => spot_name(only),
                [first, .., last] => format!("{}-{}", spot_name(first), spot_name(last)),
                [] => "none".to_owned(),
            }
        }
        other => other.to_string(),
    }
}

fn is_on_cells(style: Style) -> bool {
    matches!(
        style,
        Style::Shaded | Style::Mark | Style::Slant | Style::Numbers | Style::Areas | Style::Islands
    )
}

/// Returns the name of a place of a shown variable in facts. `shown` is an index of [`Sheet::shown`].
pub(super) fn fact_place(sheet: &Sheet, shown: usize, size: Size, key: &Value) -> String {
    match key {
        Value::Place(Spot::Cell(cell)) if is_on_cells(sheet.shown[shown].style) => {
            let (place, columns) = (place(*cell), usize::from(size.columns));
            part_name(field_name(sheet, shown), place.row * columns + place.column, Some(columns), false)
        }
        _ => spot_name(key),
    }
}

/// Returns the values of the sheet's variables in an assignment of the model.
pub(super) fn decoded(
    ground: &Ground,
    vars: &[Var],
    size: Size,
    assignment: &Assignment,
) -> sheet::Assignment {
    values(ground, vars, size, |_, var| {
        Some(match var {
            Var::Boolean(lit) => i64::from(assignment.lit(lit)),
            // The values of the domain are 64-bit numbers.
            Var::Number(x) => i64::try_from(assignment.int(x)).unwrap_or_default(),
        })
    })
}

/// Returns the literals for the values of each variable that is a number.
pub(super) fn number_lits(builder: &mut Builder<'_>) -> Vec<Vec<(i64, Lit)>> {
    let vars = builder.vars.clone();
    let of_var = |var: Var| {
        let Var::Number(x) = var else { return Vec::new() };
        let values: Vec<i128> = builder.plain.model.domain(x).values().collect();
        let narrow = |value: i128| i64::try_from(value).unwrap_or_default();
        values.into_iter().map(|value| (narrow(value), builder.plain.model.equals(x, value))).collect()
    };
    vars.into_iter().map(of_var).collect()
}

/// Returns the known values of variables. `numbers` are the [literals](number_lits) of numbers.
pub(super) fn known(
    ground: &Ground,
    vars: &[Var],
    numbers: &[Vec<(i64, Lit)>],
    size: Size,
    known: &dyn Fn(Lit) -> Option<bool>,
) -> sheet::Assignment {
    values(ground, vars, size, |index, var| match var {
        Var::Boolean(lit) => constant(lit).or_else(|| known(lit)).map(i64::from),
        Var::Number(_) => {
            let value = numbers[index].iter().find(|(_, lit)| known(*lit) == Some(true));
            value.map(|(value, _)| *value)
        }
    })
}

fn values(
    ground: &Ground,
    vars: &[Var],
    size: Size,
    value: impl Fn(usize, Var) -> Option<i64>,
) -> sheet::Assignment {
    let mut maps: sheet::Assignment = ground.families.iter().map(|_| PlaceMap::new(size)).collect();
    for (index, (variable, &var)) in ground.variables.iter().zip(vars).enumerate() {
        if let Some(value) = value(index, var) {
            maps[variable.family].insert(variable.place.clone(), value);
        }
    }
    maps
}

impl Builder<'_> {
    fn var(&self, family: usize, place: &Value) -> Option<Var> {
        self.ground().families[family].get(place).map(|&index| self.vars[index])
    }

    fn lit(&self, family: usize, place: impl Into<Value>) -> Lit {
        match self.var(family, &place.into()) {
            Some(Var::Boolean(lit)) => lit,
            _ => FALSE,
        }
    }

    /// Requires a value of a variable.
    pub(super) fn fix(&mut self, family: usize, place: &Value, value: i64) {
        let lit = match self.var(family, place) {
            Some(Var::Boolean(lit)) => {
                if value == 1 {
                    lit
                } else {
                    !lit
                }
            }
            Some(Var::Number(x)) => self.plain.model.equals(x, value.into()),
            None => return,
        };
        self.plain.define(Clause::new([lit]));
    }

    /// Returns the literals that determine the shown variables.
    pub(super) fn projection(&mut self) -> Vec<Lit> {
        let shown: Vec<usize> = self.board.sheet().shown.iter().map(|shown| shown.var).collect();
        let mut lits = Vec::new();
        for (index, variable) in self.ground().variables.iter().enumerate() {
            if !shown.contains(&variable.family) {
                continue;
            }
            match self.vars[index] {
                Var::Boolean(lit) => lits.push(lit),
                Var::Number(x) => {
                    let values: Vec<i128> = self.plain.model.domain(x).values().collect();
                    let below = values.split_last().map_or(&[][..], |(_, below)| below);
                    lits.extend(below.iter().map(|&value| self.plain.model.at_most(x, value)));
                }
            }
        }
        lits.retain(|&lit| lit != FALSE && lit != TRUE);
        lits
    }

    /// Returns the parts of a solution.
    pub(super) fn parts(&mut self) -> Vec<Part> {
        let (board, size) = (self.board, self.board.size());
        let sheet = board.sheet();
        let mut parts = Vec::new();
        for (number, shown) in sheet.shown.iter().enumerate() {
            let field = field_name(sheet, number).to_owned();
            let always = |index, value| Part {
                field: field.clone().into(),
                index,
                values: vec![(Content::Number(value), Vec::new())],
            };
            match shown.style {
                Style::Shaded | Style::Mark | Style::Slant => {
                    for (index, cell) in size.cells().enumerate() {
                        let lit = self.lit(shown.var, Spot::Cell(cell));
                        parts.push(match lit {
                            FALSE => always(index, 0),
                            TRUE => always(index, 1),
                            _ => Part::yes_or_no(field.clone(), index, lit),
                        });
                    }
                }
                Style::Islands => {
                    for (index, cell) in size.cells().enumerate() {
                        let variable = self.ground().families[shown.var].get(&Spot::Cell(cell).into());
                        parts.push(match variable {
                            Some(&variable) => self.part_of_island(field.clone(), index, variable),
                            None => always(index, 0),
                        });
                    }
                }
                Style::Numbers | Style::Areas => {
                    for (index, cell) in size.cells().enumerate() {
                        parts.push(match self.var(shown.var, &Spot::Cell(cell).into()) {
                            Some(Var::Number(x)) => {
                                Part::integer(field.clone(), index, x, &mut self.plain.model)
                            }
                            _ => always(index, 0),
                        });
                    }
                }
                Style::Path => {
                    for (index, cell) in size.cells().enumerate() {
                        let lit = |direction| {
                            size.link(cell, direction).map_or(FALSE, |link| self.lit(shown.var, link))
                        };
                        parts.push(sides(&field, index, Direction::ALL.map(lit)));
                    }
                }
                Style::Border => {
                    for (index, corner) in size.corners().enumerate() {
                        let side = |direction| size.corner_side(corner, direction);
                        let lit = |direction| side(direction).map_or(FALSE, |side| self.lit(shown.var, side));
                        parts.push(sides(&field, index, Direction::ALL.map(lit)));
                    }
                }
                Style::Pieces | Style::Bridges => {
                    let name = &sheet.vars[shown.var].name;
                    let vars: Vec<Var> =
                        self.ground().families[shown.var].iter().map(|(_, &at)| self.vars[at]).collect();
                    for (index, var) in vars.into_iter().enumerate() {
                        parts.push(match var {
                            Var::Boolean(lit) => Part::yes_or_no(name.clone(), index, lit),
                            Var::Number(x) => Part::integer(name.clone(), index, x, &mut self.plain.model),
                        });
                    }
                }
            }
        }
        parts
    }

    /// Returns the facts about the shown variables.
    pub(super) fn facts(&mut self, links_only: bool) -> Vec<Fact> {
        let board = self.board;
        let sheet = board.sheet();
        let columns = usize::from(board.size().columns);
        let mut facts = Vec::new();
        for (number, shown) in sheet.shown.iter().enumerate() {
            let name = &sheet.vars[shown.var].name;
            let on_cells = is_on_cells(shown.style);
            if links_only && on_cells {
                continue;
            }
            let entries: Vec<(Value, Var)> = self.ground().families[shown.var]
                .iter()
                .map(|(place, &at)| (place.clone(), self.vars[at]))
                .collect();
            for (spot, var) in entries {
                let cells: Vec<usize> = sheet::cells_of(board.size(), [spot.clone()])
                    .into_iter()
                    .map(place)
                    .map(|place| place.row * columns + place.column)
                    .collect();
                let at = fact_place(sheet, number, board.size(), &spot);
                match var {
                    Var::Boolean(lit) => {
                        let no = match shown.style {
                            Style::Islands => ISLAND.to_owned(),
                            _ if on_cells => format!("not-{name}"),
                            _ => "open".to_owned(),
                        };
                        facts.push(Fact::new(lit, at, [&no, name], cells));
                    }
                    Var::Number(x) => {
                        let values: Vec<i128> = self.plain.model.domain(x).values().collect();
                        for value in values {
                            let lit = self.plain.model.equals(x, value);
                            let words = [format!("not-{value}"), value.to_string()];
                            facts.push(Fact::new(lit, at.clone(), [&words[0], &words[1]], cells.clone()));
                        }
                    }
                }
            }
        }
        facts
    }
}

/// The part of a vertex with up to four lines: the sum of 1 up, 2 right, 4 down and 8 left.
fn sides(field: &str, index: usize, lits: [Lit; 4]) -> Part {
    let mut values = Vec::new();
    for sides in 0..16u8 {
        let chosen = |(at, &lit): (usize, &Lit)| if sides >> at & 1 == 1 { lit } else { !lit };
        let all: Vec<Lit> = lits.iter().enumerate().map(chosen).collect();
        if !all.contains(&FALSE) {
            let open = all.into_iter().filter(|&lit| lit != TRUE).collect();
            values.push((Content::Number(sides.into()), open));
        }
    }
    Part { field: field.to_owned().into(), index, values }
}
