//! The marks of a person who solves a board: lines between adjacent cells.

use super::plain::between;
use super::{LINE, NumberlinkInstance};
use crate::puzzle::play::{Layer, MarkPlace, Marks, Play};
use crate::rules::numberlink::{DOWN, LEFT, LINES, RIGHT, UP};
use crate::rules::sheet::Style;
use crate::rules::{Field, Solution, Violation};

impl Play for NumberlinkInstance {
    fn layers(&self) -> Vec<Layer> {
        let ends = self.board.ends();
        let middle = |cell| {
            let place = ends.place(cell);
            [2 * place.row + 1, 2 * place.column + 1]
        };
        let place = |(a, b)| MarkPlace {
            name: between(&self.board, a, b),
            points: vec![middle(a), middle(b)],
            values: vec![0, 1],
        };
        let places = ends.edges().map(place).collect();
        vec![Layer { name: LINE.to_owned(), style: Style::Path, symbol: None, places }]
    }

    fn marks(&self, solution: &Solution) -> Option<Vec<Vec<Option<i64>>>> {
        let lines = self.lines_of(solution)?;
        let ends = self.board.ends();
        let mark = |(a, b)| {
            let side = if ends.place(a).row == ends.place(b).row { RIGHT } else { DOWN };
            Some(i64::from(lines[a] & side != 0))
        };
        Some(vec![ends.edges().map(mark).collect()])
    }

    fn solution(&self, marks: &Marks) -> Result<Solution, Violation> {
        let ends = self.board.ends();
        let mut lines = ends.map(|_| 0);
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); ends.len()];
        for ((a, b), _) in ends.edges().zip(marks.iter().flatten()).filter(|(_, mark)| **mark == Some(1)) {
            let is_across = ends.place(a).row == ends.place(b).row;
            let sides = if is_across { [RIGHT, LEFT] } else { [DOWN, UP] };
            for ((from, to), side) in [(a, b), (b, a)].into_iter().zip(sides) {
                lines.cells_mut()[from] |= side;
                beside[from].push(to);
            }
        }
        // The cells on a line have the number of its end.
        let mut numbers = ends.map(|end| end.map_or(0, |pair| self.board.pairs()[pair].number));
        let mut reached: Vec<usize> = (0..ends.len()).filter(|&cell| ends[cell].is_some()).collect();
        while let Some(cell) = reached.pop() {
            for &near in &beside[cell] {
                if numbers[near] == 0 {
                    numbers.cells_mut()[near] = numbers[cell];
                    reached.push(near);
                }
            }
        }
        Ok(Solution::from_grid(numbers).with(LINES, Field::Grid(lines)))
    }
}
