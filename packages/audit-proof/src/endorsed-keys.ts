import type { AuditKey } from './audit-block.ts';
import type { ProofTools } from './proof-tools.ts';
import { fromBase64Url, fromHex } from './hashing.ts';
import { auditKeyId } from './keys-file.ts';

/** DER prefix of a public key (RFC 8410, section 4) before its 32 bytes. */
const SPKI_PREFIX = fromHex('302a300506032b6570032100');
const KEY_BYTES = 32;
/** Maximum length of a key chain, more than an installation has in centuries. */
const MOST_KEYS = 1_000;

type Tools = Pick<ProofTools, 'sha256' | 'verify'>;

/**
 * The pinned keys and all keys endorsed by them, directly or indirectly, so that old checkpoints
 * verify new keys. A pinned key whose last block is known endorses no further keys, because its
 * successor was pinned with it.
 *
 * @param candidates untrusted keys
 */
export async function endorsedKeys(
  tools: Tools,
  pinned: readonly AuditKey[],
  candidates: readonly AuditKey[],
): Promise<AuditKey[]> {
  const trusted = new Map(pinned.map((key) => [key.id, key]));
  const retired = new Set(pinned.flatMap(({ id, lastBlock }) => (lastBlock ? [id] : [])));
  let left = candidates.slice(0, MOST_KEYS);
  for (let before = -1; before < trusted.size;) {
    before = trusted.size;
    const further: AuditKey[] = [];
    for (const key of left) {
      const by = trusted.get(key.endorsement?.by ?? '');
      if (by !== undefined && retired.has(by.id)) continue;
      if (by === undefined) further.push(key);
      else if (await isEndorsed(tools, key, by)) keep(trusted, tools, key);
    }
    left = further;
  }
  return [...trusted.values()];
}

/** A key is identified by its content, not by the ID in the file. */
function keep(trusted: Map<string, AuditKey>, { sha256 }: Tools, key: AuditKey): void {
  const id = auditKeyId(sha256, fromBase64Url(key.publicKey));
  if (!trusted.has(id)) trusted.set(id, { ...key, id });
}

async function isEndorsed(
  { sha256, verify }: Tools,
  { publicKey, endorsement }: AuditKey,
  by: AuditKey,
): Promise<boolean> {
  const raw = fromBase64Url(publicKey);
  if (endorsement === undefined || raw.byteLength !== KEY_BYTES) return false;
  const message = endorsedText(sha256(Uint8Array.of(...SPKI_PREFIX, ...raw)));
  return verify(fromBase64Url(by.publicKey), fromBase64Url(endorsement.signature), message);
}

/** The text that the previous key signs. The ring's name separates keys of different purposes. */
function endorsedText(keyHash: Uint8Array): Uint8Array {
  const keyId = btoa(String.fromCodePoint(...keyHash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return new TextEncoder().encode(`device portal key endorsement\naudit\n${keyId}\n`);
}
