/** The settings: which there are, and the page of each. */

import { Link, Redirect, Route, Switch, useParams } from "wouter";
import { Empty } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { BlockLimits } from "./block-limits.tsx";
import { type Kind, rightsTo, type Stored } from "./kind.ts";
import { GROUPS, type GroupName, KINDS } from "./kinds/index.ts";
import { KindList } from "./list.tsx";
import { RecordPage } from "./record.tsx";
import { useSettingsWords } from "./words/index.tsx";
import "./settings.css";

export default function Settings() {
  return (
    <div className="desk-page settings">
      <Switch>
        <Route path="/settings" component={Overview} />
        <Route path="/settings/:slug" component={ListPage} />
        <Route path="/settings/:slug/:id" component={OnePage} />
      </Switch>
    </div>
  );
}

interface Place {
  name: string;
  help: string;
  path: string;
}

/** What somebody may see, by group. */
function usePlaces(): { title: string; places: Place[] }[] {
  const words = useSettingsWords();
  const may = useMay();
  const rules = { name: words.groups.rules, help: words.groups.rulesHelp, path: "/rules" };
  const group = (name: GroupName): Place[] =>
    GROUPS[name]
      .filter((kind) => may(rightsTo.see(kind)))
      .map(({ name, slug }) => ({
        name: words.kinds[name].many,
        help: words.kinds[name].help,
        path: `/settings/${slug}`,
      }));
  return [
    {
      title: words.groups.policies,
      places: [...(may("circulation.rules.get") ? [rules] : []), ...group("policies")],
    },
  ].filter(({ places }) => places.length > 0);
}

function Overview() {
  const words = useSettingsWords();
  const groups = usePlaces();
  return (
    <>
      <h1>{words.title}</h1>
      {groups.map(({ title, places }) => (
        <section key={title} aria-label={title} className="places-of-settings">
          <h2>{title}</h2>
          <ul>
            {places.map(({ name, help, path }) => (
              <li key={path}>
                <Link href={path}>{name}</Link>
                <p>{help}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Crumbs({ kind }: { kind?: Kind }) {
  const words = useSettingsWords();
  return (
    <nav className="crumbs" aria-label={words.back}>
      <Link href="/settings">{words.title}</Link>
      {kind && <Link href={`/settings/${kind.slug}`}>{words.kinds[kind.name].many}</Link>}
    </nav>
  );
}

function useKind(): Kind | undefined {
  const { slug } = useParams();
  return KINDS.find((kind) => kind.slug === slug);
}

function ListPage() {
  const words = useSettingsWords();
  const kind = useKind();
  if (kind === undefined) return <NoSuchPage />;
  return (
    <>
      <Crumbs />
      <h1>{words.kinds[kind.name].many}</h1>
      <Allowed kind={kind}>
        <KindList kind={kind} key={kind.slug} />
      </Allowed>
    </>
  );
}

function OnePage() {
  const { id = "" } = useParams();
  const kind = useKind();
  if (kind === undefined) return <NoSuchPage />;
  if (id === "new" && kind.fixed) return <Redirect to={`/settings/${kind.slug}`} replace />;
  return (
    <>
      <Crumbs kind={kind} />
      <Allowed kind={kind}>
        <RecordPage kind={kind} id={id} beside={BESIDE[kind.name]} key={`${kind.slug} ${id}`} />
      </Allowed>
    </>
  );
}

const BESIDE: Partial<Record<Kind["name"], (record: Stored) => React.ReactNode>> = {
  blockConditions: (condition) => <BlockLimits condition={condition} />,
};

function Allowed({ kind, children }: { kind: Kind; children: React.ReactNode }) {
  const may = useMay();
  const common = useWords();
  const words = useSettingsWords();
  if (may(rightsTo.see(kind))) return children;
  return <p className="banner">{common.noAccess(words.kinds[kind.name].many)}</p>;
}

function NoSuchPage() {
  return <Empty>{useWords().notFound}</Empty>;
}
