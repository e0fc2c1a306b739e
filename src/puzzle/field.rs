//! The fields of a puzzle type's solutions.

/// Describes a field of the solutions in JSON output.
#[derive(Debug)]
pub struct FieldRow {
    /// The name of the field.
    pub name: &'static str,
    /// The shape of the field's value.
    pub shape: Shape,
    /// A description of the field's value.
    pub summary: &'static str,
    /// True if the field, or the values in the description, occur only in the output of `gordian backbone`.
    pub backbone_only: bool,
    /// The words for the values of the field in facts such as `r3c4=sea`.
    pub words: Option<FactWords>,
}

/// The words that replace numbers in facts such as `r3c4=sea`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactWords {
    /// The word for the value 0.
    pub zero: &'static str,
    /// The word for all other values.
    pub other: &'static str,
}

impl FieldRow {
    /// Creates the description of a solution field.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, summary: &'static str) -> Self {
        Self { name, shape, summary, backbone_only: false, words: None }
    }

    /// Describes a field, or additional values of a field, that occur only in the output of `gordian backbone`.
    #[must_use]
    pub const fn in_backbone(name: &'static str, shape: Shape, summary: &'static str) -> Self {
        Self { name, shape, summary, backbone_only: true, words: None }
    }

    /// Sets the words for the values of the field in facts.
    #[must_use]
    pub const fn with_words(self, words: FactWords) -> Self {
        Self { words: Some(words), ..self }
    }
}

/// The shape of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One number.
    Number,
    /// A list of numbers.
    List,
    /// A list of rows; each row is a list of numbers.
    Rows,
}
