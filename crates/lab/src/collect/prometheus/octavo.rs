//! The figures that Octavo reports about its modules (`docs/metrics.md`): their requests, and what those took.

use std::collections::{BTreeMap, BTreeSet};

use super::text::Sample;
use crate::collect::found::ModuleUse;
use crate::collect::lines::CollectorSeries;

/// The counters of each module at the first and at the last reading.
#[derive(Default)]
pub(super) struct ModuleCounters {
    first: Option<BTreeMap<String, ModuleUse>>,
    last: BTreeMap<String, ModuleUse>,
    last_reading_seconds: f64,
    /// Modules that answered a request in this run.
    active_modules: BTreeSet<String>,
}

impl ModuleCounters {
    pub(super) fn add(&mut self, lines: &mut CollectorSeries, seconds: Option<f64>, values: &[Sample<'_>]) {
        let now = counters_by_module(values);
        if let Some(seconds) = seconds {
            let passed = seconds - self.last_reading_seconds;
            for (name, module) in now.iter().filter(|_| passed > 0.0) {
                let grown = module.growth_since(self.last.get(name));
                if grown.requests > 0.0 {
                    self.active_modules.insert(name.clone());
                }
                if self.active_modules.contains(name) {
                    lines.add(name, ("requests", "1/s"), seconds, grown.requests / passed);
                    lines.add(name, ("busy", "cores"), seconds, grown.busy_seconds / passed);
                }
                if grown.requests > 0.0 {
                    lines.add(
                        name,
                        ("time of a request", "ms"),
                        seconds,
                        1000.0 * grown.seconds / grown.requests,
                    );
                }
            }
            self.last_reading_seconds = seconds;
        }
        self.first.get_or_insert_with(|| now.clone());
        self.last = now;
    }

    /// The growth of each module's counters in the run, the module that worked most first. If the server was restarted during the run, the
    /// counters count from the restart.
    pub(super) fn into_module_uses(self) -> Vec<ModuleUse> {
        let first = self.first.unwrap_or_default();
        let mut uses: Vec<ModuleUse> =
            self.last.iter().map(|(name, module)| module.growth_since(first.get(name))).collect();
        uses.retain(|module| module.requests > 0.0);
        uses.sort_by(|one, other| other.busy_seconds.total_cmp(&one.busy_seconds));
        uses
    }
}

impl ModuleUse {
    fn growth_since(&self, before: Option<&ModuleUse>) -> ModuleUse {
        let Some(before) = before.filter(|before| before.requests <= self.requests) else {
            return self.clone();
        };
        grown!(self, before; requests, failed, busy_seconds, seconds, database_seconds, round_trips, statements, rows,
            unindexed, retries)
    }
}

fn counters_by_module(values: &[Sample<'_>]) -> BTreeMap<String, ModuleUse> {
    let mut modules: BTreeMap<String, ModuleUse> = BTreeMap::new();
    for value in values.iter().filter(|value| value.name.starts_with("octavo_")) {
        let Some(name) = value.label("module") else { continue };
        let module = modules.entry(name.to_owned()).or_default();
        name.clone_into(&mut module.name);
        let field = match value.name {
            "octavo_requests_total" => {
                if value.label("status") == Some("5xx") {
                    module.failed += value.value;
                }
                &mut module.requests
            }
            "octavo_request_busy_seconds_total" => &mut module.busy_seconds,
            "octavo_request_duration_seconds_sum" => &mut module.seconds,
            "octavo_database_seconds_total" => &mut module.database_seconds,
            "octavo_round_trips_total" => &mut module.round_trips,
            "octavo_statements_total" => &mut module.statements,
            "octavo_rows_total" => &mut module.rows,
            "octavo_unindexed_fields_total" => &mut module.unindexed,
            "octavo_retries_total" => &mut module.retries,
            _ => continue,
        };
        *field += value.value;
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::super::text::parse;
    use super::*;

    #[test]
    fn what_a_run_took_is_the_difference_of_its_ends() {
        let page = |requests: f64, busy: f64| {
            format!(
                "octavo_requests_total{{module=\"mod-users\",status=\"2xx\"}} {requests}\n\
                 octavo_requests_total{{module=\"mod-users\",status=\"5xx\"}} 1\n\
                 octavo_request_busy_seconds_total{{module=\"mod-users\"}} {busy}\n\
                 octavo_requests_total{{module=\"mod-notes\",status=\"2xx\"}} 4\n"
            )
        };
        let (mut modules, mut lines) = (ModuleCounters::default(), CollectorSeries::new("octavo"));
        for (seconds, requests, busy) in
            [(None, 100.0, 1.0), (Some(5.0), 150.0, 2.0), (Some(10.0), 300.0, 6.0)]
        {
            modules.add(&mut lines, seconds, &parse(&page(requests, busy)));
        }
        let uses = modules.into_module_uses();
        assert_eq!(uses.len(), 1, "modules that were not asked are not shown: {uses:?}");
        assert_eq!((uses[0].requests, uses[0].failed, uses[0].busy_seconds), (200.0, 0.0, 5.0));
        let series = lines.finish().0;
        let busy =
            series.iter().find(|series| series.subject == "mod-users" && series.measure == "busy").unwrap();
        assert_eq!(busy.points, [(5.0, 0.2), (10.0, 0.8)]);
    }
}
