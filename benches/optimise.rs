//! Benchmark: finds an optimal solution of each board with the default strategy, and proves that it is optimal.
//!
//! ```text
//! cargo bench -p gordian --bench optimise
//! ```

use criterion::{Criterion, criterion_group, criterion_main};
use gordian::backend::SOLVERS;
use gordian::search::{STRATEGIES, Session};
use gordian_encodings::Encodings;

mod boards;

fn sets(criterion: &mut Criterion) {
    for set in boards::SETS {
        let boards = set.boards();
        let mut group = criterion.benchmark_group(set.name);
        group.sample_size(10);
        for (index, (board, formulation)) in boards.iter().enumerate() {
            group.bench_function(format!("{}", index + 1), |bencher| {
                bencher.iter(|| {
                    let mut session = Session::new(&formulation.model, &Encodings::auto(), SOLVERS[0])
                        .expect("the default solver is always there");
                    let objective = formulation.model.objective().expect("the set has one");
                    let optimum = session.optimise(objective, STRATEGIES[0], |_| ()).expect("small weights");
                    assert!(optimum.proven);
                    let (assignment, _) = optimum.best.expect("a board with a solution");
                    board.check(&(formulation.decode)(&assignment)).expect("a solution that keeps the rules");
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, sets);
criterion_main!(benches);
