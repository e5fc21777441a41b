import type { DeviceFilterToken } from '@deviceportal/contract/devices';
import type { Database } from '../../platform/database/database.ts';
import {
  findComponentsAt,
  findLabelsValued,
  findModelsNamed,
} from '../data/list/named-value-queries.ts';

const LONGEST_NAME = 3;
const versionShape = /^v?(\d+(?:\.\d+)+(?:[-+][\w.]+)?)$/i;

/**
 * Filters of the device list that words stand for: a version, a model, or a label by its value. Reads the values of the
 * whole fleet; the result must be shown only if a device in scope matches.
 */
export async function readFleetWords(
  { database }: { readonly database: Database },
  words: readonly string[],
): Promise<{ tokens: DeviceFilterToken[]; rest: string[] }> {
  const on = database.orm;
  const tokens: DeviceFilterToken[] = [];
  const rest: string[] = [];
  const names = phrasesOf(words);
  const [models, labels] = await Promise.all([
    findModelsNamed(on, names),
    findLabelsValued(on, [...new Set(names.flatMap(spellings))]),
  ]);
  for (let at = 0; at < words.length;) {
    const taken = tokenAt(words, at, { models, labels });
    const version = versionShape.exec(words[at] ?? '')?.[1];
    if (taken !== undefined) tokens.push(taken.token);
    else if (version === undefined) rest.push(words[at] ?? '');
    else tokens.push(versionToken(await findComponentsAt(on, version), version));
    at += taken?.length ?? 1;
  }
  return { tokens, rest };
}

const versionToken = (components: readonly string[], version: string): DeviceFilterToken =>
  components.length === 0
    ? { key: 'agentVersion', operator: '=', values: [version] }
    : {
        key: 'software',
        operator: '=',
        values: components.map((component) => `${component}:${version}`),
      };

interface Named {
  readonly models: readonly string[];
  readonly labels: readonly { readonly key: string; readonly value: string }[];
}

function tokenAt(words: readonly string[], at: number, { models, labels }: Named) {
  for (let length = Math.min(LONGEST_NAME, words.length - at); length > 0; length -= 1) {
    const name = words.slice(at, at + length).join(' ');
    const ofModel = models.filter((model) => model.toLowerCase() === name.toLowerCase());
    if (ofModel.length > 0) {
      return { token: { key: 'model', operator: '=', values: ofModel } as const, length };
    }
    const ofLabel = labels.filter(({ value }) => value.toLowerCase() === name.toLowerCase());
    if (ofLabel.length > 0) {
      const values = ofLabel.map(({ key, value }) => `${key}:${value}`);
      return { token: { key: 'label', operator: '=', values } as const, length };
    }
  }
  return undefined;
}

/** One to three words in a row. */
const phrasesOf = (words: readonly string[]): string[] =>
  words.flatMap((_, at) =>
    Array.from({ length: Math.min(LONGEST_NAME, words.length - at) }, (_each, more) =>
      words.slice(at, at + more + 1).join(' '),
    ),
  );

/** Labels are compared as stored, so their usual spellings are looked up. */
const spellings = (name: string): string[] => [
  name,
  name.toLowerCase(),
  name.toUpperCase(),
  name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase(),
];
