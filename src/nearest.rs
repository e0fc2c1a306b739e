//! Which name somebody who mistyped it had in mind.

/// The name that `given` is most likely meant to be, if any is near.
pub(crate) fn nearest<'a>(given: &str, names: &[&'a str]) -> Option<&'a str> {
    let near = (given.chars().count() / 3).clamp(1, 3);
    let distances = names.iter().filter_map(|&name| Some((edit_distance(given, name, near)?, name)));
    distances.min_by_key(|&(distance, _)| distance).map(|(_, name)| name)
}

/// The end of a message about a wrong name that tells the one most likely meant; nothing if none is near.
pub(crate) fn did_you_mean(given: &str, names: &[&str]) -> String {
    nearest(given, names).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// The number of characters to insert, delete or replace (Levenshtein), if it is at most `most`.
fn edit_distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    if a.chars().count().abs_diff(b.chars().count()) > most {
        return None;
    }
    let b: Vec<char> = b.chars().collect();
    // One row of the table: the distance from the prefix of `a` read so far to each prefix of `b`.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (length, from) in (1..).zip(a.chars()) {
        let mut next = vec![length];
        let mut left = length;
        for ((&to, &diagonal), &above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            left = (left + 1).min(above + 1).min(diagonal + usize::from(from != to));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().filter(|&distance| distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        let names = ["input_grid", "length", "init"];
        assert_eq!(nearest("input-grid", &names), Some("input_grid"));
        assert_eq!(nearest("lenght", &names), Some("length"));
        assert_eq!(nearest("Init", &names), Some("init"));
        assert_eq!(nearest("inits", &names), Some("init"));
        assert_eq!(nearest("graph", &names), None);
        assert_eq!(nearest("", &names), None);
        assert_eq!(nearest("x", &["n"]), Some("n"));
    }
}
