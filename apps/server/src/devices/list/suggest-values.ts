import type { z } from 'zod';
import type { suggestValuesInput, ValueSuggestion } from '@deviceportal/contract/devices';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { holds } from '@deviceportal/contract/permissions';
import { connectivity, deviceLifecycle, tavState } from '@deviceportal/contract/states';
import { selfCheckParts } from '@deviceportal/device-protocol/messages';
import type { Executor } from '../../platform/database/database.ts';
import { suggestPeople } from '../../people/data/suggest-people.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { listDevices } from './list-devices.ts';
import {
  selectComponents,
  selectFacetValues,
  selectLabelKeys,
  selectLabelValues,
  selectPackages,
  selectStatusValues,
  selectVersions,
} from '../data/list/suggestion-queries.ts';

const SUGGESTIONS = 50;

/** Values for a filter within the viewer's scope. The cost depends on the number of values, not of devices. */
export async function suggestValues(
  deps: DevicesDependencies,
  viewer: Viewer,
  input: z.infer<typeof suggestValuesInput>,
): Promise<readonly ValueSuggestion[]> {
  const on = deps.database.orm;
  const text = input.text.trim();
  switch (input.key) {
    case 'connectivity':
      return fixed(Object.keys(connectivity), text);
    case 'lifecycle':
      return fixed(Object.keys(deviceLifecycle), text);
    case 'failing':
      return fixed([...selfCheckParts, 'heartbeat'], text);
    case 'tavState':
      return fixed(Object.keys(tavState), text);
    case 'finding':
      return fixed([...findingRules, 'any'], text);
    case 'lastSeen':
    case 'added':
      return fixed(['-1h', '-24h', '-7d', '-30d'], text);
    case 'area':
      // Areas are selected on the map.
      return [];
    case 'metric':
    case 'newestMetric':
      // Clients combine a metric with the number that is typed.
      return [];
    case 'country':
    case 'model':
      return fixed(await selectFacetValues(on, viewer, input.key), text);
    case 'label':
      return plain(await labelValues(on, viewer, text));
    case 'software':
      return plain(await softwareValues(on, viewer, text));
    case 'package':
      return plain(await packageValues(on, viewer, text));
    case 'platform':
    case 'agentVersion':
      return fixed(await selectStatusValues(on, viewer, input.key), text);
    case 'owner':
      return owners(on, viewer, text);
    case 'serialNumber':
    case 'name':
      return devicesLike(deps, viewer, { key: input.key, text });
  }
}

const plain = (values: readonly string[]): ValueSuggestion[] =>
  values.slice(0, SUGGESTIONS).map((value) => ({ value, label: value }));

function fixed(values: readonly string[], text: string): ValueSuggestion[] {
  const wanted = text.toLowerCase();
  return plain(values.filter((value) => value.toLowerCase().includes(wanted)));
}

/** Label keys, and after a colon the values of the key. */
async function labelValues(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const colon = text.indexOf(':');
  if (colon < 0) return selectLabelKeys(on, viewer, text);
  const key = text.slice(0, colon);
  const values = await selectLabelValues(on, viewer, { key, beginning: text.slice(colon + 1) });
  return values.map((value) => `${key}:${value}`);
}

/** Components, and after the last colon the versions of the component. */
async function softwareValues(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return selectComponents(on, viewer, text);
  const component = text.slice(0, colon);
  const beginning = text.slice(colon + 1);
  const versions = await selectVersions(on, viewer, { component, beginning });
  return versions.map((version) => `${component}:${version}`);
}

/** Package names, and after a colon the versions of the package. */
async function packageValues(on: Executor, viewer: Viewer, text: string): Promise<string[]> {
  const colon = text.indexOf(':');
  return selectPackages(
    on,
    viewer,
    colon < 0
      ? { text, versionBeginning: null }
      : { text: text.slice(0, colon), versionBeginning: text.slice(colon + 1) },
  );
}

async function owners(on: Executor, viewer: Viewer, text: string): Promise<ValueSuggestion[]> {
  if (!holds(viewer.grants, 'people:read') || text === '') return [];
  const people = await suggestPeople(on, viewer, text, SUGGESTIONS);
  return people.map(({ id, name }) => ({ value: id, label: name }));
}

async function devicesLike(
  deps: DevicesDependencies,
  viewer: Viewer,
  wanted: { readonly key: 'serialNumber' | 'name'; readonly text: string },
): Promise<ValueSuggestion[]> {
  if (wanted.text === '') return [];
  const page = await listDevices(deps, viewer, {
    filter: {
      text: '',
      tokens: [{ key: wanted.key, operator: '^', values: [wanted.text] }],
      operation: 'and',
      targetListId: null,
    },
    sort: wanted.key,
    descending: false,
    pageSize: 25,
    cursor: null,
  });
  const found = page.rows.flatMap((row) => row[wanted.key] ?? []);
  return plain([...new Set(found)]);
}
