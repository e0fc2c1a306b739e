//! The evaluator: computes the value of an expression, on the board alone or for a solution.
//!
//! The file has over 400 lines because it is one walk over the expressions.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::board::{Assignment, SheetBoard};
use super::builtin::BUILTINS;
use super::memo::Memo;
use super::shape;
use super::sort::Sort;
use super::syntax::{Operator, Quantifier};
use super::tree::{Node, NodeKind, NodePart};
use super::value::Value;
use crate::relation::{
    Acyclic, Components, Connected, Different, Linked, Neighbours, OneLoop, Paths, Relation, Runs, Sized,
};

/// The reason why an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalError {
    /// A number is beyond 64 bits.
    Overflow,
    /// A set, or the number of instances of a rule, is too large.
    TooLarge,
    /// The computation was stopped.
    Stopped,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overflow => "a number of the sheet is beyond 64 bits on this board",
            Self::TooLarge => "a set of the sheet has too many elements on this board",
            Self::Stopped => "stopped",
        })
    }
}

impl std::error::Error for EvalError {}

type Evaluated<T> = Result<T, EvalError>;

/// A relation on values, with the places of its vertices or entries.
pub(super) type PlacedRelation = (Relation<bool, i64>, Vec<Value>);

/// Sets with more elements are an error.
const LARGEST: usize = 10_000_000;
/// The number of choices between two calls of the poll.
const POLLED: u64 = 1000;
/// The number of values that the tables of an evaluator may hold: about 200 MB of memory.
const MOST_KEPT: usize = 4_000_000;

/// The values of local variables. Those of a definition start at `base`.
#[derive(Debug, Default)]
pub(super) struct Env {
    pub(super) values: Vec<Value>,
    base: usize,
}

impl Env {
    pub(super) fn with(value: Value) -> Self {
        Self { values: vec![value], base: 0 }
    }

    /// Calls `body` with the arguments of a definition as its only local variables.
    pub(super) fn call<T>(&mut self, arguments: &[Value], body: impl FnOnce(&mut Self) -> T) -> T {
        let (base, length) = (self.base, self.values.len());
        self.base = length;
        self.values.extend_from_slice(arguments);
        let result = body(self);
        self.values.truncate(length);
        self.base = base;
        result
    }
}

pub(super) struct Eval<'a> {
    pub(super) board: &'a SheetBoard,
    assignment: Option<&'a Assignment>,
    poll: Option<&'a dyn Fn() -> bool>,
    choices: Cell<u64>,
    /// The values of definitions that depend on the board only, by their arguments.
    definitions: RefCell<Memo<Value>>,
    /// The values of built-in functions that create a set around a place.
    around: RefCell<Memo<Value>>,
    /// The number of further values that the tables may hold.
    room: Cell<usize>,
    /// The last graph of places: often many relations are about the same one.
    graph: RefCell<(Vec<Value>, Neighbours)>,
}

impl<'a> Eval<'a> {
    /// Creates an evaluator. Without an assignment, it computes expressions that depend on the board only.
    pub(super) fn new(board: &'a SheetBoard, assignment: Option<&'a Assignment>) -> Self {
        Self {
            board,
            assignment,
            poll: None,
            choices: Cell::new(0),
            definitions: RefCell::default(),
            around: RefCell::default(),
            room: Cell::new(MOST_KEPT),
            graph: RefCell::default(),
        }
    }

    /// Stops with [`EvalError::Stopped`] soon after `poll` returns true.
    pub(super) fn polled(self, poll: &'a dyn Fn() -> bool) -> Self {
        Self { poll: Some(poll), ..self }
    }

    pub(super) fn node(&self, node: &Node, env: &mut Env) -> Evaluated<Value> {
        Ok(match &node.kind {
            NodeKind::Constant(value) => value.clone(),
            NodeKind::Local(slot) => env.values[env.base + slot].clone(),
            NodeKind::Builtin(row, arguments) if arguments.is_empty() => self.board.constant(*row),
            NodeKind::Builtin(row, arguments) => {
                let value = |values: &[Value]| (BUILTINS[*row].value)(self.board.geometry(), values);
                self.arguments(arguments, env, |values, _| {
                    if BUILTINS[*row].is_around_place() {
                        self.kept(&self.around, *row, values, || Ok(value(values)))
                    } else {
                        Ok(value(values))
                    }
                })?
            }
            NodeKind::Data(data) => self.board.keys(*data),
            NodeKind::Lookup(data, key) => self.seen(key, env, |key| Ok(self.board.lookup(*data, key)))?,
            NodeKind::Var(var, place) => {
                let assignment = self.assignment.expect("the resolver found what depends on the board only");
                let value = self.seen(place, env, |place| Ok(assignment[*var].get(place).copied()))?;
                if self.board.sheet().vars[*var].is_boolean() {
                    Value::Bool(value == Some(1))
                } else {
                    value.map_or(Value::None, Value::Number)
                }
            }
            NodeKind::Let(index, arguments) => {
                let definition = &self.board.sheet().definitions[*index];
                if arguments.is_empty() && definition.body.is_static {
                    let cache = &self.board.definitions[*index];
                    if let Some(value) = cache.get() {
                        return Ok(value.clone());
                    }
                    let value = self.node(&definition.body, &mut Env::default())?;
                    return Ok(cache.get_or_init(|| value).clone());
                }
                self.arguments(arguments, env, |values, env| {
                    let mut value = || env.call(values, |env| self.node(&definition.body, env));
                    if definition.is_kept && !values.iter().any(|value| matches!(value, Value::Set(_))) {
                        self.kept(&self.definitions, *index, values, value)
                    } else {
                        value()
                    }
                })?
            }
            NodeKind::Set(items) => {
                let items = items.iter().map(|item| self.node(item, env)).collect::<Evaluated<Vec<_>>>()?;
                if items.contains(&Value::None) { Value::None } else { Value::set(items) }
            }
            NodeKind::Operator(operator, arguments) => self.operator(*operator, arguments, env)?,
            NodeKind::Quantifier(quantifier, parts) => self.quantifier(*quantifier, parts, env)?,
        })
    }

    /// Calls `body` with a value, which is copied only if it has to be computed.
    fn seen<T>(&self, node: &Node, env: &mut Env, body: impl FnOnce(&Value) -> Evaluated<T>) -> Evaluated<T> {
        match &node.kind {
            NodeKind::Constant(value) => body(value),
            NodeKind::Local(slot) => body(&env.values[env.base + slot]),
            _ => {
                let value = self.node(node, env)?;
                body(&value)
            }
        }
    }

    /// Returns what a function has for some arguments: from the table `memo`, or else by `value`, whose result is kept in the
    /// table while there is room.
    fn kept(
        &self,
        memo: &RefCell<Memo<Value>>,
        index: usize,
        arguments: &[Value],
        value: impl FnOnce() -> Evaluated<Value>,
    ) -> Evaluated<Value> {
        let size = self.board.size();
        if let Some(known) = memo.borrow().get(size, index, arguments) {
            return Ok(known.clone());
        }
        let value = value()?;
        let items = match &value {
            // What the board or another table holds takes up no more memory.
            Value::Set(set) if Arc::strong_count(set) == 1 => set.items().len(),
            _ => 0,
        };
        let needed = items + arguments.len();
        if let Some(room) = self.room.get().checked_sub(needed) {
            self.room.set(room);
            memo.borrow_mut().insert(size, index, arguments, value.clone());
        }
        Ok(value)
    }

    /// Calls `body` with the values of the arguments of a function. Few of them need no memory of their own.
    pub(super) fn arguments<T>(
        &self,
        nodes: &[Node],
        env: &mut Env,
        body: impl FnOnce(&[Value], &mut Env) -> Evaluated<T>,
    ) -> Evaluated<T> {
        match nodes {
            [] => body(&[], env),
            [a] => body(&[self.node(a, env)?], env),
            [a, b] => body(&[self.node(a, env)?, self.node(b, env)?], env),
            [a, b, c] => body(&[self.node(a, env)?, self.node(b, env)?, self.node(c, env)?], env),
            _ => body(&nodes.iter().map(|node| self.node(node, env)).collect::<Evaluated<Vec<_>>>()?, env),
        }
    }

    /// Returns the neighbours of each place among the places.
    pub(super) fn neighbours(&self, places: &[Value]) -> Neighbours {
        let mut graph = self.graph.borrow_mut();
        if graph.0 != places {
            *graph = (places.to_vec(), shape::neighbours(self.board.size(), places));
        }
        Arc::clone(&graph.1)
    }

    /// Returns whether the set that the expression stands for contains a value. Long ranges of numbers are not listed.
    pub(super) fn contains(&self, node: &Node, value: &Value, env: &mut Env) -> Evaluated<bool> {
        match &node.kind {
            NodeKind::Operator(Operator::Range, ends) => self.arguments(ends, env, |ends, _| {
                let ends = [ends[0].number(), ends[1].number(), value.number()];
                Ok(matches!(ends, [Some(least), Some(most), Some(number)] if (least..=most).contains(&number)))
            }),
            NodeKind::Operator(Operator::Add, parts) => {
                for part in parts {
                    let is_part = if has_same_depth(part, node) {
                        self.contains(part, value, env)?
                    } else {
                        self.node(part, env)? == *value
                    };
                    if is_part {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => self.seen(node, env, |set| Ok(matches!(set, Value::Set(set) if set.contains(value)))),
        }
    }

    /// Returns the set that an expression stands for. Of a range of numbers that is too long for a set, it contains as many as
    /// the board has cells, and the result contains its end.
    pub(super) fn listed(&self, node: &Node) -> Evaluated<(Value, Option<i64>)> {
        let env = &mut Env::default();
        match (self.node(node, env), &node.kind) {
            (Err(EvalError::TooLarge), NodeKind::Operator(Operator::Range, ends)) => {
                self.arguments(ends, env, |ends, _| match [ends[0].number(), ends[1].number()] {
                    [Some(least), Some(most)] => {
                        let listed = (least..=most).take(self.board.size().cells().count());
                        Ok((Value::set(listed.map(Value::Number)), Some(most)))
                    }
                    _ => Ok((Value::None, None)),
                })
            }
            (Err(EvalError::TooLarge), NodeKind::Operator(Operator::Add, parts)) => {
                let listed = |part: &Node| {
                    if has_same_depth(part, node) {
                        return self.listed(part);
                    }
                    Ok((self.node(part, &mut Env::default())?, None))
                };
                let [(a, most), (b, other)] = [listed(&parts[0])?, listed(&parts[1])?];
                let both_sets = parts.iter().all(|part| has_same_depth(part, node));
                Ok((operate(Operator::Add, &[a, b], both_sets)?, most.max(other)))
            }
            (value, _) => Ok((value?, None)),
        }
    }

    /// Evaluates a formula. Without a value, it does not hold.
    pub(super) fn holds(&self, node: &Node, env: &mut Env) -> Evaluated<bool> {
        Ok(matches!(self.node(node, env)?, Value::Bool(true)))
    }

    fn operator(&self, operator: Operator, arguments: &[Node], env: &mut Env) -> Evaluated<Value> {
        use Operator as O;
        let truth = match operator {
            O::Or => self.holds(&arguments[0], env)? || self.holds(&arguments[1], env)?,
            O::And => self.holds(&arguments[0], env)? && self.holds(&arguments[1], env)?,
            O::Implies => !self.holds(&arguments[0], env)? || self.holds(&arguments[1], env)?,
            O::Iff => self.holds(&arguments[0], env)? == self.holds(&arguments[1], env)?,
            O::Not => !self.holds(&arguments[0], env)?,
            O::In => {
                let item = self.node(&arguments[0], env)?;
                self.contains(&arguments[1], &item, env)?
            }
            _ => {
                let both_sets = matches!(arguments, [one, other]
                    if one.sort.element().is_some() && has_same_depth(one, other));
                return self.arguments(arguments, env, |values, _| operate(operator, values, both_sets));
            }
        };
        Ok(Value::Bool(truth))
    }

    /// Calls `visit` for each choice of a part's binders that meets the conditions, until it returns false.
    pub(super) fn each(
        &self,
        part: &NodePart,
        env: &mut Env,
        visit: &mut dyn FnMut(&mut Env) -> Evaluated<bool>,
    ) -> Evaluated<bool> {
        self.each_from(part, 0, env, visit)
    }

    fn each_from(
        &self,
        part: &NodePart,
        depth: usize,
        env: &mut Env,
        visit: &mut dyn FnMut(&mut Env) -> Evaluated<bool>,
    ) -> Evaluated<bool> {
        let Some(binder) = part.binders.get(depth) else { return visit(env) };
        let set = self.node(&binder.set, env)?;
        for item in set.items() {
            self.choices.set(self.choices.get() + 1);
            if self.choices.get().is_multiple_of(POLLED) && self.poll.is_some_and(|poll| poll()) {
                return Err(EvalError::Stopped);
            }
            env.values.push(item.clone());
            let mut chosen = Ok(true);
            for condition in &binder.conditions {
                chosen = self.holds(condition, env);
                if chosen != Ok(true) {
                    break;
                }
            }
            let goes_on = match chosen {
                Ok(true) => self.each_from(part, depth + 1, env, visit),
                Ok(false) => Ok(true),
                Err(error) => Err(error),
            };
            env.values.pop();
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the value of the last binder and the value of the body, for each choice.
    fn items(&self, part: &NodePart, env: &mut Env) -> Evaluated<Vec<(Value, Value)>> {
        let mut items = Vec::new();
        self.each(part, env, &mut |env| {
            let item = env.values.last().expect("a binder").clone();
            items.push((item, self.node(&part.body, env)?));
            if items.len() > LARGEST { Err(EvalError::TooLarge) } else { Ok(true) }
        })?;
        Ok(items)
    }

    fn quantifier(&self, quantifier: Quantifier, parts: &[NodePart], env: &mut Env) -> Evaluated<Value> {
        use Quantifier as Q;
        let part = &parts[0];
        match quantifier {
            Q::All => return Ok(Value::Bool(self.each(part, env, &mut |env| self.holds(&part.body, env))?)),
            Q::Any => {
                let none = self.each(part, env, &mut |env| Ok(!self.holds(&part.body, env)?))?;
                return Ok(Value::Bool(!none));
            }
            Q::First => {
                let mut first = Value::None;
                self.each(part, env, &mut |env| {
                    first = self.node(&part.body, env)?;
                    Ok(false)
                })?;
                return Ok(first);
            }
            Q::Prefix => {
                let mut items = Vec::new();
                self.each(part, env, &mut |env| {
                    let holds = self.holds(&part.body, env)?;
                    if holds {
                        items.push(env.values.last().expect("a binder").clone());
                    }
                    Ok(holds)
                })?;
                return Ok(Value::set(items));
            }
            Q::Count | Q::Run => {
                let mut count = 0;
                self.each(part, env, &mut |env| {
                    let holds = self.holds(&part.body, env)?;
                    count += i64::from(holds);
                    Ok(holds || quantifier == Q::Count)
                })?;
                return Ok(Value::Number(count));
            }
            _ if quantifier.is_relation() => {
                let relation = self.relation(quantifier, parts, env)?;
                return Ok(Value::Bool(relation.is_some_and(|(relation, _)| relation.broken().is_none())));
            }
            _ => {}
        }
        let items = self.items(part, env)?;
        let number = |value: usize| i64::try_from(value).map_or(Value::None, Value::Number);
        let numbers = items.iter().filter_map(|(_, value)| value.number());
        Ok(match quantifier {
            Q::Sum => folded(numbers, 0, i64::checked_add)?,
            Q::Product => folded(numbers, 1, i64::checked_mul)?,
            Q::Runs => {
                let truths = items.iter().map(|(_, value)| *value == Value::Bool(true)).collect::<Vec<_>>();
                let runs = truths.chunk_by(|a, b| a == b).filter(|run| run[0]);
                Value::set(runs.map(|run| number(run.len())))
            }
            Q::Classes => {
                let mut classes: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
                for (item, class) in items {
                    classes.entry(class).or_default().push(item);
                }
                Value::set(classes.into_values().map(Value::set))
            }
            _ => {
                let mut seen = FxHashSet::default();
                let values = items.into_iter().map(|(_, value)| value);
                Value::set(values.filter(|value| *value != Value::None && seen.insert(value.clone())))
            }
        })
    }

    /// Returns the relation that a quantifier requires, on values, with the places of its vertices or entries. Returns
    /// `None` if it can't hold because a root or an end is not among the vertices.
    pub(super) fn relation(
        &self,
        quantifier: Quantifier,
        parts: &[NodePart],
        env: &mut Env,
    ) -> Evaluated<Option<PlacedRelation>> {
        use Quantifier as Q;
        let size = self.board.size();
        let truth = |value: Value| value == Value::Bool(true);
        let (places, values): (Vec<Value>, Vec<Value>) = self.items(&parts[0], env)?.into_iter().unzip();
        let edges = |part: &NodePart, env: &mut Env| {
            let (edges, chosen): (Vec<Value>, Vec<Value>) = self.items(part, env)?.into_iter().unzip();
            let (vertices, ends) = shape::edges(size, &edges);
            let edges = ends.into_iter().zip(chosen);
            let edges = edges.filter_map(|(ends, chosen)| ends.map(|[a, b]| (a, b, truth(chosen))));
            Ok((vertices, edges.collect::<Vec<_>>()))
        };
        let relation = match quantifier {
            Q::Different => {
                // Symbols and places are compared as well, by the number of their first occurrence.
                let mut numbers: FxHashMap<&Value, i64> = FxHashMap::default();
                let mut kept = Vec::new();
                for (place, value) in places.iter().zip(&values).filter(|(_, value)| **value != Value::None) {
                    let next = i64::try_from(numbers.len()).unwrap_or(i64::MAX);
                    kept.push((place.clone(), *numbers.entry(value).or_insert(next)));
                }
                let (places, numbers) = kept.into_iter().unzip();
                return Ok(Some((Relation::Different(Different { numbers }), places)));
            }
            Q::Connected => Relation::Connected(Connected {
                neighbours: self.neighbours(&places),
                vertices: values.into_iter().map(truth).collect(),
            }),
            Q::Sized => Relation::Sized(Sized {
                neighbours: self.neighbours(&places),
                numbers: values.iter().map(|value| value.number().unwrap_or(0)).collect(),
            }),
            Q::Linked => {
                let (ends, edges) = edges(&parts[1], env)?;
                let at = shape::positions(&places);
                let edge = |(a, b, chosen): (usize, usize, bool)| {
                    Some((*at.get(&ends[a])?, *at.get(&ends[b])?, chosen))
                };
                Relation::Linked(Linked {
                    edges: edges.into_iter().filter_map(edge).collect(),
                    vertices: values.into_iter().map(truth).collect(),
                })
            }
            Q::Loop | Q::Acyclic => {
                let (vertices, edges) = edges(&parts[0], env)?;
                let count = vertices.len();
                let relation = if quantifier == Q::Loop {
                    Relation::OneLoop(OneLoop { vertices: count, edges })
                } else {
                    Relation::Acyclic(Acyclic { vertices: count, edges })
                };
                return Ok(Some((relation, vertices)));
            }
            Q::Components => {
                let at = shape::positions(&places);
                let roots = self.items(&parts[1], env)?;
                let root = |(place, size): &(Value, Value)| Some((*at.get(place)?, size.number()));
                let Some(roots) = roots.iter().map(root).collect() else { return Ok(None) };
                Relation::Components(Components {
                    neighbours: self.neighbours(&places),
                    vertices: values.into_iter().map(truth).collect(),
                    roots,
                })
            }
            _ => {
                let (vertices, edges) = edges(&parts[1], env)?;
                let at = shape::positions(&vertices);
                let labels = shape::labels(&values);
                let ends = places.iter().zip(labels).map(|(place, label)| Some((*at.get(place)?, label)));
                let Some(ends) = ends.collect() else { return Ok(None) };
                let paths = Paths { vertices: vertices.len(), ends, edges };
                return Ok(Some((Relation::Paths(paths), vertices)));
            }
        };
        Ok(Some((relation, places)))
    }

    /// Returns the runs that `runs(...) = LIST` requires.
    pub(super) fn runs(
        &self,
        part: &NodePart,
        lengths: &Value,
        env: &mut Env,
    ) -> Evaluated<(Runs<bool>, Vec<Value>)> {
        let (places, values): (Vec<Value>, Vec<Value>) = self.items(part, env)?.into_iter().unzip();
        let entries = values.into_iter().map(|value| value == Value::Bool(true)).collect();
        let lengths = lengths.items().iter().filter_map(Value::number).collect();
        Ok((Runs { entries, lengths }, places))
    }
}

/// Returns whether both operands of `+` or `-` are sets of the same kind, so that the result is a union or a difference
/// of sets. Otherwise one of them is an element of the other.
fn has_same_depth(left: &Node, right: &Node) -> bool {
    fn depth(sort: &Sort) -> usize {
        match sort {
            Sort::Set(element) => 1 + depth(element),
            _ => 0,
        }
    }
    depth(&left.sort) == depth(&right.sort)
}

fn folded(
    numbers: impl Iterator<Item = i64>,
    start: i64,
    step: fn(i64, i64) -> Option<i64>,
) -> Evaluated<Value> {
    let mut result = start;
    for number in numbers {
        result = step(result, number).ok_or(EvalError::Overflow)?;
    }
    Ok(Value::Number(result))
}

/// Applies an operator to values. `both_sets` says that `+` and `-` join or subtract sets, not elements.
fn operate(operator: Operator, values: &[Value], both_sets: bool) -> Evaluated<Value> {
    use Operator as O;
    use Value::{Bool, None, Number, Set};
    Ok(match (operator, values) {
        (O::Equal, [a, b]) => Bool(a == b),
        (O::NotEqual, [a, b]) => Bool(a != b),
        (O::Less, [Number(a), Number(b)]) => Bool(a < b),
        (O::AtMost, [Number(a), Number(b)]) => Bool(a <= b),
        (O::Greater, [Number(a), Number(b)]) => Bool(a > b),
        (O::AtLeast, [Number(a), Number(b)]) => Bool(a >= b),
        (O::Less | O::AtMost | O::Greater | O::AtLeast, _) => Bool(false),
        (O::Add, [Number(a), Number(b)]) => Number(a.checked_add(*b).ok_or(EvalError::Overflow)?),
        (O::Subtract, [Number(a), Number(b)]) => Number(a.checked_sub(*b).ok_or(EvalError::Overflow)?),
        (O::Multiply, [Number(a), Number(b)]) => Number(a.checked_mul(*b).ok_or(EvalError::Overflow)?),
        (O::Negate, [Number(a)]) => Number(a.checked_neg().ok_or(EvalError::Overflow)?),
        (O::Size, [set]) => Number(i64::try_from(set.items().len()).map_err(|_| EvalError::Overflow)?),
        (O::Range, [Number(a), Number(b)]) => {
            let length = b.checked_sub(*a).ok_or(EvalError::Overflow)?;
            if usize::try_from(length).is_ok_and(|length| length > LARGEST) {
                return Err(EvalError::TooLarge);
            }
            Value::set((*a..=*b).map(Number))
        }
        (O::Add, [set @ Set(_), None] | [None, set @ Set(_)]) | (O::Subtract, [set @ Set(_), None]) => {
            set.clone()
        }
        (O::Add, [Set(a), Set(b)]) if both_sets => {
            Value::set(a.items().iter().chain(b.items().iter().filter(|item| !a.contains(item))).cloned())
        }
        (O::Subtract, [Set(a), Set(b)]) if both_sets => {
            Value::set(a.items().iter().filter(|item| !b.contains(item)).cloned())
        }
        (O::Add, [Set(set), item] | [item, Set(set)]) if set.contains(item) => Set(set.clone()),
        (O::Add, [Set(set), item]) => Value::set(set.items().iter().chain([item]).cloned()),
        (O::Add, [item, Set(set)]) => Value::set([item].into_iter().chain(set.items()).cloned()),
        (O::Subtract, [Set(set), item]) => {
            Value::set(set.items().iter().filter(|other| *other != item).cloned())
        }
        _ => None,
    })
}
