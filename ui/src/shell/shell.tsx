/** The frame around every page: navigation, finder, service point and preferences. */

import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, Suspense, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { tenants } from "../api/library.ts";
import { Choice } from "../parts/choice.tsx";
import { leavePage, unsavedForm } from "../parts/guarded-location.ts";
import { later } from "../parts/later.ts";
import { Logo } from "../parts/mark.tsx";
import { Announcements } from "../scanning/signals.tsx";
import { watchScans } from "../scanning/steer.ts";
import { useWords } from "../words/index.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { Finder } from "./finder/finder.tsx";
import { isPageAllowed, PAGES, type Page, type PageName } from "./pages.ts";
import { PreferencesMenu } from "./preferences-menu.tsx";
import { session, useMay, useMember, useServicePoint, workplace } from "./session.ts";
import { SignInAgain } from "./sign-in.tsx";

const OverrideBar = later(() => import("../check-out/override/bar.tsx"));

export function Shell({ children }: { children: ReactNode }) {
  const words = useWords();
  const now = session.use();
  const here = useCurrentPage()?.name;
  const library = useLibraryName();
  const { user } = useMember();
  useShortcuts();
  useEffect(watchScans, []);
  useEffect(() => {
    document.title = words.pageTitle(here ? words.pages[here] : words.desk, library);
  }, [words, here, library]);
  return (
    <>
      <a className="skip" href="#work">
        {words.skip}
      </a>
      <header className="masthead">
        <Link href="/" className="mark" aria-label={words.desk}>
          <Logo />
        </Link>
        <span className="library">{library}</span>
        <Finder />
        <ServicePointChoice />
        <PreferencesMenu />
      </header>
      <Navigation here={here} />
      <main id="work" tabIndex={-1}>
        <ConnectionBanner />
        <Suspense fallback={null}>
          <OverrideBar />
        </Suspense>
        <Announcements />
        {/* Somebody else begins each page anew. */}
        <Fragment key={user.id}>{children}</Fragment>
      </main>
      {now.is === "in" && now.expired && <SignInAgain />}
    </>
  );
}

function Navigation({ here }: { here: PageName | undefined }) {
  const words = useWords();
  const may = useMay();
  const line = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what moves the line
  useEffect(() => {
    // If the navigation is wider than the screen, it is scrolled until the current page is in the middle.
    const current = line.current?.querySelector<HTMLElement>("[aria-current]");
    if (!line.current || !current) return;
    const { offsetLeft, offsetWidth } = current;
    line.current.scrollLeft = offsetLeft - line.current.offsetLeft - (line.current.clientWidth - offsetWidth) / 2;
  }, [here]);
  return (
    <nav className="pages" aria-label={words.desk} ref={line}>
      {PAGES.filter((page) => isPageAllowed(page, may)).map(({ name, path, key }) => (
        <Link
          key={name}
          href={path}
          data-key={key}
          aria-current={name === here ? "page" : undefined}
          aria-keyshortcuts={`Alt+${key}`}
        >
          {words.pages[name]}
        </Link>
      ))}
    </nav>
  );
}

export function useCurrentPage(): Page | undefined {
  const [path] = useLocation();
  return PAGES.find((page) => path === page.path || path.startsWith(`${page.path}/`));
}

/** Alt and a letter opens a page, wherever the focus is. */
function useShortcuts(): void {
  const [, navigate] = useLocation();
  const may = useMay();
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // The key is recognised by its position on the keyboard, since with Option a Mac types another character.
      const page = PAGES.find(({ key }) => event.code === `Key${key}`);
      if (page === undefined || !isPageAllowed(page, may)) return;
      event.preventDefault();
      navigate(page.path);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [navigate, may]);
}

function ServicePointChoice() {
  const words = useWords();
  const { servicePoints } = useMember();
  const here = useServicePoint();
  return (
    <Choice
      className="here"
      label={words.servicePoint.label}
      hideLabel
      options={servicePoints}
      value={here?.id ?? null}
      onChange={(servicePoint) => {
        const choose = () => workplace.set((now) => ({ ...now, servicePoint }));
        if (unsavedForm.get().isOfServicePoint) leavePage(choose);
        else choose();
      }}
    />
  );
}

export function useLibraryName(): string {
  const { tenant } = workplace.use();
  const known = useQuery(tenants).data?.find(({ id }) => id === tenant);
  return known?.name ?? tenant ?? "";
}
