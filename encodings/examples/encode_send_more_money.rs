//! Solves SEND + MORE = MONEY: each letter is a digit, different letters are different digits, and no number starts
//! with 0.
//!
//! The example depends only on `gordian-encodings`, rustsat's types and a solver.

use std::error::Error;

use gordian_encodings::constraint::{AllDifferent, Linear};
use gordian_encodings::{Cnf, Domain, Encodings, IntVar, Lit, Model};
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Clause, TernaryVal, Var};

const LETTERS: &str = "SENDMORY";

fn main() -> Result<(), Box<dyn Error>> {
    let mut model = Model::new();
    let digits: Vec<IntVar> = LETTERS
        .chars()
        .map(|letter| model.integer(Domain::interval(i128::from("SM".contains(letter)), 9)))
        .collect();
    let word = |word: &str, sign: i128| -> Vec<_> {
        let place = |(place, letter)| {
            let digit = LETTERS.find(letter).expect("a letter of the puzzle");
            (sign * 10_i128.pow(place as u32), digits[digit].into())
        };
        word.chars().rev().enumerate().map(place).collect()
    };
    model.post(AllDifferent::new(digits.clone()));
    model.post(Linear::equal([word("SEND", 1), word("MORE", 1), word("MONEY", -1)].concat(), 0));

    let mut cnf = Cnf::default();
    let encoded = model.encode(&Encodings::auto(), &mut cnf);
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause(clause.iter().copied().collect::<Clause>())?;
    }
    if solver.solve()? != SolverResult::Sat {
        return Err("there is a solution, but it was not found".into());
    }
    let found = solver.solution(Var::new(cnf.variables()))?;
    let value = |lit: Lit| match found.lit_value(lit) {
        TernaryVal::True => Some(true),
        TernaryVal::False => Some(false),
        TernaryVal::DontCare => None,
    };
    let solution = encoded.assignment(value);
    if !model.holds(&solution) {
        return Err("the solution breaks a rule".into());
    }
    for word in ["SEND", "MORE", "MONEY"] {
        let digit = |letter| LETTERS.find(letter).map(|index| solution.int(digits[index]).to_string());
        println!("{word:>5} {:>5}", word.chars().filter_map(digit).collect::<String>());
    }
    println!("{} variables, {} clauses", cnf.variables(), cnf.len());
    Ok(())
}
