//! The log: lines on the standard error stream, for people or as JSON.

use anyhow::{Context, Result};
use tracing_subscriber::EnvFilter;

/// How lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Text,
    /// An object a line.
    Json,
}

/// `filter` says what is logged, as the setting `log` does.
pub(crate) fn to_stderr(filter: &str, format: LogFormat) -> Result<()> {
    let filter = EnvFilter::try_new(filter).context("the setting log can't be read")?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(false);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    Ok(())
}
