//! The encodings. Each file contains one encoding or a few similar ones. The file names are the names that the
//! literature uses.
//!
//! To add an encoding, add a file here and list the encoding under its constraint in the [registry](crate::registry).

pub use crate::encode::{Encodable, Encode, Encoding, ModelCount, Strength, always};

pub mod acyclic;
pub mod adder;
pub mod all_different;
pub mod automaton;
pub mod bimander;
pub mod binary_support;
pub mod binomial;
pub mod bitwise;
pub mod cardinality_network;
pub mod circuit;
pub mod clause;
pub mod commander;
pub mod component_size;
pub mod components;
pub mod conflicts;
pub mod conjunction;
pub mod connectivity_cuts;
pub mod connectivity_propagator;
pub mod count;
pub mod cumulative;
pub mod decision_diagram;
pub mod degrees;
pub mod diffn;
pub mod disjoint_paths;
pub mod disjunction;
pub mod disjunctive;
pub mod element;
pub mod element_support;
pub mod equality;
pub mod exactly_one;
pub(crate) mod from_rustsat;
pub mod function;
mod inequality;
pub mod inverse;
pub mod ladder;
mod layered_graph;
pub mod lazy;
pub mod lexicographic;
pub mod linear;
pub mod linear_propagator;
pub mod mdd;
pub mod min_max;
pub mod multiplier;
pub mod negation;
pub mod nested;
pub mod order;
pub mod pairwise;
pub mod parent_tree;
pub mod parts;
pub mod permutation;
pub mod power;
pub mod product;
pub mod pseudo_boolean;
pub mod reachability_layers;
pub mod reified;
pub mod sequential_counter;
pub mod support;
pub mod table;
pub mod totalizer;
pub mod truncated_division;
pub mod value_precedence;
