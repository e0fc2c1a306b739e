//! Drafts of boards whose puzzle type is stated by a rule sheet.
//!
//! The sheet decides how each name of data is made ([`Roles`]). Areas, numbers, and data on which the variables depend are
//! drawn at random. A solver finds a solution of the rules without clues that fulfils as many of a list of random wishes
//! as possible: each wish is a value of a variable, and comes after those before it. The clues are the values that the
//! evaluator of the rules accepts for this solution. If they leave several solutions, the draft changes near a cell in
//! which the solutions differ.

use gordian_counting::Random;
use gordian_encodings::Lit;

use super::draft::Draft;
use super::{MakeError, Maker, Spare};
use crate::backend::{Limits, Verdict};
use crate::puzzle::sheet::clues;
use crate::puzzle::sheet::partial::{self, PartialModel};
use crate::puzzle::sheet::sheet_of;
use crate::rules::Solution;
use crate::rules::sheet::{Assignment, Cell, SheetBoard, Size, Spot, Value, Variable, cells_of};

mod areas;
mod chains;
mod fields;
mod roles;
mod superfluous;
mod values;

use roles::Field;
pub(super) use roles::Roles;
use values::Completion;

/// A board with a solution.
#[derive(Debug, Clone)]
pub(super) struct SheetDraft {
    board: SheetBoard,
    assignment: Assignment,
}

/// The number of wishes that are added at once. If they contradict the rules, one after the other is left out.
const WISHES: usize = 8;

/// A change that makes the components duller is made once in so many times.
const DULL: usize = 4;

/// The greatest number of conflicts of the search for a solution that fulfils wishes.
const CONFLICTS: u64 = 1000;

impl SheetDraft {
    /// Returns an assignment that satisfies the rules which do not depend on data that is derived from the solution, or
    /// `None` if there is none, or if a limit is reached. `wishes` lists wanted literals, the most important first.
    fn solved(
        maker: &Maker<'_>,
        roles: &Roles,
        board: &SheetBoard,
        wishes: impl FnOnce(&mut PartialModel) -> Vec<Lit>,
    ) -> Result<Option<Assignment>, MakeError> {
        let sheet = sheet_of(maker.puzzle_type);
        let Some(mut model) = Self::model(maker, board, |rule| !roles.is_derived(sheet, rule))? else {
            return Ok(None);
        };
        let wishes = wishes(&mut model);
        let conflicts = maker.limits.conflicts.map(|most| most.min(CONFLICTS));
        let limits = Limits { conflicts, ..maker.limits.clone() };
        let mut session = maker.config.session(&model.model, limits)?;
        if session.satisfy(&[])? != Verdict::Satisfiable {
            return Ok(None);
        }
        let mut best = session.assignment();
        let mut granted: Vec<Lit> = Vec::new();
        'wishes: for wishes in wishes.chunks(WISHES) {
            let mut open = [&granted, wishes].concat();
            while !open.iter().all(|&lit| best.lit(lit)) {
                match session.satisfy(&open)? {
                    Verdict::Satisfiable => best = session.assignment(),
                    Verdict::Stopped => break 'wishes,
                    Verdict::Unsatisfiable => {
                        let core = session.core();
                        let Some(last) = open.iter().rposition(|lit| core.contains(lit)) else {
                            break 'wishes;
                        };
                        open.remove(last);
                    }
                }
            }
            granted = open;
        }
        Ok(Some(model.decode(&best)))
    }

    /// Completes a draft: adds all data that follows from the solution. Returns `None` if the rules accept no such data.
    fn completed(
        maker: &Maker<'_>,
        roles: &Roles,
        board: SheetBoard,
        assignment: Assignment,
        old: Option<&SheetBoard>,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let same_solution =
            |board: &SheetBoard, assignment: &Assignment| Self::with_same_solution(maker, board, assignment);
        let stopped = || maker.stopped();
        let completion = Completion::new(roles, maker.options, old, random, &same_solution, &stopped);
        let Some((board, assignment)) = completion.completed(board, assignment)? else { return Ok(None) };
        if maker.stopped() {
            return Ok(None);
        }
        if board.check(&assignment)?.is_none() {
            return Ok(Some(Self { board, assignment }));
        }
        let assignment = Self::with_same_solution(maker, &board, &assignment)?;
        Ok(assignment.map(|assignment| Self { board, assignment }))
    }

    /// Returns an assignment that satisfies all rules and shows the same solution, if other variables only need other
    /// values.
    fn with_same_solution(
        maker: &Maker<'_>,
        board: &SheetBoard,
        old: &Assignment,
    ) -> Result<Option<Assignment>, MakeError> {
        let sheet = sheet_of(maker.puzzle_type);
        if !partial::has_hidden_variables(sheet) {
            return Ok(None);
        }
        let Some(mut model) = Self::model(maker, board, |_| true)? else { return Ok(None) };
        let is_shown = |variable: &Variable| sheet.shown.iter().any(|shown| shown.var == variable.family);
        let variables = model.variables().iter().enumerate().filter(|(_, variable)| is_shown(variable));
        let value = |variable: &Variable| old[variable.family].get(&variable.place).copied().unwrap_or(0);
        let values: Vec<(usize, i64)> =
            variables.map(|(number, variable)| (number, value(variable))).collect();
        let solution: Vec<Lit> =
            values.into_iter().map(|(variable, value)| model.lit(variable, value)).collect();
        let mut session = maker.config.session(&model.model, maker.limits.clone())?;
        let verdict = session.satisfy(&solution)?;
        Ok((verdict == Verdict::Satisfiable).then(|| model.decode(&session.assignment())))
    }

    /// Returns a model with the rules that are chosen by their indices, or `None` if a limit is reached.
    fn model(
        maker: &Maker<'_>,
        board: &SheetBoard,
        chosen: impl Fn(usize) -> bool,
    ) -> Result<Option<PartialModel>, MakeError> {
        match PartialModel::new(board, sheet_of(maker.puzzle_type), chosen, &|| maker.stopped()) {
            Ok(model) => Ok(Some(model)),
            Err(_) if maker.stopped() => Ok(None),
            Err(error) => Err(MakeError::Rules(error.to_string())),
        }
    }

    /// Returns the draft after a random change at a cell.
    fn changed_at(
        &self,
        maker: &Maker<'_>,
        roles: &Roles,
        cell: Cell,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        if roles.has_full_fields() && random.index(3) > 0 {
            let old = roles.without_values(&self.board, cell, random);
            let board = roles.underived(&self.board);
            Self::completed(maker, roles, board, self.assignment.clone(), Some(&old), random)
        } else if !roles.roots.is_empty()
            && random.index(2) == 0
            && let Some(board) = roles.with_other_root(&self.board, &self.assignment, cell, random)
        {
            Ok(Some(Self { board, assignment: self.assignment.clone() }))
        } else if roles.can_change() && (!roles.follows() || random.index(2) == 0) {
            self.with_other_data(maker, roles, cell, random)
        } else {
            self.with_other_solution(maker, roles, cell, random)
        }
    }

    /// Returns the draft after a random change of its areas or of its places with variables at a cell. The solution
    /// changes only if the rules no longer accept it.
    fn with_other_data(
        &self,
        maker: &Maker<'_>,
        roles: &Roles,
        cell: Cell,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let Some(board) = roles.changed(&self.board, cell, maker.options.pattern.as_ref(), random) else {
            return Ok(None);
        };
        let board = roles.underived(&board);
        let solution = self.solution();
        let sheet = board.sheet();
        let kept = partial::transferred(&board, &solution, &self.assignment).ok().filter(|assignment| {
            matches!(board.check_where(assignment, |rule| !roles.is_derived(sheet, rule)), Ok(None))
        });
        let assignment = if let Some(assignment) = kept {
            assignment
        } else {
            let wishes = |model: &mut PartialModel| old_values(model, &self.assignment, &[], random);
            let Some(assignment) = Self::solved(maker, roles, &board, wishes)? else { return Ok(None) };
            assignment
        };
        Self::completed(maker, roles, board, assignment, Some(&self.board), random)
    }

    /// Returns the draft with another solution near a cell. At first, a single variable gets another value. Only if the
    /// rules accept no such change, a solver changes other variables, too, which takes a hundred times as long.
    fn with_other_solution(
        &self,
        maker: &Maker<'_>,
        roles: &Roles,
        cell: Cell,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let board = roles.underived(&self.board);
        let size = board.size();
        let near = size.neighbours(Spot::Cell(cell));
        let is_near = |place: &Value| {
            let cells = cells_of(size, [place.clone()]);
            cells.iter().any(|&other| other == cell || near.contains(&Spot::Cell(other)))
        };
        let families = board.variables()?;
        let places = families
            .iter()
            .enumerate()
            .flat_map(|(family, places)| places.iter().map(move |(place, values)| (family, place, values)));
        let mut places: Vec<_> = places.filter(|(_, place, _)| is_near(place)).collect();
        random.shuffle(&mut places);
        let sheet = board.sheet();
        let mut other = None;
        for (family, place, values) in places {
            let old = self.assignment[family].get(place).copied();
            let others: Vec<i64> = values.iter().copied().filter(|&value| Some(value) != old).collect();
            if others.is_empty() {
                continue;
            }
            let value = others[random.index(others.len())];
            let mut assignment = self.assignment.clone();
            assignment[family].insert(place.clone(), value);
            let breach = board.check_where(&assignment, |rule| !roles.is_derived(sheet, rule));
            if matches!(breach, Ok(None)) {
                return Self::completed(maker, roles, board, assignment, Some(&self.board), random);
            }
            other.get_or_insert((family, place, value));
        }
        let wishes = |model: &mut PartialModel| {
            let at: Vec<usize> = (0..model.variables().len())
                .filter(|&index| is_near(&model.variables()[index].place))
                .collect();
            let is_other = |&index: &usize| {
                let variable = &model.variables()[index];
                other.is_some_and(|(family, place, _)| (family, place) == (variable.family, &variable.place))
            };
            let changed = at.iter().copied().find(is_other).zip(other);
            let changed = changed.map(|(index, (_, _, value))| model.lit(index, value));
            let old = old_values(model, &self.assignment, &at, random);
            changed.into_iter().chain(old).collect()
        };
        let Some(assignment) = Self::solved(maker, roles, &board, wishes)? else { return Ok(None) };
        Self::completed(maker, roles, board, assignment, Some(&self.board), random)
    }
}

/// Returns wishes for components with random sizes and shapes, if each place has a literal. Their neighbours are wished to be
/// in no component.
fn random_components(model: &mut PartialModel, random: &mut Random) -> Option<Vec<Lit>> {
    let (neighbours, inside) = model.components.take()?;
    let largest = 2 + random.index(inside.len().isqrt().max(2));
    let mut order: Vec<usize> = (0..inside.len()).collect();
    random.shuffle(&mut order);
    let mut is_free = vec![true; inside.len()];
    let mut wishes = Vec::with_capacity(order.len());
    for start in order {
        if !std::mem::replace(&mut is_free[start], false) {
            continue;
        }
        let size = 1 + random.index(largest);
        let mut component = vec![start];
        let mut border: Vec<usize> = neighbours[start].clone();
        while component.len() < size {
            border.retain(|&vertex| is_free[vertex]);
            if border.is_empty() {
                break;
            }
            let next = border.swap_remove(random.index(border.len()));
            is_free[next] = false;
            component.push(next);
            border.extend(&neighbours[next]);
        }
        // A single place remains where there is no room for more, and many of them make dull boards.
        let is_wished = component.len() > 1 || size == 1;
        wishes
            .extend(component.iter().map(|&vertex| if is_wished { inside[vertex] } else { !inside[vertex] }));
        for &vertex in component.iter().flat_map(|&vertex| &neighbours[vertex]) {
            if is_wished && std::mem::replace(&mut is_free[vertex], false) {
                wishes.push(!inside[vertex]);
            }
        }
    }
    Some(wishes)
}

/// Returns random wishes for a first solution.
fn random_values(model: &mut PartialModel, random: &mut Random) -> Vec<Lit> {
    // The share of Boolean variables that are wished to be true, in tenths.
    let share = 2 + random.index(6);
    let mut order: Vec<usize> = (0..model.variables().len()).collect();
    random.shuffle(&mut order);
    let mut wishes = Vec::with_capacity(order.len());
    for variable in order {
        let values = &model.variables()[variable].values;
        let value = match values[..] {
            [] => continue,
            [0, 1] => i64::from(random.index(10) < share),
            // Small numbers are possible more often, for example as sizes of areas.
            [..] if values.len() > MANY => values[random.index(values.len()).min(random.index(MANY))],
            [..] => values[random.index(values.len())],
        };
        wishes.push(model.lit(variable, value));
    }
    wishes
}

/// Numbers with more values than this are wished to be small.
const MANY: usize = 9;

/// Returns the values of an assignment as wishes, in random order, except for some variables.
fn old_values(
    model: &mut PartialModel,
    old: &Assignment,
    without: &[usize],
    random: &mut Random,
) -> Vec<Lit> {
    let mut order: Vec<usize> = (0..model.variables().len()).filter(|at| !without.contains(at)).collect();
    random.shuffle(&mut order);
    let mut wishes = Vec::with_capacity(order.len());
    for index in order {
        let variable = &model.variables()[index];
        let value = old[variable.family].get(&variable.place).copied();
        if let Some(value) = value.filter(|value| variable.values.binary_search(value).is_ok()) {
            wishes.push(model.lit(index, value));
        }
    }
    wishes
}

impl Draft for SheetDraft {
    fn start(
        maker: &Maker<'_>,
        (rows, columns): (usize, usize),
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let sheet = sheet_of(maker.puzzle_type);
        let roles = Roles::of(sheet).expect("a puzzle type with a generator");
        let side = |side: usize| u16::try_from(side).expect("at most MOST_ROWS");
        let size = Size { rows: side(rows), columns: side(columns) };
        let board = roles.random(sheet, size, maker.options.pattern.as_ref(), random);
        let wishes = |model: &mut PartialModel| {
            let grown = (!roles.roots.is_empty()).then(|| random_components(model, random));
            grown.flatten().unwrap_or_else(|| random_values(model, random))
        };
        let Some(assignment) = Self::solved(maker, &roles, &board, wishes)? else { return Ok(None) };
        Self::completed(maker, &roles, board, assignment, None, random)
    }

    fn header(&self, _: &str) -> String {
        partial::text(&self.board).lines().next().unwrap_or_default().to_owned()
    }

    fn body(&self) -> String {
        let text = partial::text(&self.board);
        text.split_once('\n').map_or(String::new(), |(_, body)| body.to_owned())
    }

    fn solution(&self) -> Solution {
        partial::solution(&self.board, &self.assignment)
    }

    fn changed(
        &self,
        maker: &Maker<'_>,
        cell: usize,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let roles = Roles::of(self.board.sheet()).expect("a puzzle type with a generator");
        let cell = partial::cell_of_part(&self.board, &self.assignment, cell);
        let draft = self.changed_at(maker, &roles, cell, random)?;
        // Most changes that exclude a solution add a component of a single place.
        let is_dull = |draft: &Self| roles.dullness(&draft.board) > roles.dullness(&self.board);
        Ok(draft.filter(|draft| !is_dull(draft) || random.index(DULL) == 0))
    }

    /// Removes clues, and then other entries, while the solution stays unique.
    fn finished(self, maker: &Maker<'_>, random: &mut Random) -> Result<(Self, bool), MakeError> {
        let Some(Spare::Number(spare)) = maker.spare else { return Ok((self, false)) };
        let roles = Roles::of(self.board.sheet()).expect("a puzzle type with a generator");
        let (draft, stopped) = if clues::data(self.board.sheet()).is_empty() {
            (self, false)
        } else {
            self.without_clues(maker, spare, random)?
        };
        if stopped || !roles.fields.iter().any(Field::can_leave_out) {
            return Ok((draft, stopped));
        }
        draft.without_entries(maker, &roles, spare, random)
    }
}
