use gordian_encodings::Collect;
use proptest::prelude::*;

use super::*;
use crate::Random;

/// Returns random clauses, as lists of variables with signs.
fn clauses(variables: u32) -> impl Strategy<Value = Vec<Vec<(u32, bool)>>> {
    let clause =
        prop::collection::btree_map(0..variables, any::<bool>(), 1..4_usize.min(variables as usize) + 1);
    prop::collection::vec(clause.prop_map(|map| map.into_iter().collect()), 0..3 * variables as usize)
}

fn cnf(variables: u32, clauses: &[Vec<(u32, bool)>]) -> Cnf {
    let mut cnf = Cnf::default();
    for clause in clauses {
        cnf.clause(&clause.iter().map(|&(variable, sign)| Lit::new(variable, sign)).collect::<Vec<_>>());
    }
    cnf.reserve(variables);
    cnf
}

/// Returns all models, found by brute force and restricted to the variables in `mask`, without repetitions.
fn models(cnf: &Cnf, mask: u32) -> Vec<u32> {
    let satisfied = |model: u32, lit: &Lit| (model >> lit.vidx() & 1 == 1) == lit.is_pos();
    let all = (0..1_u32 << cnf.variables())
        .filter(|&model| cnf.iter().all(|clause| clause.iter().any(|lit| satisfied(model, lit))));
    let mut models: Vec<u32> = all.map(|model| model & mask).collect();
    models.sort_unstable();
    models.dedup();
    models
}

/// Checks the count and the circuit of a formula with caches of several sizes.
fn check(cnf: &Cnf, projection: Option<u32>) {
    let variables = cnf.variables();
    let mask = projection.unwrap_or(u32::MAX);
    let models = models(cnf, mask);
    let lits = (0..variables).filter(|variable| mask >> variable & 1 == 1).map(Lit::positive);
    let projection = projection.map(|_| lits.clone().collect());
    for cache in [usize::MAX, 1000, 0] {
        let options = Options { cache, projection: projection.clone() };
        let report = &mut |progress: &Progress| assert!(progress.at_least <= BigUint::from(models.len()));
        assert_eq!(count(cnf, &options, report), BigUint::from(models.len()));
        let circuit = compile(cnf, &options, report);
        assert_eq!(circuit.count(), BigUint::from(models.len()));
        let counts = circuit.literal_counts(variables);
        for lit in lits.clone() {
            let expected = models.iter().filter(|&model| model >> lit.vidx() & 1 == 1).count();
            assert_eq!(counts.of(lit), BigUint::from(expected));
            assert_eq!(counts.of(!lit), BigUint::from(models.len() - expected));
        }
        let sample = circuit.sample(&mut Random::new(3));
        assert_eq!(sample.is_some(), !models.is_empty());
        if let Some(sample) = sample {
            let model =
                sample.iter().filter(|lit| lit.is_pos()).fold(0, |model, lit| model | 1 << lit.vidx());
            assert!(models.contains(&(model & mask)), "{sample:?}");
            assert!(
                lits.clone().all(|lit| sample.iter().filter(|other| other.vidx() == lit.vidx()).count() == 1)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn counts_equal_brute_force((variables, clauses) in (1_u32..13).prop_flat_map(|n| (Just(n), clauses(n)))) {
        check(&cnf(variables, &clauses), None);
    }

    #[test]
    fn projected_counts_equal_brute_force(
        (variables, clauses) in (1_u32..11).prop_flat_map(|n| (Just(n), clauses(n))),
        mask in any::<u32>(),
    ) {
        check(&cnf(variables, &clauses), Some(mask));
    }
}

/// Near the satisfiability threshold, counting the models of most formulas needs many conflicts.
#[test]
fn counts_of_hard_formulas_do_not_depend_on_the_cache() {
    let mut random = Random::new(5);
    let mut below = |limit: u32| (random.word() % u64::from(limit)) as u32;
    for _ in 0..10 {
        let clauses: Vec<Vec<(u32, bool)>> =
            (0..190).map(|_| (0..3).map(|_| (below(50), below(2) == 0)).collect()).collect();
        let cnf = cnf(50, &clauses);
        let counts =
            [usize::MAX, 0].map(|cache| count(&cnf, &Options { cache, projection: None }, &mut |_| ()));
        assert_eq!(counts[0], counts[1]);
    }
}

#[test]
fn all_models_are_sampled_equally_often() {
    // A path with 6 vertices has 21 independent sets.
    let path: Vec<Vec<(u32, bool)>> = (0..5).map(|index| vec![(index, true), (index + 1, true)]).collect();
    let circuit = compile(&cnf(6, &path), &Options::default(), &mut |_| ());
    let mut random = Random::new(11);
    let mut found = std::collections::BTreeMap::new();
    for _ in 0..21_000 {
        let mut sample = circuit.sample(&mut random).unwrap();
        sample.sort_unstable();
        *found.entry(sample).or_insert(0_u32) += 1;
    }
    assert_eq!(found.len(), 21);
    // For 20 degrees of freedom, the 0.999999 quantile of the chi-square distribution is 65.
    let chi_square: f64 = found.values().map(|&count| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi_square < 65.0, "{chi_square}");
}

#[test]
fn permutations_are_counted() {
    let size = 10;
    let lines = (0..size).flat_map(|line| {
        let row: Vec<u32> = (0..size).map(|column| size * line + column).collect();
        [row.clone(), row.iter().map(|cell| cell % size * size + cell / size).collect()]
    });
    let mut clauses = Vec::new();
    for line in lines {
        for (index, &first) in line.iter().enumerate() {
            clauses.extend(line[index + 1..].iter().map(|&second| vec![(first, true), (second, true)]));
        }
        clauses.push(line.iter().map(|&cell| (cell, false)).collect());
    }
    let count = count(&cnf(size * size, &clauses), &Options::default(), &mut |_| ());
    assert_eq!(count, BigUint::from(3_628_800_u32));
}
