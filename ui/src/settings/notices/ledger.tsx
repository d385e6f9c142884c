/** The ledger of patron notices: the status of each, and the reason. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import type { Notice } from "../../api/octavo.ts";
import { findPatrons } from "../../api/patrons.ts";
import { notice, notices, recipients, resendNotice, STATUSES } from "../../api/settings-notices.ts";
import { fillTemplate } from "../../check-in/template.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Pager, usePage } from "../../parts/pager.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { SearchLine, useAddress } from "../../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../../parts/states.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import type { SettingsWords } from "../words/en.ts";
import { useSettingsWords } from "../words/index.tsx";

const ALL = "all";

export function NoticeLedger() {
  const words = useSettingsWords().notices;
  const common = useWords();
  const [get, set] = useAddress();
  const page = usePage();
  const text = get("query");
  const status = get("status");
  const patrons = useQuery({
    queryKey: ["notices", "patrons", text],
    enabled: text !== "",
    queryFn: () => findPatrons(text),
  });
  const found = text === "" ? undefined : patrons.data;
  const of = found?.users.map(({ id }) => id);
  const asked = useQuery({ ...notices(status, of, page), enabled: text === "" || of !== undefined });
  const ids = [...new Set((asked.data?.notices ?? []).flatMap(({ recipientId }) => recipientId ?? []))];
  const people = useQuery(recipients(ids)).data;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const options = [{ id: ALL, name: words.all }, ...STATUSES.map((id) => ({ id, name: words.statuses[id] }))];
  return (
    <section className="work" aria-label={words.many}>
      <p className="help">{words.help}</p>
      <div className="pair filters">
        <SearchLine label={words.search} isMain={false} />
        <Choice
          label={words.status}
          options={options}
          value={STATUSES.find((one) => one === status) ?? ALL}
          onChange={(to) => set({ status: to === ALL ? undefined : to, page: undefined })}
        />
      </div>
      {asked.isPending ? (
        <Loading />
      ) : (
        <>
          <Pager total={asked.data.totalRecords} />
          {found && found.users.length < found.total && (
            <p className="help">{common.patron.firstOnly(found.users.length, found.total)}</p>
          )}
          {asked.data.totalRecords === 0 && <EmptyMessage>{words.none}</EmptyMessage>}
          <ul className="rows">
            {asked.data.notices.map((one) => {
              const reader = one.recipientId === undefined ? undefined : people?.get(one.recipientId);
              return <NoticeRow key={one.id} notice={one} reader={reader && patronName(reader)} />;
            })}
          </ul>
        </>
      )}
    </section>
  );
}

function NoticeRow({ notice, reader }: { notice: Notice; reader: string | undefined }) {
  const settings = useSettingsWords();
  const words = settings.notices;
  const formats = useFormats();
  return (
    <li className="row short">
      <div className="what">
        <Link href={`/settings/notices/${notice.id}`}>
          {notice.header || eventOf(notice, settings)}
          {reader && ` · ${reader}`}
        </Link>
        <small>
          {notice.header && `${eventOf(notice, settings)} · `}
          {notice.decidedDate && formats.moment(notice.decidedDate)}
        </small>
      </div>
      <p className="due quiet">
        <span className={COLOURS[notice.status ?? ""] ?? ""}>{statusOf(notice, words)}</span>
        {(notice.reason || notice.message) && (
          <>
            <br />
            <small>{reasonOf(notice, words)}</small>
          </>
        )}
      </p>
    </li>
  );
}

const COLOURS: Record<string, string> = { Failed: "bad", "Not sent": "warn", Sent: "good" };

const statusOf = ({ status = "" }: Notice, words: SettingsWords["notices"]) =>
  words.statuses[status as "Sent"] ?? status;

function reasonOf({ reason, message }: Notice, words: SettingsWords["notices"]): string {
  const said = reason ?? message ?? "";
  return words.reasons[said] ?? said;
}

const eventOf = ({ event = "" }: Notice, words: SettingsWords) => words.notice.events[event] ?? event;

/**
 * Whether a notice can be sent again: e-mails that are neither pending nor being sent. Printed notices are printed
 * again.
 */
const canBeResent = ({ channel, status }: Notice) =>
  channel === "email" && status !== "Pending" && status !== "Sending";

export function NoticePage({ id }: { id: string }) {
  const asked = useQuery(notice(id));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return <NoticeDetails notice={asked.data} />;
}

function NoticeDetails({ notice: one }: { notice: Notice }) {
  const settings = useSettingsWords();
  const words = settings.notices;
  const formats = useFormats();
  const may = useMay();
  const reader = useQuery(recipients(one.recipientId === undefined ? [] : [one.recipientId])).data?.get(
    one.recipientId ?? "",
  );
  const facts: [string, React.ReactNode][] = [
    [
      words.status,
      <span className={COLOURS[one.status ?? ""] ?? ""} key="status">
        {statusOf(one, words)}
      </span>,
    ],
    [words.why, reasonOf(one, words)],
    [
      words.reader,
      one.recipientId && (
        <Link href={`/patrons/${one.recipientId}`} key="reader">
          {reader ? patronName(reader) : words.toPatron}
        </Link>
      ),
    ],
    [words.to, one.to],
    [words.event, eventOf(one, settings)],
    [words.decided, one.decidedDate && formats.moment(one.decidedDate)],
    [words.sent, one.sentDate && formats.moment(one.sentDate)],
    [words.attempts, one.attempts && words.attempted(one.attempts)],
    [
      words.policy,
      one.policyId && (
        <Link href={`/settings/notice-policies/${one.policyId}`} key="policy">
          {one.policyName ?? settings.kinds.noticePolicies.one}
        </Link>
      ),
    ],
    [words.rule, one.ruleLine !== undefined && words.ruleLine(one.ruleLine)],
    [words.remarks, one.remarks?.join(" ")],
  ];
  return (
    <>
      <header className="settings-head">
        <h1>{one.header || eventOf(one, settings)}</h1>
        {may("notice-ledger.notices.resend.post") && canBeResent(one) && <ResendButton notice={one} />}
      </header>
      <div className="with-beside">
        <section className="sheet" aria-label={words.one}>
          <dl className="facts-list">
            {facts
              .filter(([, value]) => value)
              .map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
          {one.resendOf && <Link href={`/settings/notices/${one.resendOf}`}>{words.resendOf}</Link>}
        </section>
        <section className="sheet" aria-label={words.text}>
          {one.body ? (
            <article className="notice">
              <h2>{one.header}</h2>
              <div ref={(place) => place?.replaceChildren(fillTemplate(one.body ?? "", {}))} />
            </article>
          ) : (
            <p className="help">{words.notWritten}</p>
          )}
        </section>
      </div>
    </>
  );
}

function ResendButton({ notice: one }: { notice: Notice }) {
  const words = useSettingsWords().notices;
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const sending = useMutation({
    mutationFn: () => resendNotice(one.id),
    onSuccess: async ({ id }) => {
      announce(words.resent);
      await client.invalidateQueries({ queryKey: ["notices"] });
      if (id) navigate(`/settings/notices/${id}`);
    },
  });
  return (
    <>
      <Button onPress={() => sending.mutate()} isDisabled={sending.isPending}>
        {words.resend}
      </Button>
      {sending.error && <ErrorMessage error={sending.error} />}
    </>
  );
}
