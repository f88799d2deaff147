import { isNodeEnough, nodeSentence } from './node-version.js';

// For programs that are not started by `release/run.mjs`: ends one on a Node that is too old, before it does anything.
if (!isNodeEnough) {
  console.error(nodeSentence);
  process.exit(1);
}
