//! Formulas that several tests use.

use gordian_cdcl::Lit;

/// The pigeonhole formula with one more pigeon than holes.
pub(crate) fn pigeons(holes: u32) -> Vec<Vec<Lit>> {
    let lit = |pigeon: u32, hole: u32| Lit::new(pigeon * holes + hole, true);
    let mut clauses = Vec::new();
    for pigeon in 0..=holes {
        clauses.push((0..holes).map(|hole| lit(pigeon, hole)).collect());
        for other in 0..pigeon {
            clauses.extend((0..holes).map(|hole| vec![!lit(pigeon, hole), !lit(other, hole)]));
        }
    }
    clauses
}
