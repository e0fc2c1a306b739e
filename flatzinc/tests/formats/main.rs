//! Tests of the readers of FlatZinc and XCSP3.

mod differential;
mod json;
mod text;
mod xcsp3;
