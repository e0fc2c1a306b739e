//! Tests the propagators for scheduled tasks without a solver. On small random tasks, every derived literal is
//! checked against the list of all solutions.

use gordian_encodings::constraint::{Cumulative, Disjunctive, Task};
use gordian_encodings::theory::bounds::OrderedInt;
use gordian_encodings::theory::disjunctive::LazyDisjunctive;
use gordian_encodings::theory::timetable::LazyTimetable;
use gordian_encodings::theory::{Event, Findings, Lazy, Propagator};
use gordian_encodings::{Assignment, Constraint, Domain, Expr, FALSE, IntVar, Lit, Model, TRUE, Value};
use proptest::prelude::*;

/// The type of a constraint on tasks.
#[derive(Debug, Clone, Copy)]
enum Type {
    /// The integers are the start, the duration and the demand of each task, and then the capacity.
    Cumulative,
    /// The integers are the start and the duration of each task, and then, for each pair of tasks, an integer that is 1
    /// if the first task precedes the second.
    Disjunctive { strict: bool },
}

/// A constraint on tasks, and the decisions of a solver.
#[derive(Debug, Clone)]
struct Case {
    of_type: Type,
    domains: Vec<Domain>,
    /// True if the constraint has a condition. The literal of the condition comes after the literals of the integers.
    conditional: bool,
    /// For each decision: the number of a variable, whether its literal is negated, and the number of levels to
    /// backtrack after a conflict.
    moves: Vec<(usize, bool, usize)>,
}

fn interval(
    first: std::ops::Range<Value>,
    sizes: std::ops::Range<Value>,
) -> impl Strategy<Value = Domain> + Clone {
    (first, sizes).prop_map(|(first, size)| Domain::interval(first, first + size))
}

fn cases() -> impl Strategy<Value = Case> {
    let start = prop_oneof![
        3 => interval(0..4, 0..4),
        1 => Just(Domain::from_values([0, 1, 4])),
    ];
    let task = (start, interval(-1..4, 0..2), interval(-1..3, 0..2));
    let tasks = proptest::collection::vec(task, 0..4);
    let cumulative = (tasks, interval(0..4, 0..3)).prop_map(|(tasks, capacity)| {
        let tasks = tasks.into_iter().flat_map(|(start, duration, demand)| [start, duration, demand]);
        (Type::Cumulative, tasks.chain([capacity]).collect::<Vec<_>>())
    });
    let disjunctive = (0..5_usize).prop_flat_map(|count| {
        // With more tasks, the domains are smaller, to save time.
        let longest = [4, 4, 4, 4, 3][count];
        let duration = prop_oneof![
            3 => interval(1..longest, 0..1),
            1 => interval(-1..3, 0..2),
        ];
        let task = (interval(0..5, 0..[8, 8, 8, 6, 4][count]), duration);
        let order = prop_oneof![
            4 => Just(Domain::interval(0, 1)),
            1 => interval(0..2, 0..1),
        ];
        let orders = proptest::collection::vec(order, count * count.saturating_sub(1) / 2);
        (proptest::collection::vec(task, count), orders, any::<bool>())
    });
    let disjunctive = disjunctive.prop_map(|(tasks, orders, strict)| {
        let tasks = tasks.into_iter().flat_map(|(start, duration)| [start, duration]);
        (Type::Disjunctive { strict }, tasks.chain(orders).collect::<Vec<_>>())
    });
    let moves = proptest::collection::vec((0..50_usize, any::<bool>(), 0..4_usize), 1..20);
    (prop_oneof![cumulative, disjunctive], any::<bool>(), moves)
        .prop_map(|((of_type, domains), conditional, moves)| Case { of_type, domains, conditional, moves })
}

/// Returns the number of tasks of a disjunctive constraint with the given number of integers.
fn tasks(integers: usize) -> usize {
    (0..=integers).find(|n| 2 * n + n * n.saturating_sub(1) / 2 >= integers).expect("a number")
}

/// Returns the pairs of tasks, in the order of their literals.
fn pairs(tasks: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..tasks).flat_map(|j| (0..j).map(move |i| (i, j)))
}

/// Returns the constraint over the integers of a [`Type`]. The literals for the order of tasks are the first Boolean
/// variables.
fn constraint(of_type: Type, ints: &[IntVar]) -> Box<dyn Constraint> {
    match of_type {
        Type::Cumulative => {
            let (capacity, tasks) = ints.split_last().expect("a capacity");
            let tasks = tasks.chunks(3).map(|task| Task::new(task[0], task[1], task[2]));
            Box::new(Cumulative::new(tasks, Expr::from(*capacity)))
        }
        Type::Disjunctive { strict } => {
            let count = tasks(ints.len());
            let of_tasks = ints[..2 * count].chunks(2).map(|task| (task[0], task[1]));
            let precedes = pairs(count).zip((0..).map(Lit::positive)).collect();
            Box::new(Disjunctive { precedes, strict, ..Disjunctive::new(of_tasks) })
        }
    }
}

/// Returns the assignment of the constraint for values of the integers.
fn assignment(of_type: Type, values: &[Value]) -> Assignment {
    match of_type {
        Type::Cumulative => Assignment::new(vec![], values.to_vec()),
        Type::Disjunctive { .. } => {
            let order = &values[2 * tasks(values.len())..];
            Assignment::new(order.iter().map(|&value| value == 1).collect(), values.to_vec())
        }
    }
}

/// A constraint over integers in order encoding. The literals of each integer have consecutive numbers.
struct Instance {
    solutions: Vec<Vec<Value>>,
    /// For each Boolean variable, the integer x and the value v such that the variable stands for `x <= v`.
    meanings: Vec<(usize, Value)>,
    lazy: Box<dyn Lazy>,
    /// The clauses `x <= v -> x <= w` for consecutive values v and w.
    chains: Vec<(Lit, Lit)>,
}

impl Instance {
    fn new(Case { of_type, domains, conditional, .. }: &Case) -> Self {
        let mut model = Model::new();
        let ints: Vec<IntVar> = domains.iter().map(|domain| model.integer(domain.clone())).collect();
        let constraint = constraint(*of_type, &ints);
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for domain in domains {
            let longer = |values: &Vec<Value>| {
                let values = values.clone();
                domain.values().map(move |value| [&values[..], &[value]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let holds = |values: &Vec<Value>| constraint.holds(&assignment(*of_type, values));
        if *conditional {
            // An additional integer stands for the condition. It is 0 if the condition is true, and 1 otherwise.
            let with = |condition| move |values: &Vec<Value>| [&values[..], &[condition]].concat();
            let satisfied = all.iter().filter(|&values| holds(values)).map(with(0));
            all = satisfied.chain(all.iter().map(with(1))).collect();
        } else {
            all.retain(holds);
        }
        let (mut meanings, mut chains, mut ordered) = (Vec::new(), Vec::new(), Vec::new());
        let mut lits_of = Vec::new();
        for (number, domain) in domains.iter().enumerate() {
            let values: Vec<Value> = domain.values().collect();
            let first = meanings.len() as u32;
            let lits: Vec<Lit> = (0..values.len() as u32 - 1).map(|k| Lit::positive(first + k)).collect();
            meanings.extend(values[..lits.len()].iter().map(|&value| (number, value)));
            chains.extend(lits.windows(2).map(|pair| (pair[0], pair[1])));
            lits_of.push((lits.first().copied(), values[0]));
            ordered.push(OrderedInt::new(values, lits));
        }
        let mut conditions = Vec::new();
        if *conditional {
            conditions.push(Lit::positive(meanings.len() as u32));
            meanings.push((domains.len(), 0));
        }
        let lazy: Box<dyn Lazy> = match *of_type {
            Type::Cumulative => {
                let capacity = ordered.pop().expect("a capacity");
                let mut rest = ordered.into_iter();
                let mut tasks = Vec::new();
                while let (Some(start), Some(duration), Some(demand)) =
                    (rest.next(), rest.next(), rest.next())
                {
                    tasks.push([start, duration, demand]);
                }
                Box::new(LazyTimetable::new(tasks, capacity, &conditions))
            }
            Type::Disjunctive { strict } => {
                let count = tasks(ordered.len());
                // The first literal of an integer with the values 0 and 1 is true if the integer is 0.
                let order = lits_of[2 * count..].iter().map(|&(lit, value)| match lit {
                    Some(lit) => !lit,
                    None if value == 1 => TRUE,
                    None => FALSE,
                });
                let order: Vec<Lit> = order.collect();
                let mut rest = ordered.into_iter().take(2 * count);
                let mut tasks = Vec::new();
                while let (Some(start), Some(duration)) = (rest.next(), rest.next()) {
                    tasks.push([start, duration]);
                }
                Box::new(LazyDisjunctive::new(tasks, &order, strict, &conditions))
            }
        };
        Self { solutions: all, meanings, lazy, chains }
    }

    fn holds(&self, values: &[Value], lit: Lit) -> bool {
        let (x, bound) = self.meanings[lit.vidx()];
        (values[x] <= bound) == lit.is_pos()
    }

    #[track_caller]
    fn check_clause(&self, clause: &[Lit]) {
        let follows = |values: &Vec<Value>| clause.iter().any(|&lit| self.holds(values, lit));
        assert!(self.solutions.iter().all(follows), "{clause:?} does not follow");
    }
}

/// A minimal solver: a propagator and a trail. Apart from the propagator, it only propagates the clauses `x <= v -> x
/// <= w`.
struct Search<'i> {
    instance: &'i Instance,
    propagator: Box<dyn Propagator>,
    watched: Vec<(Lit, Event)>,
    /// The true literals. If the propagator derived the literal, the entry also contains the event that explains it,
    /// and the number of trail literals that had been passed to the propagator before.
    trail: Vec<(Lit, Option<(usize, Event)>)>,
    told: usize,
    /// For each change of the propagator's state, the trail position of the literal that caused it.
    changes: Vec<usize>,
    levels: Vec<usize>,
}

impl Search<'_> {
    fn value(&self, lit: Lit) -> Option<bool> {
        self.trail.iter().map(|&(held, _)| held).find(|held| held.var() == lit.var()).map(|held| held == lit)
    }

    /// Adds a literal to the trail, followed by all literals of the same integer that it implies. Returns `false` if
    /// one of the added literals is false.
    fn push(&mut self, lit: Lit, source: Option<(usize, Event)>) -> bool {
        match self.value(lit) {
            Some(value) => return value,
            None => self.trail.push((lit, source)),
        }
        let chains = &self.instance.chains;
        let implied =
            chains.iter().filter_map(|&(a, b)| if a == lit { Some(b) } else { (!b == lit).then_some(!a) });
        implied.collect::<Vec<_>>().into_iter().all(|next| self.push(next, None))
    }

    fn clause(&mut self, lit: Lit, event: Event, told: usize) -> Vec<Lit> {
        let mut reason = Vec::new();
        self.propagator.explain(event, &mut reason);
        let known: Vec<Lit> = self.trail[..told].iter().map(|&(lit, _)| lit).collect();
        assert!(reason.iter().all(|lit| known.contains(lit)), "a literal of {reason:?} is later");
        reason.iter().map(|&lit| !lit).chain([lit]).collect()
    }

    /// Propagates until a fixpoint or a conflict is reached, and checks every derived literal. Returns whether there
    /// was a conflict.
    fn propagate(&mut self) -> bool {
        loop {
            for position in self.told..self.trail.len() {
                let (lit, _) = self.trail[position];
                for &(_, event) in self.watched.iter().filter(|&&(watched, _)| watched == lit) {
                    if self.propagator.assign(event) {
                        self.changes.push(position);
                    }
                }
            }
            self.told = self.trail.len();
            let mut findings = Findings::default();
            self.propagator.propagate(&mut findings);
            if let Some(clause) = findings.conflict {
                assert!(clause.iter().all(|&lit| self.value(lit) == Some(false)), "{clause:?} is not false");
                self.instance.check_clause(&clause);
                return true;
            }
            let told = self.told;
            for (lit, event) in findings.implied {
                let clause = self.clause(lit, event, told);
                self.instance.check_clause(&clause);
                if !self.push(lit, Some((told, event))) {
                    return true;
                }
            }
            if self.trail.len() == told {
                return false;
            }
        }
    }

    fn pop(&mut self, levels: usize) {
        for _ in 0..levels.min(self.levels.len()) {
            let start = self.levels.pop().expect("as many levels");
            while self.trail.len() > start {
                self.trail.pop();
            }
            self.told = self.told.min(start);
            while self.changes.pop_if(|&mut position| position >= start).is_some() {
                self.propagator.undo();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn inferences_are_implied_and_explained(case in cases()) {
        let instance = Instance::new(&case);
        let propagator = instance.lazy.propagator().expect("a propagator");
        let watched = propagator.events();
        let (trail, levels) = (Vec::new(), Vec::new());
        let mut search = Search { instance: &instance, propagator, watched, trail, told: 0, changes: Vec::new(), levels };
        if search.propagate() {
            prop_assert!(instance.solutions.is_empty(), "a conflict without a decision");
            return Ok(());
        }
        for (number, sign, back) in case.moves {
            if instance.meanings.is_empty() {
                break;
            }
            let lit = Lit::new((number % instance.meanings.len()) as u32, sign);
            if search.value(lit).is_some() {
                continue;
            }
            search.levels.push(search.trail.len());
            let conflict = !search.push(lit, None) || search.propagate();
            for index in (0..search.trail.len()).rev() {
                if let (lit, Some((told, event))) = search.trail[index] {
                    let clause = search.clause(lit, event, told);
                    instance.check_clause(&clause);
                }
            }
            let fits = |values: &&Vec<Value>| {
                search.trail.iter().all(|&(lit, _)| instance.holds(values, lit))
            };
            let left = instance.solutions.iter().filter(fits).count();
            if conflict {
                prop_assert_eq!(left, 0, "a conflict, although there are solutions");
                search.pop(1 + back);
            } else if search.trail.len() == instance.meanings.len() {
                prop_assert_eq!(left, 1, "a total assignment that is no solution");
            }
        }
    }

    #[test]
    fn cuts_are_implied_and_violated_exactly_by_violations(case in cases()) {
        let instance = Instance::new(&case);
        let mut all: Vec<Vec<Value>> = vec![Vec::new()];
        for domain in &case.domains {
            // Only two values of each domain are tried, to save time.
            let values: Vec<Value> = domain.values().take(2).collect();
            all = all.iter().flat_map(|list| values.iter().map(|&v| [&list[..], &[v]].concat())).collect();
        }
        if case.conditional {
            all = all.iter().flat_map(|list| [0, 1].map(|value| [&list[..], &[value]].concat())).collect();
        }
        for values in all {
            let cuts = instance.lazy.cuts(&|lit| instance.holds(&values, lit));
            prop_assert_eq!(cuts.is_empty(), instance.solutions.contains(&values), "{:?}", &values);
            for clause in &cuts {
                prop_assert!(clause.iter().all(|&lit| !instance.holds(&values, lit)), "{clause:?} holds");
                instance.check_clause(clause);
            }
        }
    }
}
