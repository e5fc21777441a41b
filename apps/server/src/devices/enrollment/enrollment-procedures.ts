import { z } from 'zod';
import {
  createClaimInput,
  createDeviceClaimInput,
  listClaimsInput,
  type ClaimRow,
  type CreatedClaim,
} from '@deviceportal/contract/devices';
import { idSchema } from '@deviceportal/contract/ids';
import type { Page } from '@deviceportal/contract/pages';
import {
  decideReEnrollmentInput,
  reEnrollmentOfDeviceInput,
  type ReEnrollmentRequest,
} from '@deviceportal/contract/re-enrollment';
import { permitted } from '../../platform/api.ts';
import { createClaim } from '../claims/create-claim.ts';
import { createDeviceClaim } from '../claims/create-device-claim.ts';
import { listClaims, revokeClaim } from '../claims/list-claims.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { approveReEnrollment, rejectReEnrollment } from '../re-enrollment/decide-re-enrollment.ts';
import { getReEnrollment } from '../re-enrollment/get-re-enrollment.ts';

const idInput = z.object({ id: idSchema });

/** Adding devices: claims and re-enrollment requests. */
export function enrollmentProcedures(deps: DevicesDependencies) {
  return {
    createClaim: permitted('devices:manage')
      .input(createClaimInput)
      .mutation(({ ctx, input }): Promise<CreatedClaim> => createClaim(deps, ctx, input)),
    createDeviceClaim: permitted('devices:manage')
      .input(createDeviceClaimInput)
      .mutation(({ ctx, input }): Promise<CreatedClaim> => createDeviceClaim(deps, ctx, input)),
    listClaims: permitted('devices:manage')
      .input(listClaimsInput)
      .query(({ ctx, input }): Promise<Page<ClaimRow>> => listClaims(deps, ctx.viewer, input)),
    revokeClaim: permitted('devices:manage')
      .input(idInput)
      .mutation(({ ctx, input }): Promise<void> => revokeClaim(deps, ctx, input.id)),
    getReEnrollment: permitted('devices:manage')
      .input(reEnrollmentOfDeviceInput)
      .query(({ ctx, input }): Promise<ReEnrollmentRequest | null> =>
        getReEnrollment(deps, ctx.viewer, input.deviceId),
      ),
    approveReEnrollment: permitted('devices:manage')
      .input(decideReEnrollmentInput)
      .mutation(({ ctx, input }): Promise<void> => approveReEnrollment(deps, ctx, input)),
    rejectReEnrollment: permitted('devices:manage')
      .input(decideReEnrollmentInput)
      .mutation(({ ctx, input }): Promise<void> => rejectReEnrollment(deps, ctx, input)),
  };
}
