import type { IdentityService } from '@deviceportal/identity/identity-service';
import { AssumeRoleError } from '@deviceportal/identity/assume-role-error';
import { AIR_BLAST_ROLE, OPERATE_AIR_BLAST } from '@deviceportal/identity/builtin-roles';
import { AIR_BLAST_ROLE_SESSION_SECONDS } from '@deviceportal/contract/constants';
import { PortalError } from '@deviceportal/contract/errors';
import type { OperatorRole } from '../air-blast/air-blast-deps.ts';

const arnOf = (airBlastId: string): string => `arn:aws:deviceportal:::air-blast/${airBlastId}`;

/** The role of the embedded identity pool: a session for one run, which ends with its sign-in. */
export function createPoolRole(sessions: IdentityService['roleSessions']): OperatorRole {
  return {
    async assume(viewer, { airBlastId, origin }) {
      const policy = {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: OPERATE_AIR_BLAST, Resource: arnOf(airBlastId) }],
      };
      const { accessKeyId, expiresAt } = await sessions
        .assumeForPerson({
          sub: viewer.subject,
          originJti: viewer.signInId ?? '',
          roleName: AIR_BLAST_ROLE,
          durationSeconds: AIR_BLAST_ROLE_SESSION_SECONDS,
          sessionPolicy: JSON.stringify(policy),
          address: origin.address,
          requestId: origin.requestId,
        })
        .catch((error: unknown) => {
          if (!(error instanceof AssumeRoleError)) throw error;
          throw new PortalError('noPermission', {
            facts: { permission: 'air-blast:run' },
            cause: error,
          });
        });
      return { session: accessKeyId, expiresAt };
    },
    isInForce({ session, airBlastId, address }) {
      return sessions.isAllowed({
        accessKeyId: session,
        action: OPERATE_AIR_BLAST,
        resource: arnOf(airBlastId),
        address,
      });
    },
  };
}
