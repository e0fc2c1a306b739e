//! Which programs there are, and how they are called.

use std::borrow::Cow;
use std::path::Path;
use std::process::Command;

use super::exists;
use crate::backend::{BackendError, Make, Solver};

/// A solver that is known by its name.
#[derive(Debug)]
pub struct Program {
    /// Its name, which is that of the program.
    pub name: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// How it is called.
    command: &'static str,
    /// The option before a number of conflicts.
    conflicts: Option<&'static str>,
    /// The options before a seed.
    seed: Option<&'static str>,
}

/// The solvers that are known by their names, if they are on the PATH.
pub static PROGRAMS: &[Program] = &[
    Program {
        name: "kissat",
        summary: "Kissat, as a program on the PATH",
        command: "kissat -q {cnf}",
        conflicts: Some("--conflicts="),
        seed: Some("--seed="),
    },
    Program {
        name: "cadical",
        summary: "CaDiCaL, as a program on the PATH where it is not built in",
        command: "cadical -q {cnf}",
        conflicts: Some("-c "),
        seed: Some("--seed="),
    },
    Program {
        name: "minisat",
        summary: "MiniSat, as a program on the PATH",
        command: "minisat -verb=0 {cnf} {out}",
        conflicts: None,
        seed: Some("-rnd-init -rnd-seed="),
    },
    Program {
        name: "glucose",
        summary: "Glucose, as a program on the PATH",
        command: "glucose -verb=0 -model {cnf}",
        conflicts: None,
        seed: Some("-rnd-init -rnd-seed="),
    },
    Program {
        name: "cryptominisat5",
        summary: "CryptoMiniSat, as a program on the PATH",
        command: "cryptominisat5 --verb 0 {cnf}",
        conflicts: Some("--maxconfl "),
        seed: Some("--random "),
    },
    Program {
        name: "picosat",
        summary: "PicoSAT, as a program on the PATH",
        command: "picosat {cnf}",
        conflicts: None,
        seed: Some("-s "),
    },
];

/// The command line of a solver.
#[derive(Debug, Clone)]
pub struct CommandLine {
    /// The program and its arguments, with `{cnf}` and `{out}` where files go and `{seed}` where the seed does.
    pub(super) words: Vec<String>,
    /// The option before a number of conflicts.
    pub(super) conflicts: Option<&'static str>,
    /// The options before a seed.
    pub(super) seed: Option<&'static str>,
}

impl CommandLine {
    /// Whether it takes a seed.
    pub(super) fn takes_seed(&self) -> bool {
        self.seed.is_some() || self.words.iter().any(|word| word.contains("{seed}"))
    }

    /// Whether the solver writes its output to a file.
    pub(super) fn writes_file(&self) -> bool {
        self.words.iter().any(|word| word.contains("{out}"))
    }

    /// The command for a formula. Limits and a seed other than 0 come before all other arguments.
    pub(super) fn command(
        &self,
        cnf: &Path,
        out: Option<&Path>,
        conflicts: Option<u64>,
        seed: u32,
    ) -> Command {
        let mut command = Command::new(&self.words[0]);
        let conflicts = self.conflicts.zip(conflicts).map(|(option, most)| format!("{option}{most}"));
        let seed_option = self.seed.filter(|_| seed > 0).map(|option| format!("{option}{seed}"));
        for options in conflicts.iter().chain(&seed_option) {
            command.args(options.split(' '));
        }
        let [cnf, out] = [cnf, out.unwrap_or(Path::new(""))].map(Path::to_string_lossy);
        for word in &self.words[1..] {
            let word = word.replace("{cnf}", &cnf).replace("{out}", &out);
            command.arg(word.replace("{seed}", &seed.to_string()));
        }
        command
    }
}

/// What a name says that a command follows.
const PREFIX: &str = "external:";

/// The solver with the name of a known program, or with the command after `external:`; `None` if it is neither.
///
/// `{cnf}` in the command is the file with the formula, added to the end if it is not there, and `{out}` the file to which
/// the solver writes its solution if it does not print it; `{seed}` is the seed, 0 where none was set.
///
/// # Errors
/// [`BackendError::NoProgram`] if the program is not there or the command can't be read.
#[must_use]
pub fn find(name: &str) -> Option<Result<Solver, BackendError>> {
    if let Some(command) = name.strip_prefix(PREFIX) {
        return Some(custom(name, command));
    }
    let program = PROGRAMS.iter().find(|program| program.name == name)?;
    let words: Vec<String> = program.command.split(' ').map(str::to_owned).collect();
    Some(checked(
        name,
        CommandLine { words, conflicts: program.conflicts, seed: program.seed },
        program.summary,
    ))
}

fn custom(name: &str, command: &str) -> Result<Solver, BackendError> {
    let no = |reason: &str| BackendError::NoProgram { name: name.to_owned(), reason: reason.to_owned() };
    let mut words = shlex::split(command).ok_or_else(|| no("a quotation mark is not closed"))?;
    if words.is_empty() {
        return Err(no("there is no command, as in `external:COMMAND {cnf}`"));
    }
    if !words.iter().any(|word| word.contains("{cnf}")) {
        words.push("{cnf}".to_owned());
    }
    checked(name, CommandLine { words, conflicts: None, seed: None }, "a command")
}

fn checked(name: &str, command: CommandLine, summary: &'static str) -> Result<Solver, BackendError> {
    let program = &command.words[0];
    if !exists(program) {
        let reason = format!("there is no program `{program}`");
        return Err(BackendError::NoProgram { name: name.to_owned(), reason });
    }
    Ok(Solver {
        name: Cow::Owned(name.to_owned()),
        summary,
        version: "",
        phases: false,
        seeds: command.takes_seed(),
        limits_first: false,
        make: Make::CommandLine(command),
    })
}
