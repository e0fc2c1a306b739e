//! varisat.

use super::{BackendError, Solver};

pub(super) static SOLVER: Solver = Solver {
    name: "varisat",
    summary: "CaDiCaL, the strongest on hard boards; needs the cargo feature `cadical`",
    version: "0.2.2",
    phases: true,
    limits_first: false,
    make: || {
        Err(BackendError::NotBuilt {
            name: "varisat",
            how: "build it with `--features cadical`, which needs a C++ compiler and libclang (`apt-get install g++ libclang-dev`)",
        })
    },
};
