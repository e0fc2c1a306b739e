//! Grounding: the instances of the rules on a board, as formulas over variables.
//!
//! Formulas are stored once each: a [`Formula`] is the number of a node, and its sign. Disjunctions are negated
//! conjunctions. Only relations can't be negated; the resolver has checked that the rules don't.
//!
//! The file has over 400 lines because it is one walk over the expressions.

use std::collections::hash_map::Entry;
use std::hash::BuildHasher as _;
use std::ops::Not;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::board::{PlaceMap, SheetBoard};
use super::eval::{Env, Eval, EvalError};
use super::memo::Memo;
use super::shape;
use super::syntax::{Operator, Quantifier};
use super::tree::{Node, NodeKind, NodePart};
use super::value::Value;
use crate::relation::{
    Acyclic, Components, Connected, Different, Edge, Linked, OneLoop, Paths, Relation, Runs, Sized,
};

/// A formula: the number of its node in [`Ground::required`], and whether it is negated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

impl Formula {
    /// The formula that always holds.
    pub const TRUE: Self = Self(0);
    /// The formula that never holds.
    pub const FALSE: Self = Self(1);

    /// Returns the number of the node, below the length of [`Ground::required`].
    #[must_use]
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns whether the formula is the negation of its node.
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Formula {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a node requires.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Required {
    /// Nothing: it always holds.
    True,
    /// A Boolean variable, an index of [`Ground::variables`], is true.
    Variable(usize),
    /// All formulas hold. There are at least two.
    All(Vec<Formula>),
    /// Either both formulas hold or neither does.
    Equivalent(Formula, Formula),
    /// The sum is 0, or at most 0.
    Compare(Sum, Comparison),
    /// A relation, with the places of its vertices or entries.
    Relation(Relation<Formula, Sum>, Vec<Value>),
}

/// A comparison of a sum with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The sum is 0.
    Zero,
    /// The sum is at most 0.
    AtMostZero,
}

/// A sum of terms with coefficients that are not 0, and a constant. No term occurs twice.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Sum {
    /// The terms.
    pub terms: Vec<(i64, Term)>,
    /// The constant.
    pub constant: i64,
}

/// A term of a sum.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// The value of a variable, an index of [`Ground::variables`].
    Variable(usize),
    /// 1 if the formula holds, otherwise 0.
    Formula(Formula),
    /// The product of sums.
    Product(Vec<Sum>),
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// The family, an index of [`Sheet::vars`](super::Sheet::vars).
    pub family: usize,
    /// The place.
    pub place: Value,
    /// The values in ascending order; 0 and 1 for Boolean variables.
    pub values: Arc<[i64]>,
}

/// An instance of a rule.
#[derive(Debug)]
pub struct Instance {
    /// The rule, an index of [`Sheet::rules`](super::Sheet::rules).
    pub rule: usize,
    /// The values of the rule's binders.
    pub at: Vec<Value>,
    /// The formula that must hold.
    pub formula: Formula,
}

/// The instances of the rules of a board.
#[derive(Debug)]
pub struct Ground {
    /// The nodes of all formulas; each refers to earlier nodes only.
    pub required: Vec<Required>,
    /// The variables.
    pub variables: Vec<Variable>,
    /// For each family, the index of the variable of a place in [`Ground::variables`].
    pub families: Vec<PlaceMap<usize>>,
    /// The instances, in the order of the rules.
    pub instances: Vec<Instance>,
}

impl Ground {
    /// Returns the variable that is false exactly if a formula holds, if there is one.
    #[must_use]
    pub fn false_in(&self, formula: Formula) -> Option<usize> {
        match self.required[formula.index()] {
            Required::Variable(index) if formula.is_negated() => Some(index),
            _ => None,
        }
    }
}

impl SheetBoard {
    /// Returns the instances of the rules. Implied rules are included only if `implied` is true. The computation stops
    /// with an error soon after `poll` returns true.
    ///
    /// # Errors
    /// Returns an error if a set can't be computed, if a rule has too many instances, or if the computation was stopped.
    pub fn ground(&self, implied: bool, poll: &dyn Fn() -> bool) -> Result<Ground, GroundError> {
        let in_rule = |rule: &str| {
            let rule = rule.to_owned();
            move |error| GroundError { rule, error }
        };
        let eval = Eval::new(self, None).polled(poll);
        let (mut variables, mut families) = (Vec::new(), Vec::new());
        let all = self.variables_by(&eval).map_err(in_rule("variables"))?;
        for (family, places) in all.iter().enumerate() {
            let mut indices = PlaceMap::new(self.size());
            for (place, values) in places.iter() {
                indices.insert(place.clone(), variables.len());
                variables.push(Variable { family, place: place.clone(), values: Arc::clone(values) });
            }
            families.push(indices);
        }
        let mut grounder = Grounder {
            eval: &eval,
            truths: vec![None; variables.len()],
            ground: Ground { required: vec![Required::True], variables, families, instances: Vec::new() },
            numbers: FxHashMap::default(),
            same_hash: vec![None],
            definitions: Memo::default(),
            entries: 0,
        };
        for (index, rule) in
            self.sheet().rules.iter().enumerate().filter(|(_, rule)| implied || !rule.implied)
        {
            let mut env = Env::default();
            let instances = eval.each(&rule.part, &mut env, &mut |env| {
                let formula = grounder.formula(&rule.part.body, env)?;
                let at = env.values.clone();
                grounder.ground.instances.push(Instance { rule: index, at, formula });
                Ok(true)
            });
            instances.map_err(in_rule(&rule.name))?;
        }
        Ok(grounder.ground)
    }
}

/// The reason why a board can't be grounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundError {
    /// The name of the rule.
    pub rule: String,
    /// The reason.
    pub error: EvalError,
}

impl std::fmt::Display for GroundError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule \"{}\": {}", self.rule, self.error)
    }
}

impl std::error::Error for GroundError {}

type Grounded<T> = Result<T, EvalError>;

/// The number of entries of formulas and sums beyond which grounding is refused: about 4 GB of memory.
const MOST_ENTRIES: usize = 100_000_000;

/// What an expression stands for.
#[derive(Debug, Clone)]
enum Meaning {
    Value(Value),
    Formula(Formula),
    Number(Sum),
    Runs(Vec<Formula>),
}

struct Grounder<'a> {
    eval: &'a Eval<'a>,
    ground: Ground,
    /// The formulas of Boolean variables.
    truths: Vec<Option<Formula>>,
    /// The last node with each hash.
    numbers: FxHashMap<u64, u32>,
    /// For each node, the previous node with the same hash.
    same_hash: Vec<Option<u32>>,
    /// The instances of definitions that depend on variables.
    definitions: Memo<Meaning>,
    /// The number of entries in all nodes.
    entries: usize,
}

impl Grounder<'_> {
    /// Returns the formula of a node, which is stored once.
    fn required(&mut self, required: Required) -> Formula {
        let number = u32::try_from(self.ground.required.len()).expect("fewer nodes than the limit");
        let last = match self.numbers.entry(FxBuildHasher.hash_one(&required)) {
            Entry::Vacant(entry) => {
                entry.insert(number);
                None
            }
            Entry::Occupied(mut entry) => {
                let last = *entry.get();
                let mut known = Some(last);
                while let Some(node) = known {
                    if self.ground.required[node as usize] == required {
                        return Formula(node << 1);
                    }
                    known = self.same_hash[node as usize];
                }
                entry.insert(number);
                Some(last)
            }
        };
        self.entries += match &required {
            Required::All(all) => all.len(),
            Required::Compare(sum, _) => sum.terms.len(),
            Required::Relation(_, places) => places.len(),
            _ => 1,
        };
        self.ground.required.push(required);
        self.same_hash.push(last);
        Formula(number << 1)
    }

    /// Returns the formula of a Boolean variable.
    fn truth(&mut self, index: usize) -> Formula {
        if let Some(known) = self.truths[index] {
            return known;
        }
        let formula = self.required(Required::Variable(index));
        self.truths[index] = Some(formula);
        formula
    }

    fn all(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let mut all: Vec<Formula> =
            formulas.into_iter().filter(|&formula| formula != Formula::TRUE).collect();
        all.sort_unstable();
        all.dedup();
        if all.contains(&Formula::FALSE) || all.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Formula::FALSE;
        }
        match all[..] {
            [] => Formula::TRUE,
            [only] => only,
            _ => self.required(Required::All(all)),
        }
    }

    fn any(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        !self.all(formulas.into_iter().map(Formula::not))
    }

    fn equivalent(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Formula::TRUE, other) | (other, Formula::TRUE) => other,
            (Formula::FALSE, other) | (other, Formula::FALSE) => !other,
            _ if a == b => Formula::TRUE,
            _ if a == !b => Formula::FALSE,
            _ => {
                // The nodes are ordered and not negated; the signs move to the equivalence.
                let negated = a.is_negated() != b.is_negated();
                let [a, b] = [a, b].map(|formula| if formula.is_negated() { !formula } else { formula });
                let formula = self.required(Required::Equivalent(a.min(b), a.max(b)));
                if negated { !formula } else { formula }
            }
        }
    }

    fn formula(&mut self, node: &Node, env: &mut Env) -> Grounded<Formula> {
        if self.entries > MOST_ENTRIES {
            return Err(EvalError::TooLarge);
        }
        Ok(match self.meaning(node, env)? {
            Meaning::Formula(formula) => formula,
            Meaning::Value(Value::Bool(true)) => Formula::TRUE,
            _ => Formula::FALSE,
        })
    }

    /// Returns a number, or `None` for an expression without a value.
    fn number(&mut self, node: &Node, env: &mut Env) -> Grounded<Option<Sum>> {
        Ok(match self.meaning(node, env)? {
            Meaning::Number(sum) => Some(sum),
            Meaning::Value(Value::Number(number)) => Some(number.into()),
            _ => None,
        })
    }

    fn meaning(&mut self, node: &Node, env: &mut Env) -> Grounded<Meaning> {
        if node.is_static {
            return Ok(Meaning::Value(self.eval.node(node, env)?));
        }
        match &node.kind {
            NodeKind::Var(family, place) => {
                let place = self.eval.node(place, env)?;
                let index = self.ground.families[*family].get(&place).copied();
                let is_boolean = self.eval.board.sheet().vars[*family].is_boolean();
                Ok(match index {
                    Some(index) if is_boolean => Meaning::Formula(self.truth(index)),
                    Some(index) => {
                        Meaning::Number(Sum { terms: vec![(1, Term::Variable(index))], constant: 0 })
                    }
                    None if is_boolean => Meaning::Formula(Formula::FALSE),
                    None => Meaning::Value(Value::None),
                })
            }
            NodeKind::Let(index, arguments) => {
                let board = self.eval.board;
                self.eval.arguments(arguments, env, |values, env| {
                    if let Some(known) = self.definitions.get(board.size(), *index, values) {
                        return Ok(known.clone());
                    }
                    let definition = &board.sheet().definitions[*index];
                    let meaning = env.call(values, |env| self.meaning(&definition.body, env))?;
                    self.definitions.insert(board.size(), *index, values, meaning.clone());
                    Ok(meaning)
                })
            }
            NodeKind::Operator(operator, arguments) => self.operator(*operator, arguments, env),
            NodeKind::Quantifier(quantifier, parts) => self.quantifier(*quantifier, parts, env),
            _ => unreachable!("other expressions depend on the board only"),
        }
    }

    fn operator(&mut self, operator: Operator, arguments: &[Node], env: &mut Env) -> Grounded<Meaning> {
        use Operator as O;
        Ok(Meaning::Formula(match operator {
            O::Not => !self.formula(&arguments[0], env)?,
            O::Or | O::And | O::Implies => {
                // The second operand is not grounded if the first one decides.
                let first = self.formula(&arguments[0], env)?;
                let first = if operator == O::Implies { !first } else { first };
                let decides = if operator == O::And { Formula::FALSE } else { Formula::TRUE };
                if first == decides {
                    return Ok(Meaning::Formula(decides));
                }
                let second = self.formula(&arguments[1], env)?;
                if operator == O::And { self.all([first, second]) } else { self.any([first, second]) }
            }
            O::Iff => {
                let (a, b) = (self.formula(&arguments[0], env)?, self.formula(&arguments[1], env)?);
                self.equivalent(a, b)
            }
            O::Add | O::Subtract | O::Multiply | O::Negate => {
                let Some(first) = self.number(&arguments[0], env)? else {
                    return Ok(Meaning::Value(Value::None));
                };
                let second = match arguments.get(1) {
                    None => None,
                    Some(argument) => match self.number(argument, env)? {
                        None => return Ok(Meaning::Value(Value::None)),
                        second => second,
                    },
                };
                let sum = match (operator, second) {
                    (O::Add, Some(second)) => first.plus(&second, 1),
                    (O::Subtract, Some(second)) => first.plus(&second, -1),
                    (_, Some(second)) => product(vec![first, second]),
                    (_, None) => Sum::default().plus(&first, -1),
                };
                return Ok(Meaning::Number(sum.ok_or(EvalError::Overflow)?));
            }
            O::Equal | O::NotEqual | O::Less | O::AtMost | O::Greater | O::AtLeast => {
                let (a, b) = (self.meaning(&arguments[0], env)?, self.meaning(&arguments[1], env)?);
                let equal = match (a, b) {
                    (Meaning::Runs(entries), Meaning::Value(list))
                    | (Meaning::Value(list), Meaning::Runs(entries)) => {
                        let lengths: Vec<i64> = list.items().iter().filter_map(Value::number).collect();
                        let runs = Relation::Runs(Runs { entries, lengths });
                        return Ok(Meaning::Formula(self.required(Required::Relation(runs, Vec::new()))));
                    }
                    (Meaning::Formula(a), Meaning::Formula(b)) => self.equivalent(a, b),
                    (Meaning::Formula(a), Meaning::Value(Value::Bool(b)))
                    | (Meaning::Value(Value::Bool(b)), Meaning::Formula(a)) => {
                        if b {
                            a
                        } else {
                            !a
                        }
                    }
                    (Meaning::Value(Value::None), Meaning::Value(Value::None)) => Formula::TRUE,
                    (a, b) => match (a.sum(), b.sum()) {
                        (Some(a), Some(b)) => {
                            let comparison = self.compare(a, &b, operator);
                            return Ok(Meaning::Formula(comparison.ok_or(EvalError::Overflow)?));
                        }
                        _ => Formula::FALSE,
                    },
                };
                match operator {
                    O::Equal => equal,
                    O::NotEqual => !equal,
                    _ => Formula::FALSE,
                }
            }
            O::In => {
                let Some(number) = self.number(&arguments[0], env)? else {
                    return Ok(Meaning::Formula(Formula::FALSE));
                };
                let set = self.eval.node(&arguments[1], env)?;
                let mut any = Vec::new();
                for value in set.items().iter().filter_map(Value::number) {
                    any.push(
                        self.compare(number.clone(), &value.into(), O::Equal).ok_or(EvalError::Overflow)?,
                    );
                }
                self.any(any)
            }
            O::Size | O::Range => unreachable!("sets depend on the board only"),
        }))
    }

    /// Returns the comparison of two sums; `None` if a number is beyond 64 bits.
    fn compare(&mut self, a: Sum, b: &Sum, operator: Operator) -> Option<Formula> {
        use Operator as O;
        let difference = a.plus(b, -1)?;
        Some(match operator {
            O::Equal => self.compared(difference, Comparison::Zero)?,
            O::NotEqual => !self.compared(difference, Comparison::Zero)?,
            O::AtMost => self.compared(difference, Comparison::AtMostZero)?,
            O::Less => self.compared(difference.plus(&1.into(), 1)?, Comparison::AtMostZero)?,
            O::AtLeast => !self.compared(difference.plus(&1.into(), 1)?, Comparison::AtMostZero)?,
            _ => !self.compared(difference, Comparison::AtMostZero)?,
        })
    }

    fn compared(&mut self, mut sum: Sum, comparison: Comparison) -> Option<Formula> {
        let (mut low, mut high) = (sum.constant, sum.constant);
        let mut is_bounded = true;
        for (coefficient, term) in &sum.terms {
            let (least, most) = match term {
                Term::Formula(_) => (0, 1),
                Term::Variable(index) => {
                    let values = &self.ground.variables[*index].values;
                    match (values.first(), values.last()) {
                        (Some(&least), Some(&most)) => (least, most),
                        // A variable without values has no solution, whatever is required of it.
                        _ => (0, 0),
                    }
                }
                Term::Product(_) => {
                    is_bounded = false;
                    continue;
                }
            };
            let (one, other) = (coefficient.checked_mul(least)?, coefficient.checked_mul(most)?);
            low = low.checked_add(one.min(other))?;
            high = high.checked_add(one.max(other))?;
        }
        if is_bounded {
            let decided = match comparison {
                Comparison::Zero if low > 0 || high < 0 => Some(Formula::FALSE),
                Comparison::Zero if low == 0 && high == 0 => Some(Formula::TRUE),
                Comparison::AtMostZero if high <= 0 => Some(Formula::TRUE),
                Comparison::AtMostZero if low > 0 => Some(Formula::FALSE),
                _ => None,
            };
            if decided.is_some() {
                return decided;
            }
        }
        if let [(coefficient, Term::Formula(formula))] = sum.terms[..] {
            let holds = |value: i64| match comparison {
                Comparison::Zero => value == 0,
                Comparison::AtMostZero => value <= 0,
            };
            return Some(match (holds(sum.constant), holds(sum.constant.checked_add(coefficient)?)) {
                (true, true) => Formula::TRUE,
                (false, false) => Formula::FALSE,
                (false, true) => formula,
                (true, false) => !formula,
            });
        }
        // An equation and its negative are the same node.
        if comparison == Comparison::Zero && sum.terms[0].0 < 0 {
            sum = Sum::default().plus(&sum, -1)?;
        }
        Some(self.required(Required::Compare(sum, comparison)))
    }

    /// Returns the value of the last binder and what `meaning` returns for the body, for each choice.
    fn items<T>(
        &mut self,
        part: &NodePart,
        env: &mut Env,
        mut meaning: impl FnMut(&mut Self, &Node, &mut Env) -> Grounded<T>,
    ) -> Grounded<Vec<(Value, T)>> {
        let mut items = Vec::new();
        self.eval.each(part, env, &mut |env| {
            let meaning = meaning(self, &part.body, env)?;
            items.push((env.values.last().expect("a binder").clone(), meaning));
            Ok(true)
        })?;
        self.entries += items.len();
        Ok(items)
    }

    fn formulas(&mut self, part: &NodePart, env: &mut Env) -> Grounded<Vec<(Value, Formula)>> {
        self.items(part, env, Self::formula)
    }

    /// Returns the formulas of a part without the values of its last binder.
    fn bodies(&mut self, part: &NodePart, env: &mut Env) -> Grounded<Vec<Formula>> {
        let mut formulas = Vec::new();
        self.eval.each(part, env, &mut |env| {
            formulas.push(self.formula(&part.body, env)?);
            Ok(true)
        })?;
        self.entries += formulas.len();
        Ok(formulas)
    }

    /// Returns the sums of a part, without those that have no value.
    fn numbers(&mut self, part: &NodePart, env: &mut Env) -> Grounded<Vec<(Value, Sum)>> {
        let items = self.items(part, env, Self::number)?;
        Ok(items.into_iter().filter_map(|(item, sum)| Some((item, sum?))).collect())
    }

    fn quantifier(&mut self, quantifier: Quantifier, parts: &[NodePart], env: &mut Env) -> Grounded<Meaning> {
        use Quantifier as Q;
        let part = &parts[0];
        Ok(match quantifier {
            Q::All => {
                let formulas = self.bodies(part, env)?;
                Meaning::Formula(self.all(formulas))
            }
            Q::Any => {
                let formulas = self.bodies(part, env)?;
                Meaning::Formula(self.any(formulas))
            }
            Q::Count => {
                let formulas = self.bodies(part, env)?;
                Meaning::Number(Sum::of_formulas(formulas).ok_or(EvalError::Overflow)?)
            }
            Q::Run => {
                let mut open = Formula::TRUE;
                let mut entries = Vec::new();
                for formula in self.bodies(part, env)? {
                    open = self.all([open, formula]);
                    entries.push(open);
                }
                Meaning::Number(Sum::of_formulas(entries).ok_or(EvalError::Overflow)?)
            }
            Q::Runs => Meaning::Runs(self.bodies(part, env)?),
            Q::Sum => {
                let mut total = Sum::default();
                for (_, sum) in self.numbers(part, env)? {
                    total.add(&sum, 1).ok_or(EvalError::Overflow)?;
                }
                Meaning::Number(total.merged().ok_or(EvalError::Overflow)?)
            }
            Q::Product => {
                let factors = self.numbers(part, env)?.into_iter().map(|(_, sum)| sum).collect();
                Meaning::Number(product(factors).ok_or(EvalError::Overflow)?)
            }
            _ => Meaning::Formula(self.relation(quantifier, parts, env)?),
        })
    }

    fn relation(&mut self, quantifier: Quantifier, parts: &[NodePart], env: &mut Env) -> Grounded<Formula> {
        use Quantifier as Q;
        let (relation, places) = match quantifier {
            Q::Different => {
                let (places, numbers): (Vec<Value>, Vec<Sum>) =
                    self.numbers(&parts[0], env)?.into_iter().unzip();
                if numbers.len() < 2 {
                    return Ok(Formula::TRUE);
                }
                (Relation::Different(Different { numbers }), places)
            }
            Q::Connected => {
                let (places, vertices): (Vec<Value>, Vec<_>) =
                    self.formulas(&parts[0], env)?.into_iter().unzip();
                let neighbours = self.eval.neighbours(&places);
                (Relation::Connected(Connected { neighbours, vertices }), places)
            }
            Q::Sized => {
                let (places, numbers): (Vec<Value>, Vec<Sum>) =
                    self.numbers(&parts[0], env)?.into_iter().unzip();
                let neighbours = self.eval.neighbours(&places);
                (Relation::Sized(Sized { neighbours, numbers }), places)
            }
            Q::Linked => {
                let (places, vertices): (Vec<Value>, Vec<_>) =
                    self.formulas(&parts[0], env)?.into_iter().unzip();
                let (ends, edges) = self.edges(&parts[1], env)?;
                let at = shape::positions(&places);
                let edge = |(a, b, chosen): (usize, usize, Formula)| {
                    Some((*at.get(&ends[a])?, *at.get(&ends[b])?, chosen))
                };
                let edges = edges.into_iter().filter_map(edge).collect();
                (Relation::Linked(Linked { vertices, edges }), places)
            }
            Q::Loop | Q::Acyclic => {
                let (places, edges) = self.edges(&parts[0], env)?;
                let vertices = places.len();
                let relation = if quantifier == Q::Loop {
                    Relation::OneLoop(OneLoop { vertices, edges })
                } else {
                    Relation::Acyclic(Acyclic { vertices, edges })
                };
                (relation, places)
            }
            Q::Components => {
                let (places, vertices): (Vec<Value>, Vec<_>) =
                    self.formulas(&parts[0], env)?.into_iter().unzip();
                let roots = self.items(&parts[1], env, |this, node, env| this.eval.node(node, env))?;
                let at = shape::positions(&places);
                let root = |(place, size): &(Value, Value)| Some((*at.get(place)?, size.number()));
                let Some(roots) = roots.iter().map(root).collect() else { return Ok(Formula::FALSE) };
                let neighbours = self.eval.neighbours(&places);
                (Relation::Components(Components { neighbours, vertices, roots }), places)
            }
            _ => {
                let ends = self.items(&parts[0], env, |this, node, env| this.eval.node(node, env))?;
                let (ends, labels): (Vec<Value>, Vec<Value>) = ends.into_iter().unzip();
                let (places, edges) = self.edges(&parts[1], env)?;
                let at = shape::positions(&places);
                let labelled = ends.iter().zip(shape::labels(&labels));
                let ends = labelled.map(|(place, label)| Some((*at.get(place)?, label))).collect();
                let Some(ends) = ends else { return Ok(Formula::FALSE) };
                (Relation::Paths(Paths { vertices: places.len(), ends, edges }), places)
            }
        };
        Ok(self.required(Required::Relation(relation, places)))
    }

    /// Returns the vertices that edges join, and the edges.
    fn edges(&mut self, part: &NodePart, env: &mut Env) -> Grounded<(Vec<Value>, Vec<Edge<Formula>>)> {
        let (edges, chosen): (Vec<Value>, Vec<Formula>) = self.formulas(part, env)?.into_iter().unzip();
        let (vertices, ends) = shape::edges(self.eval.board.size(), &edges);
        let edges =
            ends.into_iter().zip(chosen).filter_map(|(ends, chosen)| ends.map(|[a, b]| (a, b, chosen)));
        Ok((vertices, edges.filter(|edge| edge.2 != Formula::FALSE).collect()))
    }
}

impl Meaning {
    fn sum(self) -> Option<Sum> {
        match self {
            Self::Number(sum) => Some(sum),
            Self::Value(Value::Number(number)) => Some(number.into()),
            _ => None,
        }
    }
}

impl From<i64> for Sum {
    fn from(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }
}

impl Sum {
    /// The number of formulas that hold.
    fn of_formulas(formulas: impl IntoIterator<Item = Formula>) -> Option<Self> {
        let mut sum = Self::default();
        for formula in formulas {
            match formula {
                Formula::TRUE => sum.constant = sum.constant.checked_add(1)?,
                Formula::FALSE => {}
                // `1 - f` stands for a negated formula, so that a formula and its negation are merged.
                formula if formula.is_negated() => {
                    sum.constant = sum.constant.checked_add(1)?;
                    sum.terms.push((-1, Term::Formula(!formula)));
                }
                formula => sum.terms.push((1, Term::Formula(formula))),
            }
        }
        sum.merged()
    }

    /// Adds a multiple of another sum, without merging terms.
    fn add(&mut self, other: &Self, factor: i64) -> Option<()> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (coefficient, term) in &other.terms {
            self.terms.push((coefficient.checked_mul(factor)?, term.clone()));
        }
        Some(())
    }

    /// Returns this sum plus a multiple of another one; `None` if a number is beyond 64 bits.
    fn plus(mut self, other: &Self, factor: i64) -> Option<Self> {
        let are_merged = self.terms.is_empty() || other.terms.is_empty();
        self.add(other, factor)?;
        if are_merged { Some(self) } else { self.merged() }
    }

    /// Merges equal terms. The order is that of their first occurrence.
    fn merged(self) -> Option<Self> {
        /// Sums with fewer terms are searched without an index.
        const INDEXED: usize = 16;
        let mut terms: Vec<(i64, Term)> = Vec::with_capacity(self.terms.len());
        let mut at: FxHashMap<Term, usize> = FxHashMap::default();
        let is_indexed = self.terms.len() >= INDEXED;
        for (coefficient, term) in self.terms {
            let known = if is_indexed {
                let next = terms.len();
                Some(*at.entry(term.clone()).or_insert(next)).filter(|&known| known < next)
            } else {
                terms.iter().position(|(_, other)| *other == term)
            };
            match known {
                Some(known) => terms[known].0 = terms[known].0.checked_add(coefficient)?,
                None => terms.push((coefficient, term)),
            }
        }
        terms.retain(|term| term.0 != 0);
        Some(Self { terms, constant: self.constant })
    }
}

/// Returns the product of sums. Constant factors become coefficients.
fn product(factors: Vec<Sum>) -> Option<Sum> {
    let mut constant: i64 = 1;
    let mut open = Vec::new();
    for factor in factors {
        if factor.terms.is_empty() {
            constant = constant.checked_mul(factor.constant)?;
        } else {
            open.push(factor);
        }
    }
    match open.len() {
        0 => Some(constant.into()),
        1 => Sum::default().plus(&open[0], constant),
        _ if constant == 0 => Some(Sum::default()),
        _ => Some(Sum { terms: vec![(constant, Term::Product(open))], constant: 0 }),
    }
}
