import { and, eq } from 'drizzle-orm';
import type { FileOfferState } from '@deviceportal/contract/device-files';
import type { TerminalOfferState } from '@deviceportal/contract/terminals';
import {
  webPagesOfferSchema,
  type OfferedPage,
} from '@deviceportal/device-protocol/web-page-offer';
import type { Executor } from '../../../platform/database/database.ts';
import { device, deviceInstance, deviceStatus } from '../devices-tables.ts';

/** What a device offers, as its agent stated, and whether it can be reached now. */
export interface Reach {
  /** Null for agents without terminals. */
  readonly terminalOffer: TerminalOfferState | null;
  /** Null for agents without files. */
  readonly filesOffer: FileOfferState | null;
  /** The web pages that can be opened; null for agents without them. */
  readonly webPages: readonly OfferedPage[] | null;
  /** Whether it can ask a person for consent to a terminal. */
  readonly terminalConsent: boolean;
  readonly name: string;
  readonly model: string | null;
  /** SHA-256 of its certificate, in lower case; null without an agent. */
  readonly fingerprint: string | null;
  readonly isConnected: boolean;
  /** Neither suspended nor retired. */
  readonly isServed: boolean;
}

export async function findReach(on: Executor, deviceId: string): Promise<Reach> {
  const { terminalOffer, filesOffer, terminalConsent, webPages, certificateFingerprint } =
    deviceInstance;
  const { name, model } = device;
  const [found] = await on
    .select({
      ...{ terminalOffer, filesOffer, terminalConsent, webPages, name, model },
      fingerprint: certificateFingerprint,
      connectivity: deviceStatus.connectivity,
      lifecycle: device.lifecycle,
    })
    .from(deviceInstance)
    .innerJoin(device, eq(device.id, deviceInstance.deviceId))
    .leftJoin(deviceStatus, eq(deviceStatus.deviceId, device.id))
    .where(and(eq(deviceInstance.deviceId, deviceId), eq(deviceInstance.state, 'current')));
  const connectivity = found?.connectivity ?? null;
  const isServed = found?.lifecycle === 'active' || found?.lifecycle === 'pending';
  return {
    terminalOffer: found?.terminalOffer ?? null,
    filesOffer: found?.filesOffer ?? null,
    terminalConsent: found?.terminalConsent ?? false,
    webPages: readWebPages(found?.webPages ?? null),
    name: found?.name ?? deviceId,
    model: found?.model ?? null,
    fingerprint: found?.fingerprint.toLowerCase() ?? null,
    isConnected: isServed && (connectivity === 'online' || connectivity === 'degraded'),
    isServed,
  };
}

const readWebPages = (stored: string | null): readonly OfferedPage[] | null =>
  stored === null ? null : webPagesOfferSchema.parse(JSON.parse(stored));
