//! The status of the library's system (98), by which a machine learns what it may do.

use octavo_sip2::Message;

use super::yes_or_no;
use crate::configuration::Settings;
use crate::desk::Desk;

pub(crate) fn status(desk: &Desk<'_>) -> Message {
    let settings = desk.settings();
    let terminal = &settings.terminal;
    let fixed = [
        "Y",
        yes_or_no(terminal.checkin_ok),
        yes_or_no(terminal.checkout_ok),
        yes_or_no(terminal.acs_renewal_policy),
        yes_or_no(settings.tenant.status_update_ok),
        yes_or_no(settings.tenant.offline_ok),
        &format!("{:03}", terminal.timeout_period.min(999)),
        &format!("{:03}", terminal.retries_allowed.min(999)),
        &desk.date(),
        VERSION,
    ];
    Message::new("98", &fixed)
        .with("AO", &desk.signed_in.tenant)
        .with_some("AM", Some(&terminal.library_name))
        .with("BX", &settings.supported_messages())
        .with_some("AN", Some(&terminal.terminal_location))
}

/// The answer to a machine that has not logged in: the system is online, and nothing about the library.
pub(crate) fn before_log_in(date: &str) -> Message {
    let Settings { terminal, .. } = Settings::default();
    let (timeout, retries) =
        (format!("{:03}", terminal.timeout_period), format!("{:03}", terminal.retries_allowed));
    Message::new("98", &["Y", "N", "N", "N", "N", "N", &timeout, &retries, date, VERSION])
        .with("AO", "")
        .with("BX", "NNNNYYYNNNNNNNNN")
}

const VERSION: &str = "2.00";
