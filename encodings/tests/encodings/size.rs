//! Tests that the sizes of encodings agree with the documented closed formulas.
//!
//! Every encoding has a closed formula in this file or is listed in [`MEASURED`]. The documentation of the listed
//! encodings gives asymptotic sizes or refers to other constraints. This file has over 400 lines because it is a
//! single list of formulas.

use std::collections::BTreeSet;

use crate::formula::{Sample, each_choice};
use crate::samples::{
    all_differents, at_most_ones, cardinalities, cases, clauses, connected, equalities, exactly_ones,
    lexicographics, maxima, minima, plain, tables,
};
use crate::values::permutations;
use gordian_encodings::constraint::{
    AllDifferent, AtMostOne, Cardinality, Connected, Disconnected, Entry, Equality, Inverse, Permutation,
    Table,
};
use gordian_encodings::{
    CONSTRAINTS, Constraint, Domain, Encodable, Encodings, Expr, FALSE, IntVar, Lit, Model, ModelCount,
    Strength, TRUE, Value,
};

/// The number of variables and the number of clauses, exactly or as upper bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Size {
    Exactly(u64, u64),
    AtMost(u64, u64),
}

use Size::{AtMost, Exactly};

impl Size {
    fn and_clauses(self, more: u64) -> Self {
        self.and(0, more)
    }

    fn and(self, more_variables: u64, more_clauses: u64) -> Self {
        match self {
            Exactly(variables, clauses) => Exactly(variables + more_variables, clauses + more_clauses),
            AtMost(variables, clauses) => AtMost(variables + more_variables, clauses + more_clauses),
        }
    }
}

/// A closed formula for the size of an encoding. Its arguments are the constraint, the model, and whether the number of
/// solutions is preserved. The formula returns `None` if it does not apply to the constraint.
type Formula<C> = fn(&C, &Model, bool) -> Option<Size>;

/// The encodings that have a closed formula.
type Covered = BTreeSet<(&'static str, &'static str)>;

/// Compares the formulas with the actual sizes on each sample whose inputs are distinct variables.
fn check<C: Constraint + Encodable>(
    samples: &[Sample<C>],
    formulas: &[(&'static str, Formula<C>)],
    covered: &mut Covered,
) {
    for &(name, formula) in formulas {
        let encoding = C::ENCODINGS.iter().find(|encoding| encoding.name == name).expect("its name");
        let (mut compared, mut nearest) = (0, 0.0_f64);
        for Sample { model, constraint, .. } in samples.iter().filter(|sample| sample.plain) {
            for keep_count in [false, true] {
                let written =
                    !keep_count || encoding.count != ModelCount::Lost && encoding.strength != Strength::Lazy;
                let size = if written && (encoding.applies)(constraint, model.domains()) {
                    formula(constraint, model, keep_count)
                } else {
                    None
                };
                let Some(size) = size else { continue };
                let mut encodings = Encodings::auto().deferring();
                encodings.choose(*encoding);
                if keep_count {
                    encodings = encodings.keep_count();
                }
                let found = model.size_of(constraint, &encodings);
                let context = || format!("{name}: {size:?}, but {found:?} for {constraint:?}");
                compared += 1;
                match size {
                    Exactly(variables, clauses) => {
                        assert!((found.variables, found.clauses) == (variables, clauses), "{}", context());
                        nearest = 1.0;
                    }
                    AtMost(variables, clauses) => {
                        assert!(found.variables <= variables && found.clauses <= clauses, "{}", context());
                        nearest = nearest.max(found.clauses as f64 / clauses.max(1) as f64);
                    }
                }
            }
        }
        assert!(compared > 1, "{}={name} is compared with no sample", C::NAME);
        assert!(nearest > 0.5, "{}={name} is never near its bound: {nearest}", C::NAME);
        covered.insert((C::NAME, name));
    }
}

/// Returns the size of a constraint over `n` new variables in the encoding that `auto` selects.
pub(crate) fn posted<C: Constraint>(
    n: u64,
    keep_count: bool,
    make: impl FnOnce(Vec<Lit>) -> C,
) -> (u64, u64) {
    let mut model = Model::new();
    let constraint = make((0..n).map(|_| model.boolean()).collect());
    let encodings = if keep_count { Encodings::auto().keep_count() } else { Encodings::auto() };
    let size = model.size_of(&constraint, &encodings);
    (size.variables, size.clauses)
}

/// Returns the number of unordered pairs of n items.
fn pairs(n: u64) -> u64 {
    n * n.saturating_sub(1) / 2
}

/// Returns the number of bits that suffice to distinguish n >= 2 items.
fn digits(n: u64) -> u64 {
    u64::from(u64::BITS - (n - 1).leading_zeros())
}

/// Divides n items into groups of four, and returns the number of unordered pairs within the groups.
fn in_groups(n: u64) -> u64 {
    n / 4 * pairs(4) + pairs(n % 4)
}

/// Returns the size of an at-most-one constraint. If `keep_count` is true, the size includes the clauses that preserve
/// the number of solutions.
fn at_most_one(name: &str, n: u64, keep_count: bool) -> Size {
    let defined = |variables: u64| if keep_count { variables } else { 0 };
    match name {
        "ladder" if n >= 2 => Exactly(n - 1, 3 * n - 4),
        "bitwise" if n >= 2 => Exactly(digits(n), n * digits(n)),
        "commander" if n >= 6 => {
            let commanders = n.div_ceil(3) - u64::from(n % 3 == 1);
            let clauses = n / 3 * 6 + u64::from(n % 3 == 2) * 3 + defined(commanders);
            at_most_one(name, n.div_ceil(3), keep_count).and(commanders, clauses)
        }
        "nested" if n >= 4 => Exactly((n - 3) / 2, 3 * n - 6 + defined((n - 3) / 2)),
        "bimander" if n >= 5 => {
            let bits = digits(n.div_ceil(4));
            Exactly(bits, n * bits + in_groups(n))
        }
        "product" if n >= 4 => {
            let rows = n.isqrt();
            let lines = [rows, n.div_ceil(rows)];
            let selectors = lines.map(|n| at_most_one(if n <= 7 { "pairwise" } else { name }, n, keep_count));
            selectors.into_iter().fold(Exactly(rows + lines[1], 2 * n), |sum, size| match size {
                Exactly(variables, clauses) | AtMost(variables, clauses) => sum.and(variables, clauses),
            })
        }
        _ => Exactly(0, pairs(n)),
    }
}

/// Returns the size of a cardinality constraint that every encoding writes without clauses, as a single clause, or as
/// unit clauses. Returns `None` for all other constraints.
fn uncounted(Cardinality { lits, min, max }: &Cardinality) -> Option<Size> {
    let n = lits.len();
    match (*min, *max) {
        (min, max) if min > max || min > n => Some(Exactly(0, 1)),
        (min, max) if max == 0 || min == n => Some(Exactly(0, n as u64)),
        (0, max) if max >= n => Some(Exactly(0, 0)),
        (1, max) if max >= n => Some(Exactly(0, 1)),
        _ => None,
    }
}

/// Returns the size of a cardinality constraint: the size from [`uncounted`] if there is one, and the size from
/// `formula` otherwise.
fn counted(
    constraint: &Cardinality,
    formula: impl FnOnce(u64, Option<u64>, Option<u64>) -> Option<Size>,
) -> Option<Size> {
    let Cardinality { lits, min, max } = constraint;
    let bound = |bound: usize, bounds: bool| bounds.then_some(bound as u64);
    uncounted(constraint)
        .or_else(|| formula(lits.len() as u64, bound(*min, *min > 0), bound(*max, *max < lits.len())))
}

/// Returns the number of ways to choose `k` of `n` items.
fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |sets, i| sets * (n - i) / (i + 1))
}

fn binomial(n: u64, min: Option<u64>, max: Option<u64>) -> Size {
    Exactly(0, max.map_or(0, |max| choose(n, max + 1)) + min.map_or(0, |min| choose(n, n - min + 1)))
}

fn sequential_counter(n: u64, min: Option<u64>, max: Option<u64>, keep_count: bool) -> Size {
    if let (Some(min), Some(max)) = (min, max)
        && min == max
    {
        return Exactly(max * (n - max), 4 * max * (n - max));
    }
    let at_most = |k: u64| {
        let back = if keep_count { (n - k) * (2 * k - 1) } else { 0 };
        (k * (n - k), (n - k) * (2 * k + 1) - k + back)
    };
    let upper = max.map_or((0, 0), at_most);
    let lower = min.map_or((0, 0), |min| at_most(n - min));
    Exactly(upper.0 + lower.0, upper.1 + lower.1)
}

/// Returns the numbers of variables and clauses of the adders that sum n literals, and the number of bits of the sum.
pub(crate) fn adders(n: u64) -> (u64, u64, u64) {
    let bits = u64::from(u64::BITS - n.leading_zeros());
    let (full, half) = (n - bits, bits - u64::from(n.count_ones()));
    (2 * (full + half), 14 * full + 7 * half, bits)
}

fn adder(n: u64, min: Option<u64>, max: Option<u64>) -> Size {
    let (variables, clauses, bits) = adders(n);
    let compared = if min == max {
        bits
    } else {
        min.map_or(0, |min| u64::from(min.count_ones()))
            + max.map_or(0, |max| bits - u64::from(max.count_ones()))
    };
    Exactly(variables, clauses + compared)
}

fn sorting_network(n: u64, min: Option<u64>, max: Option<u64>, keep_count: bool) -> Option<Size> {
    let log = u64::from(n.is_power_of_two().then(|| n.ilog2())?);
    let bounds = u64::from(min.is_some()) + u64::from(max.is_some());
    let comparators = n * log * (log - 1) / 4 + n - 1;
    let directions = if keep_count { 2 } else { bounds };
    Some(Exactly(2 * comparators, 3 * directions * comparators + bounds))
}

/// Returns the domain that all integers share, or `None` if their domains differ.
fn common_domain<'m>(ints: &[IntVar], model: &'m Model) -> Option<&'m Domain> {
    let (first, rest) = ints.split_first()?;
    let domain = model.domain(*first);
    rest.iter().all(|&x| model.domain(x) == domain).then_some(domain)
}

/// Returns the integer variables if every expression is a single variable, and `None` otherwise.
fn variables<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Option<Vec<IntVar>> {
    exprs.into_iter().map(Expr::variable).collect()
}

fn equal_directly(
    &Equality { ref left, ref right, equal }: &Equality,
    model: &Model,
    _: bool,
) -> Option<Size> {
    let [left, right] = variables([left, right])?[..] else { return None };
    let d = common_domain(&[left, right], model).map(Domain::size).filter(|&d| d > 1);
    Some(match constant_of(left, right, model) {
        Some((d, true)) => Exactly(0, if equal { d } else { 1 }),
        Some((_, false)) => return None,
        None => Exactly(0, d? as u64 * if equal { 2 } else { 1 }),
    })
}

/// If one of two integers has a single value, returns the domain size of the other integer, and whether that domain
/// contains the value.
fn constant_of(left: IntVar, right: IntVar, model: &Model) -> Option<(u64, bool)> {
    let [left, right] = [left, right].map(|x| model.domain(x));
    let (constant, other) = if left.size() == 1 { (left, right) } else { (right, left) };
    (constant.size() == 1 && other.size() > 1).then(|| (other.size() as u64, other.contains(constant.min())))
}

fn equal_by_bits(
    &Equality { ref left, ref right, equal }: &Equality,
    model: &Model,
    keep_count: bool,
) -> Option<Size> {
    let [left, right] = variables([left, right])?[..] else { return None };
    let bits =
        |x| u64::from(u128::BITS - model.domain(x).max().abs_diff(model.domain(x).min()).leading_zeros());
    let w = bits(left).max(bits(right));
    Some(match constant_of(left, right, model) {
        Some((_, true)) => Exactly(0, if equal { w } else { 1 }),
        Some((_, false)) => return None,
        None if common_domain(&[left, right], model).is_none() => return None,
        None if equal => Exactly(0, 2 * w),
        None => Exactly(w, 2 * w + 1 + if keep_count { 2 * w } else { 0 }),
    })
}

fn min_max(of: &[Expr], value: &Expr, model: &Model) -> Option<Size> {
    let ints = variables(of.iter().chain([value]))?;
    let d = common_domain(&ints, model)?.size() as u64;
    (ints.len() > 1).then(|| Exactly(0, ints.len() as u64 * (d - 1)))
}

/// Returns the total size of d at-most-one constraints over n literals each, followed by n and d. Here, n is the number
/// of integers, and d is the size of their common domain.
fn by_value(ints: &[IntVar], model: &Model, keep_count: bool) -> Option<(Size, u64, u64)> {
    let (n, d) = (ints.len() as u64, common_domain(ints, model)?.size() as u64);
    let (variables, clauses) = posted(n, keep_count, AtMostOne::new);
    Some((Exactly(d * variables, d * clauses), n, d))
}

fn pigeon_hole(of: &AllDifferent, model: &Model, keep_count: bool) -> Option<Size> {
    let (size, n, d) = by_value(&variables(&of.exprs)?, model, keep_count)?;
    (n > 1 && n <= d).then(|| size.and_clauses(if n == d { d } else { 2 }))
}

/// Returns the size of a permutation constraint, or `None` if the closed formula does not apply. The formula applies if
/// all integers have the same domain with at least two values, the number of values equals the number of integers, and
/// the domain contains these values.
fn permutation(Permutation { exprs, values }: &Permutation, model: &Model, keep_count: bool) -> Option<Size> {
    let ints = variables(exprs)?;
    let domain = common_domain(&ints, model)?;
    let distinct: BTreeSet<_> = values.iter().collect();
    if ints.len() != values.len() || domain.size() == 1 || values.iter().any(|&value| !domain.contains(value))
    {
        return None;
    }
    let n = ints.len() as u64;
    let (mut variables, mut clauses) = (0, n * (domain.size() as u64 - distinct.len() as u64));
    for value in distinct {
        let times = values.iter().filter(|&other| other == value).count();
        let size = posted(n, keep_count, |lits| Cardinality::exactly(lits, times));
        variables += size.0;
        clauses += size.1;
    }
    Some(Exactly(variables, clauses))
}

/// Returns the size of an inverse constraint on two lists of n integers with the domain 0 to n - 1.
fn channel(of: &Inverse, model: &Model, _: bool) -> Option<Size> {
    let ints: Option<Vec<IntVar>> = of.left.iter().chain(&of.right).map(Expr::variable).collect();
    let n = of.left.len();
    let all = Domain::interval(0, n as i128 - 1);
    let fits = n > 1 && of.right.len() == n && *common_domain(&ints?, model)? == all;
    fits.then(|| Exactly(0, 2 * (n * n) as u64))
}

fn table(Table { columns, rows }: &Table, model: &Model, keep_count: bool) -> (u64, u64, u64) {
    let asked = rows.iter().flatten().filter(|&&entry| entry != Entry::Any).count() as u64;
    let values = |column: &Expr| model.domains().of_expr(column).size() as u64;
    let n = rows.len() as u64;
    (n, asked + 1 + if keep_count { n } else { 0 }, columns.iter().map(values).sum())
}

/// Returns the number of combinations of values that no row of a table allows.
fn excluded(Table { columns, rows }: &Table, model: &Model) -> u64 {
    let values = |column: &Expr| model.domains().of_expr(column).values().collect::<Vec<_>>();
    let columns: Vec<Vec<Value>> = columns.iter().map(values).collect();
    let sizes: Vec<usize> = columns.iter().map(Vec::len).collect();
    let mut number = 0;
    each_choice(&sizes, &mut |choice| {
        let allows = |row: &Vec<Entry>| {
            row.iter().zip(&columns).zip(choice).all(|((entry, values), &index)| entry.allows(values[index]))
        };
        number += u64::from(!rows.iter().any(allows));
    });
    number
}

/// The vertices that can belong to a connected set.
struct Members<'c> {
    constraint: &'c Connected,
    all: Vec<usize>,
    root: Option<usize>,
    /// The distance of each vertex from the root.
    steps: Vec<Option<usize>>,
    /// The upper bound that the constraint puts on the distance from the root.
    diameter: usize,
}

impl<'c> Members<'c> {
    fn new(constraint: &'c Connected) -> Self {
        let Connected { graph, vertices, diameter, .. } = constraint;
        let root = vertices.iter().position(|&lit| lit == TRUE);
        Self {
            constraint,
            all: (0..vertices.len()).filter(|&vertex| vertices[vertex] != FALSE).collect(),
            root,
            steps: graph.distances(root, |vertex| vertices[vertex] != FALSE),
            diameter: diameter.unwrap_or(usize::MAX),
        }
    }

    fn n(&self) -> u64 {
        self.all.len() as u64
    }

    /// Returns the neighbours of a vertex that can belong to the set.
    fn near(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let vertices = &self.constraint.vertices;
        self.constraint.graph.neighbours(vertex).iter().copied().filter(|&v| vertices[v] != FALSE)
    }

    /// Returns the edges between vertices that can belong to the set, in both directions.
    fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.all.iter().flat_map(|&from| self.near(from).map(move |to| (from, to)))
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        self.all.iter().copied().filter(|&vertex| Some(vertex) != self.root)
    }

    /// Returns 0 for a vertex that is always in the set, and 1 for any other vertex.
    fn open(&self, vertex: usize) -> u64 {
        u64::from(self.constraint.vertices[vertex] != TRUE)
    }
}

fn layers(constraint: &Connected, _: &Model, keep_count: bool) -> Option<Size> {
    let members = Members::new(constraint);
    let n = members.n();
    let depth = members.diameter.min((n as usize).saturating_sub(1)) as u64;
    if keep_count || n < 2 {
        return None;
    }
    if members.root.is_none() {
        let within = n * (depth - 1);
        return Some(Exactly(2 * n - 3 + within, 5 * n - 6 + 2 * within - u64::from(depth == 1)));
    }
    let (mut variables, mut clauses) = (0, 0);
    for vertex in members.others() {
        match members.steps[vertex].map(|steps| steps as u64) {
            Some(steps) if steps <= depth => {
                variables += depth - steps;
                clauses += (depth - steps) * members.open(vertex);
                clauses += if steps > 1 { depth - steps + 1 } else { 0 };
            }
            _ => clauses += 1,
        }
    }
    Some(Exactly(variables, clauses))
}

fn tree(constraint: &Connected, _: &Model, _: bool) -> Option<Size> {
    let members = Members::new(constraint);
    let n = members.n();
    if n < 2 {
        return None;
    }
    let deepest = if members.root.is_some() { n - 1 } else { n / 2 }.min(members.diameter as u64);
    let (mut variables, mut clauses) = if members.root.is_some() {
        (0, n - 1)
    } else {
        let (variables, clauses) = posted(n, false, AtMostOne::new);
        (n + variables, n + clauses)
    };
    for (parent, _) in members.edges().filter(|&(_, child)| Some(child) != members.root) {
        variables += 1;
        clauses += members.open(parent) + if Some(parent) == members.root { 1 } else { deepest + 1 };
    }
    Some(Exactly(variables, clauses))
}

fn cut_off(members: &Members<'_>) -> u64 {
    let apart = |&&vertex: &&usize| members.root.is_some() && members.steps[vertex].is_none();
    members.all.iter().filter(apart).count() as u64
}

fn cuts(constraint: &Connected) -> Size {
    let members = Members::new(constraint);
    let reached = |vertex: usize| members.steps[vertex].is_some() && Some(vertex) != members.root;
    let certain = |vertex: usize| members.open(vertex) == 0;
    let vertices = members.others().filter(|&v| reached(v) && !members.near(v).any(certain)).count();
    let beside = |(u, v): (usize, usize)| {
        members.near(u).chain(members.near(v)).filter(move |&w| w != u && w != v).any(certain)
    };
    let edges =
        members.edges().filter(|&(u, v)| u < v && reached(u) && reached(v) && !beside((u, v))).count();
    Exactly(0, cut_off(&members) + (vertices + edges) as u64)
}

fn parts(Disconnected { connected }: &Disconnected) -> Size {
    let members = Members::new(connected);
    let (n, ends) = (members.n(), members.edges().count() as u64);
    let certain = n - members.all.iter().map(|&vertex| members.open(vertex)).sum::<u64>();
    match members.root {
        _ if n < 2 => Exactly(0, 1),
        Some(root) => Exactly(n - 1, n + ends - members.near(root).count() as u64 + 1 - certain),
        None => Exactly(2 * n, 3 * n + ends + 2),
    }
}

/// Returns samples with up to 70 literals, which is more than in the other tests.
fn larger() -> (Vec<Sample<AtMostOne>>, Vec<Sample<Cardinality>>) {
    let mut counts = Vec::new();
    for n in 1..=70_usize {
        for (min, max) in [(0, 1), (0, n / 3), (n / 4, n), (n / 2, n / 2), (2, n - n / 3), (n - 1, n)] {
            counts.push(plain(n, |lits| Cardinality::between(lits, min, max)));
        }
    }
    ((0..=70).map(|n| plain(n, AtMostOne::new)).collect(), counts)
}

macro_rules! at_most_one_formulas {
    ($extra:expr; $($name:literal),*) => {
        &[$(($name, |constraint, _, keep| {
            Some(at_most_one($name, constraint.lits.len() as u64, keep).and_clauses($extra))
        })),*]
    };
}

/// Tests every closed formula, and returns the tested encodings.
fn closed() -> Covered {
    let mut covered = Covered::new();
    let all = &mut covered;
    let (larger_at_most_ones, larger_cardinalities) = larger();
    check(&clauses(), &[("clause", |_, _, _| Some(Exactly(0, 1)))], all);
    for samples in [at_most_ones(), larger_at_most_ones] {
        check(
            &samples,
            at_most_one_formulas!(0; "pairwise", "ladder", "bitwise", "commander", "nested", "bimander", "product"),
            all,
        );
    }
    check(
        &exactly_ones(),
        at_most_one_formulas!(1; "pairwise", "ladder", "bitwise", "commander", "nested", "bimander", "product"),
        all,
    );
    check(
        &cardinalities(),
        &[("binomial", |of, _, _| counted(of, |n, min, max| Some(binomial(n, min, max))))],
        all,
    );
    for samples in [cardinalities(), larger_cardinalities] {
        check(
            &samples,
            &[
                ("sequential-counter", |of, _, keep| {
                    counted(of, |n, min, max| Some(sequential_counter(n, min, max, keep)))
                }),
                ("adder", |of, _, _| counted(of, |n, min, max| Some(adder(n, min, max)))),
                ("sorting-network", |of, _, keep| {
                    counted(of, |n, min, max| sorting_network(n, min, max, keep))
                }),
            ],
            all,
        );
    }
    check(&equalities(), &[("direct", equal_directly), ("log", equal_by_bits)], all);
    check(&minima(), &[("order", |of, model, _| min_max(&of.of, &of.value, model))], all);
    check(&maxima(), &[("order", |of, model, _| min_max(&of.of, &of.value, model))], all);
    check(
        &all_differents(),
        &[
            ("direct", |of, model, keep| Some(by_value(&variables(&of.exprs)?, model, keep)?.0)),
            ("pigeon-hole", pigeon_hole),
        ],
        all,
    );
    check(&permutations(), &[("direct", permutation)], all);
    check(&crate::successors::inverses(), &[("channel", channel)], all);
    check(
        &tables(),
        &[
            ("support", |of, model, keep| {
                let (variables, clauses, values) = table(of, model, keep);
                Some(AtMost(variables, clauses + values))
            }),
            ("binary-support", |of, model, _| Some(AtMost(0, table(of, model, false).2))),
            ("conflicts", |of, model, _| Some(AtMost(0, excluded(of, model)))),
            ("rows", |of, model, keep| {
                let (variables, clauses, _) = table(of, model, keep);
                Some(AtMost(variables, clauses))
            }),
        ],
        all,
    );
    check(
        &lexicographics(),
        &[("prefixes", |of, _, keep| {
            let n = of.left.len() as u64;
            let back = if keep && n > 1 { 3 * n - 4 } else { 0 };
            (n > 0).then(|| Exactly(n - 1, 3 * n - 2 + u64::from(of.strict) + back))
        })],
        all,
    );
    check(
        &connected(),
        &[
            ("layers", layers),
            ("tree", tree),
            ("cuts", |of, _, _| Some(cuts(of))),
            ("propagator", |of, _, _| Some(Exactly(0, cut_off(&Members::new(of))))),
        ],
        all,
    );
    check(&crate::reified::disconnected(), &[("parts", |of, _, _| Some(parts(of)))], all);
    covered
}

/// The encodings whose documentation gives an asymptotic size or refers to other constraints.
const MEASURED: &[(&str, &str)] = &[
    ("cardinality", "totalizer"),
    ("cardinality", "modulo-totalizer"),
    ("cardinality", "k-modulo-totalizer"),
    ("cardinality", "cardinality-network"),
    ("cardinality", "propagator"),
    ("linear", "order"),
    ("linear", "bdd"),
    ("linear", "mdd"),
    ("linear", "generalized-totalizer"),
    ("linear", "dynamic-watchdog"),
    ("linear", "global-watchdog"),
    ("linear", "local-watchdog"),
    ("linear", "sequential-weight-counter"),
    ("linear", "adder"),
    ("linear", "propagator"),
    ("linear", "lazy"),
    ("equality", "linear"),
    ("product", "support"),
    ("product", "multiplier"),
    ("division", "support"),
    ("division", "linear"),
    ("power", "support"),
    ("power", "cases"),
    ("truncated-division", "support"),
    ("truncated-division", "multiplier"),
    ("absolute", "linear"),
    ("minimum", "linear"),
    ("minimum", "lazy"),
    ("maximum", "linear"),
    ("maximum", "lazy"),
    ("all-different", "linear"),
    ("permutation", "count"),
    ("count", "cardinality"),
    ("count", "linear"),
    ("element", "support"),
    ("element", "cases"),
    ("element", "log"),
    ("automaton", "layered-graph"),
    ("automaton", "states"),
    ("value-precedence", "prefix"),
    ("cumulative", "time"),
    ("cumulative", "task"),
    ("circuit", "positions"),
    ("circuit", "positions-log"),
    ("circuit", "connectivity"),
    ("cumulative", "timetable"),
    ("cumulative", "lazy"),
    ("disjunctive", "precedence"),
    ("disjunctive", "propagator"),
    ("diffn", "pairwise"),
    ("diffn", "cumulative"),
    ("reified", "half-reification"),
    ("negation", "inward"),
    ("conjunction", "each"),
    ("disjunction", "selectors"),
    ("connectivity", "tree-log"),
    ("disconnection", "layers"),
    ("components", "distances"),
    ("component-size", "distances"),
    ("component-size", "propagator"),
    ("acyclic", "levels"),
    ("acyclic", "levels-log"),
    ("acyclic", "transitive-closure"),
    ("acyclic", "vertex-elimination"),
    ("acyclic", "connections"),
    ("acyclic", "propagator"),
    ("path", "degrees"),
    ("disjoint-paths", "labels"),
];

#[test]
fn every_encoding_has_a_closed_formula_or_is_only_measured() {
    let mut listed = closed();
    for &encoding in MEASURED {
        assert!(listed.insert(encoding), "{encoding:?} has a formula");
    }
    // The views of integers and the encodings of objectives have their own tests.
    let constraints = CONSTRAINTS.iter().filter(|row| !["integers", "objective"].contains(&row.name));
    let all =
        constraints.flat_map(|row| (row.encodings)().into_iter().map(|encoding| (row.name, encoding.name)));
    assert_eq!(listed, all.collect());
}

#[test]
fn reported_sizes_are_the_written_sizes() {
    for case in cases() {
        let counted = case.model.size_of(&*case.constraint, &case.encodings);
        assert_eq!([counted.variables, counted.clauses], case.formula().size, "{}", case.label());
    }
}
