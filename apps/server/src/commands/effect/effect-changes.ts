import type { EffectChange, EffectPart } from '@deviceportal/contract/effect-changes';
import { canonicalJson } from './canonical-json.ts';
import type { EffectDocument, PlannedEffect } from './planned-effect.ts';

/** Longer values are shortened to an excerpt around the first difference. */
const MAX_CHARACTERS = 500;
const CHARACTERS_BEFORE = 60;
const MAX_CHANGES = 100;

type Values = ReadonlyMap<string, string>;

/** Differences between two effects by part; empty if they are equal. At most 100. */
export function effectChanges(before: PlannedEffect, after: PlannedEffect): EffectChange[] {
  const of = (part: EffectPart, read: (effect: PlannedEffect) => Values): EffectChange[] =>
    differences(part, read(before), read(after));
  return [
    ...of('command', ({ command }) => new Map([['', command]])),
    ...of('consequence', ({ consequence }) => new Map([['', consequence]])),
    ...of('document', ({ document }) => documentsOf([document], () => '')),
    ...of('sub-document', ({ subDocuments }) =>
      documentsOf(subDocuments, ({ reference }) => reference),
    ),
    ...of('verification', ({ verification }) => documentsOf(verification, ({ name }) => name)),
    ...of('parameter', ({ parameters }) => textsOf(parameters)),
    ...of('secret-parameter', ({ secretDigests }) => textsOf(secretDigests)).map(withoutValues),
    ...of('store-parameter', ({ storeParameters }) => storeValues(storeParameters)),
    ...of('devices', ({ devices }) => new Map([['', `${devices.count} (${devices.sha256})`]])),
    ...of('strategy', ({ strategy }) => textsOf(strategy)),
  ].slice(0, MAX_CHANGES);
}

function differences(part: EffectPart, before: Values, after: Values): EffectChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
    const [old = null, now = null] = [before.get(name), after.get(name)];
    if (old === now) return [];
    const from = Math.max(0, firstDifference(old ?? '', now ?? '') - CHARACTERS_BEFORE);
    return [{ part, name, before: excerpt(old, from), after: excerpt(now, from) }];
  });
}

function documentsOf<One extends EffectDocument>(
  documents: readonly One[],
  nameOf: (one: One) => string,
): Values {
  return new Map(
    documents.map((one) => [nameOf(one), `${one.name}:${one.version} (${one.sha256})`]),
  );
}

const textsOf = (values: Readonly<Record<string, unknown>>): Values =>
  new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : canonicalJson(value),
    ]),
  );

function storeValues(labels: readonly string[]): Values {
  return new Map(
    labels.map((label) => {
      const end = label.lastIndexOf(':');
      return [label.slice(0, end), label.slice(end + 1)];
    }),
  );
}

/** For secrets, only the fact of the change is shown. */
const withoutValues = ({ before, after, ...change }: EffectChange): EffectChange => ({
  ...change,
  before: before === null ? null : '••••••',
  after: after === null ? null : '••••••',
});

function firstDifference(a: string, b: string): number {
  let place = 0;
  while (place < a.length && a[place] === b[place]) place += 1;
  return place;
}

function excerpt(text: string | null, from: number): string | null {
  if (text === null || text.length <= MAX_CHARACTERS) return text;
  const end = from + MAX_CHARACTERS;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`;
}
