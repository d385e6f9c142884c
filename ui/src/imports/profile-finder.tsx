/**
 * Chooses one profile of a kind; each is shown with its description. Typing filters the list; arrow keys move in it.
 */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Text } from "react-aria-components/Text";
import { type Profile, searchProfiles } from "../api/import-profiles.ts";
import { useDebounced } from "../parts/settled.ts";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useFormats } from "../words/index.tsx";
import { useImportWords } from "./words/index.tsx";

const MAX_PROFILES = 50;

interface Props<Kept extends Profile> {
  /** As the server calls it, in the plural. */
  kind: string;
  label: string;
  help?: string;
  value: string | undefined;
  onChange: (profile: Kept) => void;
  /** Whether a found profile can be chosen here. */
  fits?: (profile: Kept) => boolean;
  autoFocus?: boolean;
}

export function ProfileFinder<Kept extends Profile>(props: Props<Kept>) {
  const { kind, label, help, value, onChange, fits = () => true, autoFocus = false } = props;
  const words = useImportWords().start;
  const formats = useFormats();
  const id = useId();
  const [text, setText] = useState("");
  const asked = useDebounced(text);
  const found = useQuery({
    queryKey: ["import-profiles", kind, "find", asked],
    queryFn: () => searchProfiles<Kept>(kind, { text: asked, limit: MAX_PROFILES }),
    placeholderData: keepPreviousData,
  });
  const all = (found.data?.profiles ?? []).filter((profile) => !profile.hidden && fits(profile));
  const total = found.data?.total ?? 0;
  return (
    <div className="profile-finder">
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <input
          id={id}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // Enter sends no form from here; it takes the only one that fits.
            if (event.key !== "Enter") return;
            event.preventDefault();
            if (all.length === 1 && all[0]) onChange(all[0]);
          }}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: in a dialog that is opened to choose
          autoFocus={autoFocus}
        />
        {help && <p className="help">{help}</p>}
      </div>
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <ListBox
          className="profile-options"
          aria-label={label}
          selectionMode="single"
          selectedKeys={value === undefined ? [] : [value]}
          onSelectionChange={(keys) => {
            const [key] = keys === "all" ? [] : [...keys];
            const chosen = all.find((profile) => profile.id === key);
            if (chosen) onChange(chosen);
          }}
          renderEmptyState={() => <p className="empty">{words.none}</p>}
        >
          {all.map(({ id, name, description }) => (
            <ListBoxItem className="option" key={id} id={id ?? name} textValue={name}>
              <Label>{name}</Label>
              {description && <Text slot="description">{description}</Text>}
            </ListBoxItem>
          ))}
        </ListBox>
      )}
      {total > MAX_PROFILES && (
        <p className="help">{words.more(formats.number(MAX_PROFILES), formats.number(total))}</p>
      )}
    </div>
  );
}
