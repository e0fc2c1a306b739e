//! Compares the queries on random models with brute force, in random settings: encodings, solvers, strategies and numbers
//! of threads.
//!
//! There are models in FlatZinc, with all constraints that have a builtin, and models of the library, with all types of
//! constraints. Each model has a seed of its own, and a failure prints it with a minimised model. Environment variables
//! choose what is tested:
//!
//! * `SETTINGS_MODELS`: the number of models;
//! * `SETTINGS_SEED`: the seed of the first model;
//! * `SETTINGS_WITH`: settings that are not drawn, such as `integers=lazy solver=varisat threads=1`;
//! * `SETTINGS_FAILURES`: the number of failures after which the test ends.
#![cfg(feature = "tool")]

mod check;
mod constraints;
mod known;
mod library;
mod model;
#[path = "../../flatzinc/tests/translation/random.rs"]
#[expect(dead_code, reason = "the tests of the translation use more of this module")]
mod random;
mod settings;
mod sizes;

use std::fmt;
use std::time::{Duration, Instant};

use check::{Checked, QUERIES, Query, check};
use library::LibraryModel;
use model::RandomModel;
use settings::{Draw, Settings};

#[derive(Clone)]
enum Kind {
    Flat(Box<RandomModel>),
    Library(LibraryModel),
}

/// A model, a query and settings.
#[derive(Clone)]
struct Case {
    model: Kind,
    query: Query,
    settings: Settings,
}

impl Case {
    fn check(&self) -> Result<Checked, String> {
        let Self { model, query, settings } = self;
        match model {
            Kind::Flat(model) => {
                check(model.whole(), model.is_annotated, *query, settings, &model.solutions())
            }
            Kind::Library(model) => model.check(*query, settings),
        }
    }

    /// Simplifies the model and the settings as long as the outcome is wrong.
    fn minimised(mut self) -> Self {
        loop {
            let models: Vec<Kind> = match &self.model {
                Kind::Flat(model) => {
                    model.simpler().into_iter().map(|model| Kind::Flat(Box::new(model))).collect()
                }
                Kind::Library(model) => model.simpler().into_iter().map(Kind::Library).collect(),
            };
            let settings = self.settings.simpler().map(|settings| Self { settings, ..self.clone() });
            let models = models.into_iter().map(|model| Self { model, ..self.clone() });
            let Some(simpler) = settings.chain(models).find(|case| case.check().is_err()) else {
                return self;
            };
            self = simpler;
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}, {}", self.query, self.settings)?;
        match &self.model {
            Kind::Flat(model) => write!(f, "{}", model.whole()),
            Kind::Library(model) => write!(f, "{model}"),
        }
    }
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> T {
    let parse = |text: String| text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number"));
    std::env::var(name).map_or(default, parse)
}

/// The number of slowest queries to print.
const SHOWN: usize = 5;

/// Checks three queries on each model, the first of which finds all solutions. The settings `with` are not drawn.
fn run(name: &str, first: u64, with: &str, model: impl Fn(u64, &mut fastrand::Rng) -> Kind) {
    let first: u64 = number("SETTINGS_SEED", first);
    let models: u64 = number("SETTINGS_MODELS", 100);
    let most: usize = number("SETTINGS_FAILURES", 1);
    let with = std::env::var("SETTINGS_WITH").unwrap_or(with.to_owned());
    let mut draw = Draw::new(&with);
    let (start, mut refused, mut stopped, mut failures) = (Instant::now(), 0, 0, Vec::new());
    let mut slowest: Vec<(Duration, u64, String)> = Vec::new();
    println!("{name}: {models} models from seed {first}");
    for seed in first..first + models {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = model(seed, &mut random);
        let is_large = match &model {
            Kind::Flat(model) => model.is_large(),
            Kind::Library(model) => model.is_large(),
        };
        let mut query = || QUERIES[random.usize(..QUERIES.len())];
        for query in [Query::Enumerate, query(), query()] {
            let case = Case { model: model.clone(), query, settings: draw.next(&mut random, is_large) };
            let began = Instant::now();
            let checked = case.check();
            let (time, about) = (began.elapsed(), format!("{query:?}, {}", case.settings));
            match checked {
                Ok(Checked::Right) => {}
                Ok(Checked::Refused) => refused += 1,
                Ok(Checked::Stopped) => {
                    stopped += 1;
                    println!("{name}, seed {seed}: stopped after {time:?}: {about}");
                }
                Err(wrong) => {
                    let case = case.minimised();
                    let wrong = case.check().err().unwrap_or(wrong);
                    println!("{name}, seed {seed}: {wrong}\n{case}");
                    failures.push(seed);
                    assert!(failures.len() < most, "{name}, seed {seed}: {wrong}\n{case}");
                    break;
                }
            }
            slowest.push((time, seed, about));
            slowest.sort_unstable_by(|a, b| b.cmp(a));
            slowest.truncate(SHOWN);
        }
        if (seed - first) % 10_000 == 9_999 {
            println!("{name}: up to seed {seed}, {:?}, {} failures", start.elapsed(), failures.len());
        }
    }
    let (time, open) = (start.elapsed(), draw.open());
    for (time, seed, about) in slowest {
        println!("{name}, seed {seed}: {time:?}: {about}");
    }
    println!(
        "{name}: {time:?}, {refused} queries refused, {stopped} stopped, {open} combinations of encodings have not \
         occurred"
    );
    assert!(failures.is_empty(), "{name}, seeds {failures:?}");
    assert!(refused < models, "most models must be solved");
    assert!(stopped <= 3 + models / 1_000, "{stopped} queries were stopped");
    assert!(open == 0 || models < 1_000 || !with.is_empty(), "{open} combinations have not occurred");
}

#[test]
fn flatzinc_models_agree_with_brute_force() {
    run("FlatZinc", 800_000, "", |_, random| Kind::Flat(Box::new(RandomModel::new(random))));
}

#[test]
fn library_models_agree_with_brute_force() {
    run("library", 900_000, "", |seed, _| Kind::Library(LibraryModel::new(seed)));
}

#[test]
fn lazy_literals_change_no_result() {
    let with =
        "solver=cdcl integers=lazy linear=lazy minimum=lazy maximum=lazy cumulative=lazy objective=lazy";
    run("lazy", 1_400_000, with, |seed, _| Kind::Library(LibraryModel::new(seed)));
}
