import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { startDesktop, startOnDesktop } from '#e2e/browsers/drive/desktop.ts';
import { type Driven, firstOf, type Profile, type Tab, waitUntilReady } from '#e2e/browsers/drive/tab.ts';
import { freePort } from '#e2e/support/service/service.ts';

// Debian keeps it in the folder of the processor's architecture.
const binaries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);

/** Prepares a desktop for Debian's WebKitWebDriver: a driver and MiniBrowser for each profile. It is not Safari. */
export async function startWebKit(): Promise<Driven> {
  const desktop = await startDesktop();
  return { desktop, newProfile: () => startProfile(desktop.variables), stop: desktop.stop };
}

async function startProfile(variables: Record<string, string>): Promise<Profile> {
  const port = await freePort();
  const driver = startOnDesktop(['WebKitWebDriver', `--port=${port}`], variables);
  const url = `http://127.0.0.1:${port}`;
  try {
    // It prints nothing.
    while (!(await fetch(`${url}/status`).catch(() => null))?.ok) {
      if (driver.process.exitCode !== null) throw new Error(`WebKitWebDriver did not start: ${driver.output()}`);
      await setTimeout(20);
    }
    // `close` ends the process, because the driver sometimes crashes when it ends a session with two tabs.
    return { ...(await openProfile(url)), close: () => driver.stop() };
  } catch (error) {
    await driver.stop();
    throw error;
  }
}

/** Sends a command of WebDriver (https://www.w3.org/TR/webdriver2/), returns its value or throws its error. */
type WebDriver = <Value = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Value>;

const commandTimeoutMs = 30_000;

/** Begins a session, with its own browser and data, at a driver that listens at `url`. */
async function beginSession(url: string): Promise<WebDriver> {
  const call: WebDriver = async <Value>(method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(commandTimeoutMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((cause) => {
      throw new Error(`${method} ${path}: the driver gave no answer`, { cause });
    });
    const { value } = (await response.json()) as { value: unknown };
    if (response.ok) return value as Value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${method} ${path}: ${error}: ${message}`);
  };
  const options = { binary: binaries.find(existsSync) ?? 'MiniBrowser', args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', { capabilities });
  return (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
}

async function openProfile(url: string): Promise<Omit<Profile, 'close'>> {
  const send = await beginSession(url);
  const sendTo = switchWindows(send);
  const created = new Set<string>();
  return {
    newTab: async () => {
      const handle =
        created.size === 0
          ? await send<string>('GET', '/window')
          : (await send<{ handle: string }>('POST', '/window/new', { type: 'tab' })).handle;
      created.add(handle);
      return openTab(sendTo(handle));
    },
    openedTab: async () => {
      const handles = await send<string[]>('GET', '/window/handles');
      return openTab(sendTo(handles.find((handle) => !created.has(handle)) ?? ''));
    },
  };
}

// Commands go to the current window of the session: each switches first, one after another.
function switchWindows(send: WebDriver): (handle: string) => WebDriver {
  let turn: Promise<unknown> = Promise.resolve();
  let current = '';
  return (handle) => (method, path, body) => {
    const next = turn.then(async () => {
      if (current !== handle) await send('POST', '/window', { handle });
      current = handle;
      return send(method, path, body);
    });
    turn = next.catch(() => {});
    return next as never;
  };
}

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

function openTab(send: WebDriver): Tab {
  const evaluate = async <Value>(expression: string): Promise<Value> =>
    JSON.parse(
      await send<string>('POST', '/execute/async', {
        script: `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done(JSON.stringify(value ?? null)), (error) => done(JSON.stringify({ error: String(error) })))`,
        args: [],
      }),
    ) as Value;
  const find = async (locator: string) => {
    const script = `return ${firstOf(locator)}`;
    const found = await send<Record<string, string> | null>('POST', '/execute/sync', { script, args: [] });
    if (!found) throw new Error(`nothing to press: ${locator}`);
    return `/element/${found[elementKey]}`;
  };
  const press = async (locator: string) => void (await send('POST', `${await find(locator)}/click`, {}));
  const ready = () => waitUntilReady(evaluate);
  return {
    open: async (url) => {
      await send('POST', '/url', { url });
      await ready();
    },
    reload: async () => {
      await send('POST', '/refresh', {});
      await ready();
    },
    evaluate,
    press,
    type: async (locator, text) => {
      await press(locator);
      await send('POST', `${await find(locator)}/value`, { text });
    },
    hide: async () => void (await send('POST', '/window/minimize', {})),
    frame: async (host) => {
      const inFrame: WebDriver = async (method, path, body) => {
        const script = `return document.querySelector(${JSON.stringify(host)}).shadowRoot.querySelector('iframe')`;
        const id = await send<object>('POST', '/execute/sync', { script, args: [] });
        await send('POST', '/frame', { id });
        try {
          return await send(method, path, body);
        } finally {
          await send('POST', '/frame', { id: null });
        }
      };
      return openTab(inFrame);
    },
    show: async () => void (await send('POST', '/window/rect', { width: 1280, height: 900 })),
  };
}
