/** Describes the steps of a decision about a due date as sentences. */

import type { DecisionStep } from "../api/records.ts";
import type { Words } from "../words/en.ts";
import type { Formats } from "../words/index.tsx";

/** Undefined for a step that is not about a due date, such as an item's new status. */
export function stepText(step: DecisionStep, words: Words, formats: Formats): string | undefined {
  const says = words.steps;
  const text = (member: string) => String(step[member] ?? "");
  const date = (member: string) => formats.due(text(member));
  switch (step.step) {
    case "ruleMatched":
      return says.rule(Number(step.line), conditionText(step.conditions, words));
    case "policyChosen":
      return says.policy(says.policies[text("kind")] ?? text("kind"), text("name"));
    case "periodAdded":
      return (step.becauseOfHold ? says.periodHold : says.period)(
        formats.day(text("from")),
        formats.period(text("period")),
        formats.due(text("due")),
      );
    case "scheduleDueDate":
      return says.schedule(date("due"));
    case "scheduleLimit":
    case "movedBackToSchedule":
      return says.limit(date("limit"));
    case "closedLibrary":
      return formats.day(text("before")) === formats.day(text("after"))
        ? says.wholeDay(date("after"))
        : says.closed(formats.day(text("before")), date("after"));
    case "patronExpires":
      return says.expires(date("after"));
    case "dueDateGiven":
      return says.given(date("due"));
    case "overridden":
      return says.overridden(text("block"));
    case "dueDateChanged":
      return says.recalled(date("to"));
    default:
      return undefined;
  }
}

function conditionText(given: unknown, words: Words): string {
  const names = words.steps.conditions as Record<string, string>;
  const applied = Object.entries((given ?? {}) as Record<string, boolean>).filter(([, applies]) => applies);
  return applied.map(([name]) => names[name] ?? name).join(", ");
}
