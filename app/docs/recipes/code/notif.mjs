import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const url = '{{base}}/api/v1/notif.php';

async function ask(request) {
  try {
    const response = await fetch(url, {
      ...request,
      signal: AbortSignal.timeout(30_000),
    });
    const { terkirim, error } = await response.json();
    const wait = Number(response.headers.get('Retry-After') ?? 5);
    return {
      status: response.status,
      wait,
      terkirim,
      error: `HTTP ${response.status}: ${error}`,
    };
  } catch (problem) {
    return {
      status: 0,
      wait: 5,
      error: problem.cause?.message ?? problem.message,
    };
  }
}

async function notify(fields) {
  const headers = {
    'X-API-Key': process.env.NOTIF_KEY,
    'Content-Type': 'application/json',
    'Accept-Language': 'id',
    'Idempotency-Key': randomUUID(),
  };
  for (let attempt = 1; ; attempt++) {
    const { status, wait, terkirim, error } = await ask({
      method: 'POST',
      headers,
      body: JSON.stringify(fields),
    });
    if (status === 200) return terkirim;
    if (attempt === 4 || ![0, 429, 502, 503, 504].includes(status))
      throw new Error(error);
    await pause(wait * 1000);
  }
}

const [judul, isi, user_id] = process.argv.slice(2);
try {
  console.log('terkirim:', await notify({ judul, isi, user_id }));
} catch (problem) {
  console.error(problem.message);
  process.exitCode = 1;
}
