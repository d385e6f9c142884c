import { useFormats, useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { useAddress } from "./search-line.tsx";

export const PAGE = 30;

interface Props {
  total: number;
  /** The server gives no more of them by pages. */
  most?: number;
}

/** How many there are, and the way to those that do not stand here. */
export function Pager({ total, most }: Props) {
  const words = useWords();
  const formats = useFormats();
  const [, set] = useAddress();
  const last = Math.min(Math.max(1, Math.ceil(total / PAGE)), lastOf(most));
  const page = Math.min(usePage(most).offset / PAGE + 1, last);
  return (
    <div className="pager">
      <p role="status">{words.list.found(formats.number(total))}</p>
      {last > 1 && (
        <>
          <Button isDisabled={page <= 1} onPress={() => set({ page: page > 2 ? String(page - 1) : undefined })}>
            {words.list.previous}
          </Button>
          <span>{words.list.page(page, last)}</span>
          <Button isDisabled={page >= last} onPress={() => set({ page: String(page + 1) })}>
            {words.list.next}
          </Button>
        </>
      )}
      {page > 1 && page === lastOf(most) && (
        <p className="banner warn">{words.list.firstOnly(formats.number(last * PAGE))}</p>
      )}
    </div>
  );
}

const lastOf = (most = Number.POSITIVE_INFINITY) => Math.floor(most / PAGE);

/** The part of a list that the address asks for. */
export function usePage(most?: number): { limit: number; offset: number } {
  const [get] = useAddress();
  const asked = Math.max(1, Math.floor(Number(get("page"))) || 1);
  return { limit: PAGE, offset: (Math.min(asked, lastOf(most)) - 1) * PAGE };
}
