/** The basic character set of GSM 03.38, without the escape to its extension. */
const GSM_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Its extension: each character takes two places. */
const GSM_EXTENDED = new Set('^{}\\[~]|€\f');

const GSM_PLACES = 160;
const UCS2_PLACES = 70;

export interface SmsLength {
  readonly alphabet: 'GSM-7' | 'UCS-2';
  /** Used places, of those that one message has. */
  readonly places: number;
  readonly fitsOne: boolean;
}

/** One character outside the GSM alphabet makes the whole message UCS-2, which has 70 places instead of 160. */
export function smsLength(text: string): SmsLength {
  const characters = [...text];
  if (characters.every((one) => GSM_BASIC.has(one) || GSM_EXTENDED.has(one))) {
    const places = characters.reduce((sum, one) => sum + (GSM_EXTENDED.has(one) ? 2 : 1), 0);
    return { alphabet: 'GSM-7', places, fitsOne: places <= GSM_PLACES };
  }
  // UTF-16 code units: an emoji takes two.
  return { alphabet: 'UCS-2', places: text.length, fitsOne: text.length <= UCS2_PLACES };
}
