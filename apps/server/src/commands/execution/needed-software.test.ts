import { expect, test } from 'vitest';
import { neededSoftware } from './needed-software.ts';

const step = (action: string, inputs: Record<string, unknown>) => ({
  mainSteps: [{ action, name: 'step', inputs }],
});

test('[needed-software-1] an installation without a source asks for the file of its version', () => {
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

test('[needed-software-2] going back and removing ask for nothing', () => {
  for (const action of ['Rollback', 'Uninstall']) {
    const inputs = { name: 'app', action, version: '1.0' };
    expect(neededSoftware(step('aws:configurePackage', inputs), {})).toEqual([]);
  }
});

test('[needed-software-3] a download names its version in the address, as an object or as JSON', () => {
  const url = 'deviceportal:software/{{ component }}/2.0.0+build.7';
  const wanted = [{ component: 'firmware', version: '2.0.0+build.7' }];
  for (const sourceInfo of [{ url }, JSON.stringify({ url })]) {
    const content = step('aws:downloadContent', { sourceType: 'HTTP', sourceInfo });
    expect(neededSoftware(content, { component: 'firmware' })).toEqual(wanted);
  }
  const elsewhere = { sourceType: 'HTTP', sourceInfo: { url: 'https://example.com/software/a/1' } };
  expect(neededSoftware(step('aws:downloadContent', elsewhere), {})).toEqual([]);
});

test('[needed-software-4] an agent without a source comes from the portal as well', () => {
  expect(neededSoftware(step('aws:updateAgent', { targetVersion: '1.4.0' }), {})).toEqual([
    { component: 'agent', version: '1.4.0' },
  ]);
});
