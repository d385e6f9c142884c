import { useFormats, useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { useAddress } from "./search-line.tsx";

export const PAGE_SIZE = 30;

interface Props {
  total: number;
  /** The server pages through no more than so many records. */
  most?: number;
}

/** The number of records found, and the buttons to the other pages. */
export function Pager({ total, most }: Props) {
  const words = useWords();
  const formats = useFormats();
  const [, set] = useAddress();
  const last = Math.min(Math.max(1, Math.ceil(total / PAGE_SIZE)), lastPage(most));
  const page = Math.min(usePage(most).offset / PAGE_SIZE + 1, last);
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
      {page > 1 && page === lastPage(most) && (
        <p className="banner warn">{words.list.firstOnly(formats.number(last * PAGE_SIZE))}</p>
      )}
    </div>
  );
}

const lastPage = (most = Number.POSITIVE_INFINITY) => Math.floor(most / PAGE_SIZE);

/** The limit and offset of the page that the address asks for. */
export function usePage(most?: number): { limit: number; offset: number } {
  const [get] = useAddress();
  const asked = Math.max(1, Math.floor(Number(get("page"))) || 1);
  return { limit: PAGE_SIZE, offset: (Math.min(asked, lastPage(most)) - 1) * PAGE_SIZE };
}
