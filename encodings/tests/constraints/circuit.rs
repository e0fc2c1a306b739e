//! Tests the circuit encoding that enforces connectivity by cuts. The clauses and the cuts together must accept an
//! assignment of the successors if and only if it is a circuit.

use gordian_encodings::constraint::{Circuit, Clause};
use gordian_encodings::encoding::circuit::CONNECTIVITY;
use gordian_encodings::{Assignment, Cnf, Constraint, Encodings, IntVar, Lit, Model, Value, constant};
use rustsat::solvers::{Solve, SolverResult};

/// Returns whether the clauses have a model with the successors `values` that violates no cut of the circuit.
fn accepted(circuit: &Circuit, domain: (Value, Value), values: &[Value]) -> bool {
    let mut model = Model::new();
    let ints: Vec<IntVar> = values.iter().map(|_| model.integer(domain.0..=domain.1)).collect();
    model.post(circuit.clone());
    for (&x, &value) in ints.iter().zip(values) {
        let equal = model.equals(x, value);
        model.post(Clause::new([equal]));
    }
    let mut cnf = Cnf::default();
    let mut encoded = model.encode(&Encodings::auto().deferring().with(&CONNECTIVITY), &mut cnf);
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause_ref(clause).expect("there is memory");
    }
    if solver.solve().expect("there is no limit") == SolverResult::Unsat {
        return false;
    }
    let found = solver.solution(rustsat::types::Var::new(cnf.variables().max(1))).expect("it is satisfiable");
    let holds = |lit: Lit| constant(lit).unwrap_or_else(|| found.lit_value(lit).to_bool_with_def(false));
    encoded.take_deferred().iter().all(|deferred| {
        deferred.unless.iter().any(|&lit| holds(lit)) || deferred.constraint.cuts(&holds).is_empty()
    })
}

#[test]
fn lazy_circuits_are_circuits() {
    for n in 1..=4_u32 {
        for optional in [false, true] {
            let mut model = Model::new();
            let ints: Vec<IntVar> = (0..n).map(|_| model.integer(-1..=Value::from(n))).collect();
            let circuit = Circuit { optional, ..Circuit::hamiltonian(ints) };
            let base = n + 2;
            for number in 0..base.pow(n) {
                let values: Vec<Value> =
                    (0..n).map(|k| Value::from(number / base.pow(k) % base) - 1).collect();
                let expected = circuit.holds(&Assignment::new(Vec::new(), values.clone()));
                assert_eq!(
                    accepted(&circuit, (-1, Value::from(n)), &values),
                    expected,
                    "{optional} {values:?}"
                );
            }
        }
    }
}
