import { setTimeout as sleep } from 'node:timers/promises';
import type { AnchorPlace } from '../audit-trail/anchors/anchor-target.ts';
import { auditSigningKeyOf, type AuditSigner } from '../audit-trail/audit-signer.ts';
import { handOverAuditKey, hasSealedLast } from '../audit-trail/hand-over-audit-key.ts';
import { sealAuditTrail } from '../audit-trail/sealing/seal-audit-trail.ts';
import { whatKeepsEventOpen } from '../audit-trail/sealing/what-keeps-event-open.ts';
import type { Database } from '../platform/database/database.ts';
import type { RotatingKeyRing } from '../platform/secrets/signing-key-ring.ts';
import { announceAuditKey } from './announce-audit-key.ts';
import { awaitServers, knows } from './await-servers.ts';
import { requireOwnSecrets } from './require-own-secrets.ts';
import type { RotationDeps, RotationOutcome } from './rotation-deps.ts';
import { fingerprintOfPublicKey, secretFiles } from './secret-fingerprints.ts';

export interface AuditKeyDeps extends RotationDeps {
  readonly database: Database;
  readonly signer: AuditSigner;
  /** External places that must store the announcement before the next key signs. */
  readonly anchors: readonly AnchorPlace[];
}

export interface RotateAuditKeyOptions {
  /** False continues a rotation in progress and starts none. */
  readonly begin: boolean;
}

const POLL_INTERVAL_MS = 250;

/**
 * Rotates the key that seals the audit trail: creates the next key, waits until every server has it, announces it by
 * an event sealed with the current key, switches to it, and destroys the previous key. Each step is idempotent: after
 * a crash, a repeated call continues.
 */
export async function rotateAuditKey(
  deps: AuditKeyDeps,
  { begin }: RotateAuditKeyOptions,
): Promise<RotationOutcome> {
  const { secrets, clock, database } = deps;
  const ring = secrets.signingKeys('audit');
  await ring.refresh();
  if (ring.next === undefined && begin) await ring.prepare(clock());
  // Also repairs the record if a process was killed between writing the file and the database.
  await requireOwnSecrets(deps);
  const { next } = ring;
  if (next === undefined) return { kind: 'done', lines: [] };
  const fingerprint = fingerprintOfPublicKey(next.publicKey);
  const file = secrets.store.placeOf(secretFiles.audit);
  const servers = await awaitServers(deps, 'audit', knows(fingerprint));
  if (servers.length > 0) return { kind: 'waits', servers, file };
  const event = await announceAuditKey(database, ring, next);
  const missing = await awaitStored(deps, event);
  if (missing !== null)
    return { kind: 'pends', reason: `its announcement is not yet stored: ${missing}` };
  const lastBlock = await handOverAuditKey(deps, auditSigningKeyOf(next));
  await ring.promote(clock(), lastBlock);
  await requireOwnSecrets(deps);
  const behind = await awaitServers(deps, 'audit', ({ current }) => current === fingerprint);
  return { kind: 'done', lines: linesOf(auditSigningKeyOf(ring.current).publicKey, behind, file) };
}

/**
 * Replaces a key that may have been copied immediately: an announcement would prove nothing, no server is waited for,
 * and the next key is not certified by the previous one. What the previous key has sealed is valid up to the newest
 * block of this moment.
 */
export async function replaceStolenAuditKey(
  deps: Omit<AuditKeyDeps, 'anchors'>,
): Promise<RotationOutcome> {
  const { secrets, clock } = deps;
  const ring = secrets.signingKeys('audit');
  await finishSwitch(deps, ring);
  await ring.prepareApart(clock());
  await requireOwnSecrets(deps);
  const { next } = ring;
  if (next === undefined) throw new Error('the key ring has no next key');
  await sealAuditTrail(deps);
  const last = await handOverAuditKey(deps, auditSigningKeyOf(next), { stolen: true });
  await ring.promote(clock(), last);
  await requireOwnSecrets(deps);
  const fingerprint = fingerprintOfPublicKey(next.publicKey);
  const behind = await awaitServers(deps, 'audit', ({ current }) => current === fingerprint);
  const file = secrets.store.placeOf(secretFiles.audit);
  const raw = auditSigningKeyOf(ring.current).publicKey;
  return {
    kind: 'done',
    lines: [
      ...linesOf(raw, behind, file),
      `The previous key is valid up to block ${last.number} (${last.hash}). Compare it with an anchor or a checkpoint, and replace the keys that are stored elsewhere.`,
    ],
  };
}

/** A next key that has already begun to sign is the stolen one. */
async function finishSwitch(
  deps: Omit<AuditKeyDeps, 'anchors'>,
  ring: RotatingKeyRing,
): Promise<void> {
  await ring.refresh();
  if (ring.next?.endorsement === undefined) return;
  const next = auditSigningKeyOf(ring.next);
  if (!(await hasSealedLast(deps.database, next))) return;
  await ring.promote(deps.clock(), await handOverAuditKey(deps, next));
}

/**
 * Waits until an event is sealed and every external place has stored its block; returns what is missing when the time
 * is up.
 */
async function awaitStored(deps: AuditKeyDeps, event: string): Promise<string | null> {
  const deadline = performance.now() + deps.waitMs;
  for (;;) {
    await sealAuditTrail(deps);
    const missing = await whatKeepsEventOpen(deps.database.orm, event, deps.anchors);
    if (missing === null || performance.now() > deadline) return missing;
    await sleep(POLL_INTERVAL_MS);
  }
}

const linesOf = (publicKey: Buffer, behind: readonly string[], file: string): readonly string[] => [
  `The audit trail is sealed with the key ${publicKey.toString('base64url')}. Store it outside this installation.`,
  ...(behind.length === 0
    ? []
    : [
        `These servers still have the previous key: ${behind.join(', ')}. They must read ${file}, or need a copy of it.`,
      ]),
];
