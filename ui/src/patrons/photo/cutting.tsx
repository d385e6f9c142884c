/** Chooses the square of a picture that is stored: by dragging, or by keys. */

import { type PointerEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { useWords } from "../../words/index.tsx";
import { type Cut, clampCut, cutPicture, dragCut, drawCut, INITIAL_CUT, MAX_ZOOM } from "./crop.ts";
import { usePhotoWords } from "./words/index.tsx";

interface Props {
  picture: ImageBitmap;
  onCut: (photo: Blob) => void;
  onAnother: (() => void) | undefined;
  onClose: () => void;
}

/** The width and height of the preview, in pixels. */
const PREVIEW_PIXELS = 288;
const STEP = 0.05;

export function PhotoCutter({ picture, onCut, onAnother, onClose }: Props) {
  const words = usePhotoWords();
  const common = useWords();
  const [cut, setCut] = useState(INITIAL_CUT);
  return (
    <div className="photo-dialog">
      <CutPreview picture={picture} cut={cut} onChange={setCut} />
      <p className="help">{words.dragHelp}</p>
      <div className="controls">
        {(
          [
            ["zoom", words.size, 1, MAX_ZOOM],
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
          onPress={() => void cutPicture(picture, cut).then((photo) => photo && onCut(photo))}
        >
          {words.use}
        </Button>
      </div>
    </div>
  );
}

/** How keys move or resize the square. */
const KEY_STEPS: Record<string, Partial<Cut>> = {
  ArrowLeft: { x: -STEP },
  ArrowRight: { x: STEP },
  ArrowUp: { y: -STEP },
  ArrowDown: { y: STEP },
  "+": { zoom: STEP },
  "-": { zoom: -STEP },
};

function CutPreview({ picture, cut, onChange }: { picture: ImageBitmap; cut: Cut; onChange: (cut: Cut) => void }) {
  const words = usePhotoWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) drawCut(canvas.current, picture, cut);
  }, [picture, cut]);
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const { clientWidth } = event.currentTarget;
    onChange(dragCut(picture, cut, event.movementX / clientWidth, event.movementY / clientWidth));
  };
  return (
    <canvas
      ref={canvas}
      className="cut"
      width={PREVIEW_PIXELS}
      height={PREVIEW_PIXELS}
      role="img"
      aria-label={words.cut}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const by = KEY_STEPS[event.key];
        if (by === undefined) return;
        event.preventDefault();
        const { zoom = 0, x = 0, y = 0 } = by;
        onChange(clampCut({ zoom: cut.zoom + zoom, x: cut.x + x, y: cut.y + y }));
      }}
    />
  );
}
