//! The plain formulation of Numberlink and Amaze, for explanations.
//!
//! Each pair of adjacent cells has a literal that is true if a line joins them. Each pair of a cell and a number has
//! a literal that is true if the line through the cell carries the number; a line carries the same number in both of
//! its cells. The rules are:
//!
//! * *end*: exactly one line leaves an end, and it carries the number of the end;
//! * *cell*: two lines or none meet in every other cell (always two if every cell must be on a path);
//! * *one number*: a cell carries at most one number;
//! * *no loop*: lines connect every used cell with an end;
//! * *apart*, if a path must not touch itself: adjacent cells with the same number are joined.
//!
//! The objective of Amaze is not one of the rules.

use std::collections::HashMap;

use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause};
use gordian_encodings::{FALSE, Lit, TRUE};

use super::{LINE, OPEN};
use crate::puzzle::paths::{self, Step};
use crate::puzzle::plain::{Fact, Plain};
use crate::render::{Cell, DOWN, LEFT, RIGHT, Role, Scene, Sign, UP};
use crate::rules::Grid;
use crate::rules::numberlink::Numberlink;

pub(super) fn formulate(board: &Numberlink) -> Plain {
    let mut plain = Plain::new();
    let ends = board.ends();
    let steps: Vec<Step> = ends.edges().map(|(a, b)| Step { a, b, taken: plain.model.boolean() }).collect();
    let mut at_cell: Vec<Vec<Lit>> = vec![Vec::new(); ends.len()];
    for &Step { a, b, taken } in &steps {
        at_cell[a].push(taken);
        at_cell[b].push(taken);
    }
    let numbers: Vec<Vec<Lit>> =
        (0..ends.len()).map(|_| board.pairs().iter().map(|_| plain.model.boolean()).collect()).collect();
    for &Step { a, b, taken } in &steps {
        for (&here, &there) in numbers[a].iter().zip(&numbers[b]) {
            plain.define(Clause::new([!taken, !here, there]));
            plain.define(Clause::new([!taken, here, !there]));
        }
    }
    let used: Vec<Lit> =
        (0..ends.len()).map(|cell| cell_rules(board, cell, &at_cell[cell], &mut plain)).collect();
    for (cell, end) in ends.cells().iter().enumerate() {
        let place = ends.place(cell);
        if let Some(pair) = *end {
            let number = board.pairs()[pair].number;
            let rule = plain.rule("end", format!("end {number} at {place}"), vec![cell]);
            plain.post(rule, Cardinality::exactly(at_cell[cell].clone(), 1));
            for (index, &lit) in numbers[cell].iter().enumerate() {
                plain.post(rule, Clause::new([if index == pair { lit } else { !lit }]));
            }
        } else {
            let rule = plain.rule("one number", format!("one number at {place}"), vec![cell]);
            plain.post(rule, AtMostOne::new(numbers[cell].clone()));
        }
    }
    let cells: Vec<usize> = board.pairs().iter().flat_map(|pair| pair.cells).collect();
    let rule = plain.rule("no loop", "no loop", Vec::new());
    plain.post(rule, paths::subtour_elimination(&used, &steps, &cells));
    if !board.touch() {
        for &Step { a, b, taken } in &steps {
            let name = format!("a path does not touch itself at {}", between(board, a, b));
            let rule = plain.rule("apart", name, vec![a, b]);
            for (&here, &there) in numbers[a].iter().zip(&numbers[b]) {
                plain.post(rule, Clause::new([taken, !here, !there, !used[a], !used[b]]));
            }
        }
    }
    plain.facts_of(facts(board, &steps));
    let board = board.clone();
    plain.drawn_by(move |known| draw(&board, &steps, known));
    plain
}

/// Posts the rule for a cell that is not an end of a path: it has two lines or none, and always two if every cell
/// must be on a path. Returns the literal that is true if the cell is on a path.
fn cell_rules(board: &Numberlink, cell: usize, lines: &[Lit], plain: &mut Plain) -> Lit {
    if board.ends()[cell].is_some() {
        return TRUE;
    }
    let place = board.ends().place(cell);
    if board.all_cells() {
        let rule = plain.rule("cell", format!("two lines at {place}"), vec![cell]);
        plain.post(rule, Cardinality::exactly(lines, 2));
        return TRUE;
    }
    paths::two_or_none(plain, "cell", format!("two lines at {place}, or none"), vec![cell], lines)
}

/// Returns, for each pair of adjacent cells, the fact that a line joins them. A step that is not in `steps` is
/// impossible.
pub(super) fn facts(board: &Numberlink, steps: &[Step]) -> Vec<Fact> {
    let taken: HashMap<(usize, usize), Lit> =
        steps.iter().map(|&Step { a, b, taken }| ((a, b), taken)).collect();
    let fact = |(a, b)| {
        let taken = taken.get(&(a, b)).copied().unwrap_or(FALSE);
        Fact::new(taken, between(board, a, b), [OPEN, LINE], vec![a, b])
    };
    board.ends().edges().map(fact).collect()
}

/// Returns the name of the place between two adjacent cells, such as `r1c1-r1c2`.
pub(super) fn between(board: &Numberlink, a: usize, b: usize) -> String {
    format!("{}-{}", board.ends().place(a), board.ends().place(b))
}

/// Draws the known lines, and a cross wherever no line is possible. Lines that are connected with an end have the
/// colour of that end.
fn draw(board: &Numberlink, steps: &[Step], known: &dyn Fn(Lit) -> Option<bool>) -> Scene {
    let ends: &Grid<Option<usize>> = board.ends();
    let mut sides = vec![0; ends.len()];
    let mut pair: Vec<Option<usize>> = ends.cells().to_vec();
    let mut closed = vec![0; ends.len()];
    let is_across = |step: &Step| ends.place(step.a).row == ends.place(step.b).row;
    for step in steps.iter().filter(|step| known(step.taken) == Some(false)) {
        closed[step.a] |= if is_across(step) { RIGHT } else { DOWN };
    }
    let taken: Vec<&Step> = steps.iter().filter(|step| known(step.taken) == Some(true)).collect();
    for step in &taken {
        let same_row = is_across(step);
        sides[step.a] |= if same_row { RIGHT } else { DOWN };
        sides[step.b] |= if same_row { LEFT } else { UP };
    }
    // Each round extends every coloured part of a path by at least one cell, until no colour changes.
    let mut changed = true;
    while changed {
        changed = false;
        for step in &taken {
            let colour = pair[step.a].or(pair[step.b]);
            changed |= colour.is_some() && (pair[step.a].is_none() || pair[step.b].is_none());
            pair[step.a] = pair[step.a].or(colour);
            pair[step.b] = pair[step.b].or(colour);
        }
    }
    Scene::board(ends.map_places(|place, end| {
        let cell = ends.index(place.row, place.column);
        let drawn = if let Some(pair) = end {
            let number = board.pairs()[*pair].number.to_string();
            Cell::new(number.clone(), Role::Given).with(Sign::End(number))
        } else {
            let token = crate::render::SIDE_TOKENS[usize::from(sides[cell])];
            Cell::new(token, if sides[cell] == 0 { Role::Ground } else { Role::Mark })
        };
        let drawn = drawn.closed_to(closed[cell]);
        match pair[cell] {
            Some(pair) => drawn.coloured(pair).lines_to(sides[cell]),
            None => drawn.lines_to(sides[cell]),
        }
    }))
}
