//! The laboratory beside a running server: which of its runs may be started at the desk, and how they reach this server.

use std::path::PathBuf;

use anyhow::Result;
use octavo_engine::{Experiment, Laboratory};

use crate::config::Settings;

/// None without a folder for reports. `own` is the URL at which programs on this machine reach the server.
pub(crate) fn from_settings(settings: &Settings, own: String) -> Result<Option<Laboratory>> {
    let Some(reports) = settings.lab_reports.clone() else { return Ok(None) };
    let experiments = octavo_lab::offered_experiments()?.into_iter().map(|offer| Experiment {
        name: offer.name,
        about: offer.about,
        tests: offer.tests,
        short_seconds: offer.short_seconds,
    });
    let servers = [own].into_iter().chain(settings.lab_servers.iter().cloned());
    Ok(Some(Laboratory {
        reports,
        program: program()?,
        servers: servers.collect(),
        experiments: experiments.collect(),
    }))
}

/// This one, also when its file has been replaced by a newer one.
fn program() -> Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    Ok(if running.exists() { running } else { std::env::current_exe()? })
}
