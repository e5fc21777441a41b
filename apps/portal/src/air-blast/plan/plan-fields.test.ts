import { describe, expect, it } from 'vitest';
import type { AirBlastPlan } from '@deviceportal/contract/air-blast';
import {
  editedFields,
  strategyIssuesOf,
  fieldsOfPlan,
  firstFields,
  optionsOf,
  targetOf,
} from './plan-fields.ts';

const nothing = {
  name: '',
  document: '',
  component: '',
  version: '',
  q: '',
  op: 'and',
  targets: '',
  all: false,
  list: '',
  devices: '',
} as const;

const plan: AirBlastPlan = {
  id: 'a',
  revision: 3,
  name: 'Clean up',
  reason: 'T-1',
  change: { kind: 'document', document: 'Clean:2', parameters: { days: 3 } },
  target: {
    kind: 'filter',
    filter: {
      text: 'berlin',
      tokens: [{ key: 'model', operator: '=', values: ['M1', 'M2'] }],
      operation: 'and',
      targetListId: null,
    },
  },
  options: {
    canaryPercent: 10,
    successPercent: 90,
    soakSeconds: 90,
    wavePercents: [20, 80],
    maxConcurrency: '10',
    maxErrors: '2',
    timeoutSeconds: 300,
    waitForOffline: true,
    maxDiskUsedPercent: 80,
    verifyDocument: 'Check',
    verifySeconds: 600,
  },
  secretParameters: [],
};

describe('the form of a plan', () => {
  it('is named after its change until the user enters a name', () => {
    const first = firstFields({ ...nothing, document: 'Clean:2' });
    expect(first.name).toBe('Clean');
    const version = editedFields(first, { kind: 'version', component: 'app', version: '2.0' });
    expect(version.name).toBe('app 2.0');
    const named = editedFields(version, { name: 'Spring' });
    expect(editedFields(named, { version: '2.1' }).name).toBe('Spring');
    expect(firstFields({ ...nothing, name: 'Back', document: 'Clean' }).name).toBe('Back');
  });

  it('selects no devices by default, and all devices only if that is chosen', () => {
    expect(targetOf(firstFields(nothing).devices)).toBeNull();
    expect(targetOf(firstFields({ ...nothing, all: true }).devices)).toMatchObject({
      kind: 'filter',
      filter: { tokens: [], text: '', targetListId: null },
    });
    expect(targetOf(firstFields({ ...nothing, devices: 'a,b' }).devices)).toEqual({
      kind: 'devices',
      deviceIds: ['a', 'b'],
    });
  });

  it('shows a stored plan so that saving it again changes nothing', () => {
    const fields = fieldsOfPlan(plan);
    expect(targetOf(fields.devices)).toEqual(plan.target);
    expect(optionsOf(fields.strategy)).toEqual(plan.options);
    expect(fields).toMatchObject({ name: 'Clean up', document: 'Clean:2', given: { days: 3 } });
  });

  it('reports the problem of each number', () => {
    const { strategy } = firstFields(nothing);
    expect(strategyIssuesOf(strategy).size).toBe(0);
    const wrong = {
      ...strategy,
      canaryPercent: '0',
      soakMinutes: 'a while',
      waves: '10, 200',
      maxConcurrency: '0',
      maxErrors: '101%',
    };
    expect(Object.fromEntries(strategyIssuesOf(wrong))).toEqual({
      canaryPercent: 'percent',
      soakMinutes: 'minutes',
      waves: 'waves',
      maxConcurrency: 'concurrency',
      maxErrors: 'errors',
    });
  });
});
