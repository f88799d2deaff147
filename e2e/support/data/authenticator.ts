import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Changes = { origin?: string; isVerified?: boolean; counter?: number; rpId?: string };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** A passkey (ES256) that answers in JSON as a browser does. It counts its answers, as some do. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  #data({ rpId = new URL(this.#origin).hostname, isVerified = true, counter = ++this.counter }: Changes, more = '') {
    // User present, user verified, attested data.
    const flags = Buffer.from([0x01 + (isVerified ? 0x04 : 0) + (more ? 0x40 : 0)]);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), flags, count, Buffer.from(more, 'hex')]);
  }

  #client(challenge: string, type: string, { origin = this.#origin }: Changes): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  #answer(response: Record<string, string>): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  /** The answer to options for a new passkey: CBOR without an attestation (WebAuthn, section 8.7). */
  register({ challenge }: { challenge: string }, changes: Changes = {}): string {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [xHex, yHex] = [x, y].map((part) => Buffer.from(part, 'base64url').toString('hex'));
    const key = `a5010203262001215820${xHex}225820${yHex}`;
    const data = this.#data(changes, `${'00'.repeat(16)}0020${this.id.toString('hex')}${key}`);
    const length = data.length.toString(16).padStart(4, '0');
    const head = Buffer.from(`a363666d74646e6f6e656761747453746d74a068617574684461746159${length}`, 'hex');
    return this.#answer({
      clientDataJSON: base64url(this.#client(challenge, 'webauthn.create', changes)),
      attestationObject: base64url(Buffer.concat([head, data])),
    });
  }

  answer({ challenge }: { challenge: string }, changes: Changes = {}): string {
    const [data, client] = [this.#data(changes), this.#client(challenge, 'webauthn.get', changes)];
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)),
    });
  }
}
