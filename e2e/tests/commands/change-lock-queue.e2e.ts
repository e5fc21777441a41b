import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { readFleet, type Fleet } from '../../support/fleet.ts';
import { PortalClient } from '../../support/portal-client.ts';
import { openTestBrowser } from '../../support/test-browser.ts';
import { rowOf } from '../../support/words.ts';

const TWO_PAGES_LIMIT_MS = 120_000;
const testBrowser = openTestBrowser();
let admin: PortalClient;
let operator: PortalClient;
let fleet: Fleet;
beforeAll(async () => {
  admin = await PortalClient.signIn('admin');
  operator = await PortalClient.signIn('operator');
  fleet = await readFleet(admin);
});

const runOn = (
  person: PortalClient,
  deviceId: string,
  command: { readonly command: string; readonly parameters: object },
): Promise<{ id: string }> =>
  person.order('commands.run', {
    ...command,
    target: { kind: 'devices', deviceIds: [deviceId] },
    whenLocked: 'queue',
    idempotencyKey: randomUUID(),
  });

test(
  'a queued run shows the run ahead of it, in the list of runs and on the device page, until it starts',
  async () => {
    const device = fleet.takeOnline();
    const first = await runOn(admin, device.id, {
      command: 'shell',
      parameters: { script: 'sleep 900' },
    });
    await runOn(operator, device.id, { command: 'restart/agent', parameters: {} });
    const words = 'Queued behind shell by admin@deviceportal.local';

    const list = await testBrowser.open('operator', `/commands?mine=true&device=${device.id}`);
    await rowOf(list, 'restart/agent').getByRole('link', { name: words }).waitFor();
    const page = await testBrowser.open('operator', `/devices/${device.id}?tab=commands`);
    await rowOf(page, 'restart/agent').getByRole('link', { name: words }).waitFor();

    await admin.order('commands.cancelRun', { id: first.id });
    for (const each of [list, page]) {
      await each.getByRole('link', { name: words }).waitFor({ state: 'detached' });
      await rowOf(each, 'restart/agent').getByText('Succeeded').waitFor();
    }
    expect(await page.getByRole('link', { name: words }).count()).toBe(0);
  },
  TWO_PAGES_LIMIT_MS,
);
