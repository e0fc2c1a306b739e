//! The plain formulation of number crosswords, for explanations.
//!
//! Each white cell has a number, and each entry has a definition. The rules are:
//!
//! * *entry*: the product of the numbers in an entry equals its definition;
//! * *each definition once*: different entries have different definitions.

use gordian_encodings::constraint::AllDifferent;
use gordian_encodings::{Domain, IntVar, Lit};

use super::{Entry, entries, entry_products};
use crate::puzzle::plain::Plain;
use crate::render::{Cell, Ground, Role, Scene};
use crate::rules::numcross::{DIRECTIONS, Numcross};

pub(super) fn formulate(board: &Numcross) -> Plain {
    let mut plain = Plain::new();
    let numbers = board.numbers();
    let cells: Vec<IntVar> = board
        .white()
        .cells()
        .iter()
        .map(|&white| {
            let domain = if white {
                Domain::interval(*numbers.start(), *numbers.end())
            } else {
                Domain::interval(0, 0)
            };
            plain.model.integer(domain)
        })
        .collect();
    let mut definitions = Vec::new();
    for (direction, entries) in DIRECTIONS.into_iter().zip(entries(board.white())) {
        for Entry { number, cells: of } in entries {
            let definition = plain.model.integer(Domain::from_values(board.definitions().iter().copied()));
            let factors: Vec<IntVar> = of.iter().map(|&cell| cells[cell]).collect();
            let (partial, last) = entry_products(board, &mut plain.model, &factors, definition);
            let name = format!("the product of {number} {direction} is its definition");
            let rule = plain.rule("entry", name, of);
            partial.into_iter().chain([last]).for_each(|constraint| plain.post(rule, constraint));
            definitions.push(definition);
        }
    }
    let rule = plain.rule("each definition once", "each definition once", Vec::new());
    plain.post(rule, AllDifferent::new(definitions));
    // For each white cell, a literal for each number that the cell can contain.
    let mut lits: Vec<Vec<(Lit, i128)>> = vec![Vec::new(); cells.len()];
    for (cell, &x) in cells.iter().enumerate().filter(|&(cell, _)| board.white()[cell]) {
        for number in numbers.clone() {
            let lit = plain.model.equals(x, number);
            let words = [format!("not-{number}"), number.to_string()];
            plain.fact(lit, board.white().place(cell).to_string(), [&words[0], &words[1]], vec![cell]);
            lits[cell].push((lit, number));
        }
    }
    let white = board.white().clone();
    plain.drawn_by(move |known| {
        Scene::board(white.map_places(|place, &is_white| {
            if !is_white {
                return Cell::new("#", Role::Block).on(Ground::Block);
            }
            let of = &lits[white.index(place.row, place.column)];
            match of.iter().find(|&&(lit, _)| known(lit) == Some(true)) {
                Some((_, number)) => Cell::label(number.to_string(), Role::Mark),
                None => Cell::new(".", Role::Ground),
            }
        }))
    });
    plain
}
