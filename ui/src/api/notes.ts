/** What staff note down about patrons. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "./http.ts";
import type { NoteCollection } from "./octavo.ts";
import type { Note } from "./records.ts";

/** More than any patron has. */
const MANY = 500;

export const notes = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "notes"],
    queryFn: async () =>
      (await ask<NoteCollection>(`/note-links/domain/users/type/user/id/${userId}?status=assigned&limit=${MANY}`))
        .notes,
  });

export type NoteDraft = Omit<Note, "id"> & { id?: string };

export const noteAbout = (userId: string, typeId: string): NoteDraft => ({
  title: "",
  domain: "users",
  typeId,
  links: [{ id: userId, type: "user" }],
});

/** What the server keeps of a note by itself is not sent back. */
export function keepNote({ metadata: _, type: __, ...note }: NoteDraft): Promise<unknown> {
  if (note.id === undefined) return ask("/notes", { method: "POST", body: note });
  return ask(`/notes/${note.id}`, { method: "PUT", body: note });
}

/** Others of whom it is told keep it. */
export function removeNote(note: Note, userId: string): Promise<unknown> {
  const links = note.links?.filter(({ id }) => id !== userId) ?? [];
  return links.length > 0 ? keepNote({ ...note, links }) : ask(`/notes/${note.id}`, { method: "DELETE" });
}

/** Notes are HTML; the desk shows their words, each paragraph and line for itself. */
export function wordsOf(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const end of page.querySelectorAll("br")) end.replaceWith("\n");
  for (const block of page.querySelectorAll("p, div, li, h1, h2, h3, h4, h5, h6")) block.append("\n");
  return (page.body.textContent ?? "").trim();
}

/** The other way: each line is a paragraph. */
export function htmlOf(words: string): string {
  const escaped = (line: string) => line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return words.trim() === ""
    ? ""
    : words
        .trim()
        .split("\n")
        .map((line) => `<p>${escaped(line)}</p>`)
        .join("");
}
