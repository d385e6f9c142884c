import type { Words } from "../words/en.ts";
import type { Destination } from "./session.ts";

export function destinationText({ is, name }: Destination, words: Words): string {
  return is === "other" ? name : words.checkIn.goes[is](name);
}
