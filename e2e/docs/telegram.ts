import { type ChatService, startChatService } from '#e2e/docs/bot.ts';

/** A stand-in for Telegram. */
export type Telegram = ChatService & {
  /** A person writes this in a chat. */
  write: (text: string, chat?: number) => void;
  /** The texts of the bot's messages, in order. */
  texts: () => unknown[];
};

/** The token of the bot. */
export const telegramToken = '123456:AAE-uji';

/** The default chat. */
export const allowedChat = -1001234567890;

type Update = { update_id: number; message: object };

/** Starts one. Like Telegram it delivers an update until a later offset confirms it. */
export async function startTelegram(): Promise<Telegram> {
  const updates: Update[] = [];
  let wake: (() => void) | null = null;
  let nextId = 7000;
  const hand = async (offset: number) => {
    updates.splice(0, updates.length, ...updates.filter(({ update_id }) => update_id >= offset));
    if (updates.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return { ok: true, result: updates };
  };
  const service = await startChatService(({ path, fields }) => {
    if (!path.startsWith(`/bot${telegramToken}/`)) return Promise.resolve({ ok: false, description: 'Unauthorized' });
    if (path.endsWith('/getMe')) return Promise.resolve({ ok: true, result: { id: 123456, username: 'ContohBot' } });
    return path.endsWith('/getUpdates') ? hand(Number(fields.offset)) : null;
  });
  return {
    ...service,
    write: (text, chat = allowedChat) => {
      const update_id = nextId++;
      updates.push({ update_id, message: { message_id: update_id, chat: { id: chat }, text } });
      wake?.();
    },
    texts: () => service.said.map(({ fields }) => fields.text),
  };
}
