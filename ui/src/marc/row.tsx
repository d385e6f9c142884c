/** One field of the editor: tag, indicators, text or positions, link, and problems. */

import { type ChangeEvent, type ReactNode, useId } from "react";
import { flushSync } from "react-dom";
import { refusalTexts } from "../refusals/texts.ts";
import { useWords } from "../words/index.tsx";
import type { FixedPosition, Specification } from "./fixed.ts";
import { FixedFieldForm } from "./fixed-form.tsx";
import { divideLinkedText, joinLinkedText, type LinkingRule } from "./linking.ts";
import type { Problem, RowMember, RowRefusal } from "./problems.ts";
import { BLANK, isControl, type Row } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  row: Row;
  /** Positions of a fixed field; undefined for other fields. */
  parts: readonly FixedPosition[] | undefined;
  lock: "system" | "protected" | undefined;
  rule: LinkingRule | undefined;
  canLink: boolean;
  /** Error code if automatic linking failed. */
  cause: string | undefined;
  problems: readonly Problem[];
  refused: readonly RowRefusal[];
  specification: Specification | undefined;
  leader: string;
  onFocus: () => void;
  onChange: (part: Partial<Row>) => void;
  onTag: (tag: string) => void;
  onRemove: () => void;
  onUnlock: () => void;
  onLink: () => void;
  onUnlink: () => void;
}

export function FieldRow(props: Props) {
  const { row, parts, lock, problems, refused, onFocus, onChange } = props;
  const own = useMarcWords();
  const id = useId();
  const isLocked = lock !== undefined;
  const isControlField = isControl(row.tag);
  const said = { id: `${id}-said`, isSaid: problems.length > 0 || refused.length > 0 || props.cause !== undefined };
  const wrong = (member: RowMember) => problems.some((problem) => problem.member === member && !problem.isWarning);
  return (
    <li className="marc-row" data-row={row.key} data-locked={lock} onFocus={onFocus}>
      <TagAndIndicators {...props} isLocked={isLocked} wrong={wrong} describedBy={said.isSaid ? said.id : undefined} />
      <div className="marc-text">
        {parts ? (
          <FixedFieldForm
            row={row}
            parts={parts}
            leader={props.leader}
            specification={props.specification}
            isLocked={isLocked}
            onChange={(items) => onChange({ items })}
          />
        ) : row.link ? (
          <LinkedText {...props} isLocked={isLocked} />
        ) : (
          <FieldText
            label={own.ofField(own.text, row.tag)}
            value={row.text}
            isLocked={isLocked}
            isWrong={wrong("text")}
            describedBy={said.isSaid ? said.id : undefined}
            onChange={(text) => onChange({ text })}
          />
        )}
        {said.isSaid && <FieldMessages {...props} id={said.id} />}
      </div>
      <FieldButtons {...props} isControlField={isControlField} />
    </li>
  );
}

type LockableProps = Props & { isLocked: boolean };

function TagAndIndicators(
  props: LockableProps & { wrong: (member: RowMember) => boolean; describedBy: string | undefined },
) {
  const { row, isLocked, wrong, describedBy, onChange, onTag } = props;
  const own = useMarcWords();
  /** When an input is full, the focus goes to the next one at once, so that no key of a fast typist is lost. */
  const onward = (event: ChangeEvent<HTMLInputElement>, change: () => void, to: string) => {
    const typed = (event.nativeEvent as InputEvent).inputType?.startsWith("insert");
    const parent = event.target.closest("[data-row]");
    const isFull = event.target.value.length >= event.target.maxLength;
    // Renders at once what the new tag needs.
    flushSync(change);
    if (!typed || !isFull) return;
    const next = parent?.querySelector<HTMLElement>(`[data-member="${to}"]`);
    (next ?? parent?.querySelector<HTMLElement>('[data-member="text"], [data-member="items"]'))?.focus();
  };
  const common = { dir: "ltr", spellCheck: false, autoComplete: "off", readOnly: isLocked } as const;
  const isControlField = isControl(row.tag);
  return (
    <>
      <input
        {...common}
        className="marc-tag"
        data-member="tag"
        aria-label={own.ofField(own.tag, row.tag)}
        aria-invalid={wrong("tag") || undefined}
        aria-describedby={describedBy}
        inputMode="numeric"
        maxLength={3}
        value={row.tag}
        onChange={(event) => {
          const tag = event.target.value;
          onward(event, () => onTag(tag), "ind1");
        }}
      />
      {(["ind1", "ind2"] as const).map((member) =>
        isControlField ? (
          <span key={member} className="marc-ind" />
        ) : (
          <input
            key={member}
            {...common}
            className="marc-ind"
            data-member={member}
            aria-label={own.ofField(own[member], row.tag)}
            aria-invalid={wrong(member) || undefined}
            maxLength={1}
            value={row[member]}
            // What is typed replaces what stands there.
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              const sign = event.target.value.replace(" ", BLANK);
              onward(event, () => onChange({ [member]: sign }), member === "ind1" ? "ind2" : "text");
            }}
          />
        ),
      )}
    </>
  );
}

interface TextProps {
  label: string;
  value: string;
  isLocked: boolean;
  isWrong?: boolean;
  describedBy?: string | undefined;
  onChange: (text: string) => void;
}

/** A text area as high as its text. Pasted line breaks become blanks, as fields have no lines. */
function FieldText({ label, value, isLocked, isWrong = false, describedBy, onChange }: TextProps) {
  return (
    <textarea
      dir="auto"
      rows={1}
      data-member="text"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      aria-describedby={describedBy}
      readOnly={isLocked}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value.replace(/\s*\n\s*/g, " "))}
    />
  );
}

function LinkedText({ row, rule, isLocked, onChange }: LockableProps) {
  const own = useMarcWords();
  const parts = divideLinkedText(row, rule);
  return (
    <div className="marc-linked">
      <p dir="auto" className="marc-governed">
        {parts.governed} <small dir="ltr">{parts.ids}</small>
      </p>
      {rule && (
        <FieldText
          label={own.ofField(own.own, row.tag)}
          value={parts.own}
          isLocked={isLocked}
          onChange={(own) => onChange({ text: joinLinkedText({ ...parts, own }) })}
        />
      )}
    </div>
  );
}

function FieldMessages({ id, problems, refused, cause }: Props & { id: string }) {
  const words = useWords();
  const own = useMarcWords();
  const texts = refusalTexts(
    refused.map(({ refusal }) => refusal),
    words,
  );
  return (
    <ul className="reasons marc-said" id={id}>
      {refused.length > 0 &&
        texts.map((text) => (
          <li key={text} className="error" role="alert">
            {text}
          </li>
        ))}
      {problems.map(({ name, of = "", member, isWarning }) => (
        <li key={`${name}-${member}-${of}`} className={isWarning ? "help" : "error"}>
          {own.problems[name](of)}
        </li>
      ))}
      {cause !== undefined && <li className="help">{own.link.causes[cause] ?? own.link.cause}</li>}
    </ul>
  );
}

function FieldButtons(props: Props & { isControlField: boolean }): ReactNode {
  const { row, lock, canLink, onRemove, onUnlock, onLink, onUnlink } = props;
  const own = useMarcWords();
  return (
    <div className="marc-buttons">
      {lock !== undefined && <span className="mark-of">{own.locked[lock]}</span>}
      {lock === "protected" && (
        <button type="button" className="button quiet" onClick={onUnlock}>
          {own.unlock}
        </button>
      )}
      {row.link && (
        <>
          <a
            className={row.link.status === "ERROR" ? "mark-of warn" : "mark-of"}
            href={`/desk/authorities/${row.link.authorityId}`}
            title={own.link.open}
            target="_blank"
            rel="noreferrer"
          >
            {row.link.status === "ERROR" ? own.link.failed : own.link.linked}
          </a>
          {lock === undefined && (
            <button type="button" className="button quiet" onClick={onUnlink}>
              {own.link.unlink}
            </button>
          )}
        </>
      )}
      {!row.link && canLink && lock === undefined && (
        <button type="button" className="button quiet" onClick={onLink}>
          {own.link.button}
        </button>
      )}
      {lock === undefined && (
        <button type="button" className="button quiet marc-remove" aria-label={own.remove(row.tag)} onClick={onRemove}>
          <span className="cross" aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
