use super::*;

#[test]
fn positions_count_lines_and_characters_from_one() {
    let source = Source::new("board", "aä\u{1f600}b\r\nc\n");
    let place = |offset| source.position(offset).to_string();
    assert_eq!(place(0), "1:1");
    assert_eq!(place(2), "1:2", "inside a character counts as its start");
    assert_eq!(place(7), "1:4");
    assert_eq!(place(10), "2:1");
    assert_eq!(place(12), "3:1");
    assert_eq!(place(usize::MAX), "3:1");
}

#[test]
fn messages_are_printable_whatever_the_input() {
    let source = Source::new("board", "x");
    let shown = |found: &str| InputError::new(&source, source.all(), "a clue", found).to_string();
    assert_eq!(shown("`\0\u{1b}[31m`"), "board:1:1: expected a clue, found `\\u{0}\\u{1b}[31m`");
    let long = shown(&format!("`{}`", "ä".repeat(1_000_000)));
    assert!(long.chars().count() < 300 && long.ends_with("ä`") && long.contains("ä ... ä"), "{long}");
}

#[test]
fn invalid_utf8_is_an_error() {
    let error = Source::from_bytes("board", b"ab\nc\xff\xfe".to_vec()).unwrap_err();
    assert_eq!(error.to_string(), "board:2:2: expected text in UTF-8, found the byte 0xff");
}

#[test]
fn a_byte_order_mark_is_dropped() {
    let source = Source::from_bytes("board", b"\xef\xbb\xbfab".to_vec()).unwrap();
    assert_eq!(source.text(), "ab");
}

#[test]
fn long_or_unprintable_input_is_truncated_and_escaped() {
    let source = Source::new("board", format!("{}\u{1b}[2J", "x".repeat(100)));
    assert_eq!(source.found(0).1, format!("`{}...`", "x".repeat(24)));
    assert_eq!(source.found(100).1, "`\\u{1b}`");
    assert_eq!(source.found(104).1, "the end of the file");
}
