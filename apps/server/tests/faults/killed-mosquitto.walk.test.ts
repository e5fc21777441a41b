import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openCertificateAuthority } from '../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { hasMosquitto, Mosquitto } from '../support/brokers/mosquitto.ts';
import { PortalPerson, toldOnce } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { slowScript } from '../support/slow-script.ts';

const LIMIT_MS = 90_000;
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync(), LIMIT_MS);

if (!hasMosquitto) {
  process.stdout.write(
    'Skipped: the fault test of an external broker needs the program mosquitto.\n',
  );
}

test.skipIf(!hasMosquitto)(
  'delivers the true result once when an external Mosquitto is killed during a command',
  async () => {
    const { portal, broker } = await startBehindMosquitto();
    const admin = await PortalPerson.signIn(portal.url);
    const agent = portal.startAgent('one', await admin.createClaim('one'));
    const deviceId = await admin.untilOnline(agent);
    const script = slowScript(portal.dataDir, 'mosquitto-killed');
    const sent = await admin.runShell(deviceId, script.text);
    await admin.untilOutput(sent, script.middle);
    await broker.killAndStart();
    const ended = await admin.untilEnded(sent);
    expect(ended).toMatchObject({ state: 'Success', responseCode: 0, attempt: 1 });
    expect(ended.stdout.text).toBe(script.output);
    expect(await script.countRuns()).toBe(1);
    expect(await admin.countTold(sent)).toEqual(toldOnce);
  },
  LIMIT_MS,
);

/** With the persistence of Debian's default configuration; the test of the transport uses none. */
async function startBehindMosquitto() {
  const portal = resources.use(await PortalPrograms.prepare());
  const directory = join(portal.dataDir, 'mosquitto');
  await mkdir(directory);
  await chmod(directory, 0o755);
  const broker = resources.use(
    await Mosquitto.start({
      directory,
      authority: await openCertificateAuthority({
        store: createFileSecrets(portal.dataDir),
        hosts: [],
      }),
      persistence: ['persistence true', `persistence_location ${directory}/`],
    }),
  );
  const { url, caFile, certificateFile, keyFile } = broker.access;
  await portal.startServer({
    DEVICEPORTAL_MQTT_URL: url,
    DEVICEPORTAL_MQTT_CA_FILE: caFile,
    DEVICEPORTAL_MQTT_CERTIFICATE_FILE: certificateFile,
    DEVICEPORTAL_MQTT_KEY_FILE: keyFile,
  });
  return { portal, broker };
}
