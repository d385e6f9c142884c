/**
 * A row of a request queue that can be dragged by a handle onto another row. By keyboard Enter picks it up and drops
 * it, Tab moves from row to row, and Escape cancels.
 */

import { type ReactNode, type RefObject, useRef } from "react";
import { useDrag } from "react-aria-components/useDrag";
import { useDrop } from "react-aria-components/useDrop";
import { useWords } from "../words/index.tsx";

interface Props {
  id: string;
  name: string;
  /** The queue's id, since requests of other queues cannot be dropped here. */
  queue: string;
  isFixed: boolean;
  onTake: (id: string) => void;
}

interface QueuePlace {
  row: RefObject<HTMLLIElement | null>;
  rowProps: object;
  handle: ReactNode;
}

export function useQueuePlace({ id, name, queue, isFixed, onTake }: Props): QueuePlace {
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
