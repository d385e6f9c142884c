/** The form of a patron's record. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link, useLocation } from "wouter";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { useDraft } from "../../parts/draft.ts";
import { allSaved } from "../../parts/guarded-location.ts";
import { NotSaved } from "../../parts/not-saved.tsx";
import { nameOf } from "../../parts/portrait.tsx";
import { AsksBeforeLeaving } from "../../parts/unsaved.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useWords } from "../../words/index.tsx";
import { isOfValues } from "../custom/refusals.ts";
import { CustomSection, useCustomFields } from "../custom/section.tsx";
import { pathOf } from "../custom/values.ts";
import { MergePatron } from "../merging/merge.tsx";
import { usePhoto } from "../photo/photo.ts";
import { PhotoSection } from "../photo/section.tsx";
import { usePatronWords } from "../words/index.tsx";
import { Addresses } from "./addresses.tsx";
import { type Draft, differs, finished } from "./draft.ts";
import { IsItOneOfThese, Likely } from "./likely.tsx";
import { changedOf, type Namesake, namesakes } from "./namesakes.ts";
import { problemOf } from "./refusals.ts";
import { RemovePatron } from "./remove.tsx";
import { CardSection, ContactSection, MoreSection, NameSection } from "./sections.tsx";
import { useWriting } from "./writing.ts";

const LINK = "personal.profilePictureLink";

interface Props {
  stored: Draft;
  /** As the server has given it; a new patron has not been given. */
  read?: User;
}

export function PatronForm({ stored, read }: Props) {
  const words = usePatronWords();
  const common = useWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { draft, change, save } = useDraft(stored);
  const { id, write, readAgain } = useWriting(read);
  const photo = usePhoto(stored[LINK]);
  const [found, setFound] = useState<Namesake[]>();
  const form = useRef<HTMLFormElement>(null);
  const compared = changedOf(draft, stored);
  const saving = useMutation({
    mutationFn: async ({ sure }: { sure: boolean }) => {
      const likely = sure ? [] : await client.fetchQuery({ ...namesakes(compared), staleTime: 0 });
      if (likely.length > 0) return setFound(likely);
      const link = await photo.store();
      // Where nobody has touched the photo here, that of whoever was quicker stays.
      const isKept = photo.choice.is === "kept";
      await save((record) => write(isKept ? record : { ...record, [LINK]: link }), readAgain);
      await photo.settle(link);
      const user = finished(draft);
      await Promise.all(["patron", "patrons", "borrower"].map((key) => client.invalidateQueries({ queryKey: [key] })));
      announce(words.saved(nameOf(user)));
      allSaved();
      navigate(`/patrons/${id}`);
    },
  });
  const problem = problemOf(saving.error);
  const edit = (part: Draft) => {
    // What was wrong may be right now: a field that stays marked would keep the form from being sent again.
    if (!saving.isPending) saving.reset();
    change(part);
  };
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [saving.error]);
  const names = new Map(useCustomFields().map(({ refId, name }) => [pathOf(refId) as string, name]));
  const editing = { draft, change: edit, problem };
  return (
    <Form
      className="form settings-form patron-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        // A disabled button would lose the focus, and keys would not find the form when the server has refused it.
        if (!saving.isPending) saving.mutate({ sure: false });
      }}
    >
      <NameSection {...editing}>
        <Likely compared={compared} />
      </NameSection>
      <PhotoSection photo={photo} user={read} />
      <CardSection {...editing} />
      <ContactSection {...editing} />
      <section className="sheet" aria-label={words.sections.addresses}>
        <Addresses {...editing} />
      </section>
      <CustomSection draft={draft} change={edit} error={saving.error} />
      <MoreSection {...editing} />
      {saving.error && !problem && !isOfValues(saving.error) && (
        <NotSaved
          error={saving.error}
          changed={(fields) =>
            words.changedMeanwhile(fields.map((field) => words.fields[field] ?? names.get(field) ?? field))
          }
          gone={words.gone}
        />
      )}
      <div className="session-end">
        {read && <RemovePatron user={read} />}
        {read && <MergePatron user={read} />}
        <Link className="button" href={read ? `/patrons/${read.id}` : "/patrons"}>
          {common.cancel}
        </Link>
        <Button kind="primary" type="submit">
          {common.save}
        </Button>
      </div>
      {found && (
        <IsItOneOfThese
          found={found}
          onBack={() => setFound(undefined)}
          onGoOn={() => {
            setFound(undefined);
            saving.mutate({ sure: true });
          }}
        />
      )}
      <AsksBeforeLeaving isUnsaved={differs(draft, stored) || photo.choice.is !== "kept"} />
    </Form>
  );
}
