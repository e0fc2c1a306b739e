//! Draws a quarter of the cases of tests that take minutes with all cases. Also a module of the tests in `src/`.

/// Returns whether tests check all cases: the variable `GORDIAN_TEST_ALL` is set, as by `.ci/run --all`.
pub(crate) fn tests_all() -> bool {
    std::env::var_os("GORDIAN_TEST_ALL").is_some()
}

/// Returns every fourth case, beginning with one of the first four, or all cases if [`tests_all`]. `PROPTEST_RNG_SEED`
/// determines the first one; without this variable, it is random. So the messages of the test must name the case.
pub(crate) fn drawn<T>(cases: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    let step = if tests_all() { 1 } else { 4 };
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse::<u64>().ok());
    let first = seed.unwrap_or_else(|| fastrand::u64(..)) % step;
    cases.into_iter().skip(first as usize).step_by(step as usize)
}
