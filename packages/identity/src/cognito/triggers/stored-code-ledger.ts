import { randomBytes } from 'node:crypto';
import { LOGIN_CODE_TRIES } from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import type { Clock } from '../../clock.ts';
import {
  areTriesUsedUp,
  closeCode,
  findOpenCode,
  insertCode,
  takeTryOfCode,
  type CodeName,
  type StoredCode,
} from '../../codes/code-store.ts';
import { sameBytes, type SecretHash } from '../../secrets/secret-hash.ts';
import type { Queryable } from '../../database/in-transaction.ts';
import type { CodeLedger, OpenCode } from './code-ledger.ts';

const HASH_BYTES = 32;

/** Codes in the database of the embedded pool. Tries are counted there, independent of sessions. */
export function createStoredCodeLedger(options: {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
}): CodeLedger {
  const { db, clock, hash } = options;
  const now = (): Date => new Date(clock.now());
  return {
    async open({ digits, subject, place = '', replaces, sub, channel, sentAt, expiresAt }) {
      const codeId = newId(sentAt.getTime());
      const code: StoredCode = {
        ...nameOf(codeId),
        purpose: 'login',
        sub: sub ?? null,
        subject: hash('login-code-subject', subject, place).toString('hex'),
        codeHash:
          digits === undefined ? randomBytes(HASH_BYTES) : hash('login-code', codeId, digits),
        channel,
        triesLeft: LOGIN_CODE_TRIES,
        sentAt,
        expiresAt,
      };
      await insertCode(db, code, replaces);
      return openCode(code);
    },
    async find(reference) {
      const found = await findOpenCode(db, nameOf(reference), now());
      return found === undefined ? undefined : openCode(found);
    },
    areTriesUsedUp: (reference) => areTriesUsedUp(db, nameOf(reference)),
    keep: (code) => code,
    async check(reference, { digits }) {
      const code = await takeTryOfCode(db, nameOf(reference), now());
      if (code === undefined) return false;
      if (!sameBytes(hash('login-code', reference, digits), code.codeHash)) return false;
      return closeCode(db, nameOf(reference), now());
    },
  };
}

const nameOf = (codeId: string): CodeName => ({ directory: 'user-pool', codeId });

function openCode({ codeId, channel, sentAt, expiresAt, triesLeft }: StoredCode): OpenCode {
  return { reference: codeId, channel, sentAt, expiresAt, triesLeft };
}
