import { addDeviceFileRoutes } from '../../device-files/device-file-routes.ts';
import type { DeviceFilesDeps } from '../../device-files/device-files-deps.ts';
import { createFileLinks } from '../../device-files/sign-file-urls.ts';
import { sweepDeviceFiles } from '../../device-files/sweep-device-files.ts';
import type { PersonLinks } from '../../platform/person-links.ts';
import { repeat } from '../../platform/process/repeat.ts';
import type { SharedSecrets } from '../compose-gateway.ts';
import type { Composition } from '../composition.ts';

const SWEEP_EVERY_MS = 30_000;

/** Links to files of devices, and the end of their content. Returns what their procedures need. */
export function composeDeviceFiles(
  { platform, resources, clock }: Composition,
  {
    signer,
    signing,
    links,
  }: Pick<SharedSecrets, 'signer' | 'signing'> & {
    readonly links: PersonLinks;
  },
): Pick<DeviceFilesDeps, 'fileLinks'> {
  const { database, changes, logger, http, files } = platform;
  const fileLinks = createFileLinks({ signer, links });
  const contents = files.deviceFiles;
  addDeviceFileRoutes(http, {
    ...{ database, changes, clock, signing, signer },
    ...{ links, fileLinks, contents },
  });
  resources.use(
    repeat(() => sweepDeviceFiles({ database, changes, contents }), {
      everyMs: SWEEP_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'sweep of device files failed'),
    }),
  );
  return { fileLinks };
}
