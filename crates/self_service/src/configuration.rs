//! The library's settings for its machines, under the names that edge-sip2 reads: in mod-settings, scope `edge-sip2.config.manage`, keys
//! `acsTenantConfig` and `selfCheckoutConfig.<service point>`; or in mod-configuration, module `edge-sip2`, entries of these names.
//!
//! `screenMessages`, `printLines`, `sortBins` and `paymentMethods` are Octavo's own additions.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use octavo_engine::Snapshot;
use octavo_modules_base::configuration;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) const MODULE: &str = "edge-sip2";
pub(crate) const SCOPE: &str = "edge-sip2.config.manage";
pub(crate) const TENANT_SETTINGS: &str = "acsTenantConfig";

/// The name of the settings of the machines at a service point.
pub(crate) fn terminal_settings_name(service_point: &str) -> String {
    format!("selfCheckoutConfig.{service_point}")
}

/// The settings that all machines of a library share.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TenantSettings {
    pub(crate) status_update_ok: bool,
    pub(crate) offline_ok: bool,
    pub(crate) supported_messages: Option<Vec<SupportedMessage>>,
    pub(crate) patron_password_verification_required: bool,
    pub(crate) always_check_patron_password: bool,
    pub(crate) use_pin_for_patron_verification: bool,
    /// Statuses of items that cannot be checked in, with commas between them.
    pub(crate) invalid_checkin_statuses: String,
    /// FOLIO's payment method by SIP2's payment type: `{"00": "Cash"}`.
    pub(crate) payment_methods: HashMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SupportedMessage {
    pub(crate) message_name: String,
    pub(crate) is_supported: String,
}

/// The settings of the machines at one service point.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TerminalSettings {
    /// Tenths of a second; 999 for unknown.
    pub(crate) timeout_period: u32,
    pub(crate) retries_allowed: u32,
    pub(crate) checkin_ok: bool,
    pub(crate) checkout_ok: bool,
    pub(crate) acs_renewal_policy: bool,
    pub(crate) library_name: String,
    pub(crate) terminal_location: String,
    /// Characters of a printed line, where the machine does not say.
    pub(crate) max_print_width: usize,
    /// Texts to show and to print with answers that are no refusal, by edge-sip2's name of the message.
    pub(crate) screen_messages: HashMap<String, String>,
    pub(crate) print_lines: HashMap<String, String>,
    /// Bins of a sorter: by alert (`01`, `02`, `04`), by the name of the item's location, and `default`.
    pub(crate) sort_bins: HashMap<String, String>,
}

impl Default for TenantSettings {
    fn default() -> TenantSettings {
        TenantSettings {
            status_update_ok: true,
            offline_ok: false,
            supported_messages: None,
            patron_password_verification_required: false,
            always_check_patron_password: true,
            use_pin_for_patron_verification: false,
            invalid_checkin_statuses: String::new(),
            payment_methods: HashMap::new(),
        }
    }
}

impl Default for TerminalSettings {
    fn default() -> TerminalSettings {
        TerminalSettings {
            timeout_period: 100,
            retries_allowed: 3,
            checkin_ok: true,
            checkout_ok: true,
            acs_renewal_policy: true,
            library_name: String::new(),
            terminal_location: String::new(),
            max_print_width: 0,
            screen_messages: HashMap::new(),
            print_lines: HashMap::new(),
            sort_bins: HashMap::new(),
        }
    }
}

/// All settings that apply to one machine.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) tenant: TenantSettings,
    pub(crate) terminal: TerminalSettings,
    pub(crate) zone: TimeZone,
    /// ISO 4217.
    pub(crate) currency: String,
}

impl Default for Settings {
    fn default() -> Settings {
        let (tenant, terminal) = (TenantSettings::default(), TerminalSettings::default());
        Settings { tenant, terminal, zone: TimeZone::UTC, currency: "USD".to_owned() }
    }
}

impl Settings {
    /// Makes the settings from the stored settings of the tenant and of the machine, and the time zone and currency of the library.
    pub(crate) fn read(
        snapshot: &Snapshot,
        of_tenant: Option<Value>,
        of_terminal: Option<Value>,
    ) -> Settings {
        let locale = configuration::settings(snapshot, "ORG", "localeSettings").unwrap_or_default();
        let zone = locale["timezone"].as_str().and_then(|name| TimeZone::get(name).ok());
        Settings {
            tenant: read(of_tenant, TENANT_SETTINGS),
            terminal: read(of_terminal, "selfCheckoutConfig"),
            zone: zone.unwrap_or(TimeZone::UTC),
            currency: locale["currency"].as_str().unwrap_or("USD").to_owned(),
        }
    }

    pub(crate) fn may_be_checked_in(&self, status: &str) -> bool {
        !self.tenant.invalid_checkin_statuses.split(',').any(|refused| refused.trim() == status)
    }

    /// `BX` of the status: for each of the sixteen messages whether it may be sent.
    pub(crate) fn supported_messages(&self) -> String {
        let listed = |name: &str| match &self.tenant.supported_messages {
            None => true,
            Some(listed) => listed.iter().any(|one| {
                one.message_name.eq_ignore_ascii_case(name) && one.is_supported.eq_ignore_ascii_case("Y")
            }),
        };
        MESSAGES.iter().map(|(name, built)| if *built && listed(name) { 'Y' } else { 'N' }).collect()
    }
}

/// edge-sip2's names in the order of `BX`, and whether Octavo does what the message asks.
const MESSAGES: [(&str, bool); 16] = [
    ("PATRON_STATUS_REQUEST", true),
    ("CHECKOUT", true),
    ("CHECKIN", true),
    ("BLOCK_PATRON", true),
    ("SC_ACS_STATUS", true),
    ("REQUEST_SC_ACS_RESEND", true),
    ("LOGIN", true),
    ("PATRON_INFORMATION", true),
    ("END_PATRON_SESSION", true),
    ("FEE_PAID", true),
    ("ITEM_INFORMATION", true),
    // FOLIO cannot store an item status that a machine sends, and has no blocks that a machine may lift.
    ("ITEM_STATUS_UPDATE", false),
    ("PATRON_ENABLE", false),
    ("HOLD", true),
    ("RENEW", true),
    ("RENEW_ALL", true),
];

/// edge-sip2's name of the message that an answer belongs to.
pub(crate) fn message_name(answer: &str) -> &'static str {
    match answer {
        "10" => "CHECKIN",
        "12" => "CHECKOUT",
        "16" => "HOLD",
        "18" => "ITEM_INFORMATION",
        "24" => "PATRON_STATUS_REQUEST",
        "30" => "RENEW",
        "36" => "END_PATRON_SESSION",
        "38" => "FEE_PAID",
        "64" => "PATRON_INFORMATION",
        "66" => "RENEW_ALL",
        "98" => "SC_ACS_STATUS",
        _ => "",
    }
}

/// Reads a stored setting. As in edge-sip2, a setting that cannot be parsed counts as not set; this is logged.
fn read<T: DeserializeOwned + Default>(stored: Option<Value>, name: &str) -> T {
    let Some(stored) = stored else { return T::default() };
    // mod-configuration keeps JSON as a text, mod-settings as it is.
    let value = match stored {
        Value::String(text) => serde_json::from_str(&text),
        value => Ok(value),
    };
    value.and_then(serde_json::from_value).unwrap_or_else(|error| {
        tracing::warn!(name, %error, "settings of self-service machines cannot be read");
        T::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_read_from_either_module_and_what_is_missing_has_its_default() {
        let text = json!(
            r#"{"timeoutPeriod": 5, "checkoutOk": false, "libraryName": "Datalogisk Institut", "other": 1}"#
        );
        let of_terminal: TerminalSettings = read(Some(text), "selfCheckoutConfig");
        assert_eq!((of_terminal.timeout_period, of_terminal.retries_allowed), (5, 3));
        assert_eq!((of_terminal.checkout_ok, of_terminal.checkin_ok), (false, true));
        let of_tenant: TenantSettings =
            read(Some(json!({"patronPasswordVerificationRequired": true})), TENANT_SETTINGS);
        assert!(of_tenant.patron_password_verification_required && of_tenant.always_check_patron_password);
        assert!(read::<TerminalSettings>(Some(json!("{")), "selfCheckoutConfig").checkout_ok);
    }

    #[test]
    fn what_is_supported_is_what_is_built_and_listed() {
        let mut settings = Settings::default();
        assert_eq!(settings.supported_messages(), "YYYYYYYYYYYNNYYY");
        let listed = json!({"supportedMessages": [
            {"messageName": "CHECKOUT", "isSupported": "Y"}, {"messageName": "LOGIN", "isSupported": "Y"},
            {"messageName": "PATRON_ENABLE", "isSupported": "Y"}, {"messageName": "HOLD", "isSupported": "N"},
        ]});
        settings.tenant = read(Some(listed), TENANT_SETTINGS);
        assert_eq!(settings.supported_messages(), "NYNNNNYNNNNNNNNN");
    }

    #[test]
    fn statuses_that_bar_a_check_in_are_named_whole() {
        let mut settings = Settings::default();
        assert!(settings.may_be_checked_in("Declared lost"));
        settings.tenant.invalid_checkin_statuses = "Declared lost, Missing".to_owned();
        assert!(!settings.may_be_checked_in("Missing") && !settings.may_be_checked_in("Declared lost"));
        assert!(settings.may_be_checked_in("Long missing") && settings.may_be_checked_in("Available"));
    }
}
