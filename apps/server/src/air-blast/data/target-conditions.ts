import { and, eq } from 'drizzle-orm';
import { deviceInvocations } from '../../commands/data/device-invocations.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { airBlastTarget } from './air-blast-tables.ts';

/** The targets of the present plan. */
export const isTargetOf = ({ id, revision }: Pick<AirBlastRecord, 'id' | 'revision'>) =>
  and(eq(airBlastTarget.airBlastId, id), eq(airBlastTarget.revision, revision));

/** The invocation that carries the change to a target: the last one, where it was tried again. */
export const isOnTarget = and(
  eq(deviceInvocations.runId, airBlastTarget.runId),
  eq(deviceInvocations.deviceId, airBlastTarget.deviceId),
);
