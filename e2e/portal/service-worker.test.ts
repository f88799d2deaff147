import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';
import { baseUrl } from '#e2e/support/http/interface.ts';

// The served worker in a context of its own, with windows and a push service of this file.
const source = await (await fetch(`${baseUrl}/service-worker.js`)).text();
const [apple, other] = ['https://web.push.apple.com/x', 'https://fcm.googleapis.com/x'];

type Answer = { alive: boolean; looked: boolean; rings: boolean };
type Shown = { title: string; tag: string; silent: boolean };
type Listener = (event: { data: { text: () => string }; waitUntil: (done: Promise<void>) => void }) => void;

function startWorker(endpoint: string, answers: (Answer | null)[]) {
  const listeners = new Map<string, Listener>();
  const shown: Shown[] = [];
  const asked: string[] = [];
  const windows = answers.map((answer) => ({
    postMessage: (message: string, [port]: MessagePort[] = []) => {
      asked.push(message);
      if (answer) port?.postMessage(answer);
    },
  }));
  const subscribed: object[] = [];
  const subscribe = async (options: object) => subscribed.push(options);
  const worker = {
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    clients: { matchAll: async () => windows },
    registration: {
      getNotifications: async (of?: { tag: string }) => (of ? shown.filter(({ tag }) => tag === of.tag) : []),
      showNotification: async (title: string, { tag, silent }: Shown) => shown.push({ title, tag, silent }),
      pushManager: { getSubscription: async () => ({ endpoint }), subscribe },
    },
  };
  const context = { self: worker, MessageChannel, setTimeout, URL, Promise, JSON, Map, Set, Object };
  runInContext(source, createContext(context));
  const dispatch = async (name: string, event: object): Promise<unknown> => {
    let done: Promise<void> | undefined;
    listeners.get(name)?.({ ...event, waitUntil: (promise: Promise<void>) => (done = promise) } as never);
    return done?.catch((error: unknown) => error);
  };
  const push = (text: string) => dispatch('push', { data: { text: () => text } });
  return { push, dispatch, shown, asked, subscribed };
}

const ofSystem = { sender: 'Sistem', isManual: false, reminds: false, silent: false, language: 'id' };
const payloadOf = (no: number) => ({ no, kind: 'info', title: `Rapat ${no}`, body: 'Jam 8', ...ofSystem });
const inFront = { alive: true, looked: true, rings: true };
const behind = { alive: true, looked: false, rings: true };
const payloads: Record<string, (no: number) => string> = {
  'a notification': (no) => JSON.stringify(payloadOf(no)),
  'a text that is no JSON': () => 'halo',
  nothing: () => '',
  'a withdrawal': (no) => JSON.stringify({ ...payloadOf(no), withdrawn: [no] }),
  'JSON without a meaning': () => '{"no":1}',
};
const states: Record<string, (Answer | null)[]> = {
  'the portal in front': [inFront],
  'the portal behind': [behind],
  'a frozen window': [null],
  'no window': [],
};

for (const [what, payload] of Object.entries(payloads))
  test.concurrent(`each push of WebKit ends in a notification: ${what}`, async () => {
    for (const [state, answers] of Object.entries(states)) {
      const { push, shown } = startWorker(apple, answers);
      for (let no = 1; no <= 4; no++) {
        await push(payload(no));
        expect([state, shown.length]).toEqual([state, no]);
      }
    }
  });

test('in front of the portal a push of WebKit is silent, and other browsers show nothing', async () => {
  const [webkit, chromium] = [startWorker(apple, [inFront]), startWorker(other, [inFront])];
  for (const { push } of [webkit, chromium]) await push(JSON.stringify(payloadOf(7)));
  expect(webkit.shown).toEqual([{ title: 'Rapat 7', tag: 'notification-7', silent: true }]);
  expect(chromium.shown).toEqual([]);
});

test('beside the portal in front, a corrected one replaces what the device still shows, silently', async () => {
  const window = { ...behind };
  const { push, shown } = startWorker(other, [window]);
  await push(JSON.stringify(payloadOf(7)));
  window.looked = true;
  for (const no of [7, 8]) await push(JSON.stringify({ ...payloadOf(no), corrected: true }));
  expect(shown).toHaveLength(2);
  expect(shown[1]).toEqual({ title: 'Rapat 7', tag: 'notification-7', silent: true });
});

test('a subscription that the browser changed is made again, and open pages are told to store it', async () => {
  const { dispatch, subscribed, asked } = startWorker(other, [inFront]);
  const options = { userVisibleOnly: true, applicationServerKey: 'k' };
  await dispatch('pushsubscriptionchange', { oldSubscription: { options } });
  expect([subscribed, asked]).toEqual([[options], ['subscription-changed']]);
  await dispatch('pushsubscriptionchange', { oldSubscription: { options }, newSubscription: {} });
  expect(subscribed).toHaveLength(1);
});
