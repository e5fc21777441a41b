import { PortalError } from '@deviceportal/contract/errors';
import type { MadeProgramKey, ProgramKey } from '@deviceportal/contract/provider-admin';
import type { ActOrigin } from '../../administration/administration-act.ts';
import { createAccessKey, disableAccessKey } from '../oidc/access-keys.ts';
import type { ProviderContext } from '../provider-context.ts';
import { administerProvider } from './administer-provider.ts';
import { nameAccessKey, selectAccessKeys, type AccessKeyPlace } from './access-key-list-store.ts';

/** Pairs with which programs get tokens of their own, without a person. */
export interface AccessKeyAdministration {
  /** Newest first, revoked ones too. */
  list(page: {
    readonly after: AccessKeyPlace | undefined;
    readonly limit: number;
  }): Promise<readonly ProgramKey[]>;
  /** @throws PortalError notFound without such an application */
  create(
    key: { readonly appId: string; readonly name: string; readonly scopes: readonly string[] },
    origin: ActOrigin,
  ): Promise<MadeProgramKey>;
  /** @throws PortalError notFound when it is none, or was revoked already */
  revoke(accessKeyId: string, origin: ActOrigin): Promise<void>;
}

export function createAccessKeyAdministration(context: ProviderContext): AccessKeyAdministration {
  const { applications, clock, db, hash } = context;
  const administer = administerProvider(context);
  return {
    list: (page) => selectAccessKeys(db, page),
    create: ({ appId, name, scopes }, origin) =>
      administer(origin, async ({ client, write }) => {
        const application = await applications.find(appId, client);
        if (application === undefined) {
          throw new PortalError('notFound', { facts: { application: appId } });
        }
        const made = await createAccessKey({ clock, hash, db: client }, { appId, scopes });
        await nameAccessKey(client, made.accessKey, name);
        await write('programKeyCreated', {
          detail: { name, accessKey: made.accessKey, application: application.name, scopes },
        });
        return { accessKeyId: made.accessKey, name, secret: made.accessSecret };
      }),
    revoke: (accessKeyId, origin) =>
      administer(origin, async ({ client, write }) => {
        if (!(await disableAccessKey({ clock, db: client }, accessKeyId))) {
          throw new PortalError('notFound', { facts: { accessKey: accessKeyId } });
        }
        const [key] = await selectAccessKeys(client, { id: accessKeyId, limit: 1 });
        await write('programKeyRevoked', {
          detail: { name: key?.name ?? '', accessKey: accessKeyId, application: key?.application },
        });
      }),
  };
}
