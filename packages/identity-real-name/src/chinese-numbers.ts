const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const;
const ID_CHECKS = '10X98765432';
const REGISTER_ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';

/**
 * A person's identity number: region, valid date, sequence, check digit (GB 11643-1999, ISO 7064
 * MOD 11-2).
 */
export function isIdentityNumber(text: string): boolean {
  if (!/^[1-9]\d{16}[\dX]$/.test(text)) return false;
  const [year, month, day] = [text.slice(6, 10), text.slice(10, 12), text.slice(12, 14)];
  const born = new Date(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(born.getTime()) || born.getUTCDate() !== Number(day)) return false;
  const sum = ID_WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return ID_CHECKS[sum % 11] === text[17];
}

/** An organization's unified social credit code (GB 32100-2015). */
export function isRegisterCode(text: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{18}$/.test(text)) return false;
  let sum = 0;
  for (let index = 0, weight = 1; index < 17; index += 1, weight = (weight * 3) % 31) {
    sum += REGISTER_ALPHABET.indexOf(text[index] ?? '') * weight;
  }
  return REGISTER_ALPHABET[(31 - (sum % 31)) % 31] === text[17];
}

/** A payment card number (ISO/IEC 7812-1, annex B: Luhn). */
export function isCardNumber(text: string): boolean {
  if (!/^\d{12,19}$/.test(text)) return false;
  const sum = [...text].toReversed().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
