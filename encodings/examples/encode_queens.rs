//! Counts the solutions of the eight queens puzzle: no two queens share a row, a column or a diagonal.
//!
//! The example depends only on `gordian-encodings`, rustsat's types and a solver. The optional arguments are the
//! number of queens and an encoding to use, such as `at-most-one=ladder`.

use std::error::Error;

use gordian_encodings::constraint::{AtMostOne, Clause};
use gordian_encodings::{Cnf, Encodings, Lit, Model};
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{TernaryVal, Var};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut size, mut encodings) = (8_usize, Encodings::auto());
    for argument in std::env::args().skip(1) {
        match argument.parse() {
            Ok(number) => size = number,
            Err(_) => encodings.choose_from(&argument)?,
        }
    }
    let mut model = Model::new();
    let board: Vec<Vec<Lit>> = (0..size).map(|_| (0..size).map(|_| model.boolean()).collect()).collect();
    let squares = || (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let line = |on: &dyn Fn(usize, usize) -> bool| -> Vec<Lit> {
        squares().filter(|&(row, column)| on(row, column)).map(|(row, column)| board[row][column]).collect()
    };
    for i in 0..size {
        model.post(Clause::new(line(&|row, _| row == i)));
        model.post(AtMostOne::new(line(&|row, _| row == i)));
        model.post(AtMostOne::new(line(&|_, column| column == i)));
    }
    for i in 0..(2 * size).saturating_sub(1) {
        model.post(AtMostOne::new(line(&|row, column| row + column == i)));
        model.post(AtMostOne::new(line(&|row, column| row + size == column + i + 1)));
    }

    let mut cnf = Cnf::default();
    model.encode(&encodings, &mut cnf);
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause(clause.iter().copied().collect::<rustsat::types::Clause>())?;
    }
    let mut solutions = 0;
    while solver.solve()? == SolverResult::Sat {
        let found = solver.solution(Var::new(cnf.variables().max(1)))?;
        let queens: Vec<Lit> =
            board.iter().flatten().copied().filter(|&lit| found.lit_value(lit) == TernaryVal::True).collect();
        solutions += 1;
        if solutions == 1 {
            for row in &board {
                let square = |lit| if queens.contains(lit) { " Q" } else { " ." };
                println!("{}", row.iter().map(square).collect::<String>());
            }
        }
        solver.add_clause(queens.into_iter().map(|queen| !queen).collect())?;
    }
    println!("{solutions} solutions; {} variables, {} clauses", cnf.variables(), cnf.len());
    Ok(())
}
