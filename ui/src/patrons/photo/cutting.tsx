/** Which square of a picture is kept: dragged by hand, or set by keys. */

import { type PointerEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { useWords } from "../../words/index.tsx";
import { type Cut, cutOut, dragged, draw, FIRST, kept, LARGEST } from "./crop.ts";
import { usePhotoWords } from "./words/index.tsx";

interface Props {
  picture: ImageBitmap;
  onCut: (photo: Blob) => void;
  onAnother: (() => void) | undefined;
  onClose: () => void;
}

/** Pixels of the preview. */
const SIDE = 288;
const STEP = 0.05;

export function Cutting({ picture, onCut, onAnother, onClose }: Props) {
  const words = usePhotoWords();
  const common = useWords();
  const [cut, setCut] = useState(FIRST);
  return (
    <div className="photo-dialog">
      <Preview picture={picture} cut={cut} onChange={setCut} />
      <p className="help">{words.dragHelp}</p>
      <div className="controls">
        {(
          [
            ["zoom", words.size, 1, LARGEST],
            ["x", words.across, 0, 1],
            ["y", words.upright, 0, 1],
          ] as const
        ).map(([what, label, least, most]) => (
          <label key={what}>
            {label}
            <input
              type="range"
              min={least}
              max={most}
              step={STEP}
              value={cut[what]}
              onChange={(event) => setCut({ ...cut, [what]: Number(event.target.value) })}
            />
          </label>
        ))}
      </div>
      <div className="buttons">
        <Button onPress={onClose}>{common.cancel}</Button>
        {onAnother && <Button onPress={onAnother}>{words.another}</Button>}
        <Button
          kind="primary"
          autoFocus
          onPress={() => void cutOut(picture, cut).then((photo) => photo && onCut(photo))}
        >
          {words.use}
        </Button>
      </div>
    </div>
  );
}

/** What arrow keys do to the square: it goes their way. */
const KEYS: Record<string, Partial<Cut>> = {
  ArrowLeft: { x: -STEP },
  ArrowRight: { x: STEP },
  ArrowUp: { y: -STEP },
  ArrowDown: { y: STEP },
  "+": { zoom: STEP },
  "-": { zoom: -STEP },
};

function Preview({ picture, cut, onChange }: { picture: ImageBitmap; cut: Cut; onChange: (cut: Cut) => void }) {
  const words = usePhotoWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, cut);
  }, [picture, cut]);
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const { clientWidth } = event.currentTarget;
    onChange(dragged(picture, cut, event.movementX / clientWidth, event.movementY / clientWidth));
  };
  return (
    <canvas
      ref={canvas}
      className="cut"
      width={SIDE}
      height={SIDE}
      role="img"
      aria-label={words.cut}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const by = KEYS[event.key];
        if (by === undefined) return;
        event.preventDefault();
        const { zoom = 0, x = 0, y = 0 } = by;
        onChange(kept({ zoom: cut.zoom + zoom, x: cut.x + x, y: cut.y + y }));
      }}
    />
  );
}
