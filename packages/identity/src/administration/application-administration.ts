import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import {
  MOST_APPLICATIONS,
  type MadeApplication,
  type ProviderApplication,
  type ProviderApplicationInput,
} from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import type { ActOrigin } from './administration-act.ts';
import { randomSecret } from '../secrets/secret-hash.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { Application } from '../applications/application.ts';
import { deleteApplication, lockApplication } from '../applications/application-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { endSessionsOfApplication } from '../sessions/provider-session-store.ts';
import { administerProvider } from './administer-provider.ts';
import { countApplications, selectApplicationRows } from './application-list-store.ts';
import { staleError } from './stale-error.ts';

const SECRET_BYTES = 32;

/** Administration of applications that sign users in here. */
export interface ApplicationAdministration {
  /** Oldest first. */
  list(): Promise<readonly ProviderApplication[]>;
  /** @throws PortalError invalidParameters when there are too many */
  create(input: ProviderApplicationInput, origin: ActOrigin): Promise<MadeApplication>;
  /**
   * @param basedOn `modifiedAt` of the edited version
   * @throws PortalError notFound; invalidParameters for the portal's own application, or if another
   * user has changed it since
   */
  edit(
    appId: string,
    input: ProviderApplicationInput & { readonly basedOn: string },
    origin: ActOrigin,
  ): Promise<void>;
  /** The previous secret stops working immediately. */
  rotateSecret(appId: string, origin: ActOrigin): Promise<MadeApplication>;
  /** With its access keys and its SAML service; sign-ins made by it end. */
  remove(appId: string, origin: ActOrigin): Promise<void>;
}

export function createApplicationAdministration(
  context: ProviderContext,
): ApplicationAdministration {
  const { applications, db, settings } = context;
  const administer = administerProvider(context);
  const ownId = settings.application.id;
  const requireOthers = async (client: Queryable, appId: string): Promise<Application> => {
    const isThere = await lockApplication(client, appId);
    const found = isThere ? await applications.find(appId, client) : undefined;
    if (found === undefined) throw new PortalError('notFound', { facts: { application: appId } });
    if (appId === ownId) throw refuse('application-is-portal', { field: 'appId' });
    return found;
  };
  return {
    list: async () =>
      (await selectApplicationRows(db)).map((row) => ({ ...row, isOwn: row.appId === ownId })),
    async create(input, origin) {
      const appId = newId();
      const secret = randomSecret(SECRET_BYTES);
      await administer(origin, async ({ client, write }) => {
        if ((await countApplications(client)) >= MOST_APPLICATIONS)
          throw refuse('too-many-applications', { facts: { most: MOST_APPLICATIONS } });
        const place = { appId, userPoolId: settings.userPoolId, logo: null, secret };
        await applications.save({ ...input, ...place }, client);
        await write('applicationCreated', { detail: { application: input.name, appId } });
      });
      return { appId, name: input.name, secret };
    },
    async edit(appId, { basedOn, ...input }, origin) {
      await administer(origin, async ({ client, write }) => {
        const before = await requireOthers(client, appId);
        const [row] = await selectApplicationRows(client, appId);
        if (row?.modifiedAt !== basedOn) throw staleError();
        await applications.save({ ...before, ...input }, client);
        const changed = Object.entries(input)
          .filter(([field, value]) => !isSame(before[field as keyof Application], value))
          .map(([field]) => field);
        const detail = { application: input.name, appId, changed };
        if (changed.length > 0) await write('applicationChanged', { detail });
      });
    },
    async rotateSecret(appId, origin) {
      const secret = randomSecret(SECRET_BYTES);
      const name = await administer(origin, async ({ client, write }) => {
        const before = await requireOthers(client, appId);
        await applications.save({ ...before, secret }, client);
        await write('applicationSecretRotated', { detail: { application: before.name, appId } });
        return before.name;
      });
      return { appId, name, secret };
    },
    async remove(appId, origin) {
      await administer(origin, async ({ client, now, write }) => {
        const { name } = await requireOthers(client, appId);
        await endSessionsOfApplication(client, appId, now);
        await deleteApplication(client, appId);
        await write('applicationRemoved', { detail: { application: name, appId } });
      });
    },
  };
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? '') === JSON.stringify(after);
}
