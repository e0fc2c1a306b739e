//! Data formats.
