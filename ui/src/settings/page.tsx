/** The settings: which there are, and the page of each. */

import type { ReactNode } from "react";
import { Link, Redirect, Route, Switch, useParams, useSearch } from "wouter";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { EmptyMessage } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { BlockLimits } from "./block-limits.tsx";
import { CalendarList } from "./calendars/list.tsx";
import { CalendarPage } from "./calendars/page.tsx";
import { DeletedOptionsWarning, DeletedValuesWarning } from "./custom-fields/consequences.tsx";
import { CustomFieldList } from "./custom-fields/list.tsx";
import { Directory } from "./directory.tsx";
import type { Kind, SettingRecord } from "./kind.ts";
import { GROUPS } from "./kinds/index.ts";
import { KindList } from "./list.tsx";
import { BesideTemplate } from "./notices/beside.tsx";
import { BesideMail } from "./notices/beside-mail.tsx";
import { NoticeLedger, NoticePage } from "./notices/ledger.tsx";
import { BesideSlip } from "./notices/slip-beside.tsx";
import { Pictures } from "./pictures.tsx";
import {
  CALENDARS,
  DIRECTORY,
  entryOfKind,
  findSettings,
  LEDGER,
  PICTURES,
  type SettingsEntry,
  SIGN_ON,
} from "./places.ts";
import { RecordPage, SingleRecordPage } from "./record.tsx";
import { BesideRole } from "./role-beside.tsx";
import { SignOn } from "./sign-on.tsx";
import { BesideWebhook } from "./webhook-beside.tsx";
import { useSettingsWords } from "./words/index.tsx";
import "./settings.css";

export default function Settings() {
  return (
    <div className="desk-page settings">
      <Switch>
        <Route path="/settings" component={Overview} />
        <Route path="/settings/letters/:id?" component={LedgerRedirect} />
        <Route path="/settings/:slug" component={ListRoute} />
        <Route path="/settings/:slug/:id" component={RecordRoute} />
      </Switch>
    </div>
  );
}

/** The address that the ledger of patron notices had before: bookmarks lead on to where it is now. */
function LedgerRedirect() {
  const { id } = useParams();
  const search = useSearch();
  return <Redirect to={`/settings/${ledger.slug}${id ? `/${id}` : ""}${search && `?${search}`}`} replace />;
}

/** A page of the settings, whether it has a generic form or a design of its own. */
interface SettingsPlace extends SettingsEntry {
  list: () => ReactNode;
  one: (id: string) => ReactNode;
}

const placeOfKind = (kind: Kind): SettingsPlace => ({
  ...entryOfKind(kind),
  list: () =>
    kind.isSingle ? (
      <SingleRecordPage kind={kind} beside={ASIDES[kind.name]} />
    ) : (
      (LISTS[kind.name] ?? <KindList kind={kind} />)
    ),
  one: (id) =>
    kind.isSingle || (id === "new" && kind.hasFixedRecords) ? (
      <Redirect to={`/settings/${kind.slug}`} replace />
    ) : (
      <RecordPage
        kind={{ ...kind, deletionWarning: DELETION_WARNINGS[kind.name] }}
        id={id}
        beside={ASIDES[kind.name]}
      />
    ),
});

/** Kinds with a list of their own design. */
const LISTS: Partial<Record<Kind["name"], ReactNode>> = { customFields: <CustomFieldList /> };

const DELETION_WARNINGS: Partial<Record<Kind["name"], Kind["deletionWarning"]>> = {
  customFields: (field) => <DeletedValuesWarning field={field} />,
};

/** Content beside the form, by kind. */
const ASIDES: Partial<
  Record<Kind["name"], (record: SettingRecord, onChange: (record: SettingRecord) => void) => ReactNode>
> = {
  roles: (draft, onChange) => <BesideRole draft={draft} onChange={onChange} />,
  slips: (draft, onChange) => <BesideSlip draft={draft} onChange={onChange} />,
  templates: (draft, onChange) => <BesideTemplate draft={draft} onChange={onChange} />,
  mailServer: () => <BesideMail />,
  blockConditions: (condition) => <BlockLimits condition={condition} />,
  customFields: (draft) => <DeletedOptionsWarning draft={draft} />,
  webhooks: (draft) => <BesideWebhook draft={draft} />,
};

const calendars: SettingsPlace = {
  ...CALENDARS,
  list: () => <CalendarList />,
  one: (id) => <CalendarPage id={id} />,
};

const ledger: SettingsPlace = {
  ...LEDGER,
  list: () => <NoticeLedger />,
  one: (id) => <NoticePage id={id} />,
};

const pictures: SettingsPlace = {
  ...PICTURES,
  list: () => <Pictures />,
  one: () => <Redirect to={`/settings/${PICTURES.slug}`} replace />,
};

const signOn: SettingsPlace = {
  ...SIGN_ON,
  list: () => <SignOn />,
  one: () => <Redirect to={`/settings/${SIGN_ON.slug}`} replace />,
};

const directory: SettingsPlace = {
  ...DIRECTORY,
  list: () => <Directory />,
  one: () => <Redirect to={`/settings/${DIRECTORY.slug}`} replace />,
};

const PLACES = {
  policies: GROUPS.policies.map(placeOfKind),
  notices: [...GROUPS.notices.map(placeOfKind), ledger],
  library: [...GROUPS.library.map(placeOfKind), calendars],
  patrons: [...GROUPS.patrons.map(placeOfKind), pictures],
  copies: GROUPS.copies.map(placeOfKind),
  titles: GROUPS.titles.map(placeOfKind),
  fees: GROUPS.fees.map(placeOfKind),
  staff: [...GROUPS.staff.map(placeOfKind), signOn, directory],
} as const satisfies Record<string, readonly SettingsPlace[]>;

const RULES = { path: "/rules", needs: "circulation.rules.get" };

function Overview() {
  const words = useSettingsWords();
  const [get] = useAddress();
  const text = get("query");
  const may = useMay();
  return (
    <>
      <h1>{words.title}</h1>
      <SearchLine label={words.search} help={words.searchHelp} isMain={false} />
      {text.trim() && <FoundSettings text={text} />}
      {!text.trim() &&
        (Object.keys(PLACES) as (keyof typeof PLACES)[]).map((group) => {
          const open = PLACES[group].filter(({ needs }) => may(needs));
          const withRules = group === "policies" && may(RULES.needs);
          if (open.length === 0 && !withRules) return null;
          return (
            <section key={group} aria-label={words.groups[group]} className="places-of-settings">
              <h2>{words.groups[group]}</h2>
              <ul>
                {withRules && (
                  <SettingsCard path={RULES.path} many={words.groups.rules} help={words.groups.rulesHelp} />
                )}
                {open.map(({ slug, texts }) => (
                  <SettingsCard key={slug} path={`/settings/${slug}`} {...texts(words)} />
                ))}
              </ul>
            </section>
          );
        })}
    </>
  );
}

/** Search results: settings by name, purpose or a field of their form. */
function FoundSettings({ text }: { text: string }) {
  const words = useSettingsWords();
  const may = useMay();
  const found = findSettings(text, words).filter(({ needs }) => may(needs));
  return (
    <section aria-label={words.search} className="places-of-settings">
      <p role="status">{found.length === 0 ? words.noneAbout(text) : words.found(found.length)}</p>
      <ul>
        {found.map(({ slug, texts, label }) => (
          <SettingsCard
            key={slug}
            path={`/settings/${slug}`}
            many={texts(words).many}
            help={label ?? texts(words).help}
          />
        ))}
      </ul>
    </section>
  );
}

function SettingsCard({ path, many, help }: { path: string; many: string; help: string }) {
  return (
    <li>
      <Link href={path}>{many}</Link>
      <p>{help}</p>
    </li>
  );
}

function usePlace(): SettingsPlace | undefined {
  const { slug } = useParams();
  return Object.values<readonly SettingsPlace[]>(PLACES)
    .flat()
    .find((place) => place.slug === slug);
}

function ListRoute() {
  const words = useSettingsWords();
  const place = usePlace();
  if (place === undefined) return <NoSuchPage />;
  return (
    <>
      <Breadcrumbs />
      <h1>{place.texts(words).many}</h1>
      <IfAllowed place={place} key={place.slug}>
        {place.list()}
      </IfAllowed>
    </>
  );
}

function RecordRoute() {
  const { id = "" } = useParams();
  const place = usePlace();
  if (place === undefined) return <NoSuchPage />;
  return (
    <>
      <Breadcrumbs place={place} />
      <IfAllowed place={place} key={`${place.slug} ${id}`}>
        {place.one(id)}
      </IfAllowed>
    </>
  );
}

function Breadcrumbs({ place }: { place?: SettingsPlace }) {
  const words = useSettingsWords();
  return (
    <nav className="crumbs" aria-label={words.back}>
      <Link href="/settings">{words.title}</Link>
      {place && <Link href={`/settings/${place.slug}`}>{place.texts(words).many}</Link>}
    </nav>
  );
}

function IfAllowed({ place, children }: { place: SettingsPlace; children: ReactNode }) {
  const may = useMay();
  const common = useWords();
  const words = useSettingsWords();
  if (may(place.needs)) return children;
  return <p className="banner">{common.noAccess(place.texts(words).many)}</p>;
}

function NoSuchPage() {
  return <EmptyMessage>{useWords().notFound}</EmptyMessage>;
}
