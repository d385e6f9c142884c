//! The library's settings: the limits of its patron groups, and what each condition blocks, with its message. A part of the tenant's
//! snapshot.

use std::collections::HashMap;

use serde_json::Value;

use super::Condition;
use crate::Money;
use crate::document::{flag, text};

#[derive(Debug, Clone, Default)]
pub struct BlockLimits {
    conditions: Vec<(Condition, ConditionSettings)>,
    by_group: HashMap<String, Vec<Limit>>,
}

/// A record of `/patron-block-conditions`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConditionSettings {
    pub blocks_borrowing: bool,
    pub blocks_renewals: bool,
    pub blocks_requests: bool,
    pub message: String,
}

/// A record of `/patron-block-limits`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    pub condition: Condition,
    pub value: Money,
}

impl BlockLimits {
    /// Reads the stored records. Limits of unknown conditions are ignored.
    pub fn read<'a>(
        conditions: impl Iterator<Item = &'a Value>,
        limits: impl Iterator<Item = &'a Value>,
    ) -> BlockLimits {
        let settings = |record: &Value| {
            let condition = Condition::from_id(text(record, &["id"])?)?;
            Some((condition, ConditionSettings::read(record)))
        };
        let conditions = conditions.filter_map(settings).collect();
        let mut by_group: HashMap<String, Vec<Limit>> = HashMap::new();
        for record in limits {
            let condition = text(record, &["conditionId"]).and_then(Condition::from_id);
            let value = record.get("value").and_then(Money::read);
            if let (Some(group), Some(condition), Some(value)) =
                (text(record, &["patronGroupId"]), condition, value)
            {
                let group = by_group.entry(group.to_ascii_lowercase()).or_default();
                group.push(Limit { condition, value });
            }
        }
        for limits in by_group.values_mut() {
            limits.sort_by_key(|limit| (limit.condition, limit.value));
        }
        BlockLimits { conditions, by_group }
    }

    /// Whether any patron can be blocked at all.
    pub fn has_limits(&self) -> bool {
        !self.by_group.is_empty() && self.conditions.iter().any(|(_, settings)| settings.blocks_something())
    }

    /// Limits with the settings of their conditions.
    pub(super) fn of_group(&self, group: &str) -> impl Iterator<Item = (&ConditionSettings, &Limit)> {
        let limits = self.by_group.get(&group.to_ascii_lowercase()).into_iter().flatten();
        limits.filter_map(|limit| {
            let settings = self.conditions.iter().find(|(condition, _)| *condition == limit.condition);
            Some((&settings?.1, limit))
        })
    }
}

impl ConditionSettings {
    fn read(record: &Value) -> ConditionSettings {
        ConditionSettings {
            blocks_borrowing: flag(record, &["blockBorrowing"]),
            blocks_renewals: flag(record, &["blockRenewals"]),
            blocks_requests: flag(record, &["blockRequests"]),
            message: text(record, &["message"]).unwrap_or_default().to_owned(),
        }
    }

    fn blocks_something(&self) -> bool {
        self.blocks_borrowing || self.blocks_renewals || self.blocks_requests
    }
}
