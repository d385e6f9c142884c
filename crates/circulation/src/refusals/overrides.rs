//! Blocks that a caller with the permission may override.

use jiff::Timestamp;
use octavo_kernel::{Permissions, Refusal, parse_time};

use super::missing_parameter;
use crate::command::OverrideBlocks;
use crate::moment::to_millisecond;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    Patron,
    ItemLimit,
    ItemNotLoanable,
    Renewal,
    RenewalDueDateRequired,
}

impl Block {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Block::Patron => "patronBlock",
            Block::ItemLimit => "itemLimitBlock",
            Block::ItemNotLoanable => "itemNotLoanableBlock",
            Block::Renewal => "renewalBlock",
            Block::RenewalDueDateRequired => "renewalDueDateRequiredBlock",
        }
    }

    fn permission(self) -> &'static str {
        match self {
            Block::Patron => "circulation.override-patron-block",
            Block::ItemLimit => "circulation.override-item-limit-block",
            Block::ItemNotLoanable => "circulation.override-item-not-loanable-block",
            Block::Renewal | Block::RenewalDueDateRequired => "circulation.override-renewal-block",
        }
    }

    fn missing_permissions(self, permissions: &Permissions) -> Vec<String> {
        let permission = self.permission();
        if permissions.has(permission) { Vec::new() } else { vec![permission.to_owned()] }
    }

    /// Adds to the refusal that it can be overridden, and the permissions that the caller lacks for it.
    pub(crate) fn mark(self, refusal: Refusal, permissions: &Permissions) -> Refusal {
        refusal.overridable(self.name(), self.missing_permissions(permissions))
    }

    pub(crate) fn insufficient_permissions(self, permissions: &Permissions) -> Option<Refusal> {
        let missing = self.missing_permissions(permissions);
        let refusal = Refusal::new("Insufficient override permissions");
        (!missing.is_empty()).then(|| refusal.overridable(self.name(), missing))
    }
}

/// At check-out an override needs the permission, then a comment, then, where the item is not loanable, a due date
/// after the loan date.
pub(crate) fn refuse_check_out_override(
    block: Block,
    overrides: &OverrideBlocks,
    permissions: &Permissions,
    loan_date: Timestamp,
) -> Option<Refusal> {
    if let Some(refusal) = block.insufficient_permissions(permissions) {
        return Some(refusal);
    }
    if overrides.comment.is_none() {
        return Some(missing_parameter("Override should be performed with the comment specified", "comment"));
    }
    let not_loanable = overrides.item_not_loanable_block.as_ref()?;
    let text = not_loanable.due_date.as_deref();
    match text.and_then(parse_time).map(to_millisecond) {
        None => Some(missing_parameter("Override should be performed with due date specified", "dueDate")),
        Some(due) if due <= loan_date => {
            Some(Refusal::new("Due date should be later than loan date").about("dueDate", text))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn refusal(overrides: Value, permissions: &Permissions) -> Option<String> {
        let overrides: OverrideBlocks = serde_json::from_value(overrides).unwrap();
        let loan_date = "2026-03-01T10:00:00Z".parse().unwrap();
        refuse_check_out_override(Block::ItemNotLoanable, &overrides, permissions, loan_date)
            .map(|refusal| refusal.message)
    }

    #[test]
    fn what_an_override_needs_in_this_order() {
        let all = Permissions::all();
        let block = |due: Value| json!({"itemNotLoanableBlock": {"dueDate": due}, "comment": "ok"});
        let insufficient = "Insufficient override permissions";
        assert_eq!(refusal(json!({}), &Permissions::default()).as_deref(), Some(insufficient));
        for (overrides, expected) in [
            (json!({"patronBlock": {}}), Some("Override should be performed with the comment specified")),
            (block(json!(null)), Some("Override should be performed with due date specified")),
            (block(json!("2026-03-01T10:00:00Z")), Some("Due date should be later than loan date")),
            (block(json!("2026-03-01T10:00:00.001Z")), None),
            (json!({"patronBlock": {}, "comment": "ok"}), None),
        ] {
            assert_eq!(refusal(overrides.clone(), &all).as_deref(), expected, "{overrides}");
        }
    }
}
