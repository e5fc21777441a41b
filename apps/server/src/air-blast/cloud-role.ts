import { AIR_BLAST_ROLE_SESSION_SECONDS } from '@deviceportal/contract/constants';
import { refuse } from '@deviceportal/contract/refuse';
import type { AssumeRole } from '../platform/aws/aws-package.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { OperatorRole } from './air-blast-deps.ts';

export interface CloudRoleOptions {
  /** The role in this installation. */
  readonly own: OperatorRole;
  readonly assume: AssumeRole;
  readonly roleArn: string;
}

/**
 * The AirBlast role of an AWS account, in addition to the one in this installation: both must admit
 * the operator, and the session ends with the earlier one. The portal keeps none of its keys.
 */
export function createCloudRole({ own, assume, roleArn }: CloudRoleOptions): OperatorRole {
  return {
    async assume(viewer, request) {
      const { session, expiresAt } = await own.assume(viewer, request);
      const cloud = await assume({
        roleArn,
        // Identifies the operator without personal data.
        sessionName: `air-blast-${viewer.userId}`,
        durationSeconds: AIR_BLAST_ROLE_SESSION_SECONDS,
        tags: {
          'deviceportal:rollout': request.airBlastId,
          'deviceportal:operator': viewer.userId,
        },
      }).catch((cause: unknown) => {
        throw isRefusal(cause)
          ? refuse('cloud-role-refused', { cause })
          : unavailable({ detail: 'AirBlast role not assumed in AWS', cause });
      });
      return { session, expiresAt: cloud.expiresAt < expiresAt ? cloud.expiresAt : expiresAt };
    },
    isInForce: (request) => own.isInForce(request),
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Error && ['AccessDenied', 'AccessDeniedException'].includes(error.name);
