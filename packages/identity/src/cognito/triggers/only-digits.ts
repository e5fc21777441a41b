/** Codes are pasted as `123-456` or ` 123 456 `, and typed in full-width digits. */
export function onlyDigits(typed: string): string {
  return typed.normalize('NFKC').replaceAll(/[\s-]/g, '');
}
