//! The syntaxes of boards.

/// A syntax of boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native text format.
    Text,
    /// `MiniZinc` data (dzn).
    Dzn,
    /// Essence Prime parameters.
    Param,
    /// A JSON object.
    Json,
    /// A puzz.link address.
    Address,
}

impl Syntax {
    /// The name of the syntax.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Dzn => "dzn",
            Self::Param => "param",
            Self::Json => "json",
            Self::Address => "puzz.link address",
        }
    }

    /// The syntax of a file by the extension of its name; `None` if that belongs to no syntax.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "txt" => Some(Self::Text),
            "dzn" => Some(Self::Dzn),
            "param" => Some(Self::Param),
            "json" => Some(Self::Json),
            "url" => Some(Self::Address),
            _ => None,
        }
    }
}
