import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { authSecret } from '#platform/config/identity.ts';
import { type HashPlace, inHashQueue } from '#server/accounts/sign-in/passwords.ts';
import { isAnswer, puzzleCount, puzzleHash, puzzleText } from '#server/accounts/sign-in/puzzle.ts';

const hash = promisify<string, string, number, typeof puzzleHash, Buffer>(scrypt);

// Mean tries a puzzle. A phone at a sixth of a laptop's speed needs about 7 s for the first and 27 s
// for the last, and in one of fifty cases over 50 s.
const [minTries, maxTries] = [44, 176];
const failuresToDouble = 10;
const validMinutes = 3;

/**
 * Makes a challenge for a name with so many failures beyond its limit. Its proof takes more work with
 * more failures. Nothing is stored: the challenge is signed.
 */
export function makeChallenge(name: string, failures: number): string {
  const doublings = Math.max(0, Math.floor(failures / failuresToDouble));
  const tries = Math.min(maxTries, minTries * 2 ** Math.min(doublings, 10));
  const content = [tries, Math.floor(Date.now() / 1000) + validMinutes * 60, randomBytes(12).toString('hex')].join('.');
  return `${content}.${sign(content, name)}`;
}

/**
 * Returns the challenge that the proof solves, or null. It was made for this name within the last 3
 * minutes; the caller that accepts the proof counts its use. `'busy'`: too many wait at this place.
 */
export async function findSolvedChallenge(proof: string, name: string, place: HashPlace): Promise<string | null> {
  const [, challenge = '', content = '', expires, signature = '', answered = ''] =
    /^((\d+\.(\d+)\.[0-9a-f]{24})\.([0-9a-f]{64}))\.(\d{1,9}(?:\.\d{1,9})*)$/.exec(proof) ?? [];
  const answers = answered.split('.').map(Number);
  if (!(Number(expires) > Date.now() / 1000) || answers.length !== puzzleCount) return null;
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(content, name)))) return null;
  return inHashQueue(place, async () => {
    for (const [index, answer] of answers.entries()) {
      const hashed = await hash(puzzleText(challenge, index, answer), '', puzzleHash.dkLen, puzzleHash);
      if (!isAnswer(challenge, hashed)) return null;
    }
    return challenge;
  });
}

const sign = (content: string, name: string) =>
  createHmac('sha256', authSecret()).update(`sign-in challenge\n${content}\n${name}`).digest('hex');
