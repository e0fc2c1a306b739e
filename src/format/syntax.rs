//! The syntaxes of boards.

/// A syntax of boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// The native [text](mod@super::text) format.
    Text,
    /// [`MiniZinc` data](super::dzn).
    Dzn,
    /// [Essence Prime parameters](super::param).
    Param,
    /// A [JSON object](super::json).
    Json,
    /// A [puzz.link address](super::pzpr).
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
