/**
 * A place in a queue that can be taken by hand: a handle to drag, and the row as the place where it is let go. The same by
 * keyboard: Enter takes it up and lets it go, Tab goes from place to place, Escape leaves everything as it was.
 */

import { type ReactNode, type RefObject, useRef } from "react";
import { useDrag } from "react-aria-components/useDrag";
import { useDrop } from "react-aria-components/useDrop";
import { useWords } from "../words/index.tsx";

interface Props {
  id: string;
  name: string;
  /** Requests of other queues do not belong here. */
  queue: string;
  isFixed: boolean;
  onTake: (id: string) => void;
}

interface Place {
  row: RefObject<HTMLLIElement | null>;
  rowProps: object;
  handle: ReactNode;
}

export function usePlace({ id, name, queue, isFixed, onTake }: Props): Place {
  const words = useWords();
  const row = useRef<HTMLLIElement>(null);
  const type = `octavo/queue-${queue}`;
  const { dragProps, isDragging } = useDrag({
    getItems: () => [{ [type]: id, "text/plain": name }],
    getAllowedDropOperations: () => ["move"],
    isDisabled: isFixed,
  });
  const { dropProps, isDropTarget } = useDrop({
    ref: row,
    isDisabled: isFixed || isDragging,
    getDropOperation: (types) => (types.has(type) ? "move" : "cancel"),
    onDrop: async ({ items }) => {
      const [taken] = items;
      if (taken?.kind === "text" && taken.types.has(type)) onTake(await taken.getText(type));
    },
  });
  return {
    row,
    rowProps: { ...dropProps, tabIndex: -1, "data-target": isDropTarget || undefined },
    handle: isFixed ? null : (
      // biome-ignore lint/a11y/useSemanticElements: Firefox drags no buttons
      <div
        {...dragProps}
        role="button"
        tabIndex={0}
        className="button quiet handle"
        aria-label={words.requests.drag(name)}
        data-dragging={isDragging || undefined}
      >
        <span aria-hidden="true">⠿</span>
      </div>
    ),
  };
}
