//! Tests the readers. Also tests, by brute force on small random graphs, that accepted lemmas follow from their graphs.

use std::fmt::Write as _;

use fastrand::Rng;
use gordian_lemmas::{Formula, Graph, graphs, refusal};

/// The parts of a graph. The tests change them and write the graph as text. The vertices are numbered from 1.
#[derive(Clone)]
struct Sample {
    size: (usize, usize),
    lits: Vec<Option<i32>>,
    edges: Vec<(usize, usize)>,
}

impl Sample {
    /// If `distinct` is true, no two vertices have the same variable.
    fn random(rng: &mut Rng, distinct: bool) -> Self {
        let n = rng.usize(1..=6);
        let sign = |rng: &mut Rng, variable: i32| if rng.u8(0..4) == 0 { -variable } else { variable };
        let lits = (1..=n as i32).map(|vertex| match rng.u8(0..10) {
            0 => None,
            1 if !distinct => {
                let variable = rng.i32(1..=n as i32);
                Some(sign(rng, variable))
            }
            _ => Some(sign(rng, vertex)),
        });
        let lits = lits.collect();
        let pairs = (1..=n).flat_map(|a| (1..a).map(move |b| (a, b)));
        let density = rng.f32();
        let edges = pairs.filter(|_| rng.f32() < density).collect();
        let least = if rng.bool() { 0 } else { rng.usize(0..=n) };
        Self { size: (least, if rng.bool() { n } else { rng.usize(least..=n) }), lits, edges }
    }

    fn graph(&self) -> Graph {
        let mut text = format!("graph 7 {} {}\n", self.size.0, self.size.1);
        for (number, lit) in (1..).zip(&self.lits) {
            let lit = lit.map_or("always".to_owned(), |lit| lit.to_string());
            let _ = writeln!(text, "vertex {number} {lit}");
        }
        for (a, b) in &self.edges {
            let _ = writeln!(text, "edge {a} {b}");
        }
        graphs(&text).expect("a graph").remove(0)
    }

    /// Returns whether a set of vertices satisfies the constraint. Bit v - 1 stands for vertex v.
    fn allows(&self, set: u32) -> bool {
        let size = set.count_ones() as usize;
        let mut reached = set & set.wrapping_neg();
        for _ in 0..self.lits.len() {
            for &(a, b) in &self.edges {
                let ends = 1 << (a - 1) | 1 << (b - 1);
                if set & ends == ends && reached & ends != 0 {
                    reached |= ends;
                }
            }
        }
        (self.size.0..=self.size.1).contains(&size) && reached == set
    }

    /// Returns whether each assignment that satisfies the constraint satisfies the clause.
    fn entails(&self, clause: &[i32]) -> bool {
        (0..1_u32 << self.lits.len()).all(|assignment| {
            let holds = |lit: i32| (assignment >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
            let members = self.lits.iter().enumerate().filter(|(_, lit)| lit.is_none_or(holds));
            let set = members.map(|(index, _)| 1 << index).sum();
            !self.allows(set) || clause.iter().any(|&lit| holds(lit))
        })
    }

    fn random_clause(&self, rng: &mut Rng) -> Vec<i32> {
        let chance = rng.f32();
        let vars = self.lits.iter().flatten().filter(|_| rng.f32() < chance);
        vars.copied().collect::<Vec<_>>().into_iter().map(|lit| if rng.bool() { -lit } else { lit }).collect()
    }
}

/// Tests a clause. Returns whether the clause is accepted.
fn test(sample: &Sample, clause: &[i32], complete: bool) -> bool {
    let (accepted, follows) = (sample.graph().implies(clause).is_ok(), sample.entails(clause));
    let shown = || format!("{clause:?} {:?} {:?} {:?}", sample.size, sample.lits, sample.edges);
    assert!(follows || !accepted, "accepted, but does not follow: {}", shown());
    assert!(accepted || !follows || !complete, "follows, but is refused: {}", shown());
    accepted
}

#[test]
fn accepted_lemmas_follow() {
    let mut rng = Rng::with_seed(1);
    let (mut accepted, mut changed) = (0, [0; 2]);
    for round in 0..40_000 {
        let distinct = round % 2 == 0;
        let sample = Sample::random(&mut rng, distinct);
        let clause = sample.random_clause(&mut rng);
        // If no two vertices share a variable and the size has no upper bound, a clause must be accepted if it follows.
        let complete = |sample: &Sample| distinct && sample.size.1 >= sample.lits.len();
        if !test(&sample, &clause, complete(&sample)) {
            continue;
        }
        accepted += 1;
        // Checks changed versions of an accepted lemma: they must be refused unless they follow from their graphs.
        let mut count = |still: bool| changed[usize::from(still)] += 1;
        for at in 0..clause.len() {
            let shorter = [&clause[..at], &clause[at + 1..]].concat();
            count(test(&sample, &shorter, complete(&sample)));
            let mut negated = clause.clone();
            negated[at] = -negated[at];
            count(test(&sample, &negated, complete(&sample)));
        }
        for at in 0..sample.edges.len() {
            let mut without = sample.clone();
            without.edges.remove(at);
            count(test(&without, &clause, complete(&sample)));
        }
        let mut other = sample.clone();
        other.edges.push((rng.usize(1..=sample.lits.len()), 1));
        count(test(&other, &clause, complete(&sample)));
    }
    assert!(accepted > 5_000 && changed.iter().all(|&count| count > 5_000), "{accepted} {changed:?}");
}

/// Tests each kind of lemma on a path of four vertices.
const PATH: &str =
    "graph 3 2 3\nvertex 1 1\nvertex 2 2\nvertex 3 -3\nvertex 4 always\nedge 1 2\nedge 2 3\nedge 3 4\n";
const FORMULA: &str = "c name 1 sea_1_1\nc define 4 2 1 1 1 -2\nc a comment\np cnf 4 6\n1 4 0\n-4 0\nc lemmas of graph 3\n\
                       2 -1 0\n-3 0\nc lemmas of graph 3\n-1 0\n3 -3 0\n";

#[test]
fn lemmas_of_a_file_are_checked() {
    let graphs = graphs(PATH).expect("graphs");
    let formula: Formula = FORMULA.parse().expect("a formula");
    assert_eq!((formula.clauses.len(), formula.lemmas.len()), (2, 4));
    assert_eq!(formula.names, [(1, 1, "sea_1_1".to_owned())]);
    assert_eq!((formula.definitions[0].lit, formula.definitions[0].bound), (4, 2));
    assert_eq!(formula.definitions[0].terms, [(1, 1), (1, -2)]);
    assert_eq!(refusal(&graphs, &formula), None);
    for (old, new, message) in [
        ("2 -1 0", "-1 2 -4 0", "line 8: expected literals of the vertices of graph 3, found -4"),
        (
            "-3 0",
            "3 0",
            "line 9: expected a clause that follows from graph 3; possibly a set in the component of",
        ),
        ("graph 3", "graph 4", "line 8: expected a lemma of a graph in `graphs`, found one of graph 4"),
    ] {
        let formula: Formula = FORMULA.replacen(old, new, 1).parse().expect("a formula");
        let reason = refusal(&graphs, &formula).unwrap_or_default();
        assert!(reason.contains(message), "{reason}");
    }
}

#[test]
fn malformed_files_are_refused() {
    for (old, new, message) in [
        ("graph 3 2 3", "graph 3 2", "line 1: expected the maximum size, found the end of the line"),
        ("vertex 2 2", "vertex 1 2", "line 3: expected the number of a new vertex, found `1`"),
        ("vertex 3 -3", "vertex 3 0", "line 4: expected a literal, found `0`"),
        ("always", "never", "line 5: expected a literal, found `never`"),
        ("edge 3 4", "edge 3 5", "line 8: expected the number of a vertex above, found `5`"),
        ("edge 3 4", "graph 3 0 1", "line 8: expected the number of a new graph, found `3`"),
        ("edge 3 4", "arc 3 4", "line 8: expected `graph`, `vertex` or `edge`, found `arc`"),
    ] {
        let error = graphs(&PATH.replace(old, new)).expect_err(new);
        assert_eq!(error.to_string(), message);
    }
    for (old, new, message) in [
        ("1 4 0", "1 4", "line 5: expected a literal or 0, found the end of the line"),
        ("1 4 0", "1 5 0", "line 5: expected a variable up to 4, found `5`"),
        ("1 4 0", "1 0 4 0", "line 5: expected the end of the line, found `4`"),
        ("cnf 4 6", "cnf 4 7", "line 12: expected a line `p cnf` with the number of clauses, 6, found 7"),
        ("cnf 4 6", "cnf -4 6", "line 4: expected the number of variables, found `-4`"),
        ("lemmas of graph 3\n2", "lemmas of 3\n2", "line 7: expected `graph`, found `3`"),
        ("1 1 1 -2", "1 1 1", "line 2: expected a literal, found the end of the line"),
        ("p cnf 4 6\n", "", "line 4: expected `c` or `p cnf`, found `1`"),
    ] {
        let error = FORMULA.replacen(old, new, 1).parse::<Formula>().expect_err(new);
        assert_eq!(error.to_string(), message);
    }
}
