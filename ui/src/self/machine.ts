/**
 * The settings of the self-check machine in this browser. Kept in local storage, so that a reload or a power cut does
 * not open the desk.
 */

import { store } from "../shell/store.ts";
import type { Language } from "../words/languages.ts";

interface Machine {
  /** While it is on, this browser shows no other page of the desk. */
  on: boolean;
  asksPin: boolean;
  takesReturns: boolean;
  /** The language that is set again after each patron. */
  language: Language;
}

export const machine = store<Machine>(
  { on: false, asksPin: false, takesReturns: false, language: "en" },
  { name: "octavo.self-check", in: () => localStorage },
);
