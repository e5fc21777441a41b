/**
 * Takes the screenshots of the README and of the guides from the running product, in both languages:
 * `npm run screenshots`, or some of them: `npm run screenshots -- search report`.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeIdentity } from '../../apps/server/src/platform/backup/backup-encryption.ts';
import { findFreePort } from '../../apps/server/src/platform/http/find-free-port.ts';
import { startPortalProcess } from '../../bench/support/portal-process.ts';
import { launchBrowser } from '../support/browser.ts';
import { openScreens } from './open-screens.ts';
import { takeAdministration } from './take-administration.ts';
import { takeAlerts } from './take-alerts.ts';
import { takeApi } from './take-api.ts';
import { takeAirBlast } from './take-air-blast.ts';
import { takeCase } from './take-case.ts';
import { takeDeviceFiles } from './take-device-files.ts';
import { takeDevices } from './take-devices.ts';
import { takeMetrics } from './take-metrics.ts';
import { takeImport } from './take-import.ts';
import { takeReport } from './take-report.ts';
import { takeSearch } from './take-search.ts';
import { takeTerminal } from './take-terminal.ts';
import { takeWebPages } from './take-web-pages.ts';

const steps = {
  ...{ devices: takeDevices, search: takeSearch, case: takeCase, report: takeReport },
  ...{ 'air-blast': takeAirBlast, administration: takeAdministration, metrics: takeMetrics },
  ...{ alerts: takeAlerts, import: takeImport, terminal: takeTerminal },
  ...{ 'device-files': takeDeviceFiles, 'web-pages': takeWebPages, api: takeApi },
};
const wanted = process.argv.slice(2);

const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-screenshots-'));
try {
  const ports = {
    port: await findFreePort('127.0.0.1'),
    mqttPort: await findFreePort('127.0.0.1'),
  };
  await using portal = await startPortalProcess({
    dataDir,
    ...ports,
    args: ['--fleet', '200'],
    env: {
      // A canary that goes offline by its simulated usage pattern would delay the rollout.
      DEVICEPORTAL_AGENT_RHYTHM: 'off',
      DEVICEPORTAL_METRICS_SEND_SECONDS: '60',
      DEVICEPORTAL_BACKUP_LOCATION: join(dataDir, 'backups'),
      DEVICEPORTAL_BACKUP_RECIPIENT: (await makeIdentity(new Date())).recipient,
    },
  });
  await takeScreenshots(portal.url);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function takeScreenshots(url: string): Promise<void> {
  const browser = await launchBrowser();
  const screens = await openScreens(browser, url);
  for (const [name, take] of Object.entries(steps))
    if (wanted.length === 0 || wanted.includes(name)) await take(screens);
  await browser.close();
}
