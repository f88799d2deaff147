import { expect } from 'vitest';
import type { Tab } from '#e2e/browsers/drive/tab.ts';
import { type Abilities, popUps, soon, within20s } from '#e2e/browsers/portal.ts';

const maxSends = 3;

/**
 * Sends once. Expects one pop-up on all these pages together within 20 s, and one ring that the
 * loudspeaker plays. Sends again when a page did ring and its sound was lost on the way: on a machine
 * without time, GStreamer drops what comes late, and a ring lasts for less than a second. Returns the number of sends.
 */
export async function ringOnce(
  { browser: { desktop }, send, tab }: Abilities,
  title: string,
  tabs: Tab[] = [tab],
): Promise<number> {
  await Promise.all(tabs.map(watchTones));
  for (let sends = 1; ; sends++) {
    const before = desktop.rings().length;
    const tonesBefore = await listTones(tabs);
    const name = sends === 1 ? title : `${title} (${sends})`;
    await send(name);
    try {
      await expectRing(desktop.rings, { title: name, before }, tabs);
      return sends;
    } catch (error) {
      const tones = (await listTones(tabs)).slice(tonesBefore.length);
      const isLost = tones.length === tonesOfRing && tones.every((state) => state === 'running');
      if (!isLost || desktop.rings().length > before || sends === maxSends) throw error;
      process.stdout.write(`The sound of a ring was lost behind the page: ${String(error)}\n`);
    }
  }
}

const tonesOfRing = 2;

// Notes the state of the sound at each tone that a page plays from now on, until it is left.
const watchTones = (tab: Tab) =>
  tab.evaluate(`void (() => {
    if ('tones' in window) return;
    window.tones = [];
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (...when) {
      window.tones.push(this.context.state);
      return start.apply(this, when);
    };
  })()`);

const listTones = async (tabs: Tab[]) =>
  (await Promise.all(tabs.map((tab) => tab.evaluate<string[]>('window.tones ?? []')))).flat();

/** Expects the pop-up and the ring of a send, after `before` rings. */
export async function expectRing(
  rings: () => number[],
  { title, before }: { title: string; before: number },
  tabs: Tab[],
): Promise<void> {
  const shown = async () => (await Promise.all(tabs.map(popUps))).flat().filter((text) => text.includes(title)).length;
  await expect.poll(shown, within20s).toBe(1);
  await expect
    .poll(() => rings().length, soon)
    .toBe(before + 1)
    .catch(async (error) => {
      const states = await Promise.all(
        tabs.map((tab) =>
          tab.evaluate(
            `[document.visibilityState, document.hasFocus(), [...document.querySelectorAll('[data-sound]')].map((one) => one.dataset.sound), Math.round(performance.now()), window.tones]`,
          ),
        ),
      );
      throw new Error(`${title}: ${before} rings before, ${rings().length} now; pages: ${JSON.stringify(states)}`, {
        cause: error,
      });
    });
}
