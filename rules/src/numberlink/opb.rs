//! The pseudo-Boolean formula of Numberlink and Amaze.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `path_N_R_C` | the path of the number N visits the cell in row R and column C, both counted from 1 |
//! | `used_R_C` | some path visits the cell |
//! | `step_R_C_S_D` | a path moves between the cell in row R and column C and the cell in row S and column D, which is to the right of it or below it |

use super::{LINES, Numberlink, Variant, beside};
use crate::numberlink::{DOWN, RIGHT};
use crate::opb::{Literal, NoFormula, Opb, RulesFormula, cell_name};
use crate::{Field, Solution, Violation};

impl Numberlink {
    fn path_name(&self, pair: usize, cell: usize) -> String {
        format!("path_{}_{}", self.pairs[pair].number, cell_name(self.ends.place(cell)))
    }

    fn step_name(&self, a: usize, b: usize) -> String {
        let [a, b] = [a, b].map(|cell| cell_name(self.ends.place(cell)));
        format!("step_{a}_{b}")
    }
}

impl RulesFormula for Numberlink {
    fn formula(&self) -> Result<Opb, NoFormula> {
        let mut opb = Opb::new();
        let (ends, pairs) = (&self.ends, &self.pairs);
        let paths: Vec<Vec<Literal>> = (0..pairs.len())
            .map(|pair| (0..ends.len()).map(|cell| opb.variable(self.path_name(pair, cell))).collect())
            .collect();
        let used: Vec<Literal> = (0..ends.len())
            .map(|cell| opb.variable(format_args!("used_{}", cell_name(ends.place(cell)))))
            .collect();
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
        let grid = solution.grid(self.ends.rows(), self.ends.columns())?;
        let lines = match solution.get(LINES) {
            Some(Field::Grid(lines)) if lines.len() == grid.len() => lines.clone(),
            Some(_) => return Err(Violation::new("`lines` does not have the size of the board")),
            None => self.lines(grid),
        };
        let mut literals = Vec::new();
        for cell in 0..grid.len() {
            for (pair, at) in self.pairs.iter().zip(0..) {
                let path = opb.find(&self.path_name(at, cell));
                literals.extend(path.map(|path| if grid[cell] == pair.number { path } else { !path }));
            }
            for side in [RIGHT, DOWN] {
                let step = beside(grid, cell, side).and_then(|near| opb.find(&self.step_name(cell, near)));
                literals.extend(step.map(|step| if lines[cell] & side == 0 { !step } else { step }));
            }
        }
        Ok(literals)
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
