import {
  Provider,
  errors,
  type Adapter,
  type AdapterPayload,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { browserSignInId } from '../hosted-page/browser-sign-in.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { findClientMetadata } from './client-metadata.ts';
import { oidcHash } from './oidc-hash.ts';
import {
  consumeEntry,
  deleteEndedEntries,
  deleteEntriesOfGrant,
  deleteEntry,
  findEntry,
  upsertEntry,
  type StoredOidcEntry,
} from './oidc-store.ts';
import { isWithoutSecret } from './presented-credentials.ts';

type AdapterContext = Pick<
  ProviderContext,
  'applications' | 'box' | 'clock' | 'db' | 'hash' | 'isAccessGrantInForce' | 'onInternalError'
>;

const SWEEP_MS = 10 * 60_000;
/** Unauthenticated requests are stored as received, up to this length. */
const LONGEST_PAYLOAD = 8_192;

/**
 * Keeps what oidc-provider keeps, one kind for each instance, in PostgreSQL. Each call is one statement, so a server that
 * is killed leaves nothing half done. Clients are not kept here: they are the applications and their access keys.
 */
export function createOidcAdapter(context: AdapterContext): (kind: string) => Adapter {
  const sweep = createSweep(context);
  return (kind) =>
    kind === 'Client' ? clientAdapter(context) : entryAdapter(context, kind, sweep);
}

/** Now and then removes what is over: when something new is kept, at most once in this time. */
function createSweep({
  clock,
  db,
  onInternalError,
}: Pick<AdapterContext, 'clock' | 'db' | 'onInternalError'>): () => void {
  let nextMs = clock.now() + SWEEP_MS;
  return () => {
    if (clock.now() < nextMs) return;
    nextMs = clock.now() + SWEEP_MS;
    deleteEndedEntries(db, new Date(clock.now())).catch((error: unknown) =>
      onInternalError(error, 'deletion of expired OIDC data'),
    );
  };
}

function entryAdapter(context: AdapterContext, kind: string, sweep: () => void): Adapter {
  const { box, clock, db } = context;
  const hashOf = (what: string, text: string): Buffer => oidcHash(context, what, text);
  const now = (): Date => new Date(clock.now());
  const open = (stored: StoredOidcEntry | undefined): AdapterPayload | undefined => {
    if (stored === undefined || !mayUse(stored, kind)) return undefined;
    const payload = JSON.parse(
      box.open(stored.payloadBox, stored.idHash.toString('hex')),
    ) as AdapterPayload;
    const isUsable = kind !== 'AuthorizationCode' || mayRedeem(payload);
    if (!isUsable) return undefined;
    return stored.consumedAt === null
      ? payload
      : { ...payload, consumed: Math.floor(stored.consumedAt.getTime() / 1_000) };
  };
  return {
    async upsert(id, payload, expiresIn) {
      const text = JSON.stringify(payload);
      if (text.length > LONGEST_PAYLOAD) throw new errors.InvalidRequest('the request is too long');
      sweep();
      const idHash = hashOf(kind, id);
      const { grantId, uid, accountId } = payload;
      await upsertEntry(
        db,
        {
          kind,
          idHash,
          payloadBox: box.seal(text, idHash.toString('hex')),
          grantHash:
            kind === 'Grant' ? hashOf('grant', id) : grantId ? hashOf('grant', grantId) : null,
          uidHash: kind === 'Session' && uid ? hashOf('uid', uid) : null,
          userId: accountId ?? null,
          isPublic: kind === 'RefreshToken' && isWithoutSecret(Provider.ctx),
          signInId: kind === 'Session' ? signInOf(context, Provider.ctx) : null,
          expiresAt: expiresIn ? new Date(clock.now() + expiresIn * 1_000) : null,
        },
        now(),
      );
    },
    async find(id) {
      return open(await findEntry(db, { kind, by: 'id_hash', hash: hashOf(kind, id) }, now()));
    },
    async findByUid(uid) {
      return open(await findEntry(db, { kind, by: 'uid_hash', hash: hashOf('uid', uid) }, now()));
    },
    // Devices without a browser are not offered.
    findByUserCode: async () => undefined,
    async consume(id) {
      // Of concurrent uses of a code or refresh token, one succeeds.
      if (!(await consumeEntry(db, kind, hashOf(kind, id), now()))) {
        throw new errors.InvalidGrant('already consumed');
      }
    },
    destroy: (id) => deleteEntry(db, kind, hashOf(kind, id)),
    revokeByGrantId: (grantId) => deleteEntriesOfGrant(db, hashOf('grant', grantId)),
  };
}

/** Sessions end with the sign-in of their browser, and tokens that were given to its applications with them. */
function signInOf(context: AdapterContext, ctx: KoaContextWithOIDC | undefined): string | null {
  return (ctx && browserSignInId(context, ctx.headers)) ?? null;
}

/** Entries of a client that authenticated with a secret are not available without one. */
function mayUse({ isPublic }: StoredOidcEntry, kind: string): boolean {
  return kind !== 'RefreshToken' || isPublic || !isWithoutSecret(Provider.ctx);
}

/** Without a secret a code needs PKCE (RFC 9700, section 2.1.1). */
function mayRedeem({ codeChallenge }: AdapterPayload): boolean {
  return codeChallenge !== undefined || !isWithoutSecret(Provider.ctx);
}

function clientAdapter(context: AdapterContext): Adapter {
  const refuse = async (): Promise<never> => {
    throw new Error('clients are kept with the applications');
  };
  return {
    find: (id) => findClientMetadata(context, id, isWithoutSecret(Provider.ctx)),
    upsert: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}
