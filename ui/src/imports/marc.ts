/** MARC-in-JSON as cataloguers read it: a line for the leader and for each field. Pure. */

export interface MarcLine {
  tag: string;
  indicators: string;
  /** Subfields; a control field has one part without a code. */
  parts: { code: string; text: string }[];
}

interface MarcContent {
  leader?: string;
  fields?: Record<string, string | { ind1?: string; ind2?: string; subfields?: Record<string, string>[] }>[];
}

/** `undefined` if it is no MARC. */
export function marcLines(parsed: unknown): MarcLine[] | undefined {
  const content = parseContent(parsed);
  if (content === undefined) return undefined;
  const leader = { tag: "LDR", indicators: "", parts: [{ code: "", text: content.leader ?? "" }] };
  const fields = (content.fields ?? []).flatMap((field) =>
    Object.entries(field).map(([tag, value]): MarcLine => {
      if (typeof value === "string") return { tag, indicators: "", parts: [{ code: "", text: value }] };
      const parts = (value.subfields ?? []).flatMap((subfield) =>
        Object.entries(subfield).map(([code, text]) => ({ code, text })),
      );
      return { tag, indicators: visibleIndicator(value.ind1) + visibleIndicator(value.ind2), parts };
    }),
  );
  return [leader, ...fields];
}

/** Shows a blank indicator as an underscore. */
const visibleIndicator = (indicator = " ") => (indicator.trim() === "" ? "_" : indicator);

function parseContent(parsed: unknown): MarcContent | undefined {
  if (typeof parsed === "string") {
    try {
      return parseContent(JSON.parse(parsed));
    } catch {
      return undefined;
    }
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  return "fields" in parsed || "leader" in parsed ? (parsed as MarcContent) : undefined;
}
