//! Overdue fine policies and request policies.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::RemindersPolicy;
use crate::Money;
use crate::status::RequestType;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OverdueFinePolicy {
    pub id: String,
    pub name: Option<String>,
    reminder_fees_policy: Option<RemindersPolicy>,
    overdue_fine: Option<FineRate>,
    max_overdue_fine: Option<Value>,
    overdue_recall_fine: Option<FineRate>,
    max_overdue_recall_fine: Option<Value>,
    count_closed: Option<bool>,
    forgive_overdue_fine: Option<bool>,
    grace_period_recall: Option<bool>,
}

/// Amounts stay JSON values, because money is parsed as a decimal.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct FineRate {
    quantity: Option<Value>,
    interval_id: Option<String>,
}

/// A fine: the amount for each interval, and the maximum.
#[derive(Debug, Clone, Copy)]
pub struct Fine<'a> {
    pub quantity: &'a Value,
    pub interval_minutes: i64,
    /// Zero means no limit.
    pub maximum: Money,
}

impl OverdueFinePolicy {
    /// `None` unless quantity, interval and maximum are all set.
    pub fn fine(&self, recalled: bool) -> Option<Fine<'_>> {
        let (rate, most) = match recalled {
            true => (&self.overdue_recall_fine, &self.max_overdue_recall_fine),
            false => (&self.overdue_fine, &self.max_overdue_fine),
        };
        let rate = rate.as_ref()?;
        let interval_minutes = match rate.interval_id.as_deref()? {
            "minute" => 1,
            "hour" => 60,
            "day" => 24 * 60,
            "week" => 7 * 24 * 60,
            "month" => 31 * 24 * 60,
            "year" => 365 * 24 * 60,
            _ => return None,
        };
        Some(Fine {
            quantity: rate.quantity.as_ref()?,
            interval_minutes,
            maximum: Money::read(most.as_ref()?)?,
        })
    }

    pub fn counts_closed_time(&self) -> bool {
        self.count_closed.unwrap_or(false)
    }

    pub fn forgives_on_renewal(&self) -> bool {
        self.forgive_overdue_fine.unwrap_or(false)
    }

    pub fn ignores_grace_period_of_recalls(&self) -> bool {
        self.grace_period_recall.unwrap_or(false)
    }

    pub fn reminders(&self) -> Option<&RemindersPolicy> {
        self.reminder_fees_policy.as_ref().filter(|policy| policy.count() > 0)
    }

    pub fn forbids_renewal_after_reminders(&self) -> bool {
        self.reminders().is_some_and(|reminders| !reminders.allows_renewal())
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestPolicy {
    pub id: String,
    pub name: Option<String>,
    pub request_types: Vec<String>,
    /// Pickup service points by request type; requests of a type that is not here may be picked up anywhere.
    allowed_service_points: Option<HashMap<String, Option<Vec<String>>>>,
}

impl RequestPolicy {
    pub fn allows(&self, request_type: impl Into<Option<RequestType>>) -> bool {
        let wanted = request_type.into();
        wanted.is_some_and(|wanted| self.request_types.iter().any(|allowed| allowed == wanted.name()))
    }

    pub fn allows_pickup_at(&self, request_type: &str, service_point_id: &str) -> bool {
        let by_type = self.allowed_service_points.as_ref();
        match by_type.and_then(|by_type| by_type.get(request_type)?.as_ref()) {
            Some(points) => points.iter().any(|id| id == service_point_id),
            None => true,
        }
    }
}
