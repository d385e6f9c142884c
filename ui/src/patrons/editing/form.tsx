/** The form of a patron's record. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Form } from "react-aria-components/Form";
import { Link, useLocation } from "wouter";
import type { User } from "../../api/records.ts";
import { Button } from "../../parts/button.tsx";
import { useDraft } from "../../parts/draft.ts";
import { clearUnsavedForm } from "../../parts/guarded-location.ts";
import { NotSavedMessage } from "../../parts/not-saved.tsx";
import { patronName } from "../../parts/portrait.tsx";
import { UnsavedChangesPrompt } from "../../parts/unsaved.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useWords } from "../../words/index.tsx";
import { hasValueRefusals } from "../custom/refusals.ts";
import { CustomSection, useCustomFields } from "../custom/section.tsx";
import { draftPath } from "../custom/values.ts";
import { MergePatron } from "../merging/merge.tsx";
import { usePhoto } from "../photo/photo.ts";
import { PhotoSection } from "../photo/section.tsx";
import { usePatronWords } from "../words/index.tsx";
import { Addresses } from "./addresses.tsx";
import { type Draft, hasChanges, toUser } from "./draft.ts";
import { LikelyNamesakes, NamesakeDialog } from "./likely.tsx";
import { changedFields, type Namesake, namesakes } from "./namesakes.ts";
import { findProblem } from "./refusals.ts";
import { RemovePatron } from "./remove.tsx";
import { CardSection, ContactSection, MoreSection, NameSection } from "./sections.tsx";
import { usePatronWriting } from "./writing.ts";

const PHOTO_LINK = "personal.profilePictureLink";

interface Props {
  stored: Draft;
  /** The record as the server has sent it; undefined for a new patron. */
  read?: User;
}

export function PatronForm({ stored, read }: Props) {
  const words = usePatronWords();
  const common = useWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const { draft, change, save } = useDraft(stored);
  const { id, write, readAgain } = usePatronWriting(read);
  const photo = usePhoto(stored[PHOTO_LINK]);
  const [found, setFound] = useState<Namesake[]>();
  const form = useRef<HTMLFormElement>(null);
  const compared = changedFields(draft, stored);
  const saving = useMutation({
    mutationFn: async ({ sure }: { sure: boolean }) => {
      const likely = sure ? [] : await client.fetchQuery({ ...namesakes(compared), staleTime: 0 });
      if (likely.length > 0) return setFound(likely);
      const link = await photo.store();
      // If the photo was not changed here, a photo that somebody else has saved meanwhile stays.
      const isKept = photo.choice.is === "kept";
      await save((record) => write(isKept ? record : { ...record, [PHOTO_LINK]: link }), readAgain);
      await photo.settle(link);
      const user = toUser(draft);
      await Promise.all(["patron", "patrons", "borrower"].map((key) => client.invalidateQueries({ queryKey: [key] })));
      announce(words.saved(patronName(user)));
      clearUnsavedForm();
      navigate(`/patrons/${id}`);
    },
  });
  const problem = findProblem(saving.error);
  const edit = (part: Draft) => {
    // The refused value may be correct now; a field that stays marked as invalid would keep the form from being sent
    // again.
    if (!saving.isPending) saving.reset();
    change(part);
  };
  useEffect(() => {
    if (saving.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [saving.error]);
  const names = new Map(useCustomFields().map(({ refId, name }) => [draftPath(refId) as string, name]));
  const editing = { draft, change: edit, problem };
  return (
    <Form
      className="form settings-form patron-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        // A disabled button would lose the focus, and when the server has refused the form, the keyboard would not
        // reach it any more.
        if (!saving.isPending) saving.mutate({ sure: false });
      }}
    >
      <NameSection {...editing}>
        <LikelyNamesakes compared={compared} />
      </NameSection>
      <PhotoSection photo={photo} user={read} />
      <CardSection {...editing} />
      <ContactSection {...editing} />
      <section className="sheet" aria-label={words.sections.addresses}>
        <Addresses {...editing} />
      </section>
      <CustomSection draft={draft} change={edit} error={saving.error} />
      <MoreSection {...editing} />
      {saving.error && !problem && !hasValueRefusals(saving.error) && (
        <NotSavedMessage
          error={saving.error}
          changedMessage={(fields) =>
            words.changedMeanwhile(fields.map((field) => words.fields[field] ?? names.get(field) ?? field))
          }
          deletedMessage={words.gone}
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
        <NamesakeDialog
          found={found}
          onBack={() => setFound(undefined)}
          onGoOn={() => {
            setFound(undefined);
            saving.mutate({ sure: true });
          }}
        />
      )}
      <UnsavedChangesPrompt isUnsaved={hasChanges(draft, stored) || photo.choice.is !== "kept"} />
    </Form>
  );
}
