/** The common part of the forms of all profiles: name, description, problems, and saving, copying, deleting. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link, useLocation } from "wouter";
import { createRefusal, Refused } from "../../api/http.ts";
import { type Profile, type Relation, removeProfile, storeProfile } from "../../api/import-profiles.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { clearUnsavedForm } from "../../parts/guarded-location.ts";
import { DialogOpener } from "../../parts/opens.tsx";
import { ErrorMessage } from "../../parts/states.tsx";
import { UnsavedChangesPrompt } from "../../parts/unsaved.tsx";
import { refusalTexts } from "../../refusals/texts.ts";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { KINDS, type ProfileSlug, pathOf, permissionTo } from "./kinds.ts";
import { type Problems, problemsOf } from "./problems.ts";
import { useProfileWords } from "./words/index.tsx";

interface Props<Kept extends Profile> {
  slug: ProfileSlug;
  stored: Kept;
  draft: Kept;
  change: (part: Partial<Kept>) => void;
  isChanged: boolean;
  /** Checks the form before it is sent: messages by field. */
  check?: () => Problems;
  /** The profile to save, and the relations to add and to delete. */
  profileToSave: () => { profile: Kept; added?: Relation[]; deleted?: Relation[] };
  beside?: ReactNode;
  children: (errorAt: (place: string) => string | undefined) => ReactNode;
}

const NO_PROBLEMS: Problems = {};

export function ProfileForm<Kept extends Profile>(props: Props<Kept>) {
  const { slug, stored, draft, change, isChanged, check = () => NO_PROBLEMS, profileToSave, beside, children } = props;
  const words = useProfileWords();
  const common = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const isNew = stored.id === undefined;
  const allowed = may(permissionTo(isNew ? "post" : "put", slug));
  const form = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<Problems>(NO_PROBLEMS);
  const saving = useMutation({
    mutationFn: async () => {
      const { profile, added = [], deleted = [] } = profileToSave();
      return storeProfile(KINDS[slug].path, { ...profile, name: profile.name.trim() }, { added, deleted });
    },
    onSuccess: async (id) => {
      announce(words.saved);
      clearUnsavedForm();
      // Navigates first: reloading the stored profile would reset this form.
      navigate(`/import/profiles/${slug}/${id}`, { replace: isNew });
      await client.invalidateQueries({ queryKey: ["import-profiles"] });
    },
  });
  const placed = problemsOf(saving.error, words, (refusal) => refusalTexts([refusal], common).join(" "));
  const problems = { ...placed.fields, ...own };
  const isSaid = Object.keys(placed.fields).length + placed.rest.length > 0;
  const save = () => {
    const wrong = { ...(draft.name.trim() === "" && { name: words.needed }), ...check() };
    setOwn(wrong);
    if (Object.keys(wrong).length === 0 && !saving.isPending) saving.mutate();
  };
  // Clears the problems after a change: a field marked as invalid would keep the form from being sent.
  const { reset } = saving;
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of what is written
  useEffect(() => {
    reset();
    setOwn(NO_PROBLEMS);
  }, [draft, reset]);
  const shortcut = useRef(save);
  shortcut.current = save;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      // Dialogs have keys of their own.
      if (document.querySelector(".veil") !== null) return;
      event.preventDefault();
      event.stopPropagation();
      shortcut.current();
    };
    // Captured, because buttons that open lists would handle Enter themselves.
    window.addEventListener("keydown", pressed, true);
    return () => window.removeEventListener("keydown", pressed, true);
  }, []);
  // Moves the focus to the first problem.
  useEffect(() => {
    if (saving.error || own !== NO_PROBLEMS) {
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid] button, [data-mistake]")?.focus();
    }
  }, [saving.error, own]);
  return (
    <>
      <header className="settings-head">
        <h1>{isNew ? words.kinds[slug].add : <bdi>{stored.name}</bdi>}</h1>
        {!isNew && may(permissionTo("post", slug)) && (
          <Link className="button" href={`/import/profiles/${slug}/new?like=${stored.id}`}>
            {words.copy}
          </Link>
        )}
      </header>
      <div className={beside ? "with-beside import-beside" : ""}>
        <Form
          ref={form}
          className="form settings-form"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          {!allowed && <p className="banner">{words.readOnly}</p>}
          <fieldset className="whole" disabled={!allowed}>
            <section className="sheet" aria-label={words.kinds[slug].one}>
              <div className="fields">
                <Field
                  label={words.name}
                  value={draft.name}
                  onChange={(name) => change({ name } as Partial<Kept>)}
                  error={problems.name}
                  autoFocus={isNew}
                />
                <Field
                  className="wide"
                  label={words.description}
                  value={draft.description ?? ""}
                  onChange={(description) => change({ description } as Partial<Kept>)}
                  error={problems.description}
                  lines={2}
                />
              </div>
            </section>
            {children((place) => problems[place])}
          </fieldset>
          {placed.rest.map((problem) => (
            <p className="banner bad" role="alert" key={problem}>
              {problem}
            </p>
          ))}
          {saving.error && !isSaid && <ErrorMessage error={saving.error} />}
          {Object.keys(problems).length > 0 && (
            <p className="unseen" role="alert">
              {Object.values(problems).join(" ")}
            </p>
          )}
          <div className="session-end">
            {!isNew && may(permissionTo("delete", slug)) && <DeleteButton slug={slug} profile={stored} />}
            {allowed && (
              <Button kind="primary" type="submit" isDisabled={saving.isPending}>
                {common.save}
              </Button>
            )}
          </div>
        </Form>
        {beside}
      </div>
      {!isNew && <UsedByList profile={stored} slug={slug} />}
      <UnsavedChangesPrompt isUnsaved={isChanged && allowed} />
    </>
  );
}

function DeleteButton({ slug, profile: { id = "", name } }: { slug: ProfileSlug; profile: Profile }) {
  const words = useProfileWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <DialogOpener>
      <Button kind="danger">{words.delete}</Button>
      <FormDialog
        title={words.deleteTitle(name)}
        submit={words.delete}
        danger
        onSubmit={async () => {
          await removeProfile(KINDS[slug].path, id).catch((error) => {
            const said = error instanceof Refused && error.status === 409 ? words.stillUsed : undefined;
            const own = error instanceof Refused && error.status === 400 ? words.folioOwn : undefined;
            const text = said ?? own;
            throw text ? createRefusal(409, text) : error;
          });
          announce(words.deleted);
          clearUnsavedForm();
          navigate(`/import/profiles/${slug}`);
          await client.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(id) });
        }}
      >
        <p>{words.deleteHelp}</p>
      </FormDialog>
    </DialogOpener>
  );
}

/** The profiles that use this one; no profile uses a job profile. */
function UsedByList({ slug, profile: { parentProfiles = [] } }: { slug: ProfileSlug; profile: Profile }) {
  const words = useProfileWords();
  if (slug === "jobs") return null;
  const users = new Map(
    parentProfiles.map(({ contentType, profileId, content }) => [
      pathOf(contentType, profileId ?? content.id),
      content.name,
    ]),
  );
  return (
    <section className="work" aria-label={words.usedBy}>
      <h2>{words.usedBy}</h2>
      {users.size === 0 && <p className="help">{words.usedNowhere}</p>}
      <ul className="rows">
        {[...users].map(([path, name]) => (
          <li className="row short" key={path}>
            <Link href={path}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
