import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { IdentityEvent, RecordIdentityEvent } from '@deviceportal/identity/identity-event';
import { recordAudit, systemActor, type AuditDraft } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { RejectedSignIns } from './rejected-sign-ins.ts';
import { notifyAccountLocked } from './users/notify-account-locked.ts';
import { findUserIdOf } from './data/user-queries.ts';

export interface SignInRecorder extends AsyncDisposable {
  /** Records a sign-in event. Returns immediately and never throws. */
  readonly record: RecordIdentityEvent;
}

/**
 * Event types that are recorded. Successful sign-ins are recorded by `recordSignIn` at the user's first call,
 * administrative actions by `recordAdministration` in their own transaction.
 */
const types: Readonly<Partial<Record<IdentityEvent['kind'], AuditType>>> = {
  wrongAnswer: 'access.wrong-code',
  signInRefused: 'access.sign-in-refused',
  limited: 'access.sign-in-locked',
  accountLocked: 'access.account-locked',
  revoked: 'access.signed-out',
  signedOut: 'access.signed-out',
  registered: 'access.user-created',
  accountChanged: 'access.user-changed',
  signingKeyRotated: 'access.signing-key-rotated',
};

const FLUSH_MS = 500;
/**
 * Repeated attempts on a locked account are one event in this time, so that an attacker cannot fill the audit trail.
 */
const LOCKED_ONCE_MS = 60_000;
/** Interval of events for counted rejections. */
const COUNTED_MS = 60_000;
const MAX_WAITING = 5_000;
const MAX_LOCKED = 10_000;
/** Limit for typed names, which can be any text. */
const NAME_CHARACTERS = 128;

/**
 * Records rejected sign-ins, wrong codes, lockouts, and sign-outs in the audit trail, in batches and asynchronously.
 */
export function createSignInRecorder(
  { database }: { readonly database: Database },
  onError: (error: unknown) => void,
): SignInRecorder {
  const locked = new Map<string, number>();
  const refused = new RejectedSignIns();
  let waiting: IdentityEvent[] = [];
  let writing: Promise<void> = Promise.resolve();

  const isKnownLock = ({ kind, username, address, at }: IdentityEvent): boolean => {
    if (kind !== 'limited') return false;
    const who = JSON.stringify([username, address]);
    const isKnown = (locked.get(who) ?? 0) > at.getTime();
    if (isKnown) return true;
    if (locked.size >= MAX_LOCKED) locked.clear();
    locked.set(who, at.getTime() + LOCKED_ONCE_MS);
    return false;
  };
  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    await inTransaction(database, async (tx) => {
      const drafts: AuditDraft[] = [];
      for (const event of batch) {
        const draft = await draftOf(tx, event);
        drafts.push(draft);
        if (event.kind === 'accountLocked') await notifyAccountLocked(tx, draft);
      }
      await recordAudit(tx, drafts);
    }).catch((error: unknown) => {
      onError(error);
      waiting = [...batch, ...waiting].slice(-MAX_WAITING);
    });
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  const recordCounts = (): void => void waiting.push(...refused.takeCounts(new Date()));
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  const counted = setInterval(recordCounts, COUNTED_MS).unref();

  return {
    record(event) {
      if (types[event.kind] === undefined || isKnownLock(event) || !refused.take(event)) return;
      if (waiting.length < MAX_WAITING) waiting.push(event);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      clearInterval(counted);
      recordCounts();
      await flush();
    },
  };
}

async function draftOf(tx: Transaction, event: IdentityEvent): Promise<AuditDraft> {
  const { kind, sub: subject, username, address, detail, requestId } = event;
  const id = await findUserIdOf(tx, { subject, identifier: storable(username) });
  return {
    type: types[kind] ?? 'access.sign-in-refused',
    occurredAt: event.at,
    actor:
      kind === 'signingKeyRotated'
        ? systemActor
        : {
            kind: 'user',
            id: id ?? null,
            name: storable(username) ?? subject ?? '',
            address: address ?? null,
          },
    requestId: requestId ?? null,
    data: detail === undefined ? {} : { reason: storable(detail) },
  };
}

/** Records a user's change of their own account in the audit trail, in the transaction of the change. */
export async function writeIdentityEvent(tx: Transaction, event: IdentityEvent): Promise<void> {
  if (types[event.kind] !== undefined) await recordAudit(tx, [await draftOf(tx, event)]);
}

/** PostgreSQL cannot store NUL characters. */
function storable(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', '').slice(0, NAME_CHARACTERS);
}
