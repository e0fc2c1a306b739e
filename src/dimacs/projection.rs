//! The variables that a formula lists for projected counting.

/// The beginnings of lines that list variables for projected counting.
pub(super) const SHOW: [&[&str]; 2] = [&["c", "p", "show"], &["c", "ind"]];

/// The variables for projected counting.
#[derive(Default)]
pub(super) struct Projection {
    variables: Vec<u32>,
    /// The greatest variable so far.
    greatest: u32,
    /// The first word that is not a number.
    wrong: Option<String>,
    /// The line and column of the wrong word or, if there is none, of the greatest variable.
    place: (u64, u64),
}

impl Projection {
    /// Adds a word of a line that lists variables, with its line and column. The word `0` ends a line.
    pub(super) fn push(&mut self, word: &str, place: (u64, u64)) {
        match word.parse() {
            _ if self.wrong.is_some() => {}
            Ok(0) => {}
            Ok(variable) => {
                if variable > self.greatest {
                    (self.greatest, self.place) = (variable, place);
                }
                // Repeated variables take no memory.
                if self.variables.len() == self.variables.capacity() {
                    self.variables.sort_unstable();
                    self.variables.dedup();
                }
                self.variables.push(variable);
            }
            Err(_) => (self.wrong, self.place) = (Some(word.to_owned()), place),
        }
    }

    /// Returns the variables in ascending order.
    ///
    /// # Errors
    /// Returns a word that is no variable up to `variables`, with its line and column.
    pub(super) fn up_to(mut self, variables: u32) -> Result<Vec<u32>, (String, (u64, u64))> {
        let too_great = || (self.greatest > variables).then(|| self.greatest.to_string());
        if let Some(word) = self.wrong.clone().or_else(too_great) {
            return Err((word, self.place));
        }
        self.variables.sort_unstable();
        self.variables.dedup();
        Ok(self.variables)
    }
}
