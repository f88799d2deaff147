import { readStored, store } from '#app/ui/storage/local-storage.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';
import type { Sound } from '#server/notifications/kinds.ts';

const mutedKey = 'sound-muted';
const volumeKey = 'sound-volume';
const defaultVolume = 80;
// Firefox took 1.3 s to start a first sound. A chime later than 5 s would surprise.
const startLimitMs = 5000;
// One audio context for the page: browsers unlock each one separately.
let context: AudioContext | null | undefined;
let hasRun = false;
let blocked = false;
const subscribers = new Set<() => void>();
const changed = () => {
  if (context?.state === 'running') {
    hasRun = true;
    blocked = false;
  }
  for (const subscriber of subscribers) subscriber();
};

// Null where the browser has no sound, or refuses it.
function audio(): AudioContext | null {
  if (context !== undefined) return context;
  try {
    context = new AudioContext();
    context.addEventListener('statechange', changed);
  } catch {
    context = null;
  }
  return context;
}

/** Unlocks the sound in a click or key press. Returns within 5 s whether it runs; else its state is `blocked`. */
export async function unlockSound(): Promise<boolean> {
  const output = audio();
  if (!output) return false;
  if (output.state === 'running') return true;
  // Some key presses, such as Escape, do not count for browsers. Firefox before 120 cannot tell.
  const isPressed = navigator.userActivation?.isActive ?? true;
  const runs = await startOutput(output);
  if (!runs && isPressed) {
    blocked = true;
    changed();
  }
  return runs;
}

// Before a press, `resume` waits in most browsers without an answer.
function startOutput(output: AudioContext): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      output.removeEventListener('statechange', check);
      resolve(output.state === 'running');
    };
    const check = () => {
      if (output.state === 'running') end();
    };
    const late = setTimeout(end, startLimitMs);
    output.addEventListener('statechange', check);
    output.resume().then(check, () => {});
  });
}

/** Unlocks the sound at each press; browsers take different events for one. Returns what stops it. */
export function unlockSoundAtTouch(): () => void {
  const events = ['pointerup', 'touchend', 'click', 'keydown'] as const;
  for (const event of events) addEventListener(event, unlockSound, true);
  return () => {
    for (const event of events) removeEventListener(event, unlockSound, true);
  };
}

/** Starts a sound again that a phone call, say, interrupted; that needs no press. Returns whether it is on then. */
export async function restoreSound(): Promise<boolean> {
  if (hasRun && context && context.state !== 'running') await startOutput(context);
  return soundState() === 'on';
}

export function soundState(): SoundState {
  const output = audio();
  if (!output) return 'unsupported';
  if (readStored(mutedKey) === 'yes') return 'muted';
  if (output.state === 'running') return 'on';
  return blocked ? 'blocked' : 'click';
}

/** Calls back after each change, also by another tab. Returns the function that stops it. */
export function watchSound(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  addEventListener('storage', subscriber);
  return () => {
    subscribers.delete(subscriber);
    removeEventListener('storage', subscriber);
  };
}

export function muteSound(muted: boolean): void {
  store(mutedKey, muted ? 'yes' : 'no');
  if (!muted) void unlockSound();
  changed();
}

export function soundVolume(): number {
  const volume = Number(readStored(volumeKey) ?? defaultVolume);
  return volume >= 0 && volume <= 100 ? volume : defaultVolume;
}

export function setSoundVolume(volume: number): void {
  store(volumeKey, String(Math.round(volume)));
  changed();
}

const maxGain = 0.5;

/** Plays a sound of at most 1 s; `long`, 3 s. Returns whether it can be heard. */
export function chime(sound: Sound, long = false): boolean {
  const output = audio();
  if (!output || soundState() !== 'on') return false;
  for (const { frequency, startS, lengthS, type = 'sine', loudness = 1 } of notesOf(sound, long)) {
    // The ear hears loudness by the square.
    const gain = Math.max(0.0002, maxGain * loudness * (soundVolume() / 100) ** 2);
    const start = output.currentTime + startS;
    const tone = new OscillatorNode(output, { type, frequency });
    const volume = new GainNode(output, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(gain, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + lengthS);
    tone.connect(volume).connect(output.destination);
    tone.start(start);
    tone.stop(start + lengthS);
  }
  return true;
}

/** A tone: its frequency (Hz), when it begins and how long it lasts (s), its form and loudness. */
type Note = { frequency: number; startS: number; lengthS: number; type?: OscillatorType; loudness?: number };

// Synthesized, without sound files: each sound is a few tones and ends within 0.9 s.
const notes: Record<Sound, Note[]> = {
  chime: [
    { frequency: 880, startS: 0, lengthS: 0.35 },
    { frequency: 1318.5, startS: 0.16, lengthS: 0.6 },
  ],
  // A slit drum of wood: short and dry.
  kentongan: [
    { frequency: 415, startS: 0, lengthS: 0.1, type: 'triangle' },
    { frequency: 415, startS: 0.15, lengthS: 0.1, type: 'triangle' },
    { frequency: 622, startS: 0.3, lengthS: 0.22, type: 'triangle' },
  ],
  // Bars of bronze, in steps of the slendro scale, which has five of 240 cents.
  gamelan: [
    { frequency: 523.3, startS: 0, lengthS: 0.5 },
    { frequency: 690.5, startS: 0.14, lengthS: 0.5 },
    { frequency: 911.1, startS: 0.28, lengthS: 0.6 },
    { frequency: 1822.2, startS: 0.28, lengthS: 0.3, loudness: 0.25 },
  ],
  drop: [
    { frequency: 1568, startS: 0, lengthS: 0.14 },
    { frequency: 1046.5, startS: 0.1, lengthS: 0.3 },
  ],
  bell: [
    { frequency: 659.3, startS: 0, lengthS: 0.85, loudness: 0.7 },
    { frequency: 1318.5, startS: 0, lengthS: 0.6, loudness: 0.4 },
    { frequency: 1978, startS: 0, lengthS: 0.4, loudness: 0.2 },
  ],
};

const repeatS = 0.95;
const longRepeats = 3;

/** The notes of a sound: once, or `long`, three times within 3 s, for what must be confirmed. */
function notesOf(sound: Sound, long: boolean): Note[] {
  const once = notes[sound] ?? notes.chime;
  return Array.from({ length: long ? longRepeats : 1 }, (_, round) =>
    once.map((note) => ({ ...note, startS: note.startS + round * repeatS })),
  ).flat();
}
