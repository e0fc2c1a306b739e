//! The plain formulation of rook placement, for explanations.
//!
//! Each empty square has a literal that is true if a rook stands on the square. There is one rule for each clue, one
//! for each segment of a row or column (at most one rook), and one for each empty square (a rook stands on it or
//! attacks it).

use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause};
use gordian_encodings::{FALSE, Lit};

use super::{FREE, OCCUPIED, ROOK, segments};
use crate::puzzle::plain::{CLUE, Plain};
use crate::render::{Cell, Ground, Role, Scene, Sign};
use crate::rules::Grid;
use crate::rules::rooks::Square;

pub(super) fn formulate(squares: &Grid<Square>) -> Plain {
    let mut plain = Plain::new();
    let rooks: Vec<Lit> = (0..squares.len())
        .map(|cell| if squares[cell] == Square::Empty { plain.model.boolean() } else { FALSE })
        .collect();
    let lines = segments(squares);
    // For each empty square, the indices of its segments in the two directions.
    let mut lines_of = vec![[0; 2]; squares.len()];
    for (direction, runs) in lines.iter().enumerate() {
        for (index, run) in runs.iter().enumerate() {
            for &cell in run {
                lines_of[cell][direction] = index;
            }
            let [first, last] = [run[0], run[run.len() - 1]].map(|cell| squares.place(cell));
            let name = if direction == 0 {
                format!(
                    "at most one rook in row {} from c{} to c{}",
                    first.row + 1,
                    first.column + 1,
                    last.column + 1
                )
            } else {
                format!(
                    "at most one rook in column {} from r{} to r{}",
                    first.column + 1,
                    first.row + 1,
                    last.row + 1
                )
            };
            if run.len() > 1 {
                let rule = plain.rule("at most one rook in a line", name, run.clone());
                plain.post(rule, AtMostOne::new(run.iter().map(|&cell| rooks[cell]).collect::<Vec<_>>()));
            }
        }
    }
    for cell in 0..squares.len() {
        let place = squares.place(cell);
        match squares[cell] {
            Square::Empty => {
                // The squares from which a rook covers this square, including the square itself.
                let covering = lines.iter().zip(lines_of[cell]).flat_map(|(runs, index)| &runs[index]);
                let mut covers: Vec<usize> = covering.copied().collect();
                covers.sort_unstable();
                covers.dedup();
                let rule = plain.rule("cover", format!("a rook sees or holds {place}"), vec![cell]);
                plain.post(rule, Clause::new(covers.iter().map(|&cell| rooks[cell]).collect::<Vec<_>>()));
            }
            Square::Block => {}
            Square::Clue(clue) => {
                let beside: Vec<Lit> = squares.neighbours(cell).map(|near| rooks[near]).collect();
                let rule = plain.rule(CLUE, format!("clue {clue} at {place}"), vec![cell]);
                plain.post(rule, Cardinality::exactly(beside, clue.into()));
            }
        }
    }
    plain.cell_facts(squares, &rooks, [FREE, OCCUPIED]);
    let squares = squares.clone();
    plain.drawn_by(move |known| draw(&squares, &rooks, known));
    plain
}

fn draw(squares: &Grid<Square>, rooks: &[Lit], known: &dyn Fn(Lit) -> Option<bool>) -> Scene {
    Scene::board(squares.map_places(|place, square| match square {
        Square::Block => Cell::new("#", Role::Block).on(Ground::Block),
        Square::Clue(clue) => Cell::label(clue.to_string(), Role::Given).on(Ground::Block),
        Square::Empty => match known(rooks[squares.index(place.row, place.column)]) {
            Some(true) => Cell::new(ROOK, Role::Mark).with(Sign::Rook),
            Some(false) => Cell::label("×", Role::Ground),
            None => Cell::new(".", Role::Ground),
        },
    }))
}
