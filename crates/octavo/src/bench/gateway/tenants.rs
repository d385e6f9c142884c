//! Many tenants: how long making one takes, how long a server takes to start with them, and how much memory it holds.

use anyhow::Result;
use octavo_lab::clock;
use octavo_lab::load::Session;
use octavo_lab::statistics::Latencies;
use octavo_lab::table::{Page, format_number};
use serde_json::json;

use super::{change_modules, memory_text};
use crate::bench::library::MODULES;
use crate::bench::print_progress;
use crate::bench::server::Server;

pub(super) struct Tenants {
    names: Vec<String>,
    times: Latencies,
}

impl Tenants {
    /// Makes tenants with the modules of a desk and their reference records.
    pub(super) async fn make(count: u32, operator: &mut Session) -> Result<Tenants> {
        let mut made = Tenants { names: Vec::new(), times: Latencies::default() };
        for number in 1..=count {
            let name = format!("tenant{number}");
            let started = clock::now();
            let tenant = json!({"id": name}).to_string();
            operator.ask("POST", "/_/proxy/tenants", &tenant, 201).await?;
            change_modules(operator, &name, "enable", MODULES).await?;
            made.times.push(started.elapsed().as_micros());
            made.names.push(name);
            if number % 50 == 0 {
                print_progress(&format!("{number} of {count} tenants are made"));
            }
        }
        Ok(made)
    }

    /// `server` has just been started.
    pub(super) async fn measure(self, server: &Server, page: &mut Page) -> Result<()> {
        let at_first = memory_text(server)?;
        for name in &self.names {
            Session::new(&server.address, name, None).ask("GET", "/groups", "", 200).await?;
        }
        let [count, p50, p95, _] = self.times.to_cells();
        page.add_text(format!(
            "{count} tenants with the modules of a desk and their reference records: making one takes {p50} ms (p95 {p95} ms). With all of them \
             a server answers {} ms after its start and holds {at_first}, and {} when each tenant has been asked for its patron groups.",
            format_number(server.started_in.as_secs_f64() * 1000.0, 0),
            memory_text(server)?,
        ));
        Ok(())
    }
}
