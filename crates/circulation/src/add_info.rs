//! A remark on a loan, for the patron or for staff. It changes only the loan's last action.

use octavo_kernel::Outcome;

use crate::command::AddInfo;
use crate::document::set;
use crate::facts::Facts;
use crate::loan_in_question::{any_loan, write_loan};
use crate::plan::Plan;
use crate::refusals::missing_parameter;

const ACTIONS: [&str; 2] = ["patronInfoAdded", "staffInfoAdded"];
const REQUIRED: &str = "An action of type patronInfoAdded or staffInfoAdded, with associated actionComment, required in order to add info";

pub fn add_info(facts: &Facts, id: &str, command: &AddInfo) -> Outcome<Plan> {
    let action = command.action.as_deref().filter(|action| ACTIONS.contains(action));
    let comment = command.action_comment.as_deref().filter(|comment| !comment.trim().is_empty());
    let (Some(action), Some(comment)) = (action, comment) else {
        return Err(missing_parameter(REQUIRED, "action").into());
    };
    let mut loan = any_loan(facts, id)?.record.clone();
    set(&mut loan, "action", action);
    set(&mut loan, "actionComment", comment);
    let mut plan = Plan::default();
    write_loan(facts, loan, &mut plan);
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::desk::{about_loan, messages, written_document};
    use crate::plan::RecordKind;

    fn command(action: &str, comment: &str) -> AddInfo {
        AddInfo { action: Some(action.to_owned()), action_comment: Some(comment.to_owned()) }
    }

    #[test]
    fn closed_loans_take_remarks_too() {
        let mut facts = about_loan();
        set(&mut facts.loan.as_mut().unwrap().record, "status", json!({"name": "Closed"}));
        let plan = add_info(&facts, "loan-1", &command("staffInfoAdded", "spine torn")).unwrap();
        let loan = written_document(&plan, RecordKind::Loan).unwrap();
        assert_eq!(
            (&loan["action"], &loan["actionComment"]),
            (&json!("staffInfoAdded"), &json!("spine torn"))
        );
    }

    #[test]
    fn a_remark_is_of_one_of_two_kinds_and_says_something() {
        for command in [command("renewed", "x"), command("staffInfoAdded", " "), AddInfo::default()] {
            assert_eq!(messages(&add_info(&about_loan(), "loan-1", &command).unwrap_err()), [REQUIRED]);
        }
    }
}
