//! The constraint model of a board: each instance of a rule becomes constraints with its name.
//!
//! A formula of the ground rules gets a literal only where a clause needs one. A literal that only has to imply its
//! formula is defined in one direction (Plaisted and Greenbaum: A structure-preserving clause form translation, Journal
//! of Symbolic Computation 1986). Definitions have no name and always hold, also in explanations.
//!
//! The file has over 400 lines because all methods share the literals of formulas.

use std::collections::HashMap;
use std::sync::Arc;

use gordian_encodings::constraint::{
    AllDifferent, Clause, Comparison, Constraint, Equality, Linear, Product, Reified,
};
use gordian_encodings::lit::from_bool;
use gordian_encodings::{Domain, Expr, FALSE, Graph, IntVar, Lit, Name, Names, TRUE, Term};

use super::islands::Islands;
use super::place;
use super::relations::At;
use crate::puzzle::Plain;
use crate::rules::relation::Neighbours;
use crate::rules::sheet::{self, Formula, Ground, Instance, Required, Sheet, SheetBoard, Sum, Value};

/// The number of values up to which a disjunction of equations has a clause for each value.
const MOST_VALUES: u128 = 1_000;

/// The variable of the model for a variable of the sheet.
#[derive(Debug, Clone, Copy)]
pub(super) enum Var {
    Boolean(Lit),
    Number(IntVar),
}

/// Returns the names of the variables.
fn variables(sheet: &'static Sheet, ground: &Arc<Ground>) -> Names {
    let ground = Arc::clone(ground);
    Names::new(move |index| {
        let variable = &ground.variables[index];
        format!("{}({})", sheet.vars[variable.family].name, super::parts::spot_name(&variable.place))
    })
}

/// Returns the names of the rules' instances.
fn instances(sheet: &'static Sheet, ground: &Arc<Ground>) -> Names {
    let ground = Arc::clone(ground);
    Names::new(move |index| {
        let instance = &ground.instances[index];
        instance_name(&sheet.rules[instance.rule].name, &instance.at)
    })
}

fn instance_name(rule: &str, at: &[Value]) -> String {
    let named: Vec<String> = at.iter().map(ToString::to_string).collect();
    if named.is_empty() { rule.to_owned() } else { format!("{rule} at {}", named.join(", ")) }
}

/// What a constraint belongs to.
enum Owner {
    /// A rule of the plain formulation.
    Rule(usize),
    /// An instance of a rule that has only a name.
    Instance(Name),
}

/// A board's model under construction.
pub(super) struct Builder<'a> {
    pub(super) board: &'a SheetBoard,
    sheet: &'static Sheet,
    ground: &'a Ground,
    pub(super) plain: Plain,
    /// True if all rules hold, so that the model can have fewer literals than rules that must stay apart.
    pub(super) is_for_solving: bool,
    /// True if relations are constraints with frontier states.
    pub(super) is_for_sweep: bool,
    /// The variables of the model, one for each of [`Ground::variables`].
    pub(super) vars: Vec<Var>,
    /// Literals that are equivalent to the nodes of formulas.
    exact: Vec<Option<Lit>>,
    /// Literals that imply the nodes of formulas, or their negations.
    half: Vec<[Option<Lit>; 2]>,
    products: HashMap<Vec<Sum>, IntVar>,
    /// The last graph of a relation, with its neighbours.
    pub(super) graph: Option<(Neighbours, Arc<Graph>)>,
    /// The names of the rules' instances, if these are no rules of the plain formulation.
    instances: Option<Names>,
    /// The rule whose constraints are posted.
    rule: Option<Owner>,
    /// True if the parts of the current rule at places are rules of their own.
    is_divided: bool,
    /// The parts of rules at places.
    parts: HashMap<(usize, At), usize>,
    /// The components that can contain the places of variables.
    pub(super) islands: Islands,
    /// The plain rules which state the sizes of components, by their roots. All other rules hold for any size.
    pub(super) sizes: HashMap<Value, usize>,
}

impl<'a> Builder<'a> {
    /// Creates the variables of a board. The instances of the rules become rules of the plain formulation.
    pub(super) fn new(board: &'a SheetBoard, sheet: &'static Sheet, ground: &'a Arc<Ground>) -> Self {
        let names = variables(sheet, ground);
        Self::named(board, sheet, ground, &|index| names.at(index))
    }

    /// Creates the variables of a board for a model in which some of the rules hold. Only their constraints have names.
    pub(super) fn partial(board: &'a SheetBoard, sheet: &'static Sheet, ground: &'a Arc<Ground>) -> Self {
        Self { instances: Some(instances(sheet, ground)), ..Self::new(board, sheet, ground) }
    }

    /// Creates the variables of a board with only the values that the rules do not rule out at once, for a model in which all
    /// rules hold. Only their constraints have names. If `keeps_values` is true, numbers keep values that only further
    /// conclusions from the rules exclude, because parts of a solution list them.
    pub(super) fn narrowed(
        board: &'a SheetBoard,
        sheet: &'static Sheet,
        ground: &'a Arc<Ground>,
        keeps_values: bool,
    ) -> Self {
        let names = variables(sheet, ground);
        let narrowed = super::narrow::values(ground, keeps_values);
        Self {
            is_for_solving: true,
            instances: Some(instances(sheet, ground)),
            ..Self::with_values(board, sheet, ground, &|index| names.at(index), &narrowed)
        }
    }

    /// Creates the variables of a board for a plain formulation, in which the roots of components are known.
    pub(super) fn plain(board: &'a SheetBoard, sheet: &'static Sheet, ground: &'a Arc<Ground>) -> Self {
        let names = variables(sheet, ground);
        Self::with_values(board, sheet, ground, &|index| names.at(index), &super::narrow::roots(ground))
    }

    /// Creates the variables of a board with the given names.
    pub(super) fn named(
        board: &'a SheetBoard,
        sheet: &'static Sheet,
        ground: &'a Ground,
        name: &dyn Fn(usize) -> Name,
    ) -> Self {
        Self::with_values(board, sheet, ground, name, &[])
    }

    fn with_values(
        board: &'a SheetBoard,
        sheet: &'static Sheet,
        ground: &'a Ground,
        name: &dyn Fn(usize) -> Name,
        narrowed: &[Option<Vec<i64>>],
    ) -> Self {
        let mut plain = Plain::new();
        let mut vars = Vec::with_capacity(ground.variables.len());
        for (index, variable) in ground.variables.iter().enumerate() {
            let family = &board.sheet().vars[variable.family];
            let name = name(index);
            let known = narrowed.get(index).and_then(Option::as_ref);
            vars.push(if let (true, Some(&[value])) = (family.is_boolean(), known.map(Vec::as_slice)) {
                Var::Boolean(from_bool(value == 1))
            } else if family.is_boolean() {
                let lit = plain.model.boolean();
                plain.model.name(lit, name);
                Var::Boolean(lit)
            } else {
                if variable.values.is_empty() {
                    plain.define(Clause::new([]));
                }
                // A variable of the model needs a value, even if the board has no solution.
                let values = known.map_or(&variable.values[..], Vec::as_slice);
                let values = if values.is_empty() { &[0][..] } else { values };
                let x = plain.model.integer(Domain::from_values(values.iter().copied().map(i128::from)));
                plain.model.name_integer(x, name);
                Var::Number(x)
            });
        }
        let nodes = ground.required.len();
        let (exact, half) = (vec![None; nodes], vec![[None; 2]; nodes]);
        Self {
            board,
            sheet,
            ground,
            plain,
            is_for_solving: false,
            is_for_sweep: false,
            vars,
            exact,
            half,
            products: HashMap::new(),
            graph: None,
            instances: None,
            rule: None,
            is_divided: true,
            parts: HashMap::new(),
            islands: Islands::new(),
            sizes: HashMap::new(),
        }
    }

    pub(super) fn ground(&self) -> &'a Ground {
        self.ground
    }

    /// Posts the instances of the rules.
    pub(super) fn rules(&mut self, implied: bool) {
        let sheet = self.sheet;
        self.rules_where(|rule| implied || !sheet.rules[rule].implied);
    }

    /// Posts the instances of some rules, which are chosen by their indices in [`Sheet::rules`].
    pub(super) fn rules_where(&mut self, chosen: impl Fn(usize) -> bool) {
        self.rules_named(chosen, |_, _| None);
    }

    /// Works like [`Builder::rules_where`], but instances for which `named` returns a rule of the plain formulation belong
    /// to this rule, with all their parts.
    pub(super) fn rules_named(
        &mut self,
        chosen: impl Fn(usize) -> bool,
        mut named: impl FnMut(&mut Self, &Instance) -> Option<usize>,
    ) {
        for (index, instance) in self.ground.instances.iter().enumerate() {
            let rule = &self.sheet.rules[instance.rule];
            if instance.formula == Formula::TRUE || !chosen(instance.rule) {
                continue;
            }
            let known = named(self, instance);
            self.is_divided = known.is_none();
            self.rule = Some(match (known, &self.instances) {
                (Some(rule), _) => Owner::Rule(rule),
                (None, Some(names)) => Owner::Instance(names.at(index)),
                (None, None) => {
                    let cells = self.cells(&instance.at);
                    Owner::Rule(self.plain.rule(&rule.name, instance_name(&rule.name, &instance.at), cells))
                }
            });
            self.require(instance.formula);
        }
        self.rule = None;
    }

    /// Returns the indices of the cells of places, or beside them.
    pub(super) fn cells(&self, places: &[Value]) -> Vec<usize> {
        let columns = usize::from(self.board.size().columns);
        let cells = sheet::cells_of(self.board.size(), places.iter().cloned());
        cells.into_iter().map(place).map(|place| place.row * columns + place.column).collect()
    }

    /// Posts a constraint of the part of the current rule at a place, such as "one loop at r1c7". Only explanations need
    /// such parts.
    pub(super) fn post_at(&mut self, at: &At, constraint: Box<dyn Constraint>) {
        let whole = match self.rule {
            Some(Owner::Rule(whole)) if self.is_divided => whole,
            _ => return self.post_boxed(constraint),
        };
        let known = self.parts.get(&(whole, at.clone())).copied();
        let part = known.unwrap_or_else(|| {
            let (family, rule) = (self.plain.rules[whole].family, &self.plain.rules[whole].name);
            let (name, place) = match at {
                At::Place(place) => (instance_name(rule, std::slice::from_ref(place)), place),
                At::Reach(place) => (format!("{rule} in reach of {place}"), place),
            };
            let part = self.plain.rule(family, name, self.cells(std::slice::from_ref(place)));
            self.parts.insert((whole, at.clone()), part);
            part
        });
        self.rule = Some(Owner::Rule(part));
        self.post_boxed(constraint);
        self.rule = Some(Owner::Rule(whole));
    }

    /// Adds a constraint that follows from the parts of the current rule at some places.
    pub(super) fn imply_at(
        &mut self,
        places: impl Iterator<Item = Value>,
        constraint: impl Constraint + 'static,
    ) {
        let whole = match self.rule {
            Some(Owner::Rule(whole)) if self.is_divided => whole,
            _ => return,
        };
        let rules = places.map(|place| self.parts.get(&(whole, At::Place(place))).copied());
        if let Some(rules) = rules.collect() {
            self.plain.imply(rules, constraint);
        }
    }

    /// Posts a constraint like [`Builder::post`].
    pub(super) fn post_boxed(&mut self, constraint: Box<dyn Constraint>) {
        match &self.rule {
            Some(Owner::Rule(rule)) => self.plain.post_boxed(Some(*rule), constraint),
            Some(Owner::Instance(name)) => self.plain.model.post_boxed(name.clone(), constraint),
            None => self.plain.post_boxed(None, constraint),
        }
    }

    /// Posts a constraint of the current rule, or a definition if there is no current rule.
    pub(super) fn post(&mut self, constraint: impl Constraint + 'static) {
        self.post_boxed(Box::new(constraint));
    }

    /// Posts a formula for the current rule.
    fn require(&mut self, formula: Formula) {
        let ground = self.ground;
        match (&ground.required[formula.index()], formula.is_negated()) {
            (Required::True, false) => {}
            (Required::All(all), false) => all.iter().for_each(|&part| self.require(part)),
            (Required::Compare(sum, comparison), negated) => {
                let linear = self.linear(sum, *comparison, negated);
                self.post_boxed(linear);
            }
            (Required::Relation(relation, places), false) => super::relations::post(self, relation, places),
            (&Required::Equivalent(a, b), negated) => {
                let (a, b) = (self.exact(a), self.exact(b));
                let b = if negated { !b } else { b };
                self.post(Clause::new([!a, b]));
                self.post(Clause::new([a, !b]));
            }
            (Required::All(all), true) if self.require_by_values(all) => {}
            _ => {
                let lits = self.disjuncts(formula);
                self.post(Clause::new(lits));
            }
        }
    }

    /// Requires that not all formulas hold, if several of them are disequalities of one number and others. There is a clause
    /// for each value of this number, which has the literal for the corresponding value of each other number. So the
    /// equations, such as those of a number and its successor next to it, need no literals and no clauses of their own.
    fn require_by_values(&mut self, all: &[Formula]) -> bool {
        let mut open: Vec<Formula> = all.to_vec();
        let mut all: Vec<Formula> = Vec::new();
        while let Some(part) = open.pop() {
            match &self.ground.required[part.index()] {
                Required::All(parts) if !part.is_negated() => open.extend(parts),
                _ => all.push(part),
            }
        }
        let equations: Vec<Option<[(usize, i128); 2]>> =
            all.iter().map(|&part| self.equation(!part)).collect();
        if equations.iter().flatten().count() < 2 {
            return false;
        }
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for &(index, _) in equations.iter().flatten().flatten() {
            *counts.entry(index).or_default() += 1;
        }
        let Some((count, common)) = counts.into_iter().map(|(index, count)| (count, index)).max() else {
            return false;
        };
        let Var::Number(x) = self.vars[common] else { return false };
        if count < 2 || self.plain.model.domain(x).size() > MOST_VALUES {
            return false;
        }
        let mut others: Vec<(IntVar, i128)> = Vec::new();
        let mut rest: Vec<Lit> = Vec::new();
        for (&part, equation) in all.iter().zip(equations) {
            let equal = equation.and_then(|[a, b]| match (a.0 == common, b.0 == common) {
                (true, false) => Some((b.0, b.1 - a.1)),
                (false, true) => Some((a.0, a.1 - b.1)),
                _ => None,
            });
            match equal.map(|(index, offset)| (self.vars[index], offset)) {
                Some((Var::Number(other), offset)) => others.push((other, offset)),
                _ => rest.push(self.half(!part)),
            }
        }
        let values: Vec<i128> = self.plain.model.domain(x).values().collect();
        for value in values {
            let model = &mut self.plain.model;
            let equal = others.iter().map(|&(other, offset)| model.equals(other, value + offset));
            let mut lits: Vec<Lit> = equal.chain(rest.iter().copied()).filter(|&lit| lit != FALSE).collect();
            lits.push(!model.equals(x, value));
            self.post(Clause::new(lits));
        }
        true
    }

    /// Returns the variables of an equation of two numbers, each with an offset: the first one less its offset equals the
    /// second one less its offset.
    fn equation(&self, formula: Formula) -> Option<[(usize, i128); 2]> {
        match &self.ground.required[formula.index()] {
            Required::Compare(sum, sheet::Comparison::Zero) if !formula.is_negated() => match sum.terms[..] {
                [(a @ (1 | -1), sheet::Term::Variable(x)), (b, sheet::Term::Variable(y))] if a + b == 0 => {
                    Some([(x, -i128::from(sum.constant) * i128::from(a)), (y, 0)])
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns literals, one of which must be true for the formula to hold; if one is true, the formula holds.
    fn disjuncts(&mut self, formula: Formula) -> Vec<Lit> {
        let ground = self.ground;
        match (&ground.required[formula.index()], formula.is_negated()) {
            (Required::True, true) => Vec::new(),
            (Required::All(all), true) => all.iter().map(|&part| self.half(!part)).collect(),
            _ => vec![self.half(formula)],
        }
    }

    /// Returns a literal that implies the formula.
    pub(super) fn half(&mut self, formula: Formula) -> Lit {
        let (node, negated) = (formula.index(), formula.is_negated());
        if let Some(lit) = self.exact[node] {
            return if negated { !lit } else { lit };
        }
        if let Some(lit) = self.half[node][usize::from(negated)] {
            return lit;
        }
        let ground = self.ground;
        let lit = match &ground.required[node] {
            Required::True | Required::Variable(_) | Required::Equivalent(..) => return self.exact(formula),
            Required::Compare(sum, comparison) => {
                if let Some(lit) = self.atom(sum, *comparison) {
                    return if negated { !lit } else { lit };
                }
                let lit = self.plain.model.boolean();
                let linear = self.linear(sum, *comparison, negated);
                self.plain.define(Reified { condition: lit, then: Some(linear.into()), otherwise: None });
                lit
            }
            Required::All(all) => {
                let lit = self.plain.model.boolean();
                if negated {
                    let clause: Vec<Lit> = all.iter().map(|&part| self.half(!part)).chain([!lit]).collect();
                    self.plain.define(Clause::new(clause));
                } else {
                    for &part in all {
                        let clause: Vec<Lit> = self.disjuncts(part).into_iter().chain([!lit]).collect();
                        self.plain.define(Clause::new(clause));
                    }
                }
                lit
            }
            Required::Relation(relation, places) => {
                let lit = self.plain.model.boolean();
                let (rule, islands) = (self.rule.take(), std::mem::take(&mut self.islands));
                for then in super::relations::constraints(self, relation, places) {
                    self.plain.define(Reified { condition: lit, then: Some(then.into()), otherwise: None });
                }
                (self.rule, self.islands) = (rule, islands);
                lit
            }
        };
        self.half[node][usize::from(negated)] = Some(lit);
        lit
    }

    /// Returns a literal that is equivalent to the formula.
    pub(super) fn exact(&mut self, formula: Formula) -> Lit {
        let node = formula.index();
        let lit = self.exact[node].unwrap_or_else(|| self.define(node));
        self.exact[node] = Some(lit);
        if formula.is_negated() { !lit } else { lit }
    }

    fn define(&mut self, node: usize) -> Lit {
        let ground = self.ground;
        match &ground.required[node] {
            Required::True => TRUE,
            &Required::Variable(index) => match self.vars[index] {
                Var::Boolean(lit) => lit,
                Var::Number(_) => unreachable!("formulas contain Boolean variables"),
            },
            Required::All(all) => {
                let lits: Vec<Lit> = all.iter().map(|&part| self.exact(part)).collect();
                let lit = self.plain.model.boolean();
                for &part in &lits {
                    self.plain.define(Clause::new([!lit, part]));
                }
                self.plain
                    .define(Clause::new(lits.iter().map(|&part| !part).chain([lit]).collect::<Vec<_>>()));
                lit
            }
            &Required::Equivalent(a, b) => {
                let (a, b) = (self.exact(a), self.exact(b));
                let lit = self.plain.model.boolean();
                for clause in [[!lit, !a, b], [!lit, a, !b], [lit, a, b], [lit, !a, !b]] {
                    self.plain.define(Clause::new(clause));
                }
                lit
            }
            Required::Compare(sum, comparison) => {
                if let Some(lit) = self.atom(sum, *comparison) {
                    return lit;
                }
                let lit = self.plain.model.boolean();
                let then = Some(self.linear(sum, *comparison, false).into());
                let otherwise = Some(self.linear(sum, *comparison, true).into());
                self.plain.define(Reified { condition: lit, then, otherwise });
                lit
            }
            Required::Relation(..) => {
                unreachable!("the sheet requires relations only where they are not negated")
            }
        }
    }

    /// Returns the literal of a comparison of one number with a constant, if the sum has that form.
    fn atom(&mut self, sum: &Sum, comparison: sheet::Comparison) -> Option<Lit> {
        let [(coefficient @ (1 | -1), sheet::Term::Variable(index))] = sum.terms[..] else { return None };
        let Var::Number(x) = self.vars[index] else { return None };
        let value = -i128::from(sum.constant) * i128::from(coefficient);
        let model = &mut self.plain.model;
        Some(match comparison {
            sheet::Comparison::Zero => model.equals(x, value),
            sheet::Comparison::AtMostZero if coefficient == 1 => model.at_most(x, value),
            sheet::Comparison::AtMostZero => !model.at_most(x, value - 1),
        })
    }

    /// Returns a comparison as a constraint.
    fn linear(&mut self, sum: &Sum, comparison: sheet::Comparison, negated: bool) -> Box<dyn Constraint> {
        if let ([(factor @ (1 | -1), sheet::Term::Product(factors))], sheet::Comparison::Zero) =
            (&sum.terms[..], comparison)
        {
            // A product that is known needs no variable.
            let factors = factors.iter().map(|factor| self.sum(factor)).collect();
            let product = Expr::from(-i128::from(sum.constant) * i128::from(*factor));
            return Box::new(Product { factors, product, equal: !negated });
        }
        let expr = self.sum(sum);
        if comparison == sheet::Comparison::Zero
            && let ([(a, x @ Term::Int(_)), (b, y @ Term::Int(_))], 0) = (expr.terms(), expr.constant())
            && a + b == 0
            && a.abs() == 1
        {
            return Box::new(if negated { Equality::different(*x, *y) } else { Equality::equal(*x, *y) });
        }
        let (comparison, bound) = match (comparison, negated) {
            (sheet::Comparison::Zero, false) => (Comparison::Equal, 0),
            (sheet::Comparison::Zero, true) => (Comparison::NotEqual, 0),
            (sheet::Comparison::AtMostZero, false) => (Comparison::AtMost, 0),
            (sheet::Comparison::AtMostZero, true) => (Comparison::AtLeast, 1),
        };
        Box::new(Linear::new(expr.terms().iter().copied(), comparison, bound - expr.constant()))
    }

    /// Returns a sum over the variables of the model.
    pub(super) fn sum(&mut self, sum: &Sum) -> Expr {
        let mut terms = Vec::with_capacity(sum.terms.len());
        let mut held = i128::from(sum.constant);
        for (coefficient, term) in &sum.terms {
            let coefficient = i128::from(*coefficient);
            let term = match term {
                sheet::Term::Variable(index) => match self.vars[*index] {
                    Var::Boolean(lit) => Term::Lit(lit),
                    Var::Number(x) => Term::Int(x),
                },
                sheet::Term::Formula(formula) => match self.exact(*formula) {
                    TRUE => {
                        held += coefficient;
                        continue;
                    }
                    FALSE => continue,
                    lit => Term::Lit(lit),
                },
                sheet::Term::Product(factors) => Term::Int(self.product(factors)),
            };
            terms.push((coefficient, term));
        }
        Expr::new(terms, held)
    }

    fn product(&mut self, factors: &[Sum]) -> IntVar {
        if let Some(&known) = self.products.get(factors) {
            return known;
        }
        let exprs: Vec<Expr> = factors.iter().map(|factor| self.sum(factor)).collect();
        // The ends of the product of two intervals are among the products of their ends.
        let (low, high) = exprs.iter().fold((1i128, 1i128), |(low, high), expr| {
            let (a, b) = self.range(expr);
            let ends = [low, high]
                .iter()
                .flat_map(|&x| [x.saturating_mul(a), x.saturating_mul(b)])
                .collect::<Vec<_>>();
            (ends.iter().copied().min().unwrap_or(0), ends.iter().copied().max().unwrap_or(0))
        });
        let product = self.plain.model.integer(Domain::interval(low, high));
        self.plain.define(Product::new(exprs, product));
        self.products.insert(factors.to_vec(), product);
        product
    }

    /// Returns a lower and an upper bound of an expression.
    pub(super) fn range(&self, expr: &Expr) -> (i128, i128) {
        let mut range = (expr.constant(), expr.constant());
        for &(coefficient, term) in expr.terms() {
            let (a, b) = match term {
                Term::Lit(_) => (0, coefficient),
                Term::Int(x) => {
                    let domain = self.plain.model.domain(x);
                    (coefficient.saturating_mul(domain.min()), coefficient.saturating_mul(domain.max()))
                }
            };
            range = (range.0.saturating_add(a.min(b)), range.1.saturating_add(a.max(b)));
        }
        range
    }

    /// Returns the literals of formulas, each equivalent to its formula.
    pub(super) fn lits(&mut self, formulas: &[Formula]) -> Vec<Lit> {
        formulas.iter().map(|&formula| self.exact(formula)).collect()
    }

    /// Returns the constraint that sums have different values.
    pub(super) fn different(&mut self, sums: &[Sum]) -> AllDifferent {
        AllDifferent::new(sums.iter().map(|sum| self.sum(sum)).collect::<Vec<_>>())
    }

    /// Returns a literal that is true if all literals are.
    pub(super) fn all_of(&mut self, lits: &[Lit]) -> Lit {
        let open: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != TRUE).collect();
        match open[..] {
            [] => TRUE,
            _ if open.contains(&FALSE) => FALSE,
            [only] => only,
            _ => {
                let all = self.plain.model.boolean();
                for &lit in &open {
                    self.plain.define(Clause::new([!all, lit]));
                }
                self.plain.define(Clause::new(open.iter().map(|&lit| !lit).chain([all]).collect::<Vec<_>>()));
                all
            }
        }
    }

    /// Returns a literal that is true if one of the literals is.
    pub(super) fn any_of(&mut self, lits: &[Lit]) -> Lit {
        !self.all_of(&lits.iter().map(|&lit| !lit).collect::<Vec<_>>())
    }
}
