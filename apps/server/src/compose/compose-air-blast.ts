import { createHmac } from 'node:crypto';
import type { AirBlastDeps, OperatorRole } from '../air-blast/air-blast-deps.ts';
import { createCloudRole } from '../air-blast/cloud-role.ts';
import { createNextStepTokens } from '../air-blast/steps/next-step-token.ts';
import { signReportUrl } from '../air-blast/report-routes.ts';
import { createTimedRole } from '../air-blast/timed-role.ts';
import { createPoolRole } from './air-blast-pool-role.ts';
import { signResultsUrl } from '../commands/answers/results-routes.ts';
import { signArtifactDownload } from '../commands/artifacts/sign-artifact-url.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { IdentityParts } from './compose-identity.ts';
import { composePersonLinks } from './person-links/compose-person-links.ts';
import type { Dispatcher } from '../commands/execution/dispatcher.ts';
import type { Composition } from './composition.ts';
import { loadAws } from '../platform/aws/load-aws.ts';
import type { CloudRoleConfig } from '../platform/config/config.ts';
import { hasOwnUserPool } from '../platform/config/provider-origins.ts';
import type { ViewerFinder } from '../session/find-viewer.ts';
import { keyPurposes } from '../platform/secrets/key-purposes.ts';

/**
 * Dependencies of AirBlast, for servers that handle requests and servers that advance its waves.
 *
 * @throws StartError if its role is in AWS and the package of the client is not installed
 */
export async function composeAirBlast(
  { platform, clock, secrets, named }: Composition,
  parts: IdentityParts &
    SharedSecrets & {
      readonly viewers: ViewerFinder;
      /** Undefined if this server does not serve devices. */
      readonly dispatcher: Pick<Dispatcher, 'sendNew'> | undefined;
    },
): Promise<AirBlastDeps> {
  const { identity, vault, parameters, signing } = parts;
  const { config, database, changes } = platform;
  const links = composePersonLinks(platform, parts);
  const approvals = secrets.keysFor(keyPurposes.approvals);
  const signWith = (key: Uint8Array, text: string): string =>
    createHmac('sha256', key).update(text).digest('hex');
  return {
    database,
    changes,
    clock,
    vault,
    signing,
    sendNew: parts.dispatcher?.sendNew,
    parameters,
    signArtifactUrl: (artifactId, holder) => signArtifactDownload(links, artifactId, holder),
    signResultsUrl: (link, holder) => signResultsUrl(links, link, holder),
    signReportUrl: (link, holder) => signReportUrl(links, link, holder),
    tokens: createNextStepTokens(secrets.keysFor(keyPurposes.nextSteps)),
    role: await openRole(
      hasOwnUserPool(config.providerSet)
        ? createPoolRole(identity.roleSessions)
        : createTimedRole({ clock }),
      config.airBlastRole,
    ),
    signApproval: (text) => signWith(approvals.current, text),
    approvalSignatures: (text) => approvals.known.map((key) => signWith(key, text)),
    approvalDevices: config.limits.airBlastApprovalDevices,
    named,
  };
}

async function openRole(
  own: OperatorRole,
  cloud: CloudRoleConfig | undefined,
): Promise<OperatorRole> {
  if (cloud === undefined) return own;
  const { createAssumeRole } = await loadAws('assume-role', 'DEVICEPORTAL_AIR_BLAST_ROLE');
  return createCloudRole({ own, assume: createAssumeRole(cloud), roleArn: cloud.arn });
}
