//! Places eight queens on a chessboard so that no two attack each other. `q[i]` is the column of the queen in row
//! `i`.

use gordian::prelude::*;

fn main() -> Result<(), SolveError> {
    let mut model = Model::new();
    let q = model.integers::<8>(0..=7);
    model.post(AllDifferent::new(q));
    model.post(AllDifferent::new((0..8).map(|i| q[i] + i)));
    model.post(AllDifferent::new((0..8).map(|i| q[i] - i)));
    println!("{} solutions", model.count()?);
    Ok(())
}
