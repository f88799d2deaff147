import type { Sound } from '#server/notifications/sounds.ts';

/** A tone: its frequency (Hz), when it begins and how long it lasts (s), its form and loudness. */
export type Note = { frequency: number; at: number; lasts: number; type?: OscillatorType; loudness?: number };

// Made by us: each sound is a few tones and ends within 0.9 s.
const notes: Record<Sound, Note[]> = {
  chime: [
    { frequency: 880, at: 0, lasts: 0.35 },
    { frequency: 1318.5, at: 0.16, lasts: 0.6 },
  ],
  // A slit drum of wood: short and dry.
  kentongan: [
    { frequency: 415, at: 0, lasts: 0.1, type: 'triangle' },
    { frequency: 415, at: 0.15, lasts: 0.1, type: 'triangle' },
    { frequency: 622, at: 0.3, lasts: 0.22, type: 'triangle' },
  ],
  // Bars of bronze, in steps of the slendro scale, which has five of 240 cents.
  gamelan: [
    { frequency: 523.3, at: 0, lasts: 0.5 },
    { frequency: 690.5, at: 0.14, lasts: 0.5 },
    { frequency: 911.1, at: 0.28, lasts: 0.6 },
    { frequency: 1822.2, at: 0.28, lasts: 0.3, loudness: 0.25 },
  ],
  drop: [
    { frequency: 1568, at: 0, lasts: 0.14 },
    { frequency: 1046.5, at: 0.1, lasts: 0.3 },
  ],
  bell: [
    { frequency: 659.3, at: 0, lasts: 0.85, loudness: 0.7 },
    { frequency: 1318.5, at: 0, lasts: 0.6, loudness: 0.4 },
    { frequency: 1978, at: 0, lasts: 0.4, loudness: 0.2 },
  ],
};

const repeatS = 0.95;
const longRepeats = 3;

/** The notes of a sound: once, or `long`, three times within 3 s, for what must be confirmed. */
export function notesOf(sound: Sound, long: boolean): Note[] {
  const once = notes[sound] ?? notes.chime;
  return Array.from({ length: long ? longRepeats : 1 }, (_, round) =>
    once.map((note) => ({ ...note, at: note.at + round * repeatS })),
  ).flat();
}
