//! The input syntaxes for boards.

/// An input syntax for boards.
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
    /// FlatZinc.
    #[cfg(feature = "flatzinc")]
    FlatZinc,
    /// FlatZinc in JSON.
    #[cfg(feature = "flatzinc")]
    FlatZincJson,
    /// XCSP3.
    #[cfg(feature = "flatzinc")]
    Xcsp3,
    /// OPB or WBO: pseudo-Boolean formulas.
    #[cfg(feature = "flatzinc")]
    Opb,
    /// DIMACS CNF.
    #[cfg(feature = "flatzinc")]
    Cnf,
    /// KNF: CNF with cardinality constraints.
    #[cfg(feature = "flatzinc")]
    Knf,
    /// WCNF: CNF with soft clauses.
    #[cfg(feature = "flatzinc")]
    Wcnf,
}

/// The extensions of compressed files.
const COMPRESSED: &[&str] = &[".gz", ".xz", ".bz2", ".lzma"];

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
            #[cfg(feature = "flatzinc")]
            Self::FlatZinc => "FlatZinc",
            #[cfg(feature = "flatzinc")]
            Self::FlatZincJson => "FlatZinc JSON",
            #[cfg(feature = "flatzinc")]
            Self::Xcsp3 => "XCSP3",
            #[cfg(feature = "flatzinc")]
            Self::Opb => "OPB",
            #[cfg(feature = "flatzinc")]
            Self::Cnf => "CNF",
            #[cfg(feature = "flatzinc")]
            Self::Knf => "KNF",
            #[cfg(feature = "flatzinc")]
            Self::Wcnf => "WCNF",
        }
    }

    /// Returns whether the syntax is one of constraint models.
    #[must_use]
    pub fn is_model(self) -> bool {
        match self {
            Self::Text | Self::Dzn | Self::Param | Self::Json | Self::Address => false,
            #[cfg(feature = "flatzinc")]
            Self::FlatZinc
            | Self::FlatZincJson
            | Self::Xcsp3
            | Self::Opb
            | Self::Cnf
            | Self::Knf
            | Self::Wcnf => true,
        }
    }

    /// Returns the syntax for the extension of a file name, or `None` if the extension is unknown.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        // A compressed file has two extensions, for example `.json.gz`. The first one selects the syntax.
        let compressed = COMPRESSED.iter().find_map(|extension| name.strip_suffix(extension));
        let name = compressed.unwrap_or(&name);
        #[cfg(feature = "flatzinc")]
        if name.ends_with(".fzn.json") {
            return Some(Self::FlatZincJson);
        }
        let (_, extension) = name.rsplit_once('.')?;
        match extension {
            #[cfg(feature = "flatzinc")]
            "fzn" => Some(Self::FlatZinc),
            #[cfg(feature = "flatzinc")]
            "xml" => Some(Self::Xcsp3),
            #[cfg(feature = "flatzinc")]
            "opb" | "wbo" => Some(Self::Opb),
            #[cfg(feature = "flatzinc")]
            "cnf" => Some(Self::Cnf),
            #[cfg(feature = "flatzinc")]
            "knf" => Some(Self::Knf),
            #[cfg(feature = "flatzinc")]
            "wcnf" => Some(Self::Wcnf),
            "txt" => Some(Self::Text),
            "dzn" => Some(Self::Dzn),
            "param" => Some(Self::Param),
            "json" => Some(Self::Json),
            "url" => Some(Self::Address),
            _ => None,
        }
    }
}
