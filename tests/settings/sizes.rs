//! Large domains, whose sizes are near the limits at which the choice of encodings and views changes.

use gordian_encodings::{Domain, Value};

/// The limits. For two variables, the number of pairs of values is relevant, so there are also square roots of limits.
const LIMITS: [Value; 17] = [
    7,
    50,
    71,
    141,
    224,
    447,
    1_000,
    1_024,
    5_000,
    10_000,
    20_000,
    1 << 16,
    200_000,
    1 << 20,
    7_000_000,
    1 << 36,
    1 << 62,
];

/// In models with larger domains than this, `auto` chooses the encodings.
pub(crate) const MANY: u128 = 2_000;

/// Returns an interval that contains the values. Its size differs by at most 1 from a limit up to `most`, unless the values
/// are farther apart.
pub(crate) fn wider(values: &[Value], most: Value, random: &mut fastrand::Rng) -> Domain {
    let (Some(&least), Some(&greatest)) = (values.iter().min(), values.iter().max()) else {
        return Domain::from_values([]);
    };
    let limits = LIMITS.iter().filter(|&&limit| limit <= most).count();
    let size = LIMITS[random.usize(..limits)] + random.i128(-1..=1);
    let further = (size - (greatest - least + 1)).max(0);
    let below = [0, further, random.i128(0..=further)][random.usize(..3)];
    Domain::interval(least - below, greatest + further - below)
}
