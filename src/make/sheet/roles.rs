//! How the data of a sheet are made.

use std::ops::Range;

use super::super::Spare;
use super::boards::{MANY_SHAPES, SHAPES};
use crate::puzzle::sheet::clues::{self, UNKNOWN};
use crate::rules::sheet::{DataBlock, Scheme, Sheet, Style, Value};

/// The data of a sheet by the way in which they are made.
#[derive(Debug)]
pub(in crate::make) struct Roles {
    /// Data whose entries are clues: all values that the rules accept for the solution.
    pub clues: Vec<usize>,
    /// Data on which the variables depend, drawn at random: the names of each block, which share their keys.
    pub shapes: Vec<Shape>,
    /// Data whose entries are the roots of components, with their sizes.
    pub roots: Vec<usize>,
    /// Data that are neither clues nor decide which variables exist. Their entries are chosen after the solution.
    pub fields: Vec<Field>,
    /// Data whose entries are several values of a clue: first the clue, and then the other values.
    pub lists: Vec<Vec<usize>>,
    pub areas: Vec<usize>,
    pub numbers: Vec<usize>,
    /// True if drawn data whose rules contradict each other are repaired.
    pub is_repaired: bool,
    /// One cell of at least and at most this many has drawn data.
    pub shares: Range<usize>,
    /// True if all rules hold for the board without the entries of fields.
    pub holds_without_fields: bool,
    /// True if clues can be left out.
    can_leave_out: bool,
}

/// The data of a block on which the variables depend.
#[derive(Debug)]
pub(in crate::make) struct Shape {
    pub data: Vec<usize>,
    pub making: Making,
}

/// How data on which the variables depend, or that are chosen before the solution, are made.
#[derive(Debug)]
pub(in crate::make) enum Making {
    /// The values are drawn at random.
    Drawn,
    /// The values are drawn at random. The variables need not depend on them, so entries can be left out in the end.
    Entries,
    /// The closed cells of sums are drawn at random; the first row and the first column are closed.
    Closed,
    /// The values follow from the solution. Until it is known, [`UNKNOWN`] stands for them. In most sheets, it is a clue
    /// without a number.
    Derived,
    /// The values are derived or drawn. The places of the variables that belong to the solution do not depend on them.
    Either,
    /// The variables depend on these values only, which are drawn. The others are clues.
    Holes(Vec<Value>),
    /// Chains, which are drawn.
    Chains,
}

/// The data of a block on which no variable depends, but that the rules use for other places than their keys, so that an
/// entry can both restrict and permit solutions.
#[derive(Debug)]
pub(in crate::make) struct Field {
    pub data: Vec<usize>,
    pub kind: FieldKind,
}

/// The kind of a [`Field`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::make) enum FieldKind {
    /// Some of the keys have values.
    Some,
    /// Each key has a value.
    Full,
    /// The data are chains.
    Chains,
    /// Numbers at places that other data have chosen. Without them, the rules still hold.
    Companion,
}

impl Roles {
    /// Returns how the data of a sheet are made.
    ///
    /// # Errors
    /// Returns the reason if the generator can't make some of them.
    pub(in crate::make) fn of(sheet: &Sheet) -> Result<Self, String> {
        let mut roles = Self {
            clues: Vec::new(),
            shapes: Vec::new(),
            roots: Vec::new(),
            fields: Vec::new(),
            lists: Vec::new(),
            areas: Vec::new(),
            numbers: Vec::new(),
            is_repaired: false,
            shares: SHAPES,
            holds_without_fields: false,
            can_leave_out: !clues::data(sheet).is_empty(),
        };
        // Numbers on which the values of variables depend, and that are not unknown at first.
        let mut numbers = Vec::new();
        // Boards without optional blocks are boards, too.
        for block in sheet.blocks.iter().filter(|block| !block.is_optional) {
            let fields = block.fields.clone();
            let is_any = |has: fn(&Sheet, usize) -> bool| fields.iter().any(|&data| has(sheet, data));
            let is_chains = block.scheme == Scheme::Chains;
            match (block.scheme, &fields[..]) {
                (Scheme::Option, _) => {}
                (Scheme::Areas, _) => roles.areas.extend(fields),
                (Scheme::Number, _) => roles.numbers.extend(fields),
                (Scheme::Sums, &[below, right, closed])
                    if [below, right].iter().all(|&data| sheet.is_clue(data)) =>
                {
                    roles.clues.extend([below, right]);
                    roles.shapes.push(Shape { data: vec![closed], making: Making::Closed });
                }
                _ if fields.iter().all(|&data| sheet.is_clue(data)) => {
                    roles.clues.extend(&fields);
                    let holes: Vec<Value> =
                        fields.iter().flat_map(|&data| sheet.holes(data).unwrap_or_default()).collect();
                    if !holes.is_empty() {
                        roles.shapes.push(Shape { data: fields, making: Making::Holes(holes) });
                    }
                }
                (Scheme::Grid, &[data]) if sheet.is_size(data) => roles.roots.push(data),
                (Scheme::Grid | Scheme::Links | Scheme::Chains, _) if is_any(Sheet::shapes_variables) => {
                    let is_numeric = sheet.is_numeric(fields[0]);
                    let bounds = is_any(Sheet::bounds_variables);
                    let can_be_unknown = sheet.has_symbol(fields[0], |symbol| symbol == UNKNOWN);
                    let making = match (is_numeric, can_be_unknown) {
                        _ if is_chains => Making::Chains,
                        (true, true) if bounds || !is_any(Sheet::shapes_solution) => Making::Either,
                        (true, true) => Making::Derived,
                        (true, false) if !bounds => Making::Derived,
                        _ => Making::Drawn,
                    };
                    let shapes = match making {
                        Making::Drawn if is_numeric => &mut numbers,
                        _ => &mut roles.shapes,
                    };
                    shapes.push(Shape { data: fields, making });
                }
                _ if is_any(Sheet::shapes_variables) => {
                    let names: Vec<&str> = fields.iter().map(|&data| &*sheet.data[data].name).collect();
                    let names = names.join("` and `");
                    return Err(format!("it can't choose `{names}`, on which the variables depend"));
                }
                _ => {
                    let kind = match () {
                        () if is_chains => FieldKind::Chains,
                        () if is_any(Sheet::fills_all_cells) || is_unlimited(sheet, block) => FieldKind::Full,
                        () => FieldKind::Some,
                    };
                    roles.fields.push(Field { data: fields, kind });
                }
            }
        }
        // If the cells with such numbers have other data, too, the numbers follow from the solution.
        if roles.shapes.is_empty() {
            roles.shapes = numbers;
        } else {
            let field = |shape: Shape| Field { data: shape.data, kind: FieldKind::Companion };
            roles.fields.extend(numbers.into_iter().map(field));
        }
        // A name can have several blocks, which follow each other.
        roles.clues.dedup();
        roles.take_lists(sheet);
        roles.can_leave_out |= roles.fields.iter().any(Field::can_leave_out);
        let is_empty = !roles.follows() && !roles.can_change();
        if is_empty { Err("boards have no data".to_owned()) } else { Ok(roles) }
    }

    /// Moves clues that have further values at their places, and these values, to the lists.
    fn take_lists(&mut self, sheet: &Sheet) {
        let can_be_unknown = |data: usize| sheet.has_symbol(data, |symbol| symbol == UNKNOWN);
        for clue in self.clues.clone().into_iter().filter(|&clue| can_be_unknown(clue)) {
            let is_beside = |field: &mut Field| match field.data[..] {
                [data] => sheet.is_beside(data, clue) && can_be_unknown(data),
                _ => false,
            };
            let beside: Vec<usize> =
                self.fields.extract_if(.., is_beside).flat_map(|field| field.data).collect();
            if !beside.is_empty() {
                self.clues.retain(|&data| data != clue);
                self.lists.push([vec![clue], beside].concat());
            }
        }
    }

    /// Returns how many superfluous clues boards keep by default, if they have clues that can be left out. Published boards
    /// show the sizes of components.
    pub(in crate::make) fn spare(&self) -> Option<Spare> {
        let spare = if self.roots.is_empty() { Spare::Number(0) } else { Spare::All };
        self.can_leave_out.then_some(spare)
    }

    /// Returns whether the generator derives some data of the board from the solution, such as clues.
    pub(super) fn follows(&self) -> bool {
        let is_empty = [&self.clues, &self.roots].iter().all(|data| data.is_empty());
        !is_empty
            || !self.fields.is_empty()
            || !self.lists.is_empty()
            || self.shapes.iter().any(Shape::is_derived)
    }

    /// Returns whether drawn areas are large or leave out many cells, and drawn chains are few.
    pub(super) fn is_sparse(&self) -> bool {
        self.shares == MANY_SHAPES
    }

    /// Returns whether there are data with a value for each cell.
    pub(super) fn has_full_fields(&self) -> bool {
        self.fields.iter().any(|field| field.kind == FieldKind::Full)
    }

    /// Returns the blocks whose entries can be left out, and that are not only clues.
    pub(super) fn removable(&self) -> Vec<&[usize]> {
        let fields = self.fields.iter().filter(|field| field.can_leave_out()).map(|field| &field.data[..]);
        let is_entries = |shape: &&Shape| matches!(shape.making, Making::Entries);
        fields.chain(self.shapes.iter().filter(is_entries).map(|shape| &shape.data[..])).collect()
    }

    /// Returns whether there are areas, or data on which variables depend.
    pub(super) fn can_change(&self) -> bool {
        !self.areas.is_empty() || !self.shapes.is_empty()
    }

    /// Returns whether a rule can only be checked once all data is known.
    pub(super) fn is_derived(&self, sheet: &Sheet, rule: usize) -> bool {
        let is_clue = sheet.rules[rule].name == crate::puzzle::plain::CLUE;
        let mut derived =
            self.shapes.iter().filter(|shape| is_clue && shape.is_derived()).flat_map(|shape| &shape.data);
        let is_open = |field: &&Field| field.kind != FieldKind::Companion && !self.holds_without_fields;
        let fields = self.fields.iter().filter(is_open);
        derived.any(|&data| sheet.uses(rule, data))
            || fields.flat_map(|field| &field.data).any(|&data| sheet.uses(rule, data))
            || self.roots.iter().any(|&data| sheet.uses(rule, data))
    }

    /// Returns the default size of boards.
    pub(in crate::make) fn size(&self, sheet: &Sheet) -> (usize, usize) {
        if let Some((rows, columns)) = sheet.made {
            (rows.into(), columns.into())
        } else if sheet.uses_builtin("boxes") {
            (9, 9)
        } else if sheet.shown.iter().any(|shown| shown.style == Style::Numbers) {
            // Numbers have many values, so that their boards are harder to make, and to solve.
            (6, 6)
        } else if !self.follows() && self.numbers.is_empty() && self.shapes.is_empty() {
            // Only the areas can exclude other solutions.
            (6, 6)
        } else if !self.shapes.is_empty() || self.has_full_fields() {
            (8, 8)
        } else {
            (10, 10)
        }
    }

    /// Returns whether the cells that may have clues can be chosen: all data but areas, numbers and options are in cells.
    pub(in crate::make) fn is_patterned(&self, sheet: &Sheet) -> bool {
        let is_given = |block: &DataBlock| match block.scheme {
            Scheme::Grid | Scheme::Areas | Scheme::Number | Scheme::Option => true,
            _ => block.is_optional,
        };
        self.can_leave_out
            && self.roots.is_empty()
            && self.fields.iter().all(Field::can_leave_out)
            && sheet.blocks.iter().all(is_given)
    }

    /// Returns whether clues can be arranged symmetrically: all data are clues in cells or at corners.
    pub(in crate::make) fn is_symmetric(&self, sheet: &Sheet) -> bool {
        let is_grid =
            |block: &DataBlock| matches!(block.scheme, Scheme::Grid | Scheme::Corners | Scheme::Option);
        self.can_leave_out
            && self.numbers.is_empty()
            && self.fields.is_empty()
            && self.roots.is_empty()
            && !self.can_change()
            && sheet.blocks.iter().all(is_grid)
    }
}

/// Returns whether the data are numbers in cells whose values the sheet does not limit: each cell has one.
fn is_unlimited(sheet: &Sheet, block: &DataBlock) -> bool {
    block.scheme == Scheme::Grid && block.fields.iter().all(|&data| !sheet.limits_values(data))
}

impl Field {
    /// Returns whether entries can be left out. Chains show what is special about a board, so they stay.
    pub(super) fn can_leave_out(&self) -> bool {
        matches!(self.kind, FieldKind::Some | FieldKind::Companion)
    }
}
