/** The computer's camera: its video stream, or why it is not available. */

import { useEffect, useState } from "react";
import type { PhotoWords } from "./words/en.ts";

export type CameraProblem = keyof PhotoWords["camera"];

const CAMERA_PROBLEMS: Record<string, CameraProblem> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "none",
  OverconstrainedError: "none",
  NotReadableError: "busy",
  AbortError: "busy",
};

export const cameraProblem = (error: unknown): CameraProblem =>
  CAMERA_PROBLEMS[error instanceof Error ? error.name : ""] ?? "other";

type Camera = { is: "starting" } | { is: "on"; stream: MediaStream } | { is: "off"; reason: CameraProblem };

/** The camera is on while the component is in the page. Another `attempt` number starts it again. */
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
    // Browsers hide the camera from pages that are not at a secure address.
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
      (error) => left || setCamera({ is: "off", reason: cameraProblem(error) }),
    );
    return () => {
      left = true;
      stop();
    };
  }, [attempt]);
  return camera;
}
