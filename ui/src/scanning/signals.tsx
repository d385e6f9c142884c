/** What eyes on the books need not look for: a sound for each scan, and words for a screen reader. */

import { heard, preferences } from "../shell/preferences.ts";
import { store } from "../shell/store.ts";

let audio: AudioContext | undefined;

/** High and short for yes, low and twice for no: told apart without words, and in a noisy room. */
export function sound(well: boolean): void {
  if (!heard(preferences.get().sounds)) return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  for (const [after, pitch] of well
    ? [[0, 880]]
    : [
        [0, 220],
        [0.16, 196],
      ]) {
    beep(audio, start + (after ?? 0), pitch ?? 0);
  }
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
