import { PortalError } from '@deviceportal/contract/errors';
import type { MadeProgramKey, ProgramKey } from '@deviceportal/contract/provider-admin';
import {
  listClientCredentialsKeys,
  type AccessKeyPlace,
  type AccessGrant,
  type ListedKey,
} from '../access-keys/access-key-store.ts';
import { endAccessKey } from '../access-keys/end-access-key.ts';
import type { ActOrigin } from './administration-act.ts';
import { createAccessKey } from '../oidc/access-keys.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { administerProvider } from './administer-provider.ts';

const MOST_OF_ACCESS_GRANT = 200;

export interface NewProgramKey {
  readonly appId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** With what it ends; left out, it works until it is revoked. */
  readonly accessGrant?: AccessGrant | null;
}

/** Administration of access keys, with which applications get their own tokens without a user. */
export interface AccessKeyAdministration {
  /** Newest first, revoked ones too. */
  /** Keys that were created with an access grant, newest first. */
  listOfAccessGrant(accessGrantId: string): Promise<readonly ProgramKey[]>;
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
  const { applications, clock, db, hash, isAccessGrantInForce } = context;
  const administer = administerProvider(context);
  /** Looks up each access grant once. */
  const withEnds = async (keys: readonly ListedKey[]): Promise<ProgramKey[]> => {
    const accessGrants = new Set(
      keys.flatMap(({ accessGrant }) => (accessGrant === null ? [] : [accessGrant])),
    );
    const ended = new Set<string>();
    for (const accessGrant of accessGrants)
      if (!(await isAccessGrantInForce(accessGrant))) ended.add(accessGrant);
    return keys.map(({ accessGrant, ...key }) => ({
      ...key,
      ended: accessGrant !== null && ended.has(accessGrant),
    }));
  };
  return {
    listOfAccessGrant: async (accessGrantId) =>
      withEnds(await listClientCredentialsKeys(db, { accessGrantId, limit: MOST_OF_ACCESS_GRANT })),
    list: async (page) => withEnds(await listClientCredentialsKeys(db, page)),
    create: ({ appId, accessGrant = null, name, scopes }, origin) =>
      administer(origin, async ({ client, write }) => {
        const application = await applications.find(appId, client);
        if (application === undefined) {
          throw new PortalError('notFound', { facts: { application: appId } });
        }
        const made = await createAccessKey(
          { clock, hash, db: client },
          { appId, accessGrant, name, scopes },
        );
        await write('programKeyCreated', {
          detail: {
            ...{ name, accessKey: made.accessKey, application: application.name, scopes },
            ...(accessGrant && { elevationId: accessGrant.id, expiresAt: accessGrant.endsAt }),
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
