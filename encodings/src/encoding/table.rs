//! Support encoding of tables: a literal for each row, and what each value needs.
//!
//! A row literal r holds only where its row does: `r -> x = v` for each entry v, `r -> -(x = v)` for an entry that is not v.
//! One row holds: `r1 or r2 ..`. What an entry could be has a support in some row: `x = v -> r1 or r2 ..` over the rows
//! that allow v.
//!
//! For the rows (1, 2) and (2, any) of x and y from 1 to 2: `r1 -> x=1`, `r1 -> y=2`, `r2 -> x=2`, `r1 or r2`,
//! `x=1 -> r1`, `x=2 -> r2`, `y=1 -> r2`; with a row of one entry only being that literal, r2 is `x=2`.
//!
//! Size for n rows with m entries that ask for something and d values in all columns: at most n variables and m + d +
//! 1 clauses, n more to keep the number of solutions; a row that can't hold is left out, one with a single entry
//! needs no variable. Strength of `support`: domain; of `rows`, which leaves the supports out: conflict. The number
//! of solutions is kept on request, by `all entries -> r`.
//!
//! Redundant clauses: supports of values that every row allows, what a value says of all rows, and what a row asks
//! that it shares with each row that could stand for it.
//!
//! Paper: Bacchus: *GAC via unit propagation*, CP 2007. Differs from it in wildcards and excluded values, with which more
//! than one row may hold.
//!
//! ```
//! use gordian_encodings::constraint::{Entry, Table};
//! use gordian_encodings::encoding::table::SUPPORT;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 2)));
//! let rows = vec![vec![Entry::Is(1), Entry::Is(2)], vec![Entry::Is(2), Entry::Any]];
//! model.post(Table::new([x.into(), y.into()], rows));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&SUPPORT), &mut cnf);
//! // 1 is `x = 1`, 2 is `y = 1`, 3 is r1.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 1 0", "-3 -2 0", "3 -1 0", "3 -1 0", "-1 -2 0", "3 -1 2 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Entry, Table, Term};
use crate::int::Domains;
use crate::lit::{FALSE, Lit, TRUE, constant};
use crate::sink::Sink;

/// Row literals and supports.
pub static SUPPORT: Encoding<Table> = Encoding {
    name: "support",
    paper: "Bacchus: GAC via unit propagation, CP 2007",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    applies,
    encode: |table, sink| encode(table, true, sink),
};

/// Row literals alone.
pub static ROWS: Encoding<Table> = Encoding {
    name: "rows",
    paper: "folklore: disjunctive normal form by Tseitin's transformation",
    strength: Strength::ConsistencyChecker,
    count: ModelCount::OnRequest,
    applies: super::always,
    encode: |table, sink| encode(table, false, sink),
};

/// The greatest domain whose values are looked at one by one.
const MOST_VALUES: u128 = 1 << 16;

fn applies(table: &Table, domains: Domains<'_>) -> bool {
    table.columns.iter().all(|column| column.values(domains) <= MOST_VALUES)
}

fn encode(table: &Table, supports: bool, sink: &mut Sink<'_>) {
    let mut rows: Vec<(Lit, &[Entry])> = Vec::new();
    for row in &table.rows {
        let mut asked: Vec<Lit> =
            row.iter().zip(&table.columns).map(|(&entry, &column)| asks(entry, column, sink)).collect();
        asked.retain(|&lit| lit != TRUE);
        asked.sort_unstable();
        asked.dedup();
        if asked.contains(&FALSE) {
            continue;
        }
        let lit = match asked[..] {
            [] => TRUE,
            [lit] => lit,
            _ if sink.keeps_count() => sink.and(&asked),
            _ => {
                let lit = sink.fresh();
                for &asked in &asked {
                    sink.clause(&[!lit, asked]);
                }
                lit
            }
        };
        rows.push((lit, row));
    }
    sink.clause_of(rows.iter().map(|&(lit, _)| lit));
    if !supports {
        return;
    }
    for (number, &column) in table.columns.iter().enumerate() {
        for (value, equal) in sink.values(column) {
            let allowing = rows.iter().filter(|(_, row)| row[number].allows(value)).map(|&(lit, _)| lit);
            sink.clause_of(allowing.chain([!equal]));
        }
    }
}

/// The literal that says an entry is met.
fn asks(entry: Entry, column: Term, sink: &mut Sink<'_>) -> Lit {
    let mut equals = |value| match column {
        Term::Int(x) => sink.equals(x, value),
        Term::Lit(lit) if value == 1 => lit,
        Term::Lit(lit) if value == 0 => !lit,
        Term::Lit(_) => FALSE,
    };
    match entry {
        Entry::Any => TRUE,
        Entry::Is(value) => equals(value),
        Entry::Not(value) => !equals(value),
    }
}

impl Sink<'_> {
    /// Each value that a term can have, with the literal that says it has.
    pub(super) fn values(&mut self, term: Term) -> Vec<(i128, Lit)> {
        match term {
            Term::Int(x) => super::layered_graph::layer(x, self),
            Term::Lit(lit) => {
                [(0, !lit), (1, lit)].into_iter().filter(|&(_, lit)| constant(lit) != Some(false)).collect()
            }
        }
    }
}
