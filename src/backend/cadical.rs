//! CaDiCaL.

use super::{BackendError, Solver};

pub(super) static SOLVER: Solver = Solver {
    name: "cadical",
    summary: "CaDiCaL, the strongest on hard boards; needs the cargo feature `cadical`",
    version: "2.2.1",
    phases: true,
    limits_first: false,
    make: || {
        Err(BackendError::NotBuilt {
            name: "cadical",
            how: "build it with `--features cadical`, which needs a C++ compiler and libclang (`apt-get install g++ libclang-dev`)",
        })
    },
};
