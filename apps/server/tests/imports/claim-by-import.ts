import type { CreatedImport, ImportClaim, ImportDetail } from '@deviceportal/contract/imports';

/** Imports devices by the calls of the portal's page, and returns the claim for those that it added. */
export async function claimByImport(
  portalUrl: string,
  done: <Data>(path: string, input?: unknown) => Promise<Data>,
  { csv, lifetimeHours = 24 }: { readonly csv: string; readonly lifetimeHours?: number },
): Promise<ImportClaim> {
  const input = { kind: 'devices', fileName: 'devices.csv' };
  const { id, uploadUrl } = await done<CreatedImport>('imports.create', input);
  const sent = await fetch(`${portalUrl}${uploadUrl}`, { method: 'PUT', body: csv });
  if (sent.status !== 204) throw new Error(await sent.text());
  const finish = async (): Promise<void> => {
    for (;;) {
      const { state } = await done<ImportDetail>('imports.advance', { id });
      if (state !== 'checking' && state !== 'applying') return;
    }
  };
  await finish();
  await done('imports.confirm', { id });
  await finish();
  return done('imports.createClaim', { id, lifetimeHours });
}
