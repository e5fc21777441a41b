import type { PortalClient } from '../../support/portal-client.ts';

const PAGE = 100;

interface Page {
  readonly rows: readonly unknown[];
  readonly nextCursor: string | null;
}

export async function listPage(client: PortalClient): Promise<number> {
  const page = (await client.query('devices.list', { pageSize: PAGE })) as Page;
  return page.rows.length;
}

/** Page by page, as an export does. */
export async function listAll(client: PortalClient): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const page = (await client.query('devices.list', { pageSize: PAGE, cursor })) as Page;
    count += page.rows.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return count;
}
