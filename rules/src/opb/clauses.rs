//! Decides whether clauses follow from a formula.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::compare::Simplified;
use super::{Literal, Opb, OpbRow, Truth};

/// The definition of an auxiliary variable: its literal, the terms and the bound.
type Definition = (i32, Vec<(i128, i32)>, i128);

/// The clauses that follow from a formula. The formula consists of the rules of a puzzle and the negation of a claim.
///
/// The variables of the clauses are numbers, as in DIMACS files. Some stand for a variable of the formula and have its
/// [name](Clauses::name). Others have a [definition](Clauses::define). Every assignment of the other variables
/// determines the values of the defined variables. Therefore, a satisfiable formula remains satisfiable when the
/// definitions are added.
#[derive(Debug)]
pub struct Clauses<'a> {
    rules: &'a Opb,
    known: Simplified,
    rows: Vec<OpbRow>,
    /// Maps each variable of the formula to the rows that contain it.
    rows_of: HashMap<usize, Vec<usize>>,
    names: HashMap<u32, Literal>,
    definitions: HashMap<u32, Definition>,
    /// The defined variables that are equal to a sum because a row states that at most one of its literals is true.
    /// Each one has the literals of the sum.
    sums: HashMap<usize, (i32, Vec<i32>)>,
    /// The variables that occur in definitions.
    used: HashSet<u32>,
}

/// A sum of linear inequalities over variables: the terms add up to at least the bound.
#[derive(Default)]
struct Sum {
    terms: BTreeMap<usize, i128>,
    bound: i128,
}

impl Sum {
    fn add(&mut self, coefficient: i128, value: Truth) -> Option<()> {
        match value {
            Truth::Constant(holds) => {
                self.bound = self.bound.checked_sub(if holds { coefficient } else { 0 })?;
            }
            Truth::Same(Literal { variable, negated }) => {
                let mut signed = coefficient;
                if negated {
                    // This uses the equation `c * (1 - x) = c - c * x`.
                    self.bound = self.bound.checked_sub(coefficient)?;
                    signed = coefficient.checked_neg()?;
                }
                let sum = self.terms.entry(variable).or_default();
                *sum = sum.checked_add(signed)?;
            }
        }
        Some(())
    }

    fn add_row(&mut self, row: &OpbRow) -> Option<()> {
        self.bound = self.bound.checked_add(row.bound)?;
        row.terms.iter().try_for_each(|&(coefficient, literal)| self.add(coefficient, Truth::Same(literal)))
    }

    fn coefficient(&self, variable: usize) -> i128 {
        self.terms.get(&variable).copied().unwrap_or_default()
    }

    /// Returns the largest difference between the sum and the bound over all assignments that contain the given literals.
    /// If it is negative, these assignments violate the inequality.
    fn slack(&self, assigned: &BTreeSet<Literal>) -> Option<i128> {
        let most = |(&variable, &coefficient)| most(variable, coefficient, assigned);
        self.terms.iter().map(most).try_fold(0_i128.checked_sub(self.bound)?, i128::checked_add)
    }

    /// Returns the [slack](Sum::slack) of the sum with another inequality, given the slack of this one.
    fn slack_with(&self, other: &Self, slack: i128, assigned: &BTreeSet<Literal>) -> Option<i128> {
        let mut slack = slack.checked_sub(other.bound)?;
        for (&variable, &coefficient) in &other.terms {
            let own = self.coefficient(variable);
            let after = most(variable, own.checked_add(coefficient)?, assigned);
            slack = slack.checked_add(after)?.checked_sub(most(variable, own, assigned))?;
        }
        Some(slack)
    }
}

/// Returns the largest value of a term over all assignments that contain the given literals.
fn most(variable: usize, coefficient: i128, assigned: &BTreeSet<Literal>) -> i128 {
    let is_assigned = |negated| assigned.contains(&Literal { variable, negated });
    if is_assigned(false) || (coefficient > 0 && !is_assigned(true)) { coefficient } else { 0 }
}

/// Divides a row by the greatest common divisor of its coefficients, and rounds the bound up. The terms are integers, so
/// the row keeps its solutions.
fn divided(mut row: OpbRow) -> OpbRow {
    let divisor = row.terms.iter().fold(0_i128, |divisor, &(coefficient, _)| gcd(divisor, coefficient));
    if divisor > 1 {
        row.terms.iter_mut().for_each(|(coefficient, _)| *coefficient /= divisor);
        row.bound = row.bound.div_euclid(divisor) + i128::from(row.bound.rem_euclid(divisor) > 0);
    }
    row
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl<'a> Clauses<'a> {
    /// Creates the set of clauses that follow from `rules` and `opposite`. The rows in `opposite` state the negation of
    /// a claim, using the variables of `rules`.
    #[must_use]
    pub fn new(rules: &'a Opb, opposite: &[OpbRow]) -> Self {
        let mut known = Simplified::new(rules.variables(), rules.rows());
        let simplified = rules.rows().iter().chain(opposite).filter_map(|row| known.row(row));
        let rows: Vec<OpbRow> = simplified.map(divided).collect();
        // Every assignment may violate a row. For example, propagation of the rules may determine a solution, which
        // `opposite` excludes.
        let most = |row: &OpbRow| {
            row.terms.iter().try_fold(0_i128, |sum, &(coefficient, _)| sum.checked_add(coefficient))
        };
        known.contradiction |= rows.iter().any(|row| most(row).is_some_and(|most| most < row.bound));
        let mut rows_of: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, row) in rows.iter().enumerate() {
            for (_, literal) in &row.terms {
                rows_of.entry(literal.variable).or_default().push(index);
            }
        }
        let (names, definitions, sums, used) = Default::default();
        Self { rules, known, rows, rows_of, names, definitions, sums, used }
    }

    /// Sets the name of a variable.
    ///
    /// # Errors
    /// Returns an error message if the variable already has a name or a definition, if it occurs in a definition, or if
    /// the formula has no variable with the name.
    pub fn name(&mut self, variable: u32, name: &str) -> Result<(), String> {
        let literal = self.rules.find(name);
        let literal =
            literal.ok_or_else(|| format!("expected a variable of the rules, found `{name:.40}`"))?;
        if !self.is_new(variable) {
            return Err(format!("expected the name of a new variable, found variable {variable}"));
        }
        self.names.insert(variable, literal);
        Ok(())
    }

    /// Defines a variable that has neither a name nor a definition and occurs in no definition: `literal` is true if and
    /// only if the sum of the terms is at least `bound`.
    ///
    /// # Errors
    /// Returns an error message if the variable is not new, or occurs in the terms.
    pub fn define(&mut self, literal: i32, terms: Vec<(i128, i32)>, bound: i128) -> Result<(), String> {
        let variable = literal.unsigned_abs();
        let is_recursive = terms.iter().any(|(_, literal)| literal.unsigned_abs() == variable);
        if is_recursive || !self.is_new(variable) {
            return Err(format!("expected a definition of a new variable, found variable {variable}"));
        }
        if bound == 1 && self.at_most_one(&terms) {
            let terms = terms.iter().map(|&(_, literal)| literal).collect();
            self.sums.insert(self.rules.variables() + variable as usize, (literal, terms));
        }
        self.used.extend(terms.iter().map(|(_, literal)| literal.unsigned_abs()));
        self.definitions.insert(variable, (literal, terms, bound));
        Ok(())
    }

    /// Returns whether a variable has neither a name nor a definition and occurs in no definition.
    fn is_new(&self, variable: u32) -> bool {
        !(self.names.contains_key(&variable)
            || self.definitions.contains_key(&variable)
            || self.used.contains(&variable))
    }

    /// Returns whether all coefficients are 1, and a row states that at most one of the literals is true, or propagation
    /// shows this.
    fn at_most_one(&self, terms: &[(i128, i32)]) -> bool {
        let row = || {
            let mut sum = Sum { terms: BTreeMap::new(), bound: -1 };
            terms.iter().try_for_each(|&(_, literal)| sum.add(-1, self.value(literal)))?;
            let terms = sum
                .terms
                .iter()
                .map(|(&variable, &coefficient)| (coefficient, Literal { variable, negated: false }));
            Some(divided(OpbRow::at_least(terms, sum.bound)?))
        };
        let is_stated = |row: OpbRow| {
            let variable = row.terms.first().map(|(_, literal)| literal.variable);
            let rows = variable.and_then(|variable| self.rows_of.get(&variable));
            row.bound <= 0 || rows.into_iter().flatten().any(|&index| self.rows[index] == row)
        };
        terms.iter().all(|&(coefficient, _)| coefficient == 1) && row().is_some_and(is_stated)
    }

    /// Replaces the variables that are equal to a sum by this sum. Returns `None` if there is none, or if a number
    /// overflows.
    fn replaced(&self, sum: &Sum) -> Option<Sum> {
        let mut replaced = Sum { terms: BTreeMap::new(), bound: sum.bound };
        let mut has_sum = false;
        for (&variable, &coefficient) in &sum.terms {
            let Some((defined, literals)) = self.sums.get(&variable) else {
                replaced.add(coefficient, Truth::Same(Literal { variable, negated: false }))?;
                continue;
            };
            has_sum = true;
            let mut coefficient = coefficient;
            if *defined < 0 {
                // The variable is 1 minus the sum.
                replaced.bound = replaced.bound.checked_sub(coefficient)?;
                coefficient = coefficient.checked_neg()?;
            }
            literals.iter().try_for_each(|&literal| replaced.add(coefficient, self.value(literal)))?;
        }
        Some(replaced).filter(|_| has_sum)
    }

    /// Returns the value of a literal of a clause. Variables without a name are numbered after the variables of the
    /// formula.
    fn value(&self, literal: i32) -> Truth {
        let variable = literal.unsigned_abs();
        if let Some(&named) = self.names.get(&variable) {
            return self.known.value(if literal < 0 { !named } else { named });
        }
        let variable = self.rules.variables() + variable as usize;
        Truth::Same(Literal { variable, negated: literal < 0 })
    }

    /// Adds the inequality that the definition of a literal implies if the literal is false. Does nothing if the
    /// literal has no definition.
    fn add_definition(&self, sum: &mut Sum, literal: i32) -> Option<()> {
        let Some((defined, terms, bound)) = self.definitions.get(&literal.unsigned_abs()) else {
            return Some(());
        };
        // If the defined literal is false, the sum is at most `bound - 1`.
        let sign = if *defined == literal { -1 } else { 1 };
        let bound = if *defined == literal { 1_i128.checked_sub(*bound)? } else { *bound };
        sum.bound = sum.bound.checked_add(bound)?;
        terms
            .iter()
            .try_for_each(|&(coefficient, term)| sum.add(coefficient.checked_mul(sign)?, self.value(term)))
    }

    /// Tests whether a clause follows from the formula and the definitions. The test is sound but incomplete. It
    /// assumes that all literals of the clause are false. It adds up the inequalities that the definitions of these
    /// literals then imply, and at most one row. If the sum can't be satisfied, the clause follows. If a row states that
    /// at most one of the literals of a disjunction is true, a variable that is defined as this disjunction may be
    /// replaced by the sum of these literals.
    #[must_use]
    pub fn follows(&self, clause: &[i32]) -> bool {
        self.known.contradiction || self.refuted(clause).unwrap_or(false)
    }

    /// Returns `None` if a number overflows.
    fn refuted(&self, clause: &[i32]) -> Option<bool> {
        let mut assigned = BTreeSet::new();
        for &literal in clause {
            match self.value(literal) {
                Truth::Constant(true) => return Some(true),
                Truth::Constant(false) => {}
                Truth::Same(literal) => drop(assigned.insert(!literal)),
            }
        }
        if assigned.iter().any(|&literal| assigned.contains(&!literal)) {
            return Some(true);
        }
        let mut sum = Sum::default();
        clause.iter().try_for_each(|&literal| self.add_definition(&mut sum, literal))?;
        if self.violates(&sum, &assigned)? {
            return Some(true);
        }
        match self.replaced(&sum) {
            Some(sum) => self.violates(&sum, &assigned),
            None => Some(false),
        }
    }

    /// Returns whether every assignment that contains the given literals violates the inequality, or its sum with a row.
    fn violates(&self, sum: &Sum, assigned: &BTreeSet<Literal>) -> Option<bool> {
        let slack = sum.slack(assigned)?;
        if slack < 0 {
            return Some(true);
        }
        // Only a row with an unassigned variable of the sum or with an assigned variable can make a difference. A row of
        // the former kind is more likely, and a variable with few rows is tested first.
        let is_open = |variable: &usize| {
            [false, true].iter().all(|&negated| !assigned.contains(&Literal { variable: *variable, negated }))
        };
        let rows = |variable: &usize| self.rows_of.get(variable).map_or(&[][..], Vec::as_slice);
        let open = sum.terms.iter().filter(|&(_, &coefficient)| coefficient != 0);
        let mut open: Vec<usize> = open.map(|(&variable, _)| variable).filter(is_open).collect();
        let mut fixed: Vec<usize> = assigned.iter().map(|literal| literal.variable).collect();
        open.sort_by_key(|variable| rows(variable).len());
        fixed.sort_by_key(|variable| rows(variable).len());
        let mut tested = HashSet::new();
        for &row in open.iter().chain(&fixed).flat_map(rows).filter(|&&row| tested.insert(row)) {
            let mut row_sum = Sum::default();
            row_sum.add_row(&self.rows[row])?;
            if sum.slack_with(&row_sum, slack, assigned)? < 0 {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Compares a given graph with the graph of the rules for the connected set named `number`. The given graph may
    /// lack vertices that can't be in the set, and its bounds on the size may be weaker than those of the rules.
    /// Vertices are matched by their names. The literal of a vertex that is always in the set is `None`. An edge lists
    /// its smaller vertex first.
    ///
    /// # Errors
    /// Returns a description of the difference.
    pub fn compare_graph(
        &self,
        number: u32,
        vertices: &[(u32, Option<i32>)],
        edges: &BTreeSet<(u32, u32)>,
        (least, most): (usize, usize),
    ) -> Result<(), String> {
        if self.known.contradiction {
            return Ok(());
        }
        let number = number.to_string();
        let graph = self.rules.graphs().iter().find(|graph| graph.set == number);
        let graph = graph.ok_or_else(|| format!("the rules have no graph {number}"))?;
        if least > graph.size.0 || most < graph.size.1 {
            return Err(format!(
                "graph {number}: expected a size from {} to {}, found {least} to {most}",
                graph.size.0, graph.size.1
            ));
        }
        let given: HashMap<u32, Option<i32>> = vertices.iter().copied().collect();
        // The number of each vertex of the rules, or `None` if the given graph lacks the vertex.
        let mut numbers = Vec::new();
        for vertex in &graph.vertices {
            let entry = vertex.name.parse().ok().and_then(|number: u32| given.get_key_value(&number));
            let expected = vertex.member.map_or(Truth::Constant(true), |member| self.known.value(member));
            let found = match entry {
                Some((_, literal)) => literal.map_or(Truth::Constant(true), |literal| self.value(literal)),
                None => Truth::Constant(false),
            };
            if found != expected {
                let name = &vertex.name;
                return Err(format!("graph {number}: the literal of vertex {name} is not that of the rules"));
            }
            numbers.push(entry.map(|(&number, _)| number));
        }
        if let Some((vertex, _)) = vertices.iter().find(|(vertex, _)| !numbers.contains(&Some(*vertex))) {
            return Err(format!("graph {number}: the rules have no vertex {vertex}"));
        }
        let both = graph.edges.iter().filter_map(|&(a, b)| numbers[a].zip(numbers[b]));
        let expected: BTreeSet<(u32, u32)> = both.map(|(a, b)| (a.min(b), a.max(b))).collect();
        match edges.symmetric_difference(&expected).next() {
            None => Ok(()),
            Some(edge @ (a, b)) if expected.contains(edge) => {
                Err(format!("graph {number}: expected the edge {a} {b} of the rules"))
            }
            Some((a, b)) => Err(format!("graph {number}: the rules have no edge {a} {b}")),
        }
    }
}
