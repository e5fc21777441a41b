import { afterAll, beforeAll, expect, it } from 'vitest';
import { providerApplicationInput } from '@deviceportal/contract/provider-admin';
import type { ActOrigin, AdministrationAct } from '../../src/administration/administration-act.ts';
import type { ProviderAdministration } from '../../src/administration/provider-administration.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const origin: ActOrigin = {
  actor: { kind: 'person', id: 'admin-1', name: 'ada' },
  address: '192.0.2.1',
  requestId: 'request-1',
};
const acts: AdministrationAct[] = [];
let idp: OpenProvider;
let admin: ProviderAdministration;
beforeAll(async () => {
  idp = await openProvider({}, { writeAct: async (_client, act) => void acts.push(act) });
  admin = idp.provider.administration;
});
afterAll(() => idp[Symbol.asyncDispose]());

it('concurrent changes of a role by two administrators are both applied', async () => {
  const input = { namespace: 'shop', code: 'clerk', description: 'sells' };
  const { id } = await admin.roles.create(input, origin);
  const blocker = await idp.pool.connect();
  try {
    // Both have begun, and neither has changed anything yet.
    await blocker.query('begin');
    await blocker.query('select from identity.provider_role where id = $1 for share', [id]);
    const edits = Promise.all(
      ['one', 'two'].map((description) => admin.roles.edit({ id, description }, origin)),
    );
    edits.catch(() => {});
    await expect.poll(waiting, { timeout: 20_000, interval: 20 }).toBe(2);
    await blocker.query('commit');
    await edits;
  } finally {
    blocker.release(true);
  }
  expect(acts.filter(({ kind }) => kind === 'roleChanged')).toHaveLength(2);
  await Promise.all([
    admin.roles.edit({ id, description: 'three' }, origin).catch(notFoundOnly),
    admin.roles.remove(id, origin),
  ]);
});

it('if two administrators save a service concurrently, the slower one gets a conflict', async () => {
  const program = providerApplicationInput.parse({
    name: 'Shop',
    redirectUris: [REDIRECT_URI],
    protocols: ['saml'],
  });
  const { appId } = await admin.applications.create(program, origin);
  const said = { appId, acsUrls: [REDIRECT_URI], logoutUrl: null, certificate: null };
  const saveBoth = async (basedOn: string | null, names: readonly string[]) =>
    (
      await Promise.allSettled(
        names.map((entityId) => admin.samlServices.save({ ...said, entityId, basedOn }, origin)),
      )
    ).flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const stale = [{ issues: [{ path: ['basedOn'] }] }];
  expect(await saveBoth(null, ['urn:one', 'urn:two'])).toMatchObject(stale);
  const [row] = await admin.samlServices.list();
  idp.clock.advance(1_000);
  expect(await saveBoth(row?.modifiedAt ?? '', ['urn:three', 'urn:four'])).toMatchObject(stale);
  await admin.samlServices.remove(appId, origin);
  await expect(
    admin.samlServices.save(
      { ...said, entityId: 'urn:five', basedOn: row?.modifiedAt ?? '' },
      origin,
    ),
  ).rejects.toMatchObject(stale[0] ?? {});
});

/** How many transactions wait for a lock. */
async function waiting(): Promise<number> {
  const answer = await idp.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return answer.rowCount ?? 0;
}

function notFoundOnly(error: unknown): void {
  expect(error).toMatchObject({ errorName: 'notFound' });
}
