import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";
import { useAddress } from "./search-line.tsx";

export const PAGE = 30;

/** How many there are, and the way to those that do not stand here. */
export function Pager({ total }: { total: number }) {
  const words = useWords();
  const [get, set] = useAddress();
  const page = Number(get("page")) || 1;
  const last = Math.max(1, Math.ceil(total / PAGE));
  return (
    <div className="pager">
      <p role="status">{words.list.found(total)}</p>
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
    </div>
  );
}

/** The part of a list that the address asks for. */
export function usePage(): { limit: number; offset: number } {
  const [get] = useAddress();
  return { limit: PAGE, offset: ((Number(get("page")) || 1) - 1) * PAGE };
}
