//! The marks of a person who solves a board.

use std::collections::HashMap;
use std::sync::Arc;

use super::parts::fact_place;
use super::solution::{self, cells};
use super::{SheetPuzzle, field_name, place};
use crate::puzzle::play::{Layer, MarkPlace, Marks, Play};
use crate::rules::sheet::{
    self, Axis, Cell, Comparison, PlaceMap, Required, Shown, Size, Spot, Style, Term, Value, VariablePlaces,
};
use crate::rules::{Solution, Violation};

/// A side between two cells.
type Side = [Cell; 2];

/// Returns the middle of a cell, in halves of a cell.
fn middle(Cell { row, column }: Cell) -> [usize; 2] {
    [2 * usize::from(row) + 1, 2 * usize::from(column) + 1]
}

fn corner(Cell { row, column }: Cell) -> [usize; 2] {
    [2 * usize::from(row), 2 * usize::from(column)]
}

/// Returns the points of a place.
fn points(size: Size, key: &Value) -> Vec<[usize; 2]> {
    let ends = |spot: Spot| size.ends(spot).into_iter().flatten().collect::<Vec<Spot>>();
    let point = |spot: &Spot| match spot {
        Spot::Cell(cell) => Some(middle(*cell)),
        Spot::Corner(cell) => Some(corner(*cell)),
        _ => None,
    };
    match key {
        Value::Place(edge @ (Spot::Link(..) | Spot::Side(..))) => {
            ends(*edge).iter().filter_map(point).collect()
        }
        key => cells(key).into_iter().map(middle).collect(),
    }
}

/// Returns the two corners of the side between two cells.
fn side_points([a, b]: Side) -> Vec<[usize; 2]> {
    let [row, column] = corner(b);
    let end = if a.row == b.row { [row + 2, column] } else { [row, column + 2] };
    vec![[row, column], end]
}

/// Returns whether marks separate the areas of a layer.
fn separates(style: Style) -> bool {
    matches!(style, Style::Areas | Style::Pieces)
}

impl SheetPuzzle {
    /// Returns the values of a shown variable that are given: a rule states only that a number has this value.
    fn given(&self, shown: &Shown) -> PlaceMap<i64> {
        let mut given = PlaceMap::new(self.board.size());
        let formulas = self.ground.instances.iter().map(|instance| instance.formula);
        for formula in formulas.filter(|formula| !formula.is_negated()) {
            if let Required::Compare(sum, Comparison::Zero) = &self.ground.required[formula.index()]
                && let [(1 | -1, Term::Variable(index))] = sum.terms[..]
                && self.ground.variables[index].family == shown.var
            {
                let value = -sum.terms[0].0 * sum.constant;
                given.insert(self.ground.variables[index].place.clone(), value);
            }
        }
        given
    }

    /// Returns the sides between cells that belong to the areas of a shown variable.
    fn sides(&self, shown: &Shown, variables: &[VariablePlaces]) -> Vec<Side> {
        let size = self.board.size();
        let members = sheet::cells_of(size, variables[shown.var].keys().iter().cloned());
        let has = |cell: &Cell| members.binary_search(cell).is_ok();
        let of_cell = |cell: Cell| {
            let next = |axis: Axis| match axis {
                Axis::Across => Cell { column: cell.column + 1, ..cell },
                Axis::Down => Cell { row: cell.row + 1, ..cell },
            };
            [next(Axis::Across), next(Axis::Down)].map(|next| [cell, next])
        };
        let sides = size.cells().filter(&has).flat_map(of_cell);
        sides.filter(|[_, next]| has(next)).collect()
    }

    /// Returns the areas that marks separate: each is a list of cells in ascending order.
    fn areas(&self, shown: &Shown, variables: &[VariablePlaces], marks: &[Option<i64>]) -> Vec<Vec<Cell>> {
        let size = self.board.size();
        let members = sheet::cells_of(size, variables[shown.var].keys().iter().cloned());
        let mut beside: HashMap<Cell, Vec<Cell>> = HashMap::new();
        let sides =
            self.sides(shown, variables).into_iter().zip(marks.iter().chain(std::iter::repeat(&None)));
        for ([a, b], _) in sides.filter(|(_, mark)| **mark != Some(1)) {
            beside.entry(a).or_default().push(b);
            beside.entry(b).or_default().push(a);
        }
        let mut areas: Vec<Vec<Cell>> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for start in members {
            if !seen.insert(start) {
                continue;
            }
            let (mut area, mut next) = (vec![start], 0);
            while let Some(cell) = area.get(next).copied() {
                next += 1;
                let others = beside.get(&cell).into_iter().flatten();
                area.extend(others.copied().filter(|&other| seen.insert(other)));
            }
            area.sort_unstable();
            areas.push(area);
        }
        areas
    }

    fn shown(&self) -> impl Iterator<Item = (usize, &Shown)> {
        self.board.sheet().shown.iter().enumerate()
    }

    /// Returns the values of a shown variable whose areas are separated.
    fn area_values(
        &self,
        shown: &Shown,
        variables: &[VariablePlaces],
        marks: &[Option<i64>],
    ) -> Result<PlaceMap<i64>, Violation> {
        let places = &variables[shown.var];
        let mut values = PlaceMap::new(self.board.size());
        let areas = self.areas(shown, variables, marks);
        let wrong = |area: &[Cell]| {
            Violation::new("each area is one that the rules allow").at(area.iter().copied().map(place))
        };
        if shown.style == Style::Pieces {
            let mut known: HashMap<Vec<Cell>, &Value> = HashMap::new();
            for key in places.keys() {
                known.entry(cells(key)).or_insert(key);
                values.insert(key.clone(), 0);
            }
            for area in areas {
                // What is no area of the sheet stays without one; the rules say whether this is right.
                if let Some(&key) = known.get(&area) {
                    values.insert(key.clone(), 1);
                }
            }
            return Ok(values);
        }
        for area in areas {
            let keys = || area.iter().map(|&cell| Value::from(Spot::Cell(cell)));
            let allowed = |key: Value| places.get(&key).map_or(&[][..], |values| &values[..]);
            let mut common = keys().next().map_or_else(Vec::new, |key| allowed(key).to_vec());
            for key in keys() {
                let others = allowed(key);
                common.retain(|value| others.contains(value));
            }
            let Some(&number) = common.first() else {
                return Err(wrong(&area));
            };
            for key in keys() {
                values.insert(key, number);
            }
        }
        Ok(values)
    }
}

impl Play for SheetPuzzle {
    fn layers(&self) -> Vec<Layer> {
        let (sheet, size) = (self.board.sheet(), self.board.size());
        let Ok(variables) = self.board.variables() else { return Vec::new() };
        let layer = |(number, shown): (usize, &Shown)| {
            let places = if separates(shown.style) {
                let side = |side: Side| MarkPlace {
                    name: format!("{}-{}", place(side[0]), place(side[1])),
                    points: side_points(side),
                    values: vec![0, 1],
                };
                self.sides(shown, &variables).into_iter().map(side).collect()
            } else {
                let given = self.given(shown);
                let entry = |(key, values): (&Value, &Arc<[i64]>)| MarkPlace {
                    name: fact_place(sheet, number, size, key),
                    points: points(size, key),
                    values: given.get(key).map_or_else(|| values.to_vec(), |&number| vec![number]),
                };
                variables[shown.var].iter().map(entry).collect()
            };
            let symbol = (shown.style == Style::Mark)
                .then(|| shown.symbol.clone().unwrap_or_else(|| solution::mark(sheet, shown)));
            Layer { name: sheet.vars[shown.var].name.clone(), style: shown.style, symbol, places }
        };
        self.shown().map(layer).collect()
    }

    fn marks(&self, solution: &Solution) -> Option<Vec<Vec<Option<i64>>>> {
        let assignment = solution::assignment(&self.board, solution).ok()?;
        let variables = self.board.variables().ok()?;
        let of_layer = |(_, shown): (usize, &Shown)| {
            let values = &assignment[shown.var];
            if !separates(shown.style) {
                let keys = variables[shown.var].keys().iter();
                return keys.map(|key| values.get(key).copied()).collect();
            }
            let mut area_of: HashMap<Cell, i64> = HashMap::new();
            for (number, (key, &value)) in (0..).zip(values.iter()) {
                if shown.style == Style::Areas {
                    area_of.extend(cells(key).into_iter().map(|cell| (cell, value)));
                } else if value == 1 {
                    area_of.extend(cells(key).into_iter().map(|cell| (cell, number)));
                }
            }
            let differ = |[a, b]: Side| Some(i64::from(area_of.get(&a) != area_of.get(&b)));
            self.sides(shown, &variables).into_iter().map(differ).collect()
        };
        Some(self.shown().map(of_layer).collect())
    }

    fn solution(&self, marks: &Marks) -> Result<Solution, Violation> {
        let sheet = self.board.sheet();
        let size = self.board.size();
        let variables = self.board.variables().map_err(|error| Violation::new(error.to_string()))?;
        let mut assignment: sheet::Assignment = sheet.vars.iter().map(|_| PlaceMap::new(size)).collect();
        for ((_, shown), marks) in self.shown().zip(marks) {
            if separates(shown.style) {
                assignment[shown.var] = self.area_values(shown, &variables, marks)?;
                continue;
            }
            let given = self.given(shown);
            let marks = marks.iter().chain(std::iter::repeat(&None));
            for ((key, allowed), mark) in variables[shown.var].iter().zip(marks) {
                // A place without a mark has no line, no shade, no symbol or the number 0, which means none.
                let number = given.get(key).copied().or(*mark).or(allowed.contains(&0).then_some(0));
                let rule = match number {
                    Some(number) if allowed.contains(&number) => {
                        assignment[shown.var].insert(key.clone(), number);
                        continue;
                    }
                    Some(_) => "each number is one that its cell can have",
                    None => "every cell has a number",
                };
                return Err(Violation::new(rule).at(cells(key).into_iter().map(place)));
            }
        }
        let mut found = Solution::new();
        for (number, shown) in self.shown() {
            let field = solution::field(size, shown.style, &assignment[shown.var]);
            found = found.with(field_name(sheet, number).to_owned(), field);
        }
        Ok(found)
    }

    fn marks_of_fact(&self, place: &str, value: i64) -> Vec<(usize, usize, i64)> {
        let (sheet, size) = (self.board.sheet(), self.board.size());
        let Ok(variables) = self.board.variables() else { return Vec::new() };
        for (number, shown) in self.shown() {
            let mut keys = variables[shown.var].keys().iter();
            let Some(at) = keys.position(|key| fact_place(sheet, number, size, key) == place) else {
                continue;
            };
            if !separates(shown.style) {
                return vec![(number, at, value)];
            }
            if shown.style == Style::Pieces && value == 1 {
                // A mark on each side at the border of the area, and none on the sides between two of its cells.
                let area = cells(&variables[shown.var].keys()[at]);
                let sides = self.sides(shown, &variables).into_iter().enumerate();
                let near = sides.filter_map(|(side, ends)| {
                    match ends.iter().filter(|end| area.binary_search(end).is_ok()).count() {
                        0 => None,
                        inside => Some((number, side, i64::from(inside == 1))),
                    }
                });
                return near.collect();
            }
        }
        Vec::new()
    }

    fn facts(&self, marks: &Marks) -> Vec<(String, i64)> {
        let (sheet, size) = (self.board.sheet(), self.board.size());
        let Ok(variables) = self.board.variables() else { return Vec::new() };
        let mut facts = Vec::new();
        for ((number, shown), marks) in self.shown().zip(marks) {
            let named = |key: &Value| fact_place(sheet, number, size, key);
            match shown.style {
                // An area is known once its border is drawn.
                Style::Pieces => {
                    let areas = self.areas(shown, &variables, marks);
                    let keys = variables[shown.var].keys().iter();
                    facts.extend(keys.filter(|key| areas.contains(&cells(key))).map(|key| (named(key), 1)));
                }
                Style::Areas => {}
                _ => {
                    let given = self.given(shown);
                    let known = variables[shown.var].keys().iter().zip(marks);
                    let value = |(key, mark): (&Value, &Option<i64>)| {
                        Some((named(key), given.get(key).copied().or(*mark)?))
                    };
                    facts.extend(known.filter_map(value));
                }
            }
        }
        facts
    }
}
