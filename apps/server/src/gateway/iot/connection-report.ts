import { z } from 'zod';
import { safeParse } from '@deviceportal/contract/safe-parse';

const PREFIX = '$aws/events/presence/';

/** "Lifecycle events" (AWS IoT Core Developer Guide). */
const lifecycleSchema = z.object({
  clientId: z.uuid(),
  timestamp: z.int().nonnegative().max(8_640_000_000_000_000),
  eventType: z.enum(['connected', 'disconnected']),
  versionNumber: z.int().nonnegative(),
  principalIdentifier: z.string().max(256),
  ipAddress: z.string().max(64).optional(),
  clientInitiatedDisconnect: z.boolean().optional(),
});

/** The beginning or end of a device's connection, as AWS IoT reports it. */
export interface ConnectionReport {
  readonly deviceId: string;
  readonly version: number;
  readonly at: Date;
  readonly isConnected: boolean;
  /** The ID of the certificate, which is its fingerprint. */
  readonly fingerprint: string;
  readonly address: string | null;
  readonly isOrderly: boolean;
}

export const isConnectionTopic = (topic: string): boolean => topic.startsWith(PREFIX);

/** Undefined for events of other clients than devices, and for connections that failed. */
export function readConnectionReport(payload: Uint8Array): ConnectionReport | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined;
  }
  const { data } = safeParse(lifecycleSchema, value);
  if (data === undefined) return undefined;
  return {
    deviceId: data.clientId.toLowerCase(),
    version: data.versionNumber,
    at: new Date(data.timestamp),
    isConnected: data.eventType === 'connected',
    fingerprint: data.principalIdentifier,
    address: data.ipAddress ?? null,
    isOrderly: data.clientInitiatedDisconnect === true,
  };
}
