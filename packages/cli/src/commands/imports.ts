import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import { listItems } from '../api/list-items.ts';
import { sendRequest } from '../api/send-request.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Session } from '../session.ts';

type Import = OperationOutput<'getImport'>;

export interface ImportOptions {
  readonly confirm?: boolean;
  readonly encoding?: 'unicode' | 'gb18030' | 'windows-1252';
  readonly limit: number;
}

/** Checks a file, prints its refused rows, and writes the others if that is confirmed. */
export async function importFile(
  session: Session,
  kind: Import['kind'],
  file: string,
  { confirm = false, encoding = 'unicode', limit }: ImportOptions,
): Promise<ExitCode | void> {
  const content = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read (${cause.code}).`, {
      ...{ exitCode: exitCodes.usage, cause },
    });
  });
  const api = await session.api();
  const body = { kind, encoding, fileName: basename(file) };
  const { id, uploadUrl } = await api.call('createImport', { body });
  await upload(api, uploadUrl, content);
  const checked = await finish(session, api, id);
  if (checked.state === 'rejected') {
    print(session, checked);
    return exitCodes.rejected;
  }
  await printRefused(session, api, { id, limit });
  if (!confirm) {
    await api.call('discardImport', { params: { import: id } });
    print(session, checked);
    return;
  }
  if (checked.counts.new + checked.counts.changed > 0)
    await api.call('confirmImport', { params: { import: id } });
  print(session, await finish(session, api, id));
}

export async function undoImport(session: Session, id: string): Promise<void> {
  const api = await session.api();
  await api.call('undoImport', { params: { import: id } });
  print(session, await finish(session, api, id));
}

async function upload(api: ApiClient, uploadUrl: string, content: Buffer): Promise<void> {
  const { status } = await sendRequest({
    url: `${api.portalUrl}${uploadUrl}`,
    init: { method: 'PUT', body: new Uint8Array(content) },
    isRepeatable: true,
  });
  if (status === 204) return;
  throw new CliError(`The portal did not accept the file (status ${status}).`, {
    exitCode: exitCodes.rejected,
  });
}

/** Continues until the import waits for a decision, or has ended. */
async function finish({ printer }: Session, api: ApiClient, id: string): Promise<Import> {
  for (;;) {
    const { state, counts, ...rest } = await api.call('advanceImport', { params: { import: id } });
    if (state !== 'checking' && state !== 'applying' && state !== 'undoing')
      return { state, counts, ...rest };
    printer.progress(
      `${state}: ${counts.checked} of ${counts.rows} rows checked, ${counts.applied} written`,
    );
  }
}

async function printRefused(
  { printer }: Session,
  api: ApiClient,
  { id, limit }: { readonly id: string; readonly limit: number },
): Promise<void> {
  const refused = listItems(
    (page) =>
      api.call('listImportRows', { params: { import: id }, query: { show: 'refused', ...page } }),
    limit,
  );
  await printer.list(
    refused,
    [
      { title: 'row', value: ({ line }) => String(line) },
      { title: 'key', value: ({ key }) => key ?? '' },
      { title: 'column', value: ({ problem }) => problem?.column ?? '' },
      { title: 'reason', value: ({ problem }) => problem?.message ?? '' },
    ],
    'No rows are refused.',
  );
}

function print({ printer }: Session, one: Import): void {
  if (printer.isJson) {
    printer.json(one);
    return;
  }
  const { counts, problem } = one;
  printer.facts({
    Import: one.id,
    State: one.state,
    Rows: counts.rows,
    New: counts.new,
    Changed: counts.changed,
    Unchanged: counts.unchanged,
    Refused: counts.refused,
    Written: counts.applied,
    ...(one.state === 'undone' && { Undone: counts.undone, 'Not undone': counts.left }),
    ...(one.canUndo && { 'Can be undone until': one.keptUntil }),
    ...(problem !== null && {
      Problem: `${problem.line === null ? '' : `line ${problem.line}: `}${problem.message}`,
    }),
  });
}
