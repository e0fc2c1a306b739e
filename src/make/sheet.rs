//! Drafts of boards whose puzzle type is stated by a rule sheet.
//!
//! The sheet decides how each name of data is made ([`Roles`]). Areas, numbers, and data on which the variables depend are
//! drawn at random. A solver finds a solution of the rules without clues that fulfils as many of a list of random wishes
//! as possible: each wish is a value of a variable, and comes after those before it. The clues are the values that the
//! evaluator of the rules accepts for this solution. If they leave several solutions, the draft changes near a cell in
//! which the solutions differ.

use std::rc::Rc;

use gordian_counting::Random;
use gordian_encodings::Lit;

use super::draft::Draft;
use super::{MakeError, Maker, Spare};
use crate::backend::{Limits, Verdict};
use crate::puzzle::sheet::clues;
use crate::puzzle::sheet::partial::{self, PartialModel};
use crate::puzzle::sheet::sheet_of;
use crate::rules::Solution;
use crate::rules::sheet::{
    Assignment, Cell, SheetBoard, Shown, Size, Spot, Style, Value, Variable, cells_of,
};

mod areas;
mod boards;
mod chains;
mod fields;
mod lists;
mod repair;
mod roles;
mod shapes;
mod superfluous;
mod values;
mod ways;
mod wishes;

pub(super) use roles::Roles;
use values::Completion;
use wishes::{old_values, random_components, random_values};

/// A board with a solution.
#[derive(Debug, Clone)]
pub(super) struct SheetDraft {
    roles: Rc<Roles>,
    board: SheetBoard,
    assignment: Assignment,
}

/// The number of wishes that are added at once. If they contradict the rules, one after the other is left out.
const WISHES: usize = 8;

/// One of this many changes that make the components duller is kept.
const DULL: usize = 4;

/// The greatest number of cells of a board whose solution can be trivial.
const TINY: usize = 4;

/// At most this many variables near a cell get another value without a solver. There can be thousands of pieces near a
/// cell, and changing a single one always breaks a rule.
const SINGLE: usize = 40;

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
        roles: &Rc<Roles>,
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
        let draft = Self { roles: Rc::clone(roles), board, assignment };
        let Some(draft) = draft.on(draft.board.clone()) else { return Ok(None) };
        if draft.is_trivial() {
            return Ok(None);
        }
        if draft.board.check(&draft.assignment)?.is_none() {
            return Ok(Some(draft));
        }
        let assignment = Self::with_same_solution(maker, &draft.board, &draft.assignment)?;
        Ok(assignment.map(|assignment| Self { assignment, ..draft }))
    }

    /// Returns whether the solution is empty, such as no line at all, or a single area. If a board has few entries, the rules of
    /// many puzzle types accept such a solution. Boards of up to [`TINY`] cells may have no other one, so it is not trivial.
    fn is_trivial(&self) -> bool {
        let is_uniform = |shown: &Shown| {
            let mut values = self.assignment[shown.var].iter().map(|(_, &value)| value);
            let first = values.next().unwrap_or(0);
            (first == 0 || shown.style == Style::Areas) && values.all(|value| value == first)
        };
        self.board.size().cells().count() > TINY && self.board.sheet().shown.iter().all(is_uniform)
    }

    /// Returns the draft with the same solution on another board, whose variables may have other places.
    fn on(&self, board: SheetBoard) -> Option<Self> {
        let assignment = partial::transferred(&board, &self.solution(), &self.assignment).ok()?;
        Some(Self { roles: Rc::clone(&self.roles), board, assignment })
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
        cell: Cell,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let roles = &self.roles;
        if roles.has_full_fields() && random.index(3) > 0 {
            let old = roles.without_values(&self.board, cell, random);
            let board = roles.underived(&self.board);
            Self::completed(maker, roles, board, self.assignment.clone(), Some(&old), random)
        } else if !roles.roots.is_empty()
            && random.index(2) == 0
            && let Some(board) = roles.with_other_root(&self.board, &self.assignment, cell, random)
        {
            Ok(Some(Self { board, ..self.clone() }))
        } else if roles.can_change() && (!roles.follows() || random.index(2) == 0) {
            self.with_other_data(maker, cell, random)
        } else {
            self.with_other_solution(maker, cell, random)
        }
    }

    /// Returns the draft after a random change of its areas or of its places with variables at a cell. The solution
    /// changes only if the rules no longer accept it.
    fn with_other_data(
        &self,
        maker: &Maker<'_>,
        cell: Cell,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let roles = &self.roles;
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
        cell: Cell,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let roles = &self.roles;
        let board = roles.underived(&self.board);
        let old = self.on(board.clone()).map_or_else(|| self.assignment.clone(), |draft| draft.assignment);
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
        places.truncate(SINGLE);
        let sheet = board.sheet();
        let mut other = None;
        for (family, place, values) in places {
            let own = old[family].get(place).copied();
            let others: Vec<i64> = values.iter().copied().filter(|&value| Some(value) != own).collect();
            if others.is_empty() {
                continue;
            }
            let value = others[random.index(others.len())];
            let mut assignment = old.clone();
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
            let kept = old_values(model, &old, &at, random);
            changed.into_iter().chain(kept).collect()
        };
        let Some(assignment) = Self::solved(maker, roles, &board, wishes)? else { return Ok(None) };
        Self::completed(maker, roles, board, assignment, Some(&self.board), random)
    }
}

impl Draft for SheetDraft {
    fn start(
        maker: &Maker<'_>,
        (rows, columns): (usize, usize),
        number: usize,
        random: &mut Random,
    ) -> Result<Option<Self>, MakeError> {
        let sheet = sheet_of(maker.puzzle_type);
        let roles = Rc::new(Roles::of_draft(sheet, number));
        let side = |side: usize| u16::try_from(side).expect("at most MOST_ROWS");
        let size = Size { rows: side(rows), columns: side(columns) };
        let mut board = roles.random(sheet, size, maker.options, random);
        let wishes = |model: &mut PartialModel, random: &mut Random| {
            let grown = (!roles.roots.is_empty()).then(|| random_components(model, random));
            grown.flatten().unwrap_or_else(|| random_values(model, random))
        };
        let mut assignment = Self::solved(maker, &roles, &board, |model| wishes(model, random))?;
        if assignment.is_none() && roles.is_repaired && roles.can_change() {
            let Some(repaired) = Self::repaired(maker, &roles, board, random)? else { return Ok(None) };
            board = repaired;
            assignment = Self::solved(maker, &roles, &board, |model| wishes(model, random))?;
        }
        let Some(assignment) = assignment else { return Ok(None) };
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
        let cell = partial::cell_of_part(&self.board, &self.assignment, cell);
        let draft = self.changed_at(maker, cell, random)?;
        // Most changes that exclude a solution add a component of a single place.
        let is_dull = |draft: &Self| self.roles.dullness(&draft.board) > self.roles.dullness(&self.board);
        Ok(draft.filter(|draft| !is_dull(draft) || random.index(DULL) == 0))
    }

    /// Removes clues, and then other entries, while the solution stays unique.
    fn finished(self, maker: &Maker<'_>, random: &mut Random) -> Result<(Self, bool), MakeError> {
        let spare = match maker.spare {
            Some(Spare::All) => return Ok((self, false)),
            Some(Spare::Number(spare)) => spare,
            None => 0,
        };
        let (draft, stopped) = if clues::data(self.board.sheet()).is_empty() {
            (self, false)
        } else {
            self.without_clues(maker, spare, random)?
        };
        if stopped { Ok((draft, true)) } else { draft.without_entries(maker, spare, random) }
    }
}
