//! Measures a library of `octavo load synthetic` in an existing data folder, instead of a library that is made for the run. The changes
//! that the measurement makes stay in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{ArgMatches, Command};
use octavo_lab::flags::{option, path};
use octavo_lab::load::{Login, Session};
use octavo_pg::Statement;
use octavo_pg::embedded::Embedded;

use super::desk::{self, Desk, Shelf};
use super::scratch::Scratch;
use super::search::indexing::wait_until_indexed;
use super::server::Server;
use super::stock::{Extent, Stock};
use super::{library, print_progress, stock};
use crate::start::tenant_id;

pub(crate) struct ExistingLibrary {
    pub(crate) folder: PathBuf,
    tenant: String,
    password: String,
}

impl ExistingLibrary {
    pub(crate) fn args(command: Command) -> Command {
        let library = path(
            "library",
            "FOLDER",
            "The data folder of `octavo load synthetic` with the library to measure [default: one is made]",
        );
        command
            .arg(library.requires("admin-password"))
            .arg(option("tenant", "TENANT", "The tenant in that folder [default: synthetic]"))
            .arg(option("admin-password", "PASSWORD", "The password that the tenant was made with"))
    }

    pub(crate) fn from_flags(flags: &ArgMatches) -> Option<ExistingLibrary> {
        let text = |name: &str| flags.get_one::<String>(name).cloned();
        Some(ExistingLibrary {
            folder: flags.get_one::<PathBuf>("library")?.clone(),
            tenant: text("tenant").unwrap_or_else(|| "synthetic".to_owned()),
            password: text("admin-password").unwrap_or_default(),
        })
    }

    async fn start_server(
        &self,
        program: &Path,
        scratch: &Scratch,
        database: &Embedded,
        items: u32,
    ) -> Result<(Server, Session, Desk)> {
        print_progress("choosing items");
        let connection = stock::connect(&database.url())?;
        let mut session = connection.session(&tenant_id(&self.tenant)?, Default::default()).await?;
        let shelf: Vec<String> = session.read(Statement::new(LENDABLE_BARCODES).long(items.into())).await?;
        let patrons: Vec<String> = session.read(Statement::new(PATRONS)).await?;
        ensure!(!shelf.is_empty() && !patrons.is_empty(), "nothing can be lent in {}", self.tenant);
        drop(session);
        let server = Server::start(program, scratch.path(), &database.url()).await?;
        let login = Login { username: format!("{}_admin", self.tenant), password: self.password.clone() };
        let mut staff = Session::new(&server.address, &self.tenant, Some(login));
        staff.log_in().await.context("was the library made with --admin-password?")?;
        print_progress("waiting until the indexes of the search are made");
        wait_until_indexed(&mut staff).await?;
        let desk = Desk::from_barcodes(staff.with_new_connection(), shelf, patrons);
        Ok((server, staff, desk))
    }
}

/// Starts a server and returns it with a member of staff and a desk that can lend `items` items: of the existing library, or of a new
/// one.
pub(crate) async fn start_server_with_desk(
    kept: Option<&ExistingLibrary>,
    program: &Path,
    scratch: &Scratch,
    database: &Embedded,
    items: u32,
) -> Result<(Server, Session, Desk)> {
    if let Some(kept) = kept {
        return kept.start_server(program, scratch, database, items).await;
    }
    let extent = Extent { items, patrons: desk::BORROWERS, ..Extent::default() };
    let fill = async |url: &str| Stock::fill(url, extent).await.map(drop);
    let (server, staff, ()) =
        library::start_server_with_library(program, scratch, database, None, fill).await?;
    let desk =
        Desk::new(staff.with_new_connection(), Shelf { items: 0..items, borrowers: 0..desk::BORROWERS });
    Ok((server, staff, desk))
}

/// Barcodes of items on one shelf that the demo library's rules lend, from pages all over the table, in no order.
const LENDABLE_BARCODES: &str = "\
select i.barcode
from item i tablesample system (20) repeatable (1)
where i.\"effectiveLocationId\" = '244e9d2c-5484-5fda-873d-b26fde67d328' and i.doc -> 'status' ->> 'name' = 'Available'
order by md5(i.barcode)
limit $1";
const PATRONS: &str =
    "select barcode from users where barcode is not null order by md5(barcode) limit 100000";
