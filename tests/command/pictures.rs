//! Tests that pictures are well-formed and show the solution, and that the solution is printed even if the picture
//! can't be written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::{boards, gordian, stderr, stdout};
use roxmltree::Document;
use serde_json::Value;

/// A temporary directory.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }
}

/// A picture that was read from a file.
struct Picture(String);

impl Picture {
    fn at(path: impl AsRef<Path>) -> Self {
        Self(std::fs::read_to_string(path).expect("a picture"))
    }

    /// Returns the number of elements with the given class. Fails if the picture is not well-formed.
    fn count(&self, class: &str) -> usize {
        let document = Document::parse(&self.0).unwrap_or_else(|error| panic!("{error}\n{}", self.0));
        let has = |classes: &str| classes.split(' ').any(|other| other == class);
        document.descendants().filter(|node| node.attribute("class").is_some_and(has)).count()
    }

    /// Returns all texts in the picture.
    fn texts(&self) -> Vec<String> {
        let document = Document::parse(&self.0).unwrap_or_else(|error| panic!("{error}\n{}", self.0));
        let texts =
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
        let all = |text: roxmltree::Node<'_, '_>| {
            text.descendants()
                .filter(roxmltree::Node::is_text)
                .filter_map(|node| node.text())
                .collect::<String>()
        };
        texts.map(all).collect()
    }

    fn has_text(&self, text: &str) -> bool {
        self.texts().iter().any(|other| other.trim() == text)
    }

    /// Asserts that all elements are within the picture.
    fn assert_within(&self) {
        let document = Document::parse(&self.0).expect("XML");
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| {
            node.attribute(name).map_or(0.0, |number| number.parse::<f64>().expect("a number"))
        };
        let root = document.root_element();
        let (width, height) = (number(&root, "width"), number(&root, "height"));
        assert!(width > 0.0 && height > 0.0);
        for group in
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "g")))
        {
            let shift = group.attribute("transform").expect("a place").to_owned();
            let shift: Vec<f64> = shift
                .trim_start_matches("translate(")
                .trim_end_matches(')')
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect();
            for node in group.descendants() {
                let (x, y) = match node.tag_name().name() {
                    "circle" => {
                        (number(&node, "cx") + number(&node, "r"), number(&node, "cy") + number(&node, "r"))
                    }
                    "rect" => (
                        number(&node, "x") + number(&node, "width"),
                        number(&node, "y") + number(&node, "height"),
                    ),
                    "text" => (number(&node, "x"), number(&node, "y")),
                    _ => continue,
                };
                assert!(
                    x + shift[0] <= width && y + shift[1] <= height,
                    "{x} {y} is not within {width} {height}"
                );
            }
        }
    }
}

fn grid(solution: &Value) -> Vec<i64> {
    let rows = solution["grid"].as_array().expect("rows");
    rows.iter()
        .flat_map(|row| row.as_array().expect("a row"))
        .map(|cell| cell.as_i64().expect("a number"))
        .collect()
}

/// Asserts that the picture shows the solution.
fn shows(puzzle_type: &str, path: &str, solution: &Value, picture: &Picture) {
    let cells = |value: fn(i64) -> bool| grid(solution).into_iter().filter(|&cell| value(cell)).count();
    match puzzle_type {
        "rooks" => {
            assert_eq!(picture.count("rook"), cells(|cell| cell == 1), "{path}");
            let free = picture.count("seen");
            assert_eq!(free + picture.count("block"), grid(solution).len(), "every square is seen: {path}");
        }
        "nurikabe" => {
            assert_eq!(picture.count("sea"), cells(|cell| cell == 0), "{path}");
            assert_eq!(picture.count("land"), cells(|cell| cell != 0), "{path}");
        }
        "numberlink" | "amaze" => {
            let numbers: BTreeSet<i64> = grid(solution).into_iter().filter(|&cell| cell != 0).collect();
            assert_eq!(picture.count("path"), numbers.len(), "{path}");
            assert_eq!(picture.count("end"), 2 * numbers.len(), "{path}");
        }
        "numcross" => {
            assert_eq!(picture.count("block"), cells(|cell| cell == 0), "{path}");
            let entries = |name: &str| {
                solution[name].as_array().expect("entries").iter().map(|entry| entry[0].as_i64())
            };
            let numbers: BTreeSet<_> = entries("across").chain(entries("down")).collect();
            assert_eq!(picture.count("corner"), numbers.len(), "{path}");
            let digits = picture.texts().iter().filter(|text| text.len() == 1).count();
            assert!(digits >= cells(|cell| cell != 0), "{path}");
        }
        "labyrinth" => {
            let path_length = solution["path"].as_array().expect("a path").len();
            assert_eq!(picture.count("taken"), path_length - 1, "{path}");
            assert_eq!(picture.count("mark"), path_length - 2, "{path}");
        }
        "magic-triangle" | "max-triangle" => {
            assert_eq!(picture.count("node"), 9);
            let digits: BTreeSet<String> =
                picture.texts().into_iter().filter(|text| text.len() == 1).collect();
            assert_eq!(digits.len(), 9, "{path}: {digits:?}");
            assert_eq!(picture.count("cost"), 3, "a sum for each side: {path}");
        }
        _ => {
            // Long numbers are split over several lines.
            let all: String = picture.texts().concat();
            for value in solution.as_object().expect("an object").values() {
                let numbers = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                for number in numbers {
                    let number = number.as_str().map_or_else(|| number.to_string(), ToOwned::to_owned);
                    assert!(all.contains(&number), "{path}: {number} in {all}");
                }
            }
        }
    }
}

#[test]
fn every_board_is_drawn_with_its_solution() {
    let directory = Folder::new();
    let file = directory.file("solution.svg");
    let mut puzzle_types = BTreeSet::new();
    for (puzzle_type, path) in boards() {
        let output = gordian(&["solve", &path, "--puzzle", &puzzle_type, "--json", "--svg", &file], "");
        let json: Value =
            serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", stderr(&output)));
        let picture = Picture::at(&file);
        picture.assert_within();
        match json.get("solution") {
            Some(solution) => {
                puzzle_types.insert(puzzle_type.clone());
                shows(&puzzle_type, &path, solution, &picture);
            }
            None => assert!(picture.has_text("no solution"), "{path}"),
        }
        let output = gordian(&["show", &path, "--puzzle", &puzzle_type, "--svg", &file], "");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""), "{}", stderr(&output));
        let board = Picture::at(&file);
        board.assert_within();
        for class in ["rook", "sea", "taken", "path", "mark"] {
            assert_eq!(board.count(class), 0, "{class} on the board {path} alone");
        }
        std::fs::remove_file(&file).expect("it was written");
    }
    let all: BTreeSet<String> = boards().into_iter().map(|(puzzle_type, _)| puzzle_type).collect();
    assert_eq!(puzzle_types, all);
}

#[test]
fn two_solutions_are_shown_side_by_side_with_differences() {
    let directory = Folder::new();
    let file = directory.file("two.svg");
    let output = gordian(&["solve", "-", "--unique", "--json", "--svg", &file], "rooks\n. .\n. .\n");
    let json: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(json["unique"], Value::Bool(false));
    let (first, second) = (grid(&json["solution"]), grid(&json["other"]));
    let differing = first.iter().zip(&second).filter(|(a, b)| a != b).count();
    let picture = Picture::at(&file);
    assert!(differing > 0);
    assert_eq!(picture.count("differs"), 2 * differing);
    assert_eq!(picture.count("frame"), 2);
    assert!(picture.has_text("a solution") && picture.has_text("another solution; differences are marked"));
}

#[test]
fn violations_are_marked() {
    let directory = Folder::new();
    let (board, file) = (directory.file("board.txt"), directory.file("wrong.svg"));
    std::fs::write(&board, "rooks\n. . .\n. . #\n").expect("a board");
    let output = gordian(&["check", &board, "-", "--svg", &file], "R . R\n. . #\n");
    assert_eq!(stdout(&output), "wrong: two rooks attack each other at r1c1 r1c3\n");
    assert_eq!(output.status.code(), Some(1));
    let picture = Picture::at(&file);
    assert_eq!((picture.count("wrong"), picture.count("rook")), (2, 2));
    assert!(picture.has_text("wrong: two rooks attack each other"));
    let output = gordian(&["check", &board, "-", "--svg", &file], ". . R\n. R #\n");
    assert_eq!(stdout(&output), "correct\n");
    let picture = Picture::at(&file);
    assert_eq!((picture.count("wrong"), picture.count("rook")), (0, 2));
    assert!(picture.has_text("correct"));
}

#[test]
fn names_and_texts_are_escaped() {
    let directory = Folder::new();
    let (board, file) = (directory.file("a<b>&\"c\".txt"), directory.file("picture.svg"));
    std::fs::write(&board, "rooks\n.\n").expect("a board");
    let output = gordian(&["solve", &board, "--svg", &file], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let picture = Picture::at(&file);
    let document = Document::parse(&picture.0).expect("XML");
    let title =
        document.descendants().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    assert_eq!(title.and_then(|title| title.text()), Some(format!("rooks: {board}").as_str()));
}

#[test]
fn several_solutions_need_a_directory() {
    let directory = Folder::new();
    let pictures = directory.file("new/pictures/");
    let text = "rooks\n. .\n. .\n";
    let output = gordian(&["solve", "-", "--all", "--svg", &pictures], text);
    assert!(stdout(&output).ends_with("\n2\n"), "{}", stdout(&output));
    let mut names: Vec<String> = std::fs::read_dir(&pictures)
        .expect("the directory")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert_eq!(names, ["board-1.svg", "board-2.svg"]);
    for name in names {
        assert_eq!(Picture::at(PathBuf::from(&pictures).join(name)).count("rook"), 2);
    }
    let one = directory.file("one.svg");
    let output = gordian(&["solve", "-", "--all", "--svg", &one], text);
    assert!(stderr(&output).contains("several solutions need a directory"), "{}", stderr(&output));
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    for arguments in [&["--count", "--svg", &one][..], &["--svg", "-"]] {
        let output = gordian(&[&["solve", "-"], arguments].concat(), text);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{arguments:?}");
    }
}

#[test]
fn the_picture_in_the_readme_is_up_to_date() {
    let directory = Folder::new();
    let file = directory.file("solution.svg");
    let output = gordian(&["solve", "instances/nurikabe/generated-10x10.txt", "--svg", &file], "");
    assert_eq!(output.status.code(), Some(0));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(Picture::at(&file).0, Picture::at(root.join("docs/nurikabe.svg")).0);
}

#[test]
fn several_boards_need_a_directory() {
    let directory = Folder::new();
    let (boards, pictures) = (directory.file("boards"), directory.file("pictures"));
    for name in ["a", "b"] {
        std::fs::create_dir_all(format!("{boards}/{name}")).expect("a directory");
        // The two board files have the same name in different directories.
        std::fs::write(format!("{boards}/{name}/board.txt"), "rooks\n. #\n").expect("a board");
    }
    let output = gordian(&["solve", &boards, "--svg", &pictures], "");
    assert!(stderr(&output).contains("several boards need a directory"), "{}", stderr(&output));
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    let output = gordian(&["solve", &boards, "--jobs", "2", "--json", "--svg", &format!("{pictures}/")], "");
    assert_eq!((output.status.code(), stdout(&output).lines().count()), (Some(0), 2), "{}", stderr(&output));
    for name in ["1-board.svg", "2-board.svg"] {
        assert_eq!(Picture::at(PathBuf::from(&pictures).join(name)).count("rook"), 1);
    }
}

#[test]
fn a_picture_may_be_written_to_standard_output() {
    let output = gordian(&["show", "-", "--svg", "-"], "nurikabe\n. 2\n");
    assert_eq!(Picture(stdout(&output)).count("given"), 1);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_failed_write_loses_no_solution() {
    let directory = Folder::new();
    let missing = directory.file("no/such/directory.svg");
    let mut places = vec![(missing.as_str(), "No such file or directory")];
    if cfg!(target_os = "linux") {
        places.push(("/dev/full", "No space left on device"));
    }
    for (place, message) in places {
        for json in [&[][..], &["--json"]] {
            let output = gordian(&[&["solve", "-", "--svg", place], json].concat(), "rooks\n.\n");
            let solution = stdout(&output);
            if json.is_empty() {
                assert_eq!(solution, "R\n");
            } else {
                assert!(solution.contains("\"solution\":{\"grid\":[[1]]}"), "{solution}");
                assert_eq!(solution.lines().count(), 1, "one line for the board");
            }
            let error = stderr(&output);
            assert!(error.contains(&format!("gordian: {place}: {message}")), "{error}");
            assert_eq!(output.status.code(), Some(2), "{error}");
        }
        let output = gordian(&["show", "-", "--svg", place], "rooks\n.\n");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    }
    // Pictures of several solutions need a directory, but the given path is a file.
    let file = directory.file("file");
    std::fs::write(&file, "").expect("a file");
    let output = gordian(&["solve", "-", "--all", "--svg", &format!("{file}/")], "rooks\n. .\n. .\n");
    assert!(stdout(&output).starts_with("R .\n. R\n") || stdout(&output).starts_with(". R\nR .\n"));
    assert!(stderr(&output).contains(&format!("gordian: {file}/: ")), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn show_shows_boards_and_solutions() {
    let directory = Folder::new();
    let board = directory.file("board.txt");
    std::fs::write(&board, "nurikabe\n. 2\n. .\n").expect("a board");
    assert_eq!(stdout(&gordian(&["show", &board], "")), ". 2\n. .\n");
    let solution = "2 2\n0 0\n";
    assert_eq!(stdout(&gordian(&["show", &board, "--solution", "-"], solution)), solution);
    assert_eq!(stdout(&gordian(&["show", &board, "--solution", "-"], "{\"grid\": [[2,2],[0,0]]}")), solution);
}

#[test]
fn heat_maps_show_the_counts_of_values() {
    let folder = Folder::new();
    let draw = |board: &str| {
        let file = folder.file("heat.svg");
        let output = gordian(&["backbone", "-", "--counts", "--svg", &file], board);
        assert!(output.status.success(), "{}", stderr(&output));
        Picture::at(&file)
    };
    // The board has 4 solutions. Each of the squares r1c1, r1c2 and r2c3 has a rook in 2 of these solutions, and each
    // other square in 1.
    let rooks = draw("rooks\n. . #\n. . .\n");
    assert_eq!(rooks.count("heat"), 5);
    assert_eq!(["50", "25"].map(|share| rooks.texts().iter().filter(|text| *text == share).count()), [3, 2]);
    // The start and the target are on all paths.
    let labyrinth =
        draw("labyrinth\nn = 4\nstart = 1\ntarget = 4\ngraph = [| 1, 2 | 2, 4 | 1, 3 | 3, 4 |]\n");
    assert_eq!(labyrinth.count("heat"), 2);
    // Each position is shaded by the share of its most frequent digit.
    let triangle = draw("magic-triangle\n");
    assert_eq!(triangle.count("heat"), 9);
    // The numbers and the lines have separate heat maps.
    let numberlink = draw("numberlink\n1 . 1\n. . .\n");
    assert_eq!(numberlink.count("frame"), 2);
    assert!(numberlink.has_text("grid: share of solutions in which the value is not 0"));
    assert!(numberlink.has_text("lines: share of solutions in which the value is the most frequent value"));
    // A model has a table instead of a board.
    let model = draw("var 1..3: x :: output_var;\nvar 1..3: y;\nconstraint int_lt(x, y);\nsolve satisfy;\n");
    assert!(model.has_text("2 solutions") && model.has_text("x  1  1  50.0 %"), "{:?}", model.texts());
}
