/** The notes that staff write about patrons. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import type { NoteCollection } from "./octavo.ts";
import type { Note } from "./records.ts";

/** The page size of the list; no patron has more notes. */
const MAX_NOTES = 500;

export const notes = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "notes"],
    queryFn: async () =>
      (await ask<NoteCollection>(`/note-links/domain/users/type/user/id/${userId}?status=assigned&limit=${MAX_NOTES}`))
        .notes,
  });

export type NoteDraft = Omit<Note, "id"> & { id?: string };

export const newNote = (userId: string, typeId: string): NoteDraft => ({
  title: "",
  domain: "users",
  typeId,
  links: [{ id: userId, type: "user" }],
});

/** Members that the server sets by itself are not sent back. */
export function storeNote({ metadata: _, type: __, ...note }: NoteDraft): Promise<unknown> {
  if (note.id === undefined) return ask("/notes", { method: "POST", body: note });
  return ask(`/notes/${note.id}`, { method: "PUT", body: note });
}

/** Removes a note from this patron; a note that is linked to other patrons stays with them. */
export function removeNote(note: Note, userId: string): Promise<unknown> {
  const links = note.links?.filter(({ id }) => id !== userId) ?? [];
  return links.length > 0 ? storeNote({ ...note, links }) : ask(`/notes/${note.id}`, { method: "DELETE" });
}

/** FOLIO stores notes as HTML; the desk shows them as plain text, with a new line for each paragraph. */
export function htmlToText(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const end of page.querySelectorAll("br")) end.replaceWith("\n");
  for (const block of page.querySelectorAll("p, div, li, h1, h2, h3, h4, h5, h6")) block.append("\n");
  return (page.body.textContent ?? "").trim();
}

/** The opposite of `htmlToText`: each line becomes a paragraph. */
export function textToHtml(words: string): string {
  const escaped = (line: string) => line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return words.trim() === ""
    ? ""
    : words
        .trim()
        .split("\n")
        .map((line) => `<p>${escaped(line)}</p>`)
        .join("");
}
