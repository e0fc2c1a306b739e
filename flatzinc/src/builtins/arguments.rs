//! Reads the arguments of the calls in an instance, and builds relations from them.

use std::collections::HashMap;
use std::sync::Arc;

use gordian_encodings::constraint::Comparison::{self, AtLeast, AtMost, Equal};
use gordian_encodings::{Domain, Value};

use crate::constraint::{Automaton, Ref, Relation, Sum};
use crate::instance::{Argument, Call, Instance, Operand, VarDomain};

/// The result of reading an argument. An error contains the index of the argument and the expected type.
pub(super) type Built<T> = Result<T, (usize, &'static str)>;

/// Returns the operands of a count, each with the weight 1.
fn unweighted(operands: Vec<Ref>) -> Vec<(Value, Ref)> {
    operands.into_iter().map(|x| (1, x)).collect()
}

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    pub(super) call: &'a Call,
    pub(super) instance: &'a Instance,
}

impl Arguments<'_> {
    fn one(&self, index: usize, expected: &'static str) -> Built<&Operand> {
        match &self.call.arguments[index] {
            Argument::One(operand) => Ok(operand),
            Argument::Array(_) => Err((index, expected)),
        }
    }

    fn array(&self, index: usize, expected: &'static str) -> Built<&Arc<[Operand]>> {
        match &self.call.arguments[index] {
            Argument::Array(array) => Ok(array),
            Argument::One(_) => Err((index, expected)),
        }
    }

    fn is_int(operand: &Operand) -> bool {
        !matches!(operand, Operand::Set(_))
    }

    fn is_bool(&self, operand: &Operand) -> bool {
        match operand {
            Operand::Bool(_) => true,
            Operand::Int(value) => (0..=1).contains(value),
            Operand::Set(_) => false,
            Operand::Var(x) => match &self.instance.variables[x.0 as usize].domain {
                VarDomain::Bool => true,
                VarDomain::Unbounded => false,
                VarDomain::Int(domain) => domain.values().take(3).all(|value| (0..=1).contains(&value)),
            },
        }
    }

    pub(super) fn value(&self, index: usize) -> Built<Value> {
        const EXPECTED: &str = "an integer constant";
        match *self.one(index, EXPECTED)? {
            Operand::Int(value) => Ok(value),
            Operand::Bool(value) => Ok(Value::from(value)),
            _ => Err((index, EXPECTED)),
        }
    }

    /// Returns the first index of an array, or an error if it is so large that other indices could overflow.
    pub(super) fn first(&self, index: usize) -> Built<Value> {
        let first = self.value(index)?;
        let fits = (Value::MIN / 2..=Value::MAX / 2).contains(&first);
        if fits { Ok(first) } else { Err((index, "an index that fits 127 bits")) }
    }

    pub(super) fn int(&self, index: usize) -> Built<Ref> {
        const EXPECTED: &str = "an integer";
        let operand = self.one(index, EXPECTED)?;
        if Self::is_int(operand) { Ok(Ref::of(operand)) } else { Err((index, EXPECTED)) }
    }

    pub(super) fn bool(&self, index: usize) -> Built<Ref> {
        const EXPECTED: &str = "a Boolean";
        let operand = self.one(index, EXPECTED)?;
        if self.is_bool(operand) { Ok(Ref::of(operand)) } else { Err((index, EXPECTED)) }
    }

    pub(super) fn set(&self, index: usize) -> Built<Arc<Domain>> {
        const EXPECTED: &str = "a set constant";
        match self.one(index, EXPECTED)? {
            Operand::Set(set) => Ok(Arc::clone(set)),
            _ => Err((index, EXPECTED)),
        }
    }

    pub(super) fn three(&self) -> Built<[Ref; 3]> {
        Ok([self.int(0)?, self.int(1)?, self.int(2)?])
    }

    pub(super) fn ints(&self, index: usize) -> Built<Vec<Ref>> {
        const EXPECTED: &str = "an array of integers";
        let array = self.array(index, EXPECTED)?;
        let all = array.iter().map(|operand| Self::is_int(operand).then(|| Ref::of(operand)));
        all.collect::<Option<_>>().ok_or((index, EXPECTED))
    }

    pub(super) fn bools(&self, index: usize) -> Built<Vec<Ref>> {
        const EXPECTED: &str = "an array of Booleans";
        let array = self.array(index, EXPECTED)?;
        let all = array.iter().map(|operand| self.is_bool(operand).then(|| Ref::of(operand)));
        all.collect::<Option<_>>().ok_or((index, EXPECTED))
    }

    pub(super) fn values(&self, index: usize) -> Built<Vec<Value>> {
        const EXPECTED: &str = "an array of integer constants";
        let array = self.array(index, EXPECTED)?;
        let value = |operand: &Operand| match *operand {
            Operand::Int(value) => Some(value),
            Operand::Bool(value) => Some(Value::from(value)),
            _ => None,
        };
        array.iter().map(value).collect::<Option<_>>().ok_or((index, EXPECTED))
    }

    /// Returns the relation `sum coefficients * operands <comparison> bound`, where the bound may be a variable.
    pub(super) fn sum(
        &self,
        operands: fn(&Self, usize) -> Built<Vec<Ref>>,
        comparison: Comparison,
    ) -> Built<Relation> {
        let (coefficients, operands) = (self.values(0)?, operands(self, 1)?);
        if coefficients.len() != operands.len() {
            return Err((1, "as many operands as coefficients"));
        }
        let mut terms: Vec<(Value, Ref)> = coefficients.into_iter().zip(operands).collect();
        let bound = match self.int(2)? {
            Ref::Const(bound) => bound,
            variable => {
                terms.push((-1, variable));
                0
            }
        };
        Ok(Relation::Sum(Sum { terms, comparison, bound }))
    }

    pub(super) fn min_max(&self, of: Vec<Ref>, value: usize, greatest: bool) -> Built<Relation> {
        Ok(Relation::MinMax { of, value: self.int(value)?, greatest })
    }

    /// Returns an element relation. The argument with the index `array` is the array, and the next argument is the
    /// value.
    pub(super) fn element(
        &self,
        first: Value,
        array: usize,
        value: fn(&Self, usize) -> Built<Ref>,
    ) -> Built<Relation> {
        const EXPECTED: &str = "an array of integers or Booleans";
        let elements = self.array(array, EXPECTED)?;
        if !elements.iter().all(Self::is_int) {
            return Err((array, EXPECTED));
        }
        let (index, value) = (self.int(0)?, value(self, array + 1)?);
        Ok(Relation::Element { index, first, array: Arc::clone(elements), value })
    }

    pub(super) fn table(&self, columns: Vec<Ref>) -> Built<Relation> {
        const EXPECTED: &str = "an array of constants, one for each column of each row";
        let rows = self.array(1, EXPECTED)?;
        let constant = |operand: &Operand| match operand {
            Operand::Int(_) | Operand::Bool(_) => true,
            // In a table, the set of all integers is a wildcard, like `*` in XCSP3.
            Operand::Set(set) => set.intervals().eq([(Value::MIN, Value::MAX)]),
            Operand::Var(_) => false,
        };
        let fits = if columns.is_empty() { rows.is_empty() } else { rows.len() % columns.len() == 0 };
        if !fits || !rows.iter().all(constant) {
            return Err((1, EXPECTED));
        }
        Ok(Relation::Table(columns, Arc::clone(rows)))
    }

    /// Returns a count relation. The arguments are the operands, the value, and the count.
    pub(super) fn count(&self, comparison: Comparison) -> Built<Relation> {
        Ok(Relation::Count {
            of: unweighted(self.ints(0)?),
            value: self.int(1)?,
            comparison,
            times: self.int(2)?,
        })
    }

    /// Returns a count relation. The arguments are the count, the operands, and the value.
    pub(super) fn count_first(&self, comparison: Comparison) -> Built<Relation> {
        Ok(Relation::Count {
            of: unweighted(self.ints(1)?),
            value: self.int(2)?,
            comparison,
            times: self.int(0)?,
        })
    }

    /// Returns a global cardinality relation: for every i, exactly `counts[i]` operands have the value `cover[i]`.
    pub(super) fn cardinality(&self, closed: bool) -> Built<Relation> {
        self.counts(closed, &[(Equal, self.ints(2)?)])
    }

    pub(super) fn cardinality_between(&self, closed: bool) -> Built<Relation> {
        self.counts(closed, &[(AtLeast, self.ints(2)?), (AtMost, self.ints(3)?)])
    }

    fn counts(&self, closed: bool, bounds: &[(Comparison, Vec<Ref>)]) -> Built<Relation> {
        let (of, cover) = (self.ints(0)?, self.values(1)?);
        let mut all = Vec::new();
        for (comparison, times) in bounds {
            if times.len() != cover.len() {
                return Err((2, "as many counts as values"));
            }
            all.extend(cover.iter().zip(times).map(|(&value, &times)| Relation::Count {
                of: unweighted(of.clone()),
                value: Ref::Const(value),
                comparison: *comparison,
                times,
            }));
        }
        if closed {
            let values = Arc::new(Domain::from_values(cover));
            all.extend(of.iter().map(|&x| Relation::In(x, Arc::clone(&values))));
        }
        Ok(Relation::All(all))
    }

    /// Returns a bin packing relation: each item is in a bin, and the total weight of the items in each bin satisfies a
    /// comparison with the load or capacity of the bin. The arguments are the loads or capacities, the number of the first
    /// bin, the bin of each item, and the weights of the items.
    pub(super) fn bin_packing(&self, comparison: Comparison) -> Built<Relation> {
        let (loads, first, bins, weights) = (self.ints(0)?, self.first(1)?, self.ints(2)?, self.values(3)?);
        if weights.len() != bins.len() {
            return Err((3, "as many weights as items"));
        }
        let last = first + loads.len() as Value - 1;
        let inside = Arc::new(Domain::interval(first, last));
        let mut all: Vec<Relation> = bins.iter().map(|&bin| Relation::In(bin, Arc::clone(&inside))).collect();
        if comparison == Equal {
            // Each item is in one bin, so the loads and the weights have the same sum.
            const EXPECTED: &str = "weights whose sum fits 128 bits";
            let total = weights.iter().try_fold(0, |sum: Value, &weight| sum.checked_add(weight));
            let terms = loads.iter().map(|&load| (1, load)).collect();
            all.push(Relation::Sum(Sum { terms, comparison, bound: total.ok_or((3, EXPECTED))? }));
        }
        let items: Vec<(Value, Ref)> = weights.into_iter().zip(bins).collect();
        all.extend((first..).zip(loads).map(|(bin, times)| Relation::Count {
            of: items.clone(),
            value: Ref::Const(bin),
            comparison,
            times,
        }));
        Ok(Relation::All(all))
    }

    pub(super) fn lexicographic(
        &self,
        operands: fn(&Self, usize) -> Built<Vec<Ref>>,
        strict: bool,
    ) -> Built<Relation> {
        Ok(Relation::Lexicographic { left: operands(self, 0)?, right: operands(self, 1)?, strict })
    }

    /// Returns a circuit. The arguments are the successors and the number of the first node.
    pub(super) fn circuit(&self, optional: bool) -> Built<Relation> {
        Ok(Relation::Circuit { successors: self.ints(0)?, first: self.first(1)?, optional })
    }

    /// Returns a connectivity relation. The arguments are the vertices, and the edges as a flat list of pairs of vertices,
    /// numbered from 1.
    pub(super) fn connected(&self) -> Built<Relation> {
        let (vertices, ends) = (self.bools(0)?, self.values(1)?);
        let index =
            |end: Value| usize::try_from(end.checked_sub(1)?).ok().filter(|&end| end < vertices.len());
        let edge = |ends: &[Value]| match *ends {
            [from, to] => Some((index(from)?, index(to)?)),
            _ => None,
        };
        let edges: Option<Vec<_>> = ends.chunks(2).map(edge).collect();
        Ok(Relation::Connected { vertices, edges: edges.ok_or((1, "pairs of vertices, numbered from 1"))? })
    }

    /// Returns a cumulative relation. The arguments are the starts, the durations, the demands, and the capacity.
    pub(super) fn cumulative(&self) -> Built<Relation> {
        let [starts, durations, demands] = [self.ints(0)?, self.ints(1)?, self.ints(2)?];
        if durations.len() != starts.len() || demands.len() != starts.len() {
            return Err((1, "as many durations and demands as starts"));
        }
        let tasks = starts.iter().zip(&durations).zip(&demands).map(|((&s, &d), &r)| [s, d, r]);
        Ok(Relation::Cumulative { tasks: tasks.collect(), capacity: self.int(3)? })
    }

    /// Returns a disjunctive relation, which also requires that the durations are not negative. The arguments are the
    /// starts and the durations.
    pub(super) fn disjunctive(&self, strict: bool) -> Built<Relation> {
        let [starts, durations] = [self.ints(0)?, self.ints(1)?];
        if durations.len() != starts.len() {
            return Err((1, "as many durations as starts"));
        }
        let tasks = starts.iter().zip(&durations).map(|(&start, &duration)| [start, duration]).collect();
        let least = durations.iter().map(|&d| Relation::compare(d, AtLeast, Ref::Const(0), 0));
        let mut all: Vec<Relation> = least.collect();
        all.push(Relation::Disjunctive { tasks, precedes: Vec::new(), strict });
        Ok(Relation::All(all))
    }

    /// Returns the relation that boxes do not overlap. The arguments are the number k of dimensions, the origins, and
    /// the sizes. Both lists contain k integers for the first box, then k integers for the second box, and so on.
    pub(super) fn diffn(&self, strict: bool) -> Built<Relation> {
        let (dimensions, origins, sizes) = (self.value(0)?, self.ints(1)?, self.ints(2)?);
        let dimensions = usize::try_from(dimensions).ok().filter(|&count| count > 0);
        let dimensions = dimensions.ok_or((0, "a positive number of dimensions"))?;
        if origins.len() % dimensions != 0 {
            return Err((1, "an origin for each box and dimension"));
        }
        if sizes.len() != origins.len() {
            return Err((2, "as many sizes as origins"));
        }
        let sides: Vec<[Ref; 2]> = origins.into_iter().zip(sizes).map(<[Ref; 2]>::from).collect();
        Ok(Relation::Diffn { boxes: sides.chunks(dimensions).map(<[_]>::to_vec).collect(), strict })
    }

    /// Returns a relation that holds if and only if an automaton accepts the sequence of operands. The arguments are
    /// the operands, the start state, the transitions, and the accepting states. The transitions are a flat list of
    /// triples: state, value, next state.
    pub(super) fn automaton(&self) -> Built<Relation> {
        let (start, transitions) = (self.value(1)?, self.values(2)?);
        if transitions.len() % 3 != 0 {
            return Err((2, "a state, a value and a state for each transition"));
        }
        let mut numbers: HashMap<Value, usize> = HashMap::new();
        let mut number = |state: Value| {
            let next = numbers.len();
            *numbers.entry(state).or_insert(next)
        };
        let start = number(start);
        let transitions = transitions.chunks(3).map(|t| (number(t[0]), t[1], number(t[2]))).collect();
        let accepted = self.set(3)?;
        let accepting = numbers.into_iter().filter(|&(state, _)| accepted.contains(state));
        let mut accepting: Vec<usize> = accepting.map(|(_, number)| number).collect();
        accepting.sort_unstable();
        let automaton = Arc::new(Automaton { start, transitions, accepting });
        Ok(Relation::Automaton(self.ints(0)?, automaton))
    }

    /// Returns a sequence precedence relation: for all v > 1, an operand may have the value v only if an earlier
    /// operand has the value v - 1.
    pub(super) fn sequence_precedence(&self) -> Built<Relation> {
        let list = self.ints(0)?;
        let count = list.len() as Value;
        // The values 1 to k - 1 must occur before the value k, so no value exceeds the number of operands.
        let bounds = list.iter().map(|&x| Relation::compare(x, AtMost, Ref::Const(count), 0));
        let mut all: Vec<Relation> = bounds.collect();
        all.push(Relation::ValuePrecedence(list, (1..=count).collect()));
        Ok(Relation::All(all))
    }
}
