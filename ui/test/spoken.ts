/** The texts of the desk in each language, for tests that open the same pages in several languages. */

import { ar as drawerAr } from "../src/drawer/words/ar.ts";
import { de as drawerDe } from "../src/drawer/words/de.ts";
import { en as drawerEn } from "../src/drawer/words/en.ts";
import { ar as recordsAr } from "../src/inventory/words/records-ar.ts";
import { de as recordsDe } from "../src/inventory/words/records-de.ts";
import { en as recordsEn } from "../src/inventory/words/records-en.ts";
import { ar as labAr } from "../src/lab/words/ar.ts";
import { de as labDe } from "../src/lab/words/de.ts";
import { en as labEn } from "../src/lab/words/en.ts";
import { ar as listsAr } from "../src/lists/words/ar.ts";
import { de as listsDe } from "../src/lists/words/de.ts";
import { en as listsEn } from "../src/lists/words/en.ts";
import { ar as tableAr } from "../src/parts/table/words/ar.ts";
import { de as tableDe } from "../src/parts/table/words/de.ts";
import { en as tableEn } from "../src/parts/table/words/en.ts";
import { ar as selfAr } from "../src/self/words/ar.ts";
import { de as selfDe } from "../src/self/words/de.ts";
import { en as selfEn } from "../src/self/words/en.ts";
import { ar } from "../src/words/ar.ts";
import { de } from "../src/words/de.ts";
import { en, type Words } from "../src/words/en.ts";

export interface SpokenWords {
  desk: Words;
  drawer: typeof drawerEn;
  lab: typeof labEn;
  lists: typeof listsEn;
  records: typeof recordsEn;
  self: typeof selfEn;
  table: typeof tableEn;
}

export const spokenWords = {
  en: {
    desk: en,
    drawer: drawerEn,
    lab: labEn,
    lists: listsEn,
    records: recordsEn,
    self: selfEn,
    table: tableEn,
  },
  de: {
    desk: de,
    drawer: drawerDe,
    lab: labDe,
    lists: listsDe,
    records: recordsDe,
    self: selfDe,
    table: tableDe,
  },
  ar: {
    desk: ar,
    drawer: drawerAr,
    lab: labAr,
    lists: listsAr,
    records: recordsAr,
    self: selfAr,
    table: tableAr,
  },
} satisfies Record<string, SpokenWords>;

export type SpokenLanguage = keyof typeof spokenWords;
