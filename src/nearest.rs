//! Suggestions for misspelt names.

/// Returns the name with the smallest Levenshtein distance to `given`, ignoring case. Returns `None` if this distance
/// exceeds a limit: a third of the length of `given`, but at least 1 and at most 3.
pub(crate) fn nearest<'a>(given: &str, names: &[&'a str]) -> Option<&'a str> {
    similar(given, names).first().copied()
}

/// Returns the names whose distance does not exceed the limit of [`nearest`], starting with the nearest.
pub(crate) fn similar<'a>(given: &str, names: &[&'a str]) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let length = given.chars().count();
    let most = (length / 3).clamp(1, 3);
    // Computing a distance takes quadratic time, so names whose lengths differ too much are skipped first.
    let similar = names.iter().filter(|name| name.chars().count().abs_diff(length) <= most);
    let distances = similar.map(|&name| (strsim::levenshtein(&given, &name.to_lowercase()), name));
    let mut near: Vec<(usize, &str)> = distances.filter(|&(distance, _)| distance <= most).collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Returns the end of an error message about an unknown name: a suggestion, or an empty string if no name is similar.
pub(crate) fn did_you_mean(given: &str, names: &[&str]) -> String {
    nearest(given, names).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// Returns a list of names for a message: the first ten, and how many others there are.
#[cfg(feature = "puzzles")]
pub(crate) fn some_of(names: &[&str]) -> String {
    match names.split_at_checked(10) {
        Some((first, others)) if others.len() > 1 => {
            format!("{} and {} others", first.join(", "), others.len())
        }
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
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
