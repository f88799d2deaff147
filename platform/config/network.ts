import { z } from 'zod';
import { host, webAddress, wholeNumber } from '#platform/config/checks.ts';
import { readProxies, trustOwnMachine } from '#platform/config/trusted-proxies.ts';

/** Where the service listens, the address that people use, and the proxies in front of it. */
export const networkSettings = {
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: host.optional(),
  APP_URL: webAddress('http:', 'https:')
    .transform((value) => new URL(value).origin)
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((value, context) => {
      const proxies = readProxies(value);
      if (typeof proxies === 'function') return proxies;
      context.addIssue({ code: 'custom', message: proxies.wrong });
      return z.NEVER;
    })
    .default(() => trustOwnMachine),
};

/** Whether a host is this machine itself, so that no other one can connect. */
export const isOwnMachine = (name: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(name);
