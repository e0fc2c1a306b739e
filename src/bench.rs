//! Which encoding, solver and search are best on given boards: many runs of the program, recorded and compared.
//!
//! [`instance`] finds boards, [`settings`] says how each is to be answered, [`run`] makes a process of each pair, which
//! [`process`] holds to its limits from outside. What came of it is a [`record`], a line of a [`results`] file.
//! [`agreement`] looks whether two records contradict each other; [`summary`] makes figures of records and [`report`]
//! tables and a page of the figures.

pub mod agreement;
pub mod instance;
pub mod record;
pub mod report;
pub mod results;
pub mod run;
pub mod settings;
pub mod summary;
