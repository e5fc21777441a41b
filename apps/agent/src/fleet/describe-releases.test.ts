import { expect, test } from 'vitest';
import { describeFleet } from './describe-fleet.ts';
import { describePackages } from './describe-packages.ts';
import { describePastSoftware } from './describe-past-software.ts';
import { describeReleases } from './describe-releases.ts';

const { devices } = describeFleet(200);

test('what is approved was released, is not withdrawn, and is made for its model', () => {
  const { releases, approvals } = describeReleases();
  for (const { component, version, model } of approvals) {
    const release = releases.find(
      (each) => each.component === component && each.version === version,
    );
    expect(release?.state, `${component} ${version}`).toBe('approved');
    expect(release?.models.length === 0 || release?.models.includes(model)).toBe(true);
  }
});

test('devices run released versions, never drafts', () => {
  const { releases } = describeReleases();
  const stateOf = new Map(
    releases.map((each) => [`${each.component} ${each.version}`, each.state]),
  );
  const states = devices.flatMap(({ software }) =>
    software.map(({ component, version }) => stateOf.get(`${component} ${version}`)),
  );
  expect(states).not.toContain(undefined);
  expect(states).not.toContain('draft');
});

test('the history of a device ends with its current software, without downgrades', () => {
  for (const device of devices) {
    const past = describePastSoftware(device);
    expect(past.at(-1)?.components).toEqual(device.software);
    const days = past.map(({ daysAgo }) => daysAgo);
    expect(days).toEqual(days.toSorted((one, other) => other - one));
    expect(days.every((day) => day >= 1)).toBe(true);
  }
});

test('packages follow the operating system and stay the same', () => {
  const openssl = (system: string) =>
    describePackages('SN1', system).find(({ name }) => name === 'openssl')?.version;
  expect(openssl('Debian 12.8')).toBe('3.0.15-1~deb12u1');
  expect(openssl('Debian 11.11')).toBe('1.1.1w-0+deb11u2');
  expect(describePackages('SN2', 'Debian 12.8')).toEqual(describePackages('SN2', 'Debian 12.8'));
});
