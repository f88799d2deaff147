import type { GuessingToPush } from '#server/accounts/sign-in/guesses.ts';
import { alarmTag, type KeyAlarmToPush } from '#server/keys/alarms.ts';

/** What a device is told: an alarm, or that a test arrived. */
export type DeviceAlarm = KeyAlarmToPush | ({ kind: 'guessing' } & GuessingToPush) | { kind: 'test' };

/** The payload for an owner's service worker. It replaces an earlier one with the same `tag`. */
export type AlarmPayload = { alarm: DeviceAlarm['kind']; tag: string; title: string; body: string; language: string };

type Language = 'id' | 'en';
type Words = { title: string; body: string };

/** What identifies an alarm on a device. */
export const tagOf = (alarm: DeviceAlarm): string =>
  'keyId' in alarm ? alarmTag(alarm.kind, alarm.keyId) : `alarm-${alarm.kind}`;

/**
 * The message of an alarm for a device, in the language of its owner's account. It names keys,
 * never the text of a notification or an account: a locked screen shows it to everyone.
 */
export function asAlarmPayload(alarm: DeviceAlarm, chosen: Language | null): string {
  const language = chosen ?? 'id';
  const payload: AlarmPayload = { alarm: alarm.kind, tag: tagOf(alarm), ...wordsOf(alarm)[language], language };
  return JSON.stringify(payload);
}

function wordsOf(alarm: DeviceAlarm): Record<Language, Words> {
  switch (alarm.kind) {
    case 'repeated-broadcast': {
      const { keyName } = alarm;
      const count = `${alarm.count}${alarm.isMore ? '+' : ''}`;
      return {
        id: {
          title: `Teks yang sama ${count} kali ke semua orang`,
          body: `Dari kunci “${keyName}”. Ketuk untuk melihat dan menghentikannya.`,
        },
        en: {
          title: `The same text to everyone, ${count} times`,
          body: `From key “${keyName}”. Tap to look and to stop it.`,
        },
      };
    }
    case 'silent-key':
      return {
        id: {
          title: `Tidak ada pesan dari kunci “${alarm.keyName}”`,
          body: 'Seharusnya sudah ada. Apakah sistemnya masih berjalan?',
        },
        en: {
          title: `Nothing from key “${alarm.keyName}”`,
          body: 'A message was expected by now. Is the system still running?',
        },
      };
    case 'guessing':
      return {
        id: {
          title: 'Ada yang menebak kata sandi',
          body: `${alarm.failures} kata sandi salah dalam waktu singkat. Ketuk untuk melihat.`,
        },
        en: {
          title: 'Someone is guessing passwords',
          body: `${alarm.failures} wrong passwords in a short time. Tap to look.`,
        },
      };
    case 'test':
      return {
        id: { title: 'Percobaan peringatan', body: 'Perangkat ini menerima peringatan perusahaan Anda.' },
        en: { title: 'Test warning', body: 'This device gets the warnings of your company.' },
      };
  }
}
