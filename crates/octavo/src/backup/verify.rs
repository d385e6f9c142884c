//! `octavo backup verify`: whether a backup can be restored, by restoring it beside.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use octavo_pg::embedded::Embedded;
use octavo_pg::embedded::recovery::{self, Until};
use octavo_pg::{Session, Statement};

use super::counts;
use super::manifest::Manifest;
use super::plan::{self, Log};
use super::restore::{Reached, Restoring};
use super::source::Source;
use crate::checks;
use crate::serve::say;

const POLL: Duration = Duration::from_millis(200);

/// A folder that is removed when it is no longer needed.
pub(crate) struct Beside(PathBuf);

impl Beside {
    pub(crate) fn under(parent: Option<&PathBuf>) -> Result<Beside> {
        let parent = std::path::absolute(parent.cloned().unwrap_or_else(std::env::temp_dir))?;
        let folder = parent.join(format!("octavo-restored-{}", std::process::id()));
        super::restore::is_free(&folder)?;
        Ok(Beside(folder))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Restores the last backup, or the one before a moment, and checks it. What is wrong is an error.
pub(crate) async fn verify(restoring: &Restoring, work_dir: Option<&PathBuf>) -> Result<()> {
    for manifest in restoring.folder.wholes()? {
        let manifest = manifest?;
        restoring.check(&manifest.name)?;
        say(&format!("{}: every file is as its checksum says", manifest.name));
    }
    for (first, last) in gaps(&restoring.log) {
        let name = |number| plan::segment_name(restoring.folder.mark.timeline, number);
        say(&format!("The log lacks {} to {}: moments in there cannot be restored", name(first), name(last)));
    }
    let choice = restoring.choice()?;
    let manifest = Manifest::read(&restoring.folder.base(&choice.whole.name), &choice.whole.name)?;
    let beside = Beside::under(work_dir)?;
    say(&format!("Restoring {} in {}", choice.whole.name, beside.path().display()));
    restoring.place(&choice, beside.path())?;
    let mut wrong = counted(restoring, &manifest, beside.path()).await?;
    let (running, reached) = restoring.recover(&choice, beside.path()).await?;
    let checked = check(&running, &mut wrong).await;
    running.stop().await;
    checked?;
    if reached == Reached::Gap {
        wrong.push("a file of the log is missing, and what was changed after it".to_owned());
    }
    for line in &wrong {
        say(&format!("Wrong: {line}"));
    }
    match wrong.len() {
        0 => say(&format!(
            "The backup is good: {} tables have the rows that they had",
            manifest.counted.rows.len()
        )),
        count => bail!("the backup is not good: {count} findings"),
    }
    Ok(())
}

/// Works the log off to the place at which rows were counted, and compares; returns the differences.
async fn counted(restoring: &Restoring, manifest: &Manifest, data_dir: &Path) -> Result<Vec<String>> {
    let until = Until::Place(manifest.counted.place.to_string());
    let running = recovery::recover(restoring.options(data_dir), &until).await?;
    let source = Source::new(running.reached());
    let compared = async {
        let mut session = arrived(&source).await?;
        let rows = counts::rows(&mut session).await?;
        anyhow::Ok(counts::differences(&manifest.counted.rows, &rows))
    };
    let compared = compared.await;
    source.close().await;
    running.stop().await;
    let different = compared.context("the rows cannot be counted")?;
    if !manifest.counted.exact {
        for line in &different {
            say(&format!("Counted while it was being changed: {line}"));
        }
        return Ok(Vec::new());
    }
    Ok(different)
}

/// A session on a PostgreSQL that waits at the place up to which it works.
async fn arrived(source: &Source) -> Result<Session> {
    loop {
        let mut session = source.session().await?;
        let state: Option<Option<String>> = session.read(Statement::new(PAUSED)).await?;
        if state.flatten().as_deref() == Some("paused") {
            return Ok(session);
        }
        drop(session);
        tokio::time::sleep(POLL).await;
    }
}

async fn check(running: &Embedded, wrong: &mut Vec<String>) -> Result<()> {
    let source = Source::new(running.reached());
    let checked = async {
        let mut session = source.session().await?;
        wrong.extend(checks::dangling(&mut session).await?);
        // The backup is as good as the library was.
        for line in checks::contradictions(&mut session).await? {
            say(&format!("The library contradicts itself, which octavo doctor tells more of: {line}"));
        }
        match checks::damaged_indexes(&mut session).await? {
            Some(damaged) => wrong.extend(damaged),
            None => say("PostgreSQL's amcheck is not installed: indexes were not checked"),
        }
        anyhow::Ok(())
    };
    let checked = checked.await;
    source.close().await;
    checked
}

/// First and last of the files that are missing between others.
fn gaps(log: &Log) -> Vec<(u64, u64)> {
    log.keys()
        .zip(log.keys().skip(1))
        .filter(|(one, next)| *one + 1 < **next)
        .map(|(one, next)| (one + 1, next - 1))
        .collect()
}

const PAUSED: &str = "select pg_get_wal_replay_pause_state()";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lacks_between_files_is_named() {
        let log: Log = [3, 4, 7, 9].into_iter().map(|number| (number, false)).collect();
        assert_eq!(gaps(&log), [(5, 6), (8, 8)]);
        assert_eq!(gaps(&Log::new()), []);
    }
}
