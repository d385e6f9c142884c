//! Restores one tenant to a moment and writes it as files for `octavo tenant import`. For this the whole backup is restored into a
//! temporary folder.

use std::path::{Path, PathBuf};

use anyhow::Result;
use octavo_engine::migrations;
use octavo_modules::MODULES;
use octavo_pg::{Database, Options};

use super::restore::{self, Restoration};
use super::verify::TemporaryFolder;
use crate::serve::print_line;
use crate::{start, tenant};

pub(super) async fn restore(
    restoring: &Restoration,
    tenant: &str,
    export: &Path,
    work_dir: Option<&PathBuf>,
) -> Result<()> {
    let tenant = start::tenant_id(tenant)?;
    restore::check_is_empty(export)?;
    let choice = restoring.choose_backup()?;
    restoring.check_files(&choice.backup.name)?;
    let beside = TemporaryFolder::create_in(work_dir)?;
    print_line(&format!("Restoring {} in {}", choice.backup.name, beside.path().display()));
    restoring.make_data_folder(&choice, beside.path())?;
    let (running, _) = restoring.recover(&choice, beside.path()).await?;
    let database = Database::new(running.config(), Options::unlimited(2));
    let uploads =
        restoring.folder.backup_path(&choice.backup.name).join("files/uploads/tenants").join(tenant.as_str());
    let exported = async {
        // The tables are migrated to this program's version first, whichever version of Octavo made the backup.
        migrations::prepare(&database, MODULES).await.map_err(crate::databases::unusable_error)?;
        tenant::export(&database, &tenant, export, &uploads).await
    };
    let exported = exported.await;
    database.close().await;
    running.stop().await;
    exported
}
