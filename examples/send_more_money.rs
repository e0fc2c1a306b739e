//! Solves SEND + MORE = MONEY: each letter stands for a digit, different letters stand for different digits, and no
//! number starts with 0.

use gordian::prelude::*;

fn main() -> Result<(), SolveError> {
    let mut model = Model::new();
    let [s, m] = model.integers(1..=9);
    let [e, n, d, o, r, y] = model.integers(0..=9);
    model.post(AllDifferent::new([s, e, n, d, m, o, r, y]));
    let (send, more) = (1000 * s + 100 * e + 10 * n + d, 1000 * m + 100 * o + 10 * r + e);
    model.post((&send + &more).equals(10_000 * m + 1000 * o + 100 * n + 10 * e + y));
    let solution = model.solve()?.expect("the puzzle has a solution");
    println!("{} + {} = {}", solution.value(&send), solution.value(&more), solution.value(send + more));
    Ok(())
}
