//! Handles one request of the web page: reads it from standard input and writes the lines of the response to standard
//! output.
//!
//! The script `web/build` compiles this program to WebAssembly. The page runs the program once for each request, in a
//! worker. To stop a search, the page terminates the worker.

use std::io::{self, Write};
use std::time::Duration;

use gordian::search::Config;
use gordian::web::Pages;

/// The time limit of each search.
const TIMEOUT: Duration = Duration::from_secs(60);

fn main() -> io::Result<()> {
    let request = io::read_to_string(io::stdin())?;
    let config = Config { timeout: Some(TIMEOUT), ..Config::default() };
    let mut out = io::stdout().lock();
    Pages::default().answer(&request, &config, &mut |line| writeln!(out, "{line}"));
    Ok(())
}
