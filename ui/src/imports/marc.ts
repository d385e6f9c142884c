/** MARC-in-JSON as cataloguers read it: a line for the leader and for each field. Pure. */

export interface MarcLine {
  tag: string;
  indicators: string;
  /** Of a control field one, without a code. */
  parts: { code: string; text: string }[];
}

interface Content {
  leader?: string;
  fields?: Record<string, string | { ind1?: string; ind2?: string; subfields?: Record<string, string>[] }>[];
}

/** `undefined` if it is no MARC. */
export function marcLines(parsed: unknown): MarcLine[] | undefined {
  const content = contentOf(parsed);
  if (content === undefined) return undefined;
  const leader = { tag: "LDR", indicators: "", parts: [{ code: "", text: content.leader ?? "" }] };
  const fields = (content.fields ?? []).flatMap((field) =>
    Object.entries(field).map(([tag, value]): MarcLine => {
      if (typeof value === "string") return { tag, indicators: "", parts: [{ code: "", text: value }] };
      const parts = (value.subfields ?? []).flatMap((subfield) =>
        Object.entries(subfield).map(([code, text]) => ({ code, text })),
      );
      return { tag, indicators: shown(value.ind1) + shown(value.ind2), parts };
    }),
  );
  return [leader, ...fields];
}

/** A blank is seen. */
const shown = (indicator = " ") => (indicator.trim() === "" ? "_" : indicator);

function contentOf(parsed: unknown): Content | undefined {
  if (typeof parsed === "string") {
    try {
      return contentOf(JSON.parse(parsed));
    } catch {
      return undefined;
    }
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  return "fields" in parsed || "leader" in parsed ? (parsed as Content) : undefined;
}
