/** What eyes on the books need not look for: a sound for each scan, and words for a screen reader. */

import { heard, preferences } from "../shell/preferences.ts";
import { store } from "../shell/store.ts";

let audio: AudioContext | undefined;

/** What a scan came to, for ears. */
export type Signal = "well" | "badly" | "hold" | "transit" | "fee";

/**
 * The tones of each: after how many seconds, and at which pitch in Hertz. They are told apart by their number and direction, without
 * words, and in a noisy room: one high one; two low ones; two that rise; two that fall; three that are alike.
 */
const TONES: Record<Signal, readonly (readonly [after: number, pitch: number])[]> = {
  well: [[0, 880]],
  badly: [
    [0, 220],
    [0.16, 196],
  ],
  hold: [
    [0, 587],
    [0.16, 880],
  ],
  transit: [
    [0, 880],
    [0.16, 587],
  ],
  fee: [
    [0, 440],
    [0.12, 440],
    [0.24, 440],
  ],
};

export function sound(signal: Signal): void {
  if (!heard(preferences.get().sounds)) return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [after, pitch] of TONES[signal]) beep(audio, start + after, pitch);
}

function beep(audio: AudioContext, at: number, pitch: number): void {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.14);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.15);
}

const said = store<string[]>([]);

/** Said by a screen reader after what it is saying. The last few stay, so that a quick hand loses none. */
export function announce(text: string): void {
  said.set((all) => [...all.slice(-4), text]);
}

export function Announcements() {
  const lines = said.use();
  return (
    <div className="unseen" role="log" aria-live="polite">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be said twice
        <p key={`${index}-${line}`}>{line}</p>
      ))}
    </div>
  );
}
