'use client';

/** The true state of the sound: playing is possible, one click is needed, the person muted it, or no browser support. */
export type SoundState = 'on' | 'click' | 'muted' | 'unsupported';

const mutedKey = 'sound-muted';
let context: AudioContext | undefined;
const watchers = new Set<() => void>();
const changed = () => {
  for (const watcher of watchers) watcher();
};

function audio(): AudioContext | undefined {
  if (context || typeof AudioContext === 'undefined') return context;
  context = new AudioContext();
  context.addEventListener('statechange', changed);
  return context;
}

/** Must run inside a click or a key press: browsers let a page sound only after one. */
export function unlockSound(): void {
  void audio()
    ?.resume()
    .then(changed, () => {});
}

/** Unlocks at the person's first touch of the page, whatever they touch. */
export function unlockSoundAtFirstTouch(): () => void {
  const unlock = () => {
    unlockSound();
    stop();
  };
  const stop = () => {
    for (const event of ['pointerdown', 'keydown'] as const) removeEventListener(event, unlock, true);
  };
  for (const event of ['pointerdown', 'keydown'] as const) addEventListener(event, unlock, true);
  return stop;
}

/** What the sound would do at this moment, asked of the browser itself. */
export function soundState(): SoundState {
  if (typeof AudioContext === 'undefined') return 'unsupported';
  if (localStorage.getItem(mutedKey) === 'yes') return 'muted';
  return audio()?.state === 'running' ? 'on' : 'click';
}

/** Calls `watcher` whenever the state may have changed; returns how to stop. */
export function watchSound(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Keeps the person's choice in this browser. */
export function muteSound(muted: boolean): void {
  localStorage.setItem(mutedKey, muted ? 'yes' : 'no');
  if (!muted) unlockSound();
  changed();
}

const notes = [
  { frequency: 880, at: 0, lasts: 0.35 },
  { frequency: 1318.5, at: 0.16, lasts: 0.6 },
];

/** A chime of two notes, 0.8 s; says whether it could be heard. Each note fades, so that nothing clicks. */
export function chime(): boolean {
  const output = audio();
  if (!output || soundState() !== 'on') return false;
  for (const { frequency, at, lasts } of notes) {
    const start = output.currentTime + at;
    const tone = new OscillatorNode(output, { type: 'sine', frequency });
    const volume = new GainNode(output, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.35, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
    tone.connect(volume).connect(output.destination);
    tone.start(start);
    tone.stop(start + lasts);
  }
  dispatchEvent(new CustomEvent('portal:chime'));
  return true;
}
