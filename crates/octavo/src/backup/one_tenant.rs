//! One tenant as it was at a moment, as files that `octavo tenant import` reads: the whole backup is restored beside for it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use octavo_engine::migrations;
use octavo_modules::MODULES;
use octavo_pg::{Database, Options};

use super::restore::{self, Restoring};
use super::verify::Beside;
use crate::serve::say;
use crate::{start, tenant};

pub(super) async fn restore(
    restoring: &Restoring,
    tenant: &str,
    export: &Path,
    work_dir: Option<&PathBuf>,
) -> Result<()> {
    let tenant = start::tenant_id(tenant)?;
    restore::is_free(export)?;
    let choice = restoring.choice()?;
    restoring.check(&choice.whole.name)?;
    let beside = Beside::under(work_dir)?;
    say(&format!("Restoring {} in {}", choice.whole.name, beside.path().display()));
    restoring.place(&choice, beside.path())?;
    let (running, _) = restoring.recover(&choice, beside.path()).await?;
    let database = Database::new(running.config(), Options::unlimited(2));
    let uploads =
        restoring.folder.base(&choice.whole.name).join("files/uploads/tenants").join(tenant.as_str());
    let exported = async {
        // The files are in the form of this program's tables, whichever release made the backup.
        migrations::prepare(&database, MODULES).await.map_err(crate::databases::unusable)?;
        tenant::export(&database, &tenant, export, &uploads).await
    };
    let exported = exported.await;
    database.close().await;
    running.stop().await;
    exported
}
