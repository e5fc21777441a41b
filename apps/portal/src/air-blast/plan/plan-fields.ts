import type { AirBlastOptions, AirBlastPlan } from '@deviceportal/contract/air-blast';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { FieldValues } from '../../commands/form/form-model.ts';
import { isConcurrency, isErrorLimit } from '../../commands/form/run-options.ts';
import { decodeDeviceFilter } from '../../devices/list/filter/device-filter.ts';
import { encodeFilter } from '../../ui/filter-codec.ts';

/** How the devices are selected. The selection of the other modes is kept. */
export interface DeviceChoice {
  readonly mode: 'filter' | 'list' | 'chosen' | 'all';
  readonly q: string;
  readonly op: 'and' | 'or';
  /** The saved view of the filter, and the stored list that is part of the filter. */
  readonly view: string;
  readonly targets: string;
  /** A stored list of serial numbers, and text that is not stored yet. */
  readonly list: string;
  readonly text: string;
  /** IDs of devices that were selected earlier. */
  readonly ids: readonly string[];
}

/** The rollout strategy as typed. */
export interface StrategyFields {
  readonly canaryPercent: string;
  readonly successPercent: string;
  readonly soakMinutes: string;
  readonly waves: string;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly maxDiskUsedPercent: string;
  readonly verifyMinutes: string;
  readonly timeoutSeconds: number;
  readonly verifyDocument: string;
  readonly waitForOffline: boolean;
}

export interface PlanFields {
  readonly name: string;
  readonly reason: string;
  readonly kind: 'document' | 'version';
  /** `name` or `name:version`. */
  readonly document: string;
  /** The initial parameters, and the parameters edited since. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly edited: FieldValues;
  readonly component: string;
  readonly version: string;
  readonly source: string;
  readonly sha256: string;
  readonly devices: DeviceChoice;
  readonly strategy: StrategyFields;
}

/**
 * Seconds that a wave waits for offline devices: short if they are excluded, long if they are
 * included.
 */
export const AWAY_SECONDS = { leftBehind: 300, takenAlong: 86_400 } as const;

const firstStrategy: StrategyFields = {
  canaryPercent: '5',
  successPercent: '95',
  soakMinutes: '0',
  waves: '10, 30, 60',
  maxConcurrency: '50',
  maxErrors: '5%',
  maxDiskUsedPercent: '90',
  verifyMinutes: '5',
  timeoutSeconds: AWAY_SECONDS.leftBehind,
  verifyDocument: '',
  waitForOffline: false,
};

const noDevices: DeviceChoice = {
  mode: 'filter',
  q: '',
  op: 'and',
  view: '',
  targets: '',
  list: '',
  text: '',
  ids: [],
};

/** What the address of a new plan can prefill. */
export interface KnownOfPlan {
  readonly name: string;
  readonly document: string;
  readonly component: string;
  readonly version: string;
  readonly q: string;
  readonly op: 'and' | 'or';
  readonly targets: string;
  readonly all: boolean;
  readonly list: string;
  /** Device IDs, joined by commas. */
  readonly devices: string;
}

export function firstFields(known: KnownOfPlan): PlanFields {
  const { name, document, component, version, q, op, targets, list } = known;
  const ids = known.devices === '' ? [] : known.devices.split(',');
  const isNarrowed = q !== '' || targets !== '';
  const mode =
    ids.length > 0 ? 'chosen' : list !== '' ? 'list' : known.all && !isNarrowed ? 'all' : 'filter';
  const kind = component === '' ? 'document' : 'version';
  return {
    name: name || suggestedName({ kind, document, component, version }),
    reason: '',
    kind,
    document,
    given: {},
    edited: {},
    component,
    version,
    source: '',
    sha256: '',
    devices: { ...noDevices, mode, q, op, targets, list, ids },
    strategy: firstStrategy,
  };
}

const MAX_NAME_CHARACTERS = 128;

/** A name after the change: the document, or the component and its version. */
function suggestedName({
  kind,
  document,
  component,
  version,
}: Pick<PlanFields, 'kind' | 'document' | 'component' | 'version'>): string {
  const name = kind === 'version' ? `${component} ${version}` : (document.split(':')[0] ?? '');
  return name.trim().slice(0, MAX_NAME_CHARACTERS);
}

/** The fields after an edit. The name follows the change until the user enters another one. */
export function editedFields(old: PlanFields, part: Partial<PlanFields>): PlanFields {
  const edited = { ...old, ...part };
  const isSuggested = part.name === undefined && old.name === suggestedName(old);
  return isSuggested ? { ...edited, name: suggestedName(edited) } : edited;
}

/** The form fields of an existing plan. */
export function fieldsOfPlan({ name, reason, change, target, options }: AirBlastPlan): PlanFields {
  const isVersion = change.kind === 'version';
  return {
    name,
    reason,
    kind: change.kind,
    document: isVersion ? '' : change.document,
    given: isVersion ? {} : change.parameters,
    edited: {},
    component: isVersion ? change.component : '',
    version: isVersion ? change.version : '',
    source: isVersion ? change.source : '',
    sha256: isVersion ? change.sha256 : '',
    devices: choiceOf(target),
    strategy: {
      ...firstStrategy,
      canaryPercent: String(options.canaryPercent),
      successPercent: String(options.successPercent),
      soakMinutes: String(options.soakSeconds / 60),
      waves: options.wavePercents.join(', '),
      maxConcurrency: options.maxConcurrency,
      maxErrors: options.maxErrors,
      maxDiskUsedPercent: String(options.maxDiskUsedPercent),
      verifyMinutes: String(options.verifySeconds / 60),
      timeoutSeconds: options.timeoutSeconds,
      verifyDocument: options.verifyDocument ?? '',
      waitForOffline: options.waitForOffline,
    },
  };
}

function choiceOf(target: CommandTarget | null): DeviceChoice {
  if (target === null) return noDevices;
  if (target.kind === 'devices') return { ...noDevices, mode: 'chosen', ids: target.deviceIds };
  const { text, tokens, operation, targetListId } = target.filter;
  const words = text === '' ? [] : [{ operator: ':' as const, values: [text] }];
  const all = [...tokens, ...words];
  if (all.length === 0) {
    return targetListId === null
      ? { ...noDevices, mode: 'all' }
      : { ...noDevices, mode: 'list', list: targetListId };
  }
  const q = encodeFilter({ tokens: all, operation });
  return { ...noDevices, q, op: operation, targets: targetListId ?? '' };
}

/** The command target of a selection. Null if no devices are selected. */
export function targetOf(choice: DeviceChoice): CommandTarget | null {
  const { mode, q, op, targets, list, ids } = choice;
  if (mode === 'chosen') {
    return ids.length === 0 ? null : { kind: 'devices', deviceIds: [...ids] };
  }
  if (mode === 'list') {
    return list === '' ? null : { kind: 'filter', filter: { ...everything, targetListId: list } };
  }
  if (mode === 'all') return { kind: 'filter', filter: everything };
  if (q === '' && targets === '') return null;
  const { filter } = decodeDeviceFilter({ q, op, targets });
  return {
    kind: 'filter',
    filter: {
      text: filter.text ?? '',
      tokens: filter.tokens ?? [],
      operation: filter.operation ?? 'and',
      targetListId: filter.targetListId ?? null,
    },
  };
}

const everything = {
  text: '',
  tokens: [],
  operation: 'and' as const,
  targetListId: null,
};

export type StrategyIssue = 'percent' | 'minutes' | 'waves' | 'concurrency' | 'errors';

/** Problems of the strategy fields, by field. */
export function strategyIssuesOf(
  strategy: StrategyFields,
): ReadonlyMap<keyof StrategyFields, StrategyIssue> {
  const issues = new Map<keyof StrategyFields, StrategyIssue>();
  for (const name of ['canaryPercent', 'successPercent', 'maxDiskUsedPercent'] as const) {
    if (!isPercent(strategy[name])) issues.set(name, 'percent');
  }
  for (const name of ['soakMinutes', 'verifyMinutes'] as const) {
    if (!isMinutes(strategy[name])) issues.set(name, 'minutes');
  }
  const waves = wavesOf(strategy.waves);
  if (waves.length === 0 || waves.length > 20 || !waves.every(isPercent)) {
    issues.set('waves', 'waves');
  }
  if (!isConcurrency(strategy.maxConcurrency)) issues.set('maxConcurrency', 'concurrency');
  if (!isErrorLimit(strategy.maxErrors)) issues.set('maxErrors', 'errors');
  return issues;
}

const isPercent = (text: string): boolean => /^([1-9]\d?|100)$/.test(text.trim());
const isMinutes = (text: string): boolean =>
  /^\d{1,4}([.,]\d{1,2})?$/.test(text.trim()) && minutesOf(text) <= 1_440;
const minutesOf = (text: string): number => Number(text.trim().replace(',', '.'));
const wavesOf = (text: string): string[] => text.split(/[\s,;/%，、]+/).filter(Boolean);

export const wavePercentsOf = (strategy: StrategyFields): number[] =>
  wavesOf(strategy.waves).map(Number);

export function optionsOf(strategy: StrategyFields): AirBlastOptions {
  return {
    canaryPercent: Number(strategy.canaryPercent),
    successPercent: Number(strategy.successPercent),
    soakSeconds: Math.round(minutesOf(strategy.soakMinutes) * 60),
    wavePercents: wavePercentsOf(strategy),
    maxConcurrency: strategy.maxConcurrency.trim(),
    maxErrors: strategy.maxErrors.trim(),
    timeoutSeconds: strategy.timeoutSeconds,
    waitForOffline: strategy.waitForOffline,
    maxDiskUsedPercent: Number(strategy.maxDiskUsedPercent),
    verifyDocument: strategy.verifyDocument.split(':')[0] || null,
    verifySeconds: Math.round(minutesOf(strategy.verifyMinutes) * 60),
  };
}
