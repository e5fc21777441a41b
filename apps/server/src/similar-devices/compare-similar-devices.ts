import { scopesOf } from '@deviceportal/contract/permissions';
import {
  MIN_SIMILAR_DEVICES,
  SIMILAR_DEVICES_SHOWN,
  type SimilarDevicesComparison,
} from '@deviceportal/contract/similar-devices';
import { findDeviceRecord } from '../devices/data/find-device-record.ts';
import { findDevice } from '../devices/find-device.ts';
import { evaluateDevice } from '../findings/evaluate-device.ts';
import type { Database } from '../platform/database/database.ts';
import type { NamedSettings } from '../platform/parameters/named-settings.ts';
import type { Viewer } from '../platform/viewer.ts';
import {
  findFaultySimilarDevices,
  findHealthySimilarDevices,
  findSimilarDevices,
} from './data/cohort-queries.ts';
import { countFacts } from './data/fact-count-queries.ts';
import { rankDifferences } from './rank-differences.ts';

export interface SimilarDevicesDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Absent: all countries are supported. */
  readonly named?: Pick<NamedSettings, 'supportedCountries'>;
}

const SHOWN = 25;
const firstOf = (ids: readonly string[]) => ids.slice(0, SIMILAR_DEVICES_SHOWN);

/**
 * The differences of a device from healthy devices of its model: up to 300 of those in service, within the viewer's
 * scope and without a finding, most recently connected first.
 * @throws PortalError deviceNotFound (6000)
 */
export async function compareSimilarDevices(
  deps: SimilarDevicesDeps,
  viewer: Viewer,
  reference: string,
): Promise<SimilarDevicesComparison> {
  const on = deps.database.orm;
  const deviceId = await findDevice(on, viewer, { reference, permissions: ['devices:read'] });
  const settings = { supportedCountries: deps.named?.supportedCountries ?? [] };
  const model = (await findDeviceRecord(on, deviceId))?.model ?? null;
  const nothing = {
    ...{ model, healthy: 0, healthyDevices: [], finding: null },
    ...{ differences: [], more: 0 },
  };
  if (model === null) return nothing;
  const query = { deviceId, model, scopes: scopesOf(viewer.grants, ['devices:read']) };
  const [healthy, [worst]] = await Promise.all([
    findHealthySimilarDevices(on, query),
    evaluateDevice(deps, deviceId, settings),
  ]);
  if (healthy.length < MIN_SIMILAR_DEVICES) return { ...nothing, healthy: healthy.length };
  const faulty =
    worst === undefined ? [] : await findFaultySimilarDevices(on, { ...query, rule: worst.rule });
  const packageScopes = scopesOf(viewer.grants, ['versions:read']);
  const [counts, shown] = await Promise.all([
    countFacts(on, { deviceId, healthy, faulty, packageScopes }),
    findSimilarDevices(on, [...firstOf(healthy), ...firstOf(faulty)]),
  ]);
  const namesOf = (ids: readonly string[]) => firstOf(ids).flatMap((id) => shown.get(id) ?? []);
  const differences = rankDifferences(counts, {
    healthy: healthy.length,
    faulty: faulty.length,
    faultySince: worst === undefined ? null : new Date(worst.since),
  });
  return {
    model,
    healthy: healthy.length,
    healthyDevices: namesOf(healthy),
    finding:
      worst === undefined
        ? null
        : { rule: worst.rule, devices: faulty.length, shown: namesOf(faulty) },
    differences: differences.slice(0, SHOWN),
    more: Math.max(0, differences.length - SHOWN),
  };
}
