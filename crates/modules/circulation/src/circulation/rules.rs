//! The circulation rules: their text, and questions to them.

pub(super) mod engine;
pub(super) mod simulate;
pub(super) mod text;

octavo_pg::statements!(within = [simulate]);
