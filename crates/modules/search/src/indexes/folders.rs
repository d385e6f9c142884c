//! The folders in which a process keeps its indexes. The process has a folder of its own, with a folder for each tenant. In that, each
//! build of the index of titles has a numbered folder; the indexes of authorities have a folder beside them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use octavo_kernel::TenantId;
use octavo_search::index::{self, SearchIndex};

use super::read::Resource;

/// The folder of this process. Another process that uses the same place gets a folder with another number.
pub(super) struct Folders {
    path: PathBuf,
    /// Locked until the process ends.
    _lock: File,
}

/// How many processes can keep their indexes in the same place.
const MAX_PROCESSES: usize = 100;

impl Folders {
    pub(super) fn open(place: &Path) -> io::Result<Folders> {
        for number in 1..=MAX_PROCESSES {
            let path = place.join(format!("search-{number}"));
            fs::create_dir_all(&path)?;
            let lock = File::create(path.join("lock"))?;
            if lock.try_lock().is_ok() {
                return Ok(Folders { path, _lock: lock });
            }
        }
        Err(io::Error::other(format!("{MAX_PROCESSES} processes keep indexes in {}", place.display())))
    }

    /// Opens the newest complete index of a tenant. Deletes its older indexes and those whose building was not finished.
    pub(super) fn newest(
        &self,
        tenant: &TenantId,
        resource: &Resource,
    ) -> index::Result<Option<SearchIndex>> {
        let folder = self.index_folder(tenant, resource);
        let found = newest(&folder, resource)?;
        let kept = found.as_ref().map(|(number, _)| *number);
        for number in index_numbers(&folder)?.into_iter().filter(|number| Some(*number) != kept) {
            fs::remove_dir_all(folder.join(number.to_string()))?;
        }
        Ok(found.map(|(_, index)| index))
    }

    /// Deletes all indexes of a tenant's resource except the newest.
    pub(super) fn keep_newest(&self, tenant: &TenantId, resource: &Resource) -> io::Result<()> {
        let folder = self.index_folder(tenant, resource);
        let numbers = index_numbers(&folder)?;
        let older = numbers.split_last().map_or(&[][..], |(_, older)| older);
        older.iter().try_for_each(|number| fs::remove_dir_all(folder.join(number.to_string())))
    }

    /// Creates an empty index beside the existing ones.
    pub(super) fn create_index(&self, tenant: &TenantId, resource: &Resource) -> index::Result<SearchIndex> {
        let folder = self.index_folder(tenant, resource);
        let number = index_numbers(&folder)?.last().map_or(1, |last| last + 1);
        SearchIndex::open(&folder.join(number.to_string()), resource.names)
    }

    /// Removes all indexes of a tenant's resource, and the folders that are empty then.
    pub(super) fn remove(&self, tenant: &TenantId, resource: &Resource) -> io::Result<()> {
        let folder = self.index_folder(tenant, resource);
        for number in index_numbers(&folder)? {
            fs::remove_dir_all(folder.join(number.to_string()))?;
        }
        for emptied in [folder, self.path.join(tenant.as_str())] {
            // The folder of the tenant may still contain indexes of other resources.
            let _ = fs::remove_dir(emptied);
        }
        Ok(())
    }

    fn index_folder(&self, tenant: &TenantId, resource: &Resource) -> PathBuf {
        index_folder_in(&self.path, tenant, resource)
    }
}

/// The folder of a tenant's indexes of a resource in that of a process.
fn index_folder_in(process: &Path, tenant: &TenantId, resource: &Resource) -> PathBuf {
    process.join(tenant.as_str()).join(resource.folder)
}

/// The newest index of a tenant of every process that keeps its indexes in this place.
pub(super) fn newest_of_all_processes(
    place: &Path,
    tenant: &TenantId,
    resource: &Resource,
) -> index::Result<Vec<SearchIndex>> {
    let mut found = Vec::new();
    for number in 1..=MAX_PROCESSES {
        let newest =
            newest(&index_folder_in(&place.join(format!("search-{number}")), tenant, resource), resource)?;
        found.extend(newest.map(|(_, index)| index));
    }
    Ok(found)
}

/// The newest completely built index in a tenant's folder, with its number.
fn newest(folder: &Path, resource: &Resource) -> index::Result<Option<(u32, SearchIndex)>> {
    for number in index_numbers(folder)?.into_iter().rev() {
        match SearchIndex::open_existing(&folder.join(number.to_string()), resource.names) {
            Ok(index) if index.position()?.is_some() => return Ok(Some((number, index))),
            Ok(_) => {}
            Err(error) if index::is_unusable(&error) => {
                tracing::warn!(%error, folder = %folder.display(), "an index that cannot be used is made anew");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn index_numbers(folder: &Path) -> io::Result<Vec<u32>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let names = entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    Ok(numbers)
}
