import { providerKeys } from './provider-keys.ts';
import { HOST } from './recorded-provider.ts';
import type { Json } from './vector-case.ts';

/**
 * Replaces recorded placeholders with real hosts, keys, tokens, functions, dates, and undefined
 * values.
 */
export function revive(value: Json | undefined, makeFunction: (name: string) => unknown): unknown {
  if (typeof value === 'string') return reviveText(value);
  if (Array.isArray(value)) return value.map((item: Json) => revive(item, makeFunction));
  if (typeof value !== 'object' || value === null) return value;
  const record = value as { readonly [name: string]: Json };
  if (record['$undefined']) return undefined;
  if (typeof record['$date'] === 'string') return new Date(record['$date']);
  if (typeof record['$fn'] === 'string') return makeFunction(record['$fn']);
  if (typeof record['$onError'] === 'string') return makeFunction(`onError ${record['$onError']}`);
  return Object.fromEntries(
    Object.entries(record).map(([name, item]) => [name, revive(item, makeFunction)]),
  );
}

function reviveText(text: string): string {
  return text
    .replaceAll('{{HOST}}', HOST)
    .replaceAll('{{RSAPUB}}', providerKeys.rsaPublic)
    .replaceAll('{{SM2PUB}}', providerKeys.sm2Public)
    .replaceAll(/\{\{JWT:(\{.*?\})\}\}/g, (_all, claims: string) => makeToken(claims));
}

function makeToken(claims: string): string {
  const part = (json: string): string => Buffer.from(json).toString('base64url');
  return `${part('{"alg":"none","typ":"JWT"}')}.${part(claims)}.sig`;
}

const RANDOM = /<RANDOM(-DIGITS|\[[^\]]+\]\{\d+\})?>|<HEX32>/g;

/** Replaces random values with their recorded placeholders if the format matches. */
export function hideRandom(ours: unknown, recorded: unknown): unknown {
  if (typeof ours === 'string' && typeof recorded === 'string') {
    return fitsRandom(ours, recorded) ? recorded : ours;
  }
  if (Array.isArray(ours) && Array.isArray(recorded)) {
    return ours.map((item, index) => hideRandom(item, recorded[index]));
  }
  if (!isPlain(ours) || !isPlain(recorded)) return ours;
  return Object.fromEntries(
    Object.entries(ours).map(([name, item]) => [name, hideRandom(item, recorded[name])]),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function fitsRandom(ours: string, recorded: string): boolean {
  if (!/<RANDOM|<HEX32>/.test(recorded)) return false;
  const parts = recorded
    .split(RANDOM)
    .filter((part, index) => part !== undefined && index % 2 === 0);
  const forms = [...recorded.matchAll(RANDOM)].map(([all, form]) => {
    if (all === '<HEX32>') return '[0-9a-f]{32}';
    if (form === '-DIGITS') return '[0-9]{15,18}';
    return form ?? '.+';
  });
  const pattern = parts.map(
    (part, index) =>
      `${part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}${forms[index] ?? ''}`,
  );
  return new RegExp(`^${pattern.join('')}$`).test(ours);
}
