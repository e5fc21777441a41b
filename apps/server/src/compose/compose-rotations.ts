import type { RotationName } from '@deviceportal/contract/installation';
import { anchorPlacesOf } from '../audit-trail/anchors/open-anchors.ts';
import { auditSignerOf } from '../audit-trail/audit-signer.ts';
import { readKeysFile } from '../audit-trail/verification/read-keys-file.ts';
import { composeSealed } from './compose-sealed.ts';
import { brokerHosts } from '../gateway/broker/broker-hosts.ts';
import { openOwnAuthority } from '../installation/open-own-authority.ts';
import { replaceStolenAuditKey, rotateAuditKey } from '../installation/rotate-audit-key.ts';
import { rotateDeviceAuthority } from '../installation/rotate-device-authority.ts';
import { rotateInstallationKey } from '../installation/rotate-installation-key.ts';
import { freezePublicUrl } from '../platform/freeze-setting.ts';
import type { Rotation, RotationContext } from '../cli/admin/rotation.ts';

/**
 * In addition to the interval at which servers read their secrets. A killed server is counted for
 * less than a minute.
 */
const WAIT_MS = 60_000;

const clock = (): Date => new Date();
const partsOf = ({ database, secrets }: RotationContext) => ({
  ...{ database, secrets, clock },
  waitMs: WAIT_MS + secrets.store.refreshMs,
});

/** Secrets that `npm run admin -- rotate` can rotate, by name. */
export const rotations: Readonly<Record<RotationName, Rotation>> = {
  installation: (context) =>
    rotateInstallationKey(
      { ...partsOf(context), sealed: composeSealed(context) },
      { begin: true, now: context.now },
    ),
  'device-authority': async (context) => {
    const { command, database, secrets, now, brokerReady } = context;
    const hosts = brokerHosts(command.config, await freezePublicUrl(database, command.config));
    const authority = await openOwnAuthority({ database, secrets, clock }, hosts);
    const external = brokerReady ? 'ready' : 'asks';
    const broker = command.config.broker.kind === 'embedded' ? 'own' : external;
    return rotateDeviceAuthority({ ...partsOf(context), authority }, { begin: true, now, broker });
  },
  audit: async (context) => {
    const { keysFile, anchors } = context.command.config.audit;
    const pinned = await readKeysFile(keysFile);
    const signer = auditSignerOf(context.secrets.signingKeys('audit'), pinned);
    const parts = { ...partsOf(context), signer };
    if (context.now) return replaceStolenAuditKey(parts);
    return rotateAuditKey({ ...parts, anchors: anchorPlacesOf(anchors) }, { begin: true });
  },
};
