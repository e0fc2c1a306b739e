//! Tests of the board generator. Each board must have exactly one solution, which another solver and other encodings
//! confirm. The same seed must generate the same board.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{self, all_solutions, board};
use gordian::backend;
use gordian::clues::{Additions, Clues, Superfluous, clues};
use gordian::explain::{Explainer, Next};
use gordian::make::{
    BestBoard, Generator, Made, MakeError, MakeOptions, MakeProgress, Outcome, Pattern, Spare, Symmetry,
    generators, make,
};
use gordian::puzzle::{self, FurtherClue, Options, PuzzleType};
use gordian::rules::{Field, Grid};
use gordian::search::Config;
use gordian_encodings::Encodings;
use gordian_explain::Effort;

fn made(name: &str, size: (usize, usize), seed: u64, options: &MakeOptions) -> Made {
    made_within(&Config::default(), name, size, seed, options)
}

fn made_within(config: &Config, name: &str, size: (usize, usize), seed: u64, options: &MakeOptions) -> Made {
    let puzzle_type = puzzle::find(name).expect("a puzzle type");
    match make(puzzle_type, size, seed, options, config, &config.limits(), &mut |_| ()) {
        Ok(Outcome::Made(made)) => *made,
        other => panic!("{name} {size:?} {seed}: {other:?}"),
    }
}

/// Checks with another solver and other encodings that a board has only the given solution.
fn check(made: &Made) {
    let puzzle = board(&made.text);
    puzzle.check(&made.solution).expect("the rules");
    let mut encodings = Encodings::auto();
    for choice in ["connectivity=layers", "cardinality=sequential-counter", "at-most-one=ladder"] {
        encodings.choose_from(choice).expect("an encoding");
    }
    let solver = backend::find("varisat").expect("a solver");
    let solutions = all_solutions(&*puzzle, &solver, &encodings);
    assert_eq!(solutions.len(), 1, "{}", made.text);
    for (name, field) in made.solution.fields() {
        assert_eq!(solutions[0].get(name), Some(field), "{}", made.text);
    }
}

fn with(option: &str) -> MakeOptions {
    MakeOptions {
        puzzle: Options::from_words(&[option.to_owned()]).expect("an option"),
        ..MakeOptions::default()
    }
}

#[test]
fn boards_have_one_solution() {
    let sizes = [(5, 5), (4, 6), (6, 3)];
    let written = generators().filter(|generator| generator.puzzle_type.sheet.is_none());
    let types = written.map(|generator| (generator.puzzle_type.name, None));
    for (name, option) in types.chain([("numberlink", Some("cells=all")), ("numberlink", Some("touch=no"))]) {
        let options = option.map_or_else(MakeOptions::default, with);
        for (seed, size) in (0..).zip(sizes) {
            let first = made(name, size, seed, &options);
            check(&first);
            assert!(!first.stopped);
            assert_eq!(first.text, made(name, size, seed, &options).text, "the same seed");
            assert_ne!(first.text, made(name, size, seed + 100, &options).text, "another seed");
            let grid = first.solution.grid(size.0, size.1);
            grid.expect("a grid of the size");
        }
    }
}

/// Every puzzle type with a rule sheet and a generator: the board has one solution, which the evaluator of the rules
/// accepts, and no superfluous clue.
/// Puzzle types whose sheets use each relation and each scheme of data. Boards of the other types are made in the same
/// way.
const MADE: [&str; 27] = [
    "binairo",
    "countryroad",
    "creek",
    "fillomino",
    "gokigen",
    "hakyuu",
    "hashi",
    "heyawake",
    "hitori",
    "kakuro",
    "killer",
    "kuromasu",
    "lits",
    "masyu",
    "mosaic",
    "nonogram",
    "norinori",
    "shikaku",
    "simpleloop",
    "skyscrapers",
    "slitherlink",
    "starbattle",
    "sudoku",
    "suguru",
    "tents",
    "yajilin",
    "yinyang",
];

#[test]
fn options_of_rule_sheets_hold_for_boards() {
    let square = (5, 5);
    for (name, option, size) in
        [("slitherlink", "full=yes", square), ("masyu", "full=yes", (4, 6)), ("koburin", "outer=yes", square)]
    {
        let made = made(name, size, 1, &with(option));
        check(&made);
        assert!(made.text.starts_with(&format!("{name} {option}\n")), "{}", made.text);
    }
}

#[test]
fn boards_of_rule_sheets_have_one_solution() {
    let config = Config::default();
    for name in MADE {
        let Generator { spare, .. } =
            generators().find(|generator| generator.puzzle_type.name == name).expect("a generator");
        // The rules of fillomino are hard without any implied rule.
        let size = if name == "fillomino" { (4, 4) } else { (6, 6) };
        let first = made(name, size, 1, &MakeOptions::default());
        check(&first);
        assert!(!first.stopped);
        assert_eq!(first.text, made(name, size, 1, &MakeOptions::default()).text, "the same seed");
        assert_ne!(first.text, made(name, size, 2, &MakeOptions::default()).text, "another seed");
        let board = board(&first.text);
        if board.clues().is_none() {
            continue;
        }
        assert!(spare.is_some(), "{name}");
        match clues(&*board, &config, &config.limits()) {
            Ok(Clues::Unique(Superfluous { alone, .. })) => {
                assert_eq!(alone, [""; 0], "superfluous clues: {}", first.text);
            }
            other => panic!("{name}: {other:?}"),
        }
        let options = MakeOptions { spare: Some(Spare::All), ..MakeOptions::default() };
        let has_superfluous = |seed: u64| {
            let all = made(name, size, seed, &options);
            check(&all);
            all.text != made(name, size, seed, &MakeOptions::default()).text
        };
        assert!((1..5).any(has_superfluous), "{name} never has superfluous clues");
    }
}

/// Puzzle types with data that are not only clues of their own places: entries that other places use, holes, lists, chains,
/// numbers on which hidden variables depend, entries that are drawn before the solution or restrict its variables, and areas
/// that have to be repaired.
const FURTHER: [(&str, (usize, usize)); 26] = [
    ("arrowsudoku", (4, 4)),
    ("bosanowa", (4, 4)),
    ("coral", (6, 6)),
    ("cts", (5, 5)),
    ("compass", (4, 4)),
    ("dominion", (5, 5)),
    ("dosufuwa", (6, 6)),
    ("hidato", (5, 5)),
    ("japanesesums", (5, 5)),
    ("kurotto", (5, 5)),
    ("minarism", (5, 5)),
    ("reflect", (5, 5)),
    ("renbansudoku", (4, 4)),
    ("thermometers", (6, 6)),
    ("castle", (5, 5)),
    ("curving", (4, 4)),
    ("kropki", (5, 5)),
    ("magnets", (4, 4)),
    ("galaxies", (5, 5)),
    ("haisu", (4, 4)),
    ("lightshadow", (5, 5)),
    ("loute", (5, 5)),
    ("nurimaze", (5, 5)),
    ("twinarea", (5, 5)),
    ("wblink", (5, 5)),
    ("brownies", (5, 5)),
];

#[test]
fn boards_with_other_data_than_clues_have_one_solution() {
    for (name, size) in support::drawn(FURTHER) {
        let first = made(name, size, 1, &MakeOptions::default());
        check(&first);
        assert!(!first.stopped, "{name}");
        let is_empty = |(_, field): (_, &Field)| match field {
            Field::Grid(grid) => grid.cells().iter().all(|&value| value == 0),
            Field::Pairs(pairs) => pairs.is_empty(),
            _ => false,
        };
        assert!(!first.solution.fields().all(is_empty), "{name} has an empty solution");
        assert_eq!(first.text, made(name, size, 1, &MakeOptions::default()).text, "the same seed");
        assert_ne!(first.text, made(name, size, 2, &MakeOptions::default()).text, "another seed");
    }
}

/// Without the crossing, other variables would exist, so the loop could not cross itself there.
#[test]
fn entries_on_which_variables_depend_are_no_clues() {
    let text = "reflect\n. . . . .\n. . . . .\n. . ┼ . .\n. . . . .\n. . . . .\n\n\
                . . 5 . .\n1 . . . .\n. . . . 5\n. . 5 . .\n. . . 1 .\n";
    let config = Config::default();
    match clues(&*board(text), &config, &config.limits()) {
        Ok(Clues::Unique(Superfluous { clues, alone, .. })) => assert_eq!((clues, alone.len()), (5, 0)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn entries_that_other_places_use_are_needed() {
    let mut superfluous = 0;
    for name in ["castle", "curving", "kropki", "magnets"] {
        let (_, size) = FURTHER.into_iter().find(|(other, _)| *other == name).expect("the size");
        let is_area = |token: &str| name == "magnets" && token.chars().all(char::is_alphabetic);
        let is_entry = |token: &str| !["", ".", name].contains(&token) && !is_area(token);
        let entries = |spare| {
            let options = MakeOptions { spare, ..MakeOptions::default() };
            let made = made(name, size, 3, &options);
            check(&made);
            (without_each_clue(&made.text, is_entry, "."), made.solution)
        };
        let (needed, solution) = entries(None);
        for text in &needed {
            let is_solution = board(text).check(&solution).is_ok();
            assert!(!is_solution || solutions(text) > 1, "a superfluous entry: {text}");
        }
        let all = entries(Some(Spare::All)).0.len();
        let kept = entries(Some(Spare::Number(2))).0.len();
        assert!((1..=kept).contains(&needed.len()) && kept <= all, "{name}: {} {kept} {all}", needed.len());
        superfluous += all - needed.len();
    }
    assert!(superfluous > 0);
}

#[test]
fn clues_keep_to_a_pattern() {
    let size = (6, 6);
    let flags = |flag: &dyn Fn(usize, usize) -> bool| {
        let cells = (0..36).map(|cell| flag(cell / 6, cell % 6)).collect();
        Pattern::new(Grid::new(6, 6, cells))
    };
    let frame = flags(&|row, column| [0, 5].contains(&row) || [0, 5].contains(&column));
    let chess = flags(&|row, column| (row + column) % 2 == 0);
    let rows = flags(&|row, _| row % 2 == 1);
    for (name, pattern, blocks_before) in support::drawn([
        ("slitherlink", &chess, 0),
        ("slitherlink", &rows, 0),
        ("kuromasu", &chess, 0),
        ("sudoku", &chess, 0),
        ("mines", &rows, 0),
        ("castle", &frame, 0),
        ("heyawake", &chess, 1),
    ]) {
        let options = MakeOptions { pattern: Some(pattern.clone()), ..MakeOptions::default() };
        let first = made(name, size, 1, &options);
        check(&first);
        let tokens: Vec<&str> = first.text.lines().skip(1).flat_map(str::split_whitespace).collect();
        let mut entries = 0;
        for (at, token) in tokens.iter().enumerate().skip(36 * blocks_before) {
            if *token != "." {
                assert!(pattern.contains(at % 36 / 6, at % 6), "{name}: {}", first.text);
                entries += 1;
            }
        }
        assert!(entries > 0, "{name}");
        let fewer = MakeOptions { spare: Some(Spare::Number(0)), ..options };
        check(&made(name, size, 1, &fewer));
    }
}

#[test]
fn odd_and_small_sizes_work() {
    for size in [(3, 3), (5, 3), (1, 5), (7, 1), (1, 2)] {
        check(&made("numberlink", size, 1, &MakeOptions::default()));
    }
    for size in [(1, 1), (1, 4), (2, 2), (3, 1)] {
        check(&made("rooks", size, 1, &MakeOptions::default()));
        check(&made("nurikabe", size, 1, &MakeOptions::default()));
    }
}

/// Returns a copy of `text` for each clue. In each copy, `blank` replaces one token that `is_clue` accepts.
fn without_each_clue(text: &str, is_clue: impl Fn(&str) -> bool, blank: &str) -> Vec<String> {
    let tokens: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
    let clues = (0..tokens.len()).filter(|&index| is_clue(tokens[index].trim()));
    let replaced = |index: usize| {
        let new = tokens[index].replace(tokens[index].trim(), blank);
        [&tokens[..index], &[&*new], &tokens[index + 1..]].concat().concat()
    };
    clues.map(replaced).collect()
}

#[test]
fn clues_are_needed_unless_they_are_spare() {
    let is_number = |token: &str| token.parse::<u32>().is_ok();
    for seed in 0..5 {
        for (name, blank) in [("rooks", "#"), ("nurikabe", "?")] {
            let numbers = |spare| {
                let made = made(name, (5, 6), seed, &MakeOptions { spare, ..MakeOptions::default() });
                check(&made);
                without_each_clue(&made.text, is_number, blank)
            };
            let needed = numbers(Some(Spare::Number(0)));
            for text in &needed {
                assert!(solutions(text) > 1, "a superfluous clue: {text}");
            }
            let all = numbers(Some(Spare::All)).len();
            assert_eq!(numbers(Some(Spare::Number(2))).len(), all.min(needed.len() + 2));
            let usual = if name == "rooks" { needed.len() } else { all };
            assert_eq!(numbers(None).len(), usual);
        }
    }
}

#[test]
fn a_board_that_may_have_superfluous_clues_is_not_complete() {
    let config = Config { conflicts: Some(2), ..Config::default() };
    let options = MakeOptions { spare: Some(Spare::Number(0)), ..MakeOptions::default() };
    let is_number = |token: &str| token.parse::<u32>().is_ok();
    for (name, blank) in [("rooks", "#"), ("nurikabe", "?")] {
        let mut superfluous = 0;
        for seed in 0..40 {
            let made = made_within(&config, name, (6, 6), seed, &options);
            let boards = without_each_clue(&made.text, is_number, blank);
            let kept = boards.iter().filter(|text| solutions(text) == 1).count();
            assert!(kept == 0 || made.stopped, "{}", made.text);
            superfluous += kept;
        }
        assert!(superfluous > 0, "the limit never keeps a superfluous clue of {name}");
    }
}

#[test]
fn blocks_are_symmetric() {
    for symmetry in Symmetry::ALL {
        let made = made("rooks", (6, 6), 3, &MakeOptions { symmetry, ..MakeOptions::default() });
        check(&made);
        let rows: Vec<Vec<bool>> =
            made.text.lines().skip(1).map(|row| row.split(' ').map(|token| token != ".").collect()).collect();
        for row in 0..6 {
            for column in 0..6 {
                let (down, right) = (5 - row, 5 - column);
                let image = match symmetry {
                    Symmetry::None => rows[row][column],
                    Symmetry::Half => rows[down][right],
                    Symmetry::Quarter => rows[column][down],
                    Symmetry::LeftRight => rows[row][right],
                    Symmetry::TopBottom => rows[down][column],
                };
                assert_eq!(rows[row][column], image, "{symmetry:?}: {}", made.text);
            }
        }
    }
}

#[test]
fn clues_are_symmetric() {
    for name in ["slitherlink", "creek", "sudoku", "masyu"] {
        let made = made(name, (6, 6), 2, &MakeOptions { symmetry: Symmetry::Half, ..MakeOptions::default() });
        check(&made);
        let rows = made.text.lines().skip(1).map(str::split_whitespace);
        let given: Vec<bool> = rows.flatten().map(|token| token != ".").collect();
        assert!(given.contains(&true), "{}", made.text);
        assert_eq!(given, given.iter().rev().copied().collect::<Vec<_>>(), "{}", made.text);
    }
}

#[test]
fn boards_have_the_requested_difficulty() {
    for (name, effort) in [
        ("rooks", Effort::Propagation),
        ("rooks", Effort::Assumption),
        ("slitherlink", Effort::Propagation),
        ("heyawake", Effort::Propagation),
    ] {
        let made = made(name, (6, 6), 1, &MakeOptions { difficulty: Some(effort), ..MakeOptions::default() });
        let plain = board(&made.text).plain();
        let mut explainer = Explainer::new(&plain, &Config::default(), None).expect("a solver");
        let mut hardest = Effort::Propagation;
        while let Next::Step(step) = explainer.next_step().expect("a solver") {
            hardest = step.arguments.iter().map(|argument| argument.effort).fold(hardest, Effort::max);
        }
        assert_eq!(hardest, effort);
        assert_eq!(made.difficulty.map(|difficulty| difficulty.effort), Some(effort));
        assert_eq!(explainer.known().len(), plain.facts.len(), "all facts are derived");
    }
}

#[test]
fn a_limit_leaves_the_best_draft() {
    let cancel = Arc::new(AtomicBool::new(false));
    let config = Config { cancel: Some(Arc::clone(&cancel)), ..Config::default() };
    let puzzle_type = puzzle::find("nurikabe").expect("a puzzle type");
    let mut reports = Vec::new();
    let mut progress = |progress: MakeProgress| {
        reports.push(progress);
        cancel.store(true, Ordering::Relaxed);
    };
    let outcome =
        make(puzzle_type, (9, 9), 1, &MakeOptions::default(), &config, &config.limits(), &mut progress);
    let Ok(Outcome::Stopped { best: Some(BestBoard { text, differing, .. }), conflicts: None }) = outcome
    else {
        panic!("{outcome:?}")
    };
    assert_eq!(reports, [MakeProgress::Draft(differing)]);
    assert_eq!(solutions(&text), 2, "the draft has several solutions: {text}");
}

#[test]
fn a_limit_leaves_a_board_of_another_difficulty() {
    let cancel = Arc::new(AtomicBool::new(false));
    let config = Config { cancel: Some(Arc::clone(&cancel)), ..Config::default() };
    let puzzle_type = puzzle::find("nurikabe").expect("a puzzle type");
    let options = MakeOptions { difficulty: Some(Effort::Search), ..MakeOptions::default() };
    let mut discarded = Vec::new();
    let mut progress = |progress: MakeProgress| {
        if let MakeProgress::Discarded(effort) = progress {
            discarded.push(effort);
            // The last board is easier than an earlier one.
            cancel.store(discarded.last() < discarded.iter().max(), Ordering::Relaxed);
        }
    };
    let outcome = make(puzzle_type, (5, 5), 3, &options, &config, &config.limits(), &mut progress);
    let Ok(Outcome::Stopped { best: Some(best), conflicts: None }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(best.differing, 0);
    assert_eq!(solutions(&best.text), 1, "{}", best.text);
    let hardest = discarded.iter().max().expect("a board");
    assert_eq!(best.effort, *hardest);
}

#[test]
fn a_limit_leaves_a_board_whose_difficulty_is_unknown() {
    let cancel = Arc::new(AtomicBool::new(false));
    let config = Config { cancel: Some(Arc::clone(&cancel)), ..Config::default() };
    let puzzle_type = puzzle::find("rooks").expect("a puzzle type");
    let options = MakeOptions { difficulty: Some(Effort::Propagation), ..MakeOptions::default() };
    let mut cancel_at_last = |progress: MakeProgress| {
        cancel.store(progress == MakeProgress::Draft(0), Ordering::Relaxed);
    };
    let outcome = make(puzzle_type, (4, 4), 1, &options, &config, &config.limits(), &mut cancel_at_last);
    let Ok(Outcome::Made(made)) = outcome else { panic!("{outcome:?}") };
    assert!(made.stopped && made.difficulty.is_none(), "{made:?}");
    check(&made);
}

#[test]
fn an_exceeded_conflict_limit_is_a_limit() {
    let config = Config { conflicts: Some(0), ..Config::default() };
    let puzzle_type = puzzle::find("rooks").expect("a puzzle type");
    let options = MakeOptions::default();
    let outcome = make(puzzle_type, (3, 3), 1, &options, &config, &config.limits(), &mut |_| ());
    assert!(matches!(outcome, Ok(Outcome::Stopped { best: None, conflicts: Some(0) })), "{outcome:?}");
}

#[test]
fn wrong_requests_are_refused() {
    let config = Config::default();
    let error = |name: &str, size, options: &MakeOptions| {
        let puzzle_type = puzzle::find(name).expect("a puzzle type");
        make(puzzle_type, size, 1, options, &config, &config.limits(), &mut |_| ()).expect_err("an error")
    };
    let usual = MakeOptions::default();
    let half = MakeOptions { symmetry: Symmetry::Half, ..MakeOptions::default() };
    let quarter = MakeOptions { symmetry: Symmetry::Quarter, ..MakeOptions::default() };
    let pattern = Some(Pattern::new(Grid::new(3, 3, vec![true; 9])));
    let pattern = MakeOptions { pattern, ..MakeOptions::default() };
    assert!(matches!(error("rooks", (3, 3), &pattern), MakeError::Options(_)), "no generator with patterns");
    assert!(matches!(error("hashi", (4, 3), &pattern), MakeError::Options(_)), "another size");
    assert!(matches!(error("powers", (3, 3), &usual), MakeError::PuzzleType(name, _) if name == "powers"));
    assert!(matches!(error("rooks", (0, 3), &usual), MakeError::Options(_)));
    assert!(matches!(error("rooks", (3, 101), &usual), MakeError::Options(_)));
    assert!(matches!(error("nurikabe", (3, 3), &half), MakeError::Options(_)));
    assert!(matches!(error("rooks", (3, 4), &quarter), MakeError::Options(_)));
    assert!(matches!(error("rooks", (3, 3), &with("cells=all")), MakeError::PuzzleOptions(_)));
    assert!(matches!(error("numberlink", (1, 1), &usual), MakeError::NotFound(_)));
    assert!(matches!(error("numcross", (1, 1), &usual), MakeError::NotFound(_)));
}

/// Returns the number of solutions of a board, but at most 2.
fn solutions(text: &str) -> usize {
    let solver = backend::find("batsat").expect("a solver");
    let formulation = board(text).formulate(&puzzle::Query::Count);
    let session = gordian::search::Session::new(&formulation.model, &Encodings::auto(), &solver);
    session.expect("a session").into_assignments().take(2).count()
}

#[test]
fn superfluous_clues_agree_with_brute_force() {
    let config = Config::default();
    let mut random = fastrand::Rng::with_seed(5);
    let mut statuses = [0; 3];
    let mut sizes = std::collections::BTreeSet::new();
    for round in 0..400 {
        let (name, tokens, blank) = [
            ("rooks", &[".", ".", ".", "#", "0", "1", "2"][..], "#"),
            ("nurikabe", &[".", ".", ".", ".", "?", "1", "2", "3"][..], "?"),
        ][round % 2];
        let (rows, columns) = (random.usize(2..=3), random.usize(2..=4));
        let cells: Vec<&str> = (0..rows * columns).map(|_| tokens[random.usize(..tokens.len())]).collect();
        let text = |cells: &[&str]| {
            let rows: Vec<String> = cells.chunks(columns).map(|row| row.join(" ")).collect();
            format!("{name}\n{}\n", rows.join("\n"))
        };
        let about = text(&cells);
        let found = clues(&*board(&about), &config, &config.limits()).expect("clues");
        let number = solutions(&about);
        statuses[number] += 1;
        let given: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell].parse::<u8>().is_ok()).collect();
        match found {
            Clues::NoSolution => assert_eq!(number, 0, "{about}"),
            Clues::Unique(Superfluous { clues, alone, together, largest, board, stopped }) => {
                assert_eq!((number, clues), (1, given.len()), "{about}");
                let without = |left_out: &[usize]| {
                    let token = |cell: usize| if left_out.contains(&cell) { blank } else { cells[cell] };
                    text(&(0..cells.len()).map(token).collect::<Vec<_>>())
                };
                let subset = |bits: usize| -> Vec<usize> {
                    (0..given.len()).filter(|bit| bits >> bit & 1 == 1).map(|bit| given[bit]).collect()
                };
                let unique = |bits: &usize| solutions(&without(&subset(*bits))) == 1;
                let most = (0..1 << given.len()).filter(unique).map(usize::count_ones).max();
                assert!(largest && !stopped, "{about}");
                assert_eq!(most, Some(together.len() as u32), "{about}");
                let single = given.iter().filter(|&&cell| solutions(&without(&[cell])) == 1).count();
                assert_eq!(alone.len(), single, "{about}");
                assert_eq!(solutions(&board), 1, "{board}");
                sizes.insert(together.len());
            }
            Clues::Several(Additions { clues, stopped }) => {
                assert!(number == 2 && !stopped, "{about}");
                let most = if name == "rooks" { 4 } else { cells.len() };
                let least = usize::from(name == "nurikabe");
                let mut expected = Vec::new();
                for cell in (0..cells.len()).filter(|&cell| cells[cell] == blank) {
                    for clue in (least..=most).map(|clue| clue.to_string()) {
                        let mut cells = cells.clone();
                        cells[cell] = &clue;
                        if solutions(&text(&cells)) == 1 {
                            expected.push((cell, clue));
                        }
                    }
                }
                let cells = |FurtherClue { cell, token, .. }: FurtherClue| {
                    let place = cell.expect("a cell");
                    (place.row * columns + place.column, token)
                };
                let clues: Vec<_> = clues.into_iter().map(cells).collect();
                assert_eq!(clues, expected, "{about}");
            }
            Clues::Stopped => panic!("there is no limit"),
        }
    }
    assert!(
        statuses.iter().all(|&number| number > 20),
        "boards with 0, 1 and several solutions: {statuses:?}"
    );
    assert!(sizes.len() >= 3, "{sizes:?}");
}

/// This test hangs if no board of a default size is found in reasonable time.
#[test]
fn sheets_state_the_default_size() {
    for (name, size) in [("galaxies", (6, 6)), ("dominosa", (5, 6)), ("slitherlink", (10, 10))] {
        let puzzle_type = puzzle::find(name).expect("a puzzle type");
        assert_eq!(Generator::of(puzzle_type).expect("a generator").size, size, "{name}");
    }
}

#[test]
fn boards_of_the_default_size_are_found() {
    let tested = |puzzle_type: &PuzzleType| puzzle_type.sheet.is_none() || MADE.contains(&puzzle_type.name);
    for Generator { puzzle_type, size, .. } in generators().filter(|generator| tested(generator.puzzle_type))
    {
        let made = made(puzzle_type.name, size, 1, &MakeOptions::default());
        assert_eq!(solutions(&made.text), 1, "{}", made.text);
    }
}
