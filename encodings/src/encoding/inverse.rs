//! Encodes inverse lists with channelling clauses: the literals `left[i] = j` and `right[j] = i` are equivalent.
//!
//! Example: for lists of two elements from 0 to 1, `left[0]=1 -> right[1]=0` and `right[1]=0 -> left[0]=1`.
//!
//! Size for lists of n and m elements: 2nm clauses. Each integer adds one clause if its minimum is negative, and one
//! clause if its maximum is at least the length of the other list. Size if the lists must not be inverse: 2nm variables
//! and 6nm + 1 clauses. Strength: checks total assignments only. The encoding preserves the number of solutions.
//!
//! The clauses of the last elements are redundant: they follow from the other clauses, because each integer has a
//! value.
//!
//! Paper: Hnich, Smith, Walsh: *Dual modelling of permutation and injection problems*, JAIR 21, 2004. Unlike in the
//! paper, the lists may have different lengths (the constraint is then unsatisfiable), and the constraint can be
//! negated.
//!
//! ```
//! use gordian_encodings::constraint::Inverse;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let (left, right) = (model.integers::<2>(0..=1), model.integers::<2>(0..=1));
//! model.post(Inverse::new(left, right));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(cnf.len(), 8);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Inverse;
use crate::int::{IntVar, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Encodes inverse lists with equivalences between the literals `left[i] = j` and `right[j] = i`.
pub static CHANNEL: Encoding<Inverse> = Encoding {
    name: "channel",
    paper: "Hnich, Smith, Walsh: Dual modelling of permutation and injection problems, JAIR 21, 2004",
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    derived: false,
    applies: always,
    encode,
};

/// Returns the literals `x < 0` and `x >= count` for each integer x.
fn outside(ints: &[IntVar], count: usize, sink: &mut Sink<'_>) -> Vec<Lit> {
    ints.iter().flat_map(|&x| [sink.at_most(x, -1), sink.at_least(x, count as Value)]).collect()
}

fn encode(inverse: &Inverse, sink: &mut Sink<'_>) {
    let [left, right] = [&inverse.left, &inverse.right].map(|exprs| sink.integers_for(exprs));
    let mut wrong = outside(&left, right.len(), sink);
    wrong.extend(outside(&right, left.len(), sink));
    for (i, &x) in left.iter().enumerate() {
        for (j, &y) in right.iter().enumerate() {
            let [to, back] = [sink.equals(x, j as Value), sink.equals(y, i as Value)];
            if inverse.holds {
                sink.clause(&[!to, back]);
                sink.clause(&[to, !back]);
            } else {
                wrong.extend([sink.and(&[to, !back]), sink.and(&[!to, back])]);
            }
        }
    }
    if !inverse.holds {
        return sink.clause(&wrong);
    }
    for lit in wrong {
        sink.clause(&[!lit]);
    }
}
