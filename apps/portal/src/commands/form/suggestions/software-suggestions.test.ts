import { describe, expect, it } from 'vitest';
import type { InstalledVersion, SoftwareVersionRow } from '@deviceportal/contract/versions';
import { componentSuggestions, versionSuggestions } from './software-suggestions.ts';

const device = {
  model: 'K310',
  software: [
    { component: 'firmware', version: '2.0.0', tavState: null, since: '', reportedAt: '' },
  ],
} as const;
const registered = (version: string, over: Partial<SoftwareVersionRow> = {}) =>
  ({
    component: 'firmware',
    version,
    state: 'approved',
    models: [],
    ...over,
  }) as SoftwareVersionRow;
const installed = (version: string) => ({ component: 'firmware', version }) as InstalledVersion;
const labels = {
  ...{ earlier: 'earlier', registered: 'registered', reported: 'reported' },
  describe: ({ state }: SoftwareVersionRow, isInstalled: boolean) =>
    isInstalled ? `${state}, installed` : state,
};
const values = (groups: ReturnType<typeof versionSuggestions>) =>
  Object.fromEntries(
    groups.map(({ label, options }) => [label, options.map(({ value }) => value)]),
  );

describe('components to install', () => {
  it('begin with those of the device, and name each once', () => {
    const components = ['player', 'firmware'].map((component) => ({
      ...{ component, devices: 1, versions: 1 },
    }));
    const groups = componentSuggestions({ device, components }, { onDevice: 'own', others: 'o' });
    expect(groups).toEqual([
      { label: 'own', options: [{ value: 'firmware', description: '2.0.0' }] },
      { label: 'o', options: [{ value: 'player' }] },
    ]);
  });
});

describe('versions to install', () => {
  const sources = {
    device,
    component: 'firmware',
    registered: [registered('2.0.0'), registered('2.1.0')],
    installed: [installed('2.0.0'), installed('1.8.0')],
    history: [],
  };

  it('are the registered ones and those of devices, each once, and mark the installed one', () => {
    const groups = versionSuggestions(sources, labels);
    expect(values(groups)).toEqual({ registered: ['2.0.0', '2.1.0'], reported: ['1.8.0'] });
    expect(groups[0]?.options[0]?.description).toBe('approved, installed');
  });

  it('leave out blocked versions, and those for other models', () => {
    const more = [
      registered('2.2.0', { state: 'blocked' }),
      registered('2.3.0', { models: ['K500'] }),
    ];
    const groups = versionSuggestions(
      { ...sources, registered: more, installed: [installed('2.2.0')] },
      labels,
    );
    expect(groups).toEqual([]);
  });

  it('begin with those that the device had before', () => {
    const change = { component: 'firmware', version: '2.0.0', previousVersion: '1.8.0', at: '' };
    const groups = versionSuggestions({ ...sources, history: [change] }, labels);
    expect(groups[0]).toEqual({ label: 'earlier', options: [{ value: '1.8.0' }] });
    expect(values(groups)).not.toHaveProperty('reported');
  });
});
