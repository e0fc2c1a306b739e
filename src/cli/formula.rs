//! The options of `export` and `decode` that select the formula of a board.

use clap::Args;
use gordian_encodings::Encodings;

use super::config::encodings;
use super::given::GivenArgs;
use super::input;
use super::objective::objective;
use super::report::{Failure, unbounded};
use super::suggested::{self, Suggested};
use crate::backend::Limits;
use crate::export::{self, Export, FORMATS, Format, ObjectiveAs};
use crate::nearest::did_you_mean;
use crate::puzzle::{Formulation, ObjectiveRow, Puzzle, Query};

/// A board, and the options that select its formula.
#[derive(Debug, Args)]
pub(super) struct FormulaArgs {
    #[command(flatten)]
    pub(super) board: input::BoardArguments,
    #[command(flatten)]
    given: GivenArgs,
    /// The formula format: dimacs, wcnf, opb or icnf [default: dimacs]
    #[arg(long, value_name = "FORMAT", value_parser = Suggested(suggested::formats), hide_possible_values = true)]
    format: Option<String>,
    /// The encoding for a constraint; see `gordian list encodings` [repeatable]
    #[arg(long, value_name = "CONSTRAINT=ENCODING", value_parser = Suggested(suggested::encodings),
          hide_possible_values = true)]
    encode: Vec<String>,
    /// The objective, as in `gordian puzzle NAME`; `none` for no objective
    #[arg(long, value_name = "NAME", value_parser = Suggested(suggested::objectives), hide_possible_values = true)]
    objective: Option<String>,
    /// `counting`: each solution has exactly one model; `solving`: the formula may exclude solutions as long as one
    /// remains
    #[arg(long = "for", value_name = "PURPOSE", default_value = SOLVING, value_parser = [SOLVING, COUNTING])]
    purpose: String,
}

const SOLVING: &str = "solving";
const COUNTING: &str = "counting";

/// The formula of a board, with a function that decodes its models.
pub(super) struct Made {
    pub(super) export: Export,
    pub(super) decode: Decoder,
    pub(super) objective: Option<&'static ObjectiveRow>,
}

/// Decodes an assignment of the formula into a solution of the board.
type Decoder = Box<dyn Fn(&gordian_encodings::Assignment) -> crate::rules::Solution + Send + Sync>;

/// The options that were used, including default values.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    pub(super) format: &'static Format,
    pub(super) encodings: Encodings,
    pub(super) objective: Option<&'static ObjectiveRow>,
    pub(super) counting: bool,
}

impl FormulaArgs {
    /// Reads the board, and adds the values of the option `--given`.
    pub(super) fn read(&self, limits: &Limits) -> Result<Box<dyn Puzzle>, Failure> {
        self.given.add_to(self.board.read(limits)?)
    }

    /// Returns the options to use for a board. If the option `--format` is missing, the extension of `file` selects
    /// the format.
    pub(super) fn chosen(&self, puzzle: &dyn Puzzle, file: Option<&str>) -> Result<Chosen, Failure> {
        let format = match (&self.format, file) {
            (Some(name), _) => export::find(name).ok_or_else(|| {
                let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
                let near = did_you_mean(name, &names);
                Failure::Usage(format!("--format {name}: expected one of {}{near}", names.join(", ")))
            })?,
            (None, file) => by_ending(file.unwrap_or_default()).unwrap_or(FORMATS[0]),
        };
        let counting = self.purpose == COUNTING;
        // By default, the formula includes the objective if the format supports objectives and the formula is not meant
        // for counting solutions.
        let default = if format.objective == ObjectiveAs::Cost && !counting { None } else { Some("none") };
        let objective = objective(puzzle.puzzle_type(), self.objective.as_deref().or(default))?;
        let no_place = match (objective, format.objective, counting) {
            (Some(_), ObjectiveAs::Nothing, _) => {
                Some(format!("`{}` can't express an objective", format.name))
            }
            (Some(_), _, true) => Some("solutions are counted regardless of their value".to_owned()),
            _ => None,
        };
        if let Some((row, why)) = objective.zip(no_place) {
            return Err(Failure::Usage(format!("--objective {}: {why}", row.name)));
        }
        Ok(Chosen { format, encodings: encodings(&self.encode)?, objective, counting })
    }
}

impl Chosen {
    /// Builds and encodes the formula.
    pub(super) fn make(&self, puzzle: &dyn Puzzle) -> Result<Made, Failure> {
        let query = if self.counting { Query::Count } else { self.objective.into() };
        if let names @ [_, ..] = &puzzle.unbounded()[..] {
            return Err(Failure::Usage(format!("there is no finite formula: {}", unbounded(names))));
        }
        let Formulation { model, decode, .. } = puzzle.formulate(&query);
        let encodings =
            if self.counting { self.encodings.clone().keep_count() } else { self.encodings.clone() };
        let export =
            Export::new(model, encodings, self.format).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Made { export, decode, objective: self.objective })
    }

    /// Returns the format, the objective and the purpose as command-line options.
    pub(super) fn words(&self) -> String {
        let mut words = format!("--format {}", self.format.name);
        if let Some(row) = self.objective {
            words += " --objective ";
            words += row.name;
        }
        if self.counting {
            words += " --for counting";
        }
        words
    }
}

/// Returns the formula format for the extension of a file name. A second extension for compression is ignored.
fn by_ending(name: &str) -> Option<&'static Format> {
    let plain = [".gz", ".xz", ".bz2"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let (_, ending) = plain.rsplit_once('.')?;
    FORMATS.iter().copied().find(|format| format.extension == ending)
}
