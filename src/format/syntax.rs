//! The syntaxes in which boards are written.

/// A syntax in which boards are written.
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
    /// Returns the name of the syntax.
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

    /// Returns the syntax that belongs to the extension of a file name, or `None` if the extension is unknown.
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
