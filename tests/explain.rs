//! Tests of explanations on small random boards: plain formulations have the solutions of the puzzle, every argument
//! is proven again by another solver, nothing in it can be left out, and the steps derive all that solutions share.

mod support;

use std::collections::BTreeSet;

use gordian::backend;
use gordian::explain::{Argument, Explainer, Next, Size, Step, Why};
use gordian::flatzinc::{NamedConstraints, WhyNone};
use gordian::format::Source;
use gordian::prelude::ModelExt;
use gordian::puzzle::{Plain, Puzzle};
use gordian::rules::numberlink::{DOWN, LINES, RIGHT};
use gordian::rules::{Field, Solution};
use gordian::search::{Config, GroupedSession, Session};
use gordian_encodings::{Encodings, FALSE, Lit};
use gordian_explain::{Answer, Oracle, Set};
use gordian_flatzinc::violated;
use support::{all_solutions, board};

/// The puzzle types with a plain formulation of their own, each with the first line and the tokens of random boards.
const BOARDS: [(&str, &[&str]); 5] = [
    ("nurikabe", &[".", ".", ".", ".", ".", "?", "1", "2", "3", "4"]),
    ("rooks", &[".", ".", ".", ".", ".", "#", "0", "1", "2", "3"]),
    ("numberlink", &["."]),
    ("numberlink cells=all", &["."]),
    ("numberlink touch=no", &["."]),
];

fn random_board(random: &mut fastrand::Rng, (header, tokens): (&str, &[&str])) -> Box<dyn Puzzle> {
    let (rows, columns) = (random.usize(1..=3), random.usize(1..=4));
    let mut cells: Vec<&str> = (0..rows * columns).map(|_| tokens[random.usize(..tokens.len())]).collect();
    if header.starts_with("numberlink") {
        let mut places: Vec<usize> = (0..cells.len()).collect();
        random.shuffle(&mut places);
        for (pair, number) in places.chunks_exact(2).take(random.usize(1..=3)).zip(["1", "2", "3"]) {
            (cells[pair[0]], cells[pair[1]]) = (number, number);
        }
    }
    let lines: Vec<String> = cells.chunks(columns).map(|row| row.join(" ")).collect();
    board(&format!("{header}\n{}\n", lines.join("\n")))
}

/// Returns the literals of the facts in a solution.
fn facts(plain: &Plain, puzzle: &dyn Puzzle, solution: &Solution) -> BTreeSet<Lit> {
    let Some(Field::Grid(grid)) = solution.get("grid") else { panic!("{puzzle:?} has a grid") };
    let sides = match solution.get(LINES) {
        Some(Field::Grid(lines)) => Some(lines),
        _ => None,
    };
    let side = |a: usize, b: usize| if a / grid.columns() == b / grid.columns() { RIGHT } else { DOWN };
    let holds = |cells: &[usize]| match (cells, sides) {
        (&[cell], _) => (grid[cell] == 0) == (puzzle.puzzle_type().name == "nurikabe"),
        (&[a, b], Some(lines)) => lines[a] & side(a, b) != 0,
        (&[a, b], None) => grid[a] != 0 && grid[a] == grid[b],
        _ => panic!("a fact has one or two cells"),
    };
    let literal = |fact: &gordian::puzzle::plain::Fact| if holds(&fact.cells) { fact.lit } else { !fact.lit };
    plain.facts.iter().map(literal).collect()
}

#[test]
fn plain_formulations_have_the_solutions_of_the_puzzle() {
    let mut random = fastrand::Rng::with_seed(1);
    let solver = backend::find("batsat").expect("a solver");
    let mut numbers = BTreeSet::new();
    for round in 0..1500 {
        let puzzle = random_board(&mut random, BOARDS[round % BOARDS.len()]);
        let plain = puzzle.plain();
        let expected: BTreeSet<BTreeSet<Lit>> = all_solutions(&*puzzle, &solver, &Encodings::auto())
            .iter()
            .map(|solution| facts(&plain, &*puzzle, solution))
            .collect();
        let session = Session::new(&plain.model, &Encodings::auto(), &solver).expect("a session");
        let lits: Vec<Lit> = plain.facts.iter().map(|fact| fact.lit).collect();
        let found: BTreeSet<BTreeSet<Lit>> = session
            .into_assignments_of(lits.clone())
            .map(|found| {
                let found = found.expect("no limit");
                lits.iter().map(|&lit| if found.lit(lit) { lit } else { !lit }).collect()
            })
            .collect();
        assert_eq!(found, expected, "round {round}: {puzzle:?}");
        numbers.insert(expected.len().min(3));
    }
    assert_eq!(numbers, BTreeSet::from([0, 1, 2, 3]), "boards with all numbers of solutions");
}

/// A second solver, which checks each argument of an explanation again.
struct Judge<'p>(GroupedSession<'p>);

impl<'p> Judge<'p> {
    fn of(plain: &'p Plain) -> Self {
        let config = Config { solver: backend::find("varisat").expect("a solver"), ..Config::default() };
        let limits = config.limits();
        let groups = plain.rules.len();
        Self(
            GroupedSession::new(&plain.model, plain.rule_of(), groups, &config, limits, None)
                .expect("a session"),
        )
    }

    /// Returns whether rules and literals are contradictory. A counterexample must satisfy all of them.
    fn refutes(&mut self, rules: &[usize], lits: &[Lit]) -> bool {
        let groups = Set::of(self.0.groups(), rules.iter().copied());
        match self.0.check(&groups, lits).expect("a solver") {
            Answer::Contradiction(_) => true,
            Answer::Consistent(witness) => {
                assert!(!witness.broken.meets(&groups), "a counterexample breaks a rule");
                assert!(lits.iter().all(|&lit| witness.contains(lit)), "a counterexample lacks a fact");
                false
            }
            Answer::Stopped => panic!("there is no limit"),
        }
    }

    /// Checks that rules and facts imply a literal, and that none of them can be left out.
    fn check(&mut self, rules: &[usize], because: &[Lit], lit: Lit, about: &str) {
        let assumed = [because, &[!lit]].concat();
        assert!(self.refutes(rules, &assumed), "not implied: {about}");
        for left_out in rules {
            let rest: Vec<usize> = rules.iter().copied().filter(|rule| rule != left_out).collect();
            assert!(!self.refutes(&rest, &assumed), "rule {left_out} is superfluous: {about}");
        }
        for left_out in because {
            let rest: Vec<Lit> = assumed.iter().copied().filter(|lit| lit != left_out).collect();
            assert!(!self.refutes(rules, &rest), "fact {left_out} is superfluous: {about}");
        }
    }

    /// Checks all arguments of a step. `known` contains the facts before the step.
    fn step(&mut self, plain: &Plain, known: &[Lit], step: &Step, about: &str) {
        for Argument { rules, deductions, size, .. } in &step.arguments {
            let [first, others @ ..] = &deductions[..] else {
                panic!("an argument derives nothing: {about}")
            };
            assert!(*size >= Size::Minimal, "{about}");
            self.check(rules, &first.because, first.lit, about);
            for deduction in others {
                self.check(rules, &deduction.because, deduction.lit, about);
            }
            assert!(
                deductions.iter().flat_map(|deduction| &deduction.because).all(|lit| known.contains(lit))
            );
            if *size == Size::Smallest && rules.len() == 2 {
                let open = plain.facts.iter().flat_map(|fact| [fact.lit, !fact.lit]);
                for lit in open.filter(|lit| !known.contains(lit) && !known.contains(&!*lit)) {
                    let assumed = [known, &[!lit]].concat();
                    for rule in 0..plain.rules.len() {
                        assert!(!self.refutes(&[rule], &assumed), "rule {rule} alone implies {lit}: {about}");
                    }
                }
            }
        }
    }
}

#[test]
fn steps_are_proven_minimal_and_derive_what_all_solutions_share() {
    let mut random = fastrand::Rng::with_seed(2);
    let solver = backend::find("batsat").expect("a solver");
    let mut sizes = BTreeSet::new();
    for round in 0..1000 {
        let puzzle = random_board(&mut random, BOARDS[round % BOARDS.len()]);
        let plain = puzzle.plain();
        let about = format!("round {round}: {puzzle:?}");
        let solutions: Vec<BTreeSet<Lit>> = all_solutions(&*puzzle, &solver, &Encodings::auto())
            .iter()
            .map(|solution| facts(&plain, &*puzzle, solution))
            .collect();
        let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let mut judge = Judge::of(&plain);
        let Some(first) = solutions.first() else {
            assert_eq!(explainer.next_step().expect("a solver"), Next::Contradiction, "{about}");
            let Why::Reason(reason) = explainer.why(&[], true).expect("a solver") else { panic!("{about}") };
            assert_eq!(reason.size, Size::Smallest, "{about}");
            judge.check(&reason.rules, &reason.because, FALSE, &about);
            explainer.restart(reason.rules.iter().copied());
            loop {
                let known = explainer.known().to_vec();
                let Next::Step(step) = explainer.step_to_contradiction().expect("a solver") else {
                    panic!("the contradiction is not derived: {about}")
                };
                let mut deductions = step.arguments.iter().flat_map(|argument| &argument.deductions);
                let ends = deductions.any(|deduction| deduction.lit == FALSE);
                for Argument { rules, deductions, .. } in &step.arguments {
                    assert!(rules.iter().all(|rule| reason.rules.contains(rule)), "{about}");
                    judge.check(rules, &deductions[0].because, deductions[0].lit, &about);
                }
                assert!(deductions_known(&step, &known), "{about}");
                if ends {
                    break;
                }
            }
            continue;
        };
        loop {
            let known = explainer.known().to_vec();
            match explainer.next_step().expect("a solver") {
                Next::Step(step) => {
                    judge.step(&plain, &known, &step, &about);
                    sizes.extend(step.arguments.iter().map(|argument| argument.rules.len()));
                }
                Next::Done => break,
                other => panic!("{other:?}: {about}"),
            }
        }
        let shared: BTreeSet<Lit> =
            first.iter().copied().filter(|lit| solutions.iter().all(|facts| facts.contains(lit))).collect();
        assert_eq!(explainer.known().iter().copied().collect::<BTreeSet<_>>(), shared, "{about}");
        if let Some(&lit) = shared.first() {
            let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
            let Why::Reason(reason) = explainer.why(&[!lit], true).expect("a solver") else {
                panic!("{about}")
            };
            judge.check(&reason.rules, &[], lit, &about);
        }
    }
    assert!(sizes.len() >= 3, "arguments of several sizes: {sizes:?}");
}

fn deductions_known(step: &Step, known: &[Lit]) -> bool {
    let mut deductions = step.arguments.iter().flat_map(|argument| &argument.deductions);
    deductions.all(|deduction| deduction.because.iter().all(|lit| known.contains(lit)))
}

#[test]
fn other_puzzles_explain_with_the_named_constraints_of_their_model() {
    for (puzzle_type, path) in support::boards() {
        let is_plain = ["nurikabe", "rooks", "numberlink", "amaze"].contains(&&*puzzle_type);
        if is_plain || !path.contains("impossible") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a board");
        let source = gordian::format::Source::new(&*path, source);
        let options = gordian::read::ReadOptions {
            puzzle_type: gordian::puzzle::find(&puzzle_type),
            ..Default::default()
        };
        let puzzle = gordian::read::board(&source, &options).expect("a board").puzzle;
        let plain = puzzle.plain();
        let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let why = explainer.why(&[], false).expect("a solver");
        assert!(matches!(why, Why::Reason(_)), "{path}: {why:?}");
    }
}

/// Returns the number of constraints in a smallest contradictory subset, by brute force over all values from 1 to 3.
fn least(instance: &gordian_flatzinc::Instance) -> Option<usize> {
    let number = instance.constraints.len();
    let variables = instance.variables.len() as u32;
    let of =
        |index: usize| (0..variables).map(|v| (index / 3_usize.pow(v) % 3) as i128 + 1).collect::<Vec<_>>();
    let broken: Vec<Vec<usize>> =
        (0..3_usize.pow(variables)).map(|index| violated(instance, &of(index))).collect();
    let hits =
        |set: usize| broken.iter().all(|broken| broken.iter().any(|&constraint| set >> constraint & 1 == 1));
    (0..1_usize << number).filter(|&set| hits(set)).map(|set| set.count_ones() as usize).min()
}

#[test]
fn models_are_explained_by_their_constraints() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut sizes = BTreeSet::new();
    for round in 0..300 {
        let mut text = String::from("var 1..3: a;\nvar 1..3: b;\nvar 1..3: c;\n");
        for _ in 0..random.usize(2..=8) {
            let name = ["int_lt", "int_le", "int_ne", "int_eq"][random.usize(..4)];
            let mut operand = || ["a", "b", "c", "1", "2", "3"][random.usize(..6)];
            let constraint = format!("constraint {name}({}, {});\n", operand(), operand());
            text += &constraint;
        }
        text += "solve satisfy;\n";
        let instance = gordian_flatzinc::text::read(&text).expect("an instance");
        let constraints = NamedConstraints::of(&instance, &Source::new("model.fzn", &*text));
        let why = constraints.why(&Config::default(), true).expect("a solver");
        let found = match why {
            WhyNone::Contradiction(subset) => {
                assert!(subset.smallest, "round {round}");
                Some(subset.groups.len())
            }
            WhyNone::Possible => None,
            WhyNone::Stopped => panic!("there is no limit"),
        };
        assert_eq!(found, least(&instance), "round {round}: {text}");
        sizes.extend(found);
    }
    assert!(sizes.len() >= 3, "conflicts of several sizes: {sizes:?}");
}

#[test]
fn constraints_with_one_name_count_as_one() {
    use gordian::prelude::{Clause, Model};
    let mut model = Model::new();
    let [a, b, c] = model.booleans();
    model.post_as("one", Clause::new([a]));
    model.post_as("two", Clause::new([!a, b]));
    model.post_as("two", Clause::new([!b, c]));
    model.post(Clause::new([!c]));
    model.post(Clause::new([!b, !c]));
    model.post(Clause::new([a, b, c]));
    let conflict = model.why().expect("a solver").expect("a conflict");
    assert!(
        conflict.smallest
            && conflict.minimal
            && [vec![0, 1, 2, 3], vec![0, 1, 2, 4]].contains(&conflict.constraints)
    );
    let text = "var 1..9: a;\nvar 1..9: b;\nconstraint int_lt(a, b) :: mzn_constraint_name(\"order\");\n\
        constraint int_le(9, a) :: mzn_constraint_name(\"large\");\nsolve satisfy;\n";
    let shown = support::stdout(&support::gordian(&["why", "-"], text));
    assert_eq!(shown, "2 rules contradict each other (smallest):\n  order\n  large\n");
}
