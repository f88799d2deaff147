import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDesktop, startOnDesktop } from '#e2e/browsers/drive/desktop.ts';
import { type Driven, firstOf, type Profile, type Tab, waitUntilReady } from '#e2e/browsers/drive/tab.ts';
import type { Network } from '#e2e/browsers/network/network.ts';

// No calls to Mozilla and no first-run pages. Everything else, such as autoplay, is Firefox's default.
const preferences = {
  'app.normandy.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'intl.accept_languages': 'id-ID,id',
};

/** Speaks WebDriver BiDi with Debian's firefox-esr. Puppeteer's evaluations count as a press; Playwright needs more. */
export async function startFirefox(network?: Network): Promise<Driven> {
  const desktop = await startDesktop();
  const profile = join(desktop.folder, 'firefox');
  await mkdir(profile);
  const lines = Object.entries({ ...preferences, 'network.http.http2.enabled': network?.http2 ?? true }).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const drivePort = `--remote-debugging-port=${network?.drivePort ?? 0}`;
  const command = ['firefox-esr', '--no-remote', drivePort, '--profile', profile, 'about:blank'];
  const variables = { ...desktop.variables, MOZ_CRASHREPORTER_DISABLE: '1' };
  const firefox = startOnDesktop([...(network?.enter ?? []), ...command], variables);
  const stop = async () => {
    await firefox.stop();
    await desktop.stop();
  };
  try {
    const [, url = ''] = await firefox.says(/BiDi listening on (ws:\S+)/);
    const bidi = await connectBidi(url);
    return { desktop, newProfile: () => openProfile(bidi), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends a command of WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). Throws the error that the browser answers. */
type Bidi = <Result = unknown>(method: string, params?: object) => Promise<Result>;

type Answer = { id: number | null; type: string; result?: unknown; error?: string; message?: string };

/** Connects to a browser and begins a session. `url` is the address that the browser prints. */
async function connectBidi(url: string): Promise<Bidi> {
  const socket = new WebSocket(`${url}/session`);
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error(`nothing speaks BiDi at ${url}`));
  });
  const waiting = new Map<number, { method: string; settle: PromiseWithResolvers<unknown> }>();
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const answer = JSON.parse(data) as Answer;
    const asked = answer.id === null ? undefined : waiting.get(answer.id);
    if (answer.type === 'event' || !asked) return;
    waiting.delete(answer.id ?? 0);
    if (answer.type === 'success') asked.settle.resolve(answer.result);
    else asked.settle.reject(new Error(`${asked.method}: ${answer.error}: ${answer.message}`));
  };
  socket.onclose = () => {
    for (const { method, settle } of waiting.values()) settle.reject(new Error(`${method}: the browser is gone`));
  };
  let last = 0;
  const send = <Result>(method: string, params: object = {}) => {
    last += 1;
    const settle = Promise.withResolvers<unknown>();
    waiting.set(last, { method, settle });
    socket.send(JSON.stringify({ id: last, method, params }));
    return settle.promise as Promise<Result>;
  };
  await send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  return send;
}

async function openProfile(bidi: Bidi): Promise<Profile> {
  const { userContext } = await bidi<{ userContext: string }>('browser.createUserContext');
  const create = () => bidi<{ context: string }>('browsingContext.create', { type: 'tab', userContext });
  return {
    newTab: async () => driveContext(bidi, (await create()).context, create),
    openedTab: async () => {
      const { contexts } = await bidi<Tree>('browsingContext.getTree', { maxDepth: 0 });
      const opened = contexts.filter((one) => one.userContext === userContext).at(-1)?.context ?? '';
      return driveContext(bidi, opened, () => Promise.reject(new Error('the page opens it')));
    },
    close: async () => void (await bidi('browser.removeUserContext', { userContext })),
  };
}

type Tree = { contexts: { context: string; userContext: string }[] };

type Evaluated =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };

function driveContext(bidi: Bidi, context: string, create: () => Promise<{ context: string }>): Tab {
  let cover: string | undefined;
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const answer = await bidi<Evaluated>('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
      target: { context, sandbox: 'test' },
      awaitPromise: true,
    });
    if (answer.type === 'exception') throw new Error(`${expression}: ${answer.exceptionDetails.text}`);
    return JSON.parse(answer.result.value) as Value;
  };
  const act = (actions: object) => bidi('input.performActions', { context, actions: [actions] });
  // The middle of the element, once it stays in place for two frames and nothing covers it.
  const findPlace = (locator: string) =>
    evaluate<{ x: number; y: number } | null>(`(async () => {
      const measure = () => {
        const one = ${firstOf(locator)};
        one?.scrollIntoView({ block: 'center', behavior: 'instant' });
        const box = one?.getBoundingClientRect();
        return box ? { one, x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) } : null;
      };
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (const until = performance.now() + 10_000; performance.now() < until; ) {
        const before = measure();
        await frame();
        await frame();
        const now = measure();
        const isSame = before?.one === now?.one && before?.x === now?.x && before?.y === now?.y;
        const hit = now && document.elementFromPoint(now.x, now.y);
        if (isSame && now?.one.contains(hit)) return { x: now.x, y: now.y };
      }
      return null;
    })()`);
  const press = async (locator: string) => {
    const place = await findPlace(locator);
    if (!place) throw new Error(`nothing to press: ${locator}`);
    const click = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
    await act({ type: 'pointer', id: 'mouse', actions: [{ type: 'pointerMove', ...place }, ...click] });
  };
  const ready = () => waitUntilReady(evaluate);
  const navigate = async (method: string, params: object) => {
    await bidi(method, { context, wait: 'complete', ...params });
    await ready();
  };
  return {
    open: (url) => navigate('browsingContext.navigate', { url }),
    reload: () => navigate('browsingContext.reload', {}),
    evaluate,
    press,
    type: async (locator, text) => {
      await press(locator);
      const keys = [...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
      await act({ type: 'key', id: 'keyboard', actions: keys });
    },
    hide: async () => {
      cover = (await create()).context;
    },
    show: async () => {
      await bidi('browsingContext.activate', { context });
      if (cover) await bidi('browsingContext.close', { context: cover });
      cover = undefined;
    },
    frame: async () => {
      type Tree = { contexts: { children: { context: string }[] }[] };
      const { contexts } = await bidi<Tree>('browsingContext.getTree', { root: context });
      const frame = contexts[0]?.children[0];
      if (!frame) throw new Error('the page has no frame');
      return driveContext(bidi, frame.context, create);
    },
  };
}
