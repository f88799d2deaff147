import type { BrowserContext, Page } from 'playwright/test';
import { sql } from '#db/client.ts';
import { countTones, expect, popUps, test, waitForAction, within20s } from '#e2e/support/browser/browser.ts';
import { openHostPage } from '#e2e/support/browser/host-page.ts';
import { expectPopUp, expectSoundOn, soundButton, statusBar, turnSoundOn } from '#e2e/support/browser/portal-pages.ts';

type Chime = { ends: number; loudness: number };

// Records how long each chime lasts (ms), and its loudness.
async function recordChimes(page: Page, first = 880): Promise<() => Promise<Chime[]>> {
  await page.addInitScript((first) => {
    const record = window as unknown as { chimes: Chime[] };
    record.chimes = [];
    const [start, stop] = [OscillatorNode.prototype.start, OscillatorNode.prototype.stop];
    const ramp = AudioParam.prototype.linearRampToValueAtTime;
    let loudness = 0;
    AudioParam.prototype.linearRampToValueAtTime = function (value, at) {
      loudness = value;
      return ramp.call(this, value, at);
    };
    let firstAt = 0;
    OscillatorNode.prototype.start = function (at = 0) {
      if (this.frequency.value === first) {
        firstAt = at;
        record.chimes.push({ ends: 0, loudness });
      }
      start.call(this, at);
    };
    OscillatorNode.prototype.stop = function (at = 0) {
      const last = record.chimes.at(-1);
      if (last) last.ends = Math.max(last.ends, (at - firstAt) * 1000);
      stop.call(this, at);
    };
  }, first);
  return () => page.evaluate(() => (window as unknown as { chimes: [] }).chimes);
}

test('a muted kind and a muted browser pop up without sound', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await signInAsEmployee(page, '/portal/settings');
  await page.getByText('Pilihan bunyi').click();
  await waitForAction(page, () => page.getByRole('group', { name: 'Bunyikan untuk' }).getByText('Timer').click());
  await page.reload();
  await page.getByText('Pilihan bunyi').click();
  await expect(page.getByRole('checkbox', { name: 'Timer' })).not.toBeChecked();
  await turnSoundOn(page);
  await send({ judul: 'Tanpa suara', jenis: 'timer' });
  await expectPopUp(page, 'Tanpa suara');
  expect(await tones()).toBe(0);
  await send({ judul: 'Dengan suara', jenis: 'bonus' });
  await expect.poll(tones, within20s).toBe(2);
  await soundButton(page).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Matikan suara' }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('Browser ini tidak berbunyi');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Nyalakan suara' })).toBeVisible();
  await page.reload();
  await expect(soundButton(page)).toHaveAccessibleName(/Suara dimatikan/);
  await send({ judul: 'Diam' });
  await expectPopUp(page, 'Diam');
  expect(await tones()).toBe(0);
});

test('the volume is kept in this browser and sets the loudness of the chime', async ({ page, signInAsEmployee }) => {
  const chimes = await recordChimes(page);
  await signInAsEmployee(page);
  await soundButton(page).click();
  const menu = page.getByRole('dialog');
  await menu.getByRole('button', { name: 'Tes suara' }).click();
  const slider = menu.getByRole('slider', { name: 'Volume' });
  await slider.press('Home');
  await slider.press('ArrowRight');
  await menu.getByRole('button', { name: 'Tes suara' }).click();
  await expect.poll(async () => (await chimes()).length).toBeGreaterThan(1);
  const heard = await chimes();
  expect(heard.at(-1)?.loudness).toBeLessThan((heard[0]?.loudness ?? 0) / 10);
  for (const { ends } of heard) expect(ends).toBeLessThanOrEqual(1000);
  await page.reload();
  await soundButton(page).click();
  await expect(page.getByRole('dialog').getByRole('slider', { name: 'Volume' })).toHaveValue('10');
});

// Delays the start of the sound, as a busy machine, a loudspeaker that wakes up, or a setting of the browser does.
// Returns the function that lets it start: what was pressed meanwhile starts then, or only the next press does.
async function holdStart(page: Page): Promise<(waiting: 'starts' | 'stays') => Promise<void>> {
  await page.addInitScript(() => {
    const { resume } = AudioContext.prototype;
    const state = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'state');
    const begun = new WeakSet<AudioContext>();
    const waiting: (() => Promise<void>)[] = [];
    let isHeld = true;
    // Playwright's evaluation counts as a press, after which new contexts would run at once.
    const get = function (this: AudioContext) {
      return begun.has(this) ? state?.get?.call(this) : 'suspended';
    };
    Object.defineProperty(BaseAudioContext.prototype, 'state', { get });
    AudioContext.prototype.resume = function () {
      const begin = async () => {
        await resume.call(this);
        begun.add(this);
        this.dispatchEvent(new Event('statechange'));
      };
      return isHeld ? new Promise((resolve) => waiting.push(() => begin().then(resolve))) : begin();
    };
    const allow = (starts: boolean) => {
      isHeld = false;
      return Promise.all(starts ? waiting.map((begin) => begin()) : []);
    };
    Object.assign(window, { allow });
  });
  await page.clock.install();
  await page.reload();
  return async (waiting) => {
    const allow = (starts: boolean) => (window as unknown as { allow: (starts: boolean) => unknown }).allow(starts);
    await page.evaluate(allow, waiting === 'starts');
  };
}

test('where the browser blocked the sound, a button of the line turns it on', async ({ portal: page, tones }) => {
  const allow = await holdStart(page);
  await page.getByRole('heading', { level: 1 }).click();
  await page.clock.fastForward(6000);
  await expect(statusBar(page)).toContainText('Browser memblokir suara halaman ini');
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await statusBar(page).getByRole('link', { name: 'Cara mengatasi' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Setelan situs → Suara: Izinkan' })).toBeVisible();
  await allow('stays');
  await statusBar(page).getByRole('button', { name: 'Aktifkan suara' }).click();
  await expect(statusBar(page)).toBeEmpty();
  await page.locator('#sound').getByRole('button', { name: 'Tes suara' }).click();
  await expect.poll(tones).toBe(2);
  expect(await page.evaluate(() => 'stays' in window)).toBe(true);
});

for (const [ms, says, rings, state] of [
  [3000, 'rings once when the browser takes seconds to start it', 2, null],
  [6000, 'that cannot start says so and never rings later', 0, /Diblokir browser/],
] as const)
  test(`a test of the sound ${says}`, async ({ portal: page, tones }) => {
    const start = await holdStart(page);
    await soundButton(page).click();
    const button = page.getByRole('button', { name: 'Tes suara' });
    await button.click();
    await button.click();
    await page.clock.fastForward(ms);
    if (state) await expect(soundButton(page)).toHaveAccessibleName(state);
    await start('starts');
    await expectSoundOn(page);
    await expect.poll(tones).toBe(rings);
    await button.click();
    await expect.poll(tones).toBe(rings + 2);
  });

test('each change of the sound opens the stream anew, also at the start', async ({ portal: page }) => {
  // The worker begins with its first message.
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...message: unknown[]) {
      Object.assign(window, { begin: () => Reflect.apply(postMessage, this, message) });
    };
  });
  await page.reload();
  await turnSoundOn(page);
  // A poll may reach a process that does not hold the stream.
  const streamWith = (state: string) =>
    page.waitForRequest(new RegExp(`/portal/stream\\?.*sound=${state}$`), within20s);
  const unlocked = streamWith('on');
  await page.evaluate(() => (window as unknown as { begin: () => void }).begin());
  await unlocked;
  await soundButton(page).click();
  const muted = streamWith('muted');
  await page.getByRole('dialog').getByRole('button', { name: 'Matikan suara' }).click();
  await muted;
});

test('a chosen sound rings, and longer for what must be read', async ({ page, company, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  const chimes = await recordChimes(page, 415);
  await signInAsEmployee(page, '/portal/settings');
  const choice = page.getByRole('radiogroup', { name: 'Bunyi notifikasi baru' });
  await page.getByText('Pilihan bunyi').click();
  await expect(choice.getByRole('radio')).toHaveCount(5);
  await expect(choice.getByRole('radio', { name: 'Denting' })).toBeChecked();
  await waitForAction(page, () => choice.getByText('Kentongan').click());
  await expect.poll(tones).toBe(3);
  await page.reload();
  await page.getByText('Pilihan bunyi').click();
  await expect(choice.getByRole('radio', { name: 'Kentongan' })).toBeChecked();
  await turnSoundOn(page);
  await send({ judul: 'Dengan kentongan' });
  await expect.poll(tones, within20s).toBe(3);
  await sql()`update companies set must_confirm_kinds = '{absen}' where id = ${company.owner.companyId}`;
  await send({ judul: 'Wajib', jenis: 'absen' });
  await expect.poll(tones, within20s).toBe(3 + 9);
  for (const { ends } of await chimes()) expect(ends).toBeLessThanOrEqual(3000);
});

// Opens the portal in a page that nobody has pressed: evaluating anything would count as a press.
async function openUntouched(context: BrowserContext): Promise<Page> {
  const fresh = await context.newPage();
  const started = fresh.waitForEvent('worker');
  await fresh.goto('/portal');
  await started;
  return fresh;
}

test('a click unlocks the sound; its question waits for a pop-up', async ({ portal: page, context, send }) => {
  const fresh = await openUntouched(context);
  await page.close();
  const question = statusBar(fresh).getByRole('button', { name: 'Aktifkan suara' });
  await expect(question).toBeVisible();
  await expect(fresh.locator('[data-sound=click]')).toBeVisible();
  await send({ judul: 'Lebih dahulu' });
  await expectPopUp(fresh, 'Lebih dahulu');
  await expect(question).toBeHidden();
  await popUps(fresh).getByRole('button', { name: 'Tutup' }).press('Enter');
  await expect(popUps(fresh)).toHaveCount(0);
  await fresh.getByRole('heading', { level: 1 }).click();
  await expect(fresh.locator('[data-sound=on]')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('back from another site, the line with its button is there (X33)', async ({ portal: page, context }) => {
    await using other = await openHostPage({ body: '<h1>Lain</h1>' });
    const fresh = await openUntouched(context);
    await page.close();
    await fresh.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('.status-bar button'))
          document.documentElement.dataset.askedAt ??= String(performance.now());
      }).observe(document, { childList: true, subtree: true });
    });
    await fresh.mouse.click(180, 20);
    await expectSoundOn(fresh);
    await fresh.goto(other.foreign);
    const started = fresh.waitForEvent('worker');
    await fresh.goBack();
    await started;
    const button = statusBar(fresh).getByRole('button', { name: 'Aktifkan suara' });
    await expect(button).toBeVisible();
    const root = fresh.locator('html');
    const loadedAt = await fresh.evaluate(() => performance.getEntriesByType('navigation')[0]?.toJSON().loadEventEnd);
    expect(Number(await root.getAttribute('data-asked-at')) - loadedAt).toBeLessThan(1000);
    const [line, press] = await Promise.all([fresh.locator('.status-line').boundingBox(), button.boundingBox()]);
    expect(line?.width).toBe(360 - 16);
    expect(press?.height).toBeGreaterThanOrEqual(44);
    await expect(statusBar(fresh).getByText('Suara belum aktif.')).toBeInViewport({ ratio: 1 });
    await button.click();
    await expectSoundOn(fresh);
  });
});

test('a sound that a call interrupted returns at the next ring', async ({ page, signInAsEmployee, send }) => {
  const tones = await countTones(page);
  await page.addInitScript(() => {
    const outputs: AudioContext[] = [];
    const Output = AudioContext;
    window.AudioContext = class extends Output {
      constructor() {
        super();
        outputs.push(this);
      }
    };
    Object.assign(window, { interrupt: () => Promise.all(outputs.map((output) => output.suspend())) });
  });
  await signInAsEmployee(page);
  await turnSoundOn(page);
  const interrupt = () => page.evaluate(() => (window as unknown as { interrupt: () => unknown }).interrupt());
  await interrupt();
  await expect(page.locator('[data-sound=click]').first()).toBeVisible();
  await send({ judul: 'Sesudah telepon' });
  await expect.poll(tones, within20s).toBe(2);
  await expectSoundOn(page);
  // A headset that is connected again turns it on, too.
  await interrupt();
  await expect(page.locator('[data-sound=click]').first()).toBeVisible();
  await page.evaluate(() => navigator.mediaDevices.dispatchEvent(new Event('devicechange')));
  await expectSoundOn(page);
});

test('a portal whose browser refuses any sound says so', async ({ page, signInAsEmployee, send }) => {
  await page.addInitScript(() => {
    window.AudioContext = class {
      constructor() {
        throw new DOMException('no audio device', 'NotSupportedError');
      }
    } as unknown as typeof AudioContext;
  });
  await signInAsEmployee(page);
  await expect(soundButton(page)).toHaveAccessibleName(/Browser ini tidak/);
  await send({ judul: 'Tanpa suara' });
  await expectPopUp(page, 'Tanpa suara');
});
