/** The first syntax error in the rules. The server reads them with the parser that it uses for circulation. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { ask, Refused } from "../api/http.ts";

export interface Mistake {
  line: number;
  column: number;
  message: string;
}

const TYPING_PAUSE_MS = 300;

export function useMistake(text: string): Mistake | undefined {
  const [asked, askAbout] = useState(text);
  const typed = useDeferredValue(text);
  useEffect(() => {
    const timer = setTimeout(() => askAbout(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const reading = useQuery({
    queryKey: ["rules", "mistake", asked],
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => findMistake(asked),
  });
  return reading.data ?? undefined;
}

/** The first mistake in these rules; null if they have none. */
export async function findMistake(rulesAsText: string): Promise<Mistake | null> {
  try {
    await ask("/octavo/rules/simulate", { method: "POST", body: { rulesAsText, days: 1, examples: 0 } });
    return null;
  } catch (error) {
    const mistake = mistakeFromError(error);
    if (mistake) return mistake;
    throw error;
  }
}

function mistakeFromError(error: unknown): Mistake | undefined {
  const body = error instanceof Refused ? (error.body as Partial<Mistake> | undefined) : undefined;
  return body?.line === undefined
    ? undefined
    : { line: body.line, column: body.column ?? 0, message: body.message ?? "" };
}
