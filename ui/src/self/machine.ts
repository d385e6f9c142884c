/** How the self-check machine at this screen works. Kept in the browser, so that a reload or a power cut does not open the desk. */

import { store } from "../shell/store.ts";
import type { Language } from "../words/languages.ts";

interface Machine {
  /** While it runs, no other page of the desk is shown in this browser. */
  on: boolean;
  asksPin: boolean;
  takesReturns: boolean;
  /** To which it goes back after each patron. */
  language: Language;
}

export const machine = store<Machine>(
  { on: false, asksPin: false, takesReturns: false, language: "en" },
  { name: "octavo.self-check", in: () => localStorage },
);
