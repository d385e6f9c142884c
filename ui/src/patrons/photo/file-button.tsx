/** A picture from a file, as the browser reads it. */

import { useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { usePhotoWords } from "./words/index.tsx";

/** What is read into memory at most; what is stored of it is much smaller. */
const MOST_BYTES = 30 * 1024 * 1024;

export function FileButton({ onPicture }: { onPicture: (picture: ImageBitmap) => void }) {
  const words = usePhotoWords();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<"noPicture" | "tooLarge">();
  const read = async (file: File | undefined) => {
    setProblem(undefined);
    if (file === undefined) return;
    if (file.size > MOST_BYTES) return setProblem("tooLarge");
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
          // The same file may be chosen again.
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
