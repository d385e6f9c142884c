//! Checks the data folder: free space of its disk, access rights and owners of its files.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::finding::{Repair, Report};

/// The server refuses changes with 64 MiB left, and `/admin/health` warns below 256 MiB.
const TOO_LITTLE_BYTES: u64 = 256 << 20;
/// Free space below which more is advised: a library grows, and the log of a long import takes space.
const LITTLE_BYTES: u64 = 5 << 30;
const FEW_FILES: u64 = 10_000;

pub(super) fn check_folder(folder: &Path, report: &mut Report) {
    match rustix::fs::statvfs(folder) {
        Ok(disk) => {
            let free = disk.f_bavail.saturating_mul(disk.f_frsize);
            let files = (disk.f_files > 0).then_some(disk.f_favail);
            check_free_space(free, disk.f_blocks.saturating_mul(disk.f_frsize), files, report);
        }
        Err(error) => {
            report.problem("disk", format!("{} cannot be looked at: {error}", folder.display()));
        }
    }
    check_file_permissions(folder, report);
    check_owners(folder, report);
    report.looked_at("folder", folder.display().to_string());
}

fn check_free_space(free: u64, all: u64, files: Option<u64>, report: &mut Report) {
    let mib = |bytes: u64| bytes >> 20;
    report.looked_at("disk", format!("{} MiB of {} MiB are free", mib(free), mib(all)));
    if free < TOO_LITTLE_BYTES {
        let what = format!("{} MiB are free; with less than 64 MiB nothing can be changed", mib(free));
        report.problem("disk", what).advice("Make room, or move the data folder to a larger disk");
    } else if free < LITTLE_BYTES {
        let what = format!("{} MiB are free", mib(free));
        report.hint("disk", what).advice("Make room before large imports");
    }
    if let Some(files) = files.filter(|files| *files < FEW_FILES) {
        let what = format!("the file system has room for {files} more files");
        report
            .problem("disk", what)
            .advice("Remove small files, or make the file system anew with more inodes");
    }
}

fn check_file_permissions(folder: &Path, report: &mut Report) {
    let token = folder.join("operator-token");
    let others =
        |path: &Path, bits: u32| fs::metadata(path).is_ok_and(|metadata| metadata.mode() & bits != 0);
    if others(&token, 0o077) {
        report
            .problem("folder", "others than its owner may read operator-token")
            .advice("Take their rights, and make a new token with `octavo user create-operator`")
            .repair(Repair::MakeFilePrivate(token));
    }
    if others(folder, 0o002) {
        report
            .problem("folder", "everybody may write into the data folder")
            .advice("chmod o-w the folder, and look for files that are not Octavo's");
    }
}

/// Checks that everything directly in the data folder belongs to the folder's owner, unless that is root. A command that root ran may
/// have left files that the service cannot use.
fn check_owners(folder: &Path, report: &mut Report) {
    let Ok(owner) = fs::metadata(folder).map(|metadata| metadata.uid()) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    let of_others = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|metadata| metadata.uid() != owner);
    let mut strange: Vec<String> = entries
        .flatten()
        .filter(|entry| owner != 0 && of_others(entry))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if !strange.is_empty() {
        strange.sort();
        report
            .problem("folder", "files do not belong to the user that the folder belongs to")
            .advice("Give them to that user: chown -R; run commands as that user, with `runuser -u octavo -- octavo ...`")
            .cases(strange);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use octavo_testkit::temporary_folder;

    use super::super::finding::Level;
    use super::*;

    #[test]
    fn a_disk_that_is_nearly_full_is_seen() {
        const GIB: u64 = 1 << 30;
        for (free, files, expected) in [
            (100 * GIB, Some(1 << 20), vec![]),
            (100 * GIB, None, vec![]),
            (2 * GIB, None, vec![(Level::Advice, "2048 MiB are free")]),
            (
                100 << 20,
                None,
                vec![(Level::Problem, "100 MiB are free; with less than 64 MiB nothing can be changed")],
            ),
            (100 * GIB, Some(9), vec![(Level::Problem, "the file system has room for 9 more files")]),
        ] {
            let mut report = Report::default();
            check_free_space(free, 200 * GIB, files, &mut report);
            let found: Vec<(Level, &str)> =
                report.findings.iter().map(|finding| (finding.level, finding.what.as_str())).collect();
            assert_eq!(found, expected, "{free} {files:?}");
        }
    }

    #[test]
    fn a_folder_that_is_open_to_others_is_seen() {
        let folder = temporary_folder("doctor");
        let token = folder.join("operator-token");
        fs::write(&token, "secret").unwrap();
        for (mode_of_folder, mode_of_token, expected) in
            [(0o750, 0o600, 0), (0o750, 0o640, 1), (0o777, 0o604, 2)]
        {
            fs::set_permissions(&folder, fs::Permissions::from_mode(mode_of_folder)).unwrap();
            fs::set_permissions(&token, fs::Permissions::from_mode(mode_of_token)).unwrap();
            let mut report = Report::default();
            check_file_permissions(&folder, &mut report);
            assert_eq!(report.count_problems(), expected, "{mode_of_folder:o} {mode_of_token:o}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
