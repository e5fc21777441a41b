import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../support/access-fixture.ts';
import { verifyAuditTrail } from '../../src/audit-trail/verification/verify-audit-trail.ts';
import { installationSigner, onlyHot } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';

const LIMIT_MS = 180_000;
const MINUTES = 30;
const resources = new AsyncDisposableStack();
let setup: TestDatabase;
let portal: PortalPrograms;
let admin: AccessFixture;
let sam: AccessFixture;

beforeAll(async () => {
  setup = resources.use(await createTestDatabase());
  portal = resources.use(await PortalPrograms.prepare());
  await startServer();
  admin = await AccessFixture.open(portal, 'admin');
  await admin.invite('sam@example.com', 'Support');
  sam = await AccessFixture.open(portal, 'sam@example.com');
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

const startServer = (): Promise<void> =>
  portal.startServer({ DEVICEPORTAL_DATABASE_URL: setup.url });

async function killAndRestart(meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  await portal.server.end('SIGKILL');
  await meanwhile();
  await startServer();
}

const ofSam = async (): Promise<AccessGrantRow | undefined> =>
  (await sam.read<Page<AccessGrantRow>>('access.accessGrants.list', { open: false })).rows[0];

/** Permitted by the role Auditor, not by Support. */
const readsCalls = async (): Promise<boolean> =>
  (await sam.ask('apiCalls.list', {})).status === 200;

/** As if so much time had passed since it was granted. */
const passMinutes = (minutes: number): Promise<unknown> =>
  rowsOf(
    setup.database,
    `update access_grant set ends_at = ends_at - make_interval(mins => $1),
       decided_at = decided_at - make_interval(mins => $1)`,
    [minutes],
  );

test(
  'grants temporary access once, ends it on time, and notifies once, with the server killed at each stage',
  async () => {
    const { id: roleId } = await admin.role('Auditor');
    const asked = await sam.done<AccessGrantRow>('access.accessGrants.ask', {
      ...{ roleId, minutes: MINUTES },
      reason: 'the nightly job fails',
    });
    const flight = admin
      .order('access.accessGrants.grant', { id: asked.id })
      .catch(() => undefined);
    await killAndRestart();
    await flight;
    if ((await ofSam())?.state === 'waiting')
      await admin.done('access.accessGrants.grant', { id: asked.id });
    const given = await ofSam();
    expect(given).toMatchObject({ id: asked.id, state: 'running' });

    await killAndRestart(() => passMinutes(MINUTES - 5));
    expect(await readsCalls()).toBe(true);
    const { roles, accessGrants } = await sam.session();
    expect(roles).toEqual(['Support', 'Auditor']);
    expect(accessGrants).toHaveLength(1);

    await killAndRestart(() => passMinutes(5));
    expect(await readsCalls()).toBe(false);
    const ended = await until(async () => {
      const row = await ofSam();
      return row?.state === 'ended' && row;
    });
    const onTime = Date.parse(given?.endsAt ?? '') - MINUTES * 60_000;
    expect(Date.parse(ended.endedAt ?? '')).toBe(onTime);
    expect(ended).toMatchObject({ endReason: 'time', endedBy: null });

    await killAndRestart();
    const told = await admin.trail(
      'access.elevation-asked',
      'access.elevation-granted',
      'access.elevation-ended',
    );
    expect(told.map(({ type, data }) => [type, data['elevationId']])).toEqual(
      expect.arrayContaining([
        ['access.elevation-ended', asked.id],
        ['access.elevation-granted', asked.id],
        ['access.elevation-asked', asked.id],
      ]),
    );
    expect(told).toHaveLength(3);
    const end = told.find(({ type }) => type === 'access.elevation-ended');
    expect(end).toMatchObject({ data: { occurredAt: ended.endsAt }, actor: { kind: 'system' } });
    await expectSealedWithoutHole();
  },
  LIMIT_MS,
);

/** Every event is in the chain once, without gaps. */
async function expectSealedWithoutHole(): Promise<void> {
  const { trustedKeys } = await installationSigner(portal.dataDir);
  const verification = await until(async () => {
    const found = await verifyAuditTrail({ ...onlyHot(setup), trustedKeys });
    const [all] = await rowsOf<{ count: number }>(
      setup.database,
      'select count(*)::int from audit_event',
    );
    return found.verified === all?.count && found;
  }, 30_000);
  expect(verification).toMatchObject({ broken: null, strays: 0 });
}
