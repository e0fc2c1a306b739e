//! Encodings of finite-domain constraints as CNF.
//!
//! A [`Model`] contains Boolean and integer variables and constraints over them. [`Encodings`] selects the encoding of
//! each type of constraint; by default, the encoding depends on the size of the constraint. The clauses are passed one
//! by one, without being copied, to a receiver that implements [`Collect`]: a solver, a file, or a [`Cnf`] in memory.
//! Literals have the type [`Lit`] of [`rustsat`], and every solver of rustsat implements [`Collect`].
//!
//! ```
//! use gordian_encodings::constraint::{AtMostOne, Cardinality};
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let lits: Vec<_> = (0..5).map(|_| model.boolean()).collect();
//! model.post(Cardinality::at_least(lits.clone(), 2));
//! model.post(AtMostOne::new(lits[..3].to_vec()));
//!
//! let mut cnf = Cnf::default();
//! let encoded = model.encode(&Encodings::auto(), &mut cnf);
//! assert_eq!(encoded.sizes().total().clauses, cnf.len() as u64);
//! ```
//!
//! The module [`constraint`] contains the constraints, and [`encoding`] contains their encodings, named as in the
//! literature. The module [`view`] creates the literals of integer variables. Encodings write clauses through the
//! interface in [`sink`].

// The modules form layers, separated by blank lines. Each module uses only modules in the layers above it.
pub mod cancel;
pub mod choice;
pub mod graph;
pub mod lit;
mod name;

pub mod int;

pub mod expr;

pub mod assignment;
pub mod collect;
mod linear_sum;
mod simplex;
mod strategy;
pub mod theory;

pub mod frontier;
pub mod value_literals;

pub mod sink;

pub mod encode;

pub mod constraint;

mod circuit;

pub mod view;

mod sums;

mod select;

pub mod encoding;

pub mod bounded_sum;

pub mod objective;

pub mod model;

pub mod relaxation;

pub mod registry;

pub use assignment::Assignment;
pub use bounded_sum::{BoundedSum, IncrementalTotalizer};
pub use cancel::{Cancelled, cancellable, tick};
pub use choice::{Choice, Encodings, Fallback};
pub use collect::{Cnf, Collect, CollectSums};
pub use constraint::Constraint;
pub use encode::{Encodable, Encode, Encoding, ModelCount, Strength};
pub use expr::{Expr, Term};
pub use graph::Graph;
pub use int::{Domain, Domains, IntVar, Value};
pub use lit::{FALSE, Lit, TRUE, Var, constant};
pub use model::{Encoded, Model};
pub use name::{Name, Names};
pub use objective::{Objective, ObjectiveBounds, Overflow, Penalties, Relaxation, Sense};
pub use registry::{CONSTRAINTS, ChoiceError};
pub use sink::{Sink, SizeRow, Sizes};
pub use strategy::{DecisionStrategy, ValueChoice, VariableChoice};

/// Runs the examples in the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
