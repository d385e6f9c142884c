/** The settings: which there are, and the page of each. */

import type { ReactNode } from "react";
import { Link, Redirect, Route, Switch, useParams, useSearch } from "wouter";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { BlockLimits } from "./block-limits.tsx";
import { CalendarList } from "./calendars/list.tsx";
import { CalendarPage } from "./calendars/page.tsx";
import { OptionsLost, ValuesLost } from "./custom-fields/consequences.tsx";
import { CustomFieldList } from "./custom-fields/list.tsx";
import { Directory } from "./directory.tsx";
import type { Kind, Stored } from "./kind.ts";
import { GROUPS } from "./kinds/index.ts";
import { KindList } from "./list.tsx";
import { BesideTemplate } from "./notices/beside.tsx";
import { BesideMail } from "./notices/beside-mail.tsx";
import { NoticePage, Notices } from "./notices/ledger.tsx";
import { BesideSlip } from "./notices/slip-beside.tsx";
import { Pictures } from "./pictures.tsx";
import { CALENDARS, DIRECTORY, type Face, faceOf, LEDGER, PICTURES, SIGN_ON, settingsLike } from "./places.ts";
import { RecordPage, TheOnePage } from "./record.tsx";
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
        <Route path="/settings/letters/:id?" component={FormerLedger} />
        <Route path="/settings/:slug" component={ListPage} />
        <Route path="/settings/:slug/:id" component={OnePage} />
      </Switch>
    </div>
  );
}

/** The address that the ledger of patron notices had before: bookmarks lead on to where it is now. */
function FormerLedger() {
  const { id } = useParams();
  const search = useSearch();
  return <Redirect to={`/settings/${ledger.slug}${id ? `/${id}` : ""}${search && `?${search}`}`} replace />;
}

/** What has a page, whether it is a record with a form or drawn in a way of its own. */
interface Place extends Face {
  list: () => ReactNode;
  one: (id: string) => ReactNode;
}

const ofKind = (kind: Kind): Place => ({
  ...faceOf(kind),
  list: () =>
    kind.single ? (
      <TheOnePage kind={kind} beside={BESIDE[kind.name]} />
    ) : (
      (LISTS[kind.name] ?? <KindList kind={kind} />)
    ),
  one: (id) =>
    kind.single || (id === "new" && kind.fixed) ? (
      <Redirect to={`/settings/${kind.slug}`} replace />
    ) : (
      <RecordPage kind={{ ...kind, lost: LOST[kind.name] }} id={id} beside={BESIDE[kind.name]} />
    ),
});

/** Lists that are not drawn as the others are. */
const LISTS: Partial<Record<Kind["name"], ReactNode>> = { customFields: <CustomFieldList /> };

const LOST: Partial<Record<Kind["name"], Kind["lost"]>> = {
  customFields: (field) => <ValuesLost field={field} />,
};

/** What stands beside the form of a kind. */
const BESIDE: Partial<Record<Kind["name"], (record: Stored, onChange: (record: Stored) => void) => ReactNode>> = {
  roles: (draft, onChange) => <BesideRole draft={draft} onChange={onChange} />,
  slips: (draft, onChange) => <BesideSlip draft={draft} onChange={onChange} />,
  templates: (draft, onChange) => <BesideTemplate draft={draft} onChange={onChange} />,
  mailServer: () => <BesideMail />,
  blockConditions: (condition) => <BlockLimits condition={condition} />,
  customFields: (draft) => <OptionsLost draft={draft} />,
  webhooks: (draft) => <BesideWebhook draft={draft} />,
};

const calendars: Place = {
  ...CALENDARS,
  list: () => <CalendarList />,
  one: (id) => <CalendarPage id={id} />,
};

const ledger: Place = {
  ...LEDGER,
  list: () => <Notices />,
  one: (id) => <NoticePage id={id} />,
};

const pictures: Place = {
  ...PICTURES,
  list: () => <Pictures />,
  one: () => <Redirect to={`/settings/${PICTURES.slug}`} replace />,
};

const signOn: Place = {
  ...SIGN_ON,
  list: () => <SignOn />,
  one: () => <Redirect to={`/settings/${SIGN_ON.slug}`} replace />,
};

const directory: Place = {
  ...DIRECTORY,
  list: () => <Directory />,
  one: () => <Redirect to={`/settings/${DIRECTORY.slug}`} replace />,
};

const PLACES = {
  policies: GROUPS.policies.map(ofKind),
  notices: [...GROUPS.notices.map(ofKind), ledger],
  library: [...GROUPS.library.map(ofKind), calendars],
  patrons: [...GROUPS.patrons.map(ofKind), pictures],
  copies: GROUPS.copies.map(ofKind),
  titles: GROUPS.titles.map(ofKind),
  fees: GROUPS.fees.map(ofKind),
  staff: [...GROUPS.staff.map(ofKind), signOn, directory],
} as const satisfies Record<string, readonly Place[]>;

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
      {text.trim() && <Found text={text} />}
      {!text.trim() &&
        (Object.keys(PLACES) as (keyof typeof PLACES)[]).map((group) => {
          const open = PLACES[group].filter(({ needs }) => may(needs));
          const withRules = group === "policies" && may(RULES.needs);
          if (open.length === 0 && !withRules) return null;
          return (
            <section key={group} aria-label={words.groups[group]} className="places-of-settings">
              <h2>{words.groups[group]}</h2>
              <ul>
                {withRules && <Card path={RULES.path} many={words.groups.rules} help={words.groups.rulesHelp} />}
                {open.map(({ slug, says }) => (
                  <Card key={slug} path={`/settings/${slug}`} {...says(words)} />
                ))}
              </ul>
            </section>
          );
        })}
    </>
  );
}

/** What is searched for: a setting by its name, by what it is for, or by what its form asks. */
function Found({ text }: { text: string }) {
  const words = useSettingsWords();
  const may = useMay();
  const found = settingsLike(text, words).filter(({ needs }) => may(needs));
  return (
    <section aria-label={words.search} className="places-of-settings">
      <p role="status">{found.length === 0 ? words.noneAbout(text) : words.found(found.length)}</p>
      <ul>
        {found.map(({ slug, says, label }) => (
          <Card key={slug} path={`/settings/${slug}`} many={says(words).many} help={label ?? says(words).help} />
        ))}
      </ul>
    </section>
  );
}

function Card({ path, many, help }: { path: string; many: string; help: string }) {
  return (
    <li>
      <Link href={path}>{many}</Link>
      <p>{help}</p>
    </li>
  );
}

function usePlace(): Place | undefined {
  const { slug } = useParams();
  return Object.values<readonly Place[]>(PLACES)
    .flat()
    .find((place) => place.slug === slug);
}

function ListPage() {
  const words = useSettingsWords();
  const place = usePlace();
  if (place === undefined) return <NoSuchPage />;
  return (
    <>
      <Crumbs />
      <h1>{place.says(words).many}</h1>
      <Allowed place={place} key={place.slug}>
        {place.list()}
      </Allowed>
    </>
  );
}

function OnePage() {
  const { id = "" } = useParams();
  const place = usePlace();
  if (place === undefined) return <NoSuchPage />;
  return (
    <>
      <Crumbs place={place} />
      <Allowed place={place} key={`${place.slug} ${id}`}>
        {place.one(id)}
      </Allowed>
    </>
  );
}

function Crumbs({ place }: { place?: Place }) {
  const words = useSettingsWords();
  return (
    <nav className="crumbs" aria-label={words.back}>
      <Link href="/settings">{words.title}</Link>
      {place && <Link href={`/settings/${place.slug}`}>{place.says(words).many}</Link>}
    </nav>
  );
}

function Allowed({ place, children }: { place: Place; children: ReactNode }) {
  const may = useMay();
  const common = useWords();
  const words = useSettingsWords();
  if (may(place.needs)) return children;
  return <p className="banner">{common.noAccess(place.says(words).many)}</p>;
}

function NoSuchPage() {
  return <Empty>{useWords().notFound}</Empty>;
}
