//! What the doctor has looked at and what it has found.

use std::path::PathBuf;

use octavo_engine::Invariant;
use octavo_kernel::TenantId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// Something does not work, or will not for long.
    Problem,
    /// It works, but could be better.
    Advice,
}

/// What `--repair` does.
#[derive(Debug, Clone)]
pub(super) enum Repair {
    /// Statements, each in a transaction of its own.
    Sql(Vec<String>),
    Records(&'static Invariant),
    /// Removes the access rights of other users to a file.
    MakeFilePrivate(PathBuf),
}

#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// The part of the system that was checked, such as `disk`.
    pub part: &'static str,
    pub tenant: Option<TenantId>,
    pub level: Level,
    pub what: String,
    /// The records or names that the finding is about.
    pub cases: Vec<String>,
    pub advice: &'static str,
    pub repair: Option<Repair>,
    /// The result of the repair.
    pub repaired: Option<Result<(), String>>,
}

impl Finding {
    pub(super) fn advice(&mut self, advice: &'static str) -> &mut Finding {
        self.advice = advice;
        self
    }

    pub(super) fn cases(&mut self, cases: Vec<String>) -> &mut Finding {
        self.cases = cases;
        self
    }

    pub(super) fn for_tenant(&mut self, tenant: &TenantId) -> &mut Finding {
        self.tenant = Some(tenant.clone());
        self
    }

    pub(super) fn repair(&mut self, repair: Repair) -> &mut Finding {
        self.repair = Some(repair);
        self
    }

    pub(super) fn is_repaired(&self) -> bool {
        matches!(self.repaired, Some(Ok(())))
    }
}

#[derive(Debug, Default)]
pub(super) struct Report {
    /// The checked parts of the system, each with a short result.
    pub looked_at: Vec<(&'static str, String)>,
    pub findings: Vec<Finding>,
}

impl Report {
    pub(super) fn looked_at(&mut self, part: &'static str, seen: impl Into<String>) {
        self.looked_at.push((part, seen.into()));
    }

    pub(super) fn problem(&mut self, part: &'static str, what: impl Into<String>) -> &mut Finding {
        self.add(part, Level::Problem, what.into())
    }

    pub(super) fn hint(&mut self, part: &'static str, what: impl Into<String>) -> &mut Finding {
        self.add(part, Level::Advice, what.into())
    }

    fn add(&mut self, part: &'static str, level: Level, what: String) -> &mut Finding {
        self.findings.push(Finding {
            part,
            tenant: None,
            level,
            what,
            cases: Vec::new(),
            advice: "",
            repair: None,
            repaired: None,
        });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// The number of problems that are not repaired.
    pub(super) fn count_problems(&self) -> usize {
        let problem = |finding: &&Finding| finding.level == Level::Problem && !finding.is_repaired();
        self.findings.iter().filter(problem).count()
    }
}
