//! `octavo backup verify`: checks whether a backup can be restored, by restoring it into a temporary folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::embedded::Embedded;
use octavo_pg::embedded::recovery::{self, RecoveryTarget};
use octavo_pg::{Session, Statement};

use super::counts;
use super::manifest::Manifest;
use super::plan::{self, LogSegments};
use super::restore::{RecoveryEnd, Restoration};
use super::source::Source;
use crate::checks;
use crate::serve::print_line;

const POLL: Duration = Duration::from_millis(200);

/// A temporary folder that is removed when it is dropped.
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub(crate) fn create_in(parent: Option<&PathBuf>) -> Result<TemporaryFolder> {
        let parent = std::path::absolute(parent.cloned().unwrap_or_else(std::env::temp_dir))?;
        let folder = parent.join(format!("octavo-restored-{}", std::process::id()));
        super::restore::check_is_empty(&folder)?;
        Ok(TemporaryFolder(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Restores the last backup, or the last one before a moment, and checks it. Returns an error that names what is wrong.
pub(crate) async fn verify(restoring: &Restoration, work_dir: Option<&PathBuf>) -> Result<()> {
    for manifest in restoring.folder.manifests()? {
        let manifest = manifest?;
        restoring.check_files(&manifest.name)?;
        print_line(&format!("{}: every file is as its checksum says", manifest.name));
    }
    for (first, last) in missing_segments(&restoring.log) {
        let name = |number| plan::segment_name(restoring.folder.mark.timeline, number);
        print_line(&format!(
            "The log lacks {} to {}: moments in there cannot be restored",
            name(first),
            name(last)
        ));
    }
    let choice = restoring.choose_backup()?;
    let manifest = Manifest::read(&restoring.folder.backup_path(&choice.backup.name), &choice.backup.name)?;
    let beside = TemporaryFolder::create_in(work_dir)?;
    print_line(&format!("Restoring {} in {}", choice.backup.name, beside.path().display()));
    restoring.make_data_folder(&choice, beside.path())?;
    let mut wrong = compare_row_counts(restoring, &manifest, beside.path()).await?;
    let (running, reached) = restoring.recover(&choice, beside.path()).await?;
    let checked = check_database(&running, &mut wrong).await;
    running.stop().await;
    checked?;
    if reached == RecoveryEnd::LogGap {
        wrong.push("a file of the log is missing, and what was changed after it".to_owned());
    }
    for line in &wrong {
        print_line(&format!("Wrong: {line}"));
    }
    match wrong.len() {
        0 => print_line(&format!(
            "The backup is good: {} tables have the rows that they had",
            manifest.counted.rows.len()
        )),
        count => bail!("the backup is not good: {count} findings"),
    }
    Ok(())
}

/// Replays the log up to the position at which the rows were counted, counts them again, and returns the differences.
async fn compare_row_counts(
    restoring: &Restoration,
    manifest: &Manifest,
    data_dir: &Path,
) -> Result<Vec<String>> {
    let until = RecoveryTarget::Position(manifest.counted.place.to_string());
    let running = recovery::recover(restoring.options(data_dir), &until).await?;
    let source = Source::new(running.running_server());
    let compared = async {
        let mut session = wait_until_paused(&source).await?;
        let rows = counts::count_rows(&mut session).await?;
        anyhow::Ok(counts::differences(&manifest.counted.rows, &rows))
    };
    let compared = compared.await;
    source.close().await;
    running.stop().await;
    let different = compared.context("the rows cannot be counted")?;
    if !manifest.counted.exact {
        for line in &different {
            print_line(&format!("Counted while it was being changed: {line}"));
        }
        return Ok(Vec::new());
    }
    Ok(different)
}

/// Waits until PostgreSQL has replayed the log up to its recovery target and pauses there; returns a session.
async fn wait_until_paused(source: &Source) -> Result<Session> {
    loop {
        let mut session = source.session().await?;
        let state: Option<Option<String>> = session.read(Statement::new(REPLAY_PAUSE_STATE)).await?;
        if state.flatten().as_deref() == Some("paused") {
            return Ok(session);
        }
        drop(session);
        tokio::time::sleep(POLL).await;
    }
}

async fn check_database(running: &Embedded, wrong: &mut Vec<String>) -> Result<()> {
    let source = Source::new(running.running_server());
    let checked = async {
        let mut session = source.session().await?;
        wrong.extend(checks::find_dangling_references(&mut session).await?);
        // Contradictions between the library's records existed before the backup. They are printed, but are no error of the backup.
        for line in checks::find_contradictions(&mut session).await? {
            print_line(&format!("The library contradicts itself, which octavo doctor tells more of: {line}"));
        }
        match checks::find_damaged_indexes(&mut session).await? {
            Some(damaged) => wrong.extend(damaged),
            None => print_line("PostgreSQL's amcheck is not installed: indexes were not checked"),
        }
        anyhow::Ok(())
    };
    let checked = checked.await;
    source.close().await;
    checked
}

/// The first and the last number of each run of missing log files.
fn missing_segments(log: &LogSegments) -> Vec<(u64, u64)> {
    log.keys()
        .zip(log.keys().skip(1))
        .filter(|(one, next)| *one + 1 < **next)
        .map(|(one, next)| (one + 1, next - 1))
        .collect()
}

const REPLAY_PAUSE_STATE: &str = "select pg_get_wal_replay_pause_state()";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lacks_between_files_is_named() {
        let log: LogSegments = [3, 4, 7, 9].into_iter().map(|number| (number, false)).collect();
        assert_eq!(missing_segments(&log), [(5, 6), (8, 8)]);
        assert_eq!(missing_segments(&LogSegments::new()), []);
    }
}
