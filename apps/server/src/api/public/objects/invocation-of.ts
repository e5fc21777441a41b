import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { OperationOutput } from '@deviceportal/contract/public-api';

/** An invocation as applications see it. */
export function invocationOf(
  row: InvocationRow,
): OperationOutput<'listDeviceInvocations'>['items'][number] {
  const { id, runId, command, documentName, documentVersion, state, statusDetails } = row;
  const { responseCode, queuedAt, startedAt, endedAt, createdBy, outputPreview } = row;
  return {
    ...{ id, runId, command, document: documentName, documentVersion, state, statusDetails },
    device: { id: row.deviceId, name: row.deviceName, serialNumber: row.serialNumber },
    ...{ exitCode: responseCode, queuedAt, startedAt, endedAt, createdBy, outputPreview },
    parameters: { ...row.parameters },
  };
}
