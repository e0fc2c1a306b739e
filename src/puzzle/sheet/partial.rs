//! Boards in the making: a model with only some of the rules, and what the generator needs from a board.

use std::sync::Arc;

use gordian_encodings::{Assignment, Lit, Model};

use super::model::{Builder, Var};
use super::{block, parts, solution, text};
use crate::puzzle::{Options, Plain};
use crate::rules::relation::{Neighbours, Relation};
use crate::rules::sheet::{
    self, Cell, Formula, Ground, GroundError, Required, Scheme, Sheet, SheetBoard, Spot, Style, Value,
    Variable, cells_of,
};
use crate::rules::{Solution, Violation};

/// Returns a board without entries, with the options that the user states.
pub(crate) fn without_entries(sheet: &Arc<Sheet>, size: sheet::Size, options: &Options) -> SheetBoard {
    SheetBoard::new(Arc::clone(sheet), size, block::without_entries(sheet, size, options))
}

/// The model of a board with only some of the rules.
pub(crate) struct PartialModel {
    pub model: Model,
    ground: Arc<Ground>,
    /// The graph of the first relation `components`, and for each vertex the literal that it is in a component, if they are
    /// literals.
    pub components: Option<(Neighbours, Vec<Lit>)>,
    vars: Vec<Var>,
    size: sheet::Size,
}

impl PartialModel {
    /// Creates the model. `chosen` selects the rules by their indices in [`Sheet::rules`].
    pub(crate) fn new(
        board: &SheetBoard,
        sheet: &'static Sheet,
        chosen: impl Fn(usize) -> bool,
        poll: &dyn Fn() -> bool,
    ) -> Result<Self, GroundError> {
        let ground = Arc::new(board.ground(true, poll)?);
        let mut builder = Builder::partial(board, sheet, &ground);
        builder.rules_where(chosen);
        let components = components(&mut builder);
        let Builder { plain, vars, .. } = builder;
        Ok(Self { model: plain.model, ground, components, vars, size: board.size() })
    }

    /// Returns the variables of the sheet.
    pub(crate) fn variables(&self) -> &[Variable] {
        &self.ground.variables
    }

    /// Returns the literal for a value of a variable, an index of [`PartialModel::variables`].
    pub(crate) fn lit(&mut self, variable: usize, value: i64) -> Lit {
        match self.vars[variable] {
            Var::Boolean(lit) if value == 1 => lit,
            Var::Boolean(lit) => !lit,
            Var::Number(x) => self.model.equals(x, value.into()),
        }
    }

    /// Returns the values of the sheet's variables.
    pub(crate) fn decode(&self, assignment: &Assignment) -> sheet::Assignment {
        parts::decoded(&self.ground, &self.vars, self.size, assignment)
    }
}

/// Returns the plain formulation of some rules: those whose indices in [`Sheet::rules`] are `chosen`, but no implied ones.
pub(crate) fn plain(
    board: &SheetBoard,
    sheet: &'static Sheet,
    chosen: impl Fn(usize) -> bool,
    poll: &dyn Fn() -> bool,
) -> Result<Plain, GroundError> {
    let ground = Arc::new(board.ground(false, poll)?);
    let mut builder = Builder::new(board, sheet, &ground);
    builder.rules_where(|rule| !sheet.rules[rule].implied && chosen(rule));
    Ok(builder.plain)
}

fn components(builder: &mut Builder<'_>) -> Option<(Neighbours, Vec<Lit>)> {
    let ground = builder.ground();
    let components = ground.required.iter().find_map(|required| match required {
        Required::Relation(Relation::Components(components), _) => Some(components),
        _ => None,
    })?;
    let is_literal = |formula: &Formula| matches!(ground.required[formula.index()], Required::Variable(_));
    let are_literals = components.vertices.iter().all(is_literal);
    are_literals.then(|| (components.neighbours.clone(), builder.lits(&components.vertices)))
}

/// Returns the keys of data, in the order in which its blocks list them.
pub(crate) fn keys(board: &SheetBoard, data: usize) -> Vec<Value> {
    block::keys(board.sheet(), data, board.size())
}

/// Returns whether the values of data are lists.
pub(crate) fn has_lists(sheet: &Sheet, data: usize) -> bool {
    let mut blocks = sheet.blocks.iter().filter(|block| block.fields.contains(&data));
    blocks.any(|block| matches!(block.scheme, Scheme::ColumnLists | Scheme::RowLists))
}

/// Returns whether there are variables that do not belong to the solution.
pub(crate) fn has_hidden_variables(sheet: &Sheet) -> bool {
    (0..sheet.vars.len()).any(|var| sheet.shown.iter().all(|shown| shown.var != var))
}

/// Returns the text of a board.
pub(crate) fn text(board: &SheetBoard) -> String {
    text::write(board)
}

/// Returns the solution that shows an assignment.
pub(crate) fn solution(board: &SheetBoard, assignment: &sheet::Assignment) -> Solution {
    solution::solution(board, assignment)
}

/// Returns the assignment on `board` that shows the same solution as an assignment on another board, whose variables may
/// have other places.
///
/// # Errors
/// Returns an error if the variables of `board` can't show the solution.
pub(crate) fn transferred(
    board: &SheetBoard,
    solution: &Solution,
    old: &sheet::Assignment,
) -> Result<sheet::Assignment, Violation> {
    let mut assignment = solution::assignment(board, solution)?;
    // The values of hidden variables. New ones get their first value.
    let families = board.variables().map_err(|error| Violation::new(error.to_string()))?;
    let hidden = |family: &usize| board.sheet().shown.iter().all(|shown| shown.var != *family);
    for family in (0..old.len()).filter(hidden) {
        for (place, values) in families[family].iter() {
            if let Some(value) = old[family].get(place).or(values.first()) {
                assignment[family].insert(place.clone(), *value);
            }
        }
    }
    Ok(assignment)
}

/// Returns the cell of a part of the solution: an index of a field.
pub(crate) fn cell_of_part(board: &SheetBoard, assignment: &sheet::Assignment, part: usize) -> Cell {
    let (sheet, size) = (board.sheet(), board.size());
    let last = |side: u16, at: usize| block::narrow(at).min(side - 1);
    let shown = sheet.shown.first();
    if let Some(shown) = shown.filter(|shown| shown.style == Style::Bridges) {
        let key = assignment[shown.var].keys().get(part);
        let cells = cells_of(size, key.cloned());
        return cells.first().copied().unwrap_or(Cell { row: 0, column: 0 });
    }
    let style = shown.map_or(Style::Shaded, |shown| shown.style);
    let (_, columns) = solution::grid_size(size, style);
    Cell { row: last(size.rows, part / columns), column: last(size.columns, part % columns) }
}

/// Returns a place as a key of data.
pub(crate) fn key(cell: Cell) -> Value {
    Spot::Cell(cell).into()
}
