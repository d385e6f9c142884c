/** The camera of the computer: its stream, or why there is none. */

import { useEffect, useState } from "react";
import type { PhotoWords } from "./words/en.ts";

export type Reason = keyof PhotoWords["camera"];

const REASONS: Record<string, Reason> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "busy",
  AbortError: "busy",
};

export const reasonOf = (error: unknown): Reason => REASONS[error instanceof Error ? error.name : ""] ?? "other";

type Camera = { is: "starting" } | { is: "on"; stream: MediaStream } | { is: "off"; reason: Reason };

/** On while the part of the page that uses it is there. `attempt`: another number tries again. */
export function useCamera(attempt: number): Camera {
  const [camera, setCamera] = useState<Camera>({ is: "starting" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts anew
  useEffect(() => {
    let left = false;
    let stream: MediaStream | undefined;
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    setCamera({ is: "starting" });
    // Browsers hide it from pages whose address is not safe.
    if (navigator.mediaDevices === undefined) {
      setCamera({ is: "off", reason: "unsafe" });
      return;
    }
    navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1280 }, facingMode: "user" } }).then(
      (given) => {
        stream = given;
        if (left) return stop();
        setCamera({ is: "on", stream: given });
      },
      (error) => left || setCamera({ is: "off", reason: reasonOf(error) }),
    );
    return () => {
      left = true;
      stop();
    };
  }, [attempt]);
  return camera;
}
