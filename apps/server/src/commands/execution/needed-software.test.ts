import { expect, test } from 'vitest';
import { neededSoftware } from './needed-software.ts';

const step = (action: string, inputs: Record<string, unknown>) => ({
  mainSteps: [{ action, name: 'step', inputs }],
});

test('an installation without a source requests the file of its version', () => {
  const content = {
    parameters: { component: { type: 'String' }, source: { type: 'String', default: '' } },
    ...step('aws:configurePackage', {
      name: '{{ component }}',
      action: 'Install',
      version: '{{version}}',
      source: '{{ source }}',
    }),
  };
  const values = { component: 'app', version: '1.2.0' };
  expect(neededSoftware(content, values)).toEqual([values]);
  expect(neededSoftware(content, { ...values, source: 'https://example.com/a' })).toEqual([]);
});

test('rollback and removal request nothing', () => {
  for (const action of ['Rollback', 'Uninstall']) {
    const inputs = { name: 'app', action, version: '1.0' };
    expect(neededSoftware(step('aws:configurePackage', inputs), {})).toEqual([]);
  }
});

test('a download contains its version in the address, as an object or as JSON', () => {
  const url = 'deviceportal:software/{{ component }}/2.0.0+build.7';
  const wanted = [{ component: 'firmware', version: '2.0.0+build.7' }];
  for (const sourceInfo of [{ url }, JSON.stringify({ url })]) {
    const content = step('aws:downloadContent', { sourceType: 'HTTP', sourceInfo });
    expect(neededSoftware(content, { component: 'firmware' })).toEqual(wanted);
  }
  const elsewhere = { sourceType: 'HTTP', sourceInfo: { url: 'https://example.com/software/a/1' } };
  expect(neededSoftware(step('aws:downloadContent', elsewhere), {})).toEqual([]);
});

test('an agent update without a source requests the file from the portal', () => {
  expect(neededSoftware(step('aws:updateAgent', { targetVersion: '1.4.0' }), {})).toEqual([
    { component: 'agent', version: '1.4.0' },
  ]);
});
