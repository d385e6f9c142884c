//! Check-in (09), with the alert and the sort bin that show staff and sorters where the item goes.

use octavo_kernel::Outcome;
use octavo_sip2::Message;
use serde_json::{Value, json};

use super::item;
use super::loans::media_type;
use super::yes_or_no;
use crate::configuration::Settings;
use crate::desk::{Desk, refused};
use crate::times;

/// Why an item must not simply go back to its shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alert {
    HoldHere,
    HoldElsewhere,
    SendElsewhere,
    Other,
}

impl Alert {
    fn from_status(status: &str, requested: bool) -> Option<Alert> {
        match status {
            "Awaiting pickup" => Some(Alert::HoldHere),
            "In transit" if requested => Some(Alert::HoldElsewhere),
            "In transit" => Some(Alert::SendElsewhere),
            "Awaiting delivery" => Some(Alert::Other),
            _ => None,
        }
    }

    /// The alert type, `CV`.
    fn code(self) -> &'static str {
        match self {
            Alert::HoldHere => "01",
            Alert::HoldElsewhere => "02",
            Alert::SendElsewhere => "04",
            Alert::Other => "99",
        }
    }
}

pub(super) async fn check_in(desk: &Desk<'_>, asked: &Message) -> Outcome<Message> {
    if asked.text("BI") == "Y" {
        return Err(refused("A check-in cannot be cancelled from a terminal"));
    }
    let (settings, barcode) = (desk.settings(), asked.text("AB"));
    if !settings.tenant.invalid_checkin_statuses.is_empty() {
        let item = item::find(desk, barcode).await?;
        let status = item.as_ref().and_then(|item| item["status"]["name"].as_str()).unwrap_or_default();
        if !settings.may_be_checked_in(status) {
            return Err(refused(format!("Item status '{status}' is not valid for checkin")));
        }
    }
    // A return date in the future, from a machine whose clock is ahead, is ignored: the item would count as returned late.
    let returned = times::parse_time(asked.fixed("return_date"), &settings.zone).filter(|at| *at < desk.now);
    let body = json!({
        "itemBarcode": barcode, "servicePointId": desk.service_point()?,
        "checkInDate": returned.unwrap_or(desk.now).to_string(),
    });
    let answer = desk.post("/circulation/check-in-by-barcode", &body).await?;
    Ok(returned_item(desk, asked, &answer))
}

fn returned_item(desk: &Desk<'_>, asked: &Message, answer: &Value) -> Message {
    let item = &answer["item"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let requested = answer["staffSlipContext"]["request"].is_object();
    let alert = Alert::from_status(item["status"]["name"].as_str().unwrap_or_default(), requested);
    let location = text(&item["location"]["name"]);
    Message::new("10", &["1", "Y", "U", yes_or_no(alert.is_some()), &desk.date()])
        .with("AO", asked.text("AO"))
        .with("AB", asked.text("AB"))
        .with("AQ", location.as_deref().unwrap_or_default())
        .with_some("AJ", item["title"].as_str())
        .with_some("CL", sort_bin(desk.settings(), alert, location.as_deref()))
        .with_some("AA", answer["loan"]["borrower"]["barcode"].as_str())
        .with_some("CK", media_type(item["materialType"]["name"].as_str()))
        .with_some("CS", item["callNumber"].as_str())
        .with_some("CV", alert.map(Alert::code))
        .with_some("CT", item["inTransitDestinationServicePoint"]["name"].as_str())
}

/// The bin for the sorter: that of the alert, if there is one, or else that of the item's location, or else the default bin.
fn sort_bin<'a>(settings: &'a Settings, alert: Option<Alert>, location: Option<&str>) -> Option<&'a str> {
    let bins = &settings.terminal.sort_bins;
    let by = |key: Option<&str>| key.and_then(|key| bins.get(key));
    let by_place = || by(location).filter(|_| alert.is_none());
    by(alert.map(Alert::code)).or_else(by_place).or_else(|| bins.get("default")).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_alerts_where_it_has_to_go_elsewhere() {
        for (status, requested, code) in [
            ("Available", false, None),
            ("Awaiting pickup", true, Some("01")),
            ("In transit", true, Some("02")),
            ("In transit", false, Some("04")),
            ("Awaiting delivery", true, Some("99")),
        ] {
            assert_eq!(Alert::from_status(status, requested).map(Alert::code), code, "{status}");
        }
    }

    #[test]
    fn bins_are_chosen_by_alert_then_by_place() {
        let mut settings = Settings::default();
        assert_eq!(sort_bin(&settings, None, Some("Fiction")), None);
        let bins = [("01", "1"), ("Fiction", "2"), ("default", "9")];
        settings.terminal.sort_bins = bins.map(|(key, bin)| (key.to_owned(), bin.to_owned())).into();
        assert_eq!(sort_bin(&settings, Some(Alert::HoldHere), Some("Fiction")), Some("1"));
        assert_eq!(sort_bin(&settings, Some(Alert::SendElsewhere), Some("Fiction")), Some("9"));
        assert_eq!(sort_bin(&settings, None, Some("Fiction")), Some("2"));
        assert_eq!(sort_bin(&settings, None, None), Some("9"));
    }
}
