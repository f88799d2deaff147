// JavaScript, because a Node that is too old must load it.

// The first versions that refuse a request of more than 1,000 headers, of which older ones drop the rest unseen, and
// that let a server ignore `Upgrade`. The lines between them are not maintained.
const first = { 22: '22.23.2', 24: '24.18.1', 26: '26.7.0' };
const { node } = process.versions;
const major = Number.parseInt(node, 10);

/** Whether the running Node can serve: 22.23.2, 24.18.1, 26.7.0 or newer. */
export const isNodeEnough =
  major > 26 || (major in first && node.localeCompare(first[major], 'en', { numeric: true }) >= 0);

/** What a program that needs such a Node says at its end. */
export const nodeSentence = `This is Node ${node}. The service needs Node 22.23.2, 24.18.1, 26.7.0 or newer. The scripts of package.json, such as \`npm start\`, use the one that npm installs on Linux.`;
