import { randomUUID } from 'node:crypto';
import { replaceStrings, type DeskDevice } from './desk-day.ts';

/** What the placeholders of a user's steps are replaced by. */
export interface DeskValues {
  readonly devices: readonly DeskDevice[];
  readonly kept: Map<string, unknown>;
}

/** A step needs a value that no earlier answer contained. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue';
}

export function placeValues(input: unknown, values: DeskValues): unknown {
  return replaceStrings(input, (text) =>
    text.startsWith('$') ? valueOf(text.slice(1), values) : text,
  );
}

function valueOf(name: string, { devices, kept }: DeskValues): unknown {
  if (name === 'new') return randomUUID();
  if (/^now[+-]\d+$/.test(name))
    return new Date(Date.now() + Number(name.slice(3)) * 1_000).toISOString();
  const [subject = '', fact = ''] = name.split('.');
  if (/^(?:device|serialNumbers)/.test(subject) && devices.length === 0)
    throw new MissingValue(name);
  if (subject === 'devices') return devices.slice(0, Number(fact)).map(({ id }) => id);
  if (subject === 'serialNumbers')
    return devices
      .slice(0, Number(fact))
      .map(({ serialNumber }) => serialNumber)
      .join('\n');
  const number = /^device(\d+)$/.exec(subject)?.[1];
  if (number !== undefined) return deviceFact(devices, Number(number), fact);
  const value = kept.get(name);
  if (value === undefined) throw new MissingValue(name);
  return value;
}

function deviceFact(devices: readonly DeskDevice[], number: number, fact: string): string {
  const device = devices[(number - 1) % devices.length];
  const [name = '', length] = fact.split('/');
  const value = String(device?.[name as keyof DeskDevice] ?? '');
  return length === undefined ? value : value.slice(0, Number(length));
}

/** Stores what later steps need. A list with fewer rows has its last one in place of a later one. */
export function keepValues(
  answer: unknown,
  keep: Readonly<Record<string, string>>,
  { kept }: DeskValues,
): boolean {
  for (const [name, path] of Object.entries(keep)) {
    let value = answer;
    for (const key of path.split('.'))
      value = Array.isArray(value)
        ? (value[Number(key)] ?? value.at(-1))
        : (value as Record<string, unknown> | null | undefined)?.[key];
    if (value === undefined || value === null) return false;
    kept.set(name, value);
  }
  return true;
}
