import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { proxy } from '../../proxy.ts';

const cookies = ['', 'next-auth.session-token=x', '__Host-next-auth.session-token=x; other=y'];

test.each(['/', '/login', '/owner', '/owner/keys/1', '/portal', '/invite/x', '/unknown'])(
  'the middleware passes %s on with security headers and makes no access decision',
  async (path) => {
    for (const cookie of cookies) {
      const response = await proxy(new NextRequest(`https://notif.example.test${path}`, { headers: { cookie } }));
      expect(response.status).toBe(200);
      expect(response.headers.get('x-middleware-next')).toBe('1');
      for (const name of ['location', 'x-middleware-rewrite', 'set-cookie'])
        expect(response.headers.get(name)).toBeNull();
      const nonce = response.headers.get('x-middleware-request-x-nonce');
      expect(response.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
    }
  },
);
