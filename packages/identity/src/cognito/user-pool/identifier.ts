/** A typed identifier of a user, normalized for the lookup. */
export interface Identifier {
  readonly text: string;
  /** E.164, when the text reads as a phone number. */
  readonly phoneNumber: string | undefined;
}

/** Trims and folds full-width characters (an input method may leave them), and reads phone numbers. */
export function parseIdentifier(typed: string): Identifier {
  const text = typed.normalize('NFKC').trim();
  return { text, phoneNumber: parsePhoneNumber(text) };
}

/** `+48 123-456 789` gives `+48123456789`; undefined when the text is no international number (E.164: at most 15 digits). */
export function parsePhoneNumber(text: string): string | undefined {
  const compact = text.normalize('NFKC').replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : undefined;
}
