import { PortalError } from '@deviceportal/contract/errors';
import type { MadeProgramKey, ProgramKey } from '@deviceportal/contract/provider-admin';
import {
  listClientCredentialsKeys,
  type AccessKeyPlace,
  type Lease,
  type ListedKey,
} from '../access-keys/access-key-store.ts';
import { endAccessKey } from '../access-keys/end-access-key.ts';
import type { ActOrigin } from './administration-act.ts';
import { createAccessKey } from '../oidc/access-keys.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { administerProvider } from './administer-provider.ts';

const MOST_OF_LEASE = 200;

export interface NewProgramKey {
  readonly appId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** With what it ends; left out, it works until it is revoked. */
  readonly lease?: Lease | null;
}

/** Administration of access keys, with which applications get their own tokens without a user. */
export interface AccessKeyAdministration {
  /** Newest first, revoked ones too. */
  /** Keys that were created with a lease, newest first. */
  listOfLease(leaseId: string): Promise<readonly ProgramKey[]>;
  list(page: {
    readonly after: AccessKeyPlace | undefined;
    readonly limit: number;
  }): Promise<readonly ProgramKey[]>;
  /** @throws PortalError notFound without such an application */
  create(key: NewProgramKey, origin: ActOrigin): Promise<Omit<MadeProgramKey, 'bond'>>;
  /** @throws PortalError notFound when it is none, or was revoked already */
  revoke(accessKeyId: string, origin: ActOrigin): Promise<void>;
}

export function createAccessKeyAdministration(context: ProviderContext): AccessKeyAdministration {
  const { applications, clock, db, hash, isLeaseInForce } = context;
  const administer = administerProvider(context);
  /** Looks up each lease once. */
  const withEnds = async (keys: readonly ListedKey[]): Promise<ProgramKey[]> => {
    const leases = new Set(keys.flatMap(({ lease }) => (lease === null ? [] : [lease])));
    const ended = new Set<string>();
    for (const lease of leases) if (!(await isLeaseInForce(lease))) ended.add(lease);
    return keys.map(({ lease, ...key }) => ({ ...key, ended: lease !== null && ended.has(lease) }));
  };
  return {
    listOfLease: async (leaseId) =>
      withEnds(await listClientCredentialsKeys(db, { leaseId, limit: MOST_OF_LEASE })),
    list: async (page) => withEnds(await listClientCredentialsKeys(db, page)),
    create: ({ appId, lease = null, name, scopes }, origin) =>
      administer(origin, async ({ client, write }) => {
        const application = await applications.find(appId, client);
        if (application === undefined) {
          throw new PortalError('notFound', { facts: { application: appId } });
        }
        const made = await createAccessKey(
          { clock, hash, db: client },
          { appId, lease, name, scopes },
        );
        await write('programKeyCreated', {
          detail: {
            ...{ name, accessKey: made.accessKey, application: application.name, scopes },
            ...(lease && { elevationId: lease.id, expiresAt: lease.endsAt }),
          },
        });
        return { accessKeyId: made.accessKey, name, secret: made.accessSecret };
      }),
    revoke: (accessKeyId, origin) =>
      administer(origin, async (act) => {
        const name = await endAccessKey(act, { accessKeyId, use: 'client-credentials' });
        const [key] = await listClientCredentialsKeys(act.client, { id: accessKeyId, limit: 1 });
        await act.write('programKeyRevoked', {
          detail: { name, accessKey: accessKeyId, application: key?.application },
        });
      }),
  };
}
