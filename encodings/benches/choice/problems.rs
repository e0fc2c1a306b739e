//! The families of problems on which the encodings are compared.

use gordian_encodings::constraint::{
    AllDifferent, AtMostOne, Cardinality, Clause, Division, Element, Entry, Linear, Maximum, Minimum,
    Product, Reified, Table,
};
use gordian_encodings::{Domain, Encodings, IntVar, Lit, Model, Objective, Sense, Value};

use crate::solve;

/// A deterministic random number generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // The constants of the generator come from Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    /// Returns the numbers below `n` in random order.
    fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

/// Returns the problem of completing a latin square of order `n`. Two fifths of the cells are open. Each cell has at
/// most one value, and each row and column contains each value at most once.
pub(crate) fn latin_square(n: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let cells: Vec<Vec<Lit>> = (0..n * n).map(|_| (0..n).map(|_| model.boolean()).collect()).collect();
    let order = random.permutation(n);
    for (line, value) in (0..n).flat_map(|line| (0..n).map(move |value| (line, value))) {
        model.post(AtMostOne::new((0..n).map(|i| cells[line * n + i][value]).collect::<Vec<_>>()));
        model.post(AtMostOne::new((0..n).map(|i| cells[i * n + line][value]).collect::<Vec<_>>()));
    }
    for (cell, lits) in cells.iter().enumerate() {
        model.post(AtMostOne::new(lits.as_slice()));
        model.post(Clause::new(lits.as_slice()));
        if random.below(5) >= 2 {
            model.post(Clause::new([lits[(order[cell / n] + cell % n) % n]]));
        }
    }
    vec![model]
}

/// Returns two models of the vertex cover problem on a random graph with `n` vertices. The first model allows covers of
/// minimum size. The second model allows one vertex fewer, so it is unsatisfiable.
pub(crate) fn vertex_cover(n: usize, random: &mut Random) -> Vec<Model> {
    let edges: Vec<(usize, usize)> = (0..2 * n).map(|_| (random.below(n), random.below(n))).collect();
    let cover = |most: usize| {
        let mut model = Model::new();
        let vertices: Vec<Lit> = (0..n).map(|_| model.boolean()).collect();
        for &(a, b) in &edges {
            model.post(Clause::new([vertices[a], vertices[b]]));
        }
        model.post(Cardinality::at_most(vertices, most));
        model
    };
    let solvable = |most: &usize| !matches!(solve(&cover(*most), &Encodings::auto()), Some((_, false)));
    let least = (0..n).rev().take_while(solvable).last().unwrap_or(n);
    vec![cover(least), cover(least - 1)]
}

/// Returns three equations over `n` integers from 0 to 9 with coefficients up to `most`. The equations are
/// satisfiable.
pub(crate) fn equations(n: usize, most: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let ints: Vec<_> = (0..n).map(|_| model.integer(Domain::interval(0, 9))).collect();
    let solution: Vec<Value> = ints.iter().map(|_| random.below(10) as Value).collect();
    for _ in 0..3 {
        let weights: Vec<Value> = ints.iter().map(|_| 1 + random.below(most) as Value).collect();
        let bound = weights.iter().zip(&solution).map(|(w, x)| w * x).sum();
        model.post(Linear::equal(weights.into_iter().zip(ints.iter().map(|&x| x.into())), bound));
    }
    vec![model]
}

/// Returns the problem of `n` queens on an `n` by `n` board, and a pigeonhole problem with one more pigeon than holes.
pub(crate) fn queens_and_pigeons(n: usize) -> Vec<Model> {
    let mut queens = Model::new();
    let n_value = n as Value;
    let rows: Vec<_> = (0..n).map(|_| queens.integer(Domain::interval(0, n_value - 1))).collect();
    queens.post(AllDifferent::new(rows.clone()));
    for sign in [1, -1] {
        let diagonals: Vec<_> =
            (0..n_value).map(|_| queens.integer(Domain::interval(-n_value, 2 * n_value))).collect();
        for ((column, &row), &diagonal) in (0..).zip(&rows).zip(&diagonals) {
            queens.post(Linear::equal([(1, diagonal.into()), (-1, row.into())], sign * column));
        }
        queens.post(AllDifferent::new(diagonals));
    }
    let mut pigeons = Model::new();
    let holes: Vec<_> = (0..n).map(|_| pigeons.integer(Domain::interval(2, n_value))).collect();
    pigeons.post(AllDifferent::new(holes));
    vec![queens, pigeons]
}

/// Returns the problem of finding x, y and z from 1 to `n` if the values of `x * y + y * z` and `x - z` are given.
pub(crate) fn products(n: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let most = n as Value;
    let [x, y, z] = [0; 3].map(|_| model.integer(Domain::interval(1, most)));
    let [a, b, c] = [0; 3].map(|_| 1 + random.below(n) as Value);
    let xy = model.integer(Domain::interval(1, most * most));
    let yz = model.integer(Domain::interval(1, most * most));
    model.post(Product::new([x, y], xy));
    model.post(Product::new([y, z], yz));
    model.post(Linear::equal([(1, xy.into()), (1, yz.into())], a * b + b * c));
    model.post(Linear::equal([(1, x.into()), (-1, z.into())], a - c));
    vec![model]
}

/// Returns a problem with two unknown numbers up to `n`. The model divides both numbers by several constants. For each
/// constant, two equations connect the quotient of one number and the remainder of the other.
pub(crate) fn divisions(n: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let most = n as Value;
    let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(0, most)));
    let [a, b] = [0; 2].map(|_| random.below(n + 1) as Value);
    for divisor in [3, 7, 10, 31] {
        let [p, q] = [0; 2].map(|_| model.integer(Domain::interval(0, most / divisor)));
        let [r, s] = [0; 2].map(|_| model.integer(Domain::interval(0, divisor - 1)));
        model.post(Division::new(x, divisor, p, r));
        model.post(Division::new(y, divisor, q, s));
        model.post(Linear::equal([(1, p.into()), (1, s.into())], a / divisor + b % divisor));
        model.post(Linear::equal([(1, q.into()), (-1, r.into())], b / divisor - a % divisor));
    }
    vec![model]
}

/// Returns three problems with random tables over `n` integers with six values. Each table has `arity` columns, and
/// excludes about `excluded` percent of the combinations of values. The number of tables is chosen
/// such that a problem has about one solution.
pub(crate) fn random_tables(arity: usize, n: usize, excluded: usize, random: &mut Random) -> Vec<Model> {
    const VALUES: usize = 6;
    let tables = n as f64 * (VALUES as f64).ln() / -(1.0 - excluded as f64 / 100.0).ln();
    let mut problem = || {
        let mut model = Model::new();
        let ints: Vec<IntVar> =
            (0..n).map(|_| model.integer(Domain::interval(0, VALUES as Value - 1))).collect();
        for _ in 0..tables as usize {
            let mut columns = ints.clone();
            while columns.len() > arity {
                columns.swap_remove(random.below(columns.len()));
            }
            let entry = |number: usize, column| Entry::Is((number / VALUES.pow(column) % VALUES) as Value);
            let allowed = (0..VALUES.pow(arity as u32)).filter(|_| random.below(100) >= excluded);
            let row = |number| (0..arity as u32).map(|column| entry(number, column)).collect();
            model.post(Table::new(columns, allowed.map(row).collect::<Vec<_>>()));
        }
        model
    };
    vec![problem(), problem(), problem()]
}

/// Returns three problems of finding a permutation p of `n` values. For each i and a random j, the sum p[p[i]] + p[j] is
/// given.
pub(crate) fn squares_of_permutations(n: usize, random: &mut Random) -> Vec<Model> {
    let mut problem = || {
        let hidden = random.permutation(n);
        let mut model = Model::new();
        let last = n as Value - 1;
        let ints: Vec<IntVar> = (0..n).map(|_| model.integer(Domain::interval(0, last))).collect();
        model.post(AllDifferent::new(ints.clone()));
        for i in 0..n {
            let j = random.below(n);
            let square = model.integer(Domain::interval(0, last));
            model.post(Element::new(ints[i], ints.clone(), square));
            let sum = (hidden[hidden[i]] + hidden[j]) as Value;
            model.post(Linear::equal([(1, square.into()), (1, ints[j].into())], sum));
        }
        model
    };
    vec![problem(), problem(), problem()]
}

/// Returns the problem of placing six integers up to `n` with minimum distances between neighbours. The first model
/// limits the range of the integers to the smallest feasible value. The second model uses a smaller value, so it is
/// unsatisfiable.
pub(crate) fn min_max(n: usize, random: &mut Random) -> Vec<Model> {
    let most = n as Value;
    let apart: Vec<Value> = (0..6).map(|_| 1 + random.below(n / 3) as Value).collect();
    let within = |width: Value| {
        let mut model = Model::new();
        let ints: Vec<IntVar> = (0..6).map(|_| model.integer(Domain::interval(0, most))).collect();
        let [least, greatest] = [0; 2].map(|_| model.integer(Domain::interval(0, most)));
        for (i, &apart) in apart.iter().enumerate() {
            let (x, y) = (ints[i], ints[(i + 1) % ints.len()]);
            apart_by(&mut model, x, y, [apart, apart]);
        }
        model.post(Minimum::new(ints.clone(), least));
        model.post(Maximum::new(ints, greatest));
        model.post(Linear::at_most([(1, greatest.into()), (-1, least.into())], width));
        model
    };
    let solvable = |width: &Value| matches!(solve(&within(*width), &Encodings::auto()), Some((_, true)));
    let mut range = (0, most);
    while range.1 - range.0 > 1 {
        let middle = Value::midpoint(range.0, range.1);
        range = if solvable(&middle) { (range.0, middle) } else { (middle, range.1) };
    }
    vec![within(range.1), within(range.0)]
}

/// Posts the disjunction of `x + after[0] <= y` and `y + after[1] <= x`.
fn apart_by(model: &mut Model, x: IntVar, y: IntVar, after: [Value; 2]) {
    let first = model.boolean();
    let before =
        |x: IntVar, y: IntVar, after: Value| Linear::at_most([(1, x.into()), (-1, y.into())], -after);
    model.post(Reified::choose(first, before(x, y, after[0]), before(y, x, after[1])));
}

/// Returns a job shop of three jobs with three tasks on three machines, with durations proportional to `n`. The first
/// model limits the makespan to its minimum. The second model uses a smaller limit, so it is unsatisfiable.
pub(crate) fn shop(n: usize, random: &mut Random) -> Vec<Model> {
    let durations: Vec<Vec<Value>> =
        (0..3).map(|_| (0..3).map(|_| 1 + random.below(n / 5) as Value).collect()).collect();
    let machine = |job: usize, task: usize| (job * task + task + job) % 3;
    let within = |time: Value| {
        let mut model = Model::new();
        let start: Vec<Vec<IntVar>> = durations
            .iter()
            .map(|job| job.iter().map(|d| model.integer(Domain::interval(0, (time - d).max(0)))).collect())
            .collect();
        let tasks = || (0..3).flat_map(|job| (0..3).map(move |task| (job, task)));
        for (job, task) in tasks() {
            if task > 0 {
                let terms = [(1, start[job][task - 1].into()), (-1, start[job][task].into())];
                model.post(Linear::at_most(terms, -durations[job][task - 1]));
            }
            for (other, rival) in tasks().filter(|&(other, _)| other < job) {
                if machine(other, rival) == machine(job, task) {
                    let after = [durations[job][task], durations[other][rival]];
                    apart_by(&mut model, start[job][task], start[other][rival], after);
                }
            }
        }
        model
    };
    let total: Value = durations.iter().flatten().sum();
    let mut range = (0, total);
    while range.1 - range.0 > 1 {
        let middle = Value::midpoint(range.0, range.1);
        let solvable = matches!(solve(&within(middle), &Encodings::auto()), Some((_, true)));
        range = if solvable { (range.0, middle) } else { (middle, range.1) };
    }
    vec![within(range.1), within(range.0)]
}

/// Returns the minimum-weight vertex cover problem on a random graph with 24 vertices and weights up to `n`.
pub(crate) fn light_cover(n: usize, random: &mut Random) -> Vec<Model> {
    let mut model = Model::new();
    let vertices: Vec<Lit> = (0..24).map(|_| model.boolean()).collect();
    for _ in 0..60 {
        let (a, b) = (random.below(24), random.below(24));
        model.post(Clause::new([vertices[a], vertices[b]]));
    }
    let weights: Vec<Value> = vertices.iter().map(|_| 1 + random.below(n) as Value).collect();
    model.set_objective(Objective::new(Sense::Minimise, weights.into_iter().zip(vertices)));
    vec![model]
}
