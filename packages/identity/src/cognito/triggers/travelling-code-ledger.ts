import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { LOGIN_CODE_TRIES } from '@deviceportal/contract/constants';
import type { Clock } from '../../clock.ts';
import { sameBytes } from '../../secrets/secret-hash.ts';
import type { CodeLedger, NewCode, OpenCode, Rounds } from './code-ledger.ts';
import { codeReferenceOf } from './code-metadata.ts';

const DIGEST_BYTES = 32;

/** The stored data of a code except its digits. */
interface TravellingCode {
  readonly id: string;
  readonly channel: OpenCode['channel'];
  readonly sentAtMs: number;
  readonly expiresAtMs: number;
  /** Rounds of this code that checked no answer. */
  readonly freeRounds: number;
  /** HMAC of the digits, base64url. */
  readonly digest: string;
}

/**
 * Codes without a database: the pool passes them between triggers and does not show them to
 * clients. The keyed digest does not reveal the digits; the pool's sessions accept an answer once;
 * attempts are the rounds.
 * @param options.secret at least 32 characters, the same for all three functions
 */
export function createTravellingCodeLedger(options: {
  readonly clock: Clock;
  readonly secret: string;
}): CodeLedger {
  const { clock, secret } = options;
  const isOpen = (code: TravellingCode): boolean => code.expiresAtMs > clock.now();
  return {
    async open(code) {
      const travelling = startTravelling(secret, code);
      return openCode(travelling, []);
    },
    async find(reference, session) {
      const code = parse(reference);
      if (code === undefined || !isOpen(code)) return undefined;
      const open = openCode(code, session);
      return open.triesLeft > 0 ? open : undefined;
    },
    async areTriesUsedUp(reference, session) {
      const code = parse(reference);
      return code !== undefined && openCode(code, session).triesLeft <= 0;
    },
    keep(open) {
      const code = parse(open.reference);
      if (code === undefined) return open;
      return { ...open, reference: write({ ...code, freeRounds: code.freeRounds + 1 }) };
    },
    async check(reference, { digits, subject }) {
      const code = parse(reference);
      if (code === undefined || !isOpen(code)) return false;
      return sameBytes(
        digest(secret, { ...code, digits, subject }),
        Buffer.from(code.digest, 'base64url'),
      );
    },
  };
}

function startTravelling(secret: string, code: NewCode): TravellingCode {
  const base = {
    id: randomUUID(),
    channel: code.channel,
    sentAtMs: code.sentAt.getTime(),
    expiresAtMs: code.expiresAt.getTime(),
    freeRounds: 0,
  };
  const { digits, subject } = code;
  const proof =
    digits === undefined ? randomBytes(DIGEST_BYTES) : digest(secret, { ...base, digits, subject });
  return { ...base, digest: proof.toString('base64url') };
}

function openCode(code: TravellingCode, session: Rounds): OpenCode {
  const answered = session.filter(
    (round) => parse(codeReferenceOf(round) ?? '')?.id === code.id,
  ).length;
  return {
    reference: write(code),
    channel: code.channel,
    sentAt: new Date(code.sentAtMs),
    expiresAt: new Date(code.expiresAtMs),
    triesLeft: LOGIN_CODE_TRIES - Math.max(0, answered - code.freeRounds),
  };
}

function digest(
  secret: string,
  code: Pick<TravellingCode, 'id' | 'expiresAtMs'> & {
    readonly digits: string;
    readonly subject: string;
  },
): Buffer {
  const text = JSON.stringify([code.id, code.subject, code.expiresAtMs, code.digits]);
  return createHmac('sha256', secret).update(text).digest();
}

function write(code: TravellingCode): string {
  const { id, channel, sentAtMs, expiresAtMs, freeRounds } = code;
  return [id, channel, sentAtMs, expiresAtMs, freeRounds, code.digest].join('.');
}

const TEXT = /^([0-9a-f-]{36})\.(email|sms)\.(\d{1,15})\.(\d{1,15})\.(\d{1,3})\.([\w-]{43})$/;

function parse(reference: string): TravellingCode | undefined {
  const parts = TEXT.exec(reference);
  if (parts === null) return undefined;
  const [, id = '', channel, sentAtMs, expiresAtMs, freeRounds, proof = ''] = parts;
  return {
    id,
    channel: channel === 'sms' ? 'sms' : 'email',
    sentAtMs: Number(sentAtMs),
    expiresAtMs: Number(expiresAtMs),
    freeRounds: Number(freeRounds),
    digest: proof,
  };
}
