import { scrypt } from '@noble/hashes/scrypt.js';

/**
 * The parameters of one hash: 1 MiB of memory, so that a graphics card gains less over a phone than
 * with SHA-256. `dkLen` is its length in bytes.
 */
export const puzzleHash = { N: 1024, r: 8, p: 1, dkLen: 4 };

/** How many puzzles a challenge has. Many small ones take a more even time than a large one. */
export const puzzleCount = 8;

/** The text that an answer (a number) to a puzzle of a challenge is hashed as. */
export const puzzleText = (challenge: string, index: number, answer: number) => `${challenge}.${index}.${answer}`;

/** Whether the hash of an answer is small enough. The first number of a challenge is the mean count of tries. */
export function isAnswer(challenge: string, hash: Uint8Array): boolean {
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0) * Number.parseInt(challenge, 10) < 2 ** 32;
}

/**
 * Solves the challenge of a slowed-down sign-in, in a worker of the sign-in page: about 3 ms a try,
 * 20 ms on a cheap phone. `onSolved` gets the number of puzzles that are solved. Returns the proof.
 */
export function solveChallenge(challenge: string, onSolved: (count: number) => void = () => {}): string {
  const answers: number[] = [];
  while (answers.length < puzzleCount) {
    let answer = 0;
    while (!isAnswer(challenge, scrypt(puzzleText(challenge, answers.length, answer), '', puzzleHash))) answer++;
    answers.push(answer);
    onSolved(answers.length);
  }
  return [challenge, ...answers].join('.');
}
