//! The pseudo-Boolean formula of Numberlink and Amaze.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `path_N_R_C` | the path of the number N visits the cell in row R and column C, both counted from 1 |
//! | `used_R_C` | some path visits the cell |
//! | `sides_R_C_S` | the path leaves the cell through the two sides whose sum is S, as in [`LINES`]. |
//! | `step_R_C_S_D` | a path moves between the cell in row R and column C and the cell in row S and column D, which is to the right of it or below it |

use std::collections::BTreeSet;

use super::{DOWN, LEFT, LINES, Numberlink, RIGHT, UP, Variant, beside};
use crate::opb::{Literal, NoFormula, Opb, RulesFormula, Sum, cell_name};
use crate::{Field, Grid, Solution, Violation};

impl Numberlink {
    fn path_name(&self, pair: usize, cell: usize) -> String {
        format!("path_{}_{}", self.pairs[pair].number, cell_name(self.ends.place(cell)))
    }

    fn used_name(&self, cell: usize) -> String {
        format!("used_{}", cell_name(self.ends.place(cell)))
    }

    fn step_name(&self, a: usize, b: usize) -> String {
        let [a, b] = [a, b].map(|cell| cell_name(self.ends.place(cell)));
        format!("step_{a}_{b}")
    }

    /// Returns the numbers of the cells, and the sides through which paths leave them.
    fn fields(&self, solution: &Solution) -> Result<(Grid<i128>, Grid<i128>), Violation> {
        let grid = solution.grid(self.ends.rows(), self.ends.columns())?;
        let lines = match solution.get(LINES) {
            Some(Field::Grid(lines)) if lines.len() == grid.len() => lines.clone(),
            Some(_) => return Err(Violation::new("`lines` does not have the size of the board")),
            None => self.lines(grid),
        };
        Ok((grid.clone(), lines))
    }

    /// Returns the sets of sides through which a path can leave a used cell, each with the steps through these sides. A path
    /// leaves an end through one side, and another cell through two sides.
    fn sides(&self, opb: &Opb, cell: usize) -> Vec<(i128, Vec<Literal>)> {
        let step = |side: i128| {
            let near = beside(&self.ends, cell, side)?;
            Some((side, opb.find(&self.step_name(cell.min(near), cell.max(near)))?))
        };
        let steps: Vec<(i128, Literal)> = [UP, RIGHT, DOWN, LEFT].into_iter().filter_map(step).collect();
        if self.ends[cell].is_some() {
            return steps.into_iter().map(|(side, step)| (side, vec![step])).collect();
        }
        let with = |index: usize| {
            let (side, step) = steps[index];
            steps[..index].iter().map(move |&(other, second)| (side + other, vec![step, second]))
        };
        (0..steps.len()).flat_map(with).collect()
    }

    fn sides_name(&self, cell: usize, sides: i128) -> String {
        format!("sides_{}_{sides}", cell_name(self.ends.place(cell)))
    }
}

impl RulesFormula for Numberlink {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let (ends, pairs) = (&self.ends, &self.pairs);
        let paths: Vec<Vec<Literal>> = (0..pairs.len())
            .map(|pair| (0..ends.len()).map(|cell| opb.variable(self.path_name(pair, cell))).collect())
            .collect();
        let used: Vec<Literal> = (0..ends.len()).map(|cell| opb.variable(self.used_name(cell))).collect();
        // A path never moves between two cells with different given numbers, so such a pair has no variable.
        let possible =
            |&(a, b): &(usize, usize)| ends[a].is_none() || ends[b].is_none() || ends[a] == ends[b];
        let steps: Vec<(usize, usize, Literal)> =
            ends.edges().filter(possible).map(|(a, b)| (a, b, opb.variable(self.step_name(a, b)))).collect();

        opb.comment("the ends of the paths");
        for (pair, path) in pairs.iter().zip(&paths) {
            for cell in pair.cells {
                opb.clause([path[cell]]);
            }
        }
        opb.comment("a used cell is on one path, and the other cells are on none");
        for cell in 0..ends.len() {
            let of = paths.iter().map(|path| (1, path[cell])).chain([(-1, used[cell])]);
            opb.at_least(of.clone(), 0);
            opb.at_most(of, 0);
            if self.all_cells() {
                opb.clause([used[cell]]);
            }
        }
        opb.comment("a step joins cells of the same path");
        for &(a, b, step) in &steps {
            opb.clause([!step, used[a]]);
            for path in &paths {
                opb.clause([!step, !path[a], path[b]]);
                opb.clause([!step, path[a], !path[b]]);
            }
        }
        opb.comment("an end has one step, and every other used cell has two");
        for cell in 0..ends.len() {
            let at = steps.iter().filter(|&&(a, b, _)| a == cell || b == cell).map(|&(_, _, step)| step);
            let at: Vec<Literal> = at.collect();
            if ends[cell].is_some() {
                opb.exactly(at, 1);
            } else {
                opb.two_if(used[cell], &at);
            }
        }
        if !self.touch() {
            opb.comment("neighbours on the same path are joined by a step");
            for &(a, b, step) in &steps {
                for path in &paths {
                    opb.clause([!path[a], !path[b], step]);
                }
            }
        }
        if self.touch() {
            opb.comment("the sides through which a path leaves a cell");
            for cell in (0..ends.len()).filter(|&cell| ends[cell].is_none()) {
                for (sides, steps) in self.sides(&opb, cell) {
                    let both = opb.variable(self.sides_name(cell, sides));
                    for &step in &steps {
                        opb.clause([!both, step]);
                    }
                    opb.clause(steps.iter().map(|&step| !step).chain([both]));
                }
            }
        }
        opb.comment("steps connect each used cell with an end, so there are no cycles");
        let ends: Vec<usize> = pairs.iter().flat_map(|pair| pair.cells).collect();
        opb.connected_by_steps(&used, &steps, &ends);
        Ok(opb)
    }

    /// Returns the steps of the solution. Other solutions lack one of them: the steps of the solution connect the ends of
    /// each path, so no path of another solution that contains all of them has further steps.
    fn identifying(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let is_step = |literal: &Literal| !literal.negated && opb.name(*literal).starts_with("step_");
        Ok(self.literals(opb, solution)?.into_iter().filter(is_step).collect())
    }

    fn literals(&self, opb: &Opb, solution: &Solution) -> Result<Vec<Literal>, Violation> {
        let (grid, lines) = self.fields(solution)?;
        let mut literals = Vec::new();
        for cell in 0..grid.len() {
            for (pair, at) in self.pairs.iter().zip(0..) {
                let path = opb.find(&self.path_name(at, cell));
                literals.extend(path.map(|path| if grid[cell] == pair.number { path } else { !path }));
            }
            for side in [RIGHT, DOWN] {
                let step = beside(&grid, cell, side).and_then(|near| opb.find(&self.step_name(cell, near)));
                literals.extend(step.map(|step| if lines[cell] & side == 0 { !step } else { step }));
            }
        }
        Ok(literals)
    }

    /// The parts are the numbers of the cells and, if paths may touch themselves, the sides through which the path leaves
    /// each cell.
    fn unseen(&self, opb: &Opb, solutions: &[Solution]) -> Result<Sum, Violation> {
        let solutions: Vec<_> =
            solutions.iter().map(|solution| self.fields(solution)).collect::<Result<_, _>>()?;
        // The literal of a step between two ends states a value of both ends.
        let mut unseen = BTreeSet::new();
        for cell in 0..self.ends.len() {
            let has_number = |number| solutions.iter().any(|(grid, _)| grid[cell] == number);
            let pairs = (0..self.pairs.len()).filter(|&pair| !has_number(self.pairs[pair].number));
            unseen.extend(pairs.filter_map(|pair| opb.find(&self.path_name(pair, cell))));
            if !has_number(0) {
                unseen.extend(opb.find(&self.used_name(cell)).map(|used| !used));
            }
            if self.touch() {
                let has_sides = |sides| solutions.iter().any(|(_, lines)| lines[cell] == sides);
                for (sides, steps) in
                    self.sides(opb, cell).into_iter().filter(|(sides, _)| !has_sides(*sides))
                {
                    let literal = match steps[..] {
                        [step] => Some(step),
                        _ => opb.find(&self.sides_name(cell, sides)),
                    };
                    unseen.extend(literal);
                }
            }
        }
        Ok(unseen.into_iter().collect())
    }

    /// The objectives are `sum`, the sum of the numbers in all cells, and `cells`, the number of cells on paths.
    fn cost(&self, opb: &Opb, objective: &str) -> Option<Vec<(i128, Literal)>> {
        let weight = |number: i128| match (objective, self.variant) {
            ("sum", Variant::Amaze) => Some(number),
            ("cells", _) => Some(1),
            _ => None,
        };
        let terms = (0..self.pairs.len()).flat_map(|pair| (0..self.ends.len()).map(move |cell| (pair, cell)));
        terms
            .map(|(pair, cell)| {
                Some((weight(self.pairs[pair].number)?, opb.find(&self.path_name(pair, cell))?))
            })
            .collect()
    }
}
