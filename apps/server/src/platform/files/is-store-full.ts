/** How disks, quotas, and stores in a network say that they have no room. */
export const STORE_FULL = /ENOSPC|EDQUOT|EFBIG|QuotaExceeded|InsufficientStorage|XMinioStorageFull/;

export function isStoreFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return STORE_FULL.test(`${code} ${error.name}`);
}
