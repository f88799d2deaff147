'use client';

import { readStored, store } from '#app/ui/storage/local-storage.ts';
import type { SoundState } from '#server/employees/portal-visits.ts';

const mutedKey = 'sound-muted';
const volumeKey = 'sound-volume';
const defaultVolume = 80;
const blockedAfterMs = 1500;
// One audio context for the page: browsers unlock each one separately.
let context: AudioContext | undefined;
let blocked = false;
const subscribers = new Set<() => void>();
const changed = () => {
  if (context?.state === 'running') blocked = false;
  for (const subscriber of subscribers) subscriber();
};

function audio(): AudioContext | undefined {
  if (context || typeof AudioContext === 'undefined') return context;
  context = new AudioContext();
  context.addEventListener('statechange', changed);
  return context;
}

/**
 * Unlocks the sound. Call it from a click or a key press: browsers allow sound only after one. If
 * the sound is still off 1.5 s later, the browser blocks it.
 */
export function unlockSound(): void {
  const output = audio();
  if (!output || output.state === 'running') return;
  output.resume().then(changed, () => {});
  setTimeout(() => {
    blocked = output.state !== 'running';
    changed();
  }, blockedAfterMs);
}

/** Unlocks the sound at each click and key press. Returns the function that stops it. */
export function unlockSoundAtTouch(): () => void {
  const events = ['pointerup', 'keydown'] as const;
  for (const event of events) addEventListener(event, unlockSound, true);
  return () => {
    for (const event of events) removeEventListener(event, unlockSound, true);
  };
}

// Only Firefox has this method.
function isDisallowed(): boolean {
  const firefox = navigator as { getAutoplayPolicy?: (type: 'audiocontext') => string };
  return firefox.getAutoplayPolicy?.('audiocontext') === 'disallowed';
}

/** Returns what the browser does with a sound now. */
export function soundState(): SoundState {
  if (typeof AudioContext === 'undefined') return 'unsupported';
  if (readStored(mutedKey) === 'yes') return 'muted';
  if (audio()?.state === 'running') return 'on';
  return blocked || isDisallowed() ? 'blocked' : 'click';
}

/**
 * Calls back after each change of the state, also by another tab. Returns the function that stops
 * it.
 */
export function watchSound(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  addEventListener('storage', subscriber);
  return () => {
    subscribers.delete(subscriber);
    removeEventListener('storage', subscriber);
  };
}

/** Mutes or unmutes this browser. */
export function muteSound(muted: boolean): void {
  store(mutedKey, muted ? 'yes' : 'no');
  if (!muted) unlockSound();
  changed();
}

/** Returns the volume of this browser, 0 to 100. */
export function soundVolume(): number {
  const volume = Number(readStored(volumeKey) ?? defaultVolume);
  return volume >= 0 && volume <= 100 ? volume : defaultVolume;
}

/** Sets the volume of this browser, 0 to 100. */
export function setSoundVolume(volume: number): void {
  store(volumeKey, String(Math.round(volume)));
  changed();
}

const notes = [
  { frequency: 880, at: 0, lasts: 0.35 },
  { frequency: 1318.5, at: 0.16, lasts: 0.6 },
];
const maxGain = 0.5;

/** Plays a chime of two notes in 0.8 s. Returns whether it can be heard. */
export function chime(): boolean {
  const output = audio();
  if (!output || soundState() !== 'on') return false;
  // The ear hears loudness by the square.
  const gain = Math.max(0.0002, maxGain * (soundVolume() / 100) ** 2);
  for (const { frequency, at, lasts } of notes) {
    const start = output.currentTime + at;
    const tone = new OscillatorNode(output, { type: 'sine', frequency });
    const volume = new GainNode(output, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(gain, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
    tone.connect(volume).connect(output.destination);
    tone.start(start);
    tone.stop(start + lasts);
  }
  return true;
}
