//! Tests of constraints, expressions and propagators beyond the samples of the program `encodings`: larger domains,
//! random constraints, other libraries, and the encodings that `auto` selects.

mod arithmetic;
mod circuit;
mod differential;
mod diffn;
mod expressions;
mod pindakaas;
mod propagated_sums;
mod relaxation;
mod scheduling;
mod table;
mod theory;
mod theory_linear;
