/** Reads a picture from a file. */

import { useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { usePhotoWords } from "./words/index.tsx";

/** The largest file that is read; the stored photo is much smaller. */
const MAX_BYTES = 30 * 1024 * 1024;

export function FileButton({ onPicture }: { onPicture: (picture: ImageBitmap) => void }) {
  const words = usePhotoWords();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<"noPicture" | "tooLarge">();
  const read = async (file: File | undefined) => {
    setProblem(undefined);
    if (file === undefined) return;
    if (file.size > MAX_BYTES) return setProblem("tooLarge");
    try {
      onPicture(await createImageBitmap(file));
    } catch {
      setProblem("noPicture");
    }
  };
  return (
    <>
      <Button onPress={() => input.current?.click()}>{words.file}</Button>
      <input
        ref={input}
        className="unseen"
        type="file"
        accept="image/*"
        aria-label={words.file}
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // So that the same file can be chosen again.
          event.target.value = "";
          void read(file);
        }}
      />
      {problem && (
        <p className="error" role="alert">
          {words[problem]}
        </p>
      )}
    </>
  );
}
