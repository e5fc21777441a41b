import type { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { PKIStatus, TimeStampResp } from '@peculiar/asn1-tsp';
import type { AnchorTarget } from './anchor-target.ts';
import { insertTimeStamp } from '../data/anchors/time-stamp-queries.ts';
import { timeStampLine } from './anchor-lines.ts';
import { appendLines } from './file-anchor.ts';
import { InvalidTimeStamp } from './invalid-time-stamp.ts';
import { makeTimeStampRequest } from './time-stamp-request.ts';
import { verifyTimeStamp } from './time-stamp-token.ts';

export interface TsaSettings {
  readonly url: string;
  /** Certificates of trusted authorities. */
  readonly roots: readonly X509Certificate[];
  readonly everyMs: number;
  /** The anchor file, where there is one: tokens outside the database. */
  readonly file: string | undefined;
}

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES = 256 * 1_024;
/** How far the authority's clock and ours may differ. */
const CLOCK_MS = 10 * 60_000;

/** Has the newest block stamped by a time-stamp authority (RFC 3161), and keeps the token. */
export function createTsaAnchor(settings: TsaSettings): AnchorTarget {
  return {
    name: 'tsa',
    everyMs: settings.everyMs,
    newestOnly: true,
    async deliver(blocks, tx) {
      for (const { number, hash } of blocks) {
        const token = await fetchTimeStamp(settings, Buffer.from(hash, 'hex'));
        if (settings.file !== undefined) {
          const line = timeStampLine({ number, hash, token: token.toString('base64') });
          await appendLines(settings.file, [line]);
        }
        await insertTimeStamp(tx, number, token);
      }
    },
  };
}

/**
 * A verified token for a hash.
 *
 * @throws InvalidTimeStamp, or an error of the network
 */
export async function fetchTimeStamp(
  { url, roots }: Pick<TsaSettings, 'url' | 'roots'>,
  hash: Uint8Array,
): Promise<Buffer> {
  const { der, nonce } = makeTimeStampRequest(hash);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(der),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`time-stamp authority: status ${answer.status}`);
  const token = tokenOf(await readAnswer(answer));
  const { at } = verifyTimeStamp(token, { hash, nonce, roots });
  if (Math.abs(at.getTime() - Date.now()) > CLOCK_MS) {
    throw new InvalidTimeStamp('has an incorrect time');
  }
  return token;
}

async function readAnswer(answer: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES) throw new Error('time-stamp authority: the response is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function tokenOf(der: Buffer): Buffer {
  let answer: TimeStampResp;
  try {
    answer = AsnConvert.parse(der, TimeStampResp);
  } catch {
    throw new InvalidTimeStamp('cannot be read');
  }
  const { status } = answer.status;
  const isGranted = status === PKIStatus.granted || status === PKIStatus.grantedWithMods;
  if (!isGranted || answer.timeStampToken === undefined) {
    throw new InvalidTimeStamp(`was rejected by the authority (status ${status})`);
  }
  return Buffer.from(AsnConvert.serialize(answer.timeStampToken));
}
