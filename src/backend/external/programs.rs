//! The external solvers and their command lines.

use std::borrow::Cow;
use std::path::Path;
use std::process::Command;

use super::program_exists;
use crate::backend::{BackendError, Solver, SolverConstructor};

/// An external solver with a name and a known command line.
#[derive(Debug)]
pub struct Program {
    /// The name of the solver and of its program.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The command line that runs the solver.
    command: &'static str,
    /// The option that sets the conflict limit. The number of conflicts is appended to this option.
    conflicts: Option<&'static str>,
    /// The options that set the seed. The seed itself is appended to the last option.
    seed: Option<&'static str>,
}

/// The external solvers that can be chosen by name. Their programs must be on the `PATH`.
pub static PROGRAMS: &[Program] = &[
    Program {
        name: "kissat",
        summary: "Kissat, run as a program from the PATH",
        command: "kissat -q {cnf}",
        conflicts: Some("--conflicts="),
        seed: Some("--seed="),
    },
    Program {
        name: "cadical",
        summary: "CaDiCaL, run as a program from the PATH unless it is built in",
        command: "cadical -q {cnf}",
        conflicts: Some("-c "),
        seed: Some("--seed="),
    },
    Program {
        name: "minisat",
        summary: "MiniSat, run as a program from the PATH",
        command: "minisat -verb=0 {cnf} {out}",
        conflicts: None,
        seed: Some("-rnd-init -rnd-seed="),
    },
    Program {
        name: "glucose",
        summary: "Glucose, run as a program from the PATH",
        command: "glucose -verb=0 -model {cnf}",
        conflicts: None,
        seed: Some("-rnd-init -rnd-seed="),
    },
    Program {
        name: "cryptominisat5",
        summary: "CryptoMiniSat, run as a program from the PATH",
        command: "cryptominisat5 --verb 0 {cnf}",
        conflicts: Some("--maxconfl "),
        seed: Some("--random "),
    },
    Program {
        name: "picosat",
        summary: "PicoSAT, run as a program from the PATH",
        command: "picosat {cnf}",
        conflicts: None,
        seed: Some("-s "),
    },
];

/// The command line of an external solver.
#[derive(Debug, Clone)]
pub struct CommandLine {
    /// The program and its arguments, with the placeholders `{cnf}`, `{out}` and `{seed}` for the formula file, the
    /// output file and the seed.
    pub(super) words: Vec<String>,
    /// The option that sets the conflict limit. The number of conflicts is appended to this option.
    pub(super) conflicts: Option<&'static str>,
    /// The options that set the seed. The seed itself is appended to the last option.
    pub(super) seed: Option<&'static str>,
}

impl CommandLine {
    /// Returns whether the program supports a seed.
    pub(super) fn takes_seed(&self) -> bool {
        self.seed.is_some() || self.words.iter().any(|word| word.contains("{seed}"))
    }

    /// Returns whether the program writes its output to a file.
    pub(super) fn writes_file(&self) -> bool {
        self.words.iter().any(|word| word.contains("{out}"))
    }

    /// Returns the command that solves a formula file. The options for the conflict limit and for a nonzero seed
    /// precede all other arguments.
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

/// The prefix of solver names that contain a command.
const PREFIX: &str = "external:";

/// Returns the external solver with the given name, or `None` if there is none. A name that starts with `external:`
/// contains a command after this prefix.
///
/// The command may contain placeholders: `{cnf}` for the path of the formula, which is appended if the placeholder is
/// missing, `{out}` for the file to which the solver writes its output, and `{seed}` for the seed, which is 0 by
/// default.
///
/// # Errors
/// Returns [`BackendError::NoProgram`] if the program does not exist or the command can't be parsed.
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
    let mut words = shlex::split(command).ok_or_else(|| no("the command has an unclosed quotation mark"))?;
    if words.is_empty() {
        return Err(no("the command is missing; use `external:COMMAND {cnf}`"));
    }
    if !words.iter().any(|word| word.contains("{cnf}")) {
        words.push("{cnf}".to_owned());
    }
    checked(name, CommandLine { words, conflicts: None, seed: None }, "an external command")
}

fn checked(name: &str, command: CommandLine, summary: &'static str) -> Result<Solver, BackendError> {
    let program = &command.words[0];
    if !program_exists(program) {
        let reason = format!("the program `{program}` was not found");
        return Err(BackendError::NoProgram { name: name.to_owned(), reason });
    }
    Ok(Solver {
        name: Cow::Owned(name.to_owned()),
        summary,
        version: "",
        phases: false,
        seeds: command.takes_seed(),
        limits_first: false,
        proofs: false,
        make: SolverConstructor::CommandLine(command),
    })
}
