import type { Page } from 'playwright-core';
import { apiTokenSituations } from './api-token-situations.ts';
import { backupSituations } from './backup-situations.ts';
import { caseSituations } from './case-situations.ts';
import { withoutSignatureChecks, withOutsideSystems } from '../change-answers.ts';
import { metricSituations } from './metric-situations.ts';
import type { Situation } from './situation.ts';

const rows = (page: Page): Promise<void> =>
  page.locator('main table tbody tr a[href], main table tbody tr button').first().waitFor();
const shows =
  (selector: string) =>
  (page: Page): Promise<void> =>
    page.locator(selector).first().waitFor();
const calls = '**/api/trpc/**';
const isShell = (url: string): boolean => /trpc\/session\.get\b/.test(url);

const held = async (page: Page): Promise<void> => {
  await page.route(calls, (route) =>
    isShell(route.request().url()) ? route.continue() : undefined,
  );
};
const refused = async (page: Page): Promise<void> => {
  await page.route(calls, (route) =>
    isShell(route.request().url()) ? route.continue() : route.fulfill({ status: 400, body: '{}' }),
  );
};
const press =
  (selector: string, then: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(selector).first().click();
    await shows(then)(page);
  };

const loaded = (path: string, reach: Situation['reach'] = rows): Situation => ({
  name: path,
  path: () => path,
  reach,
});
const ofDevice = (name: string, suffix: string, reach: Situation['reach']): Situation => ({
  name,
  path: (fleet) => `/devices/${fleet.real.id}${suffix}`,
  reach,
});
const command = (name: string, reach: Situation['reach']): Situation => ({
  name: `/commands/${name} form`,
  path: (fleet) => `/commands/${name}?device=${fleet.real.id}`,
  reach,
});

const menuItem = 'main [role="menuitem"], body > div [role="menuitem"]';
const dialog = '[role="dialog"]:not([aria-hidden="true"]) button, dialog[open]';

/** A document with a version in review. */
export const IN_REVIEW = 'Situation-in-review';

/** A rollout that waits for approval after its canary stage. */
export const IN_APPROVAL = 'Situation in approval';
const inApproval = `main a[href^="/air-blast/"]:has-text("${IN_APPROVAL}")`;
const airBlast = (name: string, reach: Situation['reach']): Situation => ({
  name: `AirBlast ${name}`,
  path: () => '/air-blast',
  reach: async (page) => {
    await press(inApproval, 'main .dp-step-rail')(page);
    await reach(page);
  },
});

/** URL in the picture of a new QR code. */
async function phonePageOf(page: Page): Promise<string> {
  const reply = await page.request.post('/idp/api/v2/qrcode/gene', { data: { scene: 'APP_AUTH' } });
  const { data } = (await reply.json()) as { readonly data: { readonly url: string } };
  return new URL(data.url).pathname.replace('/picture.png', '');
}

export const situations: readonly Situation[] = [
  loaded('/', shows('main a[href^="/devices?"]')),
  loaded('/devices'),
  loaded('/profile', shows('main table tbody td')),
  loaded('/commands'),
  loaded('/map?map=30,10,2', shows('main table tbody a[href]')),
  loaded('/documents'),
  loaded('/documents/DevicePortal-storage-usage', shows('main [role="tab"]')),
  loaded('/documents/DevicePortal-storage-usage?tab=source', shows('.dp-source')),
  loaded('/documents/DevicePortal-config-set?tab=try', shows('main input')),
  loaded('/documents/DevicePortal-config-set', shows('main [role="tab"]')),
  loaded(`/documents/${IN_REVIEW}`, shows('main textarea')),
  loaded(`/documents/${IN_REVIEW}?tab=versions`, rows),
  loaded(`/documents/${IN_REVIEW}?tab=permissions`, rows),
  loaded('/documents/DevicePortal-storage-usage?tab=usage'),
  loaded('/documents/DevicePortal-storage-usage?edit=true', shows('.dp-source textarea')),
  loaded('/documents?waiting=true'),
  loaded('/documents?create=true', shows('.dp-source textarea')),
  loaded('/tavs'),
  loaded('/tavs?component=firmware&tab=matrix', shows('main table td a[href^="/devices?"]')),
  loaded('/tavs?component=firmware&tab=software', shows('main table')),
  loaded('/tavs?area=packages&package=openssl', shows('main table td a[href^="/devices?"]')),
  loaded('/air-blast', shows('main table')),
  loaded('/air-blast?plan=1', shows('main input[type="radio"]')),
  loaded(
    '/air-blast?plan=1&all=1&document=DevicePortal-storage-usage',
    shows('main .dp-wave-sketch'),
  ),
  airBlast('that asks for approval', shows('main .dp-reasons')),
  {
    ...airBlast('on devices whose agents check no signatures', shows('main .dp-step-rail')),
    before: withoutSignatureChecks,
  },
  airBlast('and why a device has not got it', async (page) => {
    await rows(page);
    await press('main tbody button[aria-haspopup="dialog"]', '[role="dialog"] .dp-reasons')(page);
  }),
  airBlast('report', async (page) => {
    await page.goto(`${page.url()}/report`);
    await shows('main .dp-timeline li')(page);
  }),
  {
    name: 'notification preferences',
    isAlone: true,
    path: () => '/air-blast',
    reach: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: /^Notifications|^通知/ }).click();
      await shows('.dp-news-item')(page);
    },
  },
  {
    name: 'schedule of a command',
    path: () => '/commands/storage/usage?all=1',
    reach: press('main [role="button"][aria-expanded="false"]', 'main input[type="radio"]'),
  },
  {
    name: 'device without signature checks',
    path: (fleet) => `/devices/${fleet.real.id}`,
    before: withoutSignatureChecks,
    reach: shows('main .dp-facts'),
  },
  {
    name: 'command without signature checks',
    path: () => '/commands/storage/usage?all=1',
    before: withoutSignatureChecks,
    reach: shows('main .dp-command-sha256'),
  },
  loaded('/reports/user-report', shows('main h2')),
  {
    name: 'user report asked for',
    path: (fleet) => `/reports/user-report?person=${fleet.owned.owner.id}`,
    reach: shows('main button[type="submit"]:enabled, main [class*="variant-primary"]:enabled'),
  },
  {
    name: 'user report of a person',
    path: (fleet) => `/reports/user-report?person=${fleet.owned.owner.id}`,
    reach: press('main [class*="variant-primary"]:enabled', 'main .dp-report-table td'),
  },
  {
    name: 'user report about to be shared',
    path: (fleet) => `/reports/user-report?person=${fleet.owned.owner.id}`,
    reach: async (page) => {
      await press('main [class*="variant-primary"]:enabled', 'main .dp-report-table td')(page);
      await press('main [class*="variant-primary"]:enabled', '.dp-share-preview td')(page);
    },
  },
  loaded('/people'),
  {
    name: 'person',
    path: (fleet) => `/people/${fleet.owned.owner.id}`,
    reach: shows('main table a[href^="/devices/"]'),
  },
  {
    name: 'opening a case',
    isAlone: true,
    path: (fleet) => `/people/${fleet.owned.owner.id}`,
    reach: press('main button[class*="variant-primary"]', dialog),
  },
  loaded('/cases?show=all'),
  loaded('/audit-trail/device'),
  loaded('/audit-trail/device?view=builtin-access-changes&q=event%3Daccess.*&t=30d'),
  {
    name: 'audit trail checked',
    path: () => '/audit-trail/device?dialog=check',
    reach: shows('[role="dialog"] input[type="file"]'),
  },
  loaded('/api-calls'),
  loaded('/uam/users'),
  loaded('/uam/roles'),
  loaded('/uam/temporary-access', shows('main table')),
  loaded('/uam/run-policy', shows('main input')),
  loaded('/uam/keys'),
  loaded('/uam/data-sources'),
  loaded('/uam/data-sources/database', shows('main dl')),
  {
    ...loaded('/uam/data-sources', shows('main [class*="awsui_alert"]')),
    name: 'data sources outside the installation',
    before: withOutsideSystems,
  },
  {
    name: 'table outside the installation',
    path: () => '/uam/data-sources/geolocations',
    before: withOutsideSystems,
    reach: shows('main table tbody td'),
  },
  {
    name: 'reading all items of a table again',
    path: () => '/uam/data-sources/geolocations',
    before: withOutsideSystems,
    reach: press('main h1 ~ * button, main [class*="awsui_actions"] button', dialog),
  },
  loaded('/uam/backups', shows('main [class*="awsui_alert"]')),
  ...backupSituations,
  ...caseSituations,
  loaded('/uam/ticket-system', shows('main input')),
  loaded('/imports', shows('main input[type="file"]')),
  loaded('/alerts', shows('main table')),
  loaded('/alerts?tab=rules', shows('main table')),
  loaded('/alerts?create=true', shows('main input')),
  loaded('/legal-holds', shows('main table')),
  {
    name: 'setting a legal hold',
    path: () => '/legal-holds?set=true',
    reach: shows('[role="dialog"] textarea'),
  },
  loaded('/uam/access-reviews', shows('main table')),
  {
    name: 'starting an access review',
    path: () => '/uam/access-reviews?start=true',
    reach: shows('[role="dialog"] input'),
  },
  loaded('/uam/directory-sync', shows('main dl')),
  {
    name: 'new directory connection',
    path: () => '/uam/directory-sync',
    reach: press('main button[class*="variant-primary"]', '[role="dialog"] input'),
  },
  ...apiTokenSituations,
  {
    name: 'asking for a role',
    path: () => '/uam/temporary-access?show=mine&ask=true',
    reach: shows('[role="dialog"] textarea'),
  },
  loaded('/uam/roles?create=true', shows('main input[type="checkbox"]')),
  loaded('/uam/roles?tab=matrix', shows('main table tbody td')),
  loaded('/uam/roles?tab=who-can&can=restart%2Fdevice', rows),
  {
    name: 'user',
    path: () => '/uam/users',
    reach: press('main a[href^="/uam/users/"]', 'main dl'),
  },
  {
    name: 'role',
    path: () => '/uam/roles',
    reach: press('main a[href^="/uam/roles/"]', 'main dl'),
  },
  loaded('/uam/provider', shows('main table tbody td')),
  {
    name: 'new application',
    path: () => '/uam/provider',
    reach: press('main [role="tabpanel"] button[type="submit"]', '[role="dialog"] textarea'),
  },
  loaded('/uam/provider?tab=connections', shows('main [role="tabpanel"] h2')),
  loaded('/uam/provider?tab=departments', shows('main [role="tabpanel"] h2')),
  loaded('/uam/provider?tab=roles', rows),
  {
    name: 'people with a role for programs',
    path: () => '/uam/provider?tab=roles',
    reach: press('main a[href*="tab=roles&of="]', 'main [role="tabpanel"] time'),
  },
  loaded('/uam/provider?tab=access-keys', shows('main [role="tabpanel"] h2')),
  {
    name: 'new SAML service',
    path: () => '/uam/provider?tab=saml',
    reach: press('main [role="tabpanel"] button[type="submit"]', '[role="dialog"] textarea'),
  },
  ofDevice('device', '', shows('main [role="tabpanel"] time')),
  ofDevice('device commands', '?tab=commands', rows),
  ofDevice('device versions', '?tab=versions', shows('main table tbody td')),
  ofDevice('device instances', '?tab=instances', shows('main [role="tabpanel"] time')),
  ofDevice('similar devices', '?tab=similar', shows('main [role="tabpanel"] table')),
  ...metricSituations,
  ofDevice('device past', '?tab=past', shows('main [role="tabpanel"] table')),
  ofDevice('device notes', '?tab=notes', shows('main textarea')),
  ofDevice('device raw', '?tab=raw', shows('.dp-code-text')),
  command('storage/usage', shows('#parameter-top')),
  command('shell', shows('#parameter-script')),
  {
    name: 'phone page of a QR code',
    isAlone: true,
    isOutside: true,
    path: () => '/',
    reach: async (page) => {
      await shows('main a[href^="/devices?"]')(page);
      await page.goto(await phonePageOf(page));
      await shows('main form input')(page);
    },
  },
  {
    name: 'sign-in page of the provider',
    isAlone: true,
    isOutside: true,
    path: () => '/idp/cas-idp/deviceportal/login',
    reach: shows('main nav a'),
  },
  {
    name: 'QR code on the sign-in page of the provider',
    isAlone: true,
    isOutside: true,
    path: () => '/idp/cas-idp/deviceportal/login',
    reach: async (page) => {
      await shows('main nav a')(page);
      await page.goto(`${page.url()}?way=qr`);
      await shows('main img')(page);
    },
  },
  loaded('/nowhere', shows('main h1')),
  {
    name: 'devices loading',
    path: () => '/devices',
    before: held,
    reach: shows('main table'),
  },
  {
    name: 'devices refused',
    path: () => '/devices',
    before: refused,
    reach: shows('main [class*="awsui_alert"]'),
  },
  {
    name: 'devices none match',
    path: () => '/devices?q=serialNumber%3DNONE',
    reach: shows('main tbody button'),
  },
  {
    name: 'device unknown',
    path: () => '/devices/NO-SUCH-DEVICE',
    reach: shows('main h1'),
  },
  {
    name: 'device loading',
    path: (fleet) => `/devices/${fleet.real.id}`,
    before: held,
    reach: shows('main'),
  },
  {
    name: 'audit trail none match',
    path: () => '/audit-trail/device?q=nothing-is-called-so',
    reach: shows('main tbody button'),
  },
  {
    name: 'add device dialog',
    path: () => '/devices?dialog=add',
    reach: shows(`${dialog}`),
  },
  {
    name: 'devices compared',
    path: ({ real, owned }) => `/devices?compare=${real.id},${owned.id}`,
    reach: shows('.dp-compare tbody tr'),
  },
  {
    name: 'all devices selected',
    path: () => '/devices',
    reach: async (page) => {
      await rows(page);
      await page.locator('main thead input[type="checkbox"]').first().check({ force: true });
      await shows('main [role="status"] + button')(page);
    },
  },
  {
    name: 'device between its neighbors',
    path: () => '/devices',
    reach: async (page) => {
      await rows(page);
      await press('main table tbody tr:nth-child(2) a[href]', 'main .dp-pages')(page);
      await shows('main [role="tabpanel"] time')(page);
    },
  },
  {
    name: 'edit device dialog',
    path: (fleet) => `/devices/${fleet.real.id}`,
    reach: async (page) => {
      await shows('main [role="tabpanel"] time')(page);
      await press('main [class*="actions"] button[aria-haspopup]', menuItem)(page);
      await press('[role="menuitem"]', dialog)(page);
    },
  },
  {
    name: 'split panel',
    path: (fleet) => `/devices?sel=${fleet.real.id}`,
    reach: shows('[class*="split-panel"] h2, [class*="split-panel"] h3'),
  },
  {
    name: 'palette',
    isAlone: true,
    path: () => '/',
    reach: async (page) => {
      await shows('main a[href^="/devices?"]')(page);
      await page.keyboard.press('/');
      await shows('dialog[open] [role="option"]')(page);
    },
  },
  {
    name: 'keys',
    isAlone: true,
    path: () => '/',
    reach: async (page) => {
      await shows('main a[href^="/devices?"]')(page);
      await page.keyboard.press('?');
      await shows(dialog)(page);
    },
  },
];
