import type { FindWrongNumber } from '@deviceportal/identity/real-name-package';
import { isCardNumber, isIdentityNumber, isRegisterCode } from './chinese-numbers.ts';

/** Validates the numbers by their check digits only. No authority is queried. */
export const findWrongNumber: FindWrongNumber = async ({ type, idCard, ext }) => {
  if (type === 'E') return isRegisterCode(idCard) ? undefined : 'enterpriseCode';
  if (!isIdentityNumber(idCard)) return 'idCard';
  return isCardNumber(ext.replaceAll(/\s/g, '')) ? undefined : 'bankCard';
};
