import { elementType, type MessageElement } from '../src/i18n/parsed-message.ts';

const KNOWN: ReadonlySet<number> = new Set(Object.values(elementType));

/** Throws for a message that `parsed-message.ts` cannot format: dates, skeletons, offsets, and ordinals. */
export function requireKnownSyntax(key: string, message: readonly MessageElement[]): void {
  for (const { type, style, offset = 0, pluralType, options, children = [] } of message) {
    const hasStyle = style !== undefined && style !== null;
    const isPlain = offset === 0 && (pluralType ?? 'cardinal') === 'cardinal';
    if (!KNOWN.has(type) || hasStyle || !isPlain)
      throw new Error(`The message ${key} has a syntax that the portal cannot format.`);
    requireKnownSyntax(key, children);
    for (const { value } of Object.values(options ?? {})) requireKnownSyntax(key, value);
  }
}
