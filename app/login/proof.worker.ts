import { puzzleCount, solveChallenge } from '#server/accounts/sign-in/puzzle.ts';

// Gets a challenge. Posts the percentage that is solved, and at last the proof.
addEventListener('message', ({ data }: MessageEvent<string>) =>
  postMessage(solveChallenge(data, (count) => postMessage(Math.round((100 * count) / puzzleCount)))),
);
