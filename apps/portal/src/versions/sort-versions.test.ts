import { describe, expect, it } from 'vitest';
import type { InstalledVersion } from '@deviceportal/contract/versions';
import { devicesWithSoftware } from './devices-with-software.ts';
import { sortVersions } from './sort-versions.ts';

const installed = (version: string, devices: number): InstalledVersion => ({
  component: 'os',
  version,
  devices,
  share: 0,
  firstSeenAt: '2026-01-01T00:00:00.000Z',
  lastReportedAt: '2026-01-01T00:00:00.000Z',
  state: null,
  approvedFor: [],
});

describe('versions', () => {
  it('1.10 is newer than 1.9', () => {
    const sorted = sortVersions([installed('1.10.0', 1), installed('1.9.0', 1)], 'version', false);
    expect(sorted.map(({ version }) => version)).toEqual(['1.9.0', '1.10.0']);
  });

  it('sorts the most common version first, and newer ones first among equals', () => {
    const sorted = sortVersions(
      [installed('1', 5), installed('3', 9), installed('2', 5)],
      'devices',
      true,
    );
    expect(sorted.map(({ version }) => version)).toEqual(['3', '2', '1']);
  });

  it('a version links to the devices that run it', () => {
    expect(devicesWithSoftware('firmware', '2.1.0')).toBe('/devices?q=software%3Dfirmware%3A2.1.0');
  });
});
