//! An installed PostgreSQL: where its programs are, and which version they are of.

use std::fmt;
use std::path::PathBuf;

/// The oldest major version that Octavo's SQL runs on.
pub(super) const OLDEST: u32 = 15;

/// A PostgreSQL version as its programs print it; minor is 0 for a beta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A folder that holds `postgres` and `initdb`, and their version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    pub folder: PathBuf,
    pub version: Version,
}

impl Installation {
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}
