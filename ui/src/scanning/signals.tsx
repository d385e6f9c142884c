/**
 * Signals for staff who look at the books instead of the screen: a sound for each scan, and messages for screen
 * readers.
 */

import { areSoundsOn, preferences } from "../shell/preferences.ts";
import { store } from "../shell/store.ts";

let audio: AudioContext | undefined;

/** The result of a scan, as a sound. */
export type Signal = "well" | "badly" | "hold" | "transit" | "fee";

/**
 * The tones of each signal: seconds after the start, and pitch in hertz. Signals differ by the number and direction of
 * their tones, so that they are told apart in a noisy room: one high tone; two low ones; two rising; two falling; three
 * equal ones.
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

export function playSignal(signal: Signal): void {
  if (!areSoundsOn(preferences.get().sounds)) return;
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

const announcements = store<string[]>([]);

/**
 * Makes a screen reader say a text after what it is saying. The last five texts stay in the page, so that none is lost
 * when scans follow quickly.
 */
export function announce(text: string): void {
  announcements.set((all) => [...all.slice(-4), text]);
}

export function Announcements() {
  const lines = announcements.use();
  return (
    <div className="unseen" role="log" aria-live="polite">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be said twice
        <p key={`${index}-${line}`}>{line}</p>
      ))}
    </div>
  );
}
