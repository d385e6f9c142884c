//! The status of the library's system (98), by which a machine learns what it may do.

use octavo_sip2::Message;

use super::letter;
use crate::configuration::Settings;
use crate::desk::Desk;

pub(crate) fn status(desk: &Desk<'_>) -> Message {
    let settings = desk.settings();
    let terminal = &settings.terminal;
    let fixed = [
        "Y",
        letter(terminal.checkin_ok),
        letter(terminal.checkout_ok),
        letter(terminal.acs_renewal_policy),
        letter(settings.tenant.status_update_ok),
        letter(settings.tenant.offline_ok),
        &format!("{:03}", terminal.timeout_period.min(999)),
        &format!("{:03}", terminal.retries_allowed.min(999)),
        &desk.date(),
        VERSION,
    ];
    Message::new("98", &fixed)
        .with("AO", &desk.signed_in.tenant)
        .with_some("AM", Some(&terminal.library_name))
        .with("BX", &settings.supported())
        .with_some("AN", Some(&terminal.terminal_location))
}

/// Before a machine has logged in it is told that there is somebody, and nothing about the library.
pub(crate) fn before_log_in(date: &str) -> Message {
    let Settings { terminal, .. } = Settings::default();
    let (timeout, retries) =
        (format!("{:03}", terminal.timeout_period), format!("{:03}", terminal.retries_allowed));
    Message::new("98", &["Y", "N", "N", "N", "N", "N", &timeout, &retries, date, VERSION])
        .with("AO", "")
        .with("BX", "NNNNYYYNNNNNNNNN")
}

const VERSION: &str = "2.00";
