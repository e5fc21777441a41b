import type { DeviceFilterKey, FilterOperator } from '@deviceportal/contract/devices';

/** Operators of each filter key. */
export const operatorsByKey: Readonly<Record<DeviceFilterKey, readonly FilterOperator[]>> = {
  serialNumber: ['=', '!=', ':', '^'],
  name: [':', '=', '!=', '^'],
  owner: ['=', '!='],
  model: ['=', '!=', '^'],
  country: ['=', '!='],
  connectivity: ['=', '!='],
  lifecycle: ['=', '!='],
  label: ['=', '!='],
  platform: ['=', '!='],
  agentVersion: ['=', '!=', '^'],
  software: ['=', '!='],
  package: ['=', '!=', '<', '<=', '>', '>='],
  lastSeen: ['<=', '>='],
  added: ['>=', '<='],
  failing: ['=', '!='],
  tavState: ['=', '!='],
  finding: ['=', '!='],
  metric: ['>=', '<='],
  newestMetric: ['>=', '<='],
  area: ['='],
};

/** Parts of the agent’s self-check. The portal adds `heartbeat` when heartbeats are missing. */
export const failingParts = [
  'disk',
  'memory',
  'clock',
  'network',
  'service',
  'certificate',
  'heartbeat',
] as const;
export type FailingPartName = (typeof failingParts)[number];

export function isFailingPart(part: string): part is FailingPartName {
  return failingParts.some((known) => known === part);
}
