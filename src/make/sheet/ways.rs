//! The ways in which data that are neither clues nor areas are chosen: before or after the solution.
//!
//! No way leads to boards of all puzzle types, and the sheet does not say which one does. So the drafts of a board take
//! different ways in turn. The first way is that of [`Roles::of`].

use super::boards::{MANY_SHAPES, SHAPES};
use super::roles::{Field, FieldKind, Making, Roles, Shape};
use crate::puzzle::sheet::clues::UNKNOWN;
use crate::rules::sheet::{Scheme, Sheet};

/// The number of drafts of the usual way in each round.
const USUAL: usize = 3;

/// A way in which data are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Data on which variables depend are chosen first, then a solution, and then the other data. The solution obeys the
    /// rules that do not use these other data.
    Usual,
    /// All data are chosen after the solution. All rules hold for the board without them, so the entries only restrict the
    /// solutions.
    After,
    /// All data in cells are chosen before the solution, except for numbers beside symbols.
    Before,
    /// Like [`Way::Before`], and numbers on which variables depend are drawn before the solution too, in cells without other
    /// data.
    Apart,
}

impl Roles {
    /// Returns how the data of a sheet are made for a draft with this number.
    pub(super) fn of_draft(sheet: &Sheet, draft: usize) -> Self {
        let roles = Self::of(sheet).expect("a puzzle type with a generator");
        let mut ways = vec![Way::Usual];
        if roles.fields.iter().any(|field| field.drawn(sheet).is_some())
            || roles.shapes.iter().any(|shape| shape.is_without_unknown(sheet))
        {
            ways.push(Way::Before);
        }
        // A start and a goal can't be chosen one after the other.
        let has_singles = (0..sheet.data.len()).any(|data| !sheet.singles(data).is_empty());
        let is_some = |field: &Field| field.kind == FieldKind::Some;
        if !has_singles && (roles.fields.iter().any(is_some) || roles.shapes.iter().any(Shape::is_grid)) {
            ways.push(Way::After);
        }
        if roles.fields.iter().any(|field| field.bounds(sheet)) {
            ways.push(Way::Apart);
        }
        // The usual way leads to boards of most puzzle types, so it has several turns in each round.
        let turns = ways.len() + USUAL - 1;
        let (round, turn) = (draft / turns, draft % turns);
        let mut roles = roles.by(sheet, ways[(turn + 1).saturating_sub(USUAL)]);
        // Repairs take long, so they come last.
        roles.is_repaired = round / 2 % 2 == 1;
        roles.shares = if round % 2 == 1 { MANY_SHAPES } else { SHAPES };
        roles
    }

    fn by(mut self, sheet: &Sheet, way: Way) -> Self {
        match way {
            Way::Usual => {}
            Way::Apart => {
                let numbers = self.fields.extract_if(.., |field| field.bounds(sheet));
                self.shapes.extend(numbers.map(|field| Shape { data: field.data, making: Making::Drawn }));
            }
            Way::After => {
                self.holds_without_fields = true;
                let shapes: Vec<Shape> = self.shapes.extract_if(.., |shape| shape.is_grid()).collect();
                for Shape { data, .. } in shapes {
                    let (numbers, data) = apart(sheet, data);
                    self.fields.push(Field { data, kind: FieldKind::Some });
                    self.fields.extend(numbers);
                }
                // Numbers can count what other data state.
                self.fields.sort_by_key(|field| sheet.is_numeric(field.data[0]));
            }
            Way::Before => {
                for shape in self.shapes.iter_mut().filter(|shape| shape.is_without_unknown(sheet)) {
                    shape.making = Making::Entries;
                }
                for field in std::mem::take(&mut self.fields) {
                    let Some(making) = field.drawn(sheet) else {
                        self.fields.push(field);
                        continue;
                    };
                    let (numbers, data) = apart(sheet, field.data);
                    self.fields.extend(numbers);
                    self.shapes.push(Shape { data, making });
                }
            }
        }
        self
    }
}

impl Shape {
    /// Returns whether the data are entries in cells on which the solution may depend.
    fn is_grid(&self) -> bool {
        matches!(self.making, Making::Drawn | Making::Derived)
    }

    /// Returns whether the values should follow from the solution, but nothing can stand for them until it is known.
    fn is_without_unknown(&self, sheet: &Sheet) -> bool {
        matches!(self.making, Making::Derived) && !can_be_unknown(sheet, self.data[0])
    }
}

impl Field {
    /// Returns whether the entries are numbers on which the values of variables depend.
    fn bounds(&self, sheet: &Sheet) -> bool {
        self.kind == FieldKind::Companion && sheet.bounds_variables(self.data[0])
    }

    /// Returns how the entries are drawn before the solution, if they can be.
    fn drawn(&self, sheet: &Sheet) -> Option<Making> {
        let mut blocks = sheet.blocks.iter().filter(|block| block.scheme == Scheme::Grid);
        let is_grid = self.kind == FieldKind::Some && blocks.any(|block| block.fields == self.data);
        match (sheet.is_numeric(self.data[0]), can_be_unknown(sheet, self.data[0])) {
            _ if !is_grid => None,
            (true, true) => Some(Making::Derived),
            (true, false) if self.data.len() == 1 => None,
            _ => Some(Making::Entries),
        }
    }
}

/// Takes numbers out of a block that also has symbols, unless something can stand for them until the solution is known.
fn apart(sheet: &Sheet, data: Vec<usize>) -> (Option<Field>, Vec<usize>) {
    match data[..] {
        [number, _, ..] if sheet.is_numeric(number) && !can_be_unknown(sheet, number) => {
            (Some(Field { data: vec![number], kind: FieldKind::Companion }), data[1..].to_vec())
        }
        _ => (None, data),
    }
}

fn can_be_unknown(sheet: &Sheet, data: usize) -> bool {
    sheet.has_symbol(data, |symbol| symbol == UNKNOWN)
}
