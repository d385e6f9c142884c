//! Where a process keeps its indexes: a folder of its own, in it one for each tenant, in it one for each time the index was made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use octavo_kernel::TenantId;
use octavo_search::index::{self, SearchIndex};
use octavo_search::names::INSTANCE;

/// The folder of this process. Another process that is told to use the same place takes another number.
pub(super) struct Folders {
    path: PathBuf,
    /// Locked until the process ends.
    _lock: File,
}

/// So many processes may keep their indexes in one place.
const MOST: usize = 100;

impl Folders {
    pub(super) fn open(place: &Path) -> io::Result<Folders> {
        for number in 1..=MOST {
            let path = place.join(format!("search-{number}"));
            fs::create_dir_all(&path)?;
            let lock = File::create(path.join("lock"))?;
            if lock.try_lock().is_ok() {
                return Ok(Folders { path, _lock: lock });
            }
        }
        Err(io::Error::other(format!("{MOST} processes keep indexes in {}", place.display())))
    }

    /// The newest index of a tenant that was wholly made. Those before it and those that were not finished are removed.
    pub(super) fn newest(&self, tenant: &TenantId) -> index::Result<Option<SearchIndex>> {
        let mut found = None;
        for number in self.numbers(tenant)?.into_iter().rev() {
            let path = self.numbered(tenant, number);
            if found.is_none() {
                let index = SearchIndex::open(&path, &INSTANCE)?;
                if index.position()?.is_some() {
                    found = Some(index);
                    continue;
                }
            }
            fs::remove_dir_all(path)?;
        }
        Ok(found)
    }

    /// Removes all indexes of a tenant but the newest.
    pub(super) fn keep_newest(&self, tenant: &TenantId) -> io::Result<()> {
        let numbers = self.numbers(tenant)?;
        let older = numbers.split_last().map_or(&[][..], |(_, older)| older);
        older.iter().try_for_each(|number| fs::remove_dir_all(self.numbered(tenant, *number)))
    }

    /// An empty index beside those that are there.
    pub(super) fn begin(&self, tenant: &TenantId) -> index::Result<SearchIndex> {
        let number = self.numbers(tenant)?.last().map_or(1, |last| last + 1);
        SearchIndex::open(&self.numbered(tenant, number), &INSTANCE)
    }

    pub(super) fn remove(&self, tenant: &TenantId) -> io::Result<()> {
        match fs::remove_dir_all(self.path.join(tenant.as_str())) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn numbered(&self, tenant: &TenantId, number: u32) -> PathBuf {
        self.path.join(tenant.as_str()).join(number.to_string())
    }

    fn numbers(&self, tenant: &TenantId) -> io::Result<Vec<u32>> {
        let path = self.path.join(tenant.as_str());
        fs::create_dir_all(&path)?;
        let names = fs::read_dir(path)?.map(|entry| Ok(entry?.file_name()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let mut numbers: Vec<u32> = names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }
}
